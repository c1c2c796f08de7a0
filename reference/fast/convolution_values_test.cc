// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Convolutions of sizes that reach every path of the fast kernels, in every number system, against
// the formula written as plain loops.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <string>
#include <vector>

#include "reference/model_builder.h"
#include "reference/number/testing/honest_machine.h"
#include "reference/ops/common/image.h"
#include "reference/ops/common/weights.h"
#include "reference/testing/evaluate.h"

namespace nncert {
namespace {

constexpr OperandType kFloat32 = OperandType::TENSOR_FLOAT32;
constexpr OperandType kQuant8 = OperandType::TENSOR_QUANT8_ASYMM;
constexpr OperandType kPerChannel = OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL;

// The sizes of a convolution; for a depthwise one, depth_out is a multiple of depth_in.
struct Sizes {
  bool is_depthwise = false;
  uint32_t batches = 1;
  uint32_t height = 5;
  uint32_t width = 6;
  uint32_t depth_in = 8;
  uint32_t depth_out = 5;
  uint32_t filter_height = 3;
  uint32_t filter_width = 3;
  int32_t stride_height = 1;
  int32_t stride_width = 1;
  int32_t dilation_height = 1;
  int32_t dilation_width = 1;
  int32_t left = 1;
  int32_t right = 1;
  int32_t top = 1;
  int32_t bottom = 1;
  bool is_nchw = false;
  FusedActivationFunc activation = FusedActivationFunc::NONE;

  Window window() const {
    return {{height, filter_height, stride_height, dilation_height, top, bottom},
            {width, filter_width, stride_width, dilation_width, left, right}};
  }
  uint32_t height_out() const { return static_cast<uint32_t>(window().vertical.Positions()); }
  uint32_t width_out() const { return static_cast<uint32_t>(window().horizontal.Positions()); }
  size_t terms() const {
    return size_t{filter_height} * filter_width * (is_depthwise ? 1 : depth_in);
  }
};

std::ostream& operator<<(std::ostream& stream, const Sizes& sizes) {
  return stream << (sizes.is_depthwise ? "depthwise " : "") << sizes.batches << "x" << sizes.height
                << "x" << sizes.width << "x" << sizes.depth_in << " to " << sizes.depth_out
                << ", filter " << sizes.filter_height << "x" << sizes.filter_width
                << (sizes.is_nchw ? ", NCHW" : "");
}

const Sizes kSizes[] = {
    {},
    {.filter_height = 1, .filter_width = 1, .left = 0, .right = 0, .top = 0, .bottom = 0},
    {.depth_in = 3, .depth_out = 33},  // so few channels that windows are copied together
    {.depth_in = 3,
     .filter_height = 1,
     .filter_width = 1,
     .left = 0,
     .right = 0,
     .top = 0,
     .bottom = 0},
    {.batches = 2, .height = 9, .width = 7, .depth_in = 17, .stride_height = 2, .stride_width = 3},
    {.height = 11,
     .width = 12,
     .depth_in = 9,
     .dilation_height = 2,
     .dilation_width = 3,
     .left = 4,
     .right = 0,
     .top = 3,
     .bottom = 2},
    {.depth_in = 10, .is_nchw = true},
    {.depth_in = 2, .is_nchw = true},
    {.batches = 3,
     .height = 21,
     .width = 22,
     .depth_in = 12,
     .depth_out = 40,
     .activation = FusedActivationFunc::RELU6},  // several pieces of work
    {.depth_in = 16, .activation = FusedActivationFunc::RELU},
    {.is_depthwise = true, .depth_in = 5, .depth_out = 5},
    {.is_depthwise = true,
     .batches = 2,
     .height = 9,
     .width = 20,
     .depth_in = 37,
     .depth_out = 37,
     .stride_height = 2,
     .stride_width = 2,
     .activation = FusedActivationFunc::RELU1},
    {.is_depthwise = true,
     .depth_in = 6,
     .depth_out = 18,
     .filter_height = 2,
     .filter_width = 5,
     .left = 4,
     .right = 3,
     .top = 0,
     .bottom = 1},
    {.is_depthwise = true,
     .height = 12,
     .width = 13,
     .depth_in = 8,
     .depth_out = 16,
     .dilation_height = 3,
     .dilation_width = 2,
     .is_nchw = true,
     .activation = FusedActivationFunc::RELU6},
};

// A convolution and its operands, as reals and as elements.
struct Case {
  Case(const Sizes& case_sizes, OperandType input_type, OperandType type_of_filter)
      : sizes(case_sizes),
        type(input_type),
        filter_type(type_of_filter),
        is_quantized(input_type == kQuant8) {
    TestRandom random(sizes.depth_in);
    const auto numbers = [&](size_t count, bool is_signed) {
      std::vector<double> values(count);
      for (double& value : values) {
        value = is_quantized ? std::floor(random.Uniform(0, 256)) - (is_signed ? 128 : 0)
                             : static_cast<double>(static_cast<float>(random.Uniform(-1, 1)));
      }
      return values;
    };
    input = numbers(size_t{sizes.batches} * sizes.height * sizes.width * sizes.depth_in, false);
    const size_t taps = size_t{sizes.filter_height} * sizes.filter_width;
    filter = numbers(taps * sizes.depth_out * (sizes.is_depthwise ? 1 : sizes.depth_in),
                     filter_type == kPerChannel);
    for (uint32_t c = 0; c < sizes.depth_out; ++c) {
      bias.push_back(is_quantized ? std::floor(random.Uniform(-9000, 9000)) : 0.25 * c);
      if (filter_type == kPerChannel) scales.push_back(0.01F + 0.003F * static_cast<float>(c));
    }
  }

  static constexpr float kInputScale = 0.03F;
  static constexpr int32_t kInputZero = 120;
  static constexpr float kFilterScale = 0.011F;
  static constexpr int32_t kFilterZero = 131;
  static constexpr int32_t kOutputZero = 70;
  float output_scale() const {
    return is_quantized ? 0.05F * std::sqrt(static_cast<float>(sizes.terms())) : 0;
  }
  double filter_scale(size_t channel) const {
    if (!is_quantized) return 1;
    return scales.empty() ? kFilterScale : scales[channel];
  }

  hal::V1_2::Model Model() const {
    ModelBuilder builder;
    const auto quantized = [&](std::vector<uint32_t> dimensions, float scale, int32_t zero) {
      return OperandSpec{type, std::move(dimensions), is_quantized ? scale : 0,
                         is_quantized ? zero : 0};
    };
    const auto image = [&](uint32_t height, uint32_t width, uint32_t depth) {
      return sizes.is_nchw ? std::vector<uint32_t>{sizes.batches, depth, height, width}
                           : std::vector<uint32_t>{sizes.batches, height, width, depth};
    };
    OperandSpec filter_spec = quantized(
        sizes.is_depthwise
            ? std::vector<uint32_t>{1, sizes.filter_height, sizes.filter_width, sizes.depth_out}
            : std::vector<uint32_t>{sizes.depth_out, sizes.filter_height, sizes.filter_width,
                                    sizes.depth_in},
        kFilterScale, kFilterZero);
    if (filter_type == kPerChannel) {
      filter_spec.type = kPerChannel;
      filter_spec.scale = 0;
      filter_spec.zeroPoint = 0;
      filter_spec.extraParams =
          hal::V1_2::SymmPerChannelQuantParams{scales, sizes.is_depthwise ? 3U : 0U};
    }
    OperandSpec bias_spec = {kFloat32, {sizes.depth_out}};
    if (is_quantized) {
      bias_spec.type = OperandType::TENSOR_INT32;
      if (scales.empty()) bias_spec.scale = kInputScale * kFilterScale;
    }
    std::vector<uint32_t> inputs = {
        builder.Input(
            quantized(image(sizes.height, sizes.width, sizes.depth_in), kInputScale, kInputZero)),
        builder.Constant(filter_spec, filter), builder.Constant(bias_spec, bias)};
    for (const int32_t scalar : {sizes.left, sizes.right, sizes.top, sizes.bottom,
                                 sizes.stride_width, sizes.stride_height}) {
      inputs.push_back(builder.Int32(scalar));
    }
    if (sizes.is_depthwise) {
      inputs.push_back(builder.Int32(static_cast<int32_t>(sizes.depth_out / sizes.depth_in)));
    }
    inputs.push_back(builder.Int32(static_cast<int32_t>(sizes.activation)));
    inputs.push_back(builder.Bool(sizes.is_nchw));
    inputs.push_back(builder.Int32(sizes.dilation_width));
    inputs.push_back(builder.Int32(sizes.dilation_height));
    const uint32_t output =
        builder.Output(quantized(image(sizes.height_out(), sizes.width_out(), sizes.depth_out),
                                 output_scale(), kOutputZero));
    builder.Operation(
        sizes.is_depthwise ? OperationType::DEPTHWISE_CONV_2D : OperationType::CONV_2D, inputs,
        {output});
    return builder.model();
  }

  // Where an element of an image stands.
  size_t Index(uint32_t height, uint32_t width, uint32_t depth, size_t batch, size_t y, size_t x,
               size_t channel) const {
    if (sizes.is_nchw) return ((batch * depth + channel) * height + y) * width + x;
    return ((batch * height + y) * width + x) * depth + channel;
  }

  // The sum under the filter and the bias, in units of the products, and the sum of magnitudes.
  struct Sum {
    double value;
    double magnitude;
  };
  Sum SumAt(size_t batch, size_t y, size_t x, size_t channel) const {
    Sum sum = {bias[channel], std::abs(bias[channel])};
    const size_t multiplier = sizes.is_depthwise ? sizes.depth_out / sizes.depth_in : 1;
    const size_t depth = sizes.is_depthwise ? 1 : sizes.depth_in;
    for (size_t i = 0; i < sizes.filter_height; ++i) {
      for (size_t j = 0; j < sizes.filter_width; ++j) {
        const int64_t row = static_cast<int64_t>(y) * sizes.stride_height - sizes.top +
                            static_cast<int64_t>(i) * sizes.dilation_height;
        const int64_t column = static_cast<int64_t>(x) * sizes.stride_width - sizes.left +
                               static_cast<int64_t>(j) * sizes.dilation_width;
        if (row < 0 || row >= sizes.height || column < 0 || column >= sizes.width) continue;
        for (size_t k = 0; k < depth; ++k) {
          const size_t from = sizes.is_depthwise ? channel / multiplier : k;
          double pixel = input[Index(sizes.height, sizes.width, sizes.depth_in, batch,
                                     static_cast<size_t>(row), static_cast<size_t>(column), from)];
          const size_t tap = i * sizes.filter_width + j;
          double weight =
              sizes.is_depthwise
                  ? filter[tap * sizes.depth_out + channel]
                  : filter[(channel * sizes.filter_height * sizes.filter_width + tap) * depth + k];
          if (is_quantized) {
            pixel -= kInputZero;
            if (scales.empty()) weight -= kFilterZero;
          }
          sum.value += pixel * weight;
          sum.magnitude += std::abs(pixel * weight);
        }
      }
    }
    return sum;
  }

  double Activated(double value) const {
    switch (sizes.activation) {
      case FusedActivationFunc::NONE:
        return value;
      case FusedActivationFunc::RELU:
        return std::max(value, 0.0);
      case FusedActivationFunc::RELU1:
        return std::clamp(value, -1.0, 1.0);
      case FusedActivationFunc::RELU6:
        return std::clamp(value, 0.0, 6.0);
    }
    return value;
  }

  Sizes sizes;
  OperandType type;
  OperandType filter_type;
  bool is_quantized;
  std::vector<double> input;
  std::vector<double> filter;
  std::vector<double> bias;
  std::vector<float> scales;
};

void TestCase(const Case& convolution) {
  const auto results = EvaluateInAllSystems(convolution.Model(), {convolution.input});
  ASSERT_TRUE(results.ok()) << results.status();
  const Evaluated& result = (*results)[0];
  const Sizes& sizes = convolution.sizes;
  const auto terms = static_cast<double>(sizes.terms());
  for (size_t batch = 0; batch < sizes.batches; ++batch) {
    for (size_t y = 0; y < sizes.height_out(); ++y) {
      for (size_t x = 0; x < sizes.width_out(); ++x) {
        for (size_t c = 0; c < sizes.depth_out; ++c) {
          const size_t i = convolution.Index(sizes.height_out(), sizes.width_out(), sizes.depth_out,
                                             batch, y, x, c);
          const Case::Sum sum = convolution.SumAt(batch, y, x, c);
          if (convolution.is_quantized) {
            const double real = convolution.Activated(
                sum.value * static_cast<double>(Case::kInputScale) * convolution.filter_scale(c));
            const double steps = std::round(real / convolution.output_scale()) + Case::kOutputZero;
            ASSERT_EQ(result.from_float[i], std::clamp(steps, 0.0, 255.0)) << "element " << i;
            continue;
          }
          const double expected = convolution.Activated(sum.value);
          const double loss = (terms + 3) * 0x1p-24 * sum.magnitude;
          ASSERT_NEAR(result.from_double[i], expected, loss * 0x1p-20) << "element " << i;
          ASSERT_NEAR(result.from_float[i], expected, loss) << "element " << i;
          // The enclosure counts the sum, its rounding, and the bias that comes anywhere.
          ASSERT_LE(result.enclosure[i].radius, 1.1 * loss + 1e-30) << "element " << i;
        }
      }
    }
  }
}

class FastConvolutionTest : public testing::TestWithParam<Sizes> {};

TEST_P(FastConvolutionTest, OfFloatsIsTheFormula) {
  TestCase(Case(GetParam(), kFloat32, kFloat32));
}

TEST_P(FastConvolutionTest, OfQuantizedElementsIsTheFormulaRoundedOnce) {
  TestCase(Case(GetParam(), kQuant8, kQuant8));
}

TEST_P(FastConvolutionTest, WithAScaleForEachChannelIsTheFormulaRoundedOnce) {
  TestCase(Case(GetParam(), kQuant8, kPerChannel));
}

INSTANTIATE_TEST_SUITE_P(Sizes, FastConvolutionTest, testing::ValuesIn(kSizes));

}  // namespace
}  // namespace nncert
