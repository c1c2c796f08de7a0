// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/driver/driver.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hal/capabilities.h"
#include "hal/driver_base.h"
#include "reference/catalogue.h"
#include "reference/driver/cached_model.h"
#include "reference/execution/executor.h"
#include "reference/execution/model_validation.h"
#include "reference/execution/thread_pool.h"
#include "reference/extension.h"

namespace nncert {
namespace {

using hal::V1_2::Model;

constexpr char kVersion[] = "nncert reference driver 0.1.0";

class ReferencePreparedModel : public hal::SimplePreparedModel {
 public:
  ReferencePreparedModel(std::shared_ptr<const PreparedGraph> graph,
                         std::shared_ptr<ThreadPool> thread_pool, double most_steps)
      : hal::SimplePreparedModel(std::shared_ptr<const Model>(graph, &graph->model())),
        graph_(std::move(graph)),
        thread_pool_(std::move(thread_pool)),
        most_steps_(most_steps) {}

 protected:
  absl::Status validate(const hal::V1_2::Request& request, const Model& model,
                        hal::HalVersion version) const override {
    absl::Status status = hal::SimplePreparedModel::validate(request, model, version);
    if (!status.ok()) return status;
    return ValidateOmittedInputs(graph_->model(), request, version);
  }

  absl::Status run(hal::Execution& execution) override {
    std::vector<InputArgument> inputs(execution.inputCount());
    for (size_t i = 0; i < inputs.size(); ++i) {
      inputs[i].has_no_value = execution.isInputOmitted(i);
      inputs[i].dimensions.assign(execution.inputDimensions(i).begin(),
                                  execution.inputDimensions(i).end());
      absl::Span<const uint8_t> bytes = execution.inputBytes(i);
      if (const ExtensionOperandType* type = FindExtensionOperandType(InputType(i))) {
        // The HAL does not know how much of the client's memory the value takes.
        const uint64_t count = NumberOfElements(inputs[i].dimensions);
        if (count <= kLargestTensorElements) bytes = bytes.subspan(0, count * type->byte_size());
      }
      inputs[i].SetElements(bytes);
    }
    std::vector<OutputBuffer> buffers(execution.outputCount());
    for (size_t i = 0; i < buffers.size(); ++i) {
      const absl::Span<uint8_t> bytes = execution.outputBuffer(i);
      buffers[i] = {reinterpret_cast<std::byte*>(bytes.data()), bytes.size()};
    }
    const absl::StatusOr<std::vector<OutputValue>> outputs =
        graph_->Execute(NumberSystem::kFloat, inputs, buffers,
                        {.thread_pool = thread_pool_.get(), .most_steps = most_steps_});
    // The request is valid, so it is its values that an operation does not accept, or its size.
    if (!outputs.ok()) return absl::InternalError(outputs.status().message());
    for (size_t i = 0; i < outputs->size(); ++i) {
      const OutputValue& output = (*outputs)[i];
      if (absl::Status status = CheckDeclaredDimensions(execution.declaredOutputDimensions(i),
                                                        output.info.dimensions);
          !status.ok()) {
        return absl::InternalError(absl::StrCat("output ", i, ": ", status.message()));
      }
      const std::vector<uint32_t> dimensions = {output.info.dimensions.begin(),
                                                output.info.dimensions.end()};
      if (output.is_in_buffer) {
        const size_t size = NumberOfElements(output.info.dimensions) *
                            ElementSize(NumberSystem::kFloat, output.info.type);
        execution.setOutputShape(i, dimensions, size);
      } else {
        execution.writeOutput<std::byte>(i, dimensions, output.elements);
      }
    }
    return absl::OkStatus();
  }

 private:
  OperandType InputType(size_t i) const {
    const Model& model = graph_->model();
    return model.operands[model.inputIndexes[i]].type;
  }

  const std::shared_ptr<const PreparedGraph> graph_;
  const std::shared_ptr<ThreadPool> thread_pool_;
  const double most_steps_;
};

class ReferenceDriver : public hal::SimpleDriver {
 public:
  explicit ReferenceDriver(double most_steps)
      : hal::SimpleDriver(kVersion, hal::V1_2::DeviceType::CPU), most_steps_(most_steps) {}

  hal::V1_2::GetSupportedExtensionsResult getSupportedExtensions() override {
    return {.status = hal::V1_0::ErrorStatus::NONE, .extensions = ListExtensions()};
  }

  // Of float networks that are small it takes up to so many times XNNPACK's time, as nncert mlts
  // measures it.
  hal::V1_2::GetCapabilitiesResult getCapabilities_1_2() override {
    constexpr hal::V1_2::PerformanceInfo kClaimed = {.execTime = 1.3F, .powerUsage = 1};
    return {.status = hal::V1_0::ErrorStatus::NONE,
            .capabilities = {.relaxedFloat32toFloat16PerformanceScalar = kClaimed,
                             .relaxedFloat32toFloat16PerformanceTensor = kClaimed,
                             .operandPerformance = hal::nonExtensionOperandPerformance(kClaimed)}};
  }

  hal::V1_2::GetNumberOfCacheFilesNeededResult getNumberOfCacheFilesNeeded() override {
    return {.status = hal::V1_0::ErrorStatus::NONE,
            .numModelCache = kModelCacheFiles,
            .numDataCache = kDataCacheFiles};
  }

 protected:
  absl::Status validate(const Model& model, hal::HalVersion version) override {
    return ValidateModel(model, version);
  }

  // The model is valid, so the catalogue accepts whatever it has.
  absl::StatusOr<std::vector<bool>> supportedOperations(const Model& model) override {
    std::vector<bool> supported;
    const auto add = [&](const Model& numbered) {
      for (const hal::V1_2::Operation& operation : numbered.operations) {
        supported.push_back(FindOperation(operation.type) != nullptr);
      }
    };
    model.extensionNameToPrefix.empty() ? add(model) : add(WithCataloguePrefixes(model));
    return supported;
  }

  // The base class has had the model validated.
  absl::StatusOr<std::shared_ptr<hal::V1_2::IPreparedModel>> prepare(
      const Model& model, hal::V1_2::ExecutionPreference preference) override {
    return prepareToKeep(Model(model), preference);
  }

  absl::StatusOr<std::shared_ptr<hal::V1_2::IPreparedModel>> prepareToKeep(
      Model&& model, hal::V1_2::ExecutionPreference /*preference*/) override {
    return PreparedModelOf(PreparedGraph::CreateValidated(std::move(model), hal::HalVersion::V1_2,
                                                          GraphUse::kFloatAlone));
  }

  absl::StatusOr<hal::CompilationCache> cacheContents(
      const Model& model, hal::V1_2::ExecutionPreference /*preference*/,
      const hal::V1_2::IPreparedModel& /*prepared*/) override {
    return ToCache(model);
  }

  absl::StatusOr<std::shared_ptr<hal::V1_2::IPreparedModel>> prepareFromCache(
      const hal::CompilationCache& cache) override {
    absl::StatusOr<Model> model = FromCache(cache);
    if (!model.ok()) return model.status();
    // Anybody may have made it up, so it is validated like any other.
    return PreparedModelOf(
        PreparedGraph::Create(*std::move(model), hal::HalVersion::V1_2, GraphUse::kFloatAlone));
  }

 private:
  absl::StatusOr<std::shared_ptr<hal::V1_2::IPreparedModel>> PreparedModelOf(
      absl::StatusOr<std::shared_ptr<const PreparedGraph>> graph) const {
    if (!graph.ok()) return graph.status();
    return std::make_shared<ReferencePreparedModel>(*std::move(graph), thread_pool_, most_steps_);
  }

  // Of all models of the driver; its threads come with the first large operation.
  const std::shared_ptr<ThreadPool> thread_pool_ = std::make_shared<ThreadPool>();
  const double most_steps_;
};

}  // namespace

std::shared_ptr<hal::V1_2::IDevice> MakeReferenceDriver() {
  return MakeReferenceDriverOf(kMostSteps);
}

std::shared_ptr<hal::V1_2::IDevice> MakeReferenceDriverOf(double most_steps) {
  return std::make_shared<ReferenceDriver>(most_steps);
}

}  // namespace nncert
