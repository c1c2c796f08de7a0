// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What a client may do to a driver's models, and when: commands, and a model of the rules.

#ifndef NNCERT_HAL_TESTS_LIFECYCLE_LIFECYCLE_RULES_H_
#define NNCERT_HAL_TESTS_LIFECYCLE_LIFECYCLE_RULES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "hal/version.h"

namespace nncert {

/// What a command does.
enum class LifecycleCall : uint8_t {
  PREPARE,
  SAVE_TO_CACHE,  ///< prepares, too
  PREPARE_FROM_CACHE,
  EXECUTE,
  EXECUTE_1_2,
  EXECUTE_SYNCHRONOUSLY,
  SEND_BY_BURST,  ///< opens one where none is open
  FREE_MEMORY,
  CLOSE_BURST,
  EXECUTE_INVALID,
  RELEASE,
  ASK,  ///< for status and capabilities
};

/// One call of a client.
struct LifecycleCommand {
  LifecycleCall call = LifecycleCall::ASK;
  /// Which thread makes it.
  uint8_t thread = 0;
  /// Which of the client's variables holds the prepared model.
  uint8_t slot = 0;
  /// Which model is prepared, or which input is executed.
  uint8_t number = 0;

  bool operator==(const LifecycleCommand&) const = default;
};

/// What there is to choose from.
struct LifecycleRoom {
  static constexpr uint8_t kThreads = 3;
  static constexpr uint8_t kSlots = 4;
  static constexpr uint8_t kInputs = 2;

  hal::HalVersion version = hal::HalVersion::V1_2;
  /// How many models there are.
  uint8_t models = 1;
  /// Whether the device caches compilations.
  bool has_caching = false;
};

/// What the rules know of a client's models.
class LifecycleState {
 public:
  explicit LifecycleState(const LifecycleRoom& room) : room_(room) {}

  /// Whether a command is legal now.
  bool Allows(const LifecycleCommand& command) const;

  /// A legal command has been done. A preparation from a cache may have failed.
  void Do(const LifecycleCommand& command, bool has_failed = false);

  /// Which model a slot holds.
  std::optional<uint8_t> model(uint8_t slot) const { return slots_[slot].model; }

 private:
  struct Slot {
    std::optional<uint8_t> model;
    bool has_burst = false;
  };

  const LifecycleRoom room_;
  std::array<Slot, LifecycleRoom::kSlots> slots_;
  std::vector<bool> is_saved_ = std::vector<bool>(room_.models, false);
};

/// Legal commands in an order by chance, `length` of them; the same for the same seed.
std::vector<LifecycleCommand> MakeLifecyclePlan(const LifecycleRoom& room, uint64_t seed,
                                                size_t length);

/// Those of the commands that are legal when all before them that are legal have been done.
std::vector<LifecycleCommand> LegalPartOf(const LifecycleRoom& room,
                                          absl::Span<const LifecycleCommand> commands);

/// "thread 1: A = prepareModel(add)", with `model` the name of the one that the command is about.
std::string Describe(const LifecycleCommand& command, const std::string& model);

}  // namespace nncert

#endif  // NNCERT_HAL_TESTS_LIFECYCLE_LIFECYCLE_RULES_H_
