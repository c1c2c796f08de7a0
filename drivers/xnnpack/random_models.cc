// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "drivers/xnnpack/random_models.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hal/to_string.h"
#include "random/split_mix.h"
#include "reference/model_builder.h"

namespace nncert::xnnpack {
namespace {

using hal::V1_2::OperandType;
using hal::V1_2::OperationType;
using hal::V1_2::SymmPerChannelQuantParams;

constexpr int kSame = 1;
constexpr int kValid = 2;

// Makes one model.
class RandomModel {
 public:
  RandomModel(OperationType operation, OperandType type, uint64_t seed)
      : operation_(operation), type_(type), random_(seed) {}

  TestCase Make();

 private:
  bool is_quantized() const { return type_ == OperandType::TENSOR_QUANT8_ASYMM; }
  uint32_t Size(int low, int high) { return static_cast<uint32_t>(random_.Between(low, high)); }

  // The type of a tensor of these dimensions, with a random zero point if it is quantized.
  OperandSpec Tensor(std::vector<uint32_t> dimensions, double scale = 0.05) {
    return TensorOf(type_, std::move(dimensions), scale);
  }
  OperandSpec TensorOf(OperandType type, std::vector<uint32_t> dimensions, double scale) {
    OperandSpec spec = {.type = type, .dimensions = std::move(dimensions)};
    if (type == OperandType::TENSOR_QUANT8_ASYMM) {
      spec.scale = static_cast<float>(scale);
      spec.zeroPoint = random_.Between(60, 190);
    } else if (type == OperandType::TENSOR_QUANT8_SYMM) {
      spec.scale = static_cast<float>(scale);
    }
    return spec;
  }

  // Random elements.
  std::vector<double> Elements(const OperandSpec& spec) {
    size_t count = 1;
    for (const uint32_t dimension : spec.dimensions) count *= dimension;
    std::vector<double> elements(count);
    for (double& element : elements) {
      switch (spec.type) {
        case OperandType::TENSOR_QUANT8_ASYMM:
          element = random_.Between(0, 255);
          break;
        case OperandType::TENSOR_QUANT8_SYMM:
        case OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL:
          element = random_.Between(-127, 127);
          break;
        case OperandType::TENSOR_INT32:
          element = random_.Between(-2000, 2000);
          break;
        default:
          element = static_cast<float>(random_.Uniform(low_, high_));
      }
    }
    return elements;
  }

  uint32_t Input(const OperandSpec& spec) {
    inputs_.push_back(Elements(spec));
    input_dimensions_.push_back(spec.dimensions);
    input_types_.push_back(spec.type);
    return builder_.Input(spec);
  }
  // Weights: mostly constants.
  uint32_t Weights(const OperandSpec& spec) {
    return random_.Between(0, 3) == 0 ? Input(spec) : builder_.Constant(spec, Elements(spec));
  }
  uint32_t Int32(int value) { return builder_.Int32(value); }
  uint32_t Activation() { return Int32(random_.Between(0, 3)); }
  uint32_t Int32s(const std::vector<int32_t>& values) { return builder_.Int32Vector(values); }

  // An output whose dimensions are for the driver to find.
  uint32_t Output(double scale = 0.05) {
    OperandSpec spec = Tensor({}, scale);
    return builder_.Output(spec);
  }
  // An output that is quantized as `spec`.
  uint32_t OutputLike(const OperandSpec& spec) {
    return builder_.Output({.type = spec.type, .scale = spec.scale, .zeroPoint = spec.zeroPoint});
  }

  // Adds paddings, by a scheme or explicit, and strides.
  void AddPaddingsAndStrides(std::vector<uint32_t>& operands, int most_stride,
                             int most_padding_height, int most_padding_width, bool is_explicit);
  void AddLayer();
  void AddTransposeConvolution();
  void AddFullyConnected();
  void AddPooling();
  void AddMean();
  void AddResize();
  void AddBinary();
  void AddUnary();
  void AddSoftmax();
  void AddPrelu();
  void AddReshape();
  void AddConcatenation();
  void AddSplit();
  void AddPad();
  void AddShuffle();
  void AddDepthToSpace();

  // The bias and the output of a layer with these sums.
  uint32_t Bias(const OperandSpec& input, const OperandSpec& filter, uint32_t channels);

  std::vector<uint32_t> Shape(int rank, int most) {
    std::vector<uint32_t> shape;
    for (int i = 0; i < rank; ++i) shape.push_back(Size(1, most));
    return shape;
  }

  const OperationType operation_;
  const OperandType type_;
  SplitMix64 random_;
  double low_ = -2;
  double high_ = 2;
  ModelBuilder builder_;
  std::vector<std::vector<double>> inputs_;
  std::vector<std::vector<uint32_t>> input_dimensions_;
  std::vector<OperandType> input_types_;
};

void RandomModel::AddPaddingsAndStrides(std::vector<uint32_t>& operands, int most_stride,
                                        int most_padding_height, int most_padding_width,
                                        bool is_explicit) {
  if (is_explicit) {
    for (const int most :
         {most_padding_width, most_padding_width, most_padding_height, most_padding_height}) {
      operands.push_back(Int32(random_.Between(0, most)));
    }
  } else {
    operands.push_back(Int32(random_.OneIn(2) ? kSame : kValid));
  }
  operands.push_back(Int32(random_.Between(1, most_stride)));
  operands.push_back(Int32(random_.Between(1, most_stride)));
}

uint32_t RandomModel::Bias(const OperandSpec& input, const OperandSpec& filter, uint32_t channels) {
  OperandSpec spec = {.type = OperandType::TENSOR_FLOAT32, .dimensions = {channels}};
  if (is_quantized()) {
    spec.type = OperandType::TENSOR_INT32;
    spec.scale = input.scale * filter.scale;
  }
  return Weights(spec);
}

void RandomModel::AddLayer() {
  const bool is_depthwise = operation_ == OperationType::DEPTHWISE_CONV_2D;
  const bool is_grouped = operation_ == OperationType::GROUPED_CONV_2D;
  const int height = random_.OneIn(2) ? 3 : random_.Between(1, 5);
  const int width = random_.OneIn(2) ? height : random_.Between(1, 5);
  const bool has_dilations = !is_grouped && random_.Between(0, 3) == 0;
  const int dilation_width = has_dilations ? random_.Between(1, 2) : 1;
  const int dilation_height = has_dilations ? random_.Between(1, 2) : 1;
  const int extent_height = (height - 1) * dilation_height + 1;
  const int extent_width = (width - 1) * dilation_width + 1;
  const uint32_t groups = is_grouped ? Size(1, 4) : 1;
  const uint32_t multiplier = is_depthwise && random_.OneIn(2) ? Size(1, 3) : 1;
  const uint32_t depth = is_grouped ? groups * Size(1, 9) : Size(1, 40);
  const uint32_t channels =
      is_depthwise ? depth * multiplier : (is_grouped ? groups * Size(1, 9) : Size(1, 40));
  const OperandSpec image =
      Tensor({Size(1, 2), Size(extent_height, 12), Size(extent_width, 12), depth});
  OperandSpec filter = Tensor({channels, static_cast<uint32_t>(height),
                               static_cast<uint32_t>(width), is_grouped ? depth / groups : depth},
                              0.02);
  if (is_depthwise) {
    filter.dimensions = {1, static_cast<uint32_t>(height), static_cast<uint32_t>(width), channels};
  }
  if (is_quantized() && random_.OneIn(2)) {
    SymmPerChannelQuantParams scales{.scales = {}, .channelDim = is_depthwise ? 3u : 0u};
    for (uint32_t i = 0; i < channels; ++i) {
      scales.scales.push_back(static_cast<float>(random_.Uniform(0.005, 0.04)));
    }
    filter.type = OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL;
    filter.scale = 0;
    filter.zeroPoint = 0;
    filter.extraParams = scales;
  }
  std::vector<uint32_t> operands = {Input(image), Weights(filter)};
  operands.push_back(Bias(image, filter, channels));
  AddPaddingsAndStrides(operands, 3, extent_height - 1, extent_width - 1, random_.OneIn(2));
  if (is_depthwise) operands.push_back(Int32(static_cast<int>(multiplier)));
  if (is_grouped) operands.push_back(Int32(static_cast<int>(groups)));
  operands.push_back(Activation());
  if (is_grouped || has_dilations || random_.OneIn(2)) operands.push_back(builder_.Bool(false));
  if (has_dilations) {
    operands.push_back(Int32(dilation_width));
    operands.push_back(Int32(dilation_height));
  }
  builder_.Operation(operation_, operands, {Output(random_.Uniform(0.02, 0.3))});
}

void RandomModel::AddTransposeConvolution() {
  const int height = random_.Between(1, 5);
  const int width = random_.Between(1, 5);
  const uint32_t depth = Size(1, 20);
  const uint32_t channels = Size(1, 20);
  const OperandSpec image = Tensor({Size(1, 2), Size(1, 7), Size(1, 7), depth});
  const OperandSpec filter =
      Tensor({channels, static_cast<uint32_t>(height), static_cast<uint32_t>(width), depth}, 0.02);
  std::vector<uint32_t> operands = {Input(image), Weights(filter)};
  operands.push_back(Bias(image, filter, channels));
  if (random_.OneIn(2)) {
    AddPaddingsAndStrides(operands, 3, (height - 1) / 2, (width - 1) / 2, /*is_explicit=*/true);
  } else {
    const int stride_width = random_.Between(1, 3);
    const int stride_height = random_.Between(1, 3);
    const bool is_same = random_.OneIn(2);
    // An output of which a convolution would make this image.
    const auto size = [&](uint32_t image_size, int stride, int window) {
      const int most = static_cast<int>(image_size) * stride;
      if (is_same) return random_.Between(most - stride + 1, most);
      return most - stride + window + random_.Between(0, stride - 1);
    };
    operands.push_back(
        Int32s({static_cast<int32_t>(image.dimensions[0]),
                size(image.dimensions[1], stride_height, height),
                size(image.dimensions[2], stride_width, width), static_cast<int32_t>(channels)}));
    operands.push_back(Int32(is_same ? kSame : kValid));
    operands.push_back(Int32(stride_width));
    operands.push_back(Int32(stride_height));
  }
  operands.push_back(Activation());
  operands.push_back(builder_.Bool(false));
  builder_.Operation(operation_, operands, {Output(random_.Uniform(0.02, 0.2))});
}

void RandomModel::AddFullyConnected() {
  const uint32_t batches = Size(1, 9);
  const uint32_t inputs = Size(1, 80);
  const uint32_t units = Size(1, 50);
  const OperandSpec rows = Tensor(random_.OneIn(2) ? std::vector<uint32_t>{batches, inputs}
                                                   : std::vector<uint32_t>{batches, 1, 1, inputs});
  const OperandSpec weights = Tensor({units, inputs}, 0.02);
  std::vector<uint32_t> operands = {Input(rows), Weights(weights)};
  operands.push_back(Bias(rows, weights, units));
  operands.push_back(Activation());
  builder_.Operation(operation_, operands, {Output(random_.Uniform(0.02, 0.2))});
}

void RandomModel::AddPooling() {
  const int height = random_.Between(1, 7);
  const int width = random_.Between(height == 1 ? 2 : 1, 7);
  const OperandSpec image = Tensor({Size(1, 2), Size(height, 14), Size(width, 14), Size(1, 40)});
  std::vector<uint32_t> operands = {Input(image)};
  // XNNPACK counts the padding of quantized images.
  const bool is_padded = !(is_quantized() && operation_ == OperationType::AVERAGE_POOL_2D);
  AddPaddingsAndStrides(operands, 4, is_padded ? height - 1 : 0, is_padded ? width - 1 : 0,
                        !is_padded || random_.OneIn(2));
  operands.push_back(Int32(width));
  operands.push_back(Int32(height));
  operands.push_back(Activation());
  if (random_.OneIn(2)) operands.push_back(builder_.Bool(false));
  builder_.Operation(operation_, operands, {OutputLike(image)});
}

void RandomModel::AddMean() {
  const int rank = random_.Between(1, 4);
  const OperandSpec values = Tensor(Shape(rank, 12));
  const int first = random_.Between(0, rank - 1);
  const int last = random_.Between(first, rank - 1);
  std::vector<int32_t> axes;
  for (int axis = last; axis >= first; --axis)
    axes.push_back(random_.OneIn(2) ? axis : axis - rank);
  const uint32_t input = Input(values);
  const uint32_t named = Int32s(axes);
  builder_.Operation(operation_, {input, named, Int32(random_.Between(0, 1))},
                     {OutputLike(values)});
}

void RandomModel::AddResize() {
  const OperandSpec image = Tensor({Size(1, 2), Size(1, 9), Size(1, 9), Size(1, 40)});
  const bool is_by_factors = random_.OneIn(2);
  const auto size = [&] {
    return is_by_factors ? builder_.Float32(static_cast<float>(random_.Uniform(1, 3)))
                         : Int32(random_.Between(1, 20));
  };
  const uint32_t input = Input(image);
  const uint32_t width = size();
  const uint32_t height = size();
  builder_.Operation(operation_, {input, width, height}, {OutputLike(image)});
}

void RandomModel::AddBinary() {
  const bool has_activation =
      operation_ != OperationType::MAXIMUM && operation_ != OperationType::MINIMUM;
  std::vector<uint32_t> shapes[2];
  const int rank = random_.Between(1, 4);
  shapes[0] = Shape(rank, 9);
  shapes[1] = shapes[0];
  for (int axis = 0; axis < rank; ++axis) {
    if (random_.Between(0, 2) == 0) shapes[random_.Between(0, 1)][static_cast<size_t>(axis)] = 1;
  }
  if (random_.Between(0, 2) == 0) {
    shapes[1].erase(shapes[1].begin(), shapes[1].begin() + random_.Between(0, rank - 1));
  }
  if (random_.OneIn(2)) shapes[0].swap(shapes[1]);
  const uint32_t a = Input(Tensor(shapes[0], random_.Uniform(0.01, 0.1)));
  if (operation_ == OperationType::DIV) low_ = 0.5;
  const uint32_t b = Weights(Tensor(shapes[1], random_.Uniform(0.01, 0.1)));
  std::vector<uint32_t> operands = {a, b};
  if (has_activation) operands.push_back(Activation());
  builder_.Operation(operation_, operands, {Output(random_.Uniform(0.03, 0.3))});
}

void RandomModel::AddUnary() {
  if (operation_ == OperationType::SQRT) low_ = 0;
  if (operation_ == OperationType::RSQRT) low_ = 0.01;
  if (operation_ == OperationType::LOGISTIC) {
    low_ = -30;
    high_ = 30;
  }
  const OperandSpec values = TensorOf(type_, Shape(random_.Between(1, 4), 9), 0.05);
  const uint32_t input = Input(values);
  OperandSpec output = values;
  output.dimensions = {};
  switch (operation_) {
    case OperationType::LOGISTIC:
    case OperationType::TANH:
      if (is_quantized()) {
        const bool is_tangent = operation_ == OperationType::TANH;
        output.scale = is_tangent ? 1.0f / 128 : 1.0f / 256;
        output.zeroPoint = is_tangent ? 128 : 0;
      }
      break;
    case OperationType::QUANTIZE:
      output = TensorOf(OperandType::TENSOR_QUANT8_ASYMM, {}, 0.013);
      break;
    case OperationType::DEQUANTIZE:
      output = {.type = OperandType::TENSOR_FLOAT32};
      break;
    default:
      break;
  }
  builder_.Operation(operation_, {input}, {builder_.Output(output)});
}

void RandomModel::AddSoftmax() {
  low_ = -10;
  high_ = 10;
  const uint32_t input = Input(Tensor(Shape(random_.Between(1, 4), 20)));
  const uint32_t beta =
      builder_.Float32(random_.OneIn(2) ? 1 : static_cast<float>(random_.Uniform(0.1, 3)));
  OperandSpec output = {.type = type_};
  if (is_quantized()) output.scale = 1.0f / 256;
  builder_.Operation(operation_, {input, beta}, {builder_.Output(output)});
}

void RandomModel::AddPrelu() {
  const std::vector<uint32_t> shape = Shape(random_.Between(1, 4), 20);
  const uint32_t input = Input(Tensor(shape));
  const uint32_t alpha = Weights(Tensor({random_.OneIn(2) ? shape.back() : 1}));
  builder_.Operation(operation_, {input, alpha}, {Output()});
}

void RandomModel::AddReshape() {
  std::vector<uint32_t> shape = Shape(3, 7);
  uint32_t second = 0;
  if (operation_ == OperationType::RESHAPE) {
    second = Int32s({-1, static_cast<int32_t>(shape[0])});
  } else if (operation_ == OperationType::SQUEEZE) {
    shape[1] = 1;
    second = Int32s({1});
  } else {
    second = Int32(random_.Between(-4, 3));
  }
  const OperandSpec values = Tensor(shape);
  const uint32_t input = Input(values);
  builder_.Operation(operation_, {input, second}, {OutputLike(values)});
}

void RandomModel::AddConcatenation() {
  const int rank = random_.Between(1, 4);
  OperandSpec values = Tensor(Shape(rank, 7));
  const int axis = random_.Between(0, rank - 1);
  std::vector<uint32_t> operands;
  for (int i = random_.Between(1, 4); i > 0; --i) {
    values.dimensions[static_cast<size_t>(axis)] = Size(1, 9);
    operands.push_back(Weights(values));
  }
  // One input at least is the model's.
  operands.push_back(Input(values));
  operands.push_back(Int32(axis));
  builder_.Operation(operation_, operands, {OutputLike(values)});
}

void RandomModel::AddSplit() {
  const int rank = random_.Between(1, 4);
  OperandSpec values = Tensor(Shape(rank, 7));
  const int axis = random_.Between(0, rank - 1);
  const int parts = random_.Between(1, 4);
  values.dimensions[static_cast<size_t>(axis)] *= static_cast<uint32_t>(parts);
  const uint32_t input = Input(values);
  std::vector<uint32_t> outputs;
  for (int i = 0; i < parts; ++i) outputs.push_back(OutputLike(values));
  const uint32_t named = Int32(random_.OneIn(2) ? axis : axis - rank);
  builder_.Operation(operation_, {input, named, Int32(parts)}, outputs);
}

void RandomModel::AddPad() {
  const int rank = random_.Between(1, 4);
  const OperandSpec values = Tensor(Shape(rank, 7));
  std::vector<double> paddings;
  for (int i = 0; i < 2 * rank; ++i) {
    paddings.push_back(random_.OneIn(2) ? 0 : random_.Between(0, 5));
  }
  std::vector<uint32_t> operands = {Input(values)};
  operands.push_back(builder_.Constant(
      {.type = OperandType::TENSOR_INT32, .dimensions = {static_cast<uint32_t>(rank), 2}},
      paddings));
  if (operation_ == OperationType::PAD_V2) {
    operands.push_back(is_quantized()
                           ? Int32(random_.Between(0, 255))
                           : builder_.Float32(static_cast<float>(random_.Uniform(-1, 1))));
  }
  builder_.Operation(operation_, operands, {OutputLike(values)});
}

void RandomModel::AddShuffle() {
  const int rank = random_.Between(1, 4);
  OperandSpec values = Tensor(Shape(rank, 9));
  const int groups = random_.Between(1, 6);
  values.dimensions.back() *= static_cast<uint32_t>(groups);
  const uint32_t input = Input(values);
  const uint32_t count = Int32(groups);
  builder_.Operation(operation_, {input, count, Int32(-1)}, {OutputLike(values)});
}

void RandomModel::AddDepthToSpace() {
  const int block = random_.Between(1, 4);
  const OperandSpec values = Tensor(
      {Size(1, 3), Size(1, 5), Size(1, 5), Size(1, 9) * static_cast<uint32_t>(block * block)});
  const uint32_t input = Input(values);
  builder_.Operation(operation_, {input, Int32(block)}, {OutputLike(values)});
}

TestCase RandomModel::Make() {
  switch (operation_) {
    case OperationType::CONV_2D:
    case OperationType::DEPTHWISE_CONV_2D:
    case OperationType::GROUPED_CONV_2D:
      AddLayer();
      break;
    case OperationType::TRANSPOSE_CONV_2D:
      AddTransposeConvolution();
      break;
    case OperationType::FULLY_CONNECTED:
      AddFullyConnected();
      break;
    case OperationType::AVERAGE_POOL_2D:
    case OperationType::MAX_POOL_2D:
    case OperationType::L2_POOL_2D:
      AddPooling();
      break;
    case OperationType::MEAN:
      AddMean();
      break;
    case OperationType::RESIZE_BILINEAR:
      AddResize();
      break;
    case OperationType::ADD:
    case OperationType::SUB:
    case OperationType::MUL:
    case OperationType::DIV:
    case OperationType::MAXIMUM:
    case OperationType::MINIMUM:
      AddBinary();
      break;
    case OperationType::SOFTMAX:
      AddSoftmax();
      break;
    case OperationType::PRELU:
      AddPrelu();
      break;
    case OperationType::RESHAPE:
    case OperationType::SQUEEZE:
    case OperationType::EXPAND_DIMS:
      AddReshape();
      break;
    case OperationType::CONCATENATION:
      AddConcatenation();
      break;
    case OperationType::SPLIT:
      AddSplit();
      break;
    case OperationType::PAD:
    case OperationType::PAD_V2:
      AddPad();
      break;
    case OperationType::CHANNEL_SHUFFLE:
      AddShuffle();
      break;
    case OperationType::DEPTH_TO_SPACE:
      AddDepthToSpace();
      break;
    default:
      AddUnary();
  }
  TestCase test_case;
  test_case.model = builder_.model();
  Example& example = test_case.examples.emplace_back();
  for (size_t i = 0; i < inputs_.size(); ++i) {
    example.inputs.push_back({.hasNoValue = false,
                              .dimensions = input_dimensions_[i],
                              .data = BytesOf(input_types_[i], inputs_[i])});
  }
  return test_case;
}

}  // namespace

TestCase RandomCase(OperationType operation, OperandType type, uint64_t seed) {
  // Operations and types do not share their numbers.
  const uint64_t mixed =
      (seed * 131 + static_cast<uint64_t>(operation)) * 31 + static_cast<uint64_t>(type);
  TestCase test_case = RandomModel(operation, type, mixed).Make();
  test_case.name =
      absl::StrCat("random_", hal::toString(operation), "_", hal::toString(type), "_", seed);
  return test_case;
}

}  // namespace nncert::xnnpack
