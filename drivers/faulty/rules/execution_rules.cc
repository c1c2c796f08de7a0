// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Rules about how executions depend on what they should not depend on: sizes of buffers, kinds of
// memory, preferences, and what was executed before. Each breaks what one check of the suites in
// hal_tests/ looks for, and nothing that another one does.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "drivers/faulty/rules/rule.h"
#include "hal/memory.h"
#include "hal/utils.h"

namespace nncert::faulty {
namespace {

using hal::V1_0::DataLocation;
using hal::V1_0::ErrorStatus;
using hal::V1_0::Request;
using hal::V1_0::RequestArgument;
using hal::V1_2::ExecutionPreference;
using hal::V1_2::Model;
using hal::V1_2::Operand;
using hal::V1_2::OperandLifeTime;
using hal::V1_2::OutputShape;

bool Succeeded(const FinishedExecution& execution) {
  return execution.result.status == ErrorStatus::NONE;
}

bool WasInsufficient(const FinishedExecution& execution) {
  return execution.result.status == ErrorStatus::OUTPUT_INSUFFICIENT_SIZE;
}

void Fail(FinishedExecution& execution) {
  execution.result = {.status = ErrorStatus::GENERAL_FAILURE, .outputShapes = {}, .timing = {}};
}

void AddDimension(FinishedExecution& execution) {
  for (OutputShape& shape : execution.result.outputShapes) shape.dimensions.push_back(1);
}

// Too little for any tolerance to be exceeded, but where elements are to be exact.
void FlipLowestBit(FinishedExecution& execution) {
  for (size_t i = 0; i < execution.types.size(); ++i) {
    const absl::Span<uint8_t> output = execution.Output(i);
    if (!output.empty()) output.front() ^= 1;
  }
}

void WriteBehindLastOutput(FinishedExecution& execution) {
  const DataLocation& location = execution.request.outputs.back().location;
  const absl::Span<uint8_t> pool = execution.PoolOfOutput(execution.request.outputs.size() - 1);
  const size_t end = size_t{location.offset} + location.length;
  if (end < pool.size()) pool[end] ^= 0xFF;
}

bool HasBlob(const std::vector<hal::Memory>& pools) {
  return std::any_of(pools.begin(), pools.end(), [](const hal::Memory& pool) {
    return pool.name() == hal::kHardwareBufferBlob;
  });
}

bool IsReadOnly(const hal::Memory& pool) { return !pool.Map(hal::MemoryAccess::READ_WRITE).ok(); }

// Takes the beginning of the file for the beginning of every pool that can be written to, or not.
void IgnoreOffsets(std::vector<hal::Memory>& pools, bool is_read_only) {
  for (hal::Memory& pool : pools) {
    if (pool.offset() == 0 || IsReadOnly(pool) != is_read_only) continue;
    absl::StatusOr<hal::Memory> other = hal::Memory::FromDescriptor(
        pool.descriptor(), pool.size(), pool.protection(), 0, pool.name());
    if (other.ok()) pool = *std::move(other);
  }
}

void RoundDown(DataLocation& location) { location.offset -= location.offset % 4; }

template <typename Change>
void ChangeConstantsInPools(Model& model, Change change) {
  for (Operand& operand : model.operands) {
    if (operand.lifetime == OperandLifeTime::CONSTANT_REFERENCE) change(operand.location);
  }
}

constexpr Rule kRules[] = {
    // The shapes of outputs.
    {.name = "known_shape_of_other_rank",
     .fault_class = FaultClass::kResult,
     .breaks = "Reports one dimension of 1 too many where the model says all dimensions.",
     .execution =
         [](FinishedExecution& execution) {
           if (!Succeeded(execution) || !execution.preparation.has_known_outputs) return;
           AddDimension(execution);
         }},
    {.name = "unknown_shape_of_other_rank",
     .fault_class = FaultClass::kResult,
     .breaks = "Reports one dimension of 1 too many where the model leaves dimensions open.",
     .execution =
         [](FinishedExecution& execution) {
           if (!Succeeded(execution) || execution.preparation.has_known_outputs) return;
           AddDimension(execution);
         }},
    {.name = "buffers_filled",
     .fault_class = FaultClass::kResult,
     .breaks = "Sets to zero what is behind an output in its buffer.",
     .execution =
         [](FinishedExecution& execution) {
           if (!Succeeded(execution)) return;
           const std::vector<OutputShape>& shapes = execution.result.outputShapes;
           for (size_t i = 0; i < shapes.size(); ++i) {
             const std::optional<uint64_t> size =
                 hal::nonExtensionSizeOfData(execution.types[i], shapes[i].dimensions);
             const absl::Span<uint8_t> buffer = execution.Output(i);
             if (!size.has_value() || *size == 0 || *size > buffer.size()) continue;
             std::fill(buffer.begin() + static_cast<std::ptrdiff_t>(*size), buffer.end(), 0);
           }
         },
     .passes = true},
    {.name = "insufficient_throughout",
     .fault_class = FaultClass::kResult,
     .breaks = "Says of every buffer that it is too small where one is.",
     .execution =
         [](FinishedExecution& execution) {
           if (!WasInsufficient(execution)) return;
           for (OutputShape& shape : execution.result.outputShapes) shape.isSufficient = false;
         },
     .passes = true},
    {.name = "insufficient_wrong_shape",
     .fault_class = FaultClass::kResult,
     .breaks = "Reports one dimension of 1 too many where a buffer is too small.",
     .execution =
         [](FinishedExecution& execution) {
           if (WasInsufficient(execution)) AddDimension(execution);
         }},
    {.name = "insufficient_overrun",
     .fault_class = FaultClass::kResult,
     .breaks = "Writes one byte behind the last output where a buffer is too small.",
     .execution =
         [](FinishedExecution& execution) {
           if (WasInsufficient(execution)) WriteBehindLastOutput(execution);
         }},
    // Memory.
    {.name = "sufficient_overrun",
     .fault_class = FaultClass::kResult,
     .breaks = "Writes one byte behind the last output where every buffer is large enough.",
     .execution =
         [](FinishedExecution& execution) {
           if (Succeeded(execution)) WriteBehindLastOutput(execution);
         }},
    {.name = "file_offset_ignored",
     .fault_class = FaultClass::kResult,
     .breaks = "Takes the beginning of a file for that of a writable pool of a request in it.",
     .request = [](Request& request) { IgnoreOffsets(request.pools, /*is_read_only=*/false); },
     .passes = true},
    {.name = "read_only_refused",
     .fault_class = FaultClass::kResult,
     .breaks = "Fails to execute when a pool cannot be written to, though inputs alone lie there.",
     .execution =
         [](FinishedExecution& execution) {
           const std::vector<hal::Memory>& pools = execution.request.pools;
           if (std::any_of(pools.begin(), pools.end(), &IsReadOnly)) Fail(execution);
         },
     .passes = true},
    {.name = "blobs_refused",
     .fault_class = FaultClass::kResult,
     .breaks = "Fails to execute in pools of hardware_buffer_blob.",
     .execution =
         [](FinishedExecution& execution) {
           if (HasBlob(execution.request.pools)) Fail(execution);
         },
     .passes = true},
    {.name = "many_pools_refused",
     .fault_class = FaultClass::kResult,
     .breaks = "Fails to execute requests of more than two pools.",
     .execution =
         [](FinishedExecution& execution) {
           if (execution.request.pools.size() > 2) Fail(execution);
         },
     .passes = true},
    {.name = "input_offset_rounded",
     .fault_class = FaultClass::kResult,
     .breaks = "Reads inputs from the last multiple of four bytes before them.",
     .request =
         [](Request& request) {
           for (RequestArgument& input : request.inputs) RoundDown(input.location);
         },
     .passes = true},
    {.name = "constants_file_offset_ignored",
     .fault_class = FaultClass::kResult,
     .breaks = "Takes the beginning of a file for that of a read-only pool of a model in it.",
     .model = [](Model& model) { IgnoreOffsets(model.pools, /*is_read_only=*/true); },
     .passes = true},
    {.name = "constants_in_blobs_refused",
     .fault_class = FaultClass::kResult,
     .breaks = "Refuses models with constants in hardware_buffer_blob.",
     .model =
         [](Model& model) {
           if (HasBlob(model.pools)) model.pools.front() = hal::Memory();
         },
     .passes = true},
    {.name = "constants_in_first_pool",
     .fault_class = FaultClass::kResult,
     .breaks = "Looks for constants in the first pool of a model alone.",
     .model =
         [](Model& model) {
           ChangeConstantsInPools(model, [](DataLocation& location) { location.poolIndex = 0; });
         },
     .passes = true},
    {.name = "constant_offset_rounded",
     .fault_class = FaultClass::kResult,
     .breaks = "Reads constants in pools from the last multiple of four bytes before them.",
     .model = [](Model& model) { ChangeConstantsInPools(model, &RoundDown); },
     .passes = true},
    // What was there, and what was executed, before.
    {.name = "lowest_bit_unwritten",
     .fault_class = FaultClass::kResult,
     .breaks = "Leaves the lowest bit of each output as it was.",
     .execution =
         [](FinishedExecution& execution) {
           if (!Succeeded(execution)) return;
           for (size_t i = 0; i < execution.before.size(); ++i) {
             const absl::Span<uint8_t> output = execution.Output(i);
             if (output.empty()) continue;
             output.front() = (output.front() & 0xFE) | (execution.before[i].front() & 1);
           }
         }},
    {.name = "repetition_differs",
     .fault_class = FaultClass::kResult,
     .breaks = "Flips the lowest bit of each output when it executes the same once more.",
     .repetition =
         [](FinishedExecution& execution) {
           if (Succeeded(execution)) FlipLowestBit(execution);
         },
     .passes = true},
    {.name = "synchronous_differs_by_a_bit",
     .fault_class = FaultClass::kResult,
     .breaks = "Flips the lowest bit of each output in executeSynchronously.",
     .execution =
         [](FinishedExecution& execution) {
           if (!Succeeded(execution) || !execution.is_synchronous || execution.is_burst) return;
           FlipLowestBit(execution);
         }},
    {.name = "second_compilation_differs",
     .fault_class = FaultClass::kResult,
     .breaks = "Flips the lowest bit of each output of a model that is prepared once more.",
     .execution =
         [](FinishedExecution& execution) {
           if (Succeeded(execution) && execution.preparation.is_again) FlipLowestBit(execution);
         },
     .passes = true},
    // Preferences.
    {.name = "low_power_refused",
     .fault_class = FaultClass::kStatus,
     .breaks = "Fails to prepare under LOW_POWER.",
     .refuses =
         [](ExecutionPreference preference) {
           return preference == ExecutionPreference::LOW_POWER;
         },
     .passes = true},
    {.name = "sustained_speed_differs",
     .fault_class = FaultClass::kResult,
     .breaks = "Gives results whose bytes are all 0 under SUSTAINED_SPEED.",
     .execution =
         [](FinishedExecution& execution) {
           if (!Succeeded(execution) ||
               execution.preparation.preference != ExecutionPreference::SUSTAINED_SPEED) {
             return;
           }
           for (size_t i = 0; i < execution.types.size(); ++i) {
             const absl::Span<uint8_t> output = execution.Output(i);
             std::fill(output.begin(), output.end(), 0);
           }
         },
     .passes = true},
    // Timing.
    {.name = "timing_of_insufficient",
     .fault_class = FaultClass::kTiming,
     .breaks = "Gives timing of executions that fail because a buffer is too small.",
     .execution =
         [](FinishedExecution& execution) {
           if (WasInsufficient(execution)) execution.result.timing = {3, 4};
         }},
    {.name = "timing_beyond_call",
     .fault_class = FaultClass::kTiming,
     .breaks = "Says that the driver took an hour.",
     .execution =
         [](FinishedExecution& execution) {
           if (!Succeeded(execution) || execution.measure != hal::V1_2::MeasureTiming::YES) return;
           execution.result.timing.timeInDriver = 3'600'000'000;
         },
     .passes = true},
};

}  // namespace

absl::Span<const Rule> ExecutionRules() { return kRules; }

}  // namespace nncert::faulty
