// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "drivers/faulty/rules/accumulation.h"

#include <algorithm>
#include <optional>
#include <variant>

#include "reference/calls/windows.h"

namespace nncert::faulty {
namespace {

std::vector<double> AddUpFullyConnected(const OperationCall& call, RoundSum round) {
  const std::vector<double> input = RealsOf(call.FirstTensor());
  const std::vector<double> weights = RealsOf(*call.Find("weights"));
  const std::vector<double> bias = RealsOf(*call.Find("bias"));
  const size_t size = call.Find("weights")->operand.dimensions[1];
  std::vector<double> sums;
  for (size_t row = 0; row + size <= input.size() && size > 0; row += size) {
    for (size_t unit = 0; unit < bias.size(); ++unit) {
      double sum = 0;
      for (size_t i = 0; i < size; ++i) {
        sum = round(sum + input[row + i] * weights[unit * size + i]);
      }
      sums.push_back(round(sum + bias[unit]));
    }
  }
  return sums;
}

std::vector<double> AddUpConvolution(const OperationCall& call, RoundSum round) {
  const ValuedOperand& image = call.FirstTensor();
  const ValuedOperand& filter = *call.Find("filter");
  const ImageAxes axes = AxesOf(call);
  const Paddings paddings = PaddingsOf(call).value_or(Paddings{});
  const std::vector<uint32_t>& image_size = image.operand.dimensions;
  const std::vector<uint32_t>& filter_size = filter.operand.dimensions;
  const std::vector<uint32_t>& size = call.outputs[0].operand.dimensions;
  const std::vector<double> elements = RealsOf(image);
  const std::vector<double> weights = RealsOf(filter);
  const std::vector<double> bias = RealsOf(*call.Find("bias"));
  const int64_t stride_x = call.Integer("strideWidth").value_or(1);
  const int64_t stride_y = call.Integer("strideHeight").value_or(1);
  const int64_t dilation_x = call.Integer("dilationWidth").value_or(1);
  const int64_t dilation_y = call.Integer("dilationHeight").value_or(1);
  const auto pixel_of = [&](uint32_t batch, int64_t y, int64_t x, uint32_t channel) {
    std::vector<size_t> index(4, batch);
    index[axes.height] = static_cast<size_t>(y);
    index[axes.width] = static_cast<size_t>(x);
    index[axes.channels] = channel;
    size_t offset = 0;
    for (size_t k = 0; k < 4; ++k) offset = offset * image_size[k] + index[k];
    return elements[offset];
  };
  std::vector<double> sums;
  std::vector<uint32_t> index(4, 0);
  for (uint64_t i = 0; i < NumberOfElements(size); ++i) {
    const uint32_t channel = index[axes.channels];
    double sum = 0;
    for (uint32_t fy = 0; fy < filter_size[1]; ++fy) {
      const int64_t y = index[axes.height] * stride_y - paddings.top + fy * dilation_y;
      if (y < 0 || y >= image_size[axes.height]) continue;
      for (uint32_t fx = 0; fx < filter_size[2]; ++fx) {
        const int64_t x = index[axes.width] * stride_x - paddings.left + fx * dilation_x;
        if (x < 0 || x >= image_size[axes.width]) continue;
        for (uint32_t c = 0; c < filter_size[3]; ++c) {
          const size_t weight =
              ((size_t{channel} * filter_size[1] + fy) * filter_size[2] + fx) * filter_size[3] + c;
          sum = round(sum + pixel_of(index[0], y, x, c) * weights[weight]);
        }
      }
    }
    sums.push_back(round(sum + bias[channel]));
    for (size_t k = 4; k-- > 0;) {
      if (++index[k] < size[k]) break;
      index[k] = 0;
    }
  }
  return sums;
}

std::vector<double> AddUpReduction(const OperationCall& call, RoundSum round) {
  const ValuedOperand& input = call.FirstTensor();
  const std::vector<uint32_t>& size = input.operand.dimensions;
  const int rank = static_cast<int>(size.size());
  std::vector<bool> is_reduced(size.size(), false);
  for (const int64_t axis : IntegersOf(*call.Find("axes"))) {
    is_reduced[static_cast<size_t>(CanonicalAxis(static_cast<int>(axis), rank))] = true;
  }
  std::vector<double> sums(NumberOfElements(call.outputs[0].operand.dimensions), 0);
  std::vector<uint32_t> index(size.size(), 0);
  const std::vector<double> elements = RealsOf(input);
  for (const double element : elements) {
    size_t offset = 0;
    for (size_t k = 0; k < index.size(); ++k) {
      if (!is_reduced[k]) offset = offset * size[k] + index[k];
    }
    sums[offset] = round(sums[offset] + element);
    for (size_t k = index.size(); k-- > 0;) {
      if (++index[k] < size[k]) break;
      index[k] = 0;
    }
  }
  if (call.definition->type == OperationType::MEAN && !elements.empty()) {
    const double count = static_cast<double>(elements.size()) /
                         static_cast<double>(std::max<size_t>(sums.size(), 1));
    for (double& sum : sums) sum = round(sum / count);
  }
  return sums;
}

// The scale of each element of an INT32 bias, which is that of the input times that of the filter.
std::optional<std::vector<double>> RealBias(const OperationCall& call, const ValuedOperand& bias) {
  const ValuedOperand* const filter =
      call.Find("filter") != nullptr ? call.Find("filter") : call.Find("weights");
  if (filter == nullptr) return std::nullopt;
  const auto* const channels =
      std::get_if<hal::V1_2::SymmPerChannelQuantParams>(&filter->operand.extraParams);
  std::vector<double> reals = RealsOf(bias);
  for (size_t i = 0; i < reals.size(); ++i) {
    const float scale = channels != nullptr && i < channels->scales.size() ? channels->scales[i]
                                                                           : filter->operand.scale;
    reals[i] *= static_cast<double>(call.FirstTensor().operand.scale) * scale;
  }
  return reals;
}

void MakeFloat(ValuedOperand& value, const std::vector<double>& reals) {
  value.operand.type = OperandType::TENSOR_FLOAT32;
  value.operand.scale = 0;
  value.operand.zeroPoint = 0;
  value.operand.extraParams = {};
  value.bytes.assign(reals.size() * sizeof(float), 0);
  SetReals(value, reals);
}

}  // namespace

bool HasSums(const OperationCall& call) {
  switch (call.definition->type) {
    case OperationType::CONV_2D:
    case OperationType::FULLY_CONNECTED:
    case OperationType::MEAN:
    case OperationType::REDUCE_SUM:
      return true;
    default:
      return false;
  }
}

std::vector<double> AddUp(const OperationCall& call, RoundSum round) {
  switch (call.definition->type) {
    case OperationType::CONV_2D:
      return AddUpConvolution(call, round);
    case OperationType::FULLY_CONNECTED:
      return AddUpFullyConnected(call, round);
    default:
      return AddUpReduction(call, round);
  }
}

double Activate(double value, int32_t activation) {
  switch (activation) {
    case 1:
      return std::max(value, 0.0);
    case 2:
      return std::clamp(value, -1.0, 1.0);
    case 3:
      return std::clamp(value, 0.0, 6.0);
    default:
      return value;
  }
}

std::vector<std::vector<double>> ComputeOnReals(const OperationCall& call, int32_t activation) {
  const auto is_quantized = [](const ValuedOperand& value) {
    return value.is_tensor() && IsQuantized(value.operand.type);
  };
  if (!std::all_of(call.outputs.begin(), call.outputs.end(), is_quantized)) return {};
  // CAST gives integers, whatever the scale is.
  if (call.definition->type == OperationType::CAST) return {};
  if (call.definition->type == OperationType::QUANTIZE) return {RealsOf(call.FirstTensor())};
  OperationCall on_reals = call;
  for (size_t i = 0; i < call.inputs.size(); ++i) {
    const ValuedOperand& input = call.inputs[i];
    if (input.is_omitted) continue;
    if (is_quantized(input)) {
      MakeFloat(on_reals.inputs[i], RealsOf(input));
    } else if (&input == call.Find("bias") && input.operand.type == OperandType::TENSOR_INT32) {
      const std::optional<std::vector<double>> bias = RealBias(call, input);
      if (!bias.has_value()) return {};
      MakeFloat(on_reals.inputs[i], *bias);
    }
  }
  for (ValuedOperand& output : on_reals.outputs) MakeFloat(output, {});
  if (activation >= 0) on_reals.SetInteger("activation", activation);
  if (!Evaluate(on_reals).ok()) return {};
  std::vector<std::vector<double>> results;
  for (const ValuedOperand& output : on_reals.outputs) results.push_back(RealsOf(output));
  return results;
}

}  // namespace nncert::faulty
