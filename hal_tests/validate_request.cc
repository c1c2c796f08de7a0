// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal_tests/validate_request.h"

#include <string>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "hal/to_string.h"
#include "hal_tests/case_mutants.h"
#include "hal_tests/mutation_kind.h"
#include "hal_tests/request_mutations.h"
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

// A way to have a request executed.
struct Way {
  Executor executor;
  MeasureTiming measure;
};

// All ways of a device of a version.
std::vector<Way> WaysOf(HalVersion version) {
  std::vector<Way> ways = {{Executor::ASYNC_1_0, MeasureTiming::NO}};
  if (version < HalVersion::V1_2) return ways;
  for (const MeasureTiming measure : {MeasureTiming::NO, MeasureTiming::YES}) {
    for (const Executor executor : {Executor::ASYNC, Executor::SYNC}) {
      ways.push_back({executor, measure});
    }
  }
  return ways;
}

std::string DescribeWay(const Way& way) {
  return absl::StrCat(std::string(toString(way.executor)),
                      way.measure == MeasureTiming::YES ? " with timing" : "");
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

class RequestTest : public SuiteTest {
 public:
  RequestTest(const CaseInMode& test_case, HalVersion version)
      : case_(test_case), version_(version) {}

  std::string fixture() const override { return "ValidationTest"; }
  std::string name() const override { return NameOf(case_); }
  std::string operation() const override { return OperationOf(case_); }
  // The last step is the valid request.
  size_t steps() const override { return mutations_.size() + 1; }

  // Chooses the mutations to be sent. Fails where there is no memory for a request.
  absl::Status Plan(SparePools& spares, absl::flat_hash_set<uint64_t>& kinds) {
    const Model model = ModelInMode(case_);
    const absl::StatusOr<GuardedRequest> request = MakeRequest(model, spares);
    if (!request.ok()) return request.status();
    MutationChoice choice(kinds, absl::StrCat(fixture(), ".", name()));
    ForEachRequestMutation(
        model, request->request(), version_, [&](const RequestMutation& mutation) {
          choice.Add(CombineKinds(mutation.kind, case_.mode == TestMode::kDynamic ? 1 : 0));
        });
    mutations_ = choice.Chosen();
    return absl::OkStatus();
  }

  std::optional<CheckFailure> Run(DriverSession& session, absl::Duration deadline,
                                  TestRecord& record) const override {
    const auto model = std::make_shared<const Model>(ModelInMode(case_));
    const absl::StatusOr<GuardedRequest> request = MakeRequest(*model, session.spare_pools());
    if (!request.ok()) {
      record.AddFailure({kValidRequest, Verdict::MISSING, std::string(request.status().message())});
      return Finish(record);
    }
    ModelOnDriver prepared(session, deadline);
    if (const std::optional<Problem> problem = prepared.Prepare(model)) {
      const CheckFailure failure = FailureOf(kValidRequest, "the valid model", *problem);
      if (EndsSession(problem->verdict)) return failure;
      if (problem->verdict != Verdict::UNSUPPORTED) {
        record.AddFailure(failure);
      } else {
        record.counts[kValidRequest].unsupported += 1;
      }
      return Finish(record);
    }
    if (auto lost = SendMutants(prepared, *model, request->request(), record)) return lost;
    if (record.next == mutations_.size()) {
      if (auto lost = SendValid(prepared, request->request(), record)) return lost;
      ++record.next;
    }
    if (const std::optional<Problem> problem = prepared.Release()) {
      CheckFailure failure = FailureOf(kValidRequest, "after the last request", *problem);
      if (EndsSession(problem->verdict)) return failure;
      record.AddFailure(std::move(failure));
    }
    return std::nullopt;
  }

 private:
  absl::StatusOr<GuardedRequest> MakeRequest(const Model& model, SparePools& spares) const {
    return GuardedRequest::Create(model, case_.loaded->test_case.examples.front(),
                                  case_.mode == TestMode::kDynamic
                                      ? OutputSpecification::UNSPECIFIED
                                      : OutputSpecification::FULLY_SPECIFIED,
                                  version_, spares);
  }

  // Nothing else can be done.
  std::optional<CheckFailure> Finish(TestRecord& record) const {
    record.next = steps();
    return std::nullopt;
  }

  std::optional<CheckFailure> SendMutants(ModelOnDriver& prepared, const Model& model,
                                          const Request& valid, TestRecord& record) const {
    std::optional<CheckFailure> lost;
    uint32_t number = 0;
    ForEachRequestMutation(model, valid, version_, [&](const RequestMutation& mutation) {
      if (lost.has_value() || record.next >= mutations_.size()) return;
      if (mutations_[record.next] != number++) return;
      Request mutant = valid;
      mutation.apply(mutant);
      const absl::Status why = WhyInvalid(mutant, model, version_);
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
    for (const Way& way : WaysOf(version_)) {
      const ExecutionOutcome outcome = prepared.Execute(mutant, way.executor, way.measure);
      const auto fail = [&](const Problem& problem) {
        return FailureOf(
            mutation.family.name,
            absl::StrCat(mutation.describe(), " (", why.message(), "): ", DescribeWay(way)),
            problem);
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
    for (const Way& way : WaysOf(version_)) {
      const ExecutionOutcome outcome = prepared.Execute(valid, way.executor, way.measure);
      const auto fail = [&](const Problem& problem) {
        return FailureOf(kValidRequest,
                         absl::StrCat("the valid request, after invalid ones: ", DescribeWay(way)),
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

  const CaseInMode case_;
  const HalVersion version_;
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
  for (const CaseInMode& in_mode : cases) {
    const TestCase& test_case = in_mode.loaded->test_case;
    if (test_case.expectFailure || test_case.examples.empty()) continue;
    if (version < HalVersion::V1_2 && in_mode.mode == TestMode::kDynamic) continue;
    if (!IsCompliantWith(test_case.model, version)) continue;
    // Without expected outputs nobody knows how large they are.
    if (test_case.examples.front().outputs.size() != test_case.model.outputIndexes.size()) continue;
    if (!CheckExample(test_case.model, test_case.examples.front()).ok()) continue;
    auto test = std::make_unique<RequestTest>(in_mode, version);
    if (test->Plan(spares, kinds).ok()) tests.push_back(std::move(test));
  }
  return tests;
}

}  // namespace nncert
