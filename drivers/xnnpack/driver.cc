// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "drivers/xnnpack/driver.h"

#include <xnnpack.h>

#include <algorithm>
#include <cstring>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "drivers/xnnpack/analysis.h"
#include "drivers/xnnpack/assembly.h"
#include "drivers/xnnpack/operations.h"
#include "hal/driver_base.h"
#include "hal/utils.h"
#include "hal/vlog.h"

namespace nncert {
namespace xnnpack {
namespace {

using hal::V1_2::IPreparedModel;
using hal::V1_2::Model;

// XNNPACK's operators remember what they were set up for, so executions of one prepared model take
// turns. Buffers and operators last as long as the prepared model.
class PreparedGraph : public hal::SimplePreparedModel {
 public:
  static absl::StatusOr<std::shared_ptr<IPreparedModel>> Prepare(const Model& model);

  PreparedGraph(const Model& model, Analysis analysis)
      : SimplePreparedModel(model),
        operations_(model.operations),
        inputs_(model.inputIndexes),
        outputs_(model.outputIndexes),
        analysis_(std::move(analysis)),
        operands_(model, analysis_.SizesOf(model)) {}

 private:
  absl::Status Assemble(const Model& model);
  absl::StatusOr<Steps> MakeSteps(size_t operation);
  absl::Status run(hal::Execution& execution) override;

  const std::vector<hal::V1_2::Operation> operations_;
  const std::vector<uint32_t> inputs_;
  const std::vector<uint32_t> outputs_;
  const Analysis analysis_;
  std::mutex mutex_;
  Operands operands_;
  // For each operation; none where its weights come with the request.
  std::vector<std::unique_ptr<Steps>> steps_;
};

absl::StatusOr<std::shared_ptr<IPreparedModel>> PreparedGraph::Prepare(const Model& model) {
  Analysis analysis = Analyze(model);
  for (const auto& recipe : analysis.recipes) {
    if (!recipe.ok()) return recipe.status();
  }
  auto graph = std::make_shared<PreparedGraph>(model, std::move(analysis));
  if (absl::Status status = graph->Assemble(model); !status.ok()) return status;
  return graph;
}

absl::StatusOr<Steps> PreparedGraph::MakeSteps(size_t operation) {
  Assembly assembly(operations_[operation], operands_);
  analysis_.recipes[operation]->make(assembly);
  return std::move(assembly).Finish();
}

absl::Status PreparedGraph::Assemble(const Model& model) {
  const auto is_constant = [&](uint32_t operand) {
    return hal::isConstant(model.operands[operand].lifetime);
  };
  for (size_t i = 0; i < operations_.size(); ++i) {
    std::vector<uint32_t> packed;
    for (const size_t number : analysis_.recipes[i]->packs) {
      packed.push_back(operations_[i].inputs[number]);
    }
    if (std::all_of(packed.begin(), packed.end(), is_constant)) {
      absl::StatusOr<Steps> steps = MakeSteps(i);
      if (!steps.ok()) return steps.status();
      steps_.push_back(std::make_unique<Steps>(*std::move(steps)));
      continue;
    }
    // Constants are needed again when the steps are made, those that are not packed as well.
    for (const uint32_t operand : operations_[i].inputs) {
      if (!is_constant(operand)) continue;
      if (absl::Status status = operands_.Find(operand).status(); !status.ok()) return status;
    }
    steps_.push_back(nullptr);
  }
  operands_.ForgetModel();
  return absl::OkStatus();
}

absl::Status PreparedGraph::run(hal::Execution& execution) {
  const std::lock_guard lock(mutex_);
  for (size_t i = 0; i < inputs_.size(); ++i) {
    if (execution.isInputOmitted(i)) {
      return absl::InvalidArgumentError(absl::StrCat("input ", i, " is omitted"));
    }
    const absl::Span<const uint8_t> bytes = execution.inputBytes(i);
    if (bytes.size() != operands_.size(inputs_[i])) {
      return absl::InvalidArgumentError(absl::StrCat(
          "input ", i, " has ", bytes.size(), " bytes in place of ", operands_.size(inputs_[i])));
    }
    const absl::StatusOr<uint8_t*> room = operands_.Find(inputs_[i]);
    if (!room.ok()) return room.status();
    if (!bytes.empty()) std::memcpy(*room, bytes.data(), bytes.size());
  }
  for (size_t i = 0; i < operations_.size(); ++i) {
    absl::Status status;
    if (steps_[i] != nullptr) {
      status = steps_[i]->Run();
    } else {
      const absl::StatusOr<Steps> steps = MakeSteps(i);
      status = steps.ok() ? steps->Run() : steps.status();
    }
    if (!status.ok()) return status;
  }
  for (size_t i = 0; i < outputs_.size(); ++i) {
    const absl::StatusOr<uint8_t*> value = operands_.Find(outputs_[i]);
    if (!value.ok()) return value.status();
    execution.writeOutput(i, analysis_.shapes[outputs_[i]],
                          absl::Span<const uint8_t>(*value, operands_.size(outputs_[i])));
  }
  return absl::OkStatus();
}

class XnnpackDriver : public hal::SimpleDriver {
 public:
  XnnpackDriver() : SimpleDriver("XNNPACK 2022-02-16", hal::V1_2::DeviceType::CPU) {}

 protected:
  absl::StatusOr<std::vector<bool>> supportedOperations(const Model& model) override {
    const Analysis analysis = Analyze(model);
    std::vector<bool> supported;
    for (size_t i = 0; i < analysis.recipes.size(); ++i) {
      supported.push_back(analysis.recipes[i].ok());
      NNVLOG(DRIVER) << "operation " << i << ": " << analysis.recipes[i].status();
    }
    return supported;
  }

  absl::StatusOr<std::shared_ptr<IPreparedModel>> prepare(
      const Model& model, hal::V1_2::ExecutionPreference /*preference*/) override {
    return PreparedGraph::Prepare(model);
  }
};

}  // namespace
}  // namespace xnnpack

absl::StatusOr<std::shared_ptr<hal::V1_2::IDevice>> MakeXnnpackDriver() {
  // Once for the process; it need not be undone.
  static const xnn_status status = xnn_initialize(nullptr);
  if (status != xnn_status_success) {
    return absl::UnavailableError(
        absl::StrCat("XNNPACK does not run on this processor: status ", static_cast<int>(status)));
  }
  return std::make_shared<xnnpack::XnnpackDriver>();
}

}  // namespace nncert
