// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/training/lstm_trainer.h"

#include <cmath>

#include "mlts/training/matrix_product.h"
#include "mlts/training/softmax_loss.h"

namespace nncert {
namespace {

constexpr size_t kGates = LstmNetwork::kGates;

template <class Number>
Number Logistic(Number x) {
  return 1 / (1 + std::exp(-x));
}

// Rows that each are `row`.
template <class Number>
std::vector<Number> Repeated(const Number* row, size_t columns, size_t rows) {
  std::vector<Number> matrix;
  matrix.reserve(rows * columns);
  for (size_t i = 0; i < rows; ++i) matrix.insert(matrix.end(), row, row + columns);
  return matrix;
}

// sums += the sum of the rows of a matrix.
template <class Number>
void AddRows(const std::vector<Number>& matrix, size_t columns, Number* sums) {
  for (size_t i = 0; i < matrix.size(); i += columns) {
    for (size_t j = 0; j < columns; ++j) sums[j] += matrix[i + j];
  }
}

}  // namespace

template <class Number>
std::vector<Number> LstmTrainer<Number>::InitialParameters(SplitMix64& random) const {
  std::vector<Number> parameters(network_.parameter_count());
  const double limit = 1 / std::sqrt(static_cast<double>(network_.units));
  for (Number& parameter : parameters) {
    parameter = static_cast<Number>(random.Uniform(-limit, limit));
  }
  // Jozefowicz et al., "An empirical exploration of recurrent network architectures", ICML 2015.
  constexpr size_t kForget = 1;
  for (size_t i = 0; i < network_.units; ++i) {
    parameters[network_.gate_biases() + kForget * network_.units + i] = 1;
  }
  return parameters;
}

template <class Number>
const std::vector<Number>& LstmTrainer<Number>::Run(const std::vector<Number>& parameters,
                                                    const std::vector<Number>& frames,
                                                    size_t sequences) {
  const size_t units = network_.units;
  const size_t width = kGates * units;
  const size_t step_size = sequences * network_.inputs;
  const size_t steps = frames.size() / step_size;
  gates_.assign(steps, {});
  cell_states_.assign(steps + 1, std::vector<Number>(sequences * units));
  outputs_ = cell_states_;
  for (size_t step = 0; step < steps; ++step) {
    std::vector<Number>& gates = gates_[step];
    gates = Repeated(parameters.data() + network_.gate_biases(), width, sequences);
    AddProduct(RowMajor(frames.data() + step * step_size, network_.inputs), parameters.data(),
               sequences, network_.inputs, width, gates.data());
    AddProduct(RowMajor(outputs_[step].data(), units),
               parameters.data() + network_.recurrent_weights(), sequences, units, width,
               gates.data());
    for (size_t sequence = 0; sequence < sequences; ++sequence) {
      Number* const input = gates.data() + sequence * width;
      Number* const forget = input + units;
      Number* const cell = forget + units;
      Number* const output = cell + units;
      for (size_t i = 0; i < units; ++i) {
        input[i] = Logistic(input[i]);
        forget[i] = Logistic(forget[i]);
        cell[i] = std::tanh(cell[i]);
        output[i] = Logistic(output[i]);
        const size_t k = sequence * units + i;
        const Number state = forget[i] * cell_states_[step][k] + input[i] * cell[i];
        cell_states_[step + 1][k] = state;
        outputs_[step + 1][k] = output[i] * std::tanh(state);
      }
    }
  }
  logits_ = Repeated(parameters.data() + network_.classifier_biases(), network_.classes, sequences);
  AddProduct(RowMajor(outputs_.back().data(), units),
             parameters.data() + network_.classifier_weights(), sequences, units, network_.classes,
             logits_.data());
  return logits_;
}

template <class Number>
Number LstmTrainer<Number>::Gradient(const std::vector<Number>& parameters,
                                     const std::vector<Number>& frames,
                                     const std::vector<uint32_t>& labels,
                                     std::vector<Number>& gradient) {
  const size_t units = network_.units;
  const size_t width = kGates * units;
  const size_t classes = network_.classes;
  const size_t sequences = labels.size();
  Run(parameters, frames, sequences);
  gradient.assign(parameters.size(), 0);
  std::vector<Number> logit_derivatives(logits_.size());
  const Number loss = SoftmaxLoss(logits_, labels, logit_derivatives);
  AddRows(logit_derivatives, classes, gradient.data() + network_.classifier_biases());
  AddProduct(TransposeOf(outputs_.back().data(), units), logit_derivatives.data(), units, sequences,
             classes, gradient.data() + network_.classifier_weights());

  // With respect to what the cell puts out, and to its state, after each step from the last on.
  std::vector<Number> output_derivatives(sequences * units);
  std::vector<Number> state_derivatives(sequences * units);
  const std::vector<Number> classifier =
      Transposed(parameters.data() + network_.classifier_weights(), units, classes);
  AddProduct(RowMajor(logit_derivatives.data(), classes), classifier.data(), sequences, classes,
             units, output_derivatives.data());
  const std::vector<Number> recurrent =
      Transposed(parameters.data() + network_.recurrent_weights(), units, width);
  std::vector<Number> gate_derivatives(sequences * width);
  const size_t step_size = sequences * network_.inputs;
  for (size_t step = gates_.size(); step-- > 0;) {
    for (size_t sequence = 0; sequence < sequences; ++sequence) {
      const Number* const input = gates_[step].data() + sequence * width;
      const Number* const forget = input + units;
      const Number* const cell = forget + units;
      const Number* const output = cell + units;
      Number* const derivatives = gate_derivatives.data() + sequence * width;
      for (size_t i = 0; i < units; ++i) {
        const size_t k = sequence * units + i;
        const Number activated = std::tanh(cell_states_[step + 1][k]);
        const Number of_state =
            state_derivatives[k] + output_derivatives[k] * output[i] * (1 - activated * activated);
        derivatives[i] = of_state * cell[i] * input[i] * (1 - input[i]);
        derivatives[units + i] = of_state * cell_states_[step][k] * forget[i] * (1 - forget[i]);
        derivatives[2 * units + i] = of_state * input[i] * (1 - cell[i] * cell[i]);
        derivatives[3 * units + i] =
            output_derivatives[k] * activated * output[i] * (1 - output[i]);
        state_derivatives[k] = of_state * forget[i];
      }
    }
    AddRows(gate_derivatives, width, gradient.data() + network_.gate_biases());
    AddProduct(TransposeOf(frames.data() + step * step_size, network_.inputs),
               gate_derivatives.data(), network_.inputs, sequences, width, gradient.data());
    AddProduct(TransposeOf(outputs_[step].data(), units), gate_derivatives.data(), units, sequences,
               width, gradient.data() + network_.recurrent_weights());
    output_derivatives.assign(output_derivatives.size(), 0);
    AddProduct(RowMajor(gate_derivatives.data(), width), recurrent.data(), sequences, width, units,
               output_derivatives.data());
  }
  return loss;
}

template class LstmTrainer<float>;
template class LstmTrainer<double>;

}  // namespace nncert
