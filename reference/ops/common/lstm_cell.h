// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// One time step of a long short-term memory cell, for the LSTM operation and those over sequences.
//
// With x the input, h the output state, C the cell state, * the product element by element:
//
//   i = logistic(Wxi x + Whi h + wci * C + bi)        input gate; 1 - f where it is coupled (CIFG)
//   f = logistic(Wxf x + Whf h + wcf * C + bf)        forget gate
//   C' = clip(f * C + i * g(Wxc x + Whc h + bc))      cell
//   o = logistic(Wxo x + Who h + wco * C' + bo)       output gate
//   h' = clip(Wproj (o * g(C')) + bproj)              with a projection, else o * g(C')
//
// (types.hal 1.2, OperationType::LSTM). With layer normalization, the argument of each logistic and
// of the cell's g is normalized over the units, scaled by weights, and the bias is added last (Ba,
// Kiros and Hinton, "Layer normalization", arXiv:1607.06450, section 3.1).

#ifndef NNCERT_REFERENCE_OPS_COMMON_LSTM_CELL_H_
#define NNCERT_REFERENCE_OPS_COMMON_LSTM_CELL_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "reference/kernel.h"
#include "reference/ops/common/elementwise.h"

namespace nncert {

/// The function g of a cell, by its code in the HAL (types.hal 1.2, LSTM, input 20).
enum class LstmActivation : int32_t {
  kNone = 0,
  kRelu = 1,
  kRelu6 = 3,
  kTanh = 4,
  kLogistic = 6,
};

/// Whether `code` is that of an LstmActivation.
constexpr bool IsLstmActivation(int32_t code) {
  return code == 0 || code == 1 || code == 3 || code == 4 || code == 6;
}

/// g(x).
template <class A>
typename A::Number ActivateLstm(const A& arithmetic, LstmActivation activation,
                                const typename A::Number& x) {
  switch (activation) {
    case LstmActivation::kNone:
      return x;
    case LstmActivation::kRelu:
      return Activate(arithmetic, FusedActivationFunc::RELU, x);
    case LstmActivation::kRelu6:
      return Activate(arithmetic, FusedActivationFunc::RELU6, x);
    case LstmActivation::kTanh:
      return arithmetic.Tanh(x);
    case LstmActivation::kLogistic:
      return arithmetic.Logistic(x);
  }
  return x;
}

/// g(x) in place of each x.
template <class A>
void ActivateAll(const A& arithmetic, LstmActivation activation,
                 std::vector<typename A::Number>& numbers) {
  const bool is_done =
      (activation == LstmActivation::kLogistic &&
       arithmetic.FastLogistic(numbers.size(), numbers.data())) ||
      (activation == LstmActivation::kTanh && arithmetic.FastTanh(numbers.size(), numbers.data()));
  if (is_done) return;
  for (typename A::Number& x : numbers) x = ActivateLstm(arithmetic, activation, x);
}

/// The sizes of a cell.
struct LstmSizes {
  size_t batches;
  size_t input_size;
  size_t aux_input_size;  ///< of a second input with weights of its own; 0 without one
  size_t units;           ///< of the cell state
  size_t output_size;     ///< of the output state; that of the units without a projection
};

/// The weights of one gate, or of the cell. Null pointers, and missing matrices, stand for weights
/// that are left out.
template <class Number>
struct LstmGate {
  Matrix<Number> input_weights = {};           ///< [units, input_size]
  Matrix<Number> aux_input_weights = {};       ///< [units, aux_input_size]
  Matrix<Number> recurrent_weights = {};       ///< [units, output_size]
  const Number* peephole_weights = nullptr;    ///< [units], times the cell state
  const Number* layer_norm_weights = nullptr;  ///< [units]; given if layer normalization is used
  const Number* bias = nullptr;                ///< [units]
};

/// All that a cell is made of.
template <class Number>
struct LstmParameters {
  LstmSizes sizes;
  bool is_coupled = false;      ///< the input gate is 1 - forget gate, and `input` is not looked at
  LstmGate<Number> input = {};  ///< the input gate
  LstmGate<Number> forget = {};             ///< the forget gate
  LstmGate<Number> cell = {};               ///< the cell, which has no peephole
  LstmGate<Number> output = {};             ///< the output gate
  Matrix<Number> projection_weights = {};   ///< [output_size, units]; left out without one
  const Number* projection_bias = nullptr;  ///< [output_size]
  LstmActivation activation = LstmActivation::kTanh;
  double cell_clip = 0;        ///< limit of the magnitude of the cell state; 0 for none
  double projection_clip = 0;  ///< limit of the magnitude of a projected output; 0 for none
};

/// Normalizes `count` numbers to mean 0 and variance 1.
///
/// The variance is the mean square of the differences from the mean. Implementations also compute
/// it as the mean of the squares less the square of the mean, which loses up to 3 count + 20
/// roundings of the mean of the squares (count products and additions, and a division, of the
/// squares; twice as many of the mean). They keep it from zero by putting 1e-8 in its place, or by
/// adding that to every variance. An enclosure holds all of these; other results have 1e-8 in place
/// of a variance that is zero but for rounding: one of at most 2^-40 of the mean of the squares.
template <class A>
void NormalizeLayer(const A& arithmetic, size_t count, typename A::Number* numbers) {
  typename A::Accumulator sum;
  typename A::Accumulator sum_of_squares;
  for (size_t i = 0; i < count; ++i) {
    sum.Add(numbers[i]);
    sum_of_squares.MultiplyAdd(numbers[i], numbers[i]);
  }
  const auto divisor = arithmetic.Constant(static_cast<double>(count));
  const auto mean = arithmetic.Divide(arithmetic.Finish(sum), divisor);
  const auto mean_of_squares = arithmetic.Divide(arithmetic.Finish(sum_of_squares), divisor);
  typename A::Accumulator sum_of_deviations;
  for (size_t i = 0; i < count; ++i) {
    numbers[i] = arithmetic.Subtract(numbers[i], mean);
    sum_of_deviations.Add(arithmetic.Square(numbers[i]));
  }
  const auto variance =
      arithmetic.Loosen(arithmetic.Divide(arithmetic.Finish(sum_of_deviations), divisor),
                        mean_of_squares, 3 * count + 20);
  const auto tiny = arithmetic.Constant(1e-8);
  const auto rounding = arithmetic.Multiply(mean_of_squares, arithmetic.Constant(0x1p-40));
  const auto above_zero = arithmetic.Select(arithmetic.Less(rounding, variance), variance, tiny);
  const auto deviation =
      arithmetic.Sqrt(arithmetic.EitherOf(above_zero, arithmetic.Add(above_zero, tiny)));
  for (size_t i = 0; i < count; ++i) numbers[i] = arithmetic.Divide(numbers[i], deviation);
}

/// A cell that runs through time.
template <class A>
class LstmCell {
 public:
  using Number = typename A::Number;

  /// A cell before its first step, with the states [batches, output_size] and [batches, units].
  /// What the pointers in `parameters` point to must outlive the cell; the states are copied.
  LstmCell(const A& arithmetic, const LstmParameters<Number>& parameters,
           const Number* output_state, const Number* cell_state)
      : arithmetic_(arithmetic),
        parameters_(parameters),
        sizes_(parameters.sizes),
        terms_in_sum_(sizes_.input_size + sizes_.aux_input_size + sizes_.output_size + 2),
        output_state_(output_state, output_state + sizes_.batches * sizes_.output_size),
        cell_state_(cell_state, cell_state + sizes_.batches * sizes_.units),
        recurrent_sums_(cell_state_.size()),
        hidden_(cell_state_.size()) {
    if (!parameters_.is_coupled) input_.argument.resize(cell_state_.size());
    for (Gate* gate : {&forget_, &cell_, &output_}) gate->argument.resize(cell_state_.size());
  }

  size_t output_size() const { return sizes_.output_size; }
  size_t NumbersPerRow() const { return (parameters_.is_coupled ? 4 : 5) * sizes_.units; }

  /// Takes in the inputs of `steps` steps: [steps, batches, input_size] and, where there is one,
  /// the auxiliary input [steps, batches, aux_input_size].
  void SetInputs(size_t steps, const Number* input, const Number* aux_input) {
    if (!parameters_.is_coupled) SetInputs(parameters_.input, steps, input, aux_input, input_);
    SetInputs(parameters_.forget, steps, input, aux_input, forget_);
    SetInputs(parameters_.cell, steps, input, aux_input, cell_);
    SetInputs(parameters_.output, steps, input, aux_input, output_);
  }

  /// Takes one of these steps.
  void Step(size_t step) {
    if (!parameters_.is_coupled) {
      ComputeArgument(parameters_.input, step, input_);
      ActivateAll(arithmetic_, LstmActivation::kLogistic, input_.argument);
    }
    ComputeArgument(parameters_.forget, step, forget_);
    ActivateAll(arithmetic_, LstmActivation::kLogistic, forget_.argument);
    ComputeArgument(parameters_.cell, step, cell_);
    ActivateAll(arithmetic_, parameters_.activation, cell_.argument);
    const Number one = arithmetic_.Constant(1);
    for (size_t i = 0; i < cell_state_.size(); ++i) {
      const Number forget = forget_.argument[i];
      const Number gate =
          parameters_.is_coupled ? arithmetic_.Subtract(one, forget) : input_.argument[i];
      const Number kept = arithmetic_.Multiply(forget, cell_state_[i]);
      const Number added = arithmetic_.Multiply(gate, cell_.argument[i]);
      cell_state_[i] = Clip(arithmetic_.Add(kept, added), parameters_.cell_clip);
    }
    // The peephole of the output gate sees the new cell state.
    ComputeArgument(parameters_.output, step, output_);
    ActivateAll(arithmetic_, LstmActivation::kLogistic, output_.argument);
    hidden_ = cell_state_;
    ActivateAll(arithmetic_, parameters_.activation, hidden_);
    for (size_t i = 0; i < hidden_.size(); ++i) {
      hidden_[i] = arithmetic_.Multiply(output_.argument[i], hidden_[i]);
    }
    Project();
  }

  /// The output state, [batches, output_size].
  const Number* output() const { return output_state_.data(); }
  /// The cell state, [batches, units].
  const Number* cell_state() const { return cell_state_.data(); }

 private:
  // What is kept of a gate.
  struct Gate {
    std::vector<Number> input_sums;  // [steps, batches, units], of the inputs of these steps
    std::vector<Number> argument;    // of its function at one step, [batches, units]
  };

  // The part of a gate's argument that the inputs make.
  //
  // An argument is one sum, which an implementation may add up in any order, though it is computed
  // here as the sum of several products; so all count the terms of the whole sum: the products of
  // the inputs and of the output state, the peephole and the bias.
  void SetInputs(const LstmGate<Number>& weights, size_t steps, const Number* input,
                 const Number* aux_input, Gate& gate) {
    const size_t rows = steps * sizes_.batches;
    gate.input_sums.resize(rows * sizes_.units);
    arithmetic_.MatrixProduct({rows, sizes_.units, sizes_.input_size, terms_in_sum_}, input,
                              weights.input_weights, gate.input_sums.data());
    if (sizes_.aux_input_size == 0) return;
    aux_sums_.resize(rows * sizes_.units);
    arithmetic_.MatrixProduct({rows, sizes_.units, sizes_.aux_input_size, terms_in_sum_}, aux_input,
                              weights.aux_input_weights, aux_sums_.data());
    for (size_t i = 0; i < aux_sums_.size(); ++i) {
      gate.input_sums[i] = arithmetic_.Add(gate.input_sums[i], aux_sums_[i]);
    }
  }

  // The argument of a gate's function at a step.
  void ComputeArgument(const LstmGate<Number>& weights, size_t step, Gate& gate) {
    arithmetic_.MatrixProduct({sizes_.batches, sizes_.units, sizes_.output_size, terms_in_sum_},
                              output_state_.data(), weights.recurrent_weights,
                              recurrent_sums_.data());
    const Number* input_sums = gate.input_sums.data() + step * cell_state_.size();
    const bool is_normalized = weights.layer_norm_weights != nullptr;
    for (size_t batch = 0; batch < sizes_.batches; ++batch) {
      const size_t first = batch * sizes_.units;
      Number* row = gate.argument.data() + first;
      for (size_t unit = 0; unit < sizes_.units; ++unit) {
        row[unit] = arithmetic_.Add(input_sums[first + unit], recurrent_sums_[first + unit]);
        if (weights.peephole_weights != nullptr) {
          const Number product =
              arithmetic_.Multiply(weights.peephole_weights[unit], cell_state_[first + unit]);
          row[unit] = arithmetic_.AddToSum(row[unit], product, terms_in_sum_);
        }
        // With normalization the bias is added afterwards.
        if (!is_normalized) {
          row[unit] = arithmetic_.AddToSum(row[unit], weights.bias[unit], terms_in_sum_);
        }
      }
      if (!is_normalized) continue;
      NormalizeLayer(arithmetic_, sizes_.units, row);
      for (size_t unit = 0; unit < sizes_.units; ++unit) {
        row[unit] = arithmetic_.Add(
            arithmetic_.Multiply(row[unit], weights.layer_norm_weights[unit]), weights.bias[unit]);
      }
    }
  }

  // The output state of the hidden vector.
  void Project() {
    if (parameters_.projection_weights.IsMissing()) {
      output_state_ = hidden_;
      return;
    }
    arithmetic_.MatrixProduct({sizes_.batches, sizes_.output_size, sizes_.units}, hidden_.data(),
                              parameters_.projection_weights, output_state_.data());
    for (size_t i = 0; i < output_state_.size(); ++i) {
      if (parameters_.projection_bias != nullptr) {
        output_state_[i] = arithmetic_.AddToSum(
            output_state_[i], parameters_.projection_bias[i % sizes_.output_size], sizes_.units);
      }
      output_state_[i] = Clip(output_state_[i], parameters_.projection_clip);
    }
  }

  Number Clip(const Number& x, double limit) const {
    return limit > 0 ? Clamp(arithmetic_, x, -limit, limit) : x;
  }

  const A& arithmetic_;
  const LstmParameters<Number> parameters_;
  const LstmSizes sizes_;
  const size_t terms_in_sum_;  // of a gate's argument
  std::vector<Number> output_state_, cell_state_;
  std::vector<Number> recurrent_sums_, aux_sums_;
  Gate input_, forget_, cell_, output_;
  std::vector<Number> hidden_;  // o * g(C'), [batches, units]
};

}  // namespace nncert

#endif  // NNCERT_REFERENCE_OPS_COMMON_LSTM_CELL_H_
