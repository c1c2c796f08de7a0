// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal_tests/suites/validate_request.h"

#include <string>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "hal/to_string.h"
#include "hal_tests/cases/case_execution.h"
#include "hal_tests/cases/case_mutants.h"
#include "hal_tests/mutations/mutation_kind.h"
#include "hal_tests/mutations/request_mutations.h"
#include "harness/isolation/driver_calls.h"
#include "harness/isolation/guarded_request.h"
#include "reference/model_validation.h"

namespace nncert {
namespace {

using hal::HalVersion;
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
std::string WrongIn(const ExecutionOutcome& outcome) {
  if (outcome.launched != ErrorStatus::INVALID_ARGUMENT) {
    return absl::StrCat("it returned ", toString(outcome.launched), "; expected INVALID_ARGUMENT");
  }
  if (outcome.status != ErrorStatus::INVALID_ARGUMENT) {
    return absl::StrCat("its callback was called with ", toString(outcome.status),
                        "; expected INVALID_ARGUMENT");
  }
  if (!outcome.outputShapes.empty()) {
    return absl::StrCat("it gave ", outcome.outputShapes.size(),
                        " output shapes; expected none with INVALID_ARGUMENT");
  }
  if (!(outcome.timing == hal::V1_2::Timing())) {
    return absl::StrCat("it gave the timing ", toString(outcome.timing),
                        "; expected none with INVALID_ARGUMENT");
  }
  return "";
}

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
        ModelInMode(test_case()), request->request(), version(),
        [&](const RequestMutation& mutation) {
          choice.Add(CombineKinds(mutation.kind, test_case().mode == TestMode::kDynamic ? 1 : 0));
        });
    mutations_ = choice.Chosen();
  }

 protected:
  std::string_view preparation() const override { return kValidRequest; }

  std::optional<CheckFailure> Use(ModelOnDriver& prepared, const GuardedRequest& request,
                                  TestRecord& record) const override {
    if (auto lost = SendMutants(prepared, request.request(), record)) return lost;
    if (record.next != mutations_.size()) return std::nullopt;
    if (auto lost = SendValid(prepared, request.request(), record)) return lost;
    ++record.next;
    return std::nullopt;
  }

 private:
  std::optional<CheckFailure> SendMutants(ModelOnDriver& prepared, const Request& valid,
                                          TestRecord& record) const {
    const Model model = ModelInMode(test_case());
    std::optional<CheckFailure> lost;
    uint32_t number = 0;
    ForEachRequestMutation(model, valid, version(), [&](const RequestMutation& mutation) {
      if (lost.has_value() || record.next >= mutations_.size()) return;
      if (mutations_[record.next] != number++) return;
      Request mutant = valid;
      mutation.apply(mutant);
      const absl::Status why = WhyInvalid(mutant, model, version());
      if (why.ok()) {
        ++record.counts[mutation.family.name].skipped;
      } else {
        lost = Send(prepared, mutation, why, mutant, record);
        if (lost.has_value()) return;
      }
      ++record.next;
    });
    return lost;
  }

  // Sends an invalid request in every way.
  std::optional<CheckFailure> Send(ModelOnDriver& prepared, const RequestMutation& mutation,
                                   const absl::Status& why, const Request& mutant,
                                   TestRecord& record) const {
    std::vector<std::string> wrong;
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
          outcome.problem.has_value() ? outcome.problem->text : WrongIn(outcome);
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
