// A driver of one operation: RELU on floats. Copy this folder, and begin.

#include <algorithm>

#include "hal/driver_base.h"
#include "hal/driver_entry.h"
#include "hal/utils.h"
#include "reference/validate_model.h"

using namespace nncert::hal;  // NOLINT(google-build-using-namespace)

struct Relu : SimplePreparedModel {
  using SimplePreparedModel::SimplePreparedModel;
  absl::Status validate(const V1_2::Request& request, const V1_2::Model& model,
                        HalVersion version) const override {
    absl::Status status = SimplePreparedModel::validate(request, model, version);
    if (!status.ok() || !request.inputs[0].hasNoValue) return status;
    return absl::InvalidArgumentError("input 0 is omitted; RELU needs it");
  }
  absl::Status run(Execution& execution) override {
    std::vector<float> values = execution.readInput<float>(0);
    for (float& value : values) value = std::max(value, 0.0F);
    execution.writeOutput(0, execution.inputDimensions(0), values);
    return absl::OkStatus();
  }
};

struct MyDriver : SimpleDriver {
  MyDriver() : SimpleDriver("my driver 1") {}
  // Without this, only what models of any operations have to keep is checked.
  absl::Status validate(const V1_2::Model& model, HalVersion version) override {
    return nncert::ValidateModel(model, version);
  }
  absl::StatusOr<std::vector<bool>> supportedOperations(const V1_2::Model& model) override {
    const V1_2::Operation& relu = model.operations[0];
    const V1_2::Operand& input = model.operands[relu.inputs[0]];
    return std::vector<bool>(
        model.operations.size(),
        model.operations.size() == 1 && relu.type == V1_2::OperationType::RELU &&
            model.inputIndexes == relu.inputs && input.type == V1_2::OperandType::TENSOR_FLOAT32 &&
            !tensorHasUnspecifiedDimensions(input));
  }
  absl::StatusOr<std::shared_ptr<V1_2::IPreparedModel>> prepare(
      const V1_2::Model& model, V1_2::ExecutionPreference) override {
    return std::make_shared<Relu>(model);
  }
};

NNCERT_REGISTER_DRIVER(std::make_shared<MyDriver>);
