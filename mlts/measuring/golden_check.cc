// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/measuring/golden_check.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "cases/test_case.h"
#include "hal/utils.h"
#include "mlts/metrics/decoded_outputs.h"
#include "mlts/metrics/differences.h"

namespace nncert {
namespace {

using Outcome = CheckResult::Outcome;

// Steps by which elements may be off, as Android's specs of quantized MobileNets have it.
constexpr uint32_t kSteps = 2;

}  // namespace

GoldenCheck::GoldenCheck(const NetworkArguments& arguments) : formats_(arguments.users_outputs()) {
  TestCase test_case;
  test_case.model = *arguments.model();
  test_case.quantizedTolerance = kSteps;
  const std::vector<uint32_t>& outputs = test_case.model.outputIndexes;
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (!arguments.IsUsers(i)) continue;
    criteria_.push_back(CriterionFor(test_case, i));
    is_quantized_ |= hal::isQuantized(test_case.model.operands[outputs[i]].type);
  }
}

absl::Status GoldenCheck::Add(const Sequence& sequence, const SequenceOutputs& driver,
                              const SequenceOutputs* reference) {
  if (sequence.golden_outputs.empty()) return absl::OkStatus();
  const absl::StatusOr<DecodedOutputs> golden =
      DecodeOutputs(sequence, "the golden outputs", sequence.golden_outputs, formats_);
  if (!golden.ok()) return golden.status();
  const absl::StatusOr<DecodedOutputs> actual =
      DecodeOutputs(sequence, "the outputs of the driver", driver, formats_);
  if (!actual.ok()) return actual.status();
  if (absl::Status status = CheckSameSizes(sequence, "the outputs of the driver", *actual,
                                           "the golden outputs", *golden);
      !status.ok()) {
    return status;
  }
  std::optional<DecodedOutputs> references;
  if (reference != nullptr) {
    absl::StatusOr<DecodedOutputs> decoded =
        DecodeOutputs(sequence, "the outputs of the reference", *reference, formats_);
    if (decoded.ok()) references = *std::move(decoded);
  }
  for (size_t inference = 0; inference < golden->size(); ++inference) {
    for (size_t i = 0; i < formats_.size(); ++i) {
      const StoredOutput& expected = (*golden)[inference][i];
      const StoredOutput& given = (*actual)[inference][i];
      const Criterion& criterion = criteria_[i];
      for (size_t k = 0; k < expected.size(); ++k) {
        ++elements_;
        exact_ += given[k] == expected[k] ? 1 : 0;
        greatest_ = std::max(greatest_, std::abs(DifferenceOf(given[k], expected[k])));
        const bool is_far = !IsWithin(criterion, expected[k], given[k]);
        far_ += is_far ? 1 : 0;
        if (!references.has_value()) {
          wrong_ += is_far ? 1 : 0;
          continue;
        }
        const double by_reference = (*references)[inference][i][k];
        const bool is_reference_far = !IsWithin(criterion, expected[k], by_reference);
        references_far_ += is_reference_far ? 1 : 0;
        if (is_far && !is_reference_far && !IsWithin(criterion, by_reference, given[k])) ++wrong_;
      }
    }
  }
  return absl::OkStatus();
}

std::vector<CheckResult> GoldenCheck::Checks() const {
  if (elements_ == 0) return {};
  std::vector<CheckResult> checks;
  const std::string tolerance =
      is_quantized_
          ? absl::StrCat("more than ", kSteps, " steps")
          : absl::StrFormat("more than %g + %g of the value", criteria_[0].atol, criteria_[0].rtol);
  CheckResult check;
  check.name = "golden outputs";
  check.outcome = wrong_ == 0 ? Outcome::PASS : Outcome::FAIL;
  check.detail = absl::StrFormat(
      "%d of %d elements differ by %s, %d of the reference's; %d by the driver's own doing; %d are "
      "exact, the greatest difference is %.3g%s",
      far_, elements_, tolerance, references_far_, wrong_, exact_, greatest_,
      is_quantized_ ? " steps" : "");
  checks.push_back(check);
  if (is_quantized_) {
    check.name = "golden outputs, off by two";
    check.detail = absl::StrFormat("%d of %d elements are off by more", far_, elements_);
    check.outcome = far_ == 0 ? Outcome::PASS : wrong_ == 0 ? Outcome::NOT_RUN : Outcome::FAIL;
    if (check.outcome == Outcome::NOT_RUN) {
      absl::StrAppend(&check.detail, ", and ", references_far_,
                      " of the reference's, which rounds once where the golden outputs were "
                      "rounded twice: no honest driver can be told by them");
    }
    checks.push_back(check);
  }
  return checks;
}

}  // namespace nncert
