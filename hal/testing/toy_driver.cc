// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/testing/toy_driver.h"

#include <utility>

#include "hal/utils.h"

namespace nncert::hal::testing {
namespace {

class ToyPreparedModel : public SimplePreparedModel {
 public:
  ToyPreparedModel(const V1_2::Model& model, std::vector<std::vector<float>> values)
      : SimplePreparedModel(model),
        operations_(model.operations),
        inputs_(model.inputIndexes),
        outputs_(model.outputIndexes),
        constants_(std::move(values)) {}

 protected:
  absl::Status run(Execution& execution) override {
    std::vector<std::vector<float>> values = constants_;
    std::vector<uint32_t> dimensions;
    for (size_t i = 0; i < inputs_.size(); ++i) {
      if (execution.isInputOmitted(i)) return absl::InvalidArgumentError("an input is omitted");
      values[inputs_[i]] = execution.readInput<float>(i);
      dimensions = execution.inputDimensions(i);
    }
    for (const V1_2::Operation& operation : operations_) {
      std::vector<float> sum = values[operation.inputs[0]];
      const std::vector<float>& other = values[operation.inputs[1]];
      if (sum.size() != other.size()) return absl::InternalError("the dimensions differ");
      for (size_t i = 0; i < sum.size(); ++i) sum[i] += other[i];
      values[operation.outputs[0]] = std::move(sum);
    }
    for (size_t i = 0; i < outputs_.size(); ++i) {
      execution.writeOutput(i, dimensions, values[outputs_[i]]);
    }
    return absl::OkStatus();
  }

 private:
  const std::vector<V1_2::Operation> operations_;
  const std::vector<uint32_t> inputs_;
  const std::vector<uint32_t> outputs_;
  // By operand; empty for what is not a constant tensor.
  const std::vector<std::vector<float>> constants_;
};

}  // namespace

absl::StatusOr<std::vector<bool>> ToyDriver::supportedOperations(const V1_2::Model& model) {
  std::vector<bool> supported;
  for (const V1_2::Operation& operation : model.operations) {
    supported.push_back(operation.type == V1_2::OperationType::ADD);
  }
  return supported;
}

absl::StatusOr<std::shared_ptr<V1_2::IPreparedModel>> ToyDriver::prepare(
    const V1_2::Model& model, V1_2::ExecutionPreference /*preference*/) {
  std::vector<std::vector<float>> values(model.operands.size());
  for (uint32_t i = 0; i < model.operands.size(); ++i) {
    if (!isConstant(model.operands[i].lifetime)) continue;
    absl::StatusOr<std::vector<float>> constant = readConstant<float>(model, i);
    if (!constant.ok()) return constant.status();
    values[i] = *std::move(constant);
  }
  return std::make_shared<ToyPreparedModel>(model, std::move(values));
}

}  // namespace nncert::hal::testing
