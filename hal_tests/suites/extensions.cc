// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal_tests/suites/extensions.h"

#include <cstdint>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "hal/extension.h"
#include "hal/to_string.h"
#include "hal/utils.h"
#include "hal_tests/cases/case_mutants.h"
#include "harness/isolation/device_calls.h"

namespace nncert {
namespace {

using hal::HalVersion;
using hal::V1_0::ErrorStatus;
using hal::V1_2::Model;
using hal::V1_2::Operand;
using hal::V1_2::OperandType;
using hal::V1_2::OperationType;

// An extension that no driver has.
constexpr char kNobodys[] = "org.nncert.an_extension_that_nobody_has";
constexpr uint16_t kPrefix = 0x2a;

// A number that is far from those of the HAL's types.
constexpr uint16_t kFarNumber = 0xfffe;

// What the driver may say of a model.
enum class Expectation {
  /// That it is valid, and its operation not supported.
  kUnsupported,
  /// The same, or that it is invalid.
  kRefused,
  /// What it says of the model without the change.
  kUnchanged,
  /// Anything, but it prepares what it supports and nothing else.
  kConsistent,
};

void ListExtension(Model& model) { model.extensionNameToPrefix.push_back({kNobodys, kPrefix}); }

// Makes the operation one of the extension.
void ChangeOperation(Model& model, uint16_t number) {
  ListExtension(model);
  model.operations.front().type = hal::makeExtensionOperationType(kPrefix, number);
}

// The first tensor that the model gets from outside.
Operand& FirstTensor(Model& model) {
  for (const uint32_t input : model.inputIndexes) {
    Operand& operand = model.operands[input];
    if (!hal::nonExtensionOperandTypeIsScalar(operand.type)) return operand;
  }
  return model.operands[model.inputIndexes.front()];
}

void ChangeOperandType(Operand& operand, OperandType type) {
  operand.type = type;
  operand.scale = 0;
  operand.zeroPoint = 0;
  operand.extraParams = {};
}

// A check, and what it does to a model of one operation.
struct ExtensionCheck {
  Check check;
  std::string_view change;
  void (*apply)(Model& model);
  Expectation expectation;
};

constexpr ExtensionCheck kChecks[] = {
    {{"refuseUnknownOperationTest", "an operation of an extension is none that the driver has"},
     "its operation is one of an extension that nobody has",
     [](Model& model) { ChangeOperation(model, kFarNumber); },
     Expectation::kUnsupported},
    {{"refuseOperationOfSameNumberTest",
      "an operation of an extension is not the HAL's of the same number"},
     "its operation is one of an extension that nobody has, with the number of the HAL's own",
     [](Model& model) {
       ChangeOperation(model, hal::typeWithinExtension(model.operations.front().type));
     },
     Expectation::kUnsupported},
    {{"refuseUnknownOperandTypeTest", "operands of an unknown extension are not taken"},
     "an input is of a type of an extension that nobody has",
     [](Model& model) {
       ListExtension(model);
       ChangeOperandType(FirstTensor(model), hal::makeExtensionOperandType(kPrefix, kFarNumber));
     },
     Expectation::kRefused},
    {{"refuseOperandTypeOfSameNumberTest",
      "an operand type of an extension is not the HAL's of the same number"},
     "an input is of a type of an extension that nobody has, with the number of the HAL's own",
     [](Model& model) {
       ListExtension(model);
       Operand& operand = FirstTensor(model);
       ChangeOperandType(
           operand, hal::makeExtensionOperandType(kPrefix, hal::typeWithinExtension(operand.type)));
     },
     Expectation::kRefused},
    {{"ignoreUnusedExtensionTest", "a prefix that is not used changes nothing"},
     "it lists an extension that it does not use",
     &ListExtension,
     Expectation::kUnchanged},
    {{"oemOperationTest", "OEM_OPERATION is prepared by who supports it, and by nobody else"},
     "its operation is OEM_OPERATION",
     [](Model& model) { model.operations.front().type = OperationType::OEM_OPERATION; },
     Expectation::kConsistent},
    {{"oemOperandTypeTest", "an operation of the HAL takes no TENSOR_OEM_BYTE"},
     "an input is a TENSOR_OEM_BYTE",
     [](Model& model) { ChangeOperandType(FirstTensor(model), OperandType::TENSOR_OEM_BYTE); },
     Expectation::kRefused},
};

// What a driver made of a model.
struct Treatment {
  ErrorStatus asked = ErrorStatus::NONE;
  bool is_supported = false;
  ErrorStatus prepared = ErrorStatus::NONE;
  bool has_model = false;
};

std::string Describe(const Treatment& treatment) {
  return absl::StrCat("getSupportedOperations_1_2 ended with ", hal::toString(treatment.asked),
                      treatment.asked != ErrorStatus::NONE ? ""
                      : treatment.is_supported             ? ", supported"
                                                           : ", not supported",
                      ", prepareModel_1_2 with ", hal::toString(treatment.prepared),
                      treatment.has_model ? " and a prepared model" : "");
}

// Shows a model to the driver. Gives what is wrong with the calls.
std::optional<Problem> Show(DriverSession& session, absl::Duration deadline, Model model,
                            Treatment& treatment) {
  const auto shared = std::make_shared<const Model>(std::move(model));
  const auto answer = GetSupportedOperations(session, HalVersion::V1_2, shared, deadline);
  if (!answer.ok()) {
    return ProblemOf(SupportedOperationsCall(HalVersion::V1_2), answer.status());
  }
  treatment.asked = answer->status;
  treatment.is_supported = answer->status == ErrorStatus::NONE &&
                           answer->supportedOperations == std::vector<bool>(1, true);
  PreparationOutcome outcome =
      PrepareModel(session, HalVersion::V1_2, shared, PreparationOptions(), deadline);
  outcome.callback->result.Finish();
  treatment.prepared = outcome.status;
  treatment.has_model = outcome.model != nullptr;
  const absl::Status released = ReleasePreparedModel(session, std::move(outcome.model), deadline);
  if (outcome.problem.has_value()) return outcome.problem;
  if (!released.ok()) return ProblemOf("the release of the prepared model", released);
  return std::nullopt;
}

// What the driver should have made of a changed model, of which it made `changed`; empty when it
// did. `plain` is what it made of the model as it is.
std::string Expected(Expectation expectation, const Treatment& plain, const Treatment& changed) {
  const bool is_prepared = changed.prepared == ErrorStatus::NONE && changed.has_model;
  const bool is_refused = changed.prepared != ErrorStatus::NONE && !changed.has_model;
  switch (expectation) {
    case Expectation::kUnsupported:
      if (changed.asked == ErrorStatus::NONE && !changed.is_supported && is_refused) return "";
      return "expected NONE, not supported, and no prepared model";
    case Expectation::kRefused:
      if ((changed.asked == ErrorStatus::NONE || changed.asked == ErrorStatus::INVALID_ARGUMENT) &&
          !changed.is_supported && is_refused) {
        return "";
      }
      return "expected INVALID_ARGUMENT, or NONE and not supported, and no prepared model";
    case Expectation::kUnchanged:
      if (changed.asked == plain.asked && changed.is_supported == plain.is_supported &&
          changed.prepared == plain.prepared && changed.has_model == plain.has_model) {
        return "";
      }
      return absl::StrCat("expected what it does without that: ", Describe(plain));
    case Expectation::kConsistent:
      if ((changed.asked == ErrorStatus::NONE || changed.asked == ErrorStatus::INVALID_ARGUMENT) &&
          (changed.is_supported ? is_prepared : is_refused)) {
        return "";
      }
      return "expected INVALID_ARGUMENT or NONE, and a prepared model if it is supported";
  }
  return "";
}

class ExtensionTest : public SuiteTest {
 public:
  explicit ExtensionTest(const CaseInMode& test_case) : case_(test_case) {}

  std::string fixture() const override { return "ExtensionTest"; }
  std::string name() const override { return NameOf(case_); }
  std::string operation() const override { return OperationOf(case_); }
  size_t steps() const override { return std::size(kChecks); }

  std::optional<CheckFailure> Run(DriverSession& session, absl::Duration deadline,
                                  TestRecord& record) const override {
    Treatment plain;
    std::optional<Problem> problem = Show(session, deadline, ModelInMode(case_), plain);
    for (; record.next < steps(); ++record.next) {
      const ExtensionCheck& check = kChecks[record.next];
      const std::string_view name = check.check.name;
      if (!problem.has_value() && !plain.is_supported) {
        // Who does not know the operation refuses it in every form.
        ++record.counts[name].unsupported;
        continue;
      }
      Treatment changed;
      if (!problem.has_value()) {
        Model model = ModelInMode(case_);
        check.apply(model);
        problem = Show(session, deadline, std::move(model), changed);
      }
      if (!problem.has_value()) {
        const std::string expected = Expected(check.expectation, plain, changed);
        if (expected.empty()) {
          ++record.counts[name].passed;
          continue;
        }
        problem = Broken(absl::StrCat(Describe(changed), "; ", expected));
      }
      CheckFailure failure =
          FailureOf(name, absl::StrCat("a valid model, but ", std::string(check.change)), *problem);
      if (EndsSession(problem->verdict)) return failure;
      record.AddFailure(std::move(failure));
      problem.reset();
    }
    return std::nullopt;
  }

 private:
  const CaseInMode case_;
};

}  // namespace

std::vector<Check> ExtensionChecks() {
  std::vector<Check> checks;
  for (const ExtensionCheck& each : kChecks) checks.push_back(each.check);
  return checks;
}

std::vector<std::unique_ptr<SuiteTest>> MakeExtensionTests(absl::Span<const CaseInMode> cases,
                                                           HalVersion version) {
  std::vector<std::unique_ptr<SuiteTest>> tests;
  if (version < HalVersion::V1_2) return tests;
  std::set<std::string> operations;
  for (const CaseInMode& each : cases) {
    const TestCase& test_case = each.loaded->test_case;
    const Model& model = test_case.model;
    if (each.mode != TestMode::kStatic || test_case.expectFailure) continue;
    if (model.operations.size() != 1 || !model.extensionNameToPrefix.empty()) continue;
    const auto is_tensor = [&](uint32_t input) {
      return !hal::nonExtensionOperandTypeIsScalar(model.operands[input].type);
    };
    if (!absl::c_any_of(model.inputIndexes, is_tensor)) continue;
    if (!operations.insert(OperationOf(each)).second) continue;
    tests.push_back(std::make_unique<ExtensionTest>(each));
  }
  return tests;
}

}  // namespace nncert
