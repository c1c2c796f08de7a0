// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/tflite/testing/fixed_point.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace nncert {
namespace {

using hal::V1_2::Operand;
using hal::V1_2::OperandType;
using hal::V1_2::Operation;
using hal::V1_2::OperationType;

// A factor as a number of 31 bits and a power of two.
struct Multiplier {
  explicit Multiplier(double factor) {
    const double fraction = std::frexp(factor, &exponent);
    int64_t bits = std::llround(fraction * (int64_t{1} << 31));
    if (bits == int64_t{1} << 31) {
      bits /= 2;
      ++exponent;
    }
    significand = static_cast<int32_t>(bits);
  }
  int32_t significand = 0;
  int exponent = 0;
};

// The upper half of twice the product, rounded.
int32_t HighProduct(int32_t a, int32_t b) {
  const int64_t product = int64_t{a} * b;
  const int64_t nudge = product >= 0 ? int64_t{1} << 30 : 1 - (int64_t{1} << 30);
  return static_cast<int32_t>((product + nudge) / (int64_t{1} << 31));
}

// The quotient by 2^exponent, rounded to nearest, ties away from zero.
int32_t DividedByPower(int32_t x, int exponent) {
  const int32_t mask = static_cast<int32_t>((int64_t{1} << exponent) - 1);
  const int32_t remainder = x & mask;
  const int32_t threshold = (mask >> 1) + (x < 0 ? 1 : 0);
  return (x >> exponent) + (remainder > threshold ? 1 : 0);
}

int32_t Multiplied(int32_t x, const Multiplier& multiplier) {
  const int left = std::max(multiplier.exponent, 0);
  const int right = std::max(-multiplier.exponent, 0);
  return DividedByPower(HighProduct(x * (1 << left), multiplier.significand), right);
}

int32_t Byte(int32_t value) { return std::clamp(value, 0, 255); }

// A layer whose filter slides over an image: sizes as [height, width].
struct Window {
  int32_t stride[2];
  int32_t filter[2];
  int32_t padding[2];
  int32_t input[2];
  int32_t output[2];
};

class Execution {
 public:
  Execution(const Network& network, size_t index, IntegersByOperand& values)
      : network_(network), operation_(network.model.operations[index]), values_(values) {}

  bool Run() {
    switch (operation_.type) {
      case OperationType::CONV_2D:
      case OperationType::DEPTHWISE_CONV_2D:
        return Convolve(operation_.type == OperationType::DEPTHWISE_CONV_2D);
      case OperationType::AVERAGE_POOL_2D:
        return Average();
      case OperationType::ADD:
        return Add();
      case OperationType::RESHAPE:
        Output() = Value(0);
        return true;
      default:
        return false;
    }
  }

 private:
  const Operand& Input(size_t i) const { return network_.model.operands[operation_.inputs[i]]; }
  const Operand& OutputOperand() const { return network_.model.operands[operation_.outputs[0]]; }
  const std::vector<int32_t>& Value(size_t i) const { return values_.at(operation_.inputs[i]); }
  int32_t Scalar(size_t i) const { return Value(i)[0]; }
  std::vector<int32_t>& Output() { return values_[operation_.outputs[0]]; }

  // Of the inputs from `first` on: scheme, stride of width, of height.
  Window WindowOf(size_t first, int32_t filter_height, int32_t filter_width) const {
    Window window = {
        {Scalar(first + 2), Scalar(first + 1)}, {filter_height, filter_width}, {}, {}, {}};
    for (const int i : {0, 1}) {
      window.input[i] = static_cast<int32_t>(Input(0).dimensions[i + 1]);
      window.output[i] = static_cast<int32_t>(OutputOperand().dimensions[i + 1]);
      const int32_t covered =
          (window.output[i] - 1) * window.stride[i] + window.filter[i] - window.input[i];
      window.padding[i] = Scalar(first) == 1 ? std::max(covered, 0) / 2 : 0;
    }
    return window;
  }

  // Calls visit(position in the filter, position in the image) for the pixels under the filter.
  template <class Visit>
  static void ForPixels(const Window& window, int32_t y, int32_t x, Visit visit) {
    for (int32_t i = 0; i < window.filter[0]; ++i) {
      for (int32_t j = 0; j < window.filter[1]; ++j) {
        const int32_t row = y * window.stride[0] - window.padding[0] + i;
        const int32_t column = x * window.stride[1] - window.padding[1] + j;
        if (row < 0 || column < 0 || row >= window.input[0] || column >= window.input[1]) continue;
        visit(size_t(i) * window.filter[1] + j, size_t(row) * window.input[1] + column);
      }
    }
  }

  bool Convolve(bool is_depthwise) {
    const Operand& filter = Input(1);
    if (operation_.inputs.size() != (is_depthwise ? 8 : 7) || Input(0).dimensions[0] != 1 ||
        filter.type != OperandType::TENSOR_QUANT8_ASYMM) {
      return false;
    }
    const auto window = WindowOf(3, static_cast<int32_t>(filter.dimensions[1]),
                                 static_cast<int32_t>(filter.dimensions[2]));
    const size_t depth = Input(0).dimensions[3];
    const size_t channels = OutputOperand().dimensions[3];
    const size_t pixels = size_t{filter.dimensions[1]} * filter.dimensions[2];
    const int32_t input_zero = Input(0).zeroPoint;
    const int32_t filter_zero = filter.zeroPoint;
    const std::vector<int32_t>& image = Value(0);
    const std::vector<int32_t>& weights = Value(1);
    const Multiplier multiplier(static_cast<double>(Input(0).scale * filter.scale) /
                                OutputOperand().scale);
    std::vector<int32_t> result;
    for (int32_t y = 0; y < window.output[0]; ++y) {
      for (int32_t x = 0; x < window.output[1]; ++x) {
        for (size_t c = 0; c < channels; ++c) {
          int32_t sum = Value(2)[c];
          ForPixels(window, y, x, [&](size_t in_filter, size_t in_image) {
            if (is_depthwise) {
              sum += (weights[in_filter * channels + c] - filter_zero) *
                     (image[in_image * depth + c / (channels / depth)] - input_zero);
              return;
            }
            for (size_t k = 0; k < depth; ++k) {
              sum += (weights[(c * pixels + in_filter) * depth + k] - filter_zero) *
                     (image[in_image * depth + k] - input_zero);
            }
          });
          result.push_back(Byte(Multiplied(sum, multiplier) + OutputOperand().zeroPoint));
        }
      }
    }
    Output() = std::move(result);
    return true;
  }

  bool Average() {
    const auto window = WindowOf(1, Scalar(5), Scalar(4));
    const size_t depth = Input(0).dimensions[3];
    std::vector<int32_t> result;
    for (int32_t y = 0; y < window.output[0]; ++y) {
      for (int32_t x = 0; x < window.output[1]; ++x) {
        for (size_t c = 0; c < depth; ++c) {
          int32_t sum = 0;
          int32_t count = 0;
          ForPixels(window, y, x, [&](size_t, size_t in_image) {
            sum += Value(0)[in_image * depth + c];
            ++count;
          });
          // A window without pixels has no mean.
          if (count == 0) return false;
          result.push_back(Byte((sum + count / 2) / count));
        }
      }
    }
    Output() = std::move(result);
    return true;
  }

  bool Add() {
    if (Input(0).dimensions != Input(1).dimensions) return false;
    constexpr int kLeft = 20;
    const double twice = 2.0 * std::max(Input(0).scale, Input(1).scale);
    const Multiplier of_first(Input(0).scale / twice);
    const Multiplier of_second(Input(1).scale / twice);
    const Multiplier of_sum(twice / ((1 << kLeft) * static_cast<double>(OutputOperand().scale)));
    std::vector<int32_t> result;
    for (size_t i = 0; i < Value(0).size(); ++i) {
      const int32_t first = (Value(0)[i] - Input(0).zeroPoint) * (1 << kLeft);
      const int32_t second = (Value(1)[i] - Input(1).zeroPoint) * (1 << kLeft);
      const int32_t sum = Multiplied(first, of_first) + Multiplied(second, of_second);
      result.push_back(Byte(Multiplied(sum, of_sum) + OutputOperand().zeroPoint));
    }
    Output() = std::move(result);
    return true;
  }

  const Network& network_;
  const Operation& operation_;
  IntegersByOperand& values_;
};

}  // namespace

bool ExecuteInFixedPoint(const Network& network, size_t index, IntegersByOperand& values) {
  return Execution(network, index, values).Run();
}

}  // namespace nncert
