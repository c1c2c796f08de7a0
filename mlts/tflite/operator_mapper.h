// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What a mapping of an operator to operations of the HAL is written with.

#ifndef NNCERT_MLTS_TFLITE_OPERATOR_MAPPER_H_
#define NNCERT_MLTS_TFLITE_OPERATOR_MAPPER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "hal/v1_2/types.h"
#include "mlts/tflite/checked_model.h"
#include "mlts/tflite/network_draft.h"
#include "mlts/tflite/tflite_file.h"

namespace nncert {

/// Whether an operation on quantized tensors may be done on the real numbers that they stand for,
/// with DEQUANTIZE before and QUANTIZE behind it, where the HAL does not take the tensors as they
/// are.
enum class InReals { kNo, kIfNeeded };

/// One operator that is being mapped. Its functions add operands and operations to the model.
///
/// The first thing that goes wrong is kept as status(), and from then on nothing is added:
/// functions return operands or numbers that are not to be used for anything else, so that a
/// mapping can be written as if nothing ever went wrong. It must take care only of numbers that it
/// computes itself: any value that it gets may be 0.
class OperatorMapper {
 public:
  OperatorMapper(NetworkDraft& draft, const TfliteOperator& op) : draft_(draft), op_(op) {}

  /// What went wrong first, or OK.
  const absl::Status& status() const { return status_; }
  /// Notes that the operator cannot be mapped for this reason.
  void Refuse(std::string_view reason);
  void Refuse(const absl::Status& status);
  /// Refuses unless a condition holds.
  void Demand(bool condition, std::string_view otherwise);

  // ---- What the file says ----

  const TfliteOperator& op() const { return op_; }
  /// The operator's parameters; null when the file has none, or of another kind.
  template <class Options>
  const Options* OptionsOrNull() const {
    return op_.table->builtin_options_as<Options>();
  }
  /// The same, for an operator that cannot do without: refuses when they are missing.
  template <class Options>
  const Options* RequiredOptions() {
    const Options* const options = OptionsOrNull<Options>();
    if (options == nullptr) Refuse("the file does not have its options");
    return options;
  }
  /// Whether there is an input `i`, which is not left out.
  bool HasInput(size_t i) const;
  size_t inputs() const { return op_.inputs.size(); }
  size_t outputs() const { return op_.outputs.size(); }
  /// The tensor of input `i`; refuses where there is none.
  const TfliteTensor& InputTensor(size_t i);
  /// The tensor of output `i`; refuses where there is none.
  const TfliteTensor& OutputTensor(size_t i = 0);
  /// The integers of an input, which must be a constant; exactly `count` of them if that is given.
  std::vector<int32_t> Integers(size_t i, std::optional<size_t> count = std::nullopt);
  /// The integer that an input is.
  int32_t Integer(size_t i) { return Integers(i, 1)[0]; }

  // ---- Operands ----

  /// The operand of input `i`, which must not be left out.
  uint32_t Input(size_t i);
  /// The operand of input `i`, or one of type `type` that is omitted.
  uint32_t InputOrOmitted(size_t i, hal::V1_2::OperandType type);
  /// Input `i` as weights of an operation on `input`: as it is, but the numbers that it stands for
  /// where `input` is of floats and the file keeps the weights as halves or quantized.
  uint32_t Weights(size_t i, uint32_t input);
  /// Weights, or an operand of floats that is omitted.
  uint32_t WeightsOrOmitted(size_t i, uint32_t input);
  /// Input `i` as the bias of products of `input` and `weights`, of `units` elements: the scale is
  /// the product of theirs. Zeros where it is left out.
  uint32_t Bias(size_t i, uint32_t input, uint32_t weights, uint32_t units);
  /// Input `i` as a constant of integers of rank 1, which the file may keep as a scalar.
  uint32_t IntegerVector(size_t i);

  uint32_t Int32(int32_t value);
  uint32_t Float32(float value);
  uint32_t Bool(bool value);
  uint32_t Int32Vector(const std::vector<int32_t>& values);
  uint32_t Omitted(hal::V1_2::OperandType type);
  /// A constant of zeros like `spec`.
  uint32_t Zeros(const OperandSpec& spec);
  uint32_t Constant(const OperandSpec& spec, std::vector<uint8_t> bytes);
  /// Input `i`, a constant, as one of other dimensions of as many elements.
  uint32_t ReshapedConstant(size_t i, const std::vector<uint32_t>& dimensions);

  hal::V1_2::OperandType TypeOf(uint32_t operand) const;
  OperandSpec SpecOf(uint32_t operand) const;
  size_t RankOf(uint32_t operand) const;
  /// Dimension `i` of an operand, counted from the end when negative; 0 where it has none.
  uint32_t DimensionOf(uint32_t operand, int i) const;
  /// An axis counted from the outermost, where negative ones count from the end; refuses an axis
  /// that a tensor of that rank does not have.
  int32_t Axis(int32_t axis, size_t rank);

  // ---- Operations ----

  /// What the file says of output `i`; its dimensions are empty where it does not say them.
  OperandSpec OutputSpec(size_t i = 0);
  /// The HAL's number of a fused activation; refuses one that the HAL fuses with nothing.
  uint32_t Activation(tflite::ActivationFunctionType function);
  /// The same of options that have one, and NONE where there are no options.
  template <class Options>
  uint32_t ActivationOf() {
    const Options* const options = OptionsOrNull<Options>();
    return Activation(options == nullptr ? tflite::ActivationFunctionType::NONE
                                         : options->fused_activation_function());
  }
  /// The HAL's number of a padding scheme.
  uint32_t PaddingScheme(tflite::Padding padding);

  /// An operation whose only output is a new operand like `output`, whose dimensions need not be
  /// known. Its quantization is what the operation demands, if it demands one.
  uint32_t Apply(hal::V1_2::OperationType type, const std::vector<uint32_t>& inputs,
                 const OperandSpec& output);
  /// The same with several outputs.
  std::vector<uint32_t> ApplyAll(hal::V1_2::OperationType type, const std::vector<uint32_t>& inputs,
                                 const std::vector<OperandSpec>& outputs);
  /// The operation whose outputs are the operator's own, in order.
  void Emit(hal::V1_2::OperationType type, const std::vector<uint32_t>& inputs,
            InReals in_reals = InReals::kNo);
  /// Makes an operand the operator's output `i`: of the dimensions and the quantization that the
  /// file says, by further operations if it has others.
  void Deliver(uint32_t operand, size_t i = 0);
  /// The numbers of a quantized tensor as floats; any other operand as it is.
  uint32_t Dequantized(uint32_t operand);
  /// An operand with other dimensions of as many elements.
  uint32_t Reshaped(uint32_t operand, const std::vector<uint32_t>& dimensions);

  // ---- States ----

  /// Whether input `i` is carried from one inference to the next and no input of the network.
  bool IsVariable(size_t i) const;
  /// The operand of input `i`, a state that is carried from one inference to the next, as it is
  /// before the operator.
  uint32_t State(size_t i);
  /// Says what the state is after the operator.
  void SetState(size_t i, uint32_t operand);
  /// The state of a sequence before its first step, input `i`: zeros where the file keeps a
  /// variable, for the HAL's operations on whole sequences do not give their states.
  uint32_t InitialState(size_t i);
  /// Notes that an operand is an output of an operation that nobody reads, and that the HAL wants.
  void AddUnused(uint32_t operand, std::string_view name);

 private:
  bool ok() const { return status_.ok(); }
  template <class Value>
  Value Take(absl::StatusOr<Value> value) {
    if (value.ok()) return *std::move(value);
    Refuse(value.status());
    return Value();
  }
  // The status with the input or the output that it is about before its message.
  absl::Status About(std::string_view what, size_t i, int32_t tensor, const absl::Status& status);
  uint32_t QuantizedBias(size_t i, uint32_t input, uint32_t weights);

  NetworkDraft& draft_;
  const TfliteOperator& op_;
  absl::Status status_;
};

}  // namespace nncert

#endif  // NNCERT_MLTS_TFLITE_OPERATOR_MAPPER_H_
