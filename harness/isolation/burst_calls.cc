// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/isolation/burst_calls.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hal/burst_packet.h"
#include "hal/deadline.h"

namespace nncert {
namespace {

using hal::BurstController;
using hal::V1_0::Request;
using hal::V1_2::ExecuteSynchronouslyResult;
using hal::V1_2::FmqRequestDatum;
using hal::V1_2::FmqResultDatum;
using hal::V1_2::MeasureTiming;

// How long the end of a burst may take whose last request was not answered.
constexpr absl::Duration kPatience = absl::Milliseconds(250);

Problem ProblemOfRequest(const absl::Status& status) {
  Problem problem = ProblemOf("the request of a burst", status);
  // No queue of ours is to be too short.
  if (absl::IsInvalidArgument(status)) problem.verdict = Verdict::MISSING;
  return problem;
}

ExecutionOutcome OutcomeOf(absl::StatusOr<ExecuteSynchronouslyResult> result) {
  ExecutionOutcome outcome;
  if (!result.ok()) {
    outcome.problem = ProblemOfRequest(result.status());
    return outcome;
  }
  outcome.launched = outcome.status = result->status;
  outcome.outputShapes = std::move(result->outputShapes);
  outcome.timing = result->timing;
  return outcome;
}

}  // namespace

OpenedBurst BurstOnDriver::Open(DriverSession& session, absl::Duration deadline,
                                const std::shared_ptr<hal::V1_2::IPreparedModel>& model,
                                const BurstOptions& options) {
  auto opened = session.calls().Run(deadline, [model, options] {
    return BurstController::Open(*model, options.lengths, options.wrap);
  });
  if (!opened.ok()) return {ProblemOf("configureExecutionBurst", opened.status()), nullptr};
  const absl::Status status = opened->status();
  if (absl::IsFailedPrecondition(status)) return {Broken(std::string(status.message())), nullptr};
  if (!status.ok()) {
    return {Problem{Verdict::MISSING, absl::StrCat("no burst: ", status.message())}, nullptr};
  }
  return {std::nullopt, std::unique_ptr<BurstOnDriver>(
                            new BurstOnDriver(session, deadline, model, **std::move(opened)))};
}

BurstOnDriver::BurstOnDriver(DriverSession& session, absl::Duration deadline,
                             std::shared_ptr<hal::V1_2::IPreparedModel> model,
                             std::shared_ptr<BurstController> controller)
    : session_(session),
      deadline_(deadline),
      model_(std::move(model)),
      controller_(std::move(controller)) {}

BurstOnDriver::~BurstOnDriver() { Close().IgnoreError(); }

template <typename Exchange>
auto BurstOnDriver::Await(Exchange exchange) {
  CallThread& calls = session_.calls();
  decltype(exchange(hal::Deadline::Never(), BurstController::Health())) result;
  if (calls.is_watched()) {
    // The caller waits itself, until the watch says that it is in vain.
    const auto wait = [&] {
      result = exchange(hal::Deadline::Never(), [&calls] { return calls.Health(); });
      return true;
    };
    const absl::Status health = calls.Run(deadline_, wait).status();
    if (!health.ok()) result = health;
  } else {
    // Only the queues are touched, and nothing is called that might not return.
    result = exchange(hal::Deadline(deadline_, calls.clock()), nullptr);
    if (absl::IsDeadlineExceeded(result.status())) {
      result = absl::DeadlineExceededError(
          absl::StrCat("was not answered within ", absl::FormatDuration(deadline_)));
    }
  }
  is_overdue_ = absl::IsDeadlineExceeded(result.status());
  return result;
}

ExecutionOutcome BurstOnDriver::Execute(const Request& request, MeasureTiming measure) {
  return OutcomeOf(Await([&](const hal::Deadline& deadline, const BurstController::Health& health) {
    return controller_->Execute(request, measure, deadline, health);
  }));
}

std::vector<FmqRequestDatum> BurstOnDriver::PacketOf(const Request& request,
                                                     MeasureTiming measure) {
  return controller_->PacketOf(request, measure);
}

BurstAnswer BurstOnDriver::Send(absl::Span<const FmqRequestDatum> packet) {
  absl::StatusOr<std::vector<FmqResultDatum>> answer =
      Await([&](const hal::Deadline& deadline, const BurstController::Health& health) {
        return controller_->ExecutePacket(packet, deadline, health);
      });
  if (!answer.ok()) return {OutcomeOf(answer.status()), {}};
  absl::StatusOr<ExecuteSynchronouslyResult> result = hal::deserializeBurstResult(*answer);
  if (result.ok()) return {OutcomeOf(*std::move(result)), *std::move(answer)};
  ExecutionOutcome outcome;
  outcome.problem = Broken(absl::StrCat(
      "the answer is no single packet: ", result.status().message(), "; expected exactly one"));
  return {std::move(outcome), *std::move(answer)};
}

std::optional<Problem> BurstOnDriver::Call(absl::string_view name,
                                           const std::function<void(BurstController&)>& call) {
  const absl::Status status = session_.calls()
                                  .Run(deadline_,
                                       [call, controller = controller_] {
                                         call(*controller);
                                         return true;
                                       })
                                  .status();
  if (status.ok()) return std::nullopt;
  return ProblemOf(name, status);
}

std::optional<Problem> BurstOnDriver::FreeMemory(int32_t slot) {
  return Call("freeMemory", [slot](BurstController& burst) { burst.FreeMemory(slot); });
}

std::optional<Problem> BurstOnDriver::FreeAllMemory() {
  return Call("freeMemory", [](BurstController& burst) { burst.FreeAllMemory(); });
}

absl::Status BurstOnDriver::Close() {
  if (model_ == nullptr) return absl::OkStatus();
  return session_.calls()
      .Run(is_overdue_ ? std::min(kPatience, deadline_) : deadline_,
           [burst = controller_, model = std::exchange(model_, nullptr)] {
             burst->Close();
             return true;
           })
      .status();
}

std::optional<Problem> BurstOnDriver::CheckNoResult() const {
  const absl::Status status = controller_->CheckNoResult();
  if (status.ok()) return std::nullopt;
  return ProblemOf("the end of a burst", status);
}

}  // namespace nncert
