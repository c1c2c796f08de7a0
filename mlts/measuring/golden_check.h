// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Whether a driver gives golden outputs, as far as that can be asked of it.
//
// Golden outputs of quantized networks were made by fixed-point arithmetic that rounds twice where
// the HAL's documentation asks for the quantized exact result. Thirty layers make of single steps
// what no honest driver can foresee. So a driver is held against the reference as well: what
// counts is where it is far from the golden output and from the reference, and the reference is
// near the golden output.

#ifndef NNCERT_MLTS_MEASURING_GOLDEN_CHECK_H_
#define NNCERT_MLTS_MEASURING_GOLDEN_CHECK_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "harness/judging/comparator.h"
#include "mlts/data_sets/data_set.h"
#include "mlts/measuring/network_arguments.h"
#include "mlts/results/results.h"

namespace nncert {

/// Compares outputs with golden ones and with those of the reference.
class GoldenCheck {
 public:
  /// Of quantized outputs, elements may be off by two steps; all others are held to the documented
  /// precision.
  explicit GoldenCheck(const NetworkArguments& arguments);

  /// Adds a sequence; one without golden outputs adds nothing. `reference` is null when the
  /// reference has no outputs. InvalidArgument when the golden outputs are not of the same sizes.
  absl::Status Add(const Sequence& sequence, const SequenceOutputs& driver,
                   const SequenceOutputs* reference);

  /// "golden outputs": no element is beyond the tolerance from the golden one and from the
  /// reference's where that is within it. And "golden outputs, off by two" of quantized networks:
  /// no element is more than two steps from the golden one, whatever the reference gives; NOT_RUN
  /// where the reference is as far. Nothing without golden outputs.
  std::vector<CheckResult> Checks() const;

 private:
  const std::vector<TensorFormat>& formats_;
  std::vector<Criterion> criteria_;
  bool is_quantized_ = false;
  uint64_t elements_ = 0;
  uint64_t exact_ = 0;
  // Beyond the tolerance: of the driver, of the reference, and of the driver alone.
  uint64_t far_ = 0;
  uint64_t references_far_ = 0;
  uint64_t wrong_ = 0;
  double greatest_ = 0;
};

}  // namespace nncert

#endif  // NNCERT_MLTS_MEASURING_GOLDEN_CHECK_H_
