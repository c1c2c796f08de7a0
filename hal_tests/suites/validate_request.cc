// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal_tests/suites/validate_request.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "hal/replay/call_sequence.h"
#include "hal/to_string.h"
#include "hal_tests/cases/case_execution.h"
#include "hal_tests/cases/case_mutants.h"
#include "hal_tests/cases/steps_at_once.h"
#include "hal_tests/mutations/mutation_kind.h"
#include "hal_tests/mutations/request_mutations.h"
#include "harness/isolation/device_calls.h"
#include "harness/isolation/driver_calls.h"
#include "harness/isolation/guarded_request.h"
#include "reference/execution/model_validation.h"

namespace nncert {
namespace {

using hal::HalVersion;
using hal::replay::SequencedAnswers;
using hal::replay::SequencedExecution;
using hal::replay::SequencedModel;
using hal::replay::SequencedResult;
using hal::V1_0::ErrorStatus;
using hal::V1_0::Request;
using hal::V1_2::MeasureTiming;
using hal::V1_2::Model;

constexpr std::string_view kValidRequest = "executeValidRequestTest";

// The ways in which invalid requests are sent. A burst does not look at the timing before it looks
// at the request: one of its two ways is enough.
std::vector<ExecutionWay> WaysOfInvalid(HalVersion version) {
  std::vector<ExecutionWay> ways = WaysOf(version);
  std::erase_if(ways, [](const ExecutionWay& way) {
    return way.executor == Executor::BURST && way.measure == MeasureTiming::NO;
  });
  return ways;
}

// What is wrong with the answer to an invalid request; empty when nothing is.
std::string WrongIn(ErrorStatus launched, const hal::V1_2::ExecuteSynchronouslyResult& result) {
  if (launched != ErrorStatus::INVALID_ARGUMENT) {
    return absl::StrCat("it returned ", toString(launched), "; expected INVALID_ARGUMENT");
  }
  if (result.status != ErrorStatus::INVALID_ARGUMENT) {
    return absl::StrCat("its callback was called with ", toString(result.status),
                        "; expected INVALID_ARGUMENT");
  }
  if (!result.outputShapes.empty()) {
    return absl::StrCat("it gave ", result.outputShapes.size(),
                        " output shapes; expected none with INVALID_ARGUMENT");
  }
  if (!(result.timing == hal::V1_2::Timing())) {
    return absl::StrCat("it gave the timing ", toString(result.timing),
                        "; expected none with INVALID_ARGUMENT");
  }
  return "";
}

// So many pools go to the driver in one message.
constexpr size_t kMostPoolsAtOnce = 200;

// Requests of a model that go to the driver together: mutants in every way, and in the end the
// valid one, for it is to be executed after them.
class RequestsAtOnce {
 public:
  RequestsAtOnce(Model model, const Request& valid)
      : model_(std::make_shared<const Model>(std::move(model))), valid_(valid) {}

  void Add(const Request& mutant) {
    for (const ExecutionWay& way : WaysOfInvalid(HalVersion::V1_2)) Add(mutant, way);
    invalid_ = executions_.size();
  }

  // Whether there is no room for a mutant more.
  bool IsFull() const {
    const size_t ways = WaysOf(HalVersion::V1_2).size();
    return pools_ + 2 * ways * valid_.pools.size() > kMostPoolsAtOnce;
  }

  // Sends them with the steps that they are of. Whether all are as they should be.
  bool Send(StepsAtOnce& at_once) {
    std::vector<SequencedModel> models;
    if (invalid_ > 0) {
      for (const ExecutionWay& way : WaysOf(HalVersion::V1_2)) Add(valid_, way);
      models.push_back({.model = model_, .executions = std::exchange(executions_, {})});
    }
    pools_ = 0;
    const size_t invalid = std::exchange(invalid_, 0);
    return at_once.Send(std::move(models), [&](const std::vector<SequencedAnswers>& answers) {
      const std::vector<SequencedResult>& results = answers.front().results;
      for (size_t i = 0; i < results.size(); ++i) {
        const bool is_good = i < invalid
                                 ? WrongIn(results[i].launched, results[i].result).empty()
                                 : results[i].result.status != ErrorStatus::INVALID_ARGUMENT;
        if (!is_good) return false;
      }
      // There are none when the model was not prepared.
      return !results.empty();
    });
  }

 private:
  void Add(const Request& request, const ExecutionWay& way) {
    executions_.push_back(
        {.request = request, .method = MethodOf(way.executor), .measure = way.measure});
    pools_ += request.pools.size();
  }

  const std::shared_ptr<const Model> model_;
  const Request& valid_;
  std::vector<SequencedExecution> executions_;
  // How many of them are of invalid requests, and how many pools all have.
  size_t invalid_ = 0;
  size_t pools_ = 0;
};

class RequestTest : public PreparedCaseTest {
 public:
  using PreparedCaseTest::PreparedCaseTest;

  std::string fixture() const override { return "ValidationTest"; }
  // The last step is the valid request.
  size_t steps() const override { return mutations_.size() + 1; }

  // Chooses the mutations to be sent. Without memory for a request there are none, and the test
  // says so when it is run.
  void Plan(SparePools& spares, absl::flat_hash_set<uint64_t>& kinds) {
    const absl::StatusOr<GuardedRequest> request = RequestOf(test_case(), version(), spares);
    if (!request.ok()) return;
    MutationChoice choice(kinds, full_name());
    ForEachRequestMutation(
        ModelInMode(test_case()), request->request(), [&](const RequestMutation& mutation) {
          choice.Add(CombineKinds(mutation.kind, test_case().mode == TestMode::kDynamic ? 1 : 0));
        });
    mutations_ = choice.Chosen();
  }

 protected:
  std::string_view preparation() const override { return kValidRequest; }

  std::optional<CheckFailure> Use(ModelOnDriver& prepared, const GuardedRequest& request,
                                  TestRecord& record) const override {
    const Model model = ModelInMode(test_case());
    StepsAtOnce at_once(prepared.session(), prepared.deadline(), record, "invalid requests");
    if (CanSendInvalidAtOnce(prepared.session())) {
      SendAtOnce(model, request.request(), record.next, at_once);
    }
    if (at_once.lost().has_value()) return at_once.lost();
    if (auto lost = SendOneByOne(model, prepared, request.request(), record)) return lost;
    if (record.next != mutations_.size()) return std::nullopt;
    if (auto lost = SendValid(prepared, request.request(), record)) return lost;
    ++record.next;
    at_once.End();
    return std::nullopt;
  }

 private:
  // Calls visit with the mutations that are to be sent, from that of a step on, until it is false.
  void ForEachToSend(const Model& model, const Request& valid, size_t step,
                     absl::FunctionRef<bool(const RequestMutation&)> visit) const {
    uint32_t number = 0;
    ForEachRequestMutation(model, valid, [&](const RequestMutation& mutation) {
      if (step >= mutations_.size() || mutations_[step] != number++) return;
      step = visit(mutation) ? step + 1 : mutations_.size();
    });
  }

  // Sends mutants many at a time, from that of a step on, until there are some that are not all
  // refused: what is wrong with those is found out one by one.
  void SendAtOnce(const Model& model, const Request& valid, size_t step,
                  StepsAtOnce& at_once) const {
    RequestsAtOnce requests(model, valid);
    bool goes_on = true;
    ForEachToSend(model, valid, step, [&](const RequestMutation& mutation) {
      Request mutant = valid;
      mutation.apply(mutant);
      const bool is_legal = WhyInvalid(mutant, model, version()).ok();
      at_once.Add(mutation.family.name, is_legal);
      if (!is_legal) requests.Add(mutant);
      if (requests.IsFull()) goes_on = requests.Send(at_once);
      return goes_on;
    });
    if (goes_on && !at_once.IsEmpty()) requests.Send(at_once);
  }

  std::optional<CheckFailure> SendOneByOne(const Model& model, ModelOnDriver& prepared,
                                           const Request& valid, TestRecord& record) const {
    std::optional<CheckFailure> lost;
    ForEachToSend(model, valid, record.next, [&](const RequestMutation& mutation) {
      Request mutant = valid;
      mutation.apply(mutant);
      const absl::Status why = WhyInvalid(mutant, model, version());
      if (why.ok()) {
        ++record.counts[mutation.family.name].skipped;
      } else {
        lost = Send(prepared, mutation, why, mutant, record);
        if (lost.has_value()) return false;
      }
      ++record.next;
      return true;
    });
    return lost;
  }

  // Sends an invalid request in every way.
  std::optional<CheckFailure> Send(ModelOnDriver& prepared, const RequestMutation& mutation,
                                   const absl::Status& why, const Request& mutant,
                                   TestRecord& record) const {
    for (const ExecutionWay& way : WaysOfInvalid(version())) {
      const ExecutionOutcome outcome = prepared.Execute(mutant, way.executor, way.measure);
      const auto fail = [&](const Problem& problem) {
        return FailureOf(
            mutation.family.name,
            absl::StrCat(mutation.describe(), " (", why.message(), "): ", Describe(way)), problem);
      };
      if (outcome.problem.has_value() && EndsSession(outcome.problem->verdict)) {
        return fail(*outcome.problem);
      }
      const std::string text =
          outcome.problem.has_value()
              ? outcome.problem->text
              : WrongIn(outcome.launched, {.status = outcome.status,
                                           .outputShapes = outcome.outputShapes,
                                           .timing = outcome.timing});
      if (text.empty()) continue;
      // The same in another way says nothing more.
      record.AddFailure(fail(Broken(text)));
      return std::nullopt;
    }
    ++record.counts[mutation.family.name].passed;
    return std::nullopt;
  }

  // The model is as good as before: a valid request is executed.
  std::optional<CheckFailure> SendValid(ModelOnDriver& prepared, const Request& valid,
                                        TestRecord& record) const {
    for (const ExecutionWay& way : WaysOf(version())) {
      const ExecutionOutcome outcome = prepared.Execute(valid, way.executor, way.measure);
      const auto fail = [&](const Problem& problem) {
        return FailureOf(kValidRequest,
                         absl::StrCat("the valid request, after invalid ones: ", Describe(way)),
                         problem);
      };
      if (outcome.problem.has_value() && EndsSession(outcome.problem->verdict)) {
        return fail(*outcome.problem);
      }
      if (outcome.problem.has_value()) {
        record.AddFailure(fail(*outcome.problem));
        return std::nullopt;
      }
      if (outcome.status == ErrorStatus::INVALID_ARGUMENT) {
        record.AddFailure(fail(Broken("it ended with INVALID_ARGUMENT; expected an execution")));
        return std::nullopt;
      }
    }
    ++record.counts[kValidRequest].passed;
    return std::nullopt;
  }

  // Which mutations are sent, by their place among all of the request, in order.
  std::vector<uint32_t> mutations_;
};

}  // namespace

std::vector<Check> RequestChecks() {
  std::vector<Check> checks;
  for (const RequestMutationFamily& family : RequestMutationFamilies()) {
    checks.push_back({family.name, family.breaks});
  }
  checks.push_back({kValidRequest, "a valid request is executed after the invalid ones"});
  return checks;
}

std::vector<std::unique_ptr<SuiteTest>> MakeRequestTests(absl::Span<const CaseInMode> cases,
                                                         HalVersion version) {
  std::vector<std::unique_ptr<SuiteTest>> tests;
  SparePools spares;
  absl::flat_hash_set<uint64_t> kinds;
  for (const CaseInMode& test_case : cases) {
    if (!IsExecutable(test_case, version)) continue;
    auto test = std::make_unique<RequestTest>(test_case, version);
    test->Plan(spares, kinds);
    tests.push_back(std::move(test));
  }
  return tests;
}

}  // namespace nncert
