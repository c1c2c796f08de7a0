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
#include "reference/executor.h"

namespace nncert {

/// The reference's answers to the examples of a case, each computed when first asked for and then
/// kept. Refers to the case, which must outlive it.
///
/// The answers are what the definitions of the operations say (KernelChoice::kDefinitions), or what
/// fast kernels make of them: the same, sooner.
class Oracle {
 public:
  /// Executions that take more than `most_steps` fail (see ExecutionOptions).
  explicit Oracle(const TestCase& test_case, double most_steps = kMostSteps,
                  KernelChoice kernels = KernelChoice::kFast)
      : test_case_(test_case), most_steps_(most_steps), kernels_(kernels) {}

  /// Which kernels answer.
  KernelChoice kernels() const { return kernels_; }

  /// The answer to an example as expected outputs, rounded to the outputs' types. Unimplemented
  /// when the catalogue does not have an operation of the model, InvalidArgument when an operation
  /// does not accept the example's values, ResourceExhausted when it takes too many steps or too
  /// much memory.
  absl::StatusOr<std::vector<ExpectedOutput>> Expected(size_t example);

  /// The enclosures of the answers to an example. Fails as Expected does.
  absl::StatusOr<const std::vector<OutputValue>*> Enclosures(size_t example);

 private:
  absl::StatusOr<std::vector<OutputValue>> Execute(NumberSystem system, size_t example);

  const TestCase& test_case_;
  const double most_steps_;
  const KernelChoice kernels_;
  std::optional<absl::StatusOr<std::shared_ptr<const PreparedGraph>>> graph_;
  std::map<size_t, absl::StatusOr<std::vector<OutputValue>>> enclosures_;
};

}  // namespace nncert

#endif  // NNCERT_HARNESS_JUDGING_ORACLE_H_
