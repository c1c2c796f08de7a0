// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The rules that every model and request must keep, whatever its operations do: indexes, lifetimes,
// locations, pools, dimensions and quantization parameters. What single operations demand is
// checked by reference/, which knows them.
//
// Everything is checked that the HAL's documentation demands, including what Android 10's own
// validation lets pass: consumer counts, execution order, cycles, extension prefixes, overlapping
// outputs. A failed check is an InvalidArgument status that names the operand, operation or
// argument and says what was expected. No model, however corrupt, makes these functions crash.

#ifndef NNCERT_HAL_VALIDATE_H_
#define NNCERT_HAL_VALIDATE_H_

#include "absl/status/status.h"
#include "hal/memory.h"
#include "hal/v1_0/types.h"
#include "hal/v1_1/types.h"
#include "hal/v1_2/types.h"
#include "hal/version.h"

namespace nncert::hal {

/// Checks a model by the rules of a version (a 1.0 or 1.1 model as the 1.2 model it converts to):
///
/// - there are operands, operations, inputs and outputs, and types are the version's own (or those
///   of an extension that the model names a prefix for);
/// - scalars have no dimensions; tensors may in 1.2 have an unknown rank, unless they are
///   constants;
/// - scale, zeroPoint and extraParams are those that the type wants;
/// - locations are within operandValues or the pool, of the exact length of the value, and zero for
///   what is not constant. A dimension of 0 makes a constant an empty tensor;
/// - every pool is of a kind that the version knows;
/// - operations read and write operands that exist, write nothing but temporaries and outputs, and
///   write each of them exactly once, before it is read;
/// - numberOfConsumers is the number of times that operations read the operand;
/// - inputIndexes and outputIndexes list the operands of those lifetimes, each once.
absl::Status validateModelStructure(const V1_2::Model& model, HalVersion version);
absl::Status validateModelStructure(const V1_0::Model& model);
absl::Status validateModelStructure(const V1_1::Model& model);
absl::Status validateModelStructure(const V1_2::Model& model);

/// Checks a request against a valid model by the rules of a version:
///
/// - there is an argument for every input and output, which is either omitted and empty, or located
///   within a pool;
/// - dimensions that an argument gives have the model's rank and known dimensions; they must leave
///   nothing open, except for outputs in 1.2. A model's unknown rank leaves the rank to the
///   argument;
/// - without them, the model's dimensions must leave nothing open, except for outputs in 1.2;
/// - an input's buffer holds its dimensions, and no output overlaps another argument;
/// - every pool is of a kind that the version knows.
///
/// An output buffer that is too small is not an invalid argument but OUTPUT_INSUFFICIENT_SIZE,
/// found when its shape is.
absl::Status validateRequest(const V1_0::Request& request, const V1_2::Model& model,
                             HalVersion version);
absl::Status validateRequest(const V1_0::Request& request, const V1_0::Model& model);
absl::Status validateRequest(const V1_0::Request& request, const V1_1::Model& model);

/// Checks that a pool has a descriptor and is of a kind that a version knows: ashmem and mmap_fd,
/// since 1.2 hardware_buffer and hardware_buffer_blob as well.
absl::Status validatePool(const Memory& pool, HalVersion version);

/// Checks that a preference has an enumerator.
absl::Status validateExecutionPreference(V1_1::ExecutionPreference preference);

}  // namespace nncert::hal

#endif  // NNCERT_HAL_VALIDATE_H_
