// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/outcome/accuracy_findings.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace nncert {
namespace {

// See FindingsOf: a and p.
constexpr double kHonestBias = 0.125;
constexpr double kLevel = 1e-9;

}  // namespace

std::vector<Finding> FindingsOf(absl::Span<const CaseResult> results) {
  std::vector<OperationAccuracy> accuracy;
  for (const CaseResult& result : results) AddAccuracy(result.accuracy, accuracy);
  std::sort(accuracy.begin(), accuracy.end(),
            [](const OperationAccuracy& a, const OperationAccuracy& b) {
              return std::tie(a.operation, a.type) < std::tie(b.operation, b.type);
            });
  std::vector<Finding> findings;
  for (const OperationAccuracy& of : accuracy) {
    if (of.suspect > 0) {
      findings.push_back(
          {.kind = FindingKind::SUSPECT,
           .operation = of.operation,
           .type = of.type,
           .count = of.suspect,
           .detail = absl::StrCat("of ", of.elements, " elements; the first: ", of.first_suspect)});
    }
    const size_t count = of.errors.size();
    if (count == 0) continue;
    double mean = 0;
    for (const ElementError& error : of.errors) mean += error.error;
    mean /= static_cast<double>(count);
    const double bound =
        kHonestBias + std::sqrt(2 * std::log(1 / kLevel) / static_cast<double>(count));
    if (mean >= -bound) continue;
    findings.push_back(
        {.kind = FindingKind::BIASED,
         .operation = of.operation,
         .type = of.type,
         .count = count,
         .detail = absl::StrFormat(
             "%d different elements lie towards zero by %.2f of what honest implementations may "
             "differ by, in the mean; honest rounding comes to %.2f in one of 1e9 runs",
             count, -mean, bound)});
  }
  const auto is_undivided = [](const CaseResult& result) { return !result.undivided.empty(); };
  const auto undivided =
      static_cast<uint64_t>(std::count_if(results.begin(), results.end(), is_undivided));
  if (undivided > 0) {
    const CaseResult& first = *std::find_if(results.begin(), results.end(), is_undivided);
    findings.push_back(
        {.kind = FindingKind::UNDIVIDED,
         .count = undivided,
         .detail =
             absl::StrCat("models of several operations were judged as a whole alone; the first: ",
                          FullName(first), ": ", first.undivided)});
  }
  return findings;
}

}  // namespace nncert
