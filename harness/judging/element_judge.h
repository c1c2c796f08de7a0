// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Judges the elements of outputs.

#ifndef NNCERT_HARNESS_JUDGING_ELEMENT_JUDGE_H_
#define NNCERT_HARNESS_JUDGING_ELEMENT_JUDGE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "cases/test_case.h"
#include "harness/judging/comparator.h"
#include "harness/judging/judgement.h"
#include "harness/judging/oracle.h"
#include "harness/judging/row_alignment.h"
#include "harness/judging/scrutiny.h"
#include "harness/records/accuracy.h"

namespace nncert {

/// What a driver left in the buffer of an output.
struct ActualOutput {
  /// At least as many bytes as are expected.
  absl::Span<const uint8_t> bytes;
  /// Whether they are as they were before the execution.
  bool is_unwritten = false;
};

/// Judges the outputs of executions of one case: by the documented thresholds first, then by the
/// enclosures of what honest implementations give.
class ElementJudge {
 public:
  /// What is known of the case beforehand. References must outlive the judge.
  struct Context {
    /// The case, with expected outputs in every example.
    const TestCase& test_case;
    /// Where enclosures come from; null when nothing is to be explained.
    Oracle* oracle;
    /// Which kernels compute what the oracle is not asked for.
    KernelChoice kernels;
    /// See RunOptions.
    bool explains_specials;
  };

  explicit ElementJudge(const Context& context)
      : context_(context), row_sets_(RowSetsOf(context.test_case.model)) {}

  /// Judges the outputs of an execution of example number `example`, one for each output of the
  /// model. Rows without an order (UnorderedRows) are compared as sets. Of several outputs, the
  /// worst verdict counts.
  Judgement operator()(size_t example, absl::Span<const ActualOutput> outputs);

  /// What the elements that passed, or were explained, are like. Of executions that gave the same
  /// as the one before, the elements count once. Enclosures are computed when this is asked for.
  const std::vector<OperationAccuracy>& accuracy();

 private:
  // An output whose rows were put into order.
  struct Aligned {
    std::vector<uint8_t> actual;
    std::vector<Ball> enclosure;  // empty when it was not needed
  };

  // An output that passed, or was explained.
  struct Scrutiny {
    size_t example;
    size_t output;
    std::vector<uint8_t> actual;
    std::optional<std::vector<Ball>> enclosure;  // of rows that were put into order
  };

  // Puts the rows of a set into the order of the expected ones.
  void Align(size_t example, const RowSet& set, absl::Span<const ActualOutput> outputs);
  // The elements of an output, in the order of the expected ones.
  absl::Span<const uint8_t> ActualOf(size_t example, size_t output,
                                     absl::Span<const ActualOutput> outputs) const;
  Judgement JudgeOutput(size_t example, size_t output, absl::Span<const ActualOutput> outputs);
  Judgement JudgeSamples(size_t example, size_t output, const ActualOutput& actual) const;
  Judgement Explain(size_t example, size_t output, const Criterion& criterion,
                    const ElementComparison& comparison, absl::Span<const ActualOutput> outputs);
  Judgement ExplainWritten(size_t example, size_t output, const Criterion& criterion,
                           const ElementComparison& comparison,
                           absl::Span<const ActualOutput> outputs);
  std::string WhyNoneIsSelected(size_t example, size_t output,
                                const std::vector<OutputValue>& enclosures,
                                absl::Span<const ActualOutput> outputs) const;
  std::string WhyNothingIsSaid(size_t example, size_t output, const Criterion& criterion,
                               absl::Span<const Mismatch> mismatches,
                               absl::Span<const Ball> balls) const;
  void Scrutinize(size_t example, size_t output, absl::Span<const uint8_t> actual);
  PassedOutput PassedOutputOf(const Scrutiny& scrutiny) const;
  hal::V1_2::OperandType TypeOf(size_t output) const;

  const Context context_;
  const std::vector<RowSet> row_sets_;
  std::map<size_t, Aligned> aligned_;  // of the execution being judged
  std::vector<OperationAccuracy> accuracy_;
  std::vector<Scrutiny> scrutinies_;
  size_t scrutinized_ = 0;  // how many of these have been looked at
};

}  // namespace nncert

#endif  // NNCERT_HARNESS_JUDGING_ELEMENT_JUDGE_H_
