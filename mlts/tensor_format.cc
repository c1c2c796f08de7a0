// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/tensor_format.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "cases/element_values.h"
#include "hal/float16.h"
#include "hal/to_string.h"
#include "hal/utils.h"

namespace nncert {
namespace {

using hal::V1_2::OperandType;

absl::StatusOr<std::vector<TensorFormat>> FormatsOf(const Network& network, const std::string& what,
                                                    const std::vector<uint32_t>& indexes,
                                                    const std::set<uint32_t>& left_out) {
  std::vector<TensorFormat> formats;
  for (uint32_t i = 0; i < indexes.size(); ++i) {
    if (left_out.contains(i)) continue;
    if (indexes[i] >= network.model.operands.size()) {
      return absl::InvalidArgumentError(
          absl::StrCat(network.name, ": ", what, " ", i, " is operand ", indexes[i],
                       " of a model that has ", network.model.operands.size(), " operands"));
    }
    const hal::V1_2::Operand& operand = network.model.operands[indexes[i]];
    if (hal::isExtensionOperandType(operand.type) || hal::isOemOperandType(operand.type) ||
        hal::nonExtensionElementSize(operand.type) == 0) {
      return absl::InvalidArgumentError(
          absl::StrCat(network.name, ": ", what, " ", i, " is of type ",
                       hal::V1_2::toString(operand.type), ", whose elements nncert cannot read"));
    }
    formats.push_back({operand.type, operand.dimensions, operand.scale, operand.zeroPoint});
  }
  return formats;
}

// The whole numbers of `Integer`, in which `value` is, or the outermost of them.
template <class Integer>
Integer Saturate(double value) {
  return static_cast<Integer>(std::clamp(std::round(value),
                                         static_cast<double>(std::numeric_limits<Integer>::min()),
                                         static_cast<double>(std::numeric_limits<Integer>::max())));
}

// The steps that each value is, as `Integer`.
template <class Integer>
absl::StatusOr<std::vector<uint8_t>> StepsOf(absl::Span<const float> values, double scale,
                                             int32_t zero_point) {
  std::vector<uint8_t> bytes(values.size() * sizeof(Integer));
  for (size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(values[i])) {
      return absl::InvalidArgumentError(
          absl::StrCat("element ", i, " is NaN, which an integer cannot be"));
    }
    const Integer steps =
        Saturate<Integer>(std::round(static_cast<double>(values[i]) / scale) + zero_point);
    std::memcpy(bytes.data() + i * sizeof(Integer), &steps, sizeof(Integer));
  }
  return bytes;
}

}  // namespace

absl::StatusOr<std::vector<TensorFormat>> InputFormatsOf(const Network& network) {
  std::set<uint32_t> states;
  for (const NetworkState& state : network.states) states.insert(state.input);
  return FormatsOf(network, "input", network.model.inputIndexes, states);
}

absl::StatusOr<std::vector<TensorFormat>> OutputFormatsOf(const Network& network) {
  std::set<uint32_t> left_out(network.unusedOutputs.begin(), network.unusedOutputs.end());
  for (const NetworkState& state : network.states) left_out.insert(state.output);
  return FormatsOf(network, "output", network.model.outputIndexes, left_out);
}

std::optional<uint32_t> ByteSizeOf(const TensorFormat& format) {
  if (hal::tensorHasUnspecifiedDimensions(format.type, format.dimensions)) return std::nullopt;
  const std::optional<uint64_t> size = hal::nonExtensionSizeOfData(format.type, format.dimensions);
  if (!size || *size > std::numeric_limits<uint32_t>::max()) return std::nullopt;
  return static_cast<uint32_t>(*size);
}

absl::StatusOr<std::vector<double>> StoredElements(const TensorFormat& format,
                                                   absl::Span<const uint8_t> bytes) {
  const uint32_t size = hal::nonExtensionElementSize(format.type);
  if (size == 0 || bytes.size() % size != 0) {
    return absl::InvalidArgumentError(absl::StrCat(bytes.size(),
                                                   " bytes are no whole number of elements of ",
                                                   hal::V1_2::toString(format.type)));
  }
  return DecodeElements(format.type, bytes);
}

double RealValue(const TensorFormat& format, double stored) {
  if (!hal::isQuantized(format.type)) return stored;
  return (stored - format.zeroPoint) * static_cast<double>(format.scale);
}

absl::StatusOr<std::vector<uint8_t>> BytesOf(const TensorFormat& format,
                                             absl::Span<const float> values) {
  if (format.type == OperandType::TENSOR_FLOAT32) {
    std::vector<uint8_t> bytes(values.size() * sizeof(float));
    if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
  }
  if (format.type == OperandType::TENSOR_FLOAT16) {
    std::vector<uint8_t> bytes(values.size() * sizeof(uint16_t));
    for (size_t i = 0; i < values.size(); ++i) {
      const uint16_t half = hal::FloatToFloat16(values[i]);
      std::memcpy(bytes.data() + i * sizeof(half), &half, sizeof(half));
    }
    return bytes;
  }
  if (format.type == OperandType::TENSOR_INT32) return StepsOf<int32_t>(values, 1, 0);
  const double scale = format.scale;
  const bool has_scale = scale > 0 && std::isfinite(scale);
  const absl::Status no_scale =
      has_scale ? absl::OkStatus()
                : absl::InvalidArgumentError(absl::StrCat(
                      "real numbers cannot be stored in steps of ", scale, ", which is no scale"));
  switch (format.type) {
    case OperandType::TENSOR_QUANT8_ASYMM:
      if (!has_scale) return no_scale;
      return StepsOf<uint8_t>(values, scale, format.zeroPoint);
    case OperandType::TENSOR_QUANT8_SYMM:
      if (!has_scale) return no_scale;
      return StepsOf<int8_t>(values, scale, 0);
    case OperandType::TENSOR_QUANT16_ASYMM:
      if (!has_scale) return no_scale;
      return StepsOf<uint16_t>(values, scale, format.zeroPoint);
    case OperandType::TENSOR_QUANT16_SYMM:
      if (!has_scale) return no_scale;
      return StepsOf<int16_t>(values, scale, 0);
    default:
      return absl::InvalidArgumentError(absl::StrCat(
          "real numbers cannot be stored in elements of ", hal::V1_2::toString(format.type)));
  }
}

}  // namespace nncert
