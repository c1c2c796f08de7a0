// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Models, requests and test cases to and from their Cap'n Proto form (hal/schema), and files of
// test cases.
//
// This is the one place where Cap'n Proto's exceptions end: whatever a message holds, these
// functions give a value or a status. What is read is not a valid model, though; see
// hal/validate.h.

#ifndef NNCERT_HAL_SCHEMA_CONVERSION_H_
#define NNCERT_HAL_SCHEMA_CONVERSION_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "hal/schema/model.capnp.h"
#include "hal/schema/test_case.capnp.h"
#include "hal/test_case.h"
#include "hal/v1_2/types.h"

namespace nncert::hal {

/// Writes a value into a message. Pools are written by value. Fails when a pool cannot be mapped, a
/// lifetime is not in [0, 65535], or a blob is larger than Cap'n Proto allows (512 MiB).
absl::Status ToSchema(const V1_2::Model& model, schema::Model::Builder builder);
absl::Status ToSchema(const V1_2::Request& request, schema::Request::Builder builder);
absl::Status ToSchema(const TestCase& test_case, schema::TestCase::Builder builder);

/// Reads a value out of a message. Each pool becomes new shared memory with the same content. Types
/// and lifetimes keep numbers without an enumerator. Fails with InvalidArgument when the message is
/// corrupt, or holds alternatives of a later schema, and when memory or descriptors have run out.
absl::StatusOr<V1_2::Model> FromSchema(schema::Model::Reader reader);
absl::StatusOr<V1_2::Request> FromSchema(schema::Request::Reader reader);
absl::StatusOr<TestCase> FromSchema(schema::TestCase::Reader reader);

/// A file of test cases as bytes, and back. Bytes that are truncated, corrupt or too many for the
/// message give InvalidArgument. No more than 1 MiB or four times their number is ever read out of
/// `bytes`, however the parts of the message refer to each other.
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

}  // namespace nncert::hal

#endif  // NNCERT_HAL_SCHEMA_CONVERSION_H_
