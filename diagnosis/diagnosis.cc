// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "diagnosis/diagnosis.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "system/escape.h"

namespace nncert {
namespace {

bool IsLeftOut(const Hypothesis& hypothesis, const std::set<std::string>& left_out) {
  return std::any_of(
      hypothesis.rules.begin(), hypothesis.rules.end(),
      [&left_out](const faulty::Rule* rule) { return left_out.contains(std::string(rule->name)); });
}

std::vector<Criterion> CriteriaOf(const TestCase& test_case) {
  std::vector<Criterion> criteria;
  for (size_t i = 0; i < test_case.model.outputIndexes.size(); ++i) {
    criteria.push_back(CriterionFor(test_case, i));
  }
  return criteria;
}

// About how long it takes to predict an answer to a case: bytes that are read and written, and as
// much as a small model takes.
uint64_t WorkOf(const TestCase& test_case) {
  uint64_t work = 0;
  for (const Example& example : test_case.examples) {
    work += 1000 + test_case.model.operandValues.size() + BytesOfArguments(example);
  }
  return work;
}

// How many elements have to be wrong before two rules at once are named: a few are soon imitated.
constexpr uint64_t kLeastForPairs = 8;

// How many times as long it takes when a driver has to be asked.
constexpr uint64_t kWorkOfDriver = 20;

// How much of that pairs may take: about a second.
constexpr uint64_t kMostWork = 5'000'000;

// The pair whatever the order.
std::set<std::string> NamesOf(const Hypothesis& hypothesis) {
  std::set<std::string> names;
  for (const faulty::Rule* const rule : hypothesis.rules) names.emplace(rule->name);
  return names;
}

}  // namespace

OperationDiagnosis::OperationDiagnosis(std::vector<Failure> failures)
    : hypotheses_(SingleHypotheses()) {
  for (Failure& failure : failures) {
    absl::StatusOr<Answer> honest = PredictHonest(failure.test_case);
    if (!honest.ok()) continue;
    Examined& examined =
        examined_.emplace_back(Examined{std::move(failure), {}, *std::move(honest), {}});
    examined.criteria = CriteriaOf(examined.failure.test_case);
  }
  std::stable_sort(examined_.begin(), examined_.end(), [](const Examined& a, const Examined& b) {
    return WorkOf(a.failure.test_case) < WorkOf(b.failure.test_case);
  });
  for (const Hypothesis& hypothesis : hypotheses_) {
    bool is_tried = true;
    for (Examined& examined : examined_) {
      std::optional<Answer>& predicted = examined.predicted.emplace_back();
      if (!is_tried) continue;
      absl::StatusOr<Answer> answer = Predict(hypothesis, examined.failure.test_case);
      if (answer.ok()) predicted = *std::move(answer);
      is_tried =
          hypothesis.IsAboutOperations() || AgreementOf(examined, predicted).Share() >= kLeastShare;
    }
  }
}

Agreement OperationDiagnosis::AgreementOf(const Examined& examined,
                                          const std::optional<Answer>& predicted) const {
  return Compare(examined.criteria, examined.failure.answer, examined.honest,
                 predicted.has_value() ? *predicted : examined.honest);
}

std::vector<OperationDiagnosis::Named> OperationDiagnosis::NamedSingles(
    const std::set<std::string>& left_out) const {
  std::vector<Named> named;
  for (size_t i = 0; i < hypotheses_.size(); ++i) {
    if (IsLeftOut(hypotheses_[i], left_out)) continue;
    Agreement agreement;
    for (const Examined& examined : examined_) {
      agreement.Add(AgreementOf(examined, examined.predicted[i]));
    }
    if (agreement.Share() >= kLeastShare) named.push_back({hypotheses_[i], agreement});
  }
  return named;
}

std::optional<Agreement> OperationDiagnosis::TryPair(const Hypothesis& pair, uint64_t& work) const {
  Agreement agreement;
  for (const Examined& examined : examined_) {
    work += WorkOf(examined.failure.test_case) * (pair.IsAboutOperations() ? 1 : kWorkOfDriver);
    const absl::StatusOr<Answer> predicted = Predict(pair, examined.failure.test_case);
    if (!predicted.ok()) return std::nullopt;
    agreement.Add(AgreementOf(examined, *predicted));
    // What does not explain the small ones is not tried on the large ones.
    if (agreement.Share() < kLeastShare) return std::nullopt;
  }
  return agreement;
}

// Those that change anything, the best first; of those that change it alike, one. How many of them,
// the first, explain anything by themselves, is `explaining`.
std::vector<size_t> OperationDiagnosis::CandidatesForPairs(const std::set<std::string>& left_out,
                                                           size_t& explaining) const {
  std::vector<std::pair<double, size_t>> candidates;
  const auto is_same = [this](size_t a, size_t b) {
    return std::all_of(examined_.begin(), examined_.end(), [a, b](const Examined& examined) {
      const std::optional<Answer>& of_a = examined.predicted[a];
      const std::optional<Answer>& of_b = examined.predicted[b];
      return of_a.has_value() == of_b.has_value() && (!of_a.has_value() || of_a->IsSame(*of_b));
    });
  };
  for (size_t i = 0; i < hypotheses_.size(); ++i) {
    if (IsLeftOut(hypotheses_[i], left_out)) continue;
    Agreement agreement;
    for (const Examined& examined : examined_) {
      agreement.Add(AgreementOf(examined, examined.predicted[i]));
    }
    const bool changes =
        std::any_of(examined_.begin(), examined_.end(), [i](const Examined& examined) {
          return examined.predicted[i].has_value() &&
                 !examined.predicted[i]->IsSame(examined.honest);
        });
    // To ask a driver takes long.
    if (!changes || (!hypotheses_[i].IsAboutOperations() && agreement.explained == 0)) continue;
    const bool is_new = std::none_of(candidates.begin(), candidates.end(),
                                     [&](const auto& other) { return is_same(other.second, i); });
    if (is_new) candidates.emplace_back(agreement.Share(), i);
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<size_t> places;
  explaining = 0;
  for (const auto& [share, place] : candidates) {
    places.push_back(place);
    explaining += share > 0;
  }
  return places;
}

std::vector<OperationDiagnosis::Named> OperationDiagnosis::NamedPairs(
    const std::set<std::string>& left_out, const faulty::Rule* with) const {
  std::vector<Named> named;
  uint64_t wrong = 0;
  for (const Examined& examined : examined_) wrong += AgreementOf(examined, std::nullopt).of;
  if (wrong < kLeastForPairs) return named;
  size_t explaining = 0;
  const std::vector<size_t> candidates = CandidatesForPairs(left_out, explaining);
  uint64_t work = 0;
  for (size_t sum = 1; sum + 2 < 2 * candidates.size(); ++sum) {
    for (size_t a = 0; a <= sum && a < candidates.size(); ++a) {
      const size_t b = sum - a;
      if (a == b || b >= candidates.size()) continue;
      // Two rules neither of which shows by itself can imitate much.
      if (std::min(a, b) >= explaining) continue;
      const Hypothesis pair = {
          {hypotheses_[candidates[a]].rules.front(), hypotheses_[candidates[b]].rules.front()}};
      if (with != nullptr && pair.rules[0] != with && pair.rules[1] != with) continue;
      if (work >= kMostWork) return named;
      const std::optional<Agreement> agreement = TryPair(pair, work);
      const bool is_new = std::none_of(named.begin(), named.end(), [&](const Named& other) {
        return NamesOf(other.hypothesis) == NamesOf(pair);
      });
      if (agreement.has_value() && is_new) named.push_back({pair, *agreement});
    }
  }
  return named;
}

std::vector<Cause> OperationDiagnosis::Causes(const std::set<std::string>& left_out) const {
  if (examined_.empty()) return {};
  const auto is_better = [](const Named& a, const Named& b) {
    return std::tuple(a.agreement.Share(), a.agreement.identical) >
           std::tuple(b.agreement.Share(), b.agreement.identical);
  };
  std::vector<Named> named = NamedSingles(left_out);
  std::stable_sort(named.begin(), named.end(), is_better);
  if (named.empty()) {
    named = NamedPairs(left_out, nullptr);
  } else if (named.front().agreement.Share() < 1) {
    // Something is left to be explained by another one.
    const Agreement alone = named.front().agreement;
    for (Named& pair : NamedPairs(left_out, named.front().hypothesis.rules.front())) {
      if (pair.agreement.Share() > alone.Share()) named.push_back(std::move(pair));
    }
  }
  std::stable_sort(named.begin(), named.end(), is_better);
  std::vector<Cause> causes;
  for (const Named& one : named) {
    causes.push_back({.cause = one.hypothesis.Cause(),
                      .rule = one.hypothesis.Name(),
                      .operations = {examined_.front().failure.operation},
                      .explained = one.agreement.explained,
                      .of = one.agreement.of,
                      .identical = one.agreement.identical,
                      .failures = examined_.size(),
                      .rivals = named.size() - 1});
  }
  return causes;
}

std::optional<size_t> OperationDiagnosis::PlaceOf(const std::string& rule) const {
  for (size_t i = 0; i < hypotheses_.size(); ++i) {
    if (hypotheses_[i].Name() == rule) return i;
  }
  return std::nullopt;
}

bool OperationDiagnosis::IsAsBy(const std::string& rule) const {
  const std::optional<size_t> place = PlaceOf(rule);
  return place.has_value() &&
         std::all_of(examined_.begin(), examined_.end(), [&](const Examined& examined) {
           const std::optional<Answer>& predicted = examined.predicted[*place];
           return predicted.has_value() && predicted->IsSame(examined.failure.answer);
         });
}

std::set<std::string> OperationDiagnosis::Twins(const std::string& rule) const {
  std::set<std::string> twins = {rule};
  const std::optional<size_t> place = PlaceOf(rule);
  if (!place.has_value()) return twins;
  for (size_t i = 0; i < hypotheses_.size(); ++i) {
    const bool is_twin =
        std::all_of(examined_.begin(), examined_.end(), [&](const Examined& examined) {
          const std::optional<Answer>& theirs = examined.predicted[i];
          const std::optional<Answer>& its = examined.predicted[*place];
          return theirs.has_value() && its.has_value() && theirs->IsSame(*its);
        });
    if (is_twin) twins.insert(hypotheses_[i].Name());
  }
  return twins;
}

absl::StatusOr<bool> HasWrongElements(const TestCase& test_case, const Answer& answer) {
  const absl::StatusOr<Answer> honest = PredictHonest(test_case);
  if (!honest.ok()) return honest.status();
  return Compare(CriteriaOf(test_case), answer, *honest, *honest).of > 0;
}

std::vector<Cause> Diagnose(std::vector<Failure> failures) {
  std::map<std::string, std::vector<Failure>> by_operation;
  for (Failure& failure : failures) {
    by_operation[failure.operation].push_back(std::move(failure));
  }
  std::vector<Cause> joined;
  for (auto& [operation, of_operation] : by_operation) {
    for (Cause& cause : OperationDiagnosis(std::move(of_operation)).Causes()) {
      const auto same = std::find_if(joined.begin(), joined.end(), [&cause](const Cause& other) {
        return other.rule == cause.rule;
      });
      if (same == joined.end()) {
        joined.push_back(std::move(cause));
        continue;
      }
      same->operations.insert(operation);
      same->explained += cause.explained;
      same->of += cause.of;
      same->identical += cause.identical;
      same->failures += cause.failures;
      same->rivals = std::min(same->rivals, cause.rivals);
    }
  }
  std::stable_sort(joined.begin(), joined.end(),
                   [](const Cause& a, const Cause& b) { return a.explained > b.explained; });
  return joined;
}

std::string CausesToJson(const std::vector<Cause>& causes) {
  const auto quoted = [](const std::string& text) {
    return absl::StrCat("\"", EscapeJson(text), "\"");
  };
  std::vector<std::string> entries;
  for (const Cause& cause : causes) {
    entries.push_back(absl::StrCat(
        "\n  {\"cause\": ", quoted(cause.cause), ", \"rule\": ", quoted(cause.rule),
        ", \"explained\": ", cause.explained, ", \"of\": ", cause.of,
        ", \"rivals\": ", cause.rivals, ", \"failures\": ", cause.failures, ", \"operations\": [",
        absl::StrJoin(
            cause.operations, ", ",
            [&](std::string* json, const std::string& name) { json->append(quoted(name)); }),
        "]}"));
  }
  return absl::StrCat("[", absl::StrJoin(entries, ","), entries.empty() ? "" : "\n", "]\n");
}

std::string DescribeCauses(const std::vector<Cause>& causes) {
  if (causes.empty()) return "Likely cause: none known\n";
  std::string text =
      "Likely cause, the likeliest first; the driver computes as if it had these faults:\n";
  for (const Cause& cause : causes) {
    absl::StrAppend(&text, "  ", cause.rule, ": ", cause.explained, " of ", cause.of,
                    " wrong elements agree, in ", cause.failures,
                    cause.failures == 1 ? " failure of " : " failures of ",
                    absl::StrJoin(cause.operations, ", "), "; ",
                    cause.rivals == 0 ? std::string("nothing else known explains them")
                                      : absl::StrCat(cause.rivals, " rivals"),
                    "\n    ", cause.cause, "\n");
  }
  return text;
}

}  // namespace nncert
