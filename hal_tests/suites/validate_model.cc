// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal_tests/suites/validate_model.h"

#include <algorithm>
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
#include "hal_tests/cases/case_mutants.h"
#include "hal_tests/cases/steps_at_once.h"
#include "hal_tests/mutations/model_mutations.h"
#include "hal_tests/mutations/mutation_kind.h"
#include "harness/isolation/device_calls.h"
#include "reference/execution/model_validation.h"

namespace nncert {
namespace {

using hal::HalVersion;
using hal::V1_0::ErrorStatus;
using hal::V1_2::Model;

// What a driver answers to one invalid model.
class Refusal {
 public:
  Refusal(DriverSession& session, absl::Duration deadline, HalVersion version,
          const ModelMutationFamily& family)
      : session_(session), deadline_(deadline), version_(version), family_(family) {}

  // Asks the driver. Gives what it does against the rules; nothing when it refuses the model.
  std::optional<Problem> Ask(ModelMutant mutant) {
    const auto model = std::make_shared<const Model>(std::move(mutant.model));
    std::string wrong;
    if (family_.is_of_model) {
      if (std::optional<Problem> problem = AskSupported(model, wrong)) return problem;
    }
    if (std::optional<Problem> problem = Prepare(model, mutant.preference, wrong)) return problem;
    if (wrong.empty()) return std::nullopt;
    return Broken(std::move(wrong));
  }

  // Whether the driver need not know better, for it does not support the operation.
  bool is_unsupported() const { return is_unsupported_; }

  // The callback of prepareModel; null before it.
  const std::shared_ptr<hal::replay::PrepareCallback>& callback() const { return callback_; }

 private:
  std::optional<Problem> AskSupported(const std::shared_ptr<const Model>& model,
                                      std::string& wrong) {
    const absl::string_view call = SupportedOperationsCall(version_);
    const auto answer = GetSupportedOperations(session_, version_, model, deadline_);
    if (!answer.ok()) return ProblemOf(call, answer.status());
    if (answer->status == ErrorStatus::INVALID_ARGUMENT) return std::nullopt;
    const std::vector<bool>& supported = answer->supportedOperations;
    is_unsupported_ = family_.is_of_operation && answer->status == ErrorStatus::NONE &&
                      std::find(supported.begin(), supported.end(), false) != supported.end();
    if (is_unsupported_) return std::nullopt;
    wrong =
        absl::StrCat(call, " ended with ", toString(answer->status), "; expected INVALID_ARGUMENT");
    return std::nullopt;
  }

  std::optional<Problem> Prepare(const std::shared_ptr<const Model>& model,
                                 hal::V1_2::ExecutionPreference preference, std::string& wrong) {
    const absl::string_view call = PrepareCall(version_);
    PreparationOutcome outcome =
        PrepareModel(session_, version_, model, {.preference = preference}, deadline_);
    callback_ = std::move(outcome.callback);
    const bool has_model = outcome.model != nullptr;
    if (has_model) {
      callback_->result.Finish();
      const absl::Status released =
          ReleasePreparedModel(session_, std::move(outcome.model), deadline_);
      if (!released.ok()) return ProblemOf("the release of the prepared model", released);
    }
    const auto add = [&](const std::string& text) {
      absl::StrAppend(&wrong, wrong.empty() ? "" : ", and ", text);
    };
    if (outcome.problem.has_value()) {
      if (EndsSession(outcome.problem->verdict)) return outcome.problem;
      add(outcome.problem->text);
      return std::nullopt;
    }
    if (is_unsupported_ && outcome.status != ErrorStatus::NONE && !has_model) return std::nullopt;
    is_unsupported_ = false;
    if (outcome.launched != ErrorStatus::INVALID_ARGUMENT) {
      add(absl::StrCat(call, " returned ", toString(outcome.launched),
                       "; expected INVALID_ARGUMENT"));
    }
    if (outcome.status != ErrorStatus::INVALID_ARGUMENT || has_model) {
      add(absl::StrCat("the callback of ", call, " was called with ", toString(outcome.status),
                       has_model ? " and a prepared model" : "",
                       "; expected INVALID_ARGUMENT and null"));
    }
    return std::nullopt;
  }

  DriverSession& session_;
  const absl::Duration deadline_;
  const HalVersion version_;
  const ModelMutationFamily& family_;
  bool is_unsupported_ = false;
  std::shared_ptr<hal::replay::PrepareCallback> callback_;
};

// How many mutants are sent at once, and how many bytes of constants they have together.
constexpr size_t kMostAtOnce = 64;
constexpr size_t kMostBytesAtOnce = size_t{1} << 20;

class ModelTest : public SuiteTest {
 public:
  // `is_compatible` says that the version is an earlier one than the device's.
  ModelTest(const CaseInMode& test_case, HalVersion version, bool is_compatible)
      : case_(test_case), version_(version), is_compatible_(is_compatible) {}

  std::string fixture() const override {
    if (!is_compatible_) return "ValidationTest";
    return absl::StrCat("ValidationTest", std::string(namespaceName(version_)));
  }
  std::string name() const override { return NameOf(case_); }
  std::string operation() const override { return OperationOf(case_); }
  size_t steps() const override { return mutations_.size(); }

  // Chooses the mutations to be sent.
  void Plan(absl::flat_hash_set<uint64_t>& kinds) {
    // Models are told apart by the methods that they come by, and by what is known of outputs.
    const uint64_t mode =
        2 * static_cast<uint64_t>(version_) + (case_.mode == TestMode::kDynamic ? 1 : 0);
    MutationChoice choice(kinds, full_name());
    ForEachModelMutation(ModelInMode(case_), version_, [&](const ModelMutation& mutation) {
      choice.Add(CombineKinds(mutation.kind, mode));
    });
    mutations_ = choice.Chosen();
  }

  std::optional<CheckFailure> Run(DriverSession& session, absl::Duration deadline,
                                  TestRecord& record) const override {
    const Model base = ModelInMode(case_);
    StepsAtOnce at_once(session, deadline, record, "invalid models");
    if (CanSendInvalidAtOnce(session)) SendAtOnce(base, record.next, at_once);
    if (at_once.lost().has_value()) return at_once.lost();
    if (auto lost = SendOneByOne(base, session, deadline, record)) return lost;
    at_once.End();
    return std::nullopt;
  }

 private:
  // Calls visit with the mutations that are to be sent, from that of a step on, until it is false.
  void ForEachToSend(const Model& base, size_t step,
                     absl::FunctionRef<bool(const ModelMutation&)> visit) const {
    uint32_t number = 0;
    ForEachModelMutation(base, version_, [&](const ModelMutation& mutation) {
      if (step >= mutations_.size() || mutations_[step] != number++) return;
      step = visit(mutation) ? step + 1 : mutations_.size();
    });
  }

  // Sends mutants many at a time, from that of a step on, until there are some that are not all
  // refused: what is wrong with those is found out one by one.
  void SendAtOnce(const Model& base, size_t step, StepsAtOnce& at_once) const {
    std::vector<hal::replay::SequencedModel> models;
    size_t bytes = 0;
    const auto send = [&] {
      bytes = 0;
      return at_once.Send(std::exchange(models, {}), [](const auto&) { return true; });
    };
    bool goes_on = true;
    ForEachToSend(base, step, [&](const ModelMutation& mutation) {
      ModelMutant mutant = {.model = base};
      mutation.apply(mutant);
      const bool is_legal = WhyInvalid(mutant, version_).ok();
      at_once.Add(mutation.family.name, is_legal);
      if (is_legal) return true;
      bytes += mutant.model.operandValues.size();
      models.push_back({.model = std::make_shared<const Model>(std::move(mutant.model)),
                        .is_asked = mutation.family.is_of_model,
                        .version = version_,
                        .preference = mutant.preference,
                        .is_invalid = true});
      if (models.size() >= kMostAtOnce || bytes >= kMostBytesAtOnce) goes_on = send();
      return goes_on;
    });
    if (goes_on && !at_once.IsEmpty()) send();
  }

  std::optional<CheckFailure> SendOneByOne(const Model& base, DriverSession& session,
                                           absl::Duration deadline, TestRecord& record) const {
    std::optional<CheckFailure> lost;
    std::vector<
        std::pair<const ModelMutationFamily*, std::shared_ptr<hal::replay::PrepareCallback>>>
        callbacks;
    ForEachToSend(base, record.next, [&](const ModelMutation& mutation) {
      ModelMutant mutant = {.model = base};
      mutation.apply(mutant);
      const absl::Status why = WhyInvalid(mutant, version_);
      if (why.ok()) {
        ++record.counts[mutation.family.name].skipped;
      } else {
        Refusal refusal(session, deadline, version_, mutation.family);
        const std::optional<Problem> problem = refusal.Ask(std::move(mutant));
        if (refusal.callback() != nullptr) {
          callbacks.emplace_back(&mutation.family, refusal.callback());
        }
        lost = Note(mutation, why, problem, refusal.is_unsupported(), record);
        if (lost.has_value()) return false;
      }
      ++record.next;
      return true;
    });
    if (!lost.has_value()) lost = CheckCallbacks(session, deadline, callbacks, record);
    return lost;
  }

  // Notes what became of a mutant; gives the failure that ended the driver.
  static std::optional<CheckFailure> Note(const ModelMutation& mutation, const absl::Status& why,
                                          const std::optional<Problem>& problem,
                                          bool is_unsupported, TestRecord& record) {
    const std::string_view check = mutation.family.name;
    if (!problem.has_value()) {
      CheckCount& count = record.counts[check];
      ++(is_unsupported ? count.unsupported : count.passed);
      return std::nullopt;
    }
    CheckFailure failure =
        FailureOf(check, absl::StrCat(mutation.describe(), " (", why.message(), ")"), *problem);
    if (EndsSession(problem->verdict)) return failure;
    record.AddFailure(std::move(failure));
    return std::nullopt;
  }

  // Looks whether a callback was called again after all had been said.
  template <typename Callbacks>
  std::optional<CheckFailure> CheckCallbacks(DriverSession& session, absl::Duration deadline,
                                             const Callbacks& callbacks, TestRecord& record) const {
    if (callbacks.empty()) return std::nullopt;
    if (const absl::Status status = AwaitAnswer(session, deadline); !status.ok()) {
      return FailureOf(callbacks.back().first->name, "after the last model",
                       ProblemOf("getStatus", status));
    }
    for (const auto& [family, callback] : callbacks) {
      if (callback->result.calls() <= 1) continue;
      record.AddFailure(FailureOf(family->name, "after an invalid model",
                                  CalledAgain(PrepareCall(version_), callback->result.calls())));
    }
    return std::nullopt;
  }

  const CaseInMode case_;
  const HalVersion version_;
  const bool is_compatible_;
  // Which mutations are sent, by their place among all of the model, in order.
  std::vector<uint32_t> mutations_;
};

}  // namespace

std::vector<Check> ModelChecks() {
  std::vector<Check> checks;
  for (const ModelMutationFamily& family : ModelMutationFamilies()) {
    checks.push_back({family.name, family.breaks});
  }
  return checks;
}

std::vector<std::unique_ptr<SuiteTest>> MakeModelTests(absl::Span<const CaseInMode> cases,
                                                       HalVersion version) {
  std::vector<std::unique_ptr<SuiteTest>> tests;
  absl::flat_hash_set<uint64_t> kinds;
  for (const CaseInMode& test_case : cases) {
    const Model& model = test_case.loaded->test_case.model;
    for (const HalVersion by_version : hal::kHalVersions) {
      const bool is_compatible = by_version < version;
      if (by_version > version || (is_compatible && test_case.mode == TestMode::kDynamic)) continue;
      // Whatever is allowed in one version is allowed in the next: only the first is a test more.
      if (is_compatible && by_version == HalVersion::V1_1 &&
          IsCompliantWith(model, HalVersion::V1_0)) {
        continue;
      }
      if (!IsCompliantWith(model, by_version)) continue;
      auto test = std::make_unique<ModelTest>(test_case, by_version, is_compatible);
      test->Plan(kinds);
      tests.push_back(std::move(test));
    }
  }
  return tests;
}

}  // namespace nncert
