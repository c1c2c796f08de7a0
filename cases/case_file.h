// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Test cases to and from their Cap'n Proto form (cases/test_case.capnp), and files of them.
//
// As in hal/schema_conversion.h, whatever a message holds, these functions give a value or a
// status, and what is read is not a valid case.

#ifndef NNCERT_CASES_CASE_FILE_H_
#define NNCERT_CASES_CASE_FILE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "cases/test_case.capnp.h"
#include "cases/test_case.h"

namespace nncert {

/// Writes a case into a message; fails as hal::ToSchema does.
absl::Status ToSchema(const TestCase& test_case, schema::TestCase::Builder builder);

/// Reads a case out of a message; fails as hal::FromSchema does.
absl::StatusOr<TestCase> FromSchema(schema::TestCase::Reader reader);

/// A file of test cases as bytes, and back. Bytes that are truncated, corrupt or too many for the
/// message give InvalidArgument, as do those that the file's checksum does not fit (see
/// cases/test_case.capnp). Several threads read a large file. No more than 1 MiB or four times
/// their number is ever read out of `bytes` by each of them, which are four at the most, however
/// the parts of the message refer to each other.
absl::StatusOr<std::vector<uint8_t>> SerializeCaseFile(const std::string& origin,
                                                       absl::Span<const TestCase> cases);
absl::StatusOr<CaseFile> ParseCaseFile(absl::Span<const uint8_t> bytes);

/// The content of a file of test cases. Errors name the file: NotFound when there is none,
/// InvalidArgument when it is not a whole file of test cases.
absl::StatusOr<CaseFile> LoadCaseFile(const std::string& path);

/// The test cases of a file, as LoadCaseFile.
absl::StatusOr<std::vector<TestCase>> ReadCaseFile(const std::string& path);

/// Writes a file of test cases; `origin` says where they come from. An existing file is replaced
/// once the new one is complete.
absl::Status WriteCaseFile(const std::string& path, const std::string& origin,
                           absl::Span<const TestCase> cases);

}  // namespace nncert

#endif  // NNCERT_CASES_CASE_FILE_H_
