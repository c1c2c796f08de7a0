// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/calls/windows.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace nncert {
namespace {

constexpr int32_t kSame = 1;

// Elements of the largest image that PadImage makes.
constexpr uint64_t kLargestPaddedImage = uint64_t{1} << 24;

// What SAME adds to an axis: before it and behind it.
std::pair<int32_t, int32_t> SamePadding(int64_t input, int64_t stride, int64_t extent) {
  const int64_t output = (input + stride - 1) / stride;
  const int64_t needed = std::clamp<int64_t>((output - 1) * stride + extent - input, 0,
                                             std::numeric_limits<int32_t>::max());
  return {static_cast<int32_t>(needed / 2), static_cast<int32_t>(needed - needed / 2)};
}

ValuedOperand Int32Scalar(int32_t value) {
  ValuedOperand scalar;
  scalar.operand.type = OperandType::INT32;
  scalar.bytes.resize(sizeof(value));
  SetIntegers(scalar, {value});
  return scalar;
}

}  // namespace

ImageAxes AxesOf(const OperationCall& call) {
  if (call.Integer("layout").value_or(0) != 0) return {2, 3, 1};
  return {1, 2, 3};
}

std::optional<int64_t> WindowExtentOf(const OperationCall& call, bool is_width) {
  if (const std::optional<int32_t> size = call.Integer(is_width ? "filterWidth" : "filterHeight")) {
    return size;
  }
  const ValuedOperand* const filter = call.Find("filter");
  if (filter == nullptr || filter->operand.dimensions.size() != 4) return std::nullopt;
  const int64_t dilation = call.Integer(is_width ? "dilationWidth" : "dilationHeight").value_or(1);
  return (int64_t{filter->operand.dimensions[is_width ? 2 : 1]} - 1) * dilation + 1;
}

std::optional<Paddings> PaddingsOf(const OperationCall& call) {
  if (call.definition->type == OperationType::TRANSPOSE_CONV_2D) return std::nullopt;
  if (const std::optional<int32_t> left = call.Integer("paddingLeft")) {
    return Paddings{*left, call.Integer("paddingRight").value_or(0),
                    call.Integer("paddingTop").value_or(0),
                    call.Integer("paddingBottom").value_or(0)};
  }
  const std::optional<int32_t> scheme = call.Integer("paddingScheme");
  const std::optional<int64_t> width = WindowExtentOf(call, true);
  const std::optional<int64_t> height = WindowExtentOf(call, false);
  if (!scheme.has_value() || !width.has_value() || !height.has_value()) return std::nullopt;
  Paddings paddings;
  if (*scheme != kSame) return paddings;
  const std::vector<uint32_t>& dimensions = call.FirstTensor().operand.dimensions;
  if (dimensions.size() != 4) return std::nullopt;
  const ImageAxes axes = AxesOf(call);
  std::tie(paddings.left, paddings.right) = SamePadding(
      dimensions[axes.width], std::max(call.Integer("strideWidth").value_or(1), 1), *width);
  std::tie(paddings.top, paddings.bottom) = SamePadding(
      dimensions[axes.height], std::max(call.Integer("strideHeight").value_or(1), 1), *height);
  return paddings;
}

void SetPaddings(OperationCall& call, const Paddings& paddings) {
  if (call.Integer("paddingLeft").has_value()) {
    call.SetInteger("paddingLeft", paddings.left);
    call.SetInteger("paddingRight", paddings.right);
    call.SetInteger("paddingTop", paddings.top);
    call.SetInteger("paddingBottom", paddings.bottom);
    return;
  }
  // The explicit form has four scalars where the implicit one has the scheme.
  const ValuedOperand* const scheme = call.Find("paddingScheme");
  const auto position = call.inputs.erase(call.inputs.begin() + (scheme - call.inputs.data()));
  call.inputs.insert(position, {Int32Scalar(paddings.left), Int32Scalar(paddings.right),
                                Int32Scalar(paddings.top), Int32Scalar(paddings.bottom)});
  BindSlots(call).IgnoreError();
}

bool PadImage(OperationCall& call, const Paddings& paddings, double value) {
  const ImageAxes axes = AxesOf(call);
  ValuedOperand& image = call.FirstTensor();
  const std::vector<uint32_t> from = image.operand.dimensions;
  std::vector<uint32_t>& to = image.operand.dimensions;
  const std::vector<double> source = RealsOf(image);
  if (source.empty()) return false;
  to[axes.height] += static_cast<uint32_t>(paddings.top) + static_cast<uint32_t>(paddings.bottom);
  to[axes.width] += static_cast<uint32_t>(paddings.left) + static_cast<uint32_t>(paddings.right);
  if (NumberOfElements(to) > kLargestPaddedImage) return false;
  std::vector<double> padded(NumberOfElements(to), value);
  std::vector<uint32_t> index(4, 0);
  for (const double element : source) {
    size_t offset = 0;
    for (size_t k = 0; k < 4; ++k) {
      const int32_t before = k == axes.height ? paddings.top : k == axes.width ? paddings.left : 0;
      offset = offset * to[k] + index[k] + static_cast<uint32_t>(before);
    }
    padded[offset] = element;
    for (size_t k = 4; k-- > 0;) {
      if (++index[k] < from[k]) break;
      index[k] = 0;
    }
  }
  image.bytes.resize(image.bytes.size() / source.size() * padded.size());
  SetReals(image, padded);
  return true;
}

}  // namespace nncert
