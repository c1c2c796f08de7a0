// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/isolation/joint_calls.h"

#include <cstddef>
#include <latch>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace nncert {
namespace {

// Watches the calls of one thread among several, all of which are one call of somebody else's.
class SharedWatch : public CallWatch {
 public:
  explicit SharedWatch(const CallThread& calls) : calls_(calls) {}

  void Begin(absl::Duration /*deadline*/) override {}
  absl::Status End() override { return calls_.Health(); }
  absl::Status Health() override { return calls_.Health(); }
  std::string Activity() override { return calls_.Activity(); }

 private:
  const CallThread& calls_;
};

}  // namespace

std::optional<Problem> CallTogether(DriverSession& session, absl::Duration deadline,
                                    absl::Span<const JointCalls> threads) {
  SharedWatch shared(session.calls());
  CallWatch* const watch = session.calls().is_watched() ? &shared : nullptr;
  std::vector<std::optional<Problem>> problems(threads.size());
  std::latch start(static_cast<std::ptrdiff_t>(threads.size()));
  const auto run = [&](size_t i) {
    const absl::StatusOr<std::unique_ptr<DriverSession>> own = DriverSession::FromDevice(
        session.device(), session.name(), deadline, watch, session.calls().clock());
    start.arrive_and_wait();
    problems[i] = own.ok() ? threads[i](**own) : ProblemOf("opening a session", own.status());
  };
  const auto run_all = [&] {
    std::vector<std::thread> running;
    for (size_t i = 0; i < threads.size(); ++i) running.emplace_back(run, i);
    for (std::thread& thread : running) thread.join();
    return true;
  };
  if (watch == nullptr) {
    // Each session has deadlines of its own, and a thread of its own to leave behind.
    run_all();
  } else if (const absl::Status status = session.calls().Run(deadline, run_all).status();
             !status.ok()) {
    return ProblemOf("the calls of several threads", status);
  }
  for (std::optional<Problem>& problem : problems) {
    if (problem.has_value()) return std::move(problem);
  }
  return std::nullopt;
}

}  // namespace nncert
