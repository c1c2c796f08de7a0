// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Computes models operation by operation, with faults in some of them.

#ifndef NNCERT_DRIVERS_FAULTY_RULE_EXECUTOR_H_
#define NNCERT_DRIVERS_FAULTY_RULE_EXECUTOR_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "drivers/faulty/rules/fault.h"
#include "hal/v1_2/interfaces.h"
#include "hal/v1_2/types.h"
#include "reference/calls/operation_call.h"
#include "reference/execution/executor.h"

namespace nncert::faulty {

/// Faults that are shared by a driver and its models.
using Faults = std::shared_ptr<const std::vector<Fault>>;

/// A model that is computed operation by operation, by the reference's kernels, with those faults
/// that are about operations and bite them; as a whole where no fault is. A condition "every=n"
/// counts the operations that the other conditions hold of.
class RuleGraph {
 public:
  /// Fails with Unimplemented when the catalogue does not have an operation of the valid model, and
  /// when a constant cannot be read.
  static absl::StatusOr<std::unique_ptr<RuleGraph>> Create(const hal::V1_2::Model& model,
                                                           Faults faults);

  /// What is given to a model input.
  struct Argument {
    bool is_omitted = false;
    std::vector<uint32_t> dimensions;
    std::vector<uint8_t> bytes;
  };

  /// Computes the model outputs of a valid request. May be called by several threads at once. Fails
  /// with Internal when an operation does not accept the values that it gets.
  absl::StatusOr<std::vector<ValuedOperand>> Run(std::vector<Argument> arguments);

 private:
  RuleGraph(const hal::V1_2::Model& model, std::vector<OperationCall> calls, Faults faults,
            std::shared_ptr<const PreparedGraph> whole);
  absl::StatusOr<std::vector<ValuedOperand>> RunWhole(absl::Span<const Argument> arguments) const;
  absl::Status RunOperation(size_t index, std::vector<ValuedOperand>& values);

  const std::vector<hal::V1_2::Operand> operands_;
  const std::vector<uint32_t> input_indexes_;
  const std::vector<uint32_t> output_indexes_;
  const std::vector<OperationCall> calls_;  // with all constants; none when whole_ is there
  const Faults faults_;
  FaultCounters counters_;
  const std::shared_ptr<const PreparedGraph> whole_;  // null when faults are about operations
};

/// A prepared model of nothing, which refuses every request that has arguments: what is given where
/// no model should have been prepared.
std::shared_ptr<hal::V1_2::IPreparedModel> MakeUselessPreparedModel();

/// The version string of the driver below, which owns its caches.
inline constexpr char kRuleExecutorVersion[] = "nncert faulty driver";

/// The model that the driver below has prepared; null for what it has not.
const hal::V1_2::Model* ModelOf(const hal::V1_2::IPreparedModel& prepared);

/// A driver of HAL 1.2 that supports what the reference driver does, other than extensions, and
/// computes models by RuleGraph. It caches as that one does. Without faults it is a good driver.
std::shared_ptr<hal::V1_2::IDevice> MakeRuleExecutor(Faults faults);

}  // namespace nncert::faulty

#endif  // NNCERT_DRIVERS_FAULTY_RULE_EXECUTOR_H_
