// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Fuzzes the writers of failure dumps: any case gives a spec, a GoogleTest source and a graph, or
// an error.

#include <sstream>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "cases/accepted_answers.h"
#include "cases/case_file.h"
#include "cases/google_test_writer.h"
#include "cases/spec_writer.h"
#include "fuzzing/fuzz_target.h"
#include "glog/logging.h"
#include "hal/graph_dump.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::StatusOr<nncert::CaseFile> file =
      nncert::ParseCaseFile(absl::MakeConstSpan(data, size));
  if (!file.ok()) return 0;
  for (const nncert::TestCase& test_case : file->cases) {
    const absl::StatusOr<std::string> spec = nncert::WriteSpec(test_case);
    CHECK(!spec.ok() || !spec->empty());
    // That of a case of which nothing is accepted, where that fits.
    std::vector<nncert::AcceptedAnswer> accepted;
    for (const nncert::Example& example : test_case.examples) {
      accepted.emplace_back().outputs.resize(example.outputs.size());
    }
    const absl::StatusOr<std::string> test = nncert::WriteGoogleTest({{test_case, accepted}});
    CHECK(!test.ok() || !test->empty());
    std::ostringstream graph;
    nncert::hal::graphDump(test_case.name, test_case.model, graph);
    CHECK(!graph.str().empty());
  }
  return 0;
}
