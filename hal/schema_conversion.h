// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Models and requests to and from their Cap'n Proto form (hal/schema).
//
// This is the one place where Cap'n Proto's exceptions end: whatever a message holds, these
// functions give a value or a status. What is read is not a valid model, though; see
// hal/validate.h.

#ifndef NNCERT_HAL_SCHEMA_CONVERSION_H_
#define NNCERT_HAL_SCHEMA_CONVERSION_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "hal/schema/model.capnp.h"
#include "hal/v1_2/types.h"

namespace nncert::hal {

/// Writes a value into a message. Pools are written by value. Fails when a pool cannot be mapped, a
/// lifetime is not in [0, 65535], or a blob is larger than Cap'n Proto allows (512 MiB).
absl::Status ToSchema(const V1_2::Model& model, schema::Model::Builder builder);
absl::Status ToSchema(const V1_2::Request& request, schema::Request::Builder builder);

/// The same of a model without its pools.
absl::Status ToSchemaWithoutPools(const V1_2::Model& model, schema::Model::Builder builder);

/// Reads a value out of a message. Each pool becomes new shared memory with the same content. Types
/// and lifetimes keep numbers without an enumerator. Fails with InvalidArgument when the message is
/// corrupt, or holds alternatives of a later schema, and when memory or descriptors have run out.
absl::StatusOr<V1_2::Model> FromSchema(schema::Model::Reader reader);
absl::StatusOr<V1_2::Request> FromSchema(schema::Request::Reader reader);

}  // namespace nncert::hal

#endif  // NNCERT_HAL_SCHEMA_CONVERSION_H_
