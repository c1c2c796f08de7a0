// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Rules about calls that come together, or after certain others.

#include "drivers/faulty/rules/rule.h"

namespace nncert::faulty {
namespace {

using Call = Moment::Call;
using Effect = Interference::Effect;

constexpr Interference kSharedBuffer = {
    .happens = [](const Moment& moment) { return moment.meets_execution; },
    .waits = true,
    .effect = Effect::kWrongResult};
constexpr Interference kLostCallback = {
    .happens = [](const Moment& moment) { return moment.meets_execution; },
    .waits = true,
    .effect = Effect::kNoCallback};
constexpr Interference kResultOfOther = {
    .happens = [](const Moment& moment) { return moment.meets_execution_of_other; },
    .waits = true,
    .effect = Effect::kWrongResult};
constexpr Interference kResultOfTwin = {
    .happens = [](const Moment& moment) { return moment.meets_execution_of_twin; },
    .waits = true,
    .effect = Effect::kWrongResult};
constexpr Interference kOnePreparation = {.happens =
                                              [](const Moment& moment) {
                                                return moment.call == Call::kPreparation &&
                                                       moment.meets_preparation;
                                              },
                                          .waits = true,
                                          .effect = Effect::kFailure};
constexpr Interference kDeadlock = {
    .happens = kOnePreparation.happens, .waits = true, .effect = Effect::kHang};
constexpr Interference kBusyPreparing = {.happens =
                                             [](const Moment& moment) {
                                               return moment.call == Call::kExecution &&
                                                      moment.meets_preparation;
                                             },
                                         .waits = true,
                                         .effect = Effect::kFailure};
constexpr Interference kForgottenCallback = {.happens =
                                                 [](const Moment& moment) {
                                                   return moment.call == Call::kExecution &&
                                                          moment.meets_release;
                                                 },
                                             .waits = true,
                                             .effect = Effect::kNoCallback};
constexpr Interference kUseAfterRelease = {
    .happens =
        [](const Moment& moment) { return moment.call == Call::kRelease && moment.meets_release; },
    .waits = true,
    .effect = Effect::kCrash};

constexpr Interference kPreparedOnce = {
    .happens =
        [](const Moment& moment) { return moment.call == Call::kPreparation && moment.returns; },
    .effect = Effect::kFailure};
constexpr Interference kForgottenModel = {.happens =
                                              [](const Moment& moment) {
                                                return moment.call == Call::kExecution &&
                                                       moment.has_lost_other;
                                              },
                                          .effect = Effect::kFailure};
constexpr Interference kDanglingModel = {.happens = kForgottenModel.happens,
                                         .effect = Effect::kCrash};
constexpr Interference kDeadBurst = {.happens =
                                         [](const Moment& moment) {
                                           return moment.call == Call::kBurst &&
                                                  moment.has_left_burst && moment.others_live;
                                         },
                                     .effect = Effect::kWrongResult};
constexpr Interference kOtherStatus = {
    .happens =
        [](const Moment& moment) { return moment.call == Call::kInvalid && moment.others_live; },
    .effect = Effect::kFailure};
constexpr Interference kLateCallback = {.happens =
                                            [](const Moment& moment) {
                                              return moment.call == Call::kRelease &&
                                                     moment.is_versatile && moment.others_live;
                                            },
                                        .effect = Effect::kCallback};
constexpr Interference kLostCapabilities = {.happens =
                                                [](const Moment& moment) {
                                                  return moment.call == Call::kCapabilities &&
                                                         moment.two_outlived_another;
                                                },
                                            .effect = Effect::kFailure};

constexpr Interference kEveryTenth = {
    .happens =
        [](const Moment& moment) { return moment.executions > 0 && moment.executions % 10 == 0; },
    .effect = Effect::kWrongNumber};
constexpr Interference kSpoiledTanh = {
    .happens = [](const Moment& moment) { return moment.is_tanh_after_floor; },
    .effect = Effect::kWrongNumber};

constexpr FaultClass kClass = FaultClass::kInterference;

constexpr Rule kRules[] = {
    {.name = "executions_share_buffer",
     .fault_class = kClass,
     .breaks = "Mixes the results of executions of a prepared model that come together.",
     .interference = &kSharedBuffer,
     .passes = true},
    {.name = "executions_lose_callback",
     .fault_class = kClass,
     .breaks = "Does not call the callback of an execution that another one of the prepared model "
               "comes together with.",
     .interference = &kLostCallback,
     .passes = true},
    {.name = "models_share_buffer",
     .fault_class = kClass,
     .breaks = "Mixes the results of executions of different models that come together.",
     .interference = &kResultOfOther,
     .passes = true},
    {.name = "clients_share_buffer",
     .fault_class = kClass,
     .breaks = "Mixes the results of executions that come together of a model that was prepared "
               "twice.",
     .interference = &kResultOfTwin,
     .passes = true},
    {.name = "one_preparation_at_a_time",
     .fault_class = kClass,
     .breaks = "Fails preparations that come together.",
     .interference = &kOnePreparation,
     .passes = true},
    {.name = "preparations_deadlock",
     .fault_class = kClass,
     .breaks = "Never ends preparations that come together.",
     .interference = &kDeadlock,
     .passes = true},
    {.name = "busy_preparing",
     .fault_class = kClass,
     .breaks = "Fails executions that come together with a preparation.",
     .interference = &kBusyPreparing,
     .passes = true},
    {.name = "release_loses_callback",
     .fault_class = kClass,
     .breaks = "Does not call the callback of an execution whose prepared model is released.",
     .interference = &kForgottenCallback,
     .passes = true},
    {.name = "release_while_executing_crashes",
     .fault_class = kClass,
     .breaks = "Crashes when a prepared model is released while it is executed.",
     .interference = &kUseAfterRelease,
     .passes = true},
    {.name = "prepares_once",
     .fault_class = kClass,
     .breaks = "Fails the preparation of a model that was released while another one was prepared.",
     .interference = &kPreparedOnce,
     .passes = true},
    {.name = "release_forgets_other",
     .fault_class = kClass,
     .breaks = "Fails executions of a prepared model once a later one has been released.",
     .interference = &kForgottenModel,
     .passes = true},
    {.name = "release_crashes_other",
     .fault_class = kClass,
     .breaks = "Crashes in executions of a prepared model once a later one has been released.",
     .interference = &kDanglingModel,
     .passes = true},
    {.name = "burst_dies_when_left",
     .fault_class = kClass,
     .breaks =
         "Gives wrong results in a burst of a prepared model that has been executed otherwise "
         "meanwhile, while another one is there.",
     .interference = &kDeadBurst,
     .passes = true},
    {.name = "invalid_request_fails",
     .fault_class = kClass,
     .breaks = "Ends an invalid request with GENERAL_FAILURE while another model is prepared.",
     .interference = &kOtherStatus,
     .passes = true},
    {.name = "release_calls_back",
     .fault_class = kClass,
     .breaks =
         "Calls the callbacks of executions once more at the release of a prepared model that "
         "was executed by a burst, too, while another one is there.",
     .interference = &kLateCallback,
     .passes = true},
    {.name = "release_loses_capabilities",
     .fault_class = kClass,
     .breaks = "Tells no capabilities while two prepared models are there that outlived another.",
     .interference = &kLostCapabilities,
     .passes = true},
    {.name = "every_tenth_execution",
     .fault_class = kClass,
     .breaks = "Gives a wrong number in every tenth execution, whatever the model.",
     .interference = &kEveryTenth,
     .passes = true},
    {.name = "floor_spoils_tanh",
     .fault_class = kClass,
     .breaks = "Gives a wrong number for a model with a TANH once one with a FLOOR was executed.",
     .interference = &kSpoiledTanh,
     .passes = true},
};

}  // namespace

absl::Span<const Rule> ConcurrencyRules() { return kRules; }

}  // namespace nncert::faulty
