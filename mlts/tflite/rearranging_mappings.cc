// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "mlts/tflite/operator_mappings.h"
#include "mlts/tflite/tensor_values.h"
#include "reference/tensor.h"

namespace nncert {
namespace {

using hal::V1_2::OperandType;
using hal::V1_2::OperationType;
using tflite::BuiltinOperator;

void MapReshape(OperatorMapper& mapper) {
  const uint32_t input = mapper.Input(0);
  const auto* options = mapper.OptionsOrNull<tflite::ReshapeOptions>();
  std::vector<int32_t> shape;
  if (mapper.HasInput(1) && mapper.InputTensor(1).is_constant) {
    shape = mapper.Integers(1);
  } else if (options != nullptr && options->new_shape() != nullptr) {
    shape.assign(options->new_shape()->begin(), options->new_shape()->end());
  } else {
    // One that operators compute: of a fixed input it is always the same, and the file says it.
    const OperandSpec output = mapper.OutputSpec();
    mapper.Demand(!output.dimensions.empty(), "its shape is computed by other operators");
    shape.assign(output.dimensions.begin(), output.dimensions.end());
  }
  // To a scalar, which old files say by a 0.
  if (shape.empty() || shape == std::vector<int32_t>{0}) shape = {1};
  mapper.Emit(OperationType::RESHAPE, {input, mapper.Int32Vector(shape)});
}

void MapSqueeze(OperatorMapper& mapper) {
  const uint32_t input = mapper.Input(0);
  const auto* options = mapper.OptionsOrNull<tflite::SqueezeOptions>();
  std::vector<int32_t> dimensions;
  if (options != nullptr && options->squeeze_dims() != nullptr) {
    dimensions.assign(options->squeeze_dims()->begin(), options->squeeze_dims()->end());
  }
  // All of them, when it says none.
  mapper.Emit(OperationType::SQUEEZE,
              {input, dimensions.empty() ? mapper.Omitted(OperandType::TENSOR_INT32)
                                         : mapper.Int32Vector(dimensions)});
}

void MapExpandDims(OperatorMapper& mapper) {
  const uint32_t input = mapper.Input(0);
  mapper.Emit(OperationType::EXPAND_DIMS, {input, mapper.Int32(mapper.Integer(1))});
}

// The second input is a tensor of integers.
template <OperationType kType>
void MapWithIntegers(OperatorMapper& mapper) {
  const uint32_t input = mapper.Input(0);
  mapper.Emit(kType, {input, mapper.Input(1)});
}

void MapPadV2(OperatorMapper& mapper) {
  const uint32_t input = mapper.Input(0);
  const uint32_t paddings = mapper.Input(1);
  const TfliteTensor& tensor = mapper.InputTensor(2);
  if (!mapper.status().ok()) return;
  const absl::StatusOr<std::vector<uint8_t>> bytes = ElementsOf(tensor);
  const absl::StatusOr<OperandSpec> spec = SpecOf(tensor);
  if (!bytes.ok()) return mapper.Refuse(bytes.status());
  if (!spec.ok()) return mapper.Refuse(spec.status());
  const OperandSpec of_input = mapper.SpecOf(input);
  mapper.Demand(NumberOfElements(spec->dimensions) == 1, "it pads with more than one value");
  mapper.Demand(spec->type == of_input.type, "it pads with a value of another type");
  if (!mapper.status().ok()) return;
  uint32_t value = 0;
  if (of_input.type == OperandType::TENSOR_QUANT8_ASYMM) {
    mapper.Demand(spec->scale == of_input.scale && spec->zeroPoint == of_input.zeroPoint,
                  "it pads with a value of another quantization");
    value = mapper.Int32((*bytes)[0]);
  } else {
    mapper.Demand(of_input.type == OperandType::TENSOR_FLOAT32, "it pads neither floats nor bytes");
    if (!mapper.status().ok()) return;
    float number = 0;
    std::memcpy(&number, bytes->data(), sizeof(number));
    value = mapper.Float32(number);
  }
  mapper.Emit(OperationType::PAD_V2, {input, paddings, value});
}

// Reductions whose flag for dimensions of size 1 is a BOOL.
template <OperationType kType>
void MapReduction(OperatorMapper& mapper) {
  const auto* options = mapper.OptionsOrNull<tflite::ReducerOptions>();
  const uint32_t input = mapper.Input(0);
  const uint32_t axes = mapper.IntegerVector(1);
  mapper.Emit(kType, {input, axes, mapper.Bool(options != nullptr && options->keep_dims())},
              InReals::kIfNeeded);
}

void MapMean(OperatorMapper& mapper) {
  const auto* options = mapper.OptionsOrNull<tflite::ReducerOptions>();
  const uint32_t input = mapper.Input(0);
  const uint32_t axes = mapper.IntegerVector(1);
  const bool keeps = options != nullptr && options->keep_dims();
  mapper.Emit(OperationType::MEAN, {input, axes, mapper.Int32(keeps ? 1 : 0)});
}

template <OperationType kType>
void MapArgument(OperatorMapper& mapper) {
  mapper.Demand(mapper.OutputTensor().type == tflite::TensorType::INT32,
                "its output is not of INT32, as the HAL's is");
  const uint32_t input = mapper.Input(0);
  mapper.Emit(kType, {input, mapper.Int32(mapper.Integer(1))});
}

void MapTopK(OperatorMapper& mapper) {
  const uint32_t input = mapper.Input(0);
  mapper.Emit(OperationType::TOPK_V2, {input, mapper.Int32(mapper.Integer(1))});
}

void MapConcatenation(OperatorMapper& mapper) {
  const auto* options = mapper.RequiredOptions<tflite::ConcatenationOptions>();
  std::vector<uint32_t> inputs;
  for (size_t i = 0; i < mapper.inputs() && mapper.status().ok(); ++i) {
    inputs.push_back(mapper.Input(i));
  }
  mapper.Demand(!inputs.empty(), "it has no inputs");
  if (options == nullptr || !mapper.status().ok()) return;
  mapper.Demand(options->fused_activation_function() == tflite::ActivationFunctionType::NONE,
                "it has a fused activation, which the HAL does not fuse with it");
  inputs.push_back(mapper.Int32(mapper.Axis(options->axis(), mapper.RankOf(inputs[0]))));
  mapper.Emit(OperationType::CONCATENATION, inputs);
}

void MapPack(OperatorMapper& mapper) {
  const auto* options = mapper.RequiredOptions<tflite::PackOptions>();
  std::vector<uint32_t> slices;
  for (size_t i = 0; i < mapper.inputs() && mapper.status().ok(); ++i) {
    slices.push_back(mapper.Input(i));
  }
  mapper.Demand(!slices.empty(), "it has no inputs");
  if (options == nullptr || !mapper.status().ok()) return;
  const int32_t axis = mapper.Axis(options->axis(), mapper.RankOf(slices[0]) + 1);
  for (uint32_t& slice : slices) {
    slice =
        mapper.Apply(OperationType::EXPAND_DIMS, {slice, mapper.Int32(axis)}, mapper.SpecOf(slice));
  }
  slices.push_back(mapper.Int32(axis));
  mapper.Emit(OperationType::CONCATENATION, slices);
}

void MapUnpack(OperatorMapper& mapper) {
  const auto* options = mapper.RequiredOptions<tflite::UnpackOptions>();
  const uint32_t input = mapper.Input(0);
  if (options == nullptr || !mapper.status().ok()) return;
  const int32_t axis = mapper.Axis(options->axis(), mapper.RankOf(input));
  const std::vector<uint32_t> slices = mapper.ApplyAll(
      OperationType::SPLIT,
      {input, mapper.Int32(axis), mapper.Int32(static_cast<int32_t>(mapper.outputs()))},
      std::vector<OperandSpec>(mapper.outputs(), mapper.SpecOf(input)));
  std::vector<uint32_t> dimensions = mapper.SpecOf(input).dimensions;
  if (!mapper.status().ok()) return;
  mapper.Demand(dimensions[axis] == slices.size(),
                "it has another number of outputs than its input has slices");
  dimensions.erase(dimensions.begin() + axis);
  if (dimensions.empty()) dimensions = {1};
  for (size_t i = 0; i < slices.size(); ++i) {
    mapper.Deliver(mapper.Reshaped(slices[i], dimensions), i);
  }
}

void MapSplit(OperatorMapper& mapper) {
  const int32_t axis = mapper.Integer(0);
  const uint32_t input = mapper.Input(1);
  mapper.Emit(OperationType::SPLIT,
              {input, mapper.Int32(axis), mapper.Int32(static_cast<int32_t>(mapper.outputs()))});
}

void MapSplitV(OperatorMapper& mapper) {
  const uint32_t input = mapper.Input(0);
  std::vector<int32_t> sizes = mapper.Integers(1, mapper.outputs());
  const size_t rank = mapper.RankOf(input);
  const int32_t axis = mapper.Axis(mapper.Integer(2), rank);
  // One of the sizes may be -1: what the others leave.
  int64_t left = mapper.DimensionOf(input, axis);
  for (const int32_t size : sizes) left -= std::max(size, 0);
  std::replace(sizes.begin(), sizes.end(), -1, static_cast<int32_t>(std::max<int64_t>(left, 0)));
  std::vector<int32_t> begin(rank, 0);
  std::vector<int32_t> size(rank, -1);
  for (size_t i = 0; i < sizes.size() && mapper.status().ok(); ++i) {
    size[axis] = sizes[i];
    mapper.Deliver(mapper.Apply(OperationType::SLICE,
                                {input, mapper.Int32Vector(begin), mapper.Int32Vector(size)},
                                mapper.SpecOf(input)),
                   i);
    // A slice beyond the input is refused before this can overflow.
    if (mapper.status().ok()) begin[axis] += sizes[i];
  }
}

void MapSlice(OperatorMapper& mapper) {
  const uint32_t input = mapper.Input(0);
  const uint32_t begin = mapper.IntegerVector(1);
  mapper.Emit(OperationType::SLICE, {input, begin, mapper.IntegerVector(2)});
}

void MapStridedSlice(OperatorMapper& mapper) {
  const auto* options = mapper.RequiredOptions<tflite::StridedSliceOptions>();
  const uint32_t input = mapper.Input(0);
  const uint32_t begin = mapper.IntegerVector(1);
  const uint32_t end = mapper.IntegerVector(2);
  const uint32_t strides = mapper.IntegerVector(3);
  if (options == nullptr) return;
  mapper.Demand(options->ellipsis_mask() == 0, "it has an ellipsis, which the HAL has not");
  mapper.Demand(options->new_axis_mask() == 0, "it makes new axes, which the HAL does not");
  mapper.Demand(!options->offset(), "its end is counted from its begin, which the HAL does not");
  mapper.Emit(OperationType::STRIDED_SLICE,
              {input, begin, end, strides, mapper.Int32(options->begin_mask()),
               mapper.Int32(options->end_mask()), mapper.Int32(options->shrink_axis_mask())});
}

void MapGather(OperatorMapper& mapper) {
  const auto* options = mapper.OptionsOrNull<tflite::GatherOptions>();
  mapper.Demand(options == nullptr || options->batch_dims() == 0,
                "it has batch dimensions, which the HAL has not");
  const uint32_t input = mapper.Input(0);
  const uint32_t axis = mapper.Int32(options == nullptr ? 0 : options->axis());
  mapper.Emit(OperationType::GATHER, {input, axis, mapper.Input(1)});
}

void MapDepthToSpace(OperatorMapper& mapper) {
  const auto* options = mapper.RequiredOptions<tflite::DepthToSpaceOptions>();
  if (options == nullptr) return;
  mapper.Emit(OperationType::DEPTH_TO_SPACE,
              {mapper.Input(0), mapper.Int32(options->block_size())});
}

void MapSpaceToDepth(OperatorMapper& mapper) {
  const auto* options = mapper.RequiredOptions<tflite::SpaceToDepthOptions>();
  if (options == nullptr) return;
  mapper.Emit(OperationType::SPACE_TO_DEPTH,
              {mapper.Input(0), mapper.Int32(options->block_size())});
}

void MapSpaceToBatch(OperatorMapper& mapper) {
  const uint32_t input = mapper.Input(0);
  const uint32_t blocks = mapper.Input(1);
  mapper.Emit(OperationType::SPACE_TO_BATCH_ND, {input, blocks, mapper.Input(2)});
}

void MapBatchToSpace(OperatorMapper& mapper) {
  const std::vector<int32_t> crops = mapper.Integers(2);
  mapper.Demand(std::all_of(crops.begin(), crops.end(), [](int32_t crop) { return crop == 0; }),
                "it crops, which the HAL does not");
  const uint32_t input = mapper.Input(0);
  mapper.Emit(OperationType::BATCH_TO_SPACE_ND, {input, mapper.Input(1)});
}

// The sizes that resized images are to have, as the HAL has them: the width first.
std::vector<uint32_t> ResizeInputs(OperatorMapper& mapper, bool aligns_corners,
                                   bool has_half_pixels) {
  mapper.Demand(!aligns_corners, "it aligns corners, which is in the HAL since 1.3");
  mapper.Demand(!has_half_pixels, "its pixels have their centres at 0.5, as in the HAL since 1.3");
  const std::vector<int32_t> size = mapper.Integers(1, 2);
  return {mapper.Input(0), mapper.Int32(size[1]), mapper.Int32(size[0])};
}

void MapResizeBilinear(OperatorMapper& mapper) {
  const auto* options = mapper.RequiredOptions<tflite::ResizeBilinearOptions>();
  if (options == nullptr) return;
  mapper.Emit(OperationType::RESIZE_BILINEAR,
              ResizeInputs(mapper, options->align_corners(), options->half_pixel_centers()));
}

void MapResizeNearest(OperatorMapper& mapper) {
  const auto* options = mapper.RequiredOptions<tflite::ResizeNearestNeighborOptions>();
  if (options == nullptr) return;
  std::vector<uint32_t> inputs =
      ResizeInputs(mapper, options->align_corners(), options->half_pixel_centers());
  inputs.push_back(mapper.Bool(false));
  mapper.Emit(OperationType::RESIZE_NEAREST_NEIGHBOR, inputs);
}

constexpr OperatorMapping kMappings[] = {
    {BuiltinOperator::ARG_MAX, &MapArgument<OperationType::ARGMAX>},
    {BuiltinOperator::ARG_MIN, &MapArgument<OperationType::ARGMIN>},
    {BuiltinOperator::BATCH_TO_SPACE_ND, &MapBatchToSpace},
    {BuiltinOperator::CONCATENATION, &MapConcatenation},
    {BuiltinOperator::DEPTH_TO_SPACE, &MapDepthToSpace},
    {BuiltinOperator::EXPAND_DIMS, &MapExpandDims},
    {BuiltinOperator::GATHER, &MapGather},
    {BuiltinOperator::MEAN, &MapMean},
    {BuiltinOperator::PACK, &MapPack},
    {BuiltinOperator::PAD, &MapWithIntegers<OperationType::PAD>},
    {BuiltinOperator::PADV2, &MapPadV2},
    {BuiltinOperator::REDUCE_ALL, &MapReduction<OperationType::REDUCE_ALL>},
    {BuiltinOperator::REDUCE_ANY, &MapReduction<OperationType::REDUCE_ANY>},
    {BuiltinOperator::REDUCE_MAX, &MapReduction<OperationType::REDUCE_MAX>},
    {BuiltinOperator::REDUCE_MIN, &MapReduction<OperationType::REDUCE_MIN>},
    {BuiltinOperator::REDUCE_PROD, &MapReduction<OperationType::REDUCE_PROD>},
    {BuiltinOperator::SUM, &MapReduction<OperationType::REDUCE_SUM>},
    {BuiltinOperator::RESHAPE, &MapReshape},
    {BuiltinOperator::RESIZE_BILINEAR, &MapResizeBilinear},
    {BuiltinOperator::RESIZE_NEAREST_NEIGHBOR, &MapResizeNearest},
    {BuiltinOperator::SLICE, &MapSlice},
    {BuiltinOperator::SPACE_TO_BATCH_ND, &MapSpaceToBatch},
    {BuiltinOperator::SPACE_TO_DEPTH, &MapSpaceToDepth},
    {BuiltinOperator::SPLIT, &MapSplit},
    {BuiltinOperator::SPLIT_V, &MapSplitV},
    {BuiltinOperator::SQUEEZE, &MapSqueeze},
    {BuiltinOperator::STRIDED_SLICE, &MapStridedSlice},
    {BuiltinOperator::TILE, &MapWithIntegers<OperationType::TILE>},
    {BuiltinOperator::TOPK_V2, &MapTopK},
    {BuiltinOperator::TRANSPOSE, &MapWithIntegers<OperationType::TRANSPOSE>},
    {BuiltinOperator::UNPACK, &MapUnpack},
};

}  // namespace

absl::Span<const OperatorMapping> RearrangingMappings() { return kMappings; }

}  // namespace nncert
