// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Chooses operands of one operation that are valid together, by construction.
//
// The signature says types, ranks, quantization and presence; what dimensions and parameters fit
// together, the operation's own recipe (OperationDefinition::choose) says, which is written with
// what is here.

#ifndef NNCERT_REFERENCE_OPERAND_CHOOSER_H_
#define NNCERT_REFERENCE_OPERAND_CHOOSER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "random/split_mix.h"
#include "reference/chosen_quantization.h"
#include "reference/operand_types.h"
#include "reference/operation_definition.h"
#include "reference/signature.h"
#include "reference/tensor.h"

namespace nncert {

/// An input or output that is chosen.
struct ChosenOperand {
  /// Type, dimensions and quantization. The dimensions of an output are empty when they depend on
  /// the elements of inputs, unless its recipe knows them. `channelScales` is a span of
  /// channel_scales.
  OperandInfo info;
  std::vector<float> channel_scales;
  /// See ChosenQuantization. `info.extensionParams` is a span of it.
  std::shared_ptr<const std::vector<uint8_t>> extension_params;
  /// The operand stands in the list and has no value.
  bool is_omitted = false;
  /// It is the value that was there before.
  bool is_given = false;
  bool has_dimensions = false;
  bool has_quantization = false;
  /// What its elements are in, roughly for an output.
  ValueRange range;
  bool has_range = false;
  /// Its elements: real numbers, or the integers of an INT32 or BOOL operand. Empty for any in
  /// `range`.
  std::vector<double> values;
  /// The bytes of a scalar of an opaque type; empty for others.
  std::vector<uint8_t> opaque_value;

  /// What elements stand for.
  ChosenQuantization Quantization() const { return {info.scale, info.zeroPoint, extension_params}; }
  /// Sets what elements stand for.
  void SetQuantization(const ChosenQuantization& chosen);
};

/// A value that the operation shall read.
struct GivenOperand {
  int slot = 0;
  /// A dimension may be 0, if the operation accepts empty tensors: the recipe sees 1 in its place.
  OperandInfo info;
  ValueRange range;
  /// See ChosenQuantization.
  std::shared_ptr<const std::vector<uint8_t>> extension_params;
};

/// What the operands shall be like.
struct OperandWishes {
  /// Tensors have no more elements than that, where the recipe can help it.
  uint64_t most_elements = 256;
  /// A dimension that one of the tensors shall have; 0 for none in particular.
  uint32_t dimension = 0;
  /// Inputs shall have the same dimensions and quantization wherever they may, so that one value
  /// can be several of them.
  bool are_alike = false;
  /// How many times as far real numbers go as the signature hints, where they may
  /// (ValueHint::is_scalable).
  double reach = 1;
  /// Outputs whose dimensions depend on elements shall have no rows, if the operation accepts empty
  /// tensors.
  bool have_no_rows = false;
};

/// Operands of one operation, as they are chosen.
///
/// First type, form and presence of every operand are settled, by chance; then the recipe settles
/// dimensions and parameters; then the rest follows: quantization, and what the recipe left open.
class OperandChooser {
 public:
  /// Chooses operands of the operation, of `types`, one of its ChoosableTypes at `version`; with
  /// `given` as one of them, whose type must be that of its slot. Nothing when the given value does
  /// not fit, which its recipe finds out; without one there is always a choice.
  static std::optional<OperandChooser> Choose(const OperationDefinition& definition,
                                              HalVersion version, const OperandTypes& types,
                                              const std::optional<GivenOperand>& given,
                                              const OperandWishes& wishes, SplitMix64& random);

  // ---- What recipes ask ----

  HalVersion version() const { return version_; }
  const OperationDefinition& definition() const { return *definition_; }
  /// Where chance comes from.
  SplitMix64& random() const { return *random_; }

  /// Whether the slot is filled by an operand that has a value.
  bool Has(int slot) const;
  /// The number of operands in a slot; 0 when the form has none there.
  int Count(int slot) const { return static_cast<int>(inputs_[Index(slot)].size()); }
  OperandType Type(int slot) const { return types_.inputs[Index(slot)]; }
  OperandType OutputType(int output) const { return types_.outputs[Index(output)]; }
  /// Whether a value that was there before fills the slot.
  bool IsGiven(int slot) const { return Has(slot) && inputs_[Index(slot)].front().is_given; }
  /// Type, dimensions and quantization of an operand as far as they are settled.
  const OperandInfo& Info(int slot, int i = 0) const;
  /// The dimensions of a tensor: settled now, if they are not, each by chance. (Those of slots that
  /// are not filled are empty.)
  const Shape& Dimensions(int slot, int i = 0);
  /// The value of an INT32 or BOOL scalar slot that is settled; `otherwise` when it is not filled.
  int64_t Int32(int slot, int64_t otherwise = 0) const;
  /// The range of the elements of a slot, of all its operands: of those that were given, or as it
  /// was set, or as the signature has it.
  ValueRange Range(int slot) const;
  /// The same, with the scales and zero points of quantized tensors, which are settled now.
  ValueRange SettledRange(int slot);
  /// Scale and zero point of the first operand of a slot, a quantized tensor; settled now.
  std::pair<float, int32_t> SettledQuantization(int slot);

  /// A dimension by chance: small, or the one that is wished for, once. Never above `most`; at
  /// least 1 otherwise.
  uint32_t Size(uint32_t most = 1u << 16);
  /// An integer in [lowest, highest], each as likely as the others.
  int64_t Between(int64_t lowest, int64_t highest) const {
    return random_->Between(lowest, highest);
  }
  /// A divisor of `number`, which is above 0: 1 to 4, or `number` itself when that is small.
  uint32_t DivisorOf(uint32_t number) const;
  /// True one time in `chances`.
  bool OneIn(uint64_t chances) const { return random_->OneIn(chances); }
  /// Whether two operands that may differ shall be alike: when that is wished for, else one time in
  /// `chances`.
  bool AreAlike(uint64_t chances) const { return wishes_.are_alike || OneIn(chances); }
  /// See OperandWishes.
  bool wants_alike() const { return wishes_.are_alike; }
  bool wants_no_rows() const { return wishes_.have_no_rows; }
  double reach() const { return wishes_.reach; }
  /// The most elements that a tensor should have.
  uint64_t most_elements() const { return wishes_.most_elements; }

  // ---- What recipes settle ----
  // Nothing happens for slots that are not filled.

  /// The dimensions of a tensor. A given value of others does not fit.
  void SetDimensions(int slot, const Shape& dimensions, int i = 0);
  /// The value of an INT32 or BOOL scalar.
  void SetInt32(int slot, int64_t value);
  /// The value of a FLOAT32 or FLOAT16 scalar.
  void SetReal(int slot, double value);
  /// The elements of a TENSOR_INT32 of rank 1, and its dimensions.
  void SetInt32s(int slot, const std::vector<int32_t>& values);
  /// The elements of a tensor whose dimensions are settled: real numbers, or the integers of a
  /// TENSOR_INT32 or TENSOR_BOOL8. A given value does not fit.
  void SetValues(int slot, std::vector<double> values);
  /// What the elements of a tensor, or a scalar, are chosen in.
  void SetRange(int slot, ValueRange range);
  /// Scale and zero point of a quantized tensor, or of an INT32 one that stands for reals. A given
  /// value of others does not fit.
  void SetQuantization(int slot, float scale, int32_t zeroPoint, int i = 0);
  /// The dimension that a per-channel tensor has its scales along. Its own dimensions are settled.
  void SetChannelDimension(int slot, uint32_t dimension);
  /// Gives an optional operand no value, or one: operands that may be omitted are so by chance.
  void SetOmitted(int slot, bool is_omitted);
  /// The number of operands in a variadic slot; of outputs, where the last is variadic.
  void SetCount(int slot, int count);
  void SetOutputCount(int count);
  /// What the elements of an output will be in, roughly; those of input 0 otherwise. A quantized
  /// output gets a scale and zero point by it, unless the signature says others.
  void SetOutputRange(int output, ValueRange range);
  /// Scale and zero point of a quantized output, where the signature does not say them.
  void SetOutputQuantization(int output, float scale, int32_t zeroPoint);
  /// The dimensions of an output that depend on elements and are known all the same.
  void SetOutputDimensions(int output, const Shape& dimensions);
  /// The scale of a quantized output is to be no less than `scale`.
  void SetLeastOutputScale(int output, float scale);
  /// The given value does not fit. Must not be called when there is none.
  void Decline() { is_declined_ = true; }

  // ---- What came of it ----

  /// The slots of the form in order, without those that are left out at its end.
  absl::Span<const int> form() const { return form_; }
  /// The operands in a slot of the form.
  absl::Span<const ChosenOperand> Inputs(int slot) const { return inputs_[Index(slot)]; }
  /// The outputs.
  absl::Span<const ChosenOperand> outputs() const { return outputs_; }
  /// How many steps the operation takes (StepsOf); 0 when the dimensions of its outputs depend on
  /// elements.
  double steps() const { return steps_; }

 private:
  OperandChooser(const OperationDefinition& definition, HalVersion version,
                 const OperandTypes& types, const OperandWishes& wishes, SplitMix64& random);

  static size_t Index(int i) { return static_cast<size_t>(i); }
  const OperandRule& Rule(int slot) const { return definition_->signature.inputs[Index(slot)]; }
  const OperandRule& OutputRule(size_t output) const;
  void ChooseForm(int given_slot);
  void Give(const GivenOperand& given);
  // Settles what the recipe left open.
  void SettleInputs();
  void SettleOutputs();
  void SettleScalar(int slot, ChosenOperand& operand);
  void SettleQuantization(int slot, ChosenOperand& operand);
  // The first input of a quantized type whose scale and zero point are settled; null for none.
  const ChosenOperand* FindQuantized(OperandType type) const;
  void SettleElements(int slot, ChosenOperand& operand);
  void SettleOutputDimensions();
  // Puts the dimensions of 0 of the given value back, and checks that the operation takes them.
  void MakeGivenEmpty(const GivenOperand& given);
  // What the operation is, once all is settled.
  struct Settled;
  Settled Settle() const;
  // The quantization that the rule ties to other operands; nothing when it is free.
  std::optional<ChosenQuantization> TiedQuantization(const OperandRule& rule, OperandType type);
  void Quantize(int slot, const ChosenQuantization& quantization, int i = 0);

  const OperationDefinition* definition_;
  HalVersion version_;
  OperandTypes types_;
  OperandWishes wishes_;
  SplitMix64* random_;
  std::vector<int> form_;
  std::vector<absl::InlinedVector<ChosenOperand, 1>> inputs_;  // by slot
  std::vector<ChosenOperand> outputs_;
  std::vector<float> least_output_scales_;
  double steps_ = 0;
  bool is_declined_ = false;
};

/// Those of TypeCombinations that Choose can choose: of types that all can be chosen.
std::vector<OperandTypes> ChoosableTypes(const OperationDefinition& definition, HalVersion version);

/// What the rule of an operand of `type` hints that its elements be in; see OperandWishes::reach.
ValueRange HintedRange(const OperandRule& rule, OperandType type, double reach);

// ---- Recipes that many operations share ----

/// Every tensor has the dimensions of the first input.
void ChooseAlike(OperandChooser& choose);

/// Inputs 0 and 1 broadcast to each other: either may lack outer dimensions, or have ones.
void ChooseBroadcast(OperandChooser& choose);

}  // namespace nncert

#endif  // NNCERT_REFERENCE_OPERAND_CHOOSER_H_
