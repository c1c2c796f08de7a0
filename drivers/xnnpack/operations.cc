// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "drivers/xnnpack/operations.h"

#include <algorithm>
#include <limits>

#include "absl/strings/str_cat.h"
#include "drivers/xnnpack/rules.h"
#include "hal/to_string.h"
#include "hal/utils.h"

namespace nncert::xnnpack {
namespace {

constexpr OperandType kFloat32 = OperandType::TENSOR_FLOAT32;
constexpr OperandType kQuant8 = OperandType::TENSOR_QUANT8_ASYMM;
constexpr OperandType kQuant8Symm = OperandType::TENSOR_QUANT8_SYMM;
constexpr OperandType kInt32 = OperandType::TENSOR_INT32;
constexpr size_t kAny = std::numeric_limits<size_t>::max();

constexpr absl::string_view kFilter =
    "NHWC; scaleIn * scaleFilter / scaleOut in [2^-32, 256) for quantized operands";
constexpr absl::string_view kElements = "at most 6 axes";
constexpr absl::string_view kSame = "the output is quantized as the input";

// Whether a shape is known and fits.
bool IsWithinBounds(const Dimensions& dimensions) {
  if (dimensions.empty()) return false;
  size_t count = 1;
  for (const uint32_t dimension : dimensions) {
    if (dimension == 0 || dimension > kMaxElements) return false;
    count *= dimension;
    if (count > kMaxElements) return false;
  }
  return true;
}

bool IsTensor(const hal::V1_2::Operand& operand) {
  return !hal::nonExtensionOperandTypeIsScalar(operand.type);
}

// What every operation must keep before its rule is asked.
absl::Status CheckOperands(const OperationEntry& entry, const OperationView& operation) {
  if (operation.inputCount() < entry.min_inputs || operation.inputCount() > entry.max_inputs) {
    return Refuse(absl::StrCat("it has ", operation.inputCount(), " inputs"));
  }
  if (operation.outputCount() != 1 && entry.type != OperationType::SPLIT) {
    return Refuse(absl::StrCat("it has ", operation.outputCount(), " outputs"));
  }
  if (std::find(entry.types.begin(), entry.types.end(), operation.input(0).type) ==
      entry.types.end()) {
    return Refuse(absl::StrCat("its first input is ", hal::toString(operation.input(0).type)));
  }
  for (size_t i = 0; i < operation.inputCount(); ++i) {
    const hal::V1_2::Operand& input = operation.input(i);
    if (input.lifetime == hal::V1_2::OperandLifeTime::NO_VALUE) {
      return Refuse(absl::StrCat("input ", i, " is omitted"));
    }
    if (IsTensor(input) && !IsWithinBounds(operation.shape(i))) {
      return Refuse(absl::StrCat("the dimensions of input ", i, " are unknown, 0 or too many"));
    }
  }
  return absl::OkStatus();
}

// Whether the dimensions that the model declares of an output leave room for those it has.
bool AreCompatible(const Dimensions& declared, const Dimensions& computed) {
  if (declared.empty()) return true;
  return std::equal(declared.begin(), declared.end(), computed.begin(), computed.end(),
                    [](uint32_t a, uint32_t b) { return a == 0 || a == b; });
}

}  // namespace

absl::Span<const OperationEntry> SupportedOperations() {
  using enum OperationType;
  static const auto* const table = new std::vector<OperationEntry>{
      // Layers with weights.
      {CONV_2D,
       {kFloat32, kQuant8},
       7,
       13,
       "convolution2d_nhwc_{f32,qu8,qc8}",
       kFilter,
       &Convolution},
      {DEPTHWISE_CONV_2D,
       {kFloat32, kQuant8},
       8,
       14,
       "convolution2d_nhwc_{f32,qu8,qc8}",
       kFilter,
       &Convolution},
      {GROUPED_CONV_2D,
       {kFloat32, kQuant8},
       9,
       12,
       "convolution2d_nhwc_{f32,qu8,qc8}",
       kFilter,
       &Convolution},
      {TRANSPOSE_CONV_2D,
       {kFloat32, kQuant8},
       9,
       11,
       "deconvolution2d_nhwc_{f32,qu8}",
       "NHWC; one scale for the filter; ratio of scales in [2^-32, 256); added rows and columns "
       "are fewer than the stride; an output no shorter than the stride less 1",
       &TransposeConvolution},
      {FULLY_CONNECTED,
       {kFloat32, kQuant8},
       4,
       4,
       "fully_connected_nc_{f32,qu8}",
       "ratio of scales in [2^-32, 256) for quantized operands",
       &FullyConnected},
      // Windows.
      {AVERAGE_POOL_2D,
       {kFloat32, kQuant8},
       7,
       11,
       "average_pooling2d_nhwc_{f32,qu8}",
       "NHWC; no padding for quantized operands, which XNNPACK counts; a window of one pixel only "
       "with stride 1 (clamp)",
       &Pooling},
      {MAX_POOL_2D,
       {kFloat32, kQuant8},
       7,
       11,
       "max_pooling2d_nhwc_{f32,u8}",
       "NHWC; a window of one pixel only with stride 1 (clamp)",
       &Pooling},
      {L2_POOL_2D,
       {kFloat32},
       7,
       11,
       "square_nc_f32, average_pooling2d_nhwc_f32, square_root_nc_f32, clamp_nc_f32",
       "NHWC; a window of one pixel only with stride 1",
       &Pooling},
      {MEAN,
       {kFloat32, kQuant8},
       3,
       3,
       "global_average_pooling_nwc_{f32,qu8}",
       "axes that follow one another; fewer than 2^20 elements to a mean",
       &Mean},
      {RESIZE_BILINEAR,
       {kFloat32, kQuant8},
       3,
       4,
       "resize_bilinear2d_nhwc_{f32,u8}",
       "NHWC",
       &ResizeBilinear},
      // Element by element.
      {ABS, {kFloat32}, 1, 1, "abs_nc_f32", "", &Unary},
      {FLOOR, {kFloat32}, 1, 1, "floor_nc_f32", "", &Unary},
      {NEG, {kFloat32}, 1, 1, "negate_nc_f32", "", &Unary},
      {SQRT, {kFloat32}, 1, 1, "square_root_nc_f32", "", &Unary},
      {RSQRT, {kFloat32}, 1, 1, "square_root_nc_f32, divide_nd_f32", "", &ReciprocalSquareRoot},
      {RELU, {kFloat32, kQuant8}, 1, 1, "clamp_nc_{f32,u8}", kSame, &Rectifier},
      {RELU1, {kFloat32, kQuant8}, 1, 1, "clamp_nc_{f32,u8}", kSame, &Rectifier},
      {RELU6, {kFloat32, kQuant8}, 1, 1, "clamp_nc_{f32,u8}", kSame, &Rectifier},
      {LOGISTIC, {kFloat32, kQuant8}, 1, 1, "sigmoid_nc_{f32,qu8}", "", &Sigmoid},
      {TANH, {kQuant8}, 1, 1, "tanh_nc_qu8", "", &Sigmoid},
      {ADD,
       {kFloat32, kQuant8},
       3,
       3,
       "add_nd_{f32,qu8}",
       "scaleIn / scaleOut in [2^-10, 256) for quantized operands",
       &Binary},
      {SUB,
       {kFloat32, kQuant8},
       3,
       3,
       "subtract_nd_{f32,qu8}",
       "scaleIn / scaleOut in [2^-10, 256) for quantized operands",
       &Binary},
      {MUL,
       {kFloat32, kQuant8},
       3,
       3,
       "multiply_nd_{f32,qu8}",
       "scaleIn1 * scaleIn2 / scaleOut in [2^-16, 256) for quantized operands",
       &Binary},
      {DIV, {kFloat32}, 3, 3, "divide_nd_f32", "", &Binary},
      {MAXIMUM, {kFloat32}, 2, 2, "maximum_nd_f32", kElements, &Binary},
      {MINIMUM, {kFloat32}, 2, 2, "minimum_nd_f32", kElements, &Binary},
      {PRELU,
       {kFloat32},
       2,
       2,
       "prelu_nc_f32",
       "alpha has one element, or one for each channel",
       &ParametricRectifier},
      {SOFTMAX,
       {kFloat32, kQuant8},
       2,
       3,
       "softmax_nc_{f32,qu8}; max_pooling2d_nhwc_f32, subtract_nd_f32, multiply_nd_f32 for beta",
       "the last axis, or one behind which there are only axes of length 1",
       &Softmax},
      {QUANTIZE, {kFloat32}, 1, 1, "convert_nc_f32_qu8", "", &Quantize},
      {DEQUANTIZE,
       {kQuant8, kQuant8Symm},
       1,
       1,
       "convert_nc_{qu8,qs8}_f32",
       "the output is TENSOR_FLOAT32",
       &Dequantize},
      // Elements that only move.
      {RESHAPE, {kFloat32, kQuant8}, 2, 2, "copy_nc_{x32,x8}", "", &Reshape},
      {SQUEEZE, {kFloat32, kQuant8}, 2, 2, "copy_nc_{x32,x8}", "", &Reshape},
      {EXPAND_DIMS, {kFloat32, kInt32, kQuant8}, 2, 2, "copy_nc_{x32,x8}", "", &Reshape},
      {CONCATENATION,
       {kFloat32, kQuant8},
       2,
       kAny,
       "copy_nc_{x32,x8}",
       "every input is quantized as the output",
       &Concatenation},
      {SPLIT, {kFloat32, kInt32, kQuant8}, 3, 3, "copy_nc_{x32,x8}", "", &Split},
      {PAD, {kFloat32, kQuant8}, 2, 2, "constant_pad_nd_{x32,x8}", kElements, &Pad},
      {PAD_V2, {kFloat32, kQuant8}, 3, 3, "constant_pad_nd_{x32,x8}", kElements, &Pad},
      {CHANNEL_SHUFFLE,
       {kFloat32, kQuant8},
       3,
       3,
       "channel_shuffle_nc_{x32,x8}",
       "the last axis, or one behind which there are only axes of length 1",
       &ChannelShuffle},
      {DEPTH_TO_SPACE, {kFloat32}, 2, 3, "depth_to_space_nhwc_x32", "NHWC", &DepthToSpace},
  };
  return *table;
}

const OperationEntry* FindOperation(OperationType type) {
  for (const OperationEntry& entry : SupportedOperations()) {
    if (entry.type == type) return &entry;
  }
  return nullptr;
}

absl::StatusOr<Recipe> DecideOn(OperationView& operation) {
  const OperationEntry* const entry = FindOperation(operation.type());
  if (entry == nullptr) return Refuse("XNNPACK has no such operation");
  if (absl::Status status = CheckOperands(*entry, operation); !status.ok()) return status;
  absl::StatusOr<Recipe> recipe = entry->rule(operation);
  if (!recipe.ok()) return recipe;
  for (size_t i = 0; i < operation.outputCount(); ++i) {
    const hal::V1_2::Operand& output = operation.output(i);
    if (!IsWithinBounds(recipe->outputs.at(i))) {
      return Refuse(absl::StrCat("output ", i, " is too large"));
    }
    if (!AreCompatible(output.dimensions, recipe->outputs[i])) {
      return Refuse(absl::StrCat("the dimensions of output ", i, " are not what the model says"));
    }
  }
  return recipe;
}

}  // namespace nncert::xnnpack
