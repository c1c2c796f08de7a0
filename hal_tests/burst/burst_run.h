// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// A prepared model and its bursts, which are sent valid and invalid packets.

#ifndef NNCERT_HAL_TESTS_BURST_BURST_RUN_H_
#define NNCERT_HAL_TESTS_BURST_BURST_RUN_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "hal/burst_controller.h"
#include "hal/v1_2/interfaces.h"
#include "hal_tests/check.h"
#include "hal_tests/mutations/burst_mutations.h"
#include "harness/isolation/burst_calls.h"
#include "harness/isolation/driver_calls.h"

namespace nncert {

/// Checks that every packet of the suite is held to.
inline constexpr std::string_view kSanitized = "sanitizedTest";
inline constexpr std::string_view kNoResult = "refuseWithoutResultTest";
inline constexpr std::string_view kAfterInvalid = "executeAfterInvalidTest";

/// Whether the status is one of the two that refuse what a burst is given.
bool IsRefusal(hal::V1_0::ErrorStatus status);

/// A prepared model, its bursts, and what its valid request comes to. Whatever fails is recorded;
/// the methods give what the driver did not survive.
class BurstRun {
 public:
  using Lost = std::optional<CheckFailure>;

  /// All arguments must outlive this.
  BurstRun(ModelOnDriver& prepared, const hal::V1_0::Request& valid, TestRecord& record);

  const hal::V1_0::Request& valid() const { return valid_; }
  /// The packet of the valid request, by the slots of Begin's burst.
  const BurstPacket& packet() const { return packet_; }
  /// With room for the longest mutant and its answer.
  const hal::BurstLengths& lengths() const { return lengths_; }
  /// How many elements the answer to the valid request has.
  size_t answer_size() const { return answer_size_; }
  ModelOnDriver& prepared() { return prepared_; }
  TestRecord& record() { return record_; }

  /// Records that a check failed. The burst of Begin is closed, since it may be out of step.
  void Fail(std::string_view check, std::string_view what, const std::string& wrong);
  /// Records that a check passed.
  void Pass(std::string_view check) { ++record_.counts[check].passed; }
  /// Records a problem, or gives it when the driver is gone.
  Lost Take(std::string_view check, std::string_view what, const Problem& problem);

  /// Opens a burst; `burst` is null where that failed.
  Lost Open(std::string_view check, const BurstOptions& options,
            std::unique_ptr<BurstOnDriver>& burst);

  /// Opens the burst that is not, and executes the valid request for the first time.
  Lost Begin();
  /// The burst that Begin opened; null when there is none any more.
  BurstOnDriver* burst() { return burst_.get(); }

  /// Sends a packet of a valid request, which has to give what the first one gave.
  Lost SendValid(std::string_view check, std::string_view what, BurstOnDriver& burst,
                 const hal::V1_0::Request& request, const BurstPacket& packet);

  /// Sends what has to be refused. Where it was, `is_refused` becomes true, but the check is not
  /// counted.
  Lost SendInvalid(std::string_view check, std::string_view what, BurstOnDriver& burst,
                   absl::Span<const hal::V1_2::FmqRequestDatum> packet, bool& is_refused);

  /// Sends the valid request, after something that was refused by Begin's burst.
  Lost SendValidAfter(std::string_view what);

 private:
  void LookAtPadding(std::string_view what, const BurstAnswer& answer);

  ModelOnDriver& prepared_;
  const hal::V1_0::Request& valid_;
  hal::BurstLengths lengths_;
  TestRecord& record_;
  std::unique_ptr<BurstOnDriver> burst_;
  // Of the valid request.
  BurstPacket packet_;
  size_t answer_size_ = 0;
  std::vector<hal::V1_2::OutputShape> shapes_;
  std::vector<std::vector<uint8_t>> outputs_;
};

}  // namespace nncert

#endif  // NNCERT_HAL_TESTS_BURST_BURST_RUN_H_
