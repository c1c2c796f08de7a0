// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What an operation accepts, as data: the operands in order, each with its types, ranks and
// quantization by HAL version.
//
// Validation, the random generator, the negative tests, the coverage tables and the handbook all
// read these rules, so a rule says everything it says by values, never by code.

#ifndef NNCERT_REFERENCE_SIGNATURE_H_
#define NNCERT_REFERENCE_SIGNATURE_H_

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hal/version.h"
#include "reference/tensor.h"

namespace nncert {

using hal::HalVersion;

/// A type that an operand may have since `since`, or since there is the operation; only when input
/// `when_slot` has type `when_type`, if that is given.
struct TypeAlternative {
  HalVersion since;
  OperandType type;
  int when_slot = -1;
  OperandType when_type = OperandType::FLOAT32;
};

/// Ranks that an operand may have since `since`: bit r stands for rank r.
struct RankAlternative {
  HalVersion since;
  uint32_t ranks;
};

/// How scale and zeroPoint of a quantized operand are tied. Rules for quantized types say nothing
/// of other types.
struct QuantizationRule {
  enum class Kind {
    kFree,    ///< any valid scale and zero point
    kSameAs,  ///< those of input `slot`
    kFixed,   ///< `scale` and `zeroPoint`
    kBias  ///< an INT32 operand: scale of input `slot` times scale of input `filter_slot` (0 for a
           ///< per-channel filter), zero point 0
  };
  Kind kind = Kind::kFree;
  int slot = -1;
  int filter_slot = -1;
  float scale = 0;
  int32_t zeroPoint = 0;
  /// The only type that a kFixed rule is for; any quantized type when absent.
  std::optional<OperandType> only_type = std::nullopt;
};

/// Whether an input has to be given; an output may be kRequired or kTrailing.
enum class Presence {
  kRequired,
  kTrailing,  ///< may be left out at the end of the list; an input then has its default
  kOmittable  ///< stands in the list, but may have no value (lifetime NO_VALUE, or hasNoValue in a
              ///< request)
};

/// Values that a random graph may feed to an operand so that the operation computes something worth
/// comparing.
struct ValueHint {
  enum class Kind { kUniform, kLogUniform, kNone };
  Kind kind = Kind::kUniform;
  double lowest = -2;
  double highest = 2;
  /// The operation makes as much of numbers many times as large: what comes of it is as much
  /// larger.
  bool is_scalable = true;
};

/// No random values: few would be valid.
inline constexpr ValueHint kNoValues = {.kind = ValueHint::Kind::kNone, .is_scalable = false};

/// Values uniform in [lowest, highest], which are those that show what the operation does.
constexpr ValueHint Uniform(double lowest, double highest) {
  return {ValueHint::Kind::kUniform, lowest, highest, false};
}

/// Values uniform in [lowest, highest], or many times as large.
constexpr ValueHint ScalableUniform(double lowest, double highest) {
  return {ValueHint::Kind::kUniform, lowest, highest, true};
}

/// Values whose logarithm is uniform in [log lowest, log highest].
constexpr ValueHint LogUniform(double lowest, double highest) {
  return {ValueHint::Kind::kLogUniform, lowest, highest, false};
}

/// The rule for one operand of an operation, built by chained calls:
/// Tensor("input").Types({...}).Ranks({4}).
class OperandRule {
 public:
  /// An operand called `name`; `is_tensor` tells tensors from scalars.
  OperandRule(std::string_view name, bool is_tensor);

  /// The operand may have any of `types` since `since`, or since there is the operation.
  OperandRule& Types(const std::vector<OperandType>& types) {
    return Types(HalVersion::V1_0, types);
  }
  OperandRule& Types(HalVersion since, const std::vector<OperandType>& types);

  /// The operand may have `type` since `since` when input `slot` has type `slot_type`.
  OperandRule& TypeWhen(int slot, OperandType slot_type, OperandType type,
                        HalVersion since = HalVersion::V1_0);

  /// The operand has the type of input `slot`.
  OperandRule& TypeLike(int slot);

  /// The operand may have any of `ranks` since `since`. A tensor without a rule may have any rank
  /// from 1.
  OperandRule& Ranks(const std::vector<int>& ranks) { return Ranks(HalVersion::V1_0, ranks); }
  OperandRule& Ranks(HalVersion since, const std::vector<int>& ranks);

  /// See QuantizationRule; several rules may hold, each for a type of its own.
  OperandRule& QuantizedLike(int slot);
  OperandRule& Quantized(float scale, int32_t zeroPoint,
                         std::optional<OperandType> only_type = std::nullopt);
  OperandRule& QuantizedAsBias(int input_slot, int filter_slot);

  /// The operand exists since `since`.
  OperandRule& Since(HalVersion since);
  /// May be left out at the end of the inputs, or of the outputs. `with_next` says that the next
  /// operand must then be left out too.
  OperandRule& Trailing(bool with_next = false);
  /// May have no value.
  OperandRule& Omittable();
  /// A tensor of which the operation needs the values themselves (a shape, axes, indexes), not
  /// elements to compute with.
  OperandRule& Parameter();
  /// The operand stands for one or more operands in a row.
  OperandRule& Variadic();
  /// What the operand means, for the handbook.
  OperandRule& Describe(std::string_view description);
  /// What a random graph may feed it.
  OperandRule& Values(ValueHint hint);

  const std::string& name() const { return name_; }
  const std::string& description() const { return description_; }
  bool is_tensor() const { return is_tensor_; }
  /// True for scalars and for tensors marked Parameter().
  bool is_parameter() const { return !is_tensor_ || is_parameter_; }
  bool is_variadic() const { return is_variadic_; }
  bool trails_with_next() const { return trails_with_next_; }
  HalVersion since() const { return since_; }
  Presence presence() const { return presence_; }
  const std::vector<TypeAlternative>& types() const { return types_; }
  /// The slot whose type this operand has, or -1.
  int like_slot() const { return like_slot_; }
  const std::vector<RankAlternative>& ranks() const { return ranks_; }
  const std::vector<QuantizationRule>& quantization() const { return quantization_; }
  const ValueHint& values() const { return values_; }

  /// Whether `rank` is allowed at `version`.
  bool AllowsRank(int rank, HalVersion version) const;
  /// The ranks allowed at `version`, for people: "4", "1, 2, 3 or 4", "at least 1".
  std::string RanksToString(HalVersion version) const;

 private:
  std::string name_;
  std::string description_;
  bool is_tensor_;
  bool is_parameter_ = false;
  bool is_variadic_ = false;
  bool trails_with_next_ = false;
  HalVersion since_ = HalVersion::V1_0;
  Presence presence_ = Presence::kRequired;
  std::vector<TypeAlternative> types_;
  int like_slot_ = -1;
  std::vector<RankAlternative> ranks_;
  std::vector<QuantizationRule> quantization_;
  ValueHint values_;
};

/// A tensor operand.
inline OperandRule Tensor(std::string_view name) { return OperandRule(name, true); }

/// A tensor of 32-bit floats, or of 16-bit floats since HAL 1.2.
inline OperandRule FloatTensor(std::string_view name) {
  return Tensor(name)
      .Types({OperandType::TENSOR_FLOAT32})
      .Types(HalVersion::V1_2, {OperandType::TENSOR_FLOAT16});
}

/// A tensor of 32-bit floats, of 8-bit quantized elements, or of 16-bit floats since HAL 1.2.
inline OperandRule FloatOrQuantizedTensor(std::string_view name) {
  return Tensor(name)
      .Types({OperandType::TENSOR_FLOAT32, OperandType::TENSOR_QUANT8_ASYMM})
      .Types(HalVersion::V1_2, {OperandType::TENSOR_FLOAT16});
}

/// A tensor of 32-bit floats, 32-bit integers or 8-bit quantized elements, or of 16-bit floats
/// since HAL 1.2.
inline OperandRule NumberTensor(std::string_view name) {
  return Tensor(name)
      .Types({OperandType::TENSOR_FLOAT32, OperandType::TENSOR_INT32,
              OperandType::TENSOR_QUANT8_ASYMM})
      .Types(HalVersion::V1_2, {OperandType::TENSOR_FLOAT16});
}

/// An INT32 scalar operand.
inline OperandRule Int32Scalar(std::string_view name) {
  return OperandRule(name, false).Types({OperandType::INT32});
}

/// A BOOL scalar operand. BOOL exists since 1.2.
inline OperandRule BoolScalar(std::string_view name) {
  return OperandRule(name, false)
      .Types(HalVersion::V1_2, {OperandType::BOOL})
      .Since(HalVersion::V1_2);
}

/// A FLOAT32 scalar operand, FLOAT16 when input `slot` is TENSOR_FLOAT16.
OperandRule FloatScalarLike(std::string_view name, int slot);

/// The same where the documentation says FLOAT32 beside TENSOR_FLOAT16 as well, and Android's own
/// implementation and specs have FLOAT16 there: both are accepted.
OperandRule FloatScalarBeside(std::string_view name, int slot);

/// A TENSOR_INT32 operand of rank 1 whose values the operation needs. Random ones would hardly be
/// valid.
inline OperandRule Int32Vector(std::string_view name) {
  return Tensor(name).Types({OperandType::TENSOR_INT32}).Ranks({1}).Parameter().Values(kNoValues);
}

/// The boolean operand "layout": false is NHWC, true NCHW.
OperandRule LayoutScalar();

/// The INT32 operand "activation": 0 none, 1 RELU, 2 RELU1, 3 RELU6 (types.hal 1.0,
/// FusedActivationFunc).
OperandRule ActivationScalar();

/// All entries of `groups` in order: rules of operands, or constraints, of which some are shared
/// with other operations.
template <class T>
std::vector<T> Joined(std::initializer_list<std::vector<T>> groups) {
  std::vector<T> all;
  for (const std::vector<T>& group : groups) all.insert(all.end(), group.begin(), group.end());
  return all;
}

/// The slots below `count` in order: a form of those.
std::vector<int> FirstSlots(int count);

/// The operands of an operation.
struct Signature {
  /// The inputs by slot. Slots are how kernels and constraints call inputs, whatever the form.
  std::vector<OperandRule> inputs = {};
  std::vector<OperandRule> outputs = {};
  /// The orders in which inputs may be given, each a list of slots (explicit and implicit padding
  /// are two forms); empty stands for one form with all slots in order.
  std::vector<std::vector<int>> forms = {};

  /// The forms, with the implied one spelled out.
  std::vector<std::vector<int>> AllForms() const;
  /// Whether operations of `version` may take `form`: not if an input that has to stand in it came
  /// later.
  bool HasForm(const std::vector<int>& form, HalVersion version) const;
};

}  // namespace nncert

#endif  // NNCERT_REFERENCE_SIGNATURE_H_
