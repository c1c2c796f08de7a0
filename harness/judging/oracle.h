// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The expected answer, and the answers that an honest implementation may give, of a test case.

#ifndef NNCERT_HARNESS_JUDGING_ORACLE_H_
#define NNCERT_HARNESS_JUDGING_ORACLE_H_

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cases/test_case.h"
#include "reference/execution/executor.h"
#include "reference/execution/graph.h"

namespace nncert {

/// The reference's answers to the examples of a case, each computed when first asked for and then
/// kept. Refers to the case, which must outlive it.
///
/// The answers are what the definitions of the operations say (KernelChoice::kDefinitions), or what
/// fast kernels make of them: the same, sooner.
class Oracle {
 public:
  /// How to answer.
  struct Options {
    /// Executions that take more steps fail (see ExecutionOptions).
    double most_steps = kMostSteps;
    KernelChoice kernels = KernelChoice::kFast;
    /// Whether ValidateModel has accepted the model.
    Validation validation = Validation::kNeeded;
    /// Whether it is asked for temporaries as well.
    bool has_temporaries = false;
  };

  explicit Oracle(const TestCase& test_case) : Oracle(test_case, Options()) {}
  Oracle(const TestCase& test_case, const Options& options)
      : test_case_(test_case), options_(options) {}

  /// How it answers.
  const Options& options() const { return options_; }

  /// The answer to an example as expected outputs, rounded to the outputs' types. Unimplemented
  /// when the catalogue does not have an operation of the model, InvalidArgument when an operation
  /// does not accept the example's values, ResourceExhausted when it takes too many steps or too
  /// much memory.
  absl::StatusOr<std::vector<ExpectedOutput>> Expected(size_t example);

  /// The same of the case's temporaries (see TemporariesOf), of an oracle that has them. Fails as
  /// Expected does, and with FailedPrecondition for any other oracle.
  absl::StatusOr<std::vector<ExpectedOutput>> Temporaries(size_t example);

  /// Both, the outputs and behind them the temporaries of the case. Fails as Temporaries does.
  absl::StatusOr<const std::vector<ExpectedOutput>*> OutputsAndTemporaries(size_t example);

  /// What these are rounded from, in kDouble. Fails as Temporaries does.
  absl::StatusOr<const std::vector<OutputValue>*> Doubles(size_t example);

  /// The case's model with its temporaries as further outputs, prepared. Fails as Expected does.
  absl::StatusOr<std::shared_ptr<const PreparedGraph>> GraphWithTemporaries();

  /// The enclosures of the answers to an example. Fails as Expected does.
  absl::StatusOr<const std::vector<OutputValue>*> Enclosures(size_t example);

 private:
  using GraphOrStatus = absl::StatusOr<std::shared_ptr<const PreparedGraph>>;

  GraphOrStatus Prepare(hal::V1_2::Model model) const;
  GraphOrStatus Graph();
  absl::StatusOr<std::vector<OutputValue>> Execute(const GraphOrStatus& graph, NumberSystem system,
                                                   size_t example) const;

  const TestCase& test_case_;
  const Options options_;
  std::optional<GraphOrStatus> graph_;
  std::optional<GraphOrStatus> graph_with_temporaries_;
  // By example.
  std::map<size_t, std::vector<ExpectedOutput>> rounded_;
  std::map<size_t, absl::StatusOr<std::vector<OutputValue>>> doubles_;
  std::map<size_t, absl::StatusOr<std::vector<OutputValue>>> enclosures_;
};

/// A value, whose elements it refers to, as an execution takes it.
InputArgument ArgumentOf(const std::vector<uint32_t>& dimensions, const std::vector<uint8_t>& data);

/// The inputs of an example in the same way.
std::vector<InputArgument> ArgumentsOf(const Example& example);

/// The value of an output of an execution in kDouble, rounded to the output's type.
ExpectedOutput RoundedOutput(const OutputValue& value);

}  // namespace nncert

#endif  // NNCERT_HARNESS_JUDGING_ORACLE_H_
