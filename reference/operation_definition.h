// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// One operation, one place: everything the project knows of an operation is one OperationDefinition
// in reference/ops/.

#ifndef NNCERT_REFERENCE_OPERATION_DEFINITION_H_
#define NNCERT_REFERENCE_OPERATION_DEFINITION_H_

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "hal/v1_2/types.h"
#include "reference/kernel_functions.h"
#include "reference/operation_context.h"
#include "reference/signature.h"
#include "reference/unordered_rows.h"

namespace nncert {

using hal::V1_2::OperationType;

class OperandChooser;

/// The operands that a constraint is about.
struct ConstraintOperands {
  /// Input slots whose dimensions it reads. It is checked as soon as they are known.
  std::vector<int> shapes = {};
  /// Input slots whose values it reads. It is checked as soon as they are known.
  std::vector<int> values = {};
  /// Operands that an error message names beside those: input slots, and OutputOperand(i) for
  /// outputs. A constraint on types or quantization, which are always known, names its operands
  /// here.
  std::vector<int> others = {};
};

/// A condition on an operation beyond its signature:
/// Constraint("axis is in [-rank, rank)", {.shapes = {kInput}, .values = {kAxis}}, IsAxisInRange).
struct Constraint {
  Constraint(std::string_view what, ConstraintOperands about,
             bool (*predicate)(const OperationContext&))
      : text(what), operands(std::move(about)), holds(predicate) {}

  /// What must hold, as a sentence without a full stop.
  std::string_view text;
  ConstraintOperands operands;
  /// Whether the constraint holds, for any operands at all that match the signature, also where
  /// other constraints do not hold.
  bool (*holds)(const OperationContext&);
  /// What messages and the handbook call the constraint: "C1", "C2", ... in the order in which the
  /// operation has them. Filled in by the catalogue.
  std::string label = {};
};

/// Output `index` in ConstraintOperands::others.
constexpr int OutputOperand(int index) { return -1 - index; }

/// Dimensions of the outputs of an operation from its inputs, all of whose dimensions and
/// parameters are known. The vector has one entry for each output. Gives InvalidArgument when the
/// inputs do not fit together.
using ShapeFunction = absl::Status (*)(const OperationContext&, std::vector<Shape>&);

/// How many steps an operation takes beyond one for each element that it reads or writes: products
/// of a convolution, samples of an average, pairs of boxes. Kernels in every number system take
/// about as many, whatever the elements are; it need be right to a small factor only. All
/// dimensions of inputs and outputs and all parameters are known, and valid. See StepsOf.
using StepFunction = double (*)(const OperationContext&);

/// Chooses dimensions and parameters that fit together, for random graphs; see operand_chooser.h.
using ChoiceFunction = void (*)(OperandChooser&);

/// Everything about an operation.
struct OperationDefinition {
  OperationType type = OperationType::ADD;
  /// One line: a formula, or what the operation does.
  std::string_view summary = {};
  /// The meaning in full, for the handbook.
  std::string_view description = {};
  Signature signature = {};
  std::vector<Constraint> constraints = {};
  /// Null when the outputs' dimensions depend on the elements of the inputs: the kernel then sets
  /// them.
  ShapeFunction shape = nullptr;
  /// Null when the operation takes a few steps for each element of its operands.
  StepFunction steps = nullptr;
  Kernel kernel = {};
  /// Null when every tensor has the dimensions of the first, and every parameter is what its rule
  /// hints at.
  ChoiceFunction choose = nullptr;
  /// What an honest implementation may lose, for the handbook; the arithmetic of the kernel is what
  /// counts.
  std::string_view error_bound = {};
  /// Which rows may come in any order. Kernels give them in the reference's own order, in every
  /// number system.
  UnorderedRows unordered_rows = {};
  /// Whether inputs may be empty (a dimension of 0 during execution), and outputs then are.
  bool accepts_empty_tensors = false;
  /// Whether the outputs are samples of a distribution: two honest implementations answer
  /// differently, so their outputs are to be compared as samples, not one by one. The enclosure of
  /// an output holds every sample that there may be.
  bool outputs_are_random = false;
  /// Where the meaning was taken from.
  std::string_view source = {};
  /// The name of the file with this definition, "conv_2d.cc"; filled in by
  /// NNCERT_OPERATION_DEFINITION.
  std::string_view source_file = {};
  /// The name of the extension that the operation belongs to, and its name there; empty for the
  /// HAL's own operations. Filled in by NNCERT_EXTENSION_OPERATION_DEFINITION.
  std::string_view extension = {};
  std::string_view name_in_extension = {};

  /// The HAL's name of the operation, "CONV_2D"; for one of an extension the extension's name, a
  /// dot, and its name there, "com.example.sequences.RECURRENCE".
  std::string name() const;
  /// The HAL version that introduced the operation.
  HalVersion since() const;
};

/// Finds the form of the signature that the operands match at `version`, and binds them to slots.
/// Checks number, types, ranks (where known), and quantization of inputs and outputs. The error
/// names the operation, the operand and what was expected.
absl::StatusOr<SlotBindings> MatchSignature(const OperationDefinition& definition,
                                            HalVersion version,
                                            absl::Span<const OperandState> inputs,
                                            absl::Span<const OperandState> outputs);

/// The bindings that MatchSignature gives of so many inputs that it accepts, where their number
/// leaves no choice of a form; nothing where it does. The definition must be of the catalogue.
std::optional<SlotBindings> BindingsByNumber(const OperationDefinition& definition,
                                             HalVersion version, size_t inputs);

/// Checks every constraint of the operation that can be decided with what is known. The error names
/// every constraint that does not hold, and its operands.
absl::Status CheckConstraints(const OperationContext& context);

/// How many steps an operation takes, to a small factor: one for each element of its inputs and, if
/// it has a shape function, outputs, and those of OperationDefinition::steps. All dimensions must
/// be known, and the parameters be valid. At most some 10^300, never negative, never NaN.
double StepsOf(const OperationContext& context);

// ---- Shape functions and constraints that many operations share ----

/// The output has the dimensions of input 0.
absl::Status SameShapeAsFirstInput(const OperationContext& context, std::vector<Shape>& outputs);

/// The output has the dimensions that inputs 0 and 1 broadcast to (see BroadcastShape).
absl::Status BroadcastOfFirstTwoInputs(const OperationContext& context,
                                       std::vector<Shape>& outputs);

/// The dimensions that `a` and `b` broadcast to: aligned at the innermost, each pair equal or one
/// of them 1 (types.hal 1.0, ADD). InvalidArgument when they are not compatible.
absl::StatusOr<Shape> BroadcastShape(absl::Span<const uint32_t> a, absl::Span<const uint32_t> b);

/// `axis` counted from the end when negative: a number in [0, rank), or -1 when out of range.
int CanonicalAxis(int axis, int rank);

}  // namespace nncert

#endif  // NNCERT_REFERENCE_OPERATION_DEFINITION_H_
