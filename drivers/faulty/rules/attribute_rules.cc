// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Rules about attributes: strides, paddings, axes, layouts, activations, thresholds.

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <utility>

#include "drivers/faulty/rules/rule.h"
#include "reference/calls/windows.h"

namespace nncert::faulty {
namespace {

constexpr int32_t kRelu = 1;
constexpr int32_t kRelu1 = 2;
constexpr int32_t kRelu6 = 3;
constexpr int32_t kGreatest = std::numeric_limits<int32_t>::max();

bool Is(const OperationCall& call, std::initializer_list<OperationType> types) {
  return std::find(types.begin(), types.end(), call.definition->type) != types.end();
}

// Changes the values of a TENSOR_INT32 or an INT32 or BOOL scalar, if there is one.
template <typename Change>
bool ChangeIntegers(OperationCall& call, std::string_view slot, Change change) {
  ValuedOperand* const value = call.Find(slot);
  if (value == nullptr || IsFloat(*value) || value->bytes.empty()) return false;
  const std::vector<int64_t> before = IntegersOf(*value);
  std::vector<int64_t> after = before;
  change(after);
  SetIntegers(*value, after);
  return after != before;
}

bool SwapPairs(OperationCall& call, std::string_view slot) {
  return ChangeIntegers(call, slot, [](std::vector<int64_t>& values) {
    for (size_t i = 0; i + 1 < values.size(); i += 2) std::swap(values[i], values[i + 1]);
  });
}

bool Reverse(OperationCall& call, std::string_view slot) {
  return ChangeIntegers(
      call, slot, [](std::vector<int64_t>& values) { std::reverse(values.begin(), values.end()); });
}

bool SetAll(OperationCall& call, std::string_view slot, int64_t to) {
  return ChangeIntegers(call, slot, [to](std::vector<int64_t>& values) {
    std::fill(values.begin(), values.end(), to);
  });
}

template <typename Change>
bool ChangePaddings(OperationCall& call, Change change) {
  const std::optional<Paddings> paddings = PaddingsOf(call);
  if (!paddings.has_value()) return false;
  Paddings changed = *paddings;
  change(changed);
  if (changed.left == paddings->left && changed.right == paddings->right &&
      changed.top == paddings->top && changed.bottom == paddings->bottom) {
    return false;
  }
  SetPaddings(call, changed);
  return true;
}

bool HasExplicitPadding(const OperationCall& call) {
  return call.Integer("paddingLeft").has_value();
}

// The first tensor's elements of the last three dimensions in another order: what is [C, H, W] is
// read as if it were [H, W, C].
bool ReadChannelsLast(OperationCall& call) {
  ValuedOperand& image = call.FirstTensor();
  if (image.operand.dimensions.size() != 4) return false;
  const size_t channels = image.operand.dimensions[1];
  const size_t pixels = ProductOfDimensions(image, 2, 4);
  if (channels < 2 || pixels < 2) return false;
  Rearrange(image, [channels, pixels](size_t i) {
    const size_t batch = i / (channels * pixels);
    const size_t channel = i / pixels % channels;
    return (batch * pixels + i % pixels) * channels + channel;
  });
  return true;
}

// The first tensor, of sequences, with steps and batches exchanged.
bool ExchangeStepsAndBatches(OperationCall& call) {
  ValuedOperand& sequences = call.FirstTensor();
  if (sequences.operand.dimensions.size() != 3) return false;
  const size_t outer = sequences.operand.dimensions[0];
  const size_t inner = sequences.operand.dimensions[1];
  const size_t size = sequences.operand.dimensions[2];
  if (outer < 2 || inner < 2) return false;
  Rearrange(sequences, [outer, inner, size](size_t i) {
    const size_t vector = i / size;
    return (vector % inner * outer + vector / inner) * size + i % size;
  });
  return true;
}

bool ClipAtNothing(OperationCall& call, std::string_view slot) {
  const ValuedOperand* const clip = call.Find(slot);
  if (clip == nullptr || RealsOf(*clip) == std::vector<double>{0}) return false;
  return call.SetReal(slot, 0);
}

// Sets a scalar that is a real number. Returns whether it was another one.
bool ChangeReal(OperationCall& call, std::string_view slot, double to) {
  const ValuedOperand* const value = call.Find(slot);
  if (value == nullptr || value->is_tensor() || !IsFloat(*value)) return false;
  return RealsOf(*value) != std::vector<double>{to} && call.SetReal(slot, to);
}

bool SwapReals(OperationCall& call, std::string_view a, std::string_view b) {
  ValuedOperand* const first = call.Find(a);
  ValuedOperand* const second = call.Find(b);
  if (first == nullptr || second == nullptr || first->bytes == second->bytes) return false;
  std::swap(first->bytes, second->bytes);
  return true;
}

constexpr Rule kRules[] = {
    // Windows.
    {.name = "strides_swapped",
     .fault_class = FaultClass::kAttribute,
     .breaks = "Takes the stride along the width for that along the height, and the other way "
               "round.",
     .misread =
         [](OperationCall& call) { return call.SwapIntegers("strideWidth", "strideHeight"); }},
    {.name = "strides_ignored",
     .fault_class = FaultClass::kAttribute,
     .breaks = "Moves windows by one pixel, whatever the strides are.",
     .misread =
         [](OperationCall& call) {
           const bool is_wider = call.SetInteger("strideWidth", 1);
           return call.SetInteger("strideHeight", 1) || is_wider;
         }},
    {.name = "window_swapped",
     .fault_class = FaultClass::kAttribute,
     .breaks = "Takes the width of pooling windows for their height, and the other way round.",
     .misread =
         [](OperationCall& call) { return call.SwapIntegers("filterWidth", "filterHeight"); }},
    {.name = "dilation_ignored",
     .fault_class = FaultClass::kAttribute,
     .breaks = "Convolves without dilation.",
     .misread =
         [](OperationCall& call) {
           const bool is_wider = call.SetInteger("dilationWidth", 1);
           return call.SetInteger("dilationHeight", 1) || is_wider;
         }},
    {.name = "dilation_swapped",
     .fault_class = FaultClass::kAttribute,
     .breaks = "Takes the dilation along the width for that along the height, and the other way "
               "round.",
     .misread =
         [](OperationCall& call) { return call.SwapIntegers("dilationWidth", "dilationHeight"); }},
    {.name = "padding_sides_swapped",
     .fault_class = FaultClass::kAttribute,
     .breaks =
         "Pads at the right by what is meant for the left, and at the bottom by what is meant "
         "for the top, and the other way round; explicit padding alone.",
     .misread =
         [](OperationCall& call) {
           if (!HasExplicitPadding(call)) return false;
           const bool is_moved = call.SwapIntegers("paddingLeft", "paddingRight");
           return call.SwapIntegers("paddingTop", "paddingBottom") || is_moved;
         }},
    {.name = "padding_axes_swapped",
     .fault_class = FaultClass::kAttribute,
     .breaks = "Pads along the height by what is meant for the width, and the other way round; "
               "explicit padding alone.",
     .misread =
         [](OperationCall& call) {
           if (!HasExplicitPadding(call)) return false;
           const bool is_moved = call.SwapIntegers("paddingLeft", "paddingTop");
           return call.SwapIntegers("paddingRight", "paddingBottom") || is_moved;
         }},
    {.name = "padding_ignored",
     .fault_class = FaultClass::kAttribute,
     .breaks = "Applies explicit padding nowhere.",
     .misread =
         [](OperationCall& call) {
           if (!HasExplicitPadding(call)) return false;
           return ChangePaddings(call, [](Paddings& paddings) { paddings = {}; });
         }},
    {.name = "padding_same_as_valid",
     .fault_class = FaultClass::kAttribute,
     .breaks = "Takes the padding scheme SAME for VALID.",
     .misread =
         [](OperationCall& call) {
           constexpr int32_t kSame = 1;
           constexpr int32_t kValid = 2;
           return call.Integer("paddingScheme") == kSame &&
                  call.SetInteger("paddingScheme", kValid);
         }},
    {.name = "padding_same_at_front",
     .fault_class = FaultClass::kAttribute,
     .breaks = "Puts the odd pixel of the padding scheme SAME before the image, not behind it.",
     .misread =
         [](OperationCall& call) {
           if (HasExplicitPadding(call)) return false;
           return ChangePaddings(call, [](Paddings& paddings) {
             std::swap(paddings.left, paddings.right);
             std::swap(paddings.top, paddings.bottom);
           });
         }},
    {.name = "pooling_counts_padding",
     .fault_class = FaultClass::kAttribute,
     .breaks = "Divides by the size of the whole window in AVERAGE_POOL_2D and L2_POOL_2D where a "
               "part of it lies in the padding.",
     .misread =
         [](OperationCall& call) {
           const std::optional<Paddings> paddings = PaddingsOf(call);
           if (!Is(call, {OperationType::AVERAGE_POOL_2D, OperationType::L2_POOL_2D}) ||
               !paddings.has_value()) {
             return false;
           }
           if (!PadImage(call, *paddings, 0)) return false;
           SetPaddings(call, {});
           return true;
         }},
    {.name = "max_pool_pads_with_zero",
     .fault_class = FaultClass::kAttribute,
     .breaks = "Lets the padding take part in MAX_POOL_2D as if it were zeros.",
     .misread =
         [](OperationCall& call) {
           const std::optional<Paddings> paddings = PaddingsOf(call);
           if (!Is(call, {OperationType::MAX_POOL_2D}) || !paddings.has_value()) return false;
           if (!PadImage(call, *paddings, 0)) return false;
           SetPaddings(call, {});
           return true;
         }},
    {.name = "filter_size_misses_last_row",
     .fault_class = FaultClass::kAttribute,
     .breaks = "Pools windows that are one pixel less high.",
     .misread =
         [](OperationCall& call) {
           const std::optional<int32_t> height = call.Integer("filterHeight");
           return height.value_or(1) > 1 && call.SetInteger("filterHeight", *height - 1);
         }},
    // Layouts of data.
    {.name = "layout_ignored",
     .fault_class = FaultClass::kAttribute,
     .breaks = "Reads the elements of NCHW images in the order of NHWC.",
     .misread =
         [](OperationCall& call) {
           return call.Integer("layout").value_or(0) != 0 && ReadChannelsLast(call);
         }},
    {.name = "time_major_ignored",
     .fault_class = FaultClass::kAttribute,
     .breaks = "Reads time-major sequences in the order of batch-major ones.",
     .misread =
         [](OperationCall& call) {
           const bool is_time_major = call.Integer("timeMajor").value_or(0) != 0 ||
                                      call.Integer("time_major").value_or(0) != 0;
           return is_time_major && ExchangeStepsAndBatches(call);
         }},
    {.name = "depth_multiplier_outermost",
     .fault_class = FaultClass::kAttribute,
     .breaks =
         "Takes the weights of DEPTHWISE_CONV_2D to be in the order of the multiplier, then of "
         "the input channel.",
     .misread =
         [](OperationCall& call) {
           ValuedOperand* const filter = call.Find("filter");
           const size_t multiplier =
               static_cast<size_t>(std::max(call.Integer("depthMultiplier").value_or(1), 1));
           if (filter == nullptr || filter->operand.dimensions.size() != 4) return false;
           const size_t channels = filter->operand.dimensions[3];
           const size_t depth = channels / multiplier;
           if (multiplier < 2 || depth < 2) return false;
           Rearrange(*filter, [&](size_t i) {
             const size_t channel = i % channels;
             return i - channel + channel % multiplier * depth + channel / multiplier;
           });
           return true;
         }},
    {.name = "groups_interleaved",
     .fault_class = FaultClass::kAttribute,
     .breaks = "Deals the input channels of GROUPED_CONV_2D out to the groups in turn.",
     .misread =
         [](OperationCall& call) {
           ValuedOperand& image = call.FirstTensor();
           const size_t groups =
               static_cast<size_t>(std::max(call.Integer("groups").value_or(1), 1));
           if (groups < 2 || image.operand.dimensions.size() != 4) return false;
           const ImageAxes axes = AxesOf(call);
           const size_t channels = image.operand.dimensions[axes.channels];
           const size_t depth = channels / groups;
           if (depth < 2) return false;
           const size_t inner = ProductOfDimensions(image, axes.channels + 1, 4);
           Rearrange(image, [&](size_t i) {
             const size_t channel = i / inner % channels;
             const size_t source = channel % depth * groups + channel / depth;
             return i + source * inner - channel * inner;
           });
           return true;
         }},
    {.name = "groups_as_size",
     .fault_class = FaultClass::kAttribute,
     .breaks = "Takes the number of groups of CHANNEL_SHUFFLE for the size of a group.",
     .misread =
         [](OperationCall& call) {
           const int32_t groups = call.Integer("numGroups").value_or(0);
           const ValuedOperand& input = call.FirstTensor();
           int32_t axis = call.Integer("axis").value_or(0);
           const auto rank = static_cast<int32_t>(input.operand.dimensions.size());
           axis = CanonicalAxis(axis, rank);
           if (groups < 1 || axis < 0) return false;
           return call.SetInteger("numGroups",
                                  static_cast<int32_t>(input.operand.dimensions[axis]) / groups);
         }},
    {.name = "blocks_transposed",
     .fault_class = FaultClass::kAttribute,
     .breaks = "Takes the height of blocks for their width in BATCH_TO_SPACE_ND and "
               "SPACE_TO_BATCH_ND, and the other way round.",
     .misread = [](OperationCall& call) { return Reverse(call, "blockSizes"); }},
    {.name = "depth_blocks_outermost",
     .fault_class = FaultClass::kAttribute,
     .breaks =
         "Takes the channels of DEPTH_TO_SPACE to be in the order of the output channel, then "
         "of the place in the block.",
     .misread =
         [](OperationCall& call) {
           ValuedOperand& image = call.FirstTensor();
           const size_t block =
               static_cast<size_t>(std::max(call.Integer("blockSize").value_or(1), 1));
           if (!Is(call, {OperationType::DEPTH_TO_SPACE}) || image.operand.dimensions.size() != 4) {
             return false;
           }
           const ImageAxes axes = AxesOf(call);
           const size_t channels = image.operand.dimensions[axes.channels];
           const size_t places = block * block;
           const size_t depth = channels / places;
           if (places < 2 || depth < 2) return false;
           const size_t inner = ProductOfDimensions(image, axes.channels + 1, 4);
           Rearrange(image, [&](size_t i) {
             const size_t channel = i / inner % channels;
             const size_t source = channel % depth * places + channel / depth;
             return i + source * inner - channel * inner;
           });
           return true;
         }},
    // Axes.
    {.name = "axis_next",
     .fault_class = FaultClass::kAttribute,
     .breaks =
         "Works along the axis behind the one that is asked for, the first one behind the last.",
     .misread =
         [](OperationCall& call) {
           const auto rank = static_cast<int32_t>(call.FirstTensor().operand.dimensions.size());
           const std::optional<int32_t> axis = call.Integer("axis");
           if (!axis.has_value() || rank < 2 || CanonicalAxis(*axis, rank) < 0) return false;
           return call.SetInteger("axis", (CanonicalAxis(*axis, rank) + 1) % rank);
         }},
    {.name = "axis_ignored",
     .fault_class = FaultClass::kAttribute,
     .breaks = "Works along the last axis, whichever is asked for.",
     .misread =
         [](OperationCall& call) {
           const auto rank = static_cast<int32_t>(call.FirstTensor().operand.dimensions.size());
           const std::optional<int32_t> axis = call.Integer("axis");
           if (!axis.has_value() || CanonicalAxis(*axis, rank) == rank - 1) return false;
           return call.SetInteger("axis", rank - 1);
         }},
    {.name = "negative_axis_as_zero",
     .fault_class = FaultClass::kAttribute,
     .breaks = "Takes a negative axis for axis 0.",
     .misread =
         [](OperationCall& call) {
           return call.Integer("axis").value_or(0) < 0 && call.SetInteger("axis", 0);
         }},
    {.name = "axes_reduced_to_first",
     .fault_class = FaultClass::kAttribute,
     .breaks = "Reduces along the first of several axes alone.",
     .misread =
         [](OperationCall& call) {
           return ChangeIntegers(call, "axes", [](std::vector<int64_t>& axes) {
             if (!axes.empty()) std::fill(axes.begin(), axes.end(), axes.front());
           });
         }},
    {.name = "permutation_inverted",
     .fault_class = FaultClass::kAttribute,
     .breaks = "Transposes by the inverse of the permutation.",
     .misread =
         [](OperationCall& call) {
           return ChangeIntegers(call, "permutation", [](std::vector<int64_t>& permutation) {
             const std::vector<int64_t> original = permutation;
             for (size_t i = 0; i < original.size(); ++i) {
               permutation[original[i]] = static_cast<int64_t>(i);
             }
           });
         }},
    {.name = "multiples_reversed",
     .fault_class = FaultClass::kAttribute,
     .breaks = "Reads the multiples of TILE from the innermost dimension on.",
     .misread = [](OperationCall& call) { return Reverse(call, "multiples"); }},
    // Places and sizes.
    {.name = "pad_sides_swapped",
     .fault_class = FaultClass::kAttribute,
     .breaks =
         "Pads behind by what is meant for before in PAD, PAD_V2 and SPACE_TO_BATCH_ND, and the "
         "other way round.",
     .misread = [](OperationCall& call) { return SwapPairs(call, "paddings"); }},
    {.name = "pad_value_ignored",
     .fault_class = FaultClass::kAttribute,
     .breaks = "Pads with zero in PAD_V2, whatever the value is.",
     .misread =
         [](OperationCall& call) {
           return ChangeReal(call, "padValue", 0) ||
                  (call.definition->type == OperationType::PAD_V2 &&
                   call.SetInteger("padValue", call.FirstTensor().operand.zeroPoint));
         }},
    {.name = "begin_ignored",
     .fault_class = FaultClass::kAttribute,
     .breaks = "Takes slices from the first element on.",
     .misread =
         [](OperationCall& call) {
           return call.definition->type == OperationType::SLICE && SetAll(call, "begin", 0);
         }},
    {.name = "begin_mask_ignored",
     .fault_class = FaultClass::kAttribute,
     .breaks = "Reads STRIDED_SLICE's begin where beginMask says not to.",
     .misread = [](OperationCall& call) { return call.SetInteger("beginMask", 0); }},
    {.name = "end_mask_ignored",
     .fault_class = FaultClass::kAttribute,
     .breaks = "Reads STRIDED_SLICE's end where endMask says not to.",
     .misread = [](OperationCall& call) { return call.SetInteger("endMask", 0); }},
    {.name = "slice_strides_ignored",
     .fault_class = FaultClass::kAttribute,
     .breaks = "Takes every element in STRIDED_SLICE that has positive strides.",
     .misread =
         [](OperationCall& call) {
           return ChangeIntegers(call, "strides", [](std::vector<int64_t>& strides) {
             for (int64_t& stride : strides) stride = std::min<int64_t>(stride, 1);
           });
         }},
    {.name = "slice_backwards_as_forwards",
     .fault_class = FaultClass::kAttribute,
     .breaks = "Takes the elements of STRIDED_SLICE forwards where a stride is negative.",
     .output =
         [](const OperationCall& call, ValuedOperand& output) {
           const ValuedOperand* const strides = call.Find("strides");
           if (strides == nullptr) return;
           const std::vector<int64_t> steps = IntegersOf(*strides);
           if (std::none_of(steps.begin(), steps.end(), [](int64_t step) { return step < 0; })) {
             return;
           }
           const size_t count = output.count();
           Rearrange(output, [count](size_t i) { return count - 1 - i; });
         }},
    {.name = "resize_axes_swapped",
     .fault_class = FaultClass::kAttribute,
     .breaks = "Takes the new width of RESIZE_BILINEAR and RESIZE_NEAREST_NEIGHBOR for the new "
               "height, and the other way round.",
     .misread =
         [](OperationCall& call) {
           return call.SwapIntegers("width", "height") ||
                  SwapReals(call, "widthScale", "heightScale");
         }},
    {.name = "split_order_reversed",
     .fault_class = FaultClass::kAttribute,
     .breaks = "Gives the parts of SPLIT in reverse order.",
     .operation = [](OperationCall& call, Compute compute) -> absl::Status {
       if (absl::Status status = compute(call); !status.ok()) return status;
       if (!Is(call, {OperationType::SPLIT})) return absl::OkStatus();
       for (size_t i = 0; 2 * i + 1 < call.outputs.size(); ++i) {
         std::swap(call.outputs[i].bytes, call.outputs[call.outputs.size() - 1 - i].bytes);
       }
       return absl::OkStatus();
     }},
    // Numbers.
    {.name = "beta_ignored",
     .fault_class = FaultClass::kAttribute,
     .breaks = "Takes beta for 1 in SOFTMAX, LOG_SOFTMAX and LOCAL_RESPONSE_NORMALIZATION.",
     .misread =
         [](OperationCall& call) {
           return Is(call, {OperationType::SOFTMAX, OperationType::LOG_SOFTMAX,
                            OperationType::LOCAL_RESPONSE_NORMALIZATION}) &&
                  ChangeReal(call, "beta", 1);
         }},
    {.name = "gamma_ignored",
     .fault_class = FaultClass::kAttribute,
     .breaks = "Takes gamma for 1 in INSTANCE_NORMALIZATION.",
     .misread = [](OperationCall& call) { return ChangeReal(call, "gamma", 1); }},
    {.name = "epsilon_ignored",
     .fault_class = FaultClass::kAttribute,
     .breaks = "Takes epsilon for 0 in INSTANCE_NORMALIZATION.",
     .misread = [](OperationCall& call) { return ChangeReal(call, "epsilon", 0); }},
    {.name = "radius_one_more",
     .fault_class = FaultClass::kAttribute,
     .breaks = "Sums one more neighbour on each side in LOCAL_RESPONSE_NORMALIZATION.",
     .misread =
         [](OperationCall& call) {
           const std::optional<int32_t> radius = call.Integer("radius");
           return radius.value_or(kGreatest) < kGreatest && call.SetInteger("radius", *radius + 1);
         }},
    {.name = "cell_clip_ignored",
     .fault_class = FaultClass::kAttribute,
     .breaks = "Does not clip the cell state of LSTM operations.",
     .misread = [](OperationCall& call) { return ClipAtNothing(call, "cell_clip"); }},
    {.name = "projection_clip_ignored",
     .fault_class = FaultClass::kAttribute,
     .breaks = "Does not clip the projection of LSTM operations.",
     .misread = [](OperationCall& call) { return ClipAtNothing(call, "projection_clip"); }},
    {.name = "k_ignored",
     .fault_class = FaultClass::kAttribute,
     .breaks = "Looks for the greatest element alone in TOPK_V2.",
     .misread = [](OperationCall& call) { return call.SetInteger("k", 1); }},
    // Boxes.
    {.name = "ratios_swapped",
     .fault_class = FaultClass::kAttribute,
     .breaks = "Takes the ratio of heights for that of widths in ROI_ALIGN, ROI_POOLING and "
               "GENERATE_PROPOSALS, and the other way round.",
     .misread = [](OperationCall& call) { return SwapReals(call, "heightRatio", "widthRatio"); }},
    {.name = "samples_ignored",
     .fault_class = FaultClass::kAttribute,
     .breaks = "Takes one sample in each cell of ROI_ALIGN.",
     .misread =
         [](OperationCall& call) {
           const bool is_changed = call.SetInteger("heightSamples", 1);
           return call.SetInteger("widthSamples", 1) || is_changed;
         }},
    {.name = "overlap_threshold_ignored",
     .fault_class = FaultClass::kAttribute,
     .breaks = "Suppresses no box that overlaps a better one.",
     .misread = [](OperationCall& call) { return ChangeReal(call, "overlapThreshold", 1); }},
    {.name = "score_threshold_ignored",
     .fault_class = FaultClass::kAttribute,
     .breaks = "Keeps boxes whatever their score.",
     .misread = [](OperationCall& call) { return ChangeReal(call, "scoreThreshold", 0); }},
    {.name = "suppression_kernel_hard",
     .fault_class = FaultClass::kAttribute,
     .breaks = "Takes the hard kernel in BOX_WITH_NMS_LIMIT, whichever is asked for.",
     .misread = [](OperationCall& call) { return call.SetInteger("kernel", 0); }},
    // Activations.
    {.name = "activation_dropped",
     .fault_class = FaultClass::kActivation,
     .breaks = "Applies no fused activation.",
     .misread = [](OperationCall& call) { return call.SetInteger("activation", 0); }},
    {.name = "relu1_as_relu",
     .fault_class = FaultClass::kActivation,
     .breaks = "Takes the fused activation RELU1 for RELU.",
     .misread =
         [](OperationCall& call) {
           return call.Integer("activation") == kRelu1 && call.SetInteger("activation", kRelu);
         }},
    {.name = "relu6_as_relu",
     .fault_class = FaultClass::kActivation,
     .breaks = "Takes the fused activation RELU6 for RELU.",
     .misread =
         [](OperationCall& call) {
           return call.Integer("activation") == kRelu6 && call.SetInteger("activation", kRelu);
         }},
    {.name = "relu_as_relu6",
     .fault_class = FaultClass::kActivation,
     .breaks = "Takes the fused activation RELU for RELU6.",
     .misread =
         [](OperationCall& call) {
           return call.Integer("activation") == kRelu && call.SetInteger("activation", kRelu6);
         }},
};

}  // namespace

absl::Span<const Rule> AttributeRules() { return kRules; }

}  // namespace nncert::faulty
