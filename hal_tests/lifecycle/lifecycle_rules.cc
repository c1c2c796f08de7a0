// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal_tests/lifecycle/lifecycle_rules.h"

#include "absl/strings/str_cat.h"
#include "random/split_mix.h"

namespace nncert {
namespace {

using enum LifecycleCall;

// Each as often as it is there.
constexpr LifecycleCall kChoices[] = {PREPARE,
                                      PREPARE,
                                      SAVE_TO_CACHE,
                                      PREPARE_FROM_CACHE,
                                      PREPARE_FROM_CACHE,
                                      EXECUTE,
                                      EXECUTE_1_2,
                                      EXECUTE_1_2,
                                      EXECUTE_SYNCHRONOUSLY,
                                      EXECUTE_SYNCHRONOUSLY,
                                      SEND_BY_BURST,
                                      SEND_BY_BURST,
                                      SEND_BY_BURST,
                                      FREE_MEMORY,
                                      CLOSE_BURST,
                                      EXECUTE_INVALID,
                                      RELEASE,
                                      RELEASE,
                                      ASK};

// After so many choices that are not legal there is none.
constexpr int kMostChoices = 1000;

bool IsOf1_2(LifecycleCall call) {
  switch (call) {
    case SAVE_TO_CACHE:
    case PREPARE_FROM_CACHE:
    case EXECUTE_1_2:
    case EXECUTE_SYNCHRONOUSLY:
    case SEND_BY_BURST:
    case FREE_MEMORY:
    case CLOSE_BURST:
      return true;
    default:
      return false;
  }
}

std::string_view NameOf(LifecycleCall call) {
  switch (call) {
    case PREPARE:
      return "prepareModel";
    case SAVE_TO_CACHE:
      return "prepareModel to the cache";
    case PREPARE_FROM_CACHE:
      return "prepareModelFromCache";
    case EXECUTE:
      return "execute";
    case EXECUTE_1_2:
      return "execute_1_2";
    case EXECUTE_SYNCHRONOUSLY:
      return "executeSynchronously";
    case SEND_BY_BURST:
      return "request of a burst";
    case FREE_MEMORY:
      return "freeMemory of the burst";
    case CLOSE_BURST:
      return "end of the burst";
    case EXECUTE_INVALID:
      return "execute of an invalid request";
    case RELEASE:
      return "release";
    case ASK:
      return "getStatus and getCapabilities";
  }
  return "";
}

}  // namespace

bool LifecycleState::Allows(const LifecycleCommand& command) const {
  if (IsOf1_2(command.call) && room_.version < hal::HalVersion::V1_2) return false;
  const Slot& slot = slots_[command.slot];
  switch (command.call) {
    case PREPARE:
      return !slot.model.has_value();
    case SAVE_TO_CACHE:
      return room_.has_caching && !slot.model.has_value();
    case PREPARE_FROM_CACHE:
      return is_saved_[command.number] && !slot.model.has_value();
    case EXECUTE:
    case EXECUTE_1_2:
    case EXECUTE_SYNCHRONOUSLY:
    case SEND_BY_BURST:
    case EXECUTE_INVALID:
    case RELEASE:
      return slot.model.has_value();
    case FREE_MEMORY:
    case CLOSE_BURST:
      return slot.has_burst;
    case ASK:
      return true;
  }
  return false;
}

void LifecycleState::Do(const LifecycleCommand& command, bool has_failed) {
  Slot& slot = slots_[command.slot];
  switch (command.call) {
    case SAVE_TO_CACHE:
      is_saved_[command.number] = true;
      slot.model = command.number;
      break;
    case PREPARE:
    case PREPARE_FROM_CACHE:
      if (!has_failed) slot.model = command.number;
      break;
    case SEND_BY_BURST:
      slot.has_burst = true;
      break;
    case CLOSE_BURST:
      slot.has_burst = false;
      break;
    case RELEASE:
      slot = {};
      break;
    default:
      break;
  }
}

std::vector<LifecycleCommand> MakeLifecyclePlan(const LifecycleRoom& room, uint64_t seed,
                                                size_t length) {
  SplitMix64 random(seed);
  LifecycleState state(room);
  std::vector<LifecycleCommand> plan;
  for (int choices = 0; plan.size() < length && choices < kMostChoices; ++choices) {
    LifecycleCommand command;
    command.call = random.OneOf(kChoices);
    command.thread = static_cast<uint8_t>(random.Below(LifecycleRoom::kThreads));
    command.slot = static_cast<uint8_t>(random.Below(LifecycleRoom::kSlots));
    const bool prepares = command.call == PREPARE || command.call == SAVE_TO_CACHE ||
                          command.call == PREPARE_FROM_CACHE;
    command.number =
        static_cast<uint8_t>(random.Below(prepares ? room.models : LifecycleRoom::kInputs));
    if (!state.Allows(command)) continue;
    state.Do(command);
    plan.push_back(command);
    choices = 0;
  }
  return plan;
}

std::vector<LifecycleCommand> LegalPartOf(const LifecycleRoom& room,
                                          absl::Span<const LifecycleCommand> commands) {
  LifecycleState state(room);
  std::vector<LifecycleCommand> legal;
  for (const LifecycleCommand& command : commands) {
    if (!state.Allows(command)) continue;
    state.Do(command);
    legal.push_back(command);
  }
  return legal;
}

std::string Describe(const LifecycleCommand& command, const std::string& model) {
  std::string text =
      absl::StrCat("thread ", command.thread, ": ", std::string(NameOf(command.call)));
  const std::string slot(1, static_cast<char>('A' + command.slot));
  switch (command.call) {
    case PREPARE:
    case SAVE_TO_CACHE:
    case PREPARE_FROM_CACHE:
      return absl::StrCat(text, ", ", model, " as ", slot);
    case EXECUTE:
    case EXECUTE_1_2:
    case EXECUTE_SYNCHRONOUSLY:
    case SEND_BY_BURST:
      return absl::StrCat(text, " of ", slot, ", input ", command.number);
    case ASK:
      return text;
    default:
      return absl::StrCat(text, " of ", slot);
  }
}

}  // namespace nncert
