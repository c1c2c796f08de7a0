// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "drivers/faulty/rules/fault.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "system/nearest_name.h"

namespace nncert::faulty {
namespace {

absl::StatusOr<Fault> ParseFault(absl::string_view text) {
  const std::vector<std::string> parts = absl::StrSplit(text, '@');
  Fault fault;
  fault.rule = FindRule(parts[0]);
  if (fault.rule == nullptr) {
    std::vector<std::string> names;
    for (const Rule* rule : AllRules()) names.emplace_back(rule->name);
    const std::string nearest = DidYouMean(parts[0], names);
    // There are hundreds.
    return absl::InvalidArgumentError(absl::StrCat(
        "fault \"", text, "\": there is no rule \"", parts[0], "\"",
        nearest.empty()
            ? absl::StrCat("; expected RULE[@CONDITION...][+...], where RULE is one of ",
                           absl::StrJoin(names, ", "))
            : nearest));
  }
  for (size_t i = 1; i < parts.size(); ++i) {
    absl::StatusOr<Condition> condition = Condition::Parse(parts[i]);
    if (!condition.ok()) return condition.status();
    fault.conditions.push_back(*std::move(condition));
  }
  return fault;
}

absl::Status ComputeFrom(const std::vector<Fault>& faults, const std::vector<size_t>& biting,
                         size_t next, OperationCall& call) {
  if (next == biting.size()) return Evaluate(call);
  const auto compute = [&](OperationCall& passed_on) {
    return ComputeFrom(faults, biting, next + 1, passed_on);
  };
  return ComputeByRule(*faults[biting[next]].rule, call, compute);
}

}  // namespace

bool Fault::Holds(const OperationCall& call) const {
  return std::all_of(conditions.begin(), conditions.end(),
                     [&call](const Condition& condition) { return condition.Holds(call); });
}

bool Fault::IsAboutOperations() const {
  return rule->misread != nullptr || rule->output != nullptr || rule->operation != nullptr;
}

uint64_t Fault::every() const {
  uint64_t every = 1;
  for (const Condition& condition : conditions) every = std::max(every, condition.every());
  return every;
}

absl::StatusOr<std::vector<Fault>> ParseFaults(std::string_view text) {
  std::vector<Fault> faults;
  const std::vector<std::string> parts = absl::StrSplit(std::string(text), '+');
  for (const std::string& part : parts) {
    absl::StatusOr<Fault> fault = ParseFault(part);
    if (!fault.ok()) return fault.status();
    faults.push_back(*std::move(fault));
  }
  return faults;
}

FaultCounters::FaultCounters(const std::vector<Fault>& faults)
    : faults_(faults), counts_(std::make_unique<std::atomic<uint64_t>[]>(faults.size())) {}

bool FaultCounters::Bites(size_t index, uint64_t* before) {
  const uint64_t every = faults_[index].every();
  const uint64_t count = ++counts_[index];
  if (before != nullptr) *before = (count - 1) / every;
  return count % every == 0;
}

absl::Status ComputeWithFaults(const std::vector<Fault>& faults, FaultCounters& counters,
                               OperationCall& call) {
  std::vector<size_t> biting;
  for (size_t i = 0; i < faults.size(); ++i) {
    if (!faults[i].IsAboutOperations() || !faults[i].Holds(call)) continue;
    if (counters.Bites(i)) biting.push_back(i);
  }
  return ComputeFrom(faults, biting, 0, call);
}

}  // namespace nncert::faulty
