// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Compares samples with the distribution that they should be drawn from.

#ifndef NNCERT_HARNESS_JUDGING_SAMPLES_H_
#define NNCERT_HARNESS_JUDGING_SAMPLES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "cases/test_case.h"
#include "hal/v1_2/types.h"
#include "reference/execution/executor.h"
#include "reference/number/ball.h"
#include "reference/number/precision.h"

namespace nncert {

/// In at most so many tests of right samples TestSamples finds them wrong: one in 10^9.
inline constexpr double kFalseAlarms = 1e-9;

/// Whether the model's `output`-th output is of samples, which no two implementations draw alike.
/// The model is in the catalogue's numbering.
bool AreSamples(const hal::V1_2::Model& model, size_t output);

/// Unnormalized logarithms of probabilities: a row of classes for each row of samples.
struct Logits {
  /// rows * classes enclosures, row-major; exact where the logits are an input or a constant.
  std::vector<Ball> values;
  /// Rows of logits.
  uint64_t rows = 0;
  /// Classes in a row.
  uint64_t classes = 0;
  /// What an honest implementation may lose in an operation on them.
  Precision precision = kFloat32Precision;
};

/// The logits that an output is drawn from, which is the first operand of the operation that writes
/// it: the model's `outputs`-th output. FailedPrecondition when their values are not known: an
/// enclosure straddles a decision on the way to them, or they are not of rank 2, or one is no
/// finite number. `kernels` compute them.
absl::StatusOr<Logits> FindLogits(const TestCase& test_case, size_t example, size_t output,
                                  KernelChoice kernels = KernelChoice::kFast);

/// Checks how often each class comes, in each row: within `tolerance` of its probability,
/// exp(logit) / sum exp(logits), as Android's suite does. `samples` has the same number for each
/// row, at least one. Every sample must be a class, in [0, classes). OutOfRange naming the first
/// sample or class that is wrong; InvalidArgument when the sizes do not fit.
absl::Status CompareFrequencies(const Logits& logits, absl::Span<const double> samples,
                                double tolerance);

/// Checks that samples are drawn from the softmax of their logits and independently of each other,
/// by a statistical test that finds right samples wrong with a probability of at most kFalseAlarms,
/// for any numbers of rows, classes and samples. Sizes and samples as in CompareFrequencies, and so
/// are the errors.
///
/// Counted is, in each row and in all rows together, how many samples are in a group of classes:
/// each class alone; the first n classes; the n likeliest; those whose index has bit n. Also how
/// often a sample is the same as the next in its row, and as the one below in the next row, in
/// pairs that have no sample in common. Each such count X is a sum of N independent events of mean
/// probability p, for which P(X / N >= q) <= exp(-N D) where q > p, likewise below, with D = q
/// ln(q/p) + (1-q) ln((1-q)/(1-p)) (Hoeffding, "Probability inequalities for sums of bounded random
/// variables", 1963, theorem 1). A count is wrong when 2 M exp(-N D) < kFalseAlarms, of M counts.
///
/// Probabilities are intervals: logits may be rounded to their precision, their exponentials be off
/// by 5 units in the last place, and random numbers be multiples of 2^-24, or 2^-11 in half
/// precision.
absl::Status TestSamples(const Logits& logits, absl::Span<const double> samples);

}  // namespace nncert

#endif  // NNCERT_HARNESS_JUDGING_SAMPLES_H_
