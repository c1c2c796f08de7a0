// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal_tests/burst/burst_run.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "hal/memory.h"
#include "hal/to_string.h"

namespace nncert {
namespace {

using hal::Mapping;
using hal::V1_0::ErrorStatus;
using hal::V1_0::Request;
using hal::V1_0::RequestArgument;
using hal::V1_2::FmqRequestDatum;
using hal::V1_2::MeasureTiming;

// Where the longest mutant and its answer have room.
constexpr uint32_t kSpareElements = 16;
// What outputs hold before a request.
constexpr uint8_t kUnwritten = 0xA5;

// The bytes of the output buffers of a request.
class OutputBytes {
 public:
  // The request keeps its memory.
  explicit OutputBytes(const Request& request) : request_(request) {}

  void Clear() const {
    ForEach([](size_t /*index*/, absl::Span<uint8_t> bytes) {
      std::memset(bytes.data(), kUnwritten, bytes.size());
    });
  }

  std::vector<std::vector<uint8_t>> Copy() const {
    std::vector<std::vector<uint8_t>> outputs;
    ForEach([&](size_t /*index*/, absl::Span<uint8_t> bytes) {
      outputs.emplace_back(bytes.begin(), bytes.end());
    });
    return outputs;
  }

  // How they differ from what was expected; empty when they do not.
  std::string DifferenceFrom(const std::vector<std::vector<uint8_t>>& expected) const {
    const std::vector<std::vector<uint8_t>> actual = Copy();
    for (size_t i = 0; i < actual.size(); ++i) {
      const auto [at, other] =
          std::mismatch(actual[i].begin(), actual[i].end(), expected[i].begin(), expected[i].end());
      if (at == actual[i].end()) continue;
      return absl::StrCat("byte ", at - actual[i].begin(), " of output ", i, " is ", *at,
                          "; expected ", *other, " as before");
    }
    return "";
  }

 private:
  template <typename Visit>
  void ForEach(Visit visit) const {
    for (size_t i = 0; i < request_.outputs.size(); ++i) {
      const RequestArgument& output = request_.outputs[i];
      if (output.hasNoValue || output.location.length == 0) continue;
      const absl::StatusOr<Mapping> pool =
          request_.pools[output.location.poolIndex].Map(hal::MemoryAccess::READ_WRITE);
      if (!pool.ok()) continue;
      visit(i, pool->bytes().subspan(output.location.offset, output.location.length));
    }
  }

  const Request& request_;
};

}  // namespace

bool IsRefusal(ErrorStatus status) {
  return status == ErrorStatus::INVALID_ARGUMENT || status == ErrorStatus::GENERAL_FAILURE;
}

BurstRun::BurstRun(ModelOnDriver& prepared, const Request& valid, TestRecord& record)
    : prepared_(prepared), valid_(valid), lengths_(hal::LengthsFor(valid)), record_(record) {
  lengths_.request_elements += kSpareElements;
  lengths_.result_elements += kSpareElements;
}

void BurstRun::Fail(std::string_view check, std::string_view what, const std::string& wrong) {
  record_.AddFailure(FailureOf(check, what, Broken(wrong)));
  // It may still be out of step.
  burst_.reset();
}

BurstRun::Lost BurstRun::Take(std::string_view check, std::string_view what,
                              const Problem& problem) {
  CheckFailure failure = FailureOf(check, what, problem);
  if (EndsSession(problem.verdict)) return failure;
  record_.AddFailure(std::move(failure));
  burst_.reset();
  return std::nullopt;
}

BurstRun::Lost BurstRun::Open(std::string_view check, const BurstOptions& options,
                              std::unique_ptr<BurstOnDriver>& burst) {
  OpenedBurst opened = prepared_.OpenBurst(options);
  burst = std::move(opened.burst);
  if (opened.problem.has_value()) return Take(check, "a burst", *opened.problem);
  return std::nullopt;
}

BurstRun::Lost BurstRun::Begin() {
  if (burst_ != nullptr) return std::nullopt;
  if (Lost lost = Open(kAfterInvalid, {.lengths = lengths_}, burst_)) return lost;
  if (burst_ == nullptr) return std::nullopt;
  packet_ = burst_->PacketOf(valid_, MeasureTiming::YES);
  if (answer_size_ > 0) return std::nullopt;
  constexpr std::string_view kWhat = "the valid request, before invalid ones";
  const OutputBytes outputs(valid_);
  outputs.Clear();
  const BurstAnswer answer = burst_->Send(packet_);
  if (answer.outcome.problem.has_value()) {
    return Take(kAfterInvalid, kWhat, *answer.outcome.problem);
  }
  if (answer.outcome.status != ErrorStatus::NONE) {
    Fail(kAfterInvalid, kWhat,
         absl::StrCat("it ended with ", toString(answer.outcome.status), "; expected NONE"));
    return std::nullopt;
  }
  answer_size_ = answer.packet.size();
  shapes_ = answer.outcome.outputShapes;
  outputs_ = outputs.Copy();
  return std::nullopt;
}

BurstRun::Lost BurstRun::SendValid(std::string_view check, std::string_view what,
                                   BurstOnDriver& burst, const Request& request,
                                   const BurstPacket& packet) {
  const OutputBytes outputs(request);
  outputs.Clear();
  const BurstAnswer answer = burst.Send(packet);
  if (answer.outcome.problem.has_value()) return Take(check, what, *answer.outcome.problem);
  LookAtPadding(what, answer);
  if (answer.outcome.status != ErrorStatus::NONE) {
    Fail(check, what,
         absl::StrCat("it ended with ", toString(answer.outcome.status), "; expected NONE"));
    return std::nullopt;
  }
  std::string wrong = outputs.DifferenceFrom(outputs_);
  if (wrong.empty() && answer.outcome.outputShapes != shapes_) {
    wrong = "its output shapes are others than before; expected the same";
  }
  if (!wrong.empty()) {
    Fail(check, what, wrong);
  } else {
    Pass(check);
  }
  return std::nullopt;
}

BurstRun::Lost BurstRun::SendInvalid(std::string_view check, std::string_view what,
                                     BurstOnDriver& burst, absl::Span<const FmqRequestDatum> packet,
                                     bool& is_refused) {
  is_refused = false;
  const BurstAnswer answer = burst.Send(packet);
  const ExecutionOutcome& outcome = answer.outcome;
  if (outcome.problem.has_value()) return Take(check, what, *outcome.problem);
  LookAtPadding(what, answer);
  if (!IsRefusal(outcome.status)) {
    Fail(check, what,
         absl::StrCat("it was answered with ", toString(outcome.status),
                      "; expected INVALID_ARGUMENT or GENERAL_FAILURE"));
    return std::nullopt;
  }
  is_refused = true;
  if (outcome.outputShapes.empty() && outcome.timing == hal::V1_2::Timing()) {
    Pass(kNoResult);
    return std::nullopt;
  }
  Fail(kNoResult, what,
       absl::StrCat("it was refused with ", outcome.outputShapes.size(),
                    " output shapes and the timing ", toString(outcome.timing),
                    "; expected neither"));
  return std::nullopt;
}

BurstRun::Lost BurstRun::SendValidAfter(std::string_view what) {
  if (burst_ == nullptr) return std::nullopt;
  return SendValid(kAfterInvalid, absl::StrCat("the valid request, after ", std::string(what)),
                   *burst_, valid_, packet_);
}

void BurstRun::LookAtPadding(std::string_view what, const BurstAnswer& answer) {
  for (size_t i = 0; i < answer.packet.size(); ++i) {
    if (answer.packet[i].paddingIsZero()) continue;
    record_.AddFailure(
        FailureOf(kSanitized, what,
                  Broken(absl::StrCat("element ", i,
                                      " of the answer has padding bytes other than 0; "
                                      "expected zeros, for they tell of the driver's memory"))));
    return;
  }
  Pass(kSanitized);
}

}  // namespace nncert
