// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "drivers/xnnpack/operation_view.h"

#include <algorithm>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "hal/execution.h"
#include "hal/utils.h"

namespace nncert::xnnpack {

size_t CountElements(const Dimensions& dimensions, size_t begin, size_t end) {
  size_t count = 1;
  for (size_t i = begin; i < end; ++i) count *= dimensions.at(i);
  return count;
}

size_t CountElements(const Dimensions& dimensions) {
  return CountElements(dimensions, 0, dimensions.size());
}

OperationView::OperationView(const hal::V1_2::Model& model, size_t operation,
                             const std::vector<Dimensions>& shapes)
    : model_(model), operation_(model.operations.at(operation)), shapes_(shapes) {}

const hal::V1_2::Operand& OperationView::input(size_t number) const {
  return model_.operands.at(inputIndex(number));
}

const hal::V1_2::Operand& OperationView::output(size_t number) const {
  return model_.operands.at(outputIndex(number));
}

bool OperationView::isConstant(size_t number) const {
  return hal::isConstant(input(number).lifetime);
}

template <class T>
std::vector<T> OperationView::Read(size_t number, OperandType type, absl::string_view what) {
  if (!status_.ok()) return {};
  if (number >= inputCount()) {
    status_ = absl::UnimplementedError(absl::StrCat("there is no input ", number));
    return {};
  }
  if (input(number).type != type) {
    status_ = absl::UnimplementedError(absl::StrCat("input ", number, " is not ", what));
    return {};
  }
  absl::StatusOr<std::vector<T>> values = hal::readConstant<T>(model_, inputIndex(number));
  if (!values.ok()) {
    status_ = absl::UnimplementedError(
        absl::StrCat("input ", number, " is not a constant: ", values.status().message()));
    return {};
  }
  return *std::move(values);
}

template <class T>
T OperationView::ReadOne(size_t number, OperandType type, absl::string_view what) {
  const std::vector<T> values = Read<T>(number, type, what);
  if (values.size() == 1) return values[0];
  if (status_.ok()) {
    status_ = absl::UnimplementedError(absl::StrCat("input ", number, " has not one value"));
  }
  return {};
}

int32_t OperationView::integer(size_t number) {
  return ReadOne<int32_t>(number, OperandType::INT32, "an INT32");
}

float OperationView::real(size_t number) {
  return ReadOne<float>(number, OperandType::FLOAT32, "a FLOAT32");
}

bool OperationView::flag(size_t number) {
  return ReadOne<uint8_t>(number, OperandType::BOOL, "a BOOL") != 0;
}

std::vector<int32_t> OperationView::integers(size_t number) {
  return Read<int32_t>(number, OperandType::TENSOR_INT32, "a TENSOR_INT32");
}

}  // namespace nncert::xnnpack
