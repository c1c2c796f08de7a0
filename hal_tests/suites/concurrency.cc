// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal_tests/suites/concurrency.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <latch>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "hal/deadline.h"
#include "hal_tests/cases/answer.h"
#include "hal_tests/cases/case_execution.h"
#include "hal_tests/cases/case_mutants.h"
#include "harness/isolation/device_calls.h"
#include "harness/isolation/driver_calls.h"
#include "harness/isolation/joint_calls.h"

namespace nncert {
namespace {

using hal::HalVersion;
using hal::V1_0::ErrorStatus;
using hal::V1_2::MeasureTiming;
using hal::V1_2::Model;

// How many threads there are at a time, and how often each executes at the least.
constexpr size_t kThreads = 4;
constexpr int kRounds = 3;

// What gets in the way of a short execution does so in few of many: they go on for a while.
constexpr absl::Duration kTimeOfRounds = absl::Milliseconds(5);
constexpr int kMostRounds = 200;

// The thread that executes asynchronously.
constexpr size_t kAsynchronous = 1;

enum Step : size_t {
  kOneModel,
  kManyModels,
  kPreparations,
  kPreparationAndExecution,
  kClients,
  kRelease,
};

constexpr auto kChecks = std::to_array<Check>({
    {"executeInThreadsTest",
     "a prepared model that is executed by several threads gives each the result of its own "
     "request"},
    {"executeModelsInThreadsTest",
     "prepared models that are executed at the same time give what each gives alone"},
    {"prepareInThreadsTest",
     "models whose preparations are launched before the first has ended are all prepared"},
    {"executeWhilePreparingTest",
     "a prepared model is executed while the driver prepares another one"},
    {"clientsTest",
     "clients that have prepared the same model, each for itself, get the results of their own "
     "requests"},
    {"releaseWhileExecutingTest",
     "each execution that is under way when its prepared model is released ends once, with the "
     "right result or a failure"},
});

// How thread `thread` executes in a round: each in a way of its own, where there are several.
ExecutionWay WayOf(HalVersion version, size_t thread, int round) {
  constexpr auto kExecutors =
      std::to_array({Executor::SYNC, Executor::ASYNC, Executor::BURST, Executor::ASYNC_1_0});
  if (version < HalVersion::V1_2) return {};
  const Executor executor = kExecutors[thread % kExecutors.size()];
  const bool measures = executor != Executor::ASYNC_1_0 && round % 2 == 1;
  return {executor, measures ? MeasureTiming::YES : MeasureTiming::NO};
}

// What a thread asks, and what the driver answers when nothing else happens.
struct Question {
  Example example;
  Answer alone;
};

// A case, and the questions of threads by number: each executes in a way of its own, for another
// one may compute otherwise.
struct Member {
  CaseInMode test_case;
  std::shared_ptr<const Model> model;
  std::map<size_t, Question> questions;
};

// Cases of each kind, the largest first.
using Kinds = std::vector<std::vector<CaseInMode>>;

// Why something went wrong, with what was done at that time.
Problem During(absl::string_view what, Problem problem) {
  problem.text = absl::StrCat(what, ": ", problem.text);
  return problem;
}

// Makes the checks on a session, one after the other.
class Checker {
 public:
  Checker(DriverSession& session, absl::Duration deadline, HalVersion version)
      : session_(session), deadline_(deadline), version_(version) {}

  // Has the driver answer the questions of these threads, and nothing else: about the first of the
  // cases, of which there is one at least, that it supports.
  std::optional<Problem> Meet(const std::vector<CaseInMode>& cases,
                              const std::vector<size_t>& threads) {
    std::optional<Problem> problem;
    for (const CaseInMode& test_case : cases) {
      problem = Meet(test_case, threads);
      if (!problem.has_value()) return std::nullopt;
      if (problem->verdict == Verdict::UNSUPPORTED) continue;
      return During(absl::StrCat(NameOf(test_case), ", alone"), *problem);
    }
    return problem;
  }

  size_t members() const { return members_.size(); }

  std::optional<Problem> Make(Step step) {
    switch (step) {
      case kOneModel:
        return ExecuteOneModel();
      case kManyModels:
        return ExecuteManyModels();
      case kPreparations:
        return PrepareTogether();
      case kPreparationAndExecution:
        return ExecuteWhilePreparing();
      case kClients:
        return ExecuteAsClients();
      case kRelease:
        return ReleaseWhileExecuting();
    }
    return std::nullopt;
  }

 private:
  std::optional<Problem> Meet(const CaseInMode& test_case, const std::vector<size_t>& threads) {
    Member member = {.test_case = test_case,
                     .model = std::make_shared<const Model>(ModelInMode(test_case)),
                     .questions = {}};
    ModelOnDriver prepared(session_, deadline_);
    if (auto problem = prepared.Prepare(member.model)) return problem;
    for (const size_t thread : threads) {
      Question& question = member.questions[thread];
      question.example = ExampleOf(test_case, thread);
      question.alone = ExecuteExample(prepared, test_case, question.example, version_,
                                      session_.spare_pools(), WayOf(version_, thread, 0));
      if (question.alone.problem.has_value()) return question.alone.problem;
    }
    if (auto problem = prepared.Release()) return problem;
    members_.push_back(std::move(member));
    return std::nullopt;
  }

  // Asks a thread's question by a session, and compares the answer.
  std::optional<Problem> Ask(DriverSession& session, ModelOnDriver& prepared, const Member& member,
                             size_t thread, int round) const {
    const Question& question = member.questions.at(thread);
    const ExecutionWay way = WayOf(version_, thread, round);
    const Answer answer = ExecuteExample(prepared, member.test_case, question.example, version_,
                                         session.spare_pools(), way);
    const std::string what = absl::StrCat(NameOf(member.test_case), " by ", Describe(way));
    if (answer.problem.has_value()) return During(what, *answer.problem);
    const std::string difference =
        DifferenceFrom(question.alone, answer, "when it was executed alone");
    if (difference.empty()) return std::nullopt;
    return Broken(absl::StrCat(what, ": ", difference));
  }

  std::optional<Problem> AskRounds(DriverSession& session, ModelOnDriver& prepared,
                                   const Member& member, size_t thread) const {
    const hal::Deadline end(kTimeOfRounds);
    for (int round = 0; round < kRounds || (round < kMostRounds && !end.HasPassed()); ++round) {
      if (auto problem = Ask(session, prepared, member, thread, round)) return problem;
    }
    return std::nullopt;
  }

  // Executes a prepared model of another session.
  JointCalls RoundsOn(const ModelOnDriver& prepared, const Member& member, size_t thread) const {
    return [this, &prepared, &member, thread](DriverSession& session) -> std::optional<Problem> {
      ModelOnDriver own(session, deadline_);
      own.AdoptFrom(prepared);
      if (auto problem = AskRounds(session, own, member, thread)) return problem;
      return own.Release();
    };
  }

  std::optional<Problem> ExecuteOneModel() {
    const Member& member = members_.front();
    ModelOnDriver prepared(session_, deadline_);
    if (auto problem = prepared.Prepare(member.model, Asking::kNot)) return problem;
    std::vector<JointCalls> threads;
    for (size_t i = 0; i < kThreads; ++i) threads.push_back(RoundsOn(prepared, member, i));
    if (auto problem = CallTogether(session_, deadline_, threads)) {
      return During(absl::StrCat(kThreads, " threads executed one prepared model"), *problem);
    }
    return prepared.Release();
  }

  std::optional<Problem> ExecuteManyModels() {
    std::vector<std::unique_ptr<ModelOnDriver>> prepared;
    std::vector<JointCalls> threads;
    for (size_t i = 0; i < members_.size(); ++i) {
      prepared.push_back(std::make_unique<ModelOnDriver>(session_, deadline_));
      if (auto problem = prepared.back()->Prepare(members_[i].model, Asking::kNot)) return problem;
      threads.push_back(RoundsOn(*prepared.back(), members_[i], i));
    }
    if (auto problem = CallTogether(session_, deadline_, threads)) {
      return During(absl::StrCat(threads.size(), " threads executed a prepared model each"),
                    *problem);
    }
    for (const auto& model : prepared) {
      if (auto problem = model->Release()) return problem;
    }
    return std::nullopt;
  }

  std::optional<Problem> PrepareTogether() {
    std::vector<PreparationOutcome> outcomes(kThreads);
    std::vector<JointCalls> threads;
    for (size_t i = 0; i < kThreads; ++i) {
      threads.emplace_back([this, i, &outcomes](DriverSession& session) {
        outcomes[i] = PrepareModel(session, version_, members_[i % members_.size()].model,
                                   PreparationOptions(), deadline_);
        return outcomes[i].problem;
      });
    }
    const std::string what = absl::StrCat(kThreads, " threads prepared a model each");
    if (auto problem = CallTogether(session_, deadline_, threads)) return During(what, *problem);
    // What came of it is looked at when nothing else happens.
    std::vector<std::unique_ptr<ModelOnDriver>> prepared;
    for (size_t i = 0; i < kThreads; ++i) {
      prepared.push_back(std::make_unique<ModelOnDriver>(session_, deadline_));
      if (auto problem = prepared.back()->Adopt(PrepareCall(version_), std::move(outcomes[i]))) {
        return During(what, *problem);
      }
    }
    for (size_t i = 0; i < kThreads; ++i) {
      const size_t member = i % members_.size();
      if (auto problem = Ask(session_, *prepared[i], members_[member], member, 0)) {
        return During(what, *problem);
      }
    }
    for (const auto& model : prepared) {
      if (auto problem = model->Release()) return During(what, *problem);
    }
    return std::nullopt;
  }

  std::optional<Problem> ExecuteWhilePreparing() {
    const Member& member = members_.front();
    const Member& other = members_.back();
    ModelOnDriver prepared(session_, deadline_);
    if (auto problem = prepared.Prepare(member.model, Asking::kNot)) return problem;
    // Released when nothing is executed any more.
    std::array<PreparationOutcome, kRounds> outcomes;
    std::vector<JointCalls> threads = {RoundsOn(prepared, member, 0)};
    threads.emplace_back([&](DriverSession& session) -> std::optional<Problem> {
      for (PreparationOutcome& outcome : outcomes) {
        outcome = PrepareModel(session, version_, other.model, PreparationOptions(), deadline_);
        if (outcome.problem.has_value()) return outcome.problem;
      }
      return std::nullopt;
    });
    const std::string what = absl::StrCat("one thread executed ", NameOf(member.test_case),
                                          " and another one prepared ", NameOf(other.test_case));
    if (auto problem = CallTogether(session_, deadline_, threads)) return During(what, *problem);
    for (PreparationOutcome& outcome : outcomes) {
      ModelOnDriver model(session_, deadline_);
      if (auto problem = model.Adopt(PrepareCall(version_), std::move(outcome))) {
        return During(what, *problem);
      }
      if (auto problem = model.Release()) return During(what, *problem);
    }
    return prepared.Release();
  }

  std::optional<Problem> ExecuteAsClients() {
    const Member& member = members_.front();
    std::mutex preparation;  // one at a time
    std::latch prepared(kThreads);
    std::latch executed(kThreads);
    std::vector<JointCalls> threads;
    for (size_t i = 0; i < kThreads; ++i) {
      threads.emplace_back([&, i](DriverSession& session) {
        ModelOnDriver own(session, deadline_);
        std::optional<Problem> problem;
        {
          const std::lock_guard<std::mutex> lock(preparation);
          problem = own.Prepare(member.model);
        }
        prepared.arrive_and_wait();
        if (!problem.has_value()) problem = AskRounds(session, own, member, i);
        executed.arrive_and_wait();
        if (!problem.has_value()) problem = own.Release();
        return problem;
      });
    }
    if (auto problem = CallTogether(session_, deadline_, threads)) {
      return During(absl::StrCat(kThreads, " clients prepared the same model and executed it"),
                    *problem);
    }
    return std::nullopt;
  }

  std::optional<Problem> ReleaseWhileExecuting() {
    const Member& member = members_.front();
    const std::string what =
        absl::StrCat("the prepared model was released after ", kThreads, " launches");
    const Executor executor = WayOf(version_, kAsynchronous, 0).executor;
    ModelOnDriver prepared(session_, deadline_);
    if (auto problem = prepared.Prepare(member.model, Asking::kNot)) return problem;
    std::vector<GuardedRequest> requests;
    const Question& question = member.questions.at(kAsynchronous);
    for (size_t i = 0; i < kThreads; ++i) {
      absl::StatusOr<GuardedRequest> request =
          RequestOf(member.test_case, question.example, version_, session_.spare_pools());
      if (!request.ok()) {
        return Problem{Verdict::MISSING, absl::StrCat("no request: ", request.status().message())};
      }
      requests.push_back(*std::move(request));
    }
    std::vector<LaunchedExecution> launched;
    for (const GuardedRequest& request : requests) {
      launched.push_back(prepared.Launch(request.request(), executor, MeasureTiming::NO));
    }
    if (auto problem = prepared.ReleaseEarly()) return During(what, *problem);
    for (size_t i = 0; i < kThreads; ++i) {
      const Answer answer =
          AnswerOf(requests[i], executor, prepared.AwaitEnd(std::move(launched[i])));
      if (answer.problem.has_value()) return During(what, *answer.problem);
      // It may fail, if nothing else.
      if (answer.status != ErrorStatus::NONE) continue;
      const std::string difference =
          DifferenceFrom(question.alone, answer, "when it was executed alone");
      if (!difference.empty()) return During(what, Broken(difference));
    }
    if (auto problem = prepared.Release()) return During(what, *problem);
    return std::nullopt;
  }

  DriverSession& session_;
  const absl::Duration deadline_;
  const HalVersion version_;
  std::vector<Member> members_;
};

class ConcurrencyTest : public SuiteTest {
 public:
  // Of the first case of a kind that the driver supports, beside the same of the kinds behind it.
  ConcurrencyTest(std::shared_ptr<const Kinds> kinds, size_t kind, HalVersion version)
      : kinds_(std::move(kinds)), kind_(kind), version_(version) {}

  std::string fixture() const override { return "ConcurrencyTest"; }
  std::string name() const override { return NameOf(cases().front()); }
  std::string operation() const override { return OperationOf(cases().front()); }
  size_t steps() const override { return kChecks.size(); }

  std::optional<CheckFailure> Run(DriverSession& session, absl::Duration deadline,
                                  TestRecord& record) const override {
    Checker checker(session, deadline, version_);
    if (auto lost = MeetAll(checker, record)) return lost;
    for (; record.next < steps(); ++record.next) {
      const std::string_view check = kChecks[record.next].name;
      if (record.next == kManyModels && checker.members() == 1 && Members() > 1) {
        ++record.counts[check].unsupported;
        continue;
      }
      const std::optional<Problem> problem = checker.Make(static_cast<Step>(record.next));
      if (!problem.has_value()) {
        ++record.counts[check].passed;
        continue;
      }
      CheckFailure failure = FailureOf(check, name(), *problem);
      if (EndsSession(problem->verdict)) return failure;
      record.AddFailure(std::move(failure));
    }
    return std::nullopt;
  }

 private:
  // Has the driver execute each case alone. Of the others what it does not support is left out;
  // without one of the test's own there is nothing to check.
  std::optional<CheckFailure> MeetAll(Checker& checker, TestRecord& record) const {
    if (record.next >= steps()) return std::nullopt;
    const std::string_view check = kChecks[record.next].name;
    if (const auto problem = checker.Meet(cases(), {0, 1, 2, 3})) {
      if (EndsSession(problem->verdict)) return FailureOf(check, name(), *problem);
      if (problem->verdict == Verdict::UNSUPPORTED) {
        for (size_t i = record.next; i < steps(); ++i) ++record.counts[kChecks[i].name].unsupported;
      } else {
        record.AddFailure(FailureOf(check, name(), *problem));
      }
      record.next = steps();
      return std::nullopt;
    }
    for (size_t k = 1; k < Members(); ++k) {
      const auto problem =
          checker.Meet((*kinds_)[(kind_ + k) % kinds_->size()], {checker.members()});
      if (!problem.has_value() || problem->verdict == Verdict::UNSUPPORTED) continue;
      if (EndsSession(problem->verdict)) return FailureOf(check, name(), *problem);
      // It has a test of its own, which says so.
    }
    return std::nullopt;
  }

  const std::vector<CaseInMode>& cases() const { return (*kinds_)[kind_]; }
  // How many kinds of cases are executed at the same time.
  size_t Members() const { return std::min(kThreads, kinds_->size()); }

  const std::shared_ptr<const Kinds> kinds_;
  const size_t kind_;
  const HalVersion version_;
};

}  // namespace

std::vector<Check> ConcurrencyChecks() { return {kChecks.begin(), kChecks.end()}; }

std::vector<std::unique_ptr<SuiteTest>> MakeConcurrencyTests(absl::Span<const CaseInMode> cases,
                                                             HalVersion version) {
  const auto kinds = std::make_shared<const Kinds>(LargestFirstOfEachKind(cases, version));
  std::vector<std::unique_ptr<SuiteTest>> tests;
  for (size_t kind = 0; kind < kinds->size(); ++kind) {
    tests.push_back(std::make_unique<ConcurrencyTest>(kinds, kind, version));
  }
  return tests;
}

}  // namespace nncert
