// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What recurrent operations share: sequences, the way a cell runs over one, and conditions on
// optional operands and dimensions.

#ifndef NNCERT_REFERENCE_OPS_COMMON_RECURRENT_H_
#define NNCERT_REFERENCE_OPS_COMMON_RECURRENT_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "reference/kernel.h"
#include "reference/operand_chooser.h"
#include "reference/operation_context.h"
#include "reference/operation_definition.h"
#include "reference/signature.h"

namespace nncert {

/// Where the vectors of a sequence are: rows of [steps, batches, size] when it is time-major, of
/// [batches, steps, size] when it is batch-major.
struct SequenceShape {
  size_t steps;
  size_t batches;
  bool is_time_major;

  /// The number of the row that holds the vector of `batch` at time `step`.
  size_t Row(size_t step, size_t batch) const {
    return is_time_major ? step * batches + batch : batch * steps + step;
  }
};

/// The shape of the sequence in input `input_slot`, whose dimensions must be known. Input
/// `time_major_slot`, a BOOL or INT32 whose value must be known, says whether it is time-major; -1
/// stands for a single step: an input of dimensions [batches, size].
SequenceShape SequenceShapeOf(const OperationContext& context, int input_slot, int time_major_slot);

/// The dimensions of a sequence of `shape` of vectors of `size`.
Shape SequenceDimensions(const SequenceShape& shape, uint32_t size);

/// The direction in which a cell runs over a sequence, from the first step or from the last.
enum class Direction { kForward, kBackward };

/// What a cell is to its operation: its only cell, or one of two.
enum class CellRole { kOnly, kForward, kBackward };

/// What the names of the cell's operands start with: "", "fw_" or "bw_".
std::string OperandPrefix(CellRole role);

/// `text` about the cell, saying which of two cells it is about; of static lifetime, as the texts
/// of definitions have.
std::string_view CellText(CellRole role, std::string_view text);

/// The inputs of a cell at all times, and their sizes. The auxiliary input may be left out: null
/// and 0.
template <class Number>
struct SequenceInputs {
  const Number* input = nullptr;
  size_t input_size = 0;
  const Number* aux_input = nullptr;
  size_t aux_input_size = 0;
};

/// Where the outputs of a cell go: into rows of `stride` numbers, from number `offset` on.
template <class Number>
struct SequenceOutput {
  Number* data;
  size_t stride;
  size_t offset;
};

/// The vectors of a sequence, a few time steps at a time, as time-major rows.
template <class Number>
class SequenceReader {
 public:
  /// Reads `data`, a sequence of `shape` of vectors of `size`; null for nothing to be read.
  SequenceReader(const SequenceShape& shape, const Number* data, size_t size)
      : shape_(shape), data_(data), size_(size) {}

  /// The vectors of `count` steps from `first` on: [count, batches, size]. Valid until the next
  /// call. Null when there is nothing to be read.
  const Number* Read(size_t first, size_t count) {
    if (data_ == nullptr) return nullptr;
    if (shape_.is_time_major || shape_.batches == 1) {
      return data_ + first * shape_.batches * size_;
    }
    rows_.resize(count * shape_.batches * size_);
    Number* to = rows_.data();
    for (size_t step = first; step < first + count; ++step) {
      for (size_t batch = 0; batch < shape_.batches; ++batch) {
        to = std::copy_n(data_ + shape_.Row(step, batch) * size_, size_, to);
      }
    }
    return rows_.data();
  }

 private:
  const SequenceShape shape_;
  const Number* const data_;
  const size_t size_;
  std::vector<Number> rows_;
};

/// Runs `cell` over a sequence, and writes what it puts out at each step to the place of that step.
///
/// A cell takes the inputs of several steps at once (so that what does not depend on the state is
/// one matrix product), then the steps one by one:
///
///   size_t output_size() const;         of the vector that it puts out for each batch
///   size_t NumbersPerRow() const;       how many numbers it keeps for one vector of inputs
///   void SetInputs(size_t steps, const Number* input, const Number* aux_input);   time-major
///   void Step(size_t step);             takes one of these steps
///   const Number* output() const;       [batches, output_size], after the step
template <class Cell, class Number>
void RunOverSequence(const SequenceShape& shape, Direction direction,
                     const SequenceInputs<Number>& inputs, Cell& cell,
                     const SequenceOutput<Number>& output) {
  // Numbers that are kept at a time: enough for large products, few enough for the caches.
  constexpr size_t kNumbersAtATime = size_t{1} << 18;
  const size_t numbers_per_step =
      shape.batches * (cell.NumbersPerRow() + inputs.input_size + inputs.aux_input_size);
  const size_t at_a_time =
      std::clamp<size_t>(kNumbersAtATime / std::max<size_t>(numbers_per_step, 1), 1, shape.steps);
  SequenceReader<Number> input(shape, inputs.input, inputs.input_size);
  SequenceReader<Number> aux_input(shape, inputs.aux_input, inputs.aux_input_size);
  for (size_t done = 0; done < shape.steps; done += at_a_time) {
    const size_t count = std::min(at_a_time, shape.steps - done);
    const size_t first = direction == Direction::kForward ? done : shape.steps - done - count;
    cell.SetInputs(count, input.Read(first, count), aux_input.Read(first, count));
    for (size_t i = 0; i < count; ++i) {
      const size_t step = direction == Direction::kForward ? i : count - 1 - i;
      cell.Step(step);
      for (size_t batch = 0; batch < shape.batches; ++batch) {
        std::copy_n(cell.output() + batch * cell.output_size(), cell.output_size(),
                    output.data + shape.Row(first + step, batch) * output.stride + output.offset);
      }
    }
  }
}

/// What the operations of two cells are told apart by.
struct TwoDirectionSlots {
  int input;
  int aux_input;
  int time_major;
  int merge_outputs;
};

/// Runs two cells over one sequence, in its order and against it, and writes what they put out: to
/// outputs 0 and 1 or, merged, one after the other in each row of output 0. `load_forward` and
/// `load_backward` give the cells (see RunOverSequence), each when its turn comes.
template <class A, class LoadForward, class LoadBackward>
absl::Status RunBothWays(KernelContext<A>& context, const TwoDirectionSlots& slots,
                         LoadForward load_forward, LoadBackward load_backward) {
  using Number = typename A::Number;
  auto forward_output = context.Output(0);
  if (!forward_output.ok()) return forward_output.status();
  const bool is_merged = context->Bool(slots.merge_outputs);
  auto backward_output = is_merged ? forward_output : context.Output(1);
  if (!backward_output.ok()) return backward_output.status();
  const SequenceShape shape = SequenceShapeOf(context.operation(), slots.input, slots.time_major);
  const auto input = context.Input(slots.input);
  SequenceInputs<Number> inputs = {.input = input.data, .input_size = input.dimensions.back()};
  if (context->Has(slots.aux_input)) {
    inputs.aux_input = context.Input(slots.aux_input).data;
    inputs.aux_input_size = inputs.input_size;
  }
  auto forward = load_forward();
  RunOverSequence<decltype(forward), Number>(
      shape, Direction::kForward, inputs, forward,
      {.data = forward_output->data, .stride = forward_output->dimensions.back(), .offset = 0});
  auto backward = load_backward();
  RunOverSequence<decltype(backward), Number>(shape, Direction::kBackward, inputs, backward,
                                              {.data = backward_output->data,
                                               .stride = backward_output->dimensions.back(),
                                               .offset = is_merged ? forward.output_size() : 0});
  return absl::OkStatus();
}

/// An operand of rank 2 with the type of input 0.
OperandRule MatrixOperand(const std::string& name, std::string_view description);

/// An operand of rank 1 with the type of input 0.
OperandRule VectorOperand(const std::string& name, std::string_view description);

/// The first input of an operation over a sequence, or, with `rank` 2, over one step.
OperandRule RecurrentInput(int rank, std::string_view description);

/// An auxiliary operand, with the type of input 0. One that the request leaves out may be declared
/// with any rank, so it is the constraints on dimensions that tell the rank of the others.
OperandRule AuxOperand(std::string_view name, std::string_view description);

/// The rule of a BOOL scalar that says how sequences stand in their tensors.
OperandRule TimeMajorScalar(std::string_view name);

/// The rule of a BOOL scalar that says whether an operation of two directions has one output.
OperandRule MergeOutputsScalar(std::string_view name);

/// The products of a recurrent operation, to a small factor: every weight and every state for each
/// step and batch of input 0.
double RecurrentSteps(const OperationContext& context);

/// Whether each of `slots` that has a value has the dimensions `expected`.
bool HaveDimensions(const OperationContext& context, std::initializer_list<int> slots,
                    const Shape& expected);

/// Whether all of `slots` have a value, or none.
bool AllOrNone(const OperationContext& context, std::initializer_list<int> slots);

/// The slots that are not -1, which stands for an operand that an operation does not have.
std::vector<int> SlotsOf(std::initializer_list<int> slots);

/// The constraint that the auxiliary input, if it has a value, is of the dimensions of the input.
template <int kInputSlot, int kAuxInputSlot>
Constraint AuxInputConstraint() {
  return Constraint("aux_input is of the dimensions of the input",
                    {.shapes = {kInputSlot, kAuxInputSlot}}, [](const OperationContext& context) {
                      return HaveDimensions(context, {kAuxInputSlot},
                                            context.Input(kInputSlot).dimensions);
                    });
}

/// The constraint that an operation of two directions has one output if the BOOL input `kMergeSlot`
/// says that they are merged, and two otherwise.
template <int kMergeSlot>
Constraint MergedOutputsConstraint() {
  return Constraint("there is one output if the outputs are merged, and there are two otherwise",
                    {.values = {kMergeSlot}}, [](const OperationContext& context) {
                      return context.OutputCount() == (context.Bool(kMergeSlot) ? 1 : 2);
                    });
}

/// The outputs of an operation of two directions: one, or two of which the second may be left out.
std::vector<OperandRule> TwoDirectionOutputs(std::string_view forward_size,
                                             std::string_view backward_size);

/// The dimensions of these outputs for a sequence of `shape`.
void TwoDirectionShapes(const SequenceShape& shape, uint32_t forward_size, uint32_t backward_size,
                        bool is_merged, std::vector<Shape>& outputs);

// ---- What recipes for random graphs share ----

/// The dimensions of an operand that is chosen: sizes that it has in common with other operands,
/// each 0 until it is settled. A slot of -1 stands for an operand that the operation does not have.
struct SharedSizes {
  int slot;
  absl::InlinedVector<uint32_t*, 3> sizes;
};

/// Settles the sizes of the operand that is given, if it is one of `operands`.
void TakeGivenSizes(const OperandChooser& choose, absl::Span<const SharedSizes> operands);

/// Settles the dimensions of all of `operands`, whose sizes are settled.
void SetSharedSizes(OperandChooser& choose, absl::Span<const SharedSizes> operands);

/// The sizes of a sequence that is chosen, or of one step of it; 0 until they are settled.
struct SequenceSizes {
  uint32_t steps = 0;
  uint32_t batches = 0;
  uint32_t input_size = 0;

  /// The dimensions of the sequence in `slot`; see SequenceShapeOf. Whether it is time-major must
  /// be settled.
  SharedSizes InSlot(const OperandChooser& choose, int slot, int time_major_slot);
  /// Settles, by chance, what is not settled.
  void Choose(OperandChooser& choose);
};

/// Settles the number of units of a cell by chance, if it is not settled: so that weights of
/// dimensions [units, input_size] and [units, units] are not much larger than tensors should be. A
/// given value of very many units does not fit.
void ChooseUnits(OperandChooser& choose, uint32_t input_size, uint32_t& units);

/// Settles by chance whether sequences are time-major, unless the slot is -1.
void ChooseTimeMajor(OperandChooser& choose, int time_major_slot);

/// Settles whether the two outputs that an operation may have are merged: by how many it has.
void ChooseMergedOutputs(OperandChooser& choose, int merge_outputs_slot);

/// Whether a part that an operation may have or not is there: by chance, and always if one of
/// its operands is given. A slot of -1 stands for an operand that the operation does not have.
bool ChoosePart(OperandChooser& choose, absl::Span<const int> slots);

/// Gives all of `slots` values, or none. A slot of -1 stands for an operand that the operation does
/// not have.
void SetPart(OperandChooser& choose, absl::Span<const int> slots, bool is_there);

/// Weights with which the sum of `terms` products with numbers in `range` seldom goes beyond
/// `reach`: three standard deviations, when all are uniform.
ValueRange WeightRange(double reach, uint32_t terms, ValueRange range);

/// Sets the range of the weights in `slot` to that. Returns how many times as far the sums go when
/// larger weights are given; 1 otherwise.
double SetWeightRange(OperandChooser& choose, int slot, double reach, uint32_t terms,
                      ValueRange range);

/// A fused activation that is chosen, and applied to sums of products.
struct ChosenActivation {
  /// How far the sums shall go, so that it shows in them.
  double reach;
  /// What it makes of them.
  ValueRange range;
};

/// Settles the activation in `slot` by chance, or none where the slot has no value.
ChosenActivation ChooseActivationOfSums(OperandChooser& choose, int slot);

}  // namespace nncert

#endif  // NNCERT_REFERENCE_OPS_COMMON_RECURRENT_H_
