// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/tflite/tensor_values.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "hal/float16.h"
#include "reference/tensor.h"

namespace nncert {
namespace {

using tflite::TensorType;

// What is added to elements and zero points of INT8.
constexpr int32_t kShift = 128;

template <class... Parts>
absl::Status Invalid(const Parts&... parts) {
  return absl::InvalidArgumentError(absl::StrCat(parts...));
}

// Bytes of an element; 0 of types that nothing is made of.
size_t ElementSizeOf(TensorType type) {
  switch (type) {
    case TensorType::UINT8:
    case TensorType::INT8:
    case TensorType::BOOL:
      return 1;
    case TensorType::FLOAT16:
    case TensorType::INT16:
      return 2;
    case TensorType::FLOAT32:
    case TensorType::INT32:
      return 4;
    case TensorType::INT64:
      return 8;
    default:
      return 0;
  }
}

// Checks that the bytes of a constant are its elements, and gives their number.
absl::StatusOr<size_t> CountElements(const TfliteTensor& tensor) {
  if (tensor.is_outside) return Invalid("its value lies behind the FlatBuffer, which is not read");
  if (tensor.is_sparse) return Invalid("it is a sparse tensor; the HAL has none");
  if (!tensor.is_constant) return Invalid("it has no value in the file");
  const size_t size = ElementSizeOf(tensor.type);
  if (size == 0) return Invalid("it is of ", NameOf(tensor.type), ", which the HAL has not");
  const absl::StatusOr<std::vector<uint32_t>> dimensions = DimensionsOf(tensor);
  if (!dimensions.ok()) return dimensions.status();
  const uint64_t count = NumberOfElements(*dimensions);
  if (count * size != tensor.data.size()) {
    return Invalid("it has ", tensor.data.size(), " bytes; expected ", count * size,
                   " for dimensions ", ShapeToString(*dimensions), " of ", NameOf(tensor.type));
  }
  return static_cast<size_t>(count);
}

template <class Element>
Element ElementAt(const TfliteTensor& tensor, size_t index) {
  Element element;
  std::memcpy(&element, tensor.data.data() + index * sizeof(Element), sizeof(Element));
  return element;
}

absl::Status CheckScales(const TfliteQuantization& quantization) {
  if (quantization.is_custom) return Invalid("its quantization is a custom one");
  for (const float scale : quantization.scales) {
    // Written so that a NaN is refused.
    if (!(scale > 0) || !std::isfinite(scale)) {
      return Invalid("a scale of it is ", scale, "; expected a number above 0");
    }
  }
  return absl::OkStatus();
}

bool HasManyScales(const TfliteTensor& tensor) { return tensor.quantization.scales.size() > 1; }

// The scale and zero point of an 8-bit tensor that has one of each.
absl::Status SetQuantization(const TfliteTensor& tensor, OperandSpec& spec) {
  const TfliteQuantization& quantization = tensor.quantization;
  const bool is_signed = tensor.type == TensorType::INT8;
  if (quantization.scales.empty()) {
    if (is_signed) return Invalid("it is of INT8 without a scale, which the HAL has not");
    // Plain integers.
    spec.scale = 1;
    return absl::OkStatus();
  }
  const int64_t lowest = is_signed ? -kShift : 0;
  const int64_t zero_point = quantization.zero_points[0];
  if (zero_point < lowest || zero_point > lowest + 255) {
    return Invalid("its zero point is ", zero_point, "; expected ", lowest, " to ", lowest + 255);
  }
  spec.scale = quantization.scales[0];
  spec.zeroPoint = static_cast<int32_t>(zero_point - lowest);
  return absl::OkStatus();
}

// The scales of a tensor that has one for each index of a dimension.
absl::Status SetScalesOfChannels(const TfliteTensor& tensor, OperandSpec& spec) {
  const TfliteQuantization& quantization = tensor.quantization;
  const int32_t dimension = quantization.dimension;
  if (tensor.type != TensorType::INT8) {
    return Invalid("it is of ", NameOf(tensor.type), " with ", quantization.scales.size(),
                   " scales; the HAL has such tensors of INT8 only");
  }
  if (dimension < 0 || static_cast<size_t>(dimension) >= spec.dimensions.size() ||
      spec.dimensions[dimension] != quantization.scales.size()) {
    return Invalid("it has ", quantization.scales.size(), " scales along dimension ", dimension,
                   " of ", ShapeToString(spec.dimensions));
  }
  for (const int64_t zero_point : quantization.zero_points) {
    if (zero_point != 0) {
      return Invalid("it has ", quantization.scales.size(), " scales and the zero point ",
                     zero_point, "; the HAL has such tensors with zero point 0 only");
    }
  }
  spec.type = OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL;
  spec.extraParams =
      hal::V1_2::SymmPerChannelQuantParams{quantization.scales, static_cast<uint32_t>(dimension)};
  return absl::OkStatus();
}

std::optional<int32_t> AsInt32(int64_t value) {
  if (value < std::numeric_limits<int32_t>::min() || value > std::numeric_limits<int32_t>::max()) {
    return std::nullopt;
  }
  return static_cast<int32_t>(value);
}

// The position of a scale for element `index` of a tensor with scales for a dimension.
size_t ChannelOf(size_t index, const std::vector<uint32_t>& dimensions, size_t dimension) {
  size_t inner = 1;
  for (size_t i = dimension + 1; i < dimensions.size(); ++i) inner *= dimensions[i];
  return index / inner % dimensions[dimension];
}

}  // namespace

std::string NameOf(TensorType type) {
  const char* const name = tflite::EnumNameTensorType(type);
  return *name == '\0' ? absl::StrCat("type ", static_cast<int>(type)) : name;
}

absl::StatusOr<std::vector<uint32_t>> DimensionsOf(const TfliteTensor& tensor) {
  std::vector<uint32_t> dimensions;
  for (const int32_t dimension : tensor.dimensions) {
    if (dimension <= 0) {
      return Invalid("its dimensions are [", absl::StrJoin(tensor.dimensions, ", "),
                     "]; expected numbers above 0");
    }
    dimensions.push_back(static_cast<uint32_t>(dimension));
  }
  if (NumberOfElements(dimensions) > kLargestTensorElements) {
    return Invalid("its dimensions are [", absl::StrJoin(tensor.dimensions, ", "),
                   "]; expected at most ", kLargestTensorElements, " elements");
  }
  if (dimensions.empty() && (tensor.has_rank || tensor.is_constant)) dimensions.push_back(1);
  return dimensions;
}

absl::StatusOr<OperandSpec> SpecOf(const TfliteTensor& tensor) {
  OperandSpec spec;
  if (tensor.is_sparse) return Invalid("it is a sparse tensor; the HAL has none");
  absl::StatusOr<std::vector<uint32_t>> dimensions = DimensionsOf(tensor);
  if (!dimensions.ok()) return dimensions.status();
  spec.dimensions = *std::move(dimensions);
  if (absl::Status status = CheckScales(tensor.quantization); !status.ok()) return status;
  switch (tensor.type) {
    case TensorType::FLOAT32:
      spec.type = OperandType::TENSOR_FLOAT32;
      return spec;
    case TensorType::FLOAT16:
      spec.type = OperandType::TENSOR_FLOAT16;
      return spec;
    case TensorType::INT32:
      spec.type = OperandType::TENSOR_INT32;
      return spec;
    case TensorType::BOOL:
      spec.type = OperandType::TENSOR_BOOL8;
      return spec;
    case TensorType::INT64:
      spec.type = OperandType::TENSOR_INT32;
      if (tensor.is_constant) return spec;
      return Invalid("it is of INT64, which the HAL has not");
    case TensorType::UINT8:
    case TensorType::INT8: {
      spec.type = OperandType::TENSOR_QUANT8_ASYMM;
      absl::Status status =
          HasManyScales(tensor) ? SetScalesOfChannels(tensor, spec) : SetQuantization(tensor, spec);
      if (!status.ok()) return status;
      return spec;
    }
    case TensorType::INT16:
      spec.type = OperandType::TENSOR_QUANT16_SYMM;
      if (tensor.quantization.scales.size() != 1 || tensor.quantization.zero_points[0] != 0) {
        return Invalid("it is of INT16; the HAL has such tensors with one scale and zero point 0");
      }
      spec.scale = tensor.quantization.scales[0];
      return spec;
    default:
      return Invalid("it is of ", NameOf(tensor.type), ", which the HAL has not");
  }
}

absl::StatusOr<std::vector<uint8_t>> ElementsOf(const TfliteTensor& tensor) {
  const absl::StatusOr<OperandSpec> spec = SpecOf(tensor);
  if (!spec.ok()) return spec.status();
  const absl::StatusOr<size_t> count = CountElements(tensor);
  if (!count.ok()) return count.status();
  if (tensor.type == TensorType::INT64) {
    const absl::StatusOr<std::vector<int32_t>> integers = IntegersOf(tensor);
    if (!integers.ok()) return integers.status();
    std::vector<uint8_t> bytes(integers->size() * sizeof(int32_t));
    std::memcpy(bytes.data(), integers->data(), bytes.size());
    return bytes;
  }
  std::vector<uint8_t> bytes(tensor.data.begin(), tensor.data.end());
  if (tensor.type == TensorType::INT8 && spec->type == OperandType::TENSOR_QUANT8_ASYMM) {
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(byte + kShift);
  }
  if (tensor.type == TensorType::BOOL) {
    for (uint8_t& byte : bytes) byte = byte != 0 ? 1 : 0;
  }
  return bytes;
}

absl::StatusOr<std::vector<float>> RealNumbersOf(const TfliteTensor& tensor) {
  const absl::StatusOr<OperandSpec> spec = SpecOf(tensor);
  if (!spec.ok()) return spec.status();
  const absl::StatusOr<size_t> count = CountElements(tensor);
  if (!count.ok()) return count.status();
  const TfliteQuantization& quantization = tensor.quantization;
  std::vector<float> numbers(*count);
  for (size_t i = 0; i < *count; ++i) {
    switch (tensor.type) {
      case TensorType::FLOAT32:
        numbers[i] = ElementAt<float>(tensor, i);
        break;
      case TensorType::FLOAT16:
        numbers[i] = hal::Float16ToFloat(ElementAt<uint16_t>(tensor, i));
        break;
      case TensorType::UINT8:
      case TensorType::INT8: {
        if (quantization.scales.empty()) return Invalid("it has no scale");
        const size_t channel =
            HasManyScales(tensor)
                ? ChannelOf(i, spec->dimensions, static_cast<size_t>(quantization.dimension))
                : 0;
        const int64_t element = tensor.type == TensorType::INT8
                                    ? int64_t{ElementAt<int8_t>(tensor, i)}
                                    : int64_t{ElementAt<uint8_t>(tensor, i)};
        numbers[i] = static_cast<float>(element - quantization.zero_points[channel]) *
                     quantization.scales[channel];
        break;
      }
      default:
        return Invalid("it is of ", NameOf(tensor.type), "; expected real numbers");
    }
  }
  return numbers;
}

absl::StatusOr<std::vector<int32_t>> IntegersOf(const TfliteTensor& tensor) {
  const absl::StatusOr<size_t> count = CountElements(tensor);
  if (!count.ok()) return count.status();
  if (tensor.type != TensorType::INT32 && tensor.type != TensorType::INT64) {
    return Invalid("it is of ", NameOf(tensor.type), "; expected INT32");
  }
  std::vector<int32_t> integers(*count);
  for (size_t i = 0; i < *count; ++i) {
    const int64_t value = tensor.type == TensorType::INT64 ? ElementAt<int64_t>(tensor, i)
                                                           : int64_t{ElementAt<int32_t>(tensor, i)};
    const std::optional<int32_t> narrow = AsInt32(value);
    if (!narrow.has_value()) return Invalid("its element ", i, " is ", value, "; expected 32 bits");
    integers[i] = *narrow;
  }
  return integers;
}

}  // namespace nncert
