// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What the suites that send mutants of cases have in common.

#ifndef NNCERT_HAL_TESTS_CASES_CASE_MUTANTS_H_
#define NNCERT_HAL_TESTS_CASES_CASE_MUTANTS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "certifying/case_batch.h"
#include "hal/v1_2/types.h"

namespace nncert {

/// The model of a case as its mode has it: with outputs unspecified in the dynamic one.
hal::V1_2::Model ModelInMode(const CaseInMode& test_case);

/// The name of a case in its mode, and the operation under test.
std::string NameOf(const CaseInMode& test_case);
std::string OperationOf(const CaseInMode& test_case);

/// Chooses among the mutations of a test: those of kinds that no earlier test has had, and a few
/// others, by a number of the test's own.
class MutationChoice {
 public:
  /// `kinds` are those that there have been; `test` is the test's full name.
  MutationChoice(absl::flat_hash_set<uint64_t>& kinds, const std::string& test);

  /// The test has another mutation, of this kind.
  void Add(uint64_t kind);

  /// Which mutations were chosen, by their place among all that were added, in order.
  std::vector<uint32_t> Chosen() const;

 private:
  absl::flat_hash_set<uint64_t>& kinds_;
  const uint64_t own_kind_;
  uint32_t next_ = 0;
  std::vector<uint32_t> new_;
  std::vector<uint32_t> repeated_;
};

}  // namespace nncert

#endif  // NNCERT_HAL_TESTS_CASES_CASE_MUTANTS_H_
