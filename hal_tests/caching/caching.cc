// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal_tests/caching/caching.h"

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "hal_tests/caching/cached_case.h"
#include "hal_tests/caching/caching_attempts.h"
#include "hal_tests/caching/caching_checks.h"
#include "hal_tests/cases/case_execution.h"
#include "hal_tests/cases/case_mutants.h"
#include "hal_tests/mutations/mutation_kind.h"
#include "reference/model_builder.h"

namespace nncert {
namespace {

using hal::HalVersion;
using hal::V1_0::ErrorStatus;
using hal::V1_2::GetNumberOfCacheFilesNeededResult;
using hal::V1_2::Model;
using hal::V1_2::OperandType;
using hal::V1_2::OperationType;

// How many operations a chain has: enough for a preparation to take a while.
constexpr int kChainLength = 20;

// x, to which a constant is added, or by which x is multiplied, again and again.
TestCase Chain(OperationType operation, OperandType type, double constant) {
  const bool is_quantized = type == OperandType::TENSOR_QUANT8_ASYMM;
  const OperandSpec spec = {type, {1, 2}, is_quantized ? 1.0F : 0.0F};
  // A product takes an output scale that is greater than that of the inputs together.
  const OperandSpec factor = {type, {1, 2}, is_quantized ? 0.5F : 0.0F};
  const double stored = is_quantized ? 2 * constant : constant;
  ModelBuilder builder;
  uint32_t value = builder.Input(spec);
  for (int i = 0; i < kChainLength; ++i) {
    const uint32_t operand = builder.Constant(factor, {stored, stored});
    const uint32_t none = builder.Int32(0);
    const uint32_t result = i + 1 < kChainLength ? builder.Temporary(spec) : builder.Output(spec);
    builder.Operation(operation, {value, operand, none}, {result});
    value = result;
  }
  TestCase test_case;
  test_case.name =
      absl::StrCat(operation == OperationType::ADD ? "addition" : "multiplication", "_chain_",
                   is_quantized ? "quant8" : "float32", constant == 1 ? "" : "_changed");
  test_case.model = builder.model();
  const double result = operation == OperationType::ADD ? 3 + kChainLength * constant : 3;
  test_case.examples.push_back(
      {.inputs = {{false, spec.dimensions, BytesOf(type, {3, 3})}},
       .outputs = {{false, spec.dimensions, BytesOf(type, {result, result})}}});
  return test_case;
}

// A chain, another one, and the first one with other constants.
struct Chains {
  LoadedCase own;
  LoadedCase other;
  LoadedCase changed;
};

std::shared_ptr<const Chains> ChainsOf(OperandType type) {
  return std::make_shared<const Chains>(
      Chains{.own = {.test_case = Chain(OperationType::ADD, type, 1), .source_path = ""},
             .other = {.test_case = Chain(OperationType::MUL, type, 1), .source_path = ""},
             .changed = {.test_case = Chain(OperationType::ADD, type, 2), .source_path = ""}});
}

// The operations of a model and their types.
uint64_t KindOf(const Model& model) {
  uint64_t kind = model.operations.size();
  for (const hal::V1_2::Operation& operation : model.operations) {
    kind = CombineKinds(kind, KindOfOperation(model, operation));
  }
  return kind;
}

class CachingTest : public SuiteTest {
 public:
  // Makes those of the checks that are in one of the scopes. `chains` are what the case is one of;
  // null for a case of a file, which outlives the test.
  CachingTest(const CaseInMode& test_case, std::shared_ptr<const Chains> chains, HalVersion version,
              const absl::flat_hash_set<Scope>& scopes)
      : case_(test_case), chains_(std::move(chains)), version_(version) {
    for (const CachingCheck& check : AllCachingChecks()) {
      if (scopes.contains(check.scope)) checks_.push_back(&check);
    }
  }

  std::string fixture() const override { return "CompilationCachingTest"; }
  std::string name() const override {
    return chains_ == nullptr ? NameOf(case_) : case_.loaded->test_case.name;
  }
  std::string operation() const override { return OperationOf(case_); }
  size_t steps() const override { return checks_.size(); }

  std::optional<CheckFailure> Run(DriverSession& session, absl::Duration deadline,
                                  TestRecord& record) const override {
    if (version_ < HalVersion::V1_2) return LeaveOut(record);
    CachedCase own(session, deadline, case_);
    if (const std::optional<Problem> problem = own.Prepare()) {
      if (problem->verdict == Verdict::UNSUPPORTED) return LeaveOut(record);
      return FailRest(record, "the model without a cache", *problem);
    }
    const absl::StatusOr<GetNumberOfCacheFilesNeededResult> needed =
        AskNumberOfCacheFiles(session, deadline);
    if (!needed.ok()) {
      return FailRest(record, "the device",
                      ProblemOf("getNumberOfCacheFilesNeeded", needed.status()));
    }
    CachingScene scene = {.own = own, .needed = *needed};
    std::optional<CachedCase> other;
    std::optional<CachedCase> changed;
    if (chains_ != nullptr) {
      for (const auto& [loaded, model, place] :
           {std::tuple(&chains_->other, &other, &scene.other),
            std::tuple(&chains_->changed, &changed, &scene.changed)}) {
        *place = &model->emplace(session, deadline, CaseInMode{loaded, TestMode::kStatic});
        if (const std::optional<Problem> problem = (*place)->Prepare()) {
          if (problem->verdict == Verdict::UNSUPPORTED) return LeaveOut(record);
          return FailRest(record, "another model without a cache", *problem);
        }
      }
    }
    for (; record.next < checks_.size(); ++record.next) {
      const CachingCheck& check = *checks_[record.next];
      CheckCount& count = record.counts[check.check.name];
      if (!Has(check.needs, scene, record)) {
        ++count.unsupported;
        continue;
      }
      const CachingOutcome outcome = check.make(scene);
      if (outcome.problem.has_value()) {
        CheckFailure failure = FailureOf(check.check.name, outcome.what, *outcome.problem);
        if (EndsSession(outcome.problem->verdict)) return failure;
        record.AddFailure(std::move(failure));
      } else {
        ++(outcome.is_made ? count.passed : count.unsupported);
      }
    }
    return std::nullopt;
  }

 private:
  // Whether there is what a check takes.
  static bool Has(Needs needs, const CachingScene& scene, const TestRecord& record) {
    const GetNumberOfCacheFilesNeededResult& needed = scene.needed;
    if (needs == Needs::kDevice) return true;
    // Numbers that are wrong are a matter of NumberOfCacheFiles.
    if (!scene.own.is_repeatable() || needed.status != ErrorStatus::NONE ||
        needed.numModelCache > kMostCacheFiles || needed.numDataCache > kMostCacheFiles) {
      return false;
    }
    if (needs == Needs::kModel) return true;
    if (needed.numModelCache + needed.numDataCache == 0) return false;
    if (needs == Needs::kFiles) return true;
    // A driver that does not give what it has saved refuses nothing for good reasons.
    const auto retrieval = record.counts.find(kSavingAndRetrieval);
    if (retrieval == record.counts.end() || retrieval->second.passed == 0) return false;
    return needs == Needs::kRetrieval || (needed.numModelCache > 0 && needed.numDataCache > 0);
  }

  // The driver does not support what the checks that are left take.
  std::optional<CheckFailure> LeaveOut(TestRecord& record) const {
    for (; record.next < checks_.size(); ++record.next) {
      ++record.counts[checks_[record.next]->check.name].unsupported;
    }
    return std::nullopt;
  }

  // The checks that are left cannot be made, for a problem that has nothing to do with caching.
  std::optional<CheckFailure> FailRest(TestRecord& record, std::string_view what,
                                       const Problem& problem) const {
    if (record.next >= checks_.size()) return std::nullopt;
    CheckFailure failure = FailureOf(checks_[record.next]->check.name, what, problem);
    if (EndsSession(problem.verdict)) return failure;
    record.AddFailure(std::move(failure));
    record.next = checks_.size();
    return std::nullopt;
  }

  const CaseInMode case_;
  const std::shared_ptr<const Chains> chains_;
  const HalVersion version_;
  std::vector<const CachingCheck*> checks_;
};

}  // namespace

std::vector<Check> CachingChecks() {
  std::vector<Check> checks;
  for (const CachingCheck& check : AllCachingChecks()) checks.push_back(check.check);
  return checks;
}

std::vector<std::unique_ptr<SuiteTest>> MakeCachingTests(absl::Span<const CaseInMode> cases,
                                                         HalVersion version) {
  std::vector<std::unique_ptr<SuiteTest>> tests;
  for (const OperandType type : {OperandType::TENSOR_FLOAT32, OperandType::TENSOR_QUANT8_ASYMM}) {
    const std::shared_ptr<const Chains> chains = ChainsOf(type);
    tests.push_back(std::make_unique<CachingTest>(
        CaseInMode{&chains->own, TestMode::kStatic}, chains, version,
        absl::flat_hash_set<Scope>{Scope::kEvery, Scope::kKind, Scope::kOperation, Scope::kChain}));
    // What there is not needs to be said only once.
    if (version < HalVersion::V1_2) return tests;
  }
  absl::flat_hash_set<uint64_t> kinds;
  absl::flat_hash_set<std::string> operations;
  for (const CaseInMode& test_case : cases) {
    if (!IsExecutable(test_case, version)) continue;
    absl::flat_hash_set<Scope> scopes = {Scope::kEvery};
    if (kinds.insert(KindOf(test_case.loaded->test_case.model)).second) {
      scopes.insert(Scope::kKind);
    }
    if (operations.insert(OperationOf(test_case)).second) scopes.insert(Scope::kOperation);
    tests.push_back(std::make_unique<CachingTest>(test_case, nullptr, version, scopes));
  }
  return tests;
}

}  // namespace nncert
