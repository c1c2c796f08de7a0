// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal_tests/cases/case_mutants.h"

#include <algorithm>

#include "hal_tests/mutations/mutation_kind.h"
#include "harness/isolation/guarded_request.h"
#include "reference/catalogue.h"

namespace nncert {
namespace {

// How many mutations whose kind an earlier test has had a test has, about.
constexpr size_t kRepeated = 6;

}  // namespace

hal::V1_2::Model ModelInMode(const CaseInMode& test_case) {
  const hal::V1_2::Model& model = test_case.loaded->test_case.model;
  return test_case.mode == TestMode::kDynamic ? WithUnspecifiedOutputs(model) : model;
}

std::string NameOf(const CaseInMode& test_case) {
  return NameInMode(test_case.loaded->test_case, test_case.mode);
}

std::string OperationOf(const CaseInMode& test_case) {
  const hal::V1_2::Model& model = test_case.loaded->test_case.model;
  return model.operations.empty() ? "" : OperationName(model, model.operations.back().type);
}

MutationChoice::MutationChoice(absl::flat_hash_set<uint64_t>& kinds, const std::string& test)
    : kinds_(kinds), own_kind_(KindOfText(test)) {}

void MutationChoice::Add(uint64_t kind) {
  (kinds_.insert(kind).second ? new_ : repeated_).push_back(next_++);
}

std::vector<uint32_t> MutationChoice::Chosen() const {
  std::vector<uint32_t> chosen = new_;
  const size_t every = std::max<size_t>(1, repeated_.size() / kRepeated);
  for (size_t i = own_kind_ % every; i < repeated_.size(); i += every) {
    chosen.push_back(repeated_[i]);
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace nncert
