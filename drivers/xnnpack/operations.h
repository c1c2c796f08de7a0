// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Which operations the driver runs, and how: one table, and a rule for each of its entries.

#ifndef NNCERT_DRIVERS_XNNPACK_OPERATIONS_H_
#define NNCERT_DRIVERS_XNNPACK_OPERATIONS_H_

#include <cstddef>
#include <functional>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "drivers/xnnpack/assembly.h"
#include "drivers/xnnpack/operation_view.h"

namespace nncert::xnnpack {

/// How an operation is run. Everything is known beforehand but the values of the tensors.
struct Recipe {
  /// The dimensions of each output.
  std::vector<Dimensions> outputs;
  /// Makes the steps. It does not refer to the model and may be called more than once.
  std::function<void(Assembly&)> make;
  /// The inputs that `make` packs into operators. If one of them is not a constant, the steps are
  /// made again for each execution.
  std::vector<size_t> packs = {};
};

/// Says how to run an operation, or, with Unimplemented, why the driver does not. Counts of inputs
/// and outputs, the type of the first input and the dimensions of all inputs have been looked at.
using Rule = absl::StatusOr<Recipe> (*)(OperationView&);

/// What the driver knows of an operation of the HAL.
struct OperationEntry {
  OperationType type;
  /// The types of the first input that are supported; other inputs and the outputs follow from it.
  std::vector<OperandType> types;
  /// How many inputs there are, at least and at most.
  size_t min_inputs;
  size_t max_inputs;
  /// XNNPACK's operators that it is made of.
  absl::string_view operators;
  /// What must hold besides the type, in words.
  absl::string_view restrictions;
  Rule rule;
};

/// Every operation that the driver has. The supported share is read off this table.
absl::Span<const OperationEntry> SupportedOperations();

/// The entry of an operation, or null.
const OperationEntry* FindOperation(OperationType type);

/// How to run an operation of a valid model, or why the driver does not (Unimplemented). All rules
/// that operations have in common are checked here, before the entry's own.
absl::StatusOr<Recipe> DecideOn(OperationView& operation);

/// The longest tensor that the driver takes, in elements. It keeps every count of bytes within 32
/// bits, and what a bad model can ask for within bounds.
inline constexpr size_t kMaxElements = size_t{1} << 28;

/// The largest number of pointers that XNNPACK may set up for one operator.
inline constexpr size_t kMaxPointers = size_t{1} << 25;

/// The largest number of channels that XNNPACK pools: it keeps a row of sums on the stack.
inline constexpr size_t kMaxChannels = size_t{1} << 16;

/// The rules, by families.
absl::StatusOr<Recipe> Convolution(OperationView& op);           // convolution.cc
absl::StatusOr<Recipe> TransposeConvolution(OperationView& op);  // convolution.cc
absl::StatusOr<Recipe> FullyConnected(OperationView& op);        // convolution.cc
absl::StatusOr<Recipe> Pooling(OperationView& op);               // pooling.cc
absl::StatusOr<Recipe> Mean(OperationView& op);                  // pooling.cc
absl::StatusOr<Recipe> ResizeBilinear(OperationView& op);        // pooling.cc
absl::StatusOr<Recipe> Unary(OperationView& op);                 // elementwise.cc
absl::StatusOr<Recipe> ReciprocalSquareRoot(OperationView& op);  // elementwise.cc
absl::StatusOr<Recipe> Rectifier(OperationView& op);             // elementwise.cc
absl::StatusOr<Recipe> Sigmoid(OperationView& op);               // elementwise.cc
absl::StatusOr<Recipe> Binary(OperationView& op);                // elementwise.cc
absl::StatusOr<Recipe> ParametricRectifier(OperationView& op);   // elementwise.cc
absl::StatusOr<Recipe> Softmax(OperationView& op);               // elementwise.cc
absl::StatusOr<Recipe> Quantize(OperationView& op);              // elementwise.cc
absl::StatusOr<Recipe> Dequantize(OperationView& op);            // elementwise.cc
absl::StatusOr<Recipe> Reshape(OperationView& op);               // movement.cc
absl::StatusOr<Recipe> Concatenation(OperationView& op);         // movement.cc
absl::StatusOr<Recipe> Split(OperationView& op);                 // movement.cc
absl::StatusOr<Recipe> Pad(OperationView& op);                   // movement.cc
absl::StatusOr<Recipe> ChannelShuffle(OperationView& op);        // movement.cc
absl::StatusOr<Recipe> DepthToSpace(OperationView& op);          // movement.cc

}  // namespace nncert::xnnpack

#endif  // NNCERT_DRIVERS_XNNPACK_OPERATIONS_H_
