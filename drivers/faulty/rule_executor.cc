// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "drivers/faulty/rule_executor.h"

#include <limits>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "hal/driver_base.h"
#include "hal/extension.h"
#include "reference/catalogue.h"
#include "reference/driver/cached_model.h"
#include "reference/execution/model_validation.h"

namespace nncert::faulty {
namespace {

using hal::V1_2::Model;

class RulePreparedModel : public hal::SimplePreparedModel {
 public:
  RulePreparedModel(const Model& model, std::unique_ptr<RuleGraph> graph)
      : hal::SimplePreparedModel(model), model_(model), graph_(std::move(graph)) {}

  const Model& model() const { return model_; }

 protected:
  absl::Status validate(const hal::V1_2::Request& request, const Model& model,
                        hal::HalVersion version) const override {
    absl::Status status = hal::SimplePreparedModel::validate(request, model, version);
    if (!status.ok()) return status;
    return ValidateOmittedInputs(model_, request, version);
  }

  absl::Status run(hal::Execution& execution) override {
    std::vector<RuleGraph::Argument> arguments(execution.inputCount());
    for (size_t i = 0; i < arguments.size(); ++i) {
      const absl::Span<const uint8_t> bytes = execution.inputBytes(i);
      arguments[i] = {execution.isInputOmitted(i), execution.inputDimensions(i),
                      std::vector<uint8_t>(bytes.begin(), bytes.end())};
    }
    const absl::StatusOr<std::vector<ValuedOperand>> outputs = graph_->Run(std::move(arguments));
    if (!outputs.ok()) return outputs.status();
    for (size_t i = 0; i < outputs->size(); ++i) {
      execution.writeOutput<uint8_t>(i, (*outputs)[i].operand.dimensions, (*outputs)[i].bytes);
    }
    return absl::OkStatus();
  }

 private:
  const Model model_;
  const std::unique_ptr<RuleGraph> graph_;
};

class UselessPreparedModel : public hal::SimplePreparedModel {
 public:
  UselessPreparedModel() : hal::SimplePreparedModel(Model()) {}

 protected:
  absl::Status run(hal::Execution& /*execution*/) override {
    return absl::InternalError("the model should not have been prepared");
  }
};

class RuleExecutor : public hal::SimpleDriver {
 public:
  explicit RuleExecutor(Faults faults)
      : hal::SimpleDriver(kRuleExecutorVersion, hal::V1_2::DeviceType::CPU),
        faults_(std::move(faults)) {}

  hal::V1_2::GetNumberOfCacheFilesNeededResult getNumberOfCacheFilesNeeded() override {
    return {.status = hal::V1_0::ErrorStatus::NONE,
            .numModelCache = kModelCacheFiles,
            .numDataCache = kDataCacheFiles};
  }

 protected:
  absl::Status validate(const Model& model, hal::HalVersion version) override {
    return ValidateModel(model, version);
  }

  absl::StatusOr<std::vector<bool>> supportedOperations(const Model& model) override {
    std::vector<bool> supported;
    const bool has_extensions = !hal::extensionsUsed(model).empty();
    for (const hal::V1_2::Operation& operation : model.operations) {
      supported.push_back(!has_extensions && FindOperation(operation.type) != nullptr);
    }
    return supported;
  }

  absl::StatusOr<std::shared_ptr<hal::V1_2::IPreparedModel>> prepare(
      const Model& model, hal::V1_2::ExecutionPreference /*preference*/) override {
    absl::StatusOr<std::unique_ptr<RuleGraph>> graph = RuleGraph::Create(model, faults_);
    if (!graph.ok()) return graph.status();
    return std::make_shared<RulePreparedModel>(model, *std::move(graph));
  }

  absl::StatusOr<hal::CompilationCache> cacheContents(
      const Model& model, hal::V1_2::ExecutionPreference /*preference*/,
      const hal::V1_2::IPreparedModel& /*prepared*/) override {
    return ToCache(model);
  }

  absl::StatusOr<std::shared_ptr<hal::V1_2::IPreparedModel>> prepareFromCache(
      const hal::CompilationCache& cache) override {
    const absl::StatusOr<Model> model = FromCache(cache);
    if (!model.ok()) return model.status();
    if (absl::Status status = validate(*model, hal::HalVersion::V1_2); !status.ok()) return status;
    return prepare(*model, hal::V1_2::ExecutionPreference::FAST_SINGLE_ANSWER);
  }

 private:
  const Faults faults_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<RuleGraph>> RuleGraph::Create(const Model& model, Faults faults) {
  std::vector<OperationCall> calls;
  std::shared_ptr<const PreparedGraph> whole;
  if (absl::c_any_of(*faults, [](const Fault& fault) { return fault.IsAboutOperations(); })) {
    for (size_t i = 0; i < model.operations.size(); ++i) {
      absl::StatusOr<OperationCall> call = CallOf(model, i, std::numeric_limits<size_t>::max());
      if (!call.ok()) return call.status();
      calls.push_back(*std::move(call));
    }
  } else {
    // Validated once more: what a case gives is foreseen (foreseen_tests.h) also of invalid models.
    absl::StatusOr<std::shared_ptr<const PreparedGraph>> graph =
        PreparedGraph::Create(model, hal::HalVersion::V1_2, GraphUse::kFloatAlone);
    if (!graph.ok()) return graph.status();
    whole = *std::move(graph);
  }
  return std::unique_ptr<RuleGraph>(
      new RuleGraph(model, std::move(calls), std::move(faults), std::move(whole)));
}

RuleGraph::RuleGraph(const Model& model, std::vector<OperationCall> calls, Faults faults,
                     std::shared_ptr<const PreparedGraph> whole)
    : operands_(model.operands),
      input_indexes_(model.inputIndexes),
      output_indexes_(model.outputIndexes),
      calls_(std::move(calls)),
      faults_(std::move(faults)),
      counters_(*faults_),
      whole_(std::move(whole)) {}

absl::StatusOr<std::vector<ValuedOperand>> RuleGraph::Run(std::vector<Argument> arguments) {
  if (whole_ != nullptr) return RunWhole(arguments);
  std::vector<ValuedOperand> values(operands_.size());
  for (size_t i = 0; i < values.size(); ++i) values[i].operand = operands_[i];
  for (size_t i = 0; i < input_indexes_.size(); ++i) {
    ValuedOperand& value = values[input_indexes_[i]];
    value.is_omitted = arguments[i].is_omitted;
    value.operand.dimensions = std::move(arguments[i].dimensions);
    value.bytes = std::move(arguments[i].bytes);
  }
  for (size_t i = 0; i < calls_.size(); ++i) {
    if (absl::Status status = RunOperation(i, values); !status.ok()) {
      // The request is valid, so it is its values that an operation does not accept.
      return absl::InternalError(absl::StrCat("operation ", i, ": ", status.message()));
    }
  }
  std::vector<ValuedOperand> outputs;
  for (const uint32_t index : output_indexes_) outputs.push_back(values[index]);
  return outputs;
}

absl::StatusOr<std::vector<ValuedOperand>> RuleGraph::RunWhole(
    absl::Span<const Argument> arguments) const {
  std::vector<InputArgument> inputs(arguments.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    inputs[i].has_no_value = arguments[i].is_omitted;
    inputs[i].dimensions.assign(arguments[i].dimensions.begin(), arguments[i].dimensions.end());
    inputs[i].SetElements(arguments[i].bytes);
  }
  const absl::StatusOr<std::vector<OutputValue>> results =
      whole_->Execute(NumberSystem::kFloat, inputs);
  if (!results.ok()) return absl::InternalError(results.status().message());
  std::vector<ValuedOperand> outputs(results->size());
  for (size_t i = 0; i < outputs.size(); ++i) {
    outputs[i].operand = operands_[output_indexes_[i]];
    SetResult((*results)[i], outputs[i]);
  }
  return outputs;
}

absl::Status RuleGraph::RunOperation(size_t index, std::vector<ValuedOperand>& values) {
  OperationCall call = calls_[index];
  for (ValuedOperand& input : call.inputs) {
    if (input.is_constant()) continue;
    const ValuedOperand& value = values[input.index];
    input.operand = value.operand;
    input.is_omitted |= value.is_omitted;
    input.bytes = value.bytes;
  }
  if (absl::Status status = BindSlots(call); !status.ok()) return status;
  if (absl::Status status = ComputeWithFaults(*faults_, counters_, call); !status.ok()) {
    return status;
  }
  for (ValuedOperand& output : call.outputs) {
    // Type, quantization and lifetime stay the model's.
    values[output.index].operand.dimensions = std::move(output.operand.dimensions);
    values[output.index].bytes = std::move(output.bytes);
  }
  return absl::OkStatus();
}

std::shared_ptr<hal::V1_2::IPreparedModel> MakeUselessPreparedModel() {
  return std::make_shared<UselessPreparedModel>();
}

const Model* ModelOf(const hal::V1_2::IPreparedModel& prepared) {
  const auto* const ours = dynamic_cast<const RulePreparedModel*>(&prepared);
  return ours == nullptr ? nullptr : &ours->model();
}

std::shared_ptr<hal::V1_2::IDevice> MakeRuleExecutor(Faults faults) {
  return std::make_shared<RuleExecutor>(std::move(faults));
}

}  // namespace nncert::faulty
