// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Rules about operands: inputs that are ignored, exchanged or read in another order, and the
// quantization they are read with.

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

#include "drivers/faulty/rules/rule.h"

namespace nncert::faulty {
namespace {

bool SetZero(ValuedOperand* value) {
  if (value == nullptr || !value->is_tensor() || value->bytes.empty()) return false;
  const std::vector<uint8_t> before = value->bytes;
  SetReals(*value, std::vector<double>(value->count(), 0));
  return value->bytes != before;
}

// Makes every tensor in a slot whose name ends in one of the endings zero.
template <size_t kCount>
bool SetZeroBySlot(OperationCall& call, const std::array<std::string_view, kCount>& endings) {
  bool is_changed = false;
  for (const OperandRule& rule : call.definition->signature.inputs) {
    for (const std::string_view ending : endings) {
      const std::string_view name = rule.name();
      if (name.size() < ending.size() || name.substr(name.size() - ending.size()) != ending) {
        continue;
      }
      is_changed |= SetZero(call.Find(name));
    }
  }
  return is_changed;
}

// Exchanges two tensors of one type.
bool Exchange(OperationCall& call, std::string_view a, std::string_view b) {
  ValuedOperand* const first = call.Find(a);
  ValuedOperand* const second = call.Find(b);
  if (first == nullptr || second == nullptr) return false;
  std::swap(first->operand.dimensions, second->operand.dimensions);
  std::swap(first->operand.scale, second->operand.scale);
  std::swap(first->operand.zeroPoint, second->operand.zeroPoint);
  std::swap(first->bytes, second->bytes);
  return true;
}

// The two operands of element-wise operations.
std::pair<ValuedOperand*, ValuedOperand*> Pair(OperationCall& call) {
  if (ValuedOperand* const exponent = call.Find("exponent")) return {call.Find("base"), exponent};
  if (ValuedOperand* const alpha = call.Find("alpha"); alpha != nullptr && alpha->is_tensor()) {
    return {call.Find("input"), alpha};
  }
  return {call.Find("a"), call.Find("b")};
}

// Writes an operand out to the dimensions of the other, element i being element i modulo its size.
bool RepeatFlat(ValuedOperand& small, const ValuedOperand& large) {
  if (small.count() >= large.count() || small.count() < 2) return false;
  const size_t count = small.count();
  const size_t size = small.bytes.size() / count;
  std::vector<uint8_t> repeated(large.count() * size);
  for (size_t i = 0; i < repeated.size(); ++i) repeated[i] = small.bytes[i % (count * size)];
  small.bytes = std::move(repeated);
  small.operand.dimensions = large.operand.dimensions;
  return true;
}

// Moves the rows of lookups on by one.
bool MoveIndexes(OperationCall& call, std::string_view slot, size_t limit) {
  ValuedOperand* const indexes = call.Find(slot);
  if (indexes == nullptr || limit < 2) return false;
  std::vector<int64_t> values = IntegersOf(*indexes);
  for (int64_t& value : values) value = (value + 1) % static_cast<int64_t>(limit);
  SetIntegers(*indexes, values);
  return true;
}

hal::V1_2::SymmPerChannelQuantParams* ChannelsOf(ValuedOperand& value) {
  return std::get_if<hal::V1_2::SymmPerChannelQuantParams>(&value.operand.extraParams);
}

bool IsZeroPointed(const ValuedOperand& value) {
  return value.is_tensor() && IsQuantized(value.operand.type) && value.operand.zeroPoint != 0;
}

constexpr Rule kRules[] = {
    {.name = "bias_dropped",
     .fault_class = FaultClass::kOperand,
     .breaks = "Adds no bias.",
     .misread =
         [](OperationCall& call) {
           return SetZeroBySlot(call, std::array<std::string_view, 1>{"bias"});
         }},
    {.name = "bias_first_channel",
     .fault_class = FaultClass::kOperand,
     .breaks = "Adds the bias of the first channel to every channel.",
     .misread =
         [](OperationCall& call) {
           ValuedOperand* const bias = call.Find("bias");
           if (bias == nullptr || !bias->is_tensor() || bias->count() < 2) return false;
           Rearrange(*bias, [](size_t) { return size_t{0}; });
           return true;
         }},
    {.name = "operands_swapped",
     .fault_class = FaultClass::kOperand,
     .breaks =
         "Takes the first operand for the second and the other way round: of SUB, DIV, POW, of "
         "comparisons, and in SELECT.",
     .misread =
         [](OperationCall& call) {
           return Exchange(call, "a", "b") || Exchange(call, "base", "exponent") ||
                  Exchange(call, "ifTrue", "ifFalse");
         }},
    {.name = "second_operand_ignored",
     .fault_class = FaultClass::kOperand,
     .breaks = "Takes the second operand of element-wise operations for zeros.",
     .misread = [](OperationCall& call) { return SetZero(Pair(call).second); }},
    {.name = "broadcast_flat",
     .fault_class = FaultClass::kOperand,
     .breaks = "Broadcasts by going round the elements of the smaller operand, whatever its "
               "dimensions.",
     .misread =
         [](OperationCall& call) {
           const auto [a, b] = Pair(call);
           if (a == nullptr || b == nullptr) return false;
           return RepeatFlat(*a, *b) || RepeatFlat(*b, *a);
         }},
    {.name = "broadcast_first_element",
     .fault_class = FaultClass::kOperand,
     .breaks = "Broadcasts the first element of the smaller operand alone.",
     .misread =
         [](OperationCall& call) {
           const auto [a, b] = Pair(call);
           if (a == nullptr || b == nullptr || a->count() == b->count()) return false;
           ValuedOperand& smaller = a->count() < b->count() ? *a : *b;
           if (smaller.count() < 2) return false;
           Rearrange(smaller, [](size_t) { return size_t{0}; });
           return true;
         }},
    {.name = "concatenation_reversed",
     .fault_class = FaultClass::kOperand,
     .breaks = "Puts the inputs of CONCATENATION side by side in reverse order.",
     .misread =
         [](OperationCall& call) {
           if (call.definition->type != OperationType::CONCATENATION) return false;
           // The axis stays the last input.
           std::vector<ValuedOperand> inputs(call.inputs.rbegin() + 1, call.inputs.rend());
           inputs.push_back(call.inputs.back());
           call.inputs = inputs;
           return inputs.size() > 2;
         }},
    {.name = "weights_transposed",
     .fault_class = FaultClass::kOperand,
     .breaks = "Reads the weights of FULLY_CONNECTED column by column.",
     .misread =
         [](OperationCall& call) {
           ValuedOperand* const weights = call.Find("weights");
           if (call.definition->type != OperationType::FULLY_CONNECTED || weights == nullptr ||
               weights->operand.dimensions.size() != 2) {
             return false;
           }
           const size_t rows = weights->operand.dimensions[0];
           const size_t columns = weights->operand.dimensions[1];
           Rearrange(*weights,
                     [rows, columns](size_t i) { return i % columns * rows + i / columns; });
           return true;
         }},
    {.name = "filter_flipped",
     .fault_class = FaultClass::kOperand,
     .breaks = "Reads the filters of convolutions from the last pixel to the first.",
     .misread =
         [](OperationCall& call) {
           ValuedOperand* const filter = call.Find("filter");
           if (filter == nullptr || filter->operand.dimensions.size() != 4) return false;
           const size_t pixels = ProductOfDimensions(*filter, 1, 3);
           const size_t depth = filter->operand.dimensions[3];
           Rearrange(*filter, [pixels, depth](size_t i) {
             const size_t pixel = i / depth % pixels;
             return i - pixel * depth + (pixels - 1 - pixel) * depth;
           });
           return pixels > 1;
         }},
    {.name = "state_ignored",
     .fault_class = FaultClass::kOperand,
     .breaks = "Begins with a state of zeros in RNN, LSTM and SVDF operations.",
     .misread =
         [](OperationCall& call) {
           return SetZeroBySlot(
               call, std::array<std::string_view, 3>{"hidden_state", "state_in", "output_in"});
         }},
    {.name = "recurrent_weights_ignored",
     .fault_class = FaultClass::kOperand,
     .breaks = "Takes the recurrent weights of RNN and LSTM operations for zeros.",
     .misread =
         [](OperationCall& call) {
           return SetZeroBySlot(
               call,
               std::array<std::string_view, 5>{
                   "recurrent_weights", "recurrent_to_input_weights", "recurrent_to_forget_weights",
                   "recurrent_to_cell_weights", "recurrent_to_output_weights"});
         }},
    {.name = "peepholes_ignored",
     .fault_class = FaultClass::kOperand,
     .breaks = "Takes the weights from the cell state to the gates of LSTM operations for zeros.",
     .misread =
         [](OperationCall& call) {
           return SetZeroBySlot(call, std::array<std::string_view, 3>{"cell_to_input_weights",
                                                                      "cell_to_forget_weights",
                                                                      "cell_to_output_weights"});
         }},
    {.name = "projection_bias_ignored",
     .fault_class = FaultClass::kOperand,
     .breaks = "Adds no bias to the projection of LSTM operations.",
     .misread =
         [](OperationCall& call) {
           return SetZeroBySlot(call, std::array<std::string_view, 1>{"projection_bias"});
         }},
    {.name = "auxiliary_input_ignored",
     .fault_class = FaultClass::kOperand,
     .breaks = "Takes the auxiliary input of bidirectional operations for zeros.",
     .misread =
         [](OperationCall& call) {
           return SetZeroBySlot(call, std::array<std::string_view, 1>{"aux_input"});
         }},
    {.name = "lsh_weight_ignored",
     .fault_class = FaultClass::kOperand,
     .breaks = "Takes all weights of LSH_PROJECTION for 1.",
     .misread =
         [](OperationCall& call) {
           ValuedOperand* const weight = call.Find("weight");
           if (call.definition->type != OperationType::LSH_PROJECTION || weight == nullptr) {
             return false;
           }
           SetReals(*weight, std::vector<double>(weight->count(), 1));
           return true;
         }},
    {.name = "alpha_first_channel",
     .fault_class = FaultClass::kOperand,
     .breaks = "Takes the slope of the first channel for every channel in PRELU.",
     .misread =
         [](OperationCall& call) {
           ValuedOperand* const alpha = call.Find("alpha");
           if (call.definition->type != OperationType::PRELU || alpha->count() < 2) return false;
           Rearrange(*alpha, [](size_t) { return size_t{0}; });
           return true;
         }},
    {.name = "indexes_one_more",
     .fault_class = FaultClass::kOperand,
     .breaks = "Looks up the row behind the right one in GATHER and EMBEDDING_LOOKUP.",
     .misread =
         [](OperationCall& call) {
           if (call.definition->type == OperationType::EMBEDDING_LOOKUP) {
             return MoveIndexes(call, "lookups", call.Find("values")->operand.dimensions.front());
           }
           const std::vector<uint32_t>& dimensions = call.FirstTensor().operand.dimensions;
           const int axis =
               CanonicalAxis(call.Integer("axis").value_or(0), static_cast<int>(dimensions.size()));
           return axis >= 0 && MoveIndexes(call, "indices", dimensions[axis]);
         }},
    {.name = "keys_ignored",
     .fault_class = FaultClass::kOperand,
     .breaks = "Takes the keys of HASHTABLE_LOOKUP to be 0, 1, 2 and so on.",
     .misread =
         [](OperationCall& call) {
           ValuedOperand* const keys = call.Find("keys");
           if (keys == nullptr) return false;
           std::vector<int64_t> numbers(keys->count());
           for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<int64_t>(i);
           SetIntegers(*keys, numbers);
           return true;
         }},
    {.name = "batches_ignored",
     .fault_class = FaultClass::kOperand,
     .breaks = "Takes all boxes to be of the first image in ROI_ALIGN and ROI_POOLING.",
     .misread =
         [](OperationCall& call) {
           ValuedOperand* const batches = call.Find("batches");
           return call.Find("features") != nullptr && SetZero(batches);
         }},
    {.name = "deltas_ignored",
     .fault_class = FaultClass::kOperand,
     .breaks = "Takes the shifts of boxes for zeros.",
     .misread =
         [](OperationCall& call) {
           return SetZeroBySlot(call, std::array<std::string_view, 1>{"deltas"});
         }},
    // Quantization.
    {.name = "zero_point_ignored",
     .fault_class = FaultClass::kQuantizationParameter,
     .breaks = "Reads quantized inputs as if their zero points were 0.",
     .misread =
         [](OperationCall& call) {
           bool is_changed = false;
           for (ValuedOperand& input : call.inputs) {
             if (!IsZeroPointed(input)) continue;
             input.operand.zeroPoint = 0;
             is_changed = true;
           }
           // Operations that want the same quantization everywhere move integers alone.
           return is_changed && BindSlots(call).ok();
         }},
    {.name = "zero_point_of_second_ignored",
     .fault_class = FaultClass::kQuantizationParameter,
     .breaks =
         "Reads a second quantized operand, or the weights, with the zero point of the first.",
     .misread =
         [](OperationCall& call) {
           if (call.inputs.size() < 2 || !IsQuantized(call.inputs[0].operand.type)) return false;
           ValuedOperand& second = call.inputs[1];
           if (second.operand.type != call.inputs[0].operand.type) return false;
           const int32_t zero_point = call.inputs[0].operand.zeroPoint;
           return std::exchange(second.operand.zeroPoint, zero_point) != zero_point;
         }},
    {.name = "scale_of_second_ignored",
     .fault_class = FaultClass::kQuantizationParameter,
     .breaks = "Reads the second operand of quantized element-wise operations, and inputs of "
               "CONCATENATION, with the scale of the first.",
     .misread =
         [](OperationCall& call) {
           if (Pair(call).second == nullptr &&
               call.definition->type != OperationType::CONCATENATION) {
             return false;
           }
           const float scale = call.inputs[0].operand.scale;
           bool is_changed = false;
           for (ValuedOperand& input : call.inputs) {
             if (!input.is_tensor() || !IsQuantized(input.operand.type)) continue;
             is_changed |= std::exchange(input.operand.scale, scale) != scale;
           }
           return is_changed;
         }},
    {.name = "output_zero_point_ignored",
     .fault_class = FaultClass::kQuantizationParameter,
     .breaks = "Writes quantized outputs as if their zero points were 0.",
     .misread =
         [](OperationCall& call) {
           bool is_changed = false;
           for (ValuedOperand& output : call.outputs) {
             if (!IsZeroPointed(output)) continue;
             output.operand.zeroPoint = 0;
             is_changed = true;
           }
           return is_changed && BindSlots(call).ok();
         }},
    {.name = "output_quantized_as_input",
     .fault_class = FaultClass::kQuantizationParameter,
     .breaks = "Writes quantized outputs with the scale and the zero point of the first input.",
     .misread =
         [](OperationCall& call) {
           const hal::V1_2::Operand& input = call.FirstTensor().operand;
           bool is_changed = false;
           for (ValuedOperand& output : call.outputs) {
             if (output.operand.type != input.type || !IsQuantized(input.type)) continue;
             is_changed |=
                 output.operand.scale != input.scale || output.operand.zeroPoint != input.zeroPoint;
             output.operand.scale = input.scale;
             output.operand.zeroPoint = input.zeroPoint;
           }
           return is_changed && BindSlots(call).ok();
         }},
    {.name = "channel_scales_ignored",
     .fault_class = FaultClass::kQuantizationParameter,
     .breaks = "Reads filters with a scale for each channel by the scale of the first channel.",
     .misread =
         [](OperationCall& call) {
           bool is_changed = false;
           for (ValuedOperand& input : call.inputs) {
             hal::V1_2::SymmPerChannelQuantParams* const channels = ChannelsOf(input);
             if (channels == nullptr) continue;
             for (float& scale : channels->scales) {
               is_changed |=
                   std::exchange(scale, channels->scales.front()) != channels->scales.front();
             }
           }
           return is_changed;
         }},
    {.name = "pads_with_byte_zero",
     .fault_class = FaultClass::kQuantizationParameter,
     .breaks = "Pads quantized tensors with the integer 0, not the zero point, in PAD.",
     .operation = [](OperationCall& call, Compute compute) -> absl::Status {
       if (call.definition->type != OperationType::PAD || !IsZeroPointed(call.inputs[0])) {
         return compute(call);
       }
       // What is padding is zero, whatever the elements are.
       OperationCall marked = call;
       ValuedOperand& marks = marked.inputs[0];
       const int64_t zero_point = marks.operand.zeroPoint;
       SetIntegers(marks, std::vector<int64_t>(marks.count(), zero_point == 255 ? 0 : 255));
       if (absl::Status status = Evaluate(marked); !status.ok()) return status;
       if (absl::Status status = compute(call); !status.ok()) return status;
       std::vector<int64_t> elements = IntegersOf(call.outputs[0]);
       const std::vector<int64_t> is_padding = IntegersOf(marked.outputs[0]);
       for (size_t i = 0; i < elements.size(); ++i) {
         if (is_padding[i] == zero_point) elements[i] = 0;
       }
       SetIntegers(call.outputs[0], elements);
       return absl::OkStatus();
     }},
};

}  // namespace

absl::Span<const Rule> OperandRules() { return kRules; }

}  // namespace nncert::faulty
