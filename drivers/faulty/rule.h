// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Rules: the ways in which the faulty driver is wrong, as entries of tables.

#ifndef NNCERT_DRIVERS_FAULTY_RULE_H_
#define NNCERT_DRIVERS_FAULTY_RULE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "hal/v1_2/interfaces.h"
#include "reference/calls/operation_call.h"

namespace nncert::faulty {

/// What kind of fault a rule is. The first eleven are the classes of faults that the suites of
/// Android were measured by; a rule of any kind with a condition is their class "conditional".
enum class FaultClass {
  kConstantResult,         ///< all NaN, all zero
  kElement,                ///< one element wrong, the last ones wrong
  kOffset,                 ///< integers, quantized elements and booleans moved or clamped
  kPrecision,              ///< relative errors, half precision
  kRounding,               ///< quantized: floor, truncation, wrapping
  kAttribute,              ///< an attribute misread
  kActivation,             ///< a fused activation
  kOperand,                ///< an operand ignored or swapped
  kQuantizationParameter,  ///< a scale or a zero point misread
  kNumerics,               ///< ties, casts, approximations
  kResult,                 ///< shapes, memory and order of results
  kValidation,             ///< invalid models and requests taken for valid ones
  kStatus,                 ///< statuses and promises
  kCallback,               ///< callbacks
  kTiming,                 ///< timing
  kBurst,                  ///< bursts
  kProcess,                ///< crashes, hangs, exceptions
};

/// The class in words, for headings: "Attributes misread".
std::string_view ToString(FaultClass fault_class);

/// Computes an operation as if there were no fault, or with the faults that come after this one.
using Compute = absl::FunctionRef<absl::Status(OperationCall&)>;

/// The memory and the result of an execution that has been computed, before the client hears of it.
struct FinishedExecution {
  const hal::V1_0::Request& request;
  hal::V1_2::MeasureTiming measure;
  /// Whether it was executeSynchronously, or a burst.
  bool is_synchronous;
  /// Whether it was a burst.
  bool is_burst;
  /// The types of the outputs.
  const std::vector<OperandType>& types;
  /// What the bytes of the outputs' buffers were before the execution, one after the other.
  const std::vector<std::vector<uint8_t>>& before;
  /// What they were after the execution before this one of the same model; empty for the first.
  const std::vector<std::vector<uint8_t>>& last;
  /// The number of executions of the prepared model before this one that the rule bit.
  uint64_t count;
  hal::V1_2::ExecuteSynchronouslyResult& result;

  /// The bytes of the buffer of an output, or of the value of an input; empty when it has none.
  absl::Span<uint8_t> Output(size_t index) const;
  absl::Span<uint8_t> Input(size_t index) const;
  /// The whole pool that an output lies in, and where in it the output begins.
  absl::Span<uint8_t> PoolOfOutput(size_t index) const;
};

/// How a call that has a callback ends.
struct Delivery {
  /// How often the callback is called.
  int calls = 1;
  /// How long after it could have been called.
  absl::Duration delay = absl::ZeroDuration();
  /// Whether the call returns GENERAL_FAILURE, whatever the callback is called with.
  bool returns_failure = false;
  /// Whether the callback is called once more, without a prepared model, when the prepared model
  /// goes.
  bool again_at_release = false;
};

/// What a burst does.
struct BurstConduct {
  /// Whether configureExecutionBurst fails; whether it gives no burst, though it says NONE.
  bool is_refused = false;
  bool is_null = false;
  /// How often each request is answered.
  int answers = 1;
  /// Whether a request is answered with the result of the one before, unless it is the first.
  bool answers_before = false;
  /// Whether memory is remembered that was freed.
  bool keeps_memory = false;
  /// Whether the memory of the last slot that is asked for is taken for that of the first, and the
  /// other way round.
  bool exchanges_memory = false;
};

/// A way in which the driver is wrong. Exactly one of the functions, deliveries, conducts and flags
/// is given.
struct Rule {
  /// What it is called in the names of faults: lower-case letters, digits and _.
  std::string_view name;
  FaultClass fault_class;
  /// One sentence without a subject: "Reads the strides of a window in the wrong order."
  std::string_view breaks;
  /// Changes what a valid operation reads; gives whether it did. The operation is computed with
  /// that (see Misread).
  bool (*misread)(OperationCall& call) = nullptr;
  /// Changes an output of an operation, which is not empty. `call` is the operation as computed.
  void (*output)(const OperationCall& call, ValuedOperand& output) = nullptr;
  /// Computes an operation wrongly: changes the call, computes it, and changes the results.
  /// Operations that the rule says nothing of are passed on to `compute` as they are.
  absl::Status (*operation)(OperationCall& call, Compute compute) = nullptr;
  /// Changes what the client gets of an execution.
  void (*execution)(FinishedExecution& execution) = nullptr;
  /// Changes the answer of getSupportedOperations.
  void (*supported)(hal::V1_0::GetSupportedOperationsResult& result) = nullptr;
  /// Changes the status and the model of a preparation.
  void (*prepared)(hal::V1_0::ErrorStatus& status,
                   std::shared_ptr<hal::V1_2::IPreparedModel>& model) = nullptr;
  /// How prepareModel ends, and how execute does.
  const Delivery* prepare_delivery = nullptr;
  const Delivery* execute_delivery = nullptr;
  /// What the bursts of a prepared model do, whatever `every=` says.
  const BurstConduct* burst = nullptr;
  /// Changes the status of getCapabilities, of any version.
  void (*capabilities)(hal::V1_0::ErrorStatus& status) = nullptr;
  /// Happens when the driver is loaded; or when getCapabilities, getSupportedOperations,
  /// prepareModel, any kind of execution, or the end of a prepared model begins.
  void (*at_load)() = nullptr;
  void (*at_capabilities)() = nullptr;
  void (*at_supported)() = nullptr;
  void (*at_prepare)() = nullptr;
  void (*at_execute)() = nullptr;
  void (*at_release)() = nullptr;
  /// Whether an invalid model, or request, is taken for a valid one: told what the reference's
  /// validation has against it. A prepared model of an invalid model executes nothing.
  bool (*overlooks_model)(const hal::V1_2::Model& model, absl::string_view error) = nullptr;
  bool (*overlooks_request)(absl::string_view error) = nullptr;
  /// Whether a prepared model refuses all requests after an invalid one.
  bool refuses_after_invalid = false;
  /// Whether every case passes all the same: the driver may do that, or what is wrong does not show
  /// in a single case but in the driver's process.
  bool passes = false;
};

/// The rules by what they change.
absl::Span<const Rule> AttributeRules();
absl::Span<const Rule> OperandRules();
absl::Span<const Rule> ArithmeticRules();
absl::Span<const Rule> ResultRules();
absl::Span<const Rule> ValidationRules();
absl::Span<const Rule> BehaviourRules();
absl::Span<const Rule> BurstRules();

/// All rules, by class and name.
std::vector<const Rule*> AllRules();

/// The rule of this name, or null.
const Rule* FindRule(std::string_view name);

// ---- Rules about operations ----

/// Computes the operation with operands that `change` changes, and fits the results into the
/// shapes that the unchanged operation gives: what is missing is zero, and so is everything when
/// the changed operation is not valid. A client thus sees the fault in the elements. Where `change`
/// returns false, nothing was to be changed.
absl::Status Misread(OperationCall& call, Compute compute,
                     absl::FunctionRef<bool(OperationCall&)> change);

/// Computes the operation as the rule has it, which must be one about operations.
absl::Status ComputeByRule(const Rule& rule, OperationCall& call, Compute compute);

/// Rearranges the elements of a value: element i becomes what element source(i) was. The dimensions
/// stay.
void Rearrange(ValuedOperand& value, absl::FunctionRef<size_t(size_t)> source);

/// The product of dimensions [first, last) of a value.
size_t ProductOfDimensions(const ValuedOperand& value, size_t first, size_t last);

}  // namespace nncert::faulty

#endif  // NNCERT_DRIVERS_FAULTY_RULE_H_
