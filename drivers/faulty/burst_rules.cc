// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Rules about bursts. (That elements differ in them is one of result_rules.cc.)

#include "drivers/faulty/rule.h"

namespace nncert::faulty {
namespace {

constexpr BurstConduct kRefused = {.is_refused = true};
constexpr BurstConduct kNull = {.is_null = true};
constexpr BurstConduct kNoAnswer = {.answers = 0};
constexpr BurstConduct kTwoAnswers = {.answers = 2};
constexpr BurstConduct kAnswerBefore = {.answers_before = true};
constexpr BurstConduct kKeepsMemory = {.keeps_memory = true};
constexpr BurstConduct kExchangesMemory = {.exchanges_memory = true};

bool SucceededInBurst(const FinishedExecution& execution) {
  return execution.is_burst && execution.result.status == hal::V1_0::ErrorStatus::NONE;
}

constexpr Rule kRules[] = {
    {.name = "burst_refused",
     .fault_class = FaultClass::kBurst,
     .breaks = "Ends configureExecutionBurst with GENERAL_FAILURE.",
     .burst = &kRefused},
    {.name = "burst_null",
     .fault_class = FaultClass::kBurst,
     .breaks = "Says that a burst was opened, and gives none.",
     .burst = &kNull},
    {.name = "burst_unanswered",
     .fault_class = FaultClass::kBurst,
     .breaks = "Never answers a request of a burst.",
     .burst = &kNoAnswer},
    {.name = "burst_answered_twice",
     .fault_class = FaultClass::kBurst,
     .breaks = "Answers every request of a burst twice.",
     .burst = &kTwoAnswers},
    {.name = "burst_answers_before",
     .fault_class = FaultClass::kBurst,
     .breaks = "Answers a request of a burst with the status, shapes and timing of the one before.",
     .burst = &kAnswerBefore},
    {.name = "burst_keeps_memory",
     .fault_class = FaultClass::kBurst,
     .breaks = "Takes memory that was freed for that of a request whose slots are the same.",
     .burst = &kKeepsMemory},
    {.name = "burst_exchanges_memory",
     .fault_class = FaultClass::kBurst,
     .breaks = "Takes the memory of the first and the last slot for each other.",
     .burst = &kExchangesMemory},
    {.name = "burst_wrong_shape",
     .fault_class = FaultClass::kBurst,
     .breaks = "Reports one dimension of 1 too many in bursts.",
     .execution =
         [](FinishedExecution& execution) {
           if (!SucceededInBurst(execution)) return;
           for (hal::V1_2::OutputShape& shape : execution.result.outputShapes) {
             shape.dimensions.push_back(1);
           }
         }},
    {.name = "burst_timing_unasked",
     .fault_class = FaultClass::kBurst,
     .breaks = "Gives timing in bursts that was not asked for.",
     .execution =
         [](FinishedExecution& execution) {
           if (SucceededInBurst(execution)) execution.result.timing = {1, 2};
         }},
};

}  // namespace

absl::Span<const Rule> BurstRules() { return kRules; }

}  // namespace nncert::faulty
