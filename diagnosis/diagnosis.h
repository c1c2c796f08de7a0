// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The likely causes of failures: rules of the faulty driver, taken as hypotheses, whose results
// agree with a driver's wrong ones.

#ifndef NNCERT_DIAGNOSIS_DIAGNOSIS_H_
#define NNCERT_DIAGNOSIS_DIAGNOSIS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cases/test_case.h"
#include "diagnosis/agreement.h"
#include "diagnosis/answer.h"
#include "diagnosis/hypothesis.h"
#include "harness/judging/comparator.h"

namespace nncert {

/// A case that a driver fails, and what it gave.
struct Failure {
  /// With outputs in every example, in the catalogue's numbering.
  TestCase test_case;
  /// The operation that is to blame, by the HAL's name.
  std::string operation;
  Answer answer;
};

/// What may be wrong.
struct Cause {
  /// For people: "Takes the stride along the width for that along the height, ...".
  std::string cause;
  /// The name of the faults.
  std::string rule;
  /// In which operations.
  std::set<std::string> operations;
  /// Of the elements that the driver has wrong in the failures of those operations, how many are as
  /// the rules give them.
  uint64_t explained = 0;
  uint64_t of = 0;
  /// How many elements of outputs, right or wrong, are so to the last bit.
  uint64_t identical = 0;
  /// In how many failures.
  size_t failures = 0;
  /// How many other hypotheses of as many rules explain as much of the failures of some operation
  /// that it would be named too.
  size_t rivals = 0;
};

/// A cause is named when so great a share of all that the driver, or the hypothesis, has wrong is
/// as the hypothesis has it (Agreement::Share).
inline constexpr double kLeastShare = 0.9;

/// Diagnoses the failures of one operation.
///
/// Every single hypothesis is tried on every failure. Those are named that explain the failures
/// together (kLeastShare), the best first: by their share, then by the elements that they predict
/// to the last bit. Hypotheses about executions, each of which takes a driver, are tried on further
/// failures only where they explain the smallest one.
///
/// Where none does, and enough elements are wrong, two rules at work at the same time are tried, in
/// either order, the better ones first, one of which explains something by itself, as many as take
/// about a second. The smallest failures say which pairs are tried on the others. Where the
/// best rule leaves something unexplained, it is tried together with each other one, and pairs that
/// explain more are named too.
class OperationDiagnosis {
 public:
  /// Of failures, at least one, all of which have a wrong element. Hypotheses that cannot be tried
  /// on a failure explain nothing of it.
  explicit OperationDiagnosis(std::vector<Failure> failures);

  /// The causes, best first, without hypotheses that have one of the rules of these names.
  std::vector<Cause> Causes(const std::set<std::string>& left_out = {}) const;

  /// Whether the driver gave in all failures what it gives with that rule alone, to the last bit.
  bool IsAsBy(const std::string& rule) const;

  /// The rules whose results are the same as that one's on all failures, itself among them.
  std::set<std::string> Twins(const std::string& rule) const;

 private:
  // A failure with what is computed of it once.
  struct Examined {
    Failure failure;
    std::vector<Criterion> criteria;
    Answer honest;
    // By hypothesis; nothing where it cannot be tried.
    std::vector<std::optional<Answer>> predicted;
  };

  // What is named.
  struct Named {
    Hypothesis hypothesis;
    Agreement agreement;
  };

  Agreement AgreementOf(const Examined& examined, const std::optional<Answer>& predicted) const;
  std::optional<size_t> PlaceOf(const std::string& rule) const;
  std::vector<Named> NamedSingles(const std::set<std::string>& left_out) const;
  std::vector<Named> NamedPairs(const std::set<std::string>& left_out,
                                const faulty::Rule* with) const;
  std::vector<size_t> CandidatesForPairs(const std::set<std::string>& left_out,
                                         size_t& explaining) const;
  std::optional<Agreement> TryPair(const Hypothesis& pair, uint64_t& work) const;

  const std::vector<Hypothesis> hypotheses_;
  std::vector<Examined> examined_;  // the smallest first
};

/// Whether an answer has an element that is wrong, by the documented thresholds. Fails when the
/// reference does not give the honest answer.
absl::StatusOr<bool> HasWrongElements(const TestCase& test_case, const Answer& answer);

/// Diagnoses failures of any operations, each operation by its own: causes of the same name are
/// joined, and come in the order of how much they explain.
std::vector<Cause> Diagnose(std::vector<Failure> failures);

/// [{"cause", "rule", "explained", "of", "rivals", "failures", "operations"}], indented, in the
/// order of the causes.
std::string CausesToJson(const std::vector<Cause>& causes);

/// A line for each cause: "as if strides_swapped: ...: 64 of 64 wrong elements agree, in 3
/// failures of CONV_2D; no other rule explains them"; or "none known".
std::string DescribeCauses(const std::vector<Cause>& causes);

}  // namespace nncert

#endif  // NNCERT_DIAGNOSIS_DIAGNOSIS_H_
