// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/fast/packed_weights.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace nncert {

PackedIntegers::PackedIntegers(const OperandInfo& info, size_t units, size_t taps, size_t depth,
                               const uint8_t* elements, RowsAreDone done, double* sums)
    : bytes(RoomForPacked(hot::BestKernels().integers.PackedSize(units, taps, depth))) {
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
  const size_t panel = hot::BestKernels().integers.panel;
  const size_t scales = std::max<size_t>(1, weights.channelScales.size());
  bool do_sums_fit = true;
  const auto multiplier_of = [&](size_t unit) {
    const double weights_scale =
        weights.channelScales.empty() ? weights.scale : weights.channelScales[unit % scales];
    return static_cast<double>(input.scale) * weights_scale / output.scale;
  };
  const auto add_multiplier = [&](double multiplier) {
    multipliers_.push_back(multiplier);
    float_multipliers_.push_back(static_cast<float>(multiplier));
    do_sums_fit = do_sums_fit && multiplier >= std::numeric_limits<float>::min() &&
                  multiplier <= std::numeric_limits<float>::max();
  };
  const bool is_one = scales == 1;
  const size_t room = is_one ? panel : units + panel;
  requantization_.multiplier_step = is_one ? 0 : 1;
  multipliers_.reserve(room);
  float_multipliers_.reserve(room);
  for (size_t unit = 0; unit < (is_one ? panel : units); ++unit) {
    add_multiplier(multiplier_of(unit));
  }
  multipliers_.resize(room);
  float_multipliers_.resize(room);

  // An integer of less than 53 bits, so exact.
  const auto offset_of = [&](size_t unit) {
    const double sum = weight_sums == nullptr ? 0 : weight_sums[unit];
    return bias[unit] - input.zeroPoint * sum;
  };
  const double greatest_sum = 255.0 * 255.0 * static_cast<double>(terms);
  for (size_t unit = 0; unit < units; ++unit) {
    const double greatest = greatest_sum + std::abs(static_cast<double>(bias[unit]));
    do_sums_fit = do_sums_fit && greatest <= std::numeric_limits<int32_t>::max();
  }
  if (do_sums_fit) {
    integer_offsets_.resize(units + panel);
    for (size_t unit = 0; unit < units; ++unit) {
      integer_offsets_[unit] = static_cast<int32_t>(static_cast<int64_t>(offset_of(unit)));
    }
  } else {
    offsets_.resize(units + panel);
    for (size_t unit = 0; unit < units; ++unit) offsets_[unit] = offset_of(unit);
  }
}

hot::Requantization OutputRequantization::Get() const {
  hot::Requantization requantization = requantization_;
  requantization.multipliers = multipliers_.data();
  requantization.float_multipliers = float_multipliers_.data();
  if (integer_offsets_.empty()) {
    requantization.offsets = offsets_.data();
  } else {
    requantization.integer_offsets = integer_offsets_.data();
  }
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
