// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/ops/packed_weights.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace nncert {

PackedIntegers::PackedIntegers(const OperandInfo& info, size_t units, size_t taps, size_t depth,
                               const uint8_t* elements, RowsAreDone done)
    : bytes(RoomForPacked(hot::BestKernels().integers.PackedSize(units, taps, depth))),
      sums(units) {
  const hot::IntegerProducts& kernels = hot::BestKernels().integers;
  const bool is_signed = info.type == OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL;
  const int32_t zero_point = is_signed ? 0 : info.zeroPoint;
  const auto pack = [&](size_t first, size_t last) {
    right_offset =
        kernels.pack(last - first, taps, depth, elements + first * taps * depth, is_signed,
                     zero_point, bytes.data() + kernels.PackedSize(first, taps, depth));
    for (size_t unit = first; unit < last; ++unit) {
      int64_t sum = 0;
      for (size_t i = unit * taps * depth; i < (unit + 1) * taps * depth; ++i) {
        sum += (is_signed ? static_cast<int8_t>(elements[i]) : elements[i]) - zero_point;
      }
      sums[unit] = static_cast<double>(sum);
    }
  };
  PackSomeAtATime(units, kernels.panel, taps * depth, pack, done);
}

OutputRequantization::OutputRequantization(const OperandInfo& input, const OperandInfo& weights,
                                           const OperandInfo& output,
                                           FusedActivationFunc activation, size_t units,
                                           size_t terms, const double* weight_sums,
                                           const int32_t* bias)
    : requantization_(OutputLimits(output, activation)) {
  const size_t room = units + hot::BestKernels().integers.panel;
  multipliers_.resize(room);
  float_multipliers_.resize(room);
  offsets_.resize(room);
  integer_offsets_.resize(room);
  bool do_sums_fit = true;
  for (size_t unit = 0; unit < units; ++unit) {
    const double weights_scale = weights.channelScales.empty()
                                     ? weights.scale
                                     : weights.channelScales[unit % weights.channelScales.size()];
    multipliers_[unit] = static_cast<double>(input.scale) * weights_scale / output.scale;
    float_multipliers_[unit] = static_cast<float>(multipliers_[unit]);
    // Integers of less than 53 bits, so exact.
    offsets_[unit] = bias[unit] - input.zeroPoint * weight_sums[unit];
    integer_offsets_[unit] = static_cast<int32_t>(static_cast<int64_t>(offsets_[unit]));
    const double greatest =
        255.0 * 255.0 * static_cast<double>(terms) + std::abs(static_cast<double>(bias[unit]));
    do_sums_fit = do_sums_fit && greatest <= std::numeric_limits<int32_t>::max() &&
                  multipliers_[unit] >= std::numeric_limits<float>::min() &&
                  multipliers_[unit] <= std::numeric_limits<float>::max();
  }
  if (!do_sums_fit) integer_offsets_.clear();
}

hot::Requantization OutputRequantization::Get() const {
  hot::Requantization requantization = requantization_;
  requantization.multipliers = multipliers_.data();
  requantization.offsets = offsets_.data();
  requantization.float_multipliers = float_multipliers_.data();
  if (!integer_offsets_.empty()) requantization.integer_offsets = integer_offsets_.data();
  return requantization;
}

hot::Requantization OutputLimits(const OperandInfo& output, FusedActivationFunc activation) {
  const ActivationLimits limits = LimitsOf(activation);
  const double zero_point = output.zeroPoint;
  const double scale = output.scale;
  hot::Requantization requantization;
  requantization.lowest = std::max(std::round(limits.lowest / scale), -zero_point);
  requantization.highest = std::min(std::round(limits.highest / scale), 255 - zero_point);
  requantization.zero_point = output.zeroPoint;
  return requantization;
}

ActivationLimits LimitsOf(FusedActivationFunc activation) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  switch (activation) {
    case FusedActivationFunc::NONE:
      break;
    case FusedActivationFunc::RELU:
      return {0, kInfinity};
    case FusedActivationFunc::RELU1:
      return {-1, 1};
    case FusedActivationFunc::RELU6:
      return {0, 6};
  }
  return {-kInfinity, kInfinity};
}

}  // namespace nncert
