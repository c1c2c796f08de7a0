// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// One operation of a model, as the rules of drivers/xnnpack/operations.h look at it.

#ifndef NNCERT_DRIVERS_XNNPACK_OPERATION_VIEW_H_
#define NNCERT_DRIVERS_XNNPACK_OPERATION_VIEW_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "hal/v1_2/types.h"

namespace nncert::xnnpack {

using hal::V1_2::OperandType;
using hal::V1_2::OperationType;

/// The dimensions of a tensor; empty when they are not known, and for scalars.
using Dimensions = std::vector<uint32_t>;

/// The product of all dimensions; those of a tensor that the driver holds multiply to less than
/// 2^30.
size_t CountElements(const Dimensions& dimensions);

/// The product of the dimensions from `begin` up to `end`; 1 when there are none.
size_t CountElements(const Dimensions& dimensions, size_t begin, size_t end);

/// One operation of a valid model, with the shapes of its inputs.
///
/// What reads a constant remembers the first thing that is wrong and returns zero from then on, so
/// that a rule can read all that it needs and ask status() once. Inputs and outputs are numbered as
/// in the HAL's documentation; a number that the operation does not have ends the program, but for
/// the functions that read constants.
class OperationView {
 public:
  /// Keeps references to the model and to `shapes`, the dimensions of every operand as far as they
  /// are known by now.
  OperationView(const hal::V1_2::Model& model, size_t operation,
                const std::vector<Dimensions>& shapes);

  OperationType type() const { return operation_.type; }
  size_t inputCount() const { return operation_.inputs.size(); }
  size_t outputCount() const { return operation_.outputs.size(); }

  const hal::V1_2::Operand& input(size_t number) const;
  const hal::V1_2::Operand& output(size_t number = 0) const;

  /// The index of an input or an output in the model.
  uint32_t inputIndex(size_t number) const { return operation_.inputs.at(number); }
  uint32_t outputIndex(size_t number = 0) const { return operation_.outputs.at(number); }

  /// The dimensions of an input.
  const Dimensions& shape(size_t number) const { return shapes_.at(inputIndex(number)); }

  /// Whether an input is a constant.
  bool isConstant(size_t number) const;

  /// The value of a constant INT32, FLOAT32 or BOOL scalar.
  int32_t integer(size_t number);
  float real(size_t number);
  bool flag(size_t number);

  /// The elements of a constant TENSOR_INT32.
  std::vector<int32_t> integers(size_t number);

  /// What was wrong with a constant that was read.
  const absl::Status& status() const { return status_; }

 private:
  template <class T>
  std::vector<T> Read(size_t number, OperandType type, absl::string_view what);
  template <class T>
  T ReadOne(size_t number, OperandType type, absl::string_view what);

  const hal::V1_2::Model& model_;
  const hal::V1_2::Operation& operation_;
  const std::vector<Dimensions>& shapes_;
  absl::Status status_;
};

}  // namespace nncert::xnnpack

#endif  // NNCERT_DRIVERS_XNNPACK_OPERATION_VIEW_H_
