// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/testing/refusal.h"

#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "re2/re2.h"
#include "reference/catalogue.h"
#include "reference/execution/executor.h"
#include "reference/testing/evaluate.h"

namespace nncert {
namespace {

// The constraints broken so far, by operation and label.
std::set<std::pair<std::string, std::string>>& BrokenConstraints() {
  static auto* const broken = new std::set<std::pair<std::string, std::string>>();
  return *broken;
}

// The labels of the constraints that an error message says do not hold.
std::vector<std::string> LabelsIn(std::string_view message) {
  static const re2::RE2* const pattern = new re2::RE2("constraint (C[0-9]+) does not hold");
  std::vector<std::string> labels;
  re2::StringPiece rest(message);
  for (std::string label; re2::RE2::FindAndConsume(&rest, *pattern, &label);) {
    labels.push_back(label);
  }
  return labels;
}

}  // namespace

testing::AssertionResult IsRefusalMessage(std::string_view message, std::string_view operation,
                                          std::string_view label) {
  static const re2::RE2* const operand =
      new re2::RE2("(in|out)put [0-9]+ '[^']+' \\(operand [0-9]+\\)");
  const std::string name(operation);
  const auto failure = [&](std::string_view what) {
    return testing::AssertionFailure()
           << "expected " << operation << " to be refused because of " << label << "; " << what
           << (message.empty() ? "" : ": ") << message;
  };
  const OperationDefinition* const definition = FindOperation(operation);
  if (definition == nullptr) return failure("the catalogue has no such operation");
  if (message.empty()) return failure("it was accepted");
  const std::vector<std::string> labels = LabelsIn(message);
  if (labels.empty()) return failure("the message names no constraint");
  if (labels.front() != label) return failure("another constraint did not hold");
  if (labels.size() > 1) return failure("more than one constraint did not hold");
  if (message.find(absl::StrCat(name, ": constraint ", labels.front())) == std::string_view::npos) {
    return failure("the message does not name the operation");
  }
  if (!re2::RE2::PartialMatch(message, *operand)) return failure("the message names no operand");
  BrokenConstraints().emplace(name, labels.front());
  return testing::AssertionSuccess();
}

testing::AssertionResult IsRefused(const hal::V1_2::Model& model, std::string_view label,
                                   const std::vector<std::vector<double>>& inputs,
                                   HalVersion version) {
  if (model.operations.size() != 1) {
    return testing::AssertionFailure()
           << "a negative case has one operation; this one has " << model.operations.size();
  }
  absl::Status status = PreparedGraph::Create(model, version).status();
  if (!inputs.empty()) {
    if (!status.ok()) {
      return testing::AssertionFailure()
             << "only the execution was to be refused; the model already is: " << status;
    }
    status = EvaluateInAllSystems(model, inputs, version).status();
  }
  return IsRefusalMessage(std::string(status.message()),
                          OperationName(model, model.operations[0].type), label);
}

std::vector<std::string> ConstraintsNotBroken(std::string_view source_file) {
  std::vector<std::string> missing;
  std::vector<const OperationDefinition*> definitions(AllOperations().begin(),
                                                      AllOperations().end());
  definitions.insert(definitions.end(), AllExtensionOperations().begin(),
                     AllExtensionOperations().end());
  for (const OperationDefinition* definition : definitions) {
    if (definition->source_file != source_file) continue;
    for (const Constraint& constraint : definition->constraints) {
      if (BrokenConstraints().count({definition->name(), constraint.label}) == 0) {
        missing.push_back(absl::StrCat(definition->name(), " ", constraint.label));
      }
    }
  }
  return missing;
}

}  // namespace nncert
