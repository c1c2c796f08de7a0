// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Rules about results: their elements, their shapes, and the memory they are in.

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "drivers/faulty/rules/rule.h"
#include "hal/utils.h"

namespace nncert::faulty {
namespace {

using hal::V1_0::ErrorStatus;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <typename Change>
void ChangeReals(ValuedOperand& output, Change change) {
  if (!IsFloat(output)) return;
  std::vector<double> reals = RealsOf(output);
  std::transform(reals.begin(), reals.end(), reals.begin(), change);
  SetReals(output, reals);
}

template <typename Change>
void ChangeIntegers(ValuedOperand& output, Change change) {
  if (IsFloat(output)) return;
  std::vector<int64_t> integers = IntegersOf(output);
  std::transform(integers.begin(), integers.end(), integers.begin(), change);
  SetIntegers(output, integers);
}

// Some steps towards the middle of the range, so that none saturates to where it was.
template <int64_t kSteps>
void MoveBySteps(const OperationCall& /*call*/, ValuedOperand& output) {
  if (!IsQuantized(output.operand.type)) return;
  const IntegerRange range = RangeOfElements(output);
  const int64_t middle = (range.lowest + range.highest + 1) / 2;
  ChangeIntegers(
      output, [middle](int64_t value) { return value < middle ? value + kSteps : value - kSteps; });
}

// Makes an element wrong by more than anything tolerates.
void SpoilElement(ValuedOperand& output, size_t index) {
  if (IsFloat(output)) {
    std::vector<double> reals = RealsOf(output);
    reals[index] = std::isfinite(reals[index]) ? reals[index] + 1 + std::abs(reals[index]) / 2 : 0;
    SetReals(output, reals);
    return;
  }
  std::vector<int64_t> integers = IntegersOf(output);
  const IntegerRange range = RangeOfElements(output);
  const int64_t step = IsQuantized(output.operand.type) ? (range.highest - range.lowest) / 4 : 1;
  int64_t& element = integers[index];
  element += element <= range.highest - step ? step : -step;
  SetIntegers(output, integers);
}

// Elements from `first` on become zero.
void ZeroFrom(ValuedOperand& output, size_t first) {
  std::vector<double> reals = RealsOf(output);
  std::fill(reals.begin() + static_cast<std::ptrdiff_t>(std::min(first, reals.size())), reals.end(),
            0);
  SetReals(output, reals);
}

// Flips a bit that matters in the first element of every output.
void SpoilFirstElements(FinishedExecution& execution) {
  for (size_t i = 0; i < execution.types.size(); ++i) {
    const absl::Span<uint8_t> output = execution.Output(i);
    const uint32_t size = hal::nonExtensionElementSize(execution.types[i]);
    if (size == 0 || output.size() < size) continue;
    const bool is_boolean = execution.types[i] == OperandType::TENSOR_BOOL8;
    output[size - 1] ^= is_boolean ? 1 : 0x40;
  }
}

bool Succeeded(const FinishedExecution& execution) {
  return execution.result.status == ErrorStatus::NONE;
}

void PutBack(FinishedExecution& execution, const std::vector<std::vector<uint8_t>>& outputs) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    const absl::Span<uint8_t> output = execution.Output(i);
    std::copy_n(outputs[i].begin(), std::min(outputs[i].size(), output.size()), output.begin());
  }
}

constexpr Rule kRules[] = {
    {.name = "all_nan",
     .fault_class = FaultClass::kConstantResult,
     .breaks = "Gives NaN in every element of floating point results.",
     .output = [](const OperationCall& /*call*/,
                  ValuedOperand& output) { ChangeReals(output, [](double) { return kNan; }); }},
    {.name = "all_infinite",
     .fault_class = FaultClass::kConstantResult,
     .breaks = "Gives infinity in every element of floating point results.",
     .output =
         [](const OperationCall& /*call*/, ValuedOperand& output) {
           ChangeReals(output, [](double) { return kInfinity; });
         }},
    {.name = "all_zero",
     .fault_class = FaultClass::kConstantResult,
     .breaks = "Gives zero (false, the zero point) in every element of results.",
     .output = [](const OperationCall& /*call*/, ValuedOperand& output) { ZeroFrom(output, 0); }},
    {.name = "all_bytes_zero",
     .fault_class = FaultClass::kConstantResult,
     .breaks = "Gives results whose bytes are all 0.",
     .output =
         [](const OperationCall& /*call*/, ValuedOperand& output) {
           std::fill(output.bytes.begin(), output.bytes.end(), 0);
         }},
    // Some elements.
    {.name = "first_element",
     .fault_class = FaultClass::kElement,
     .breaks = "Gives a grossly wrong first element.",
     .output = [](const OperationCall& /*call*/,
                  ValuedOperand& output) { SpoilElement(output, 0); }},
    {.name = "middle_element",
     .fault_class = FaultClass::kElement,
     .breaks = "Gives a grossly wrong element in the middle.",
     .output = [](const OperationCall& /*call*/,
                  ValuedOperand& output) { SpoilElement(output, output.count() / 2); }},
    {.name = "last_element",
     .fault_class = FaultClass::kElement,
     .breaks = "Gives a grossly wrong last element.",
     .output = [](const OperationCall& /*call*/,
                  ValuedOperand& output) { SpoilElement(output, output.count() - 1); }},
    {.name = "remainder_of_vectors",
     .fault_class = FaultClass::kElement,
     .breaks = "Leaves zero what is behind the last whole vector of eight elements.",
     .output = [](const OperationCall& /*call*/,
                  ValuedOperand& output) { ZeroFrom(output, output.count() / 8 * 8); }},
    {.name = "first_batch_alone",
     .fault_class = FaultClass::kElement,
     .breaks = "Computes the first of several batches alone, and leaves the others zero.",
     .output =
         [](const OperationCall& /*call*/, ValuedOperand& output) {
           const std::vector<uint32_t>& dimensions = output.operand.dimensions;
           if (dimensions.size() > 1) ZeroFrom(output, output.count() / dimensions.front());
         }},
    {.name = "last_channel",
     .fault_class = FaultClass::kElement,
     .breaks = "Leaves zero the last element of the innermost dimension, if there are several.",
     .output =
         [](const OperationCall& /*call*/, ValuedOperand& output) {
           if (output.operand.dimensions.empty() || output.operand.dimensions.back() < 2) return;
           const size_t inner = output.operand.dimensions.back();
           std::vector<double> reals = RealsOf(output);
           for (size_t i = inner - 1; i < reals.size(); i += inner) reals[i] = 0;
           SetReals(output, reals);
         }},
    {.name = "rows_repeated",
     .fault_class = FaultClass::kElement,
     .breaks = "Gives the first row of the innermost dimension in place of every row.",
     .output =
         [](const OperationCall& /*call*/, ValuedOperand& output) {
           if (output.operand.dimensions.empty()) return;
           const size_t inner = output.operand.dimensions.back();
           Rearrange(output, [inner](size_t i) { return i % inner; });
         }},
    // Offsets.
    {.name = "quantized_off_by_one",
     .fault_class = FaultClass::kOffset,
     .breaks = "Gives quantized results one step nearer to the middle of the range.",
     .output = &MoveBySteps<1>},
    {.name = "quantized_off_by_two",
     .fault_class = FaultClass::kOffset,
     .breaks = "Gives quantized results two steps nearer to the middle of the range.",
     .output = &MoveBySteps<2>},
    {.name = "quantized_clamped",
     .fault_class = FaultClass::kOffset,
     .breaks = "Gives quantized results no greater than half of the range.",
     .output =
         [](const OperationCall& /*call*/, ValuedOperand& output) {
           if (!IsQuantized(output.operand.type)) return;
           const int64_t highest = RangeOfElements(output).highest / 2;
           ChangeIntegers(output, [highest](int64_t value) { return std::min(value, highest); });
         }},
    {.name = "integers_one_more",
     .fault_class = FaultClass::kOffset,
     .breaks = "Gives INT32 results that are one more.",
     .output =
         [](const OperationCall& /*call*/, ValuedOperand& output) {
           if (output.operand.type != OperandType::TENSOR_INT32) return;
           const int64_t highest = RangeOfElements(output).highest;
           ChangeIntegers(output,
                          [highest](int64_t value) { return std::min(value + 1, highest); });
         }},
    {.name = "booleans_inverted",
     .fault_class = FaultClass::kOffset,
     .breaks = "Gives true for false and false for true.",
     .output =
         [](const OperationCall& /*call*/, ValuedOperand& output) {
           if (output.operand.type != OperandType::TENSOR_BOOL8) return;
           ChangeIntegers(output, [](int64_t value) { return value == 0 ? 1 : 0; });
         }},
    {.name = "floats_clamped",
     .fault_class = FaultClass::kOffset,
     .breaks = "Gives floating point results in [-100, 100].",
     .output =
         [](const OperationCall& /*call*/, ValuedOperand& output) {
           ChangeReals(output, [](double real) { return std::clamp(real, -100.0, 100.0); });
         }},
    {.name = "negative_as_zero",
     .fault_class = FaultClass::kOffset,
     .breaks = "Gives zero where floating point results are negative.",
     .output =
         [](const OperationCall& /*call*/, ValuedOperand& output) {
           ChangeReals(output, [](double real) { return real < 0 ? 0 : real; });
         }},
    {.name = "sign_lost",
     .fault_class = FaultClass::kOffset,
     .breaks = "Gives the absolute values of floating point results.",
     .output =
         [](const OperationCall& /*call*/, ValuedOperand& output) {
           ChangeReals(output, [](double real) { return std::abs(real); });
         }},
    {.name = "float_off_by_a_tenth",
     .fault_class = FaultClass::kOffset,
     .breaks = "Gives floating point results a tenth more.",
     .output =
         [](const OperationCall& /*call*/, ValuedOperand& output) {
           ChangeReals(output, [](double real) { return real + 0.1; });
         }},
    // Shapes and memory.
    {.name = "outputs_exchanged",
     .fault_class = FaultClass::kResult,
     .breaks =
         "Gives the last of several outputs in place of the first, if they are of one type and "
         "size.",
     .operation = [](OperationCall& call, Compute compute) -> absl::Status {
       if (absl::Status status = compute(call); !status.ok()) return status;
       ValuedOperand& first = call.outputs.front();
       ValuedOperand& last = call.outputs.back();
       if (first.operand.type == last.operand.type && first.bytes.size() == last.bytes.size()) {
         std::swap(first.bytes, last.bytes);
       }
       return absl::OkStatus();
     }},
    {.name = "second_output_zero",
     .fault_class = FaultClass::kResult,
     .breaks = "Gives zeros in every output but the first.",
     .operation = [](OperationCall& call, Compute compute) -> absl::Status {
       if (absl::Status status = compute(call); !status.ok()) return status;
       for (size_t i = 1; i < call.outputs.size(); ++i) ZeroFrom(call.outputs[i], 0);
       return absl::OkStatus();
     }},
    {.name = "keep_dims_inverted",
     .fault_class = FaultClass::kResult,
     .breaks =
         "Keeps reduced dimensions where they are to go, and drops them where they are to stay.",
     .operation = [](OperationCall& call, Compute compute) -> absl::Status {
       if (const std::optional<int32_t> keep = call.Integer("keepDims")) {
         call.SetInteger("keepDims", *keep == 0 ? 1 : 0);
       }
       return compute(call);
     }},
    {.name = "wrong_shape",
     .fault_class = FaultClass::kResult,
     .breaks = "Reports a first dimension that is one greater, and a vector in place of a scalar.",
     .execution =
         [](FinishedExecution& execution) {
           if (!Succeeded(execution)) return;
           for (hal::V1_2::OutputShape& shape : execution.result.outputShapes) {
             if (shape.dimensions.empty()) shape.dimensions.push_back(0);
             ++shape.dimensions.front();
           }
         }},
    {.name = "wrong_rank",
     .fault_class = FaultClass::kResult,
     .breaks = "Reports one dimension of 1 too many.",
     .execution =
         [](FinishedExecution& execution) {
           if (!Succeeded(execution)) return;
           for (hal::V1_2::OutputShape& shape : execution.result.outputShapes) {
             shape.dimensions.push_back(1);
           }
         }},
    {.name = "shapes_too_few",
     .fault_class = FaultClass::kResult,
     .breaks = "Reports the shapes of one output too few, and so of none where there is one alone.",
     .execution =
         [](FinishedExecution& execution) {
           if (!execution.result.outputShapes.empty()) execution.result.outputShapes.pop_back();
         }},
    {.name = "sufficient_denied",
     .fault_class = FaultClass::kResult,
     .breaks = "Reports that buffers were too small, with the status NONE.",
     .execution =
         [](FinishedExecution& execution) {
           if (!Succeeded(execution)) return;
           for (hal::V1_2::OutputShape& shape : execution.result.outputShapes) {
             shape.isSufficient = false;
           }
         }},
    {.name = "stale_outputs",
     .fault_class = FaultClass::kResult,
     .breaks = "Gives the outputs of the execution before.",
     .execution =
         [](FinishedExecution& execution) {
           if (Succeeded(execution)) PutBack(execution, execution.last);
         }},
    {.name = "unwritten_outputs",
     .fault_class = FaultClass::kResult,
     .breaks = "Leaves the memory of outputs as it was.",
     .execution = [](FinishedExecution& execution) { PutBack(execution, execution.before); }},
    {.name = "byte_behind_output",
     .fault_class = FaultClass::kResult,
     .breaks = "Writes one byte too many behind the last output.",
     .execution =
         [](FinishedExecution& execution) {
           const hal::V1_0::RequestArgument& argument = execution.request.outputs.back();
           const absl::Span<uint8_t> pool =
               execution.PoolOfOutput(execution.request.outputs.size() - 1);
           const size_t end = size_t{argument.location.offset} + argument.location.length;
           if (end < pool.size()) pool[end] ^= 0xFF;
         }},
    {.name = "byte_before_output",
     .fault_class = FaultClass::kResult,
     .breaks = "Writes one byte before the first output.",
     .execution =
         [](FinishedExecution& execution) {
           const absl::Span<uint8_t> pool = execution.PoolOfOutput(0);
           const size_t begin = execution.request.outputs.front().location.offset;
           if (begin > 0 && begin <= pool.size()) pool[begin - 1] ^= 0xFF;
         }},
    {.name = "input_modified",
     .fault_class = FaultClass::kResult,
     .breaks = "Changes the first byte of the first input.",
     .execution =
         [](FinishedExecution& execution) {
           for (size_t i = 0; i < execution.request.inputs.size(); ++i) {
             const absl::Span<uint8_t> input = execution.Input(i);
             if (input.empty()) continue;
             input.front() ^= 0xFF;
             return;
           }
         }},
    {.name = "not_deterministic",
     .fault_class = FaultClass::kResult,
     .breaks = "Gives grossly wrong first elements in every second execution.",
     .execution =
         [](FinishedExecution& execution) {
           if (Succeeded(execution) && execution.count % 2 == 1) SpoilFirstElements(execution);
         }},
    {.name = "synchronous_differs",
     .fault_class = FaultClass::kResult,
     .breaks = "Gives grossly wrong first elements when it executes synchronously.",
     .execution =
         [](FinishedExecution& execution) {
           if (Succeeded(execution) && execution.is_synchronous) SpoilFirstElements(execution);
         }},
    {.name = "asynchronous_differs",
     .fault_class = FaultClass::kResult,
     .breaks = "Gives grossly wrong first elements when it executes asynchronously.",
     .execution =
         [](FinishedExecution& execution) {
           if (Succeeded(execution) && !execution.is_synchronous) SpoilFirstElements(execution);
         }},
    {.name = "burst_differs",
     .fault_class = FaultClass::kBurst,
     .breaks = "Gives grossly wrong first elements in bursts.",
     .execution =
         [](FinishedExecution& execution) {
           if (Succeeded(execution) && execution.is_burst) SpoilFirstElements(execution);
         }},
};

}  // namespace

absl::Span<const Rule> ResultRules() { return kRules; }

}  // namespace nncert::faulty
