// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Rules: the ways in which the faulty driver is wrong, as entries of tables.

#ifndef NNCERT_DRIVERS_FAULTY_RULES_RULE_H_
#define NNCERT_DRIVERS_FAULTY_RULES_RULE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "drivers/faulty/rules/caching_conduct.h"
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
  kCaching,                ///< compilation caches
  kInterference,           ///< what other calls, at the same time or before, do to one
  kStatus,                 ///< statuses and promises
  kCallback,               ///< callbacks
  kTiming,                 ///< timing
  kBurst,                  ///< bursts
  kDevice,                 ///< what the device says of itself and of what it supports
  kProcess,                ///< crashes, hangs, exceptions
};

/// The class in words, for headings: "Attributes misread".
std::string_view ToString(FaultClass fault_class);

/// Computes an operation as if there were no fault, or with the faults that come after this one.
using Compute = absl::FunctionRef<absl::Status(OperationCall&)>;

/// What is known of a prepared model beside its operations.
struct PreparationTraits {
  hal::V1_2::ExecutionPreference preference = hal::V1_2::ExecutionPreference::FAST_SINGLE_ANSWER;
  /// Whether the preparation before this one, of the same driver, was of the same model with the
  /// same preference.
  bool is_again = false;
  /// Whether the model says all dimensions of its outputs.
  bool has_known_outputs = true;
};

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
  const PreparationTraits& preparation;

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

/// The answer to a call about the device itself; its alternative says which call.
using DeviceAnswer = std::variant<hal::V1_0::DeviceStatus*, hal::V1_0::Capabilities*,
                                  hal::V1_1::Capabilities*, hal::V1_2::Capabilities*, std::string*,
                                  hal::V1_2::DeviceType*, std::vector<hal::V1_2::Extension>*>;

/// What a driver makes of a model, whether that is valid or not.
enum class Treatment {
  kAsItIs,       ///< as a good driver
  kSupported,    ///< says that it supports it, and prepares it
  kUnsupported,  ///< says that it does not, and does not prepare it
  kPrepared,     ///< says that it does not, and prepares it
};

/// A packet of a burst and its answer, before the client gets that.
struct BurstExchange {
  absl::Span<const hal::V1_2::FmqRequestDatum> packet;
  /// Whether the packet was malformed; whether the one before was, and how many were before.
  bool is_malformed;
  bool was_malformed;
  uint64_t malformed;
  /// How many elements the queue of results holds.
  size_t room;
  std::vector<hal::V1_2::FmqResultDatum>& answer;
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
  /// Whether freed memory is remembered until all memory has been freed.
  bool keeps_memory_until_all_is_freed = false;
  /// Whether a negative slot that the client does not know is given new memory.
  bool invents_memory = false;
  /// Whether memory is taken of which the client gave too much.
  bool takes_more_memory = false;
  /// Whether no request is executed after a slot was freed that there is not.
  bool ends_at_unknown_slot = false;
  /// Whether a burst is opened without a callback.
  bool takes_no_callback = false;
  /// Changes a malformed packet, from a queue that holds `capacity` elements, before it is looked
  /// at.
  void (*mends)(std::vector<hal::V1_2::FmqRequestDatum>& packet, size_t capacity) = nullptr;
  /// Changes an answer.
  void (*changes_answer)(BurstExchange& exchange) = nullptr;
};

/// What happens on the device at the same time as a call, and what has happened before.
struct Moment {
  /// What kind of call it is: a preparation; an execution, by a burst, or with an invalid request;
  /// the release of a prepared model; the question for capabilities.
  enum class Call {
    kPreparation,
    kExecution,
    kBurst,
    kInvalid,
    kRelease,
    kCapabilities
  } call = Call::kPreparation;
  /// Another preparation.
  bool meets_preparation = false;
  /// An execution of the same prepared model, which together with this one are not both
  /// asynchronous; of a prepared model of its own of the same model; of that of another model.
  bool meets_execution = false;
  bool meets_execution_of_twin = false;
  bool meets_execution_of_other = false;
  /// The release of the prepared model; of a release, any execution of that.
  bool meets_release = false;
  /// There are prepared models of other models.
  bool others_live = false;
  /// A preparation of a model that was released while a prepared model of another one was there
  /// that still is.
  bool returns = false;
  /// One was prepared later than the prepared model, of another model, and released.
  bool has_lost_other = false;
  /// The prepared model has been executed otherwise since it was by a burst.
  bool has_left_burst = false;
  /// It has been executed by a burst and otherwise.
  bool is_versatile = false;
  /// A prepared model was released while two of different models were there, which still are.
  bool two_outlived_another = false;
  /// Of an execution: how many have begun on the device, whatever their models, this one included.
  uint64_t executions = 0;
  /// A model with a FLOOR was executed before, and that of this execution has a TANH.
  bool is_tanh_after_floor = false;
};

/// What other calls do to one.
struct Interference {
  /// Whether they do.
  bool (*happens)(const Moment& moment) = nullptr;
  /// Calls last a moment longer, so that those meet that come about the same time.
  bool waits = false;
  enum class Effect {
    kFailure,      ///< it ends with GENERAL_FAILURE
    kWrongResult,  ///< the first byte of the first output is wrong
    kWrongNumber,  ///< the first element of the first output is, by more than anything tolerates
    kNoCallback,   ///< its callback is not called
    kCallback,     ///< the callback of an earlier execution is called once more
    kCrash,        ///< the process ends
    kHang,         ///< it never ends
  } effect = Effect::kFailure;
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
  /// Changes what the client gets of an execution; and of one that repeats the one before it of the
  /// same model: in the same way, the same request, in memory whose outputs had the same bytes.
  void (*execution)(FinishedExecution& execution) = nullptr;
  void (*repetition)(FinishedExecution& execution) = nullptr;
  /// Changes a valid request, or a valid model of 1.2, before the honest driver gets it.
  void (*request)(hal::V1_0::Request& request) = nullptr;
  void (*model)(hal::V1_2::Model& model) = nullptr;
  /// Whether no model is prepared under a preference.
  bool (*refuses)(hal::V1_2::ExecutionPreference preference) = nullptr;
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
  /// What the device does with compilation caches, whatever conditions say.
  const CachingConduct* caching = nullptr;
  /// What other calls do to one, whatever `every=` says.
  const Interference* interference = nullptr;
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
  /// Changes the answer to a call about the device, of which there were `count` before.
  void (*about_device)(DeviceAnswer answer, uint64_t count) = nullptr;
  /// What becomes of a model. A prepared model that would not be there otherwise executes nothing.
  Treatment (*treats)(const hal::V1_2::Model& model) = nullptr;
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
absl::Span<const Rule> DeviceRules();
absl::Span<const Rule> ExecutionRules();
absl::Span<const Rule> CachingRules();
absl::Span<const Rule> ConcurrencyRules();

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

#endif  // NNCERT_DRIVERS_FAULTY_RULES_RULE_H_
