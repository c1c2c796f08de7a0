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

#ifndef NNCERT_REFERENCE_OPS_LSTM_CELL_H_
#define NNCERT_REFERENCE_OPS_LSTM_CELL_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "reference/ops/elementwise.h"

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

/// The sizes of a cell.
struct LstmSizes {
  size_t batches;
  size_t input_size;
  size_t aux_input_size;  ///< of a second input with weights of its own; 0 without one
  size_t units;           ///< of the cell state
  size_t output_size;     ///< of the output state; that of the units without a projection
};

/// The weights of one gate, or of the cell. Null pointers stand for weights that are left out.
template <class Number>
struct LstmGate {
  const Number* input_weights = nullptr;       ///< [units, input_size]
  const Number* aux_input_weights = nullptr;   ///< [units, aux_input_size]
  const Number* recurrent_weights = nullptr;   ///< [units, output_size]
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
  LstmGate<Number> forget = {};                ///< the forget gate
  LstmGate<Number> cell = {};                  ///< the cell, which has no peephole
  LstmGate<Number> output = {};                ///< the output gate
  const Number* projection_weights = nullptr;  ///< [output_size, units]
  const Number* projection_bias = nullptr;     ///< [output_size]
  LstmActivation activation = LstmActivation::kTanh;
  double cell_clip = 0;        ///< limit of the magnitude of the cell state; 0 for none
  double projection_clip = 0;  ///< limit of the magnitude of a projected output; 0 for none
};

/// Normalizes `count` numbers to mean 0 and variance 1.
///
/// The variance is the mean square of the differences from the mean. Implementations also compute
/// it as the mean of the squares less the square of the mean, which loses up to 3 count + 20
/// roundings of the mean of the squares (count products and additions, and a division, of the
/// squares; twice as many of the mean). They keep it from zero by adding 1e-8, or by putting that
/// in place of zero alone. An enclosure holds all of these.
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
  const auto deviation = arithmetic.Sqrt(
      arithmetic.EitherOf(arithmetic.Add(variance, arithmetic.Constant(1e-8)), variance));
  for (size_t i = 0; i < count; ++i) numbers[i] = arithmetic.Divide(numbers[i], deviation);
}

/// A cell that can be stepped through time.
template <class A>
class LstmCell {
 public:
  using Number = typename A::Number;

  /// What the pointers in `parameters` point to must outlive the cell.
  LstmCell(const A& arithmetic, const LstmParameters<Number>& parameters)
      : arithmetic_(arithmetic),
        parameters_(parameters),
        sizes_(parameters.sizes),
        depth_(sizes_.input_size + sizes_.aux_input_size + sizes_.output_size + 1),
        joined_inputs_(sizes_.batches * depth_),
        forget_(sizes_.batches * sizes_.units),
        cell_(sizes_.batches * sizes_.units),
        output_(sizes_.batches * sizes_.units) {
    if (!parameters.is_coupled) {
      input_weights_ = JoinWeights(parameters.input);
      input_.resize(sizes_.batches * sizes_.units);
    }
    forget_weights_ = JoinWeights(parameters.forget);
    cell_weights_ = JoinWeights(parameters.cell);
    output_weights_ = JoinWeights(parameters.output);
  }

  /// Takes one step: `input` is [batches, input_size], `aux_input` [batches, aux_input_size] or
  /// null. The states [batches, output_size] and [batches, units] are replaced by the new ones.
  void Step(const Number* input, const Number* aux_input, Number* output_state,
            Number* cell_state) {
    JoinInputs(input, aux_input, output_state);
    if (!parameters_.is_coupled) {
      ComputeArgument(parameters_.input, input_weights_, cell_state, input_);
      for (Number& x : input_) x = arithmetic_.Logistic(x);
    }
    ComputeArgument(parameters_.forget, forget_weights_, cell_state, forget_);
    for (Number& x : forget_) x = arithmetic_.Logistic(x);
    ComputeArgument(parameters_.cell, cell_weights_, nullptr, cell_);
    const Number one = arithmetic_.Constant(1);
    for (size_t i = 0; i < cell_.size(); ++i) {
      const Number gate =
          parameters_.is_coupled ? arithmetic_.Subtract(one, forget_[i]) : input_[i];
      const Number kept = arithmetic_.Multiply(forget_[i], cell_state[i]);
      const Number added =
          arithmetic_.Multiply(gate, ActivateLstm(arithmetic_, parameters_.activation, cell_[i]));
      cell_state[i] = Clip(arithmetic_.Add(kept, added), parameters_.cell_clip);
    }
    ComputeArgument(parameters_.output, output_weights_, cell_state, output_);
    for (size_t i = 0; i < output_.size(); ++i) {
      output_[i] =
          arithmetic_.Multiply(arithmetic_.Logistic(output_[i]),
                               ActivateLstm(arithmetic_, parameters_.activation, cell_state[i]));
    }
    Project(output_state);
  }

 private:
  // The weights of all inputs side by side, [units, depth], so that each argument is one sum: an
  // implementation may add it up in any order. The last column is the bias, unless that is added
  // after normalization.
  std::vector<Number> JoinWeights(const LstmGate<Number>& gate) const {
    std::vector<Number> joined(sizes_.units * depth_);
    for (size_t unit = 0; unit < sizes_.units; ++unit) {
      Number* row = joined.data() + unit * depth_;
      row = std::copy_n(gate.input_weights + unit * sizes_.input_size, sizes_.input_size, row);
      if (sizes_.aux_input_size != 0) {
        row = std::copy_n(gate.aux_input_weights + unit * sizes_.aux_input_size,
                          sizes_.aux_input_size, row);
      }
      row =
          std::copy_n(gate.recurrent_weights + unit * sizes_.output_size, sizes_.output_size, row);
      *row = gate.layer_norm_weights == nullptr ? gate.bias[unit] : arithmetic_.Constant(0);
    }
    return joined;
  }

  // The inputs side by side in the same way, [batches, depth].
  void JoinInputs(const Number* input, const Number* aux_input, const Number* output_state) {
    for (size_t batch = 0; batch < sizes_.batches; ++batch) {
      Number* row = joined_inputs_.data() + batch * depth_;
      row = std::copy_n(input + batch * sizes_.input_size, sizes_.input_size, row);
      if (sizes_.aux_input_size != 0) {
        row = std::copy_n(aux_input + batch * sizes_.aux_input_size, sizes_.aux_input_size, row);
      }
      row = std::copy_n(output_state + batch * sizes_.output_size, sizes_.output_size, row);
      *row = arithmetic_.Constant(1);
    }
  }

  // The argument of a gate's function, [batches, units].
  void ComputeArgument(const LstmGate<Number>& gate, const std::vector<Number>& weights,
                       const Number* cell_state, std::vector<Number>& argument) const {
    arithmetic_.MatrixProduct({sizes_.batches, sizes_.units, depth_}, joined_inputs_.data(),
                              weights.data(), argument.data());
    for (size_t batch = 0; batch < sizes_.batches; ++batch) {
      Number* row = argument.data() + batch * sizes_.units;
      if (gate.peephole_weights != nullptr) {
        const Number* state = cell_state + batch * sizes_.units;
        for (size_t unit = 0; unit < sizes_.units; ++unit) {
          row[unit] = arithmetic_.AddToSum(
              row[unit], arithmetic_.Multiply(gate.peephole_weights[unit], state[unit]), depth_);
        }
      }
      if (gate.layer_norm_weights == nullptr) continue;
      NormalizeLayer(arithmetic_, sizes_.units, row);
      for (size_t unit = 0; unit < sizes_.units; ++unit) {
        row[unit] = arithmetic_.Add(arithmetic_.Multiply(row[unit], gate.layer_norm_weights[unit]),
                                    gate.bias[unit]);
      }
    }
  }

  void Project(Number* output_state) const {
    if (parameters_.projection_weights == nullptr) {
      std::copy(output_.begin(), output_.end(), output_state);
      return;
    }
    arithmetic_.MatrixProduct({sizes_.batches, sizes_.output_size, sizes_.units}, output_.data(),
                              parameters_.projection_weights, output_state);
    for (size_t i = 0; i < sizes_.batches * sizes_.output_size; ++i) {
      if (parameters_.projection_bias != nullptr) {
        output_state[i] = arithmetic_.AddToSum(
            output_state[i], parameters_.projection_bias[i % sizes_.output_size], sizes_.units);
      }
      output_state[i] = Clip(output_state[i], parameters_.projection_clip);
    }
  }

  Number Clip(const Number& x, double limit) const {
    return limit > 0 ? Clamp(arithmetic_, x, -limit, limit) : x;
  }

  const A& arithmetic_;
  const LstmParameters<Number> parameters_;
  const LstmSizes sizes_;
  const size_t
      depth_;  // of the joined inputs: all inputs, the output state, and a one for the bias
  std::vector<Number> input_weights_, forget_weights_, cell_weights_, output_weights_;
  std::vector<Number> joined_inputs_;
  std::vector<Number> input_, forget_, cell_, output_;  // of the gates, [batches, units]
};

}  // namespace nncert

#endif  // NNCERT_REFERENCE_OPS_LSTM_CELL_H_
