// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Fuzzes the reader of case files: any bytes at all give cases or an error, and cases that were
// read are the same after they are written and read once more.

#include "absl/types/span.h"
#include "cases/case_file.h"
#include "fuzzing/fuzz_target.h"
#include "glog/logging.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using nncert::CaseFile;
  const absl::StatusOr<CaseFile> file = nncert::ParseCaseFile(absl::MakeConstSpan(data, size));
  if (!file.ok()) return 0;
  const absl::StatusOr<std::vector<uint8_t>> bytes =
      nncert::SerializeCaseFile(file->origin, file->cases);
  if (!bytes.ok()) return 0;
  const absl::StatusOr<CaseFile> again = nncert::ParseCaseFile(*bytes);
  CHECK(again.ok()) << again.status();
  // Written a second time, as NaN scales and pools of memory compare unequal to themselves.
  const absl::StatusOr<std::vector<uint8_t>> bytes_again =
      nncert::SerializeCaseFile(again->origin, again->cases);
  CHECK(bytes_again.ok()) << bytes_again.status();
  CHECK(*bytes == *bytes_again) << "a case file changed when it was read and written";
  return 0;
}
