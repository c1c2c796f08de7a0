// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/driver_base.h"
#include "hal/driver_entry.h"
#include "hal/utils.h"

namespace {

using namespace nncert::hal;  // NOLINT(google-build-using-namespace)

// One ADD of the model's two inputs: float tensors of one known shape, without an activation.
bool IsSimpleAdd(const V1_2::Model& model) {
  const V1_2::Operation& add = model.operations[0];
  if (model.operations.size() != 1 || add.type != V1_2::OperationType::ADD) return false;
  if (add.inputs.size() != 3) return false;
  if (model.inputIndexes != std::vector<uint32_t>{add.inputs[0], add.inputs[1]}) return false;
  const V1_2::Operand& a = model.operands[add.inputs[0]];
  const V1_2::Operand& b = model.operands[add.inputs[1]];
  const auto activation = readConstant<int32_t>(model, add.inputs[2]);
  return a.type == V1_2::OperandType::TENSOR_FLOAT32 && b.type == a.type &&
         !tensorHasUnspecifiedDimensions(a) && b.dimensions == a.dimensions && activation.ok() &&
         *activation == std::vector<int32_t>{0};
}

class SimpleAdd : public SimplePreparedModel {
  using SimplePreparedModel::SimplePreparedModel;

  absl::Status run(Execution& execution) override {
    std::vector<float> sum = execution.readInput<float>(0);
    const std::vector<float> addend = execution.readInput<float>(1);
    for (size_t i = 0; i < sum.size(); ++i) sum[i] += addend[i];
    execution.writeOutput(0, execution.inputDimensions(0), sum);
    return absl::OkStatus();
  }
};

class MinimalDriver : public SimpleDriver {
  absl::StatusOr<std::vector<bool>> supportedOperations(const V1_2::Model& model) override {
    return std::vector<bool>(model.operations.size(), IsSimpleAdd(model));
  }

  absl::StatusOr<std::shared_ptr<V1_2::IPreparedModel>> prepare(
      const V1_2::Model& model, V1_2::ExecutionPreference) override {
    return std::make_shared<SimpleAdd>(model);
  }

 public:
  MinimalDriver() : SimpleDriver("minimal driver 1") {}
};

}  // namespace

NNCERT_REGISTER_DRIVER(std::make_shared<MinimalDriver>);
