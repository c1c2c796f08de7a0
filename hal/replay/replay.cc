// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/replay/replay.h"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <limits>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "hal/burst_controller.h"
#include "hal/conversion.h"
#include "hal/driver_entry.h"
#include "hal/driver_loader.h"
#include "hal/extension.h"
#include "hal/replay/answer_check.h"
#include "hal/replay/argument_memory.h"
#include "hal/replay/call_rules.h"
#include "hal/replay/callbacks.h"
#include "hal/to_string.h"
#include "hal/utils.h"
#include "hal/v1_2/interfaces.h"

// A driver that is linked in has it; without one it is null.
#pragma weak nncert_create_device

namespace nncert::hal::replay {
namespace {

using V1_0::ErrorStatus;
using V1_0::GetSupportedOperationsResult;
using V1_2::ExecutionPreference;
using V1_2::MeasureTiming;
using V1_2::Model;
using V1_2::OutputShape;
using V1_2::Timing;

constexpr uint64_t kNoTime = std::numeric_limits<uint64_t>::max();

// What a request says of its outputs.
enum class Outputs {
  kFullySpecified,  // what the model says, and buffers are large enough
  kUnspecified,     // no dimension is known, and buffers are large enough
  kInsufficient,    // no dimension is known, and the buffer of output 0 is one byte short
};

// The ways to execute a prepared model.
enum class Executor { kAsync, kSync, kBurst };

// One of the ways to run an example.
struct Way {
  Executor executor = Executor::kAsync;
  MeasureTiming measure = MeasureTiming::NO;
  Outputs outputs = Outputs::kFullySpecified;
  // What output buffers are filled with. No element passes for both 0 and 0xFF, unless nearly all
  // do, so an output that is not written fails in one of two ways.
  uint8_t fill = 0;
};

std::string toString(const Way& way) {
  const absl::string_view outputs = way.outputs == Outputs::kFullySpecified ? "FULLY_SPECIFIED"
                                    : way.outputs == Outputs::kUnspecified  ? "UNSPECIFIED"
                                                                            : "INSUFFICIENT";
  const absl::string_view executor = way.executor == Executor::kAsync  ? "ASYNC"
                                     : way.executor == Executor::kSync ? "SYNC"
                                                                       : "BURST";
  return absl::StrCat(executor, ", timing ", hal::toString(way.measure), ", ", outputs);
}

std::vector<Way> WaysOf(bool is_1_2, OutputDimensions dimensions) {
  if (!is_1_2) return {{.fill = 0x00}, {.fill = 0xFF}};
  std::vector<Way> ways;
  uint8_t fill = 0x00;
  for (const MeasureTiming measure : {MeasureTiming::NO, MeasureTiming::YES}) {
    for (const Executor executor : {Executor::kAsync, Executor::kSync, Executor::kBurst}) {
      // Not the same in the two ways of an executor.
      fill ^= 0xFF;
      if (dimensions == OutputDimensions::kKnown) {
        ways.push_back({executor, measure, Outputs::kFullySpecified, fill});
      } else {
        ways.push_back({executor, measure, Outputs::kUnspecified, fill});
        ways.push_back({executor, measure, Outputs::kInsufficient, fill});
      }
    }
  }
  return ways;
}

absl::Status Wrong(absl::string_view text) { return absl::InternalError(text); }

Deadline DeadlineOf(const ReplayOptions& options) {
  return Deadline(options.deadline, *options.clock);
}

absl::Status LateStatus(absl::string_view what, const ReplayOptions& options) {
  return absl::DeadlineExceededError(
      absl::StrCat(what, " did not come back within ", absl::FormatDuration(options.deadline)));
}

// Makes a call of the driver, which must own what it uses, since it may be left behind.
template <typename Function>
auto Call(absl::string_view name, const ReplayOptions& options, Function function)
    -> absl::StatusOr<decltype(function())> {
  using Result = absl::StatusOr<decltype(function())>;
  const Deadline deadline = DeadlineOf(options);
  const auto given = std::make_shared<OnceCalled<Result>>();
  std::thread([given, call = std::string(name), function = std::move(function)]() mutable {
    // The driver is somebody else's code, so an exception of it must not end the program.
    try {
      given->Set(function());
    } catch (const std::exception& exception) {
      given->Set(Wrong(absl::StrCat(call, " threw an exception: ", exception.what())));
    } catch (...) {
      given->Set(Wrong(absl::StrCat(call, " threw an exception")));
    }
  }).detach();
  std::optional<Result> result = given->Wait(deadline);
  if (!result.has_value()) return LateStatus(name, options);
  return *std::move(result);
}

// What comes with the callback of a launch, for both of which there is one deadline.
template <typename Callback>
absl::StatusOr<typename Callback::Result> ResultOf(absl::string_view call,
                                                   const absl::StatusOr<ErrorStatus>& launched,
                                                   const std::shared_ptr<Callback>& callback,
                                                   const Deadline& deadline,
                                                   const ReplayOptions& options) {
  if (!launched.ok()) return launched.status();
  auto result = AwaitCallback(callback, deadline);
  if (!result.has_value() && !IsHeldByDriver(callback)) {
    return Wrong(absl::StrCat(call, " returned ", hal::toString(*launched),
                              ", and the driver let go of its callback without calling it"));
  }
  if (!result.has_value()) return LateStatus(absl::StrCat("the callback of ", call), options);
  if (const std::string wrong = WrongCallback(call, *launched, result->status); !wrong.empty()) {
    return Wrong(wrong);
  }
  return *std::move(result);
}

absl::Status CheckCalls(absl::string_view call, int calls) {
  const std::string wrong = WrongCalls(call, calls);
  return wrong.empty() ? absl::OkStatus() : Wrong(wrong);
}

absl::Status CheckTiming(const Way& way, const ExecutionCallback::Result& outcome) {
  const Timing& timing = outcome.timing;
  if (timing.timeOnDevice == kNoTime && timing.timeInDriver == kNoTime) return absl::OkStatus();
  const absl::string_view expected =
      outcome.status != ErrorStatus::NONE ? "UINT64_MAX unless the execution succeeds"
      : way.measure == MeasureTiming::NO  ? "UINT64_MAX, since none was asked for"
      : timing.timeInDriver != kNoTime && timing.timeOnDevice != kNoTime &&
              timing.timeOnDevice > timing.timeInDriver
          ? "no more time on the device than in the driver"
          : "";
  if (expected.empty()) return absl::OkStatus();
  return Wrong(absl::StrCat("the timing is ", hal::toString(timing), " with the status ",
                            hal::toString(outcome.status), "; expected ", expected));
}

// One run of a case on a device.
class Run {
 public:
  Run(std::shared_ptr<V1_0::IDevice> device, const Case& test_case, OutputDimensions dimensions,
      const ReplayOptions& options)
      : device_(std::move(device)),
        device_1_1_(std::dynamic_pointer_cast<V1_1::IDevice>(device_)),
        device_1_2_(std::dynamic_pointer_cast<V1_2::IDevice>(device_)),
        case_(test_case),
        dimensions_(dimensions),
        options_(options),
        model_(std::make_shared<Model>(test_case.model)) {
    if (dimensions == OutputDimensions::kKnown) return;
    for (const uint32_t output : model_->outputIndexes) {
      std::vector<uint32_t>& of_output = model_->operands.at(output).dimensions;
      std::fill(of_output.begin(), of_output.end(), 0);
    }
  }

  absl::Status Perform() {
    absl::Status status = CheckCase();
    if (status.ok()) status = CheckDevice();
    if (status.ok()) status = AskSupportedOperations();
    if (status.ok()) status = Prepare();
    // A model that must fail may be refused at once.
    if (!status.ok() || prepared_ == nullptr) return status;
    absl::Status unsupported;
    for (const Way& way : WaysOf(device_1_2_ != nullptr, dimensions_)) {
      for (size_t i = 0; i < case_.examples.size(); ++i) {
        status = Execute(case_.examples[i], way);
        if (status.ok()) continue;
        status =
            absl::Status(status.code(),
                         absl::StrCat(status.message(), "; run: ", toString(way), ", example ", i));
        // Elsewhere it may still be wrong.
        if (!absl::IsUnimplemented(status)) return status;
        unsupported.Update(status);
      }
    }
    status = Release();
    return status.ok() ? unsupported : status;
  }

 private:
  HalVersion DeviceVersion() const {
    if (device_1_2_ != nullptr) return HalVersion::V1_2;
    return device_1_1_ != nullptr ? HalVersion::V1_1 : HalVersion::V1_0;
  }

  absl::Status CheckCase() const {
    for (const Example& example : case_.examples) {
      if (example.inputs.size() == model_->inputIndexes.size() &&
          example.outputs.size() == model_->outputIndexes.size()) {
        continue;
      }
      return absl::InvalidArgumentError(
          absl::StrCat("an example has ", example.inputs.size(), " inputs and ",
                       example.outputs.size(), " outputs; the model has ",
                       model_->inputIndexes.size(), " and ", model_->outputIndexes.size()));
    }
    return absl::OkStatus();
  }

  // Checks that the device has what the case needs.
  absl::Status CheckDevice() const {
    const HalVersion needed =
        dimensions_ == OutputDimensions::kUnknown ? HalVersion::V1_2 : case_.lowest_version;
    if (DeviceVersion() < needed) {
      return absl::UnimplementedError(
          absl::StrCat("needs HAL ", std::string(hal::toString(needed))));
    }
    const std::vector<std::string> used = extensionsUsed(*model_);
    if (used.empty()) return absl::OkStatus();
    const auto listed = Call("getSupportedExtensions", options_,
                             [device = device_1_2_] { return device->getSupportedExtensions(); });
    if (!listed.ok()) return listed.status();
    for (const std::string& name : used) {
      if (std::any_of(listed->extensions.begin(), listed->extensions.end(),
                      [&](const V1_2::Extension& extension) { return extension.name == name; })) {
        continue;
      }
      return absl::UnimplementedError(
          absl::StrCat("needs the extension ", name, ", which the driver does not list"));
    }
    return absl::OkStatus();
  }

  absl::Status AskSupportedOperations() {
    const absl::StatusOr<GetSupportedOperationsResult> result =
        Call("getSupportedOperations", options_,
             [model = model_, device = device_, v1_1 = device_1_1_, v1_2 = device_1_2_] {
               if (v1_2 != nullptr) return v1_2->getSupportedOperations_1_2(*model);
               if (v1_1 != nullptr) return v1_1->getSupportedOperations_1_1(convertToV1_1(*model));
               return device->getSupportedOperations(convertToV1_0(*model));
             });
    if (!result.ok()) return result.status();
    if (result->status != ErrorStatus::NONE) {
      // A model that must fail may be invalid.
      if (case_.must_fail) return absl::OkStatus();
      return Wrong(absl::StrCat("getSupportedOperations ended with ", hal::toString(result->status),
                                "; expected NONE"));
    }
    const std::vector<bool>& supported = result->supportedOperations;
    if (supported.size() != model_->operations.size()) {
      return Wrong(absl::StrCat("getSupportedOperations spoke of ", supported.size(),
                                " operations; the model has ", model_->operations.size()));
    }
    is_fully_supported_ = std::find(supported.begin(), supported.end(), false) == supported.end();
    return absl::OkStatus();
  }

  // Leaves the prepared model null where the driver refuses a model that must fail.
  absl::Status Prepare() {
    const auto callback = prepare_callback_ = std::make_shared<PrepareCallback>();
    const Deadline deadline = DeadlineOf(options_);
    const absl::StatusOr<ErrorStatus> launched =
        Call("prepareModel", options_,
             [callback, model = model_, device = device_, v1_1 = device_1_1_, v1_2 = device_1_2_] {
               constexpr auto kPreference = ExecutionPreference::FAST_SINGLE_ANSWER;
               if (v1_2 != nullptr) {
                 return v1_2->prepareModel_1_2(*model, kPreference, {}, {}, V1_2::CacheToken{},
                                               callback);
               }
               if (v1_1 != nullptr) {
                 return v1_1->prepareModel_1_1(convertToV1_1(*model), kPreference, callback);
               }
               return device->prepareModel(convertToV1_0(*model), callback);
             });
    const absl::StatusOr<PrepareCallback::Result> preparation =
        ResultOf("prepareModel", launched, callback, deadline, options_);
    if (!preparation.ok()) return preparation.status();
    const bool is_refused = preparation->status != ErrorStatus::NONE;
    const std::string ended =
        absl::StrCat("prepareModel ended with ", hal::toString(preparation->status));
    if (is_refused != (preparation->model == nullptr)) {
      return Wrong(absl::StrCat(ended, " and ", is_refused ? "a prepared model" : "null"));
    }
    if (is_refused && case_.must_fail) return absl::OkStatus();
    if (is_refused && is_fully_supported_) {
      return absl::FailedPreconditionError(
          absl::StrCat("the driver claims to support every operation, but ", ended));
    }
    if (is_refused) {
      return absl::UnimplementedError("the driver does not support every operation of the model");
    }
    prepared_ = preparation->model;
    prepared_1_2_ = std::dynamic_pointer_cast<V1_2::IPreparedModel>(prepared_);
    if (device_1_2_ == nullptr || prepared_1_2_ != nullptr) return absl::OkStatus();
    return Wrong("prepareModel_1_2 gave a prepared model that is not one of HAL 1.2");
  }

  absl::Status Execute(const Example& example, const Way& way) {
    ArgumentMemory inputs(0);
    ArgumentMemory outputs(1);
    V1_0::Request request;
    for (size_t i = 0; i < example.inputs.size(); ++i) {
      const Input& input = example.inputs[i];
      V1_0::RequestArgument& argument = request.inputs.emplace_back();
      argument.hasNoValue = input.is_omitted;
      if (input.is_omitted) continue;
      argument.location = inputs.Add(input.bytes);
      argument.dimensions = OpenDimensions(model_->inputIndexes[i], input.dimensions);
    }
    for (size_t i = 0; i < example.outputs.size(); ++i) {
      const Output& output = example.outputs[i];
      // There is no buffer of no bytes.
      size_t capacity = std::max(output.size, output.element_size);
      if (i == 0 && way.outputs == Outputs::kInsufficient) {
        if (output.size <= 1) return absl::OkStatus();
        --capacity;
      }
      V1_0::RequestArgument& argument = request.outputs.emplace_back();
      argument.location = outputs.Add(std::vector<uint8_t>(capacity, way.fill));
      // Before 1.2 they must be known.
      if (device_1_2_ == nullptr) {
        argument.dimensions = OpenDimensions(model_->outputIndexes[i], output.dimensions);
      }
    }
    for (ArgumentMemory* memory : {&inputs, &outputs}) {
      absl::StatusOr<Memory> pool = memory->Share();
      if (!pool.ok()) return pool.status();
      request.pools.push_back(*std::move(pool));
    }
    const absl::StatusOr<ExecutionCallback::Result> outcome = Launch(request, way);
    if (!outcome.ok()) return outcome.status();
    if (!inputs.IsIntactOutside({})) return Wrong("the driver wrote to the memory of the inputs");
    if (!outputs.IsIntactOutside(request.outputs)) {
      return Wrong("the driver wrote before or past an output");
    }
    if (absl::Status status = CheckTiming(way, *outcome); !status.ok()) return status;
    if (case_.must_fail) {
      if (outcome->status != ErrorStatus::NONE) return absl::OkStatus();
      return Wrong("the execution succeeded; expected the driver to refuse the model or to fail");
    }
    if (absl::Status status = CheckStatus(way, outcome->status); !status.ok()) return status;
    if (absl::Status status = CheckShapes(example, way, outcome->outputShapes); !status.ok()) {
      return status;
    }
    if (way.outputs == Outputs::kInsufficient) return absl::OkStatus();
    std::vector<absl::Span<const uint8_t>> answer;
    for (const V1_0::RequestArgument& argument : request.outputs) {
      answer.push_back(outputs.At(argument.location));
    }
    return CheckAnswer(example, answer);
  }

  // Gives the prepared model back, and checks how often callbacks have been called by then.
  absl::Status Release() {
    for (const auto& callback : execution_callbacks_) callback->result.Finish();
    prepare_callback_->result.Finish();
    prepared_1_2_ = nullptr;
    const absl::StatusOr<bool> released =
        Call("the release of the prepared model", options_,
             [burst = burst_, model = std::exchange(prepared_, nullptr)]() mutable {
               if (burst != nullptr) burst->Close();
               model = nullptr;
               return true;
             });
    if (!released.ok()) return released.status();
    absl::Status status = CheckCalls("prepareModel", prepare_callback_->result.calls());
    if (burst_ != nullptr) status.Update(burst_->CheckNoResult());
    for (const auto& callback : execution_callbacks_) {
      status.Update(CheckCalls("execute", callback->result.calls()));
    }
    return status;
  }

  // What a request says of an argument's dimensions: nothing where the model says them all.
  std::vector<uint32_t> OpenDimensions(uint32_t operand,
                                       const std::vector<uint32_t>& dimensions) const {
    if (model_->operands.at(operand).dimensions == dimensions) return {};
    return dimensions;
  }

  absl::StatusOr<ExecutionCallback::Result> Launch(const V1_0::Request& request, const Way& way) {
    if (way.executor == Executor::kBurst) return SendThroughBurst(request, way.measure);
    if (way.executor == Executor::kSync) {
      const absl::StatusOr<V1_2::ExecuteSynchronouslyResult> result =
          Call("executeSynchronously", options_,
               [request, measure = way.measure, model = prepared_1_2_] {
                 return model->executeSynchronously(request, measure);
               });
      if (!result.ok()) return result.status();
      return ExecutionCallback::Result{result->status, result->outputShapes, result->timing};
    }
    const auto callback = std::make_shared<ExecutionCallback>();
    execution_callbacks_.push_back(callback);
    const Deadline deadline = DeadlineOf(options_);
    const absl::StatusOr<ErrorStatus> launched = Call(
        "execute", options_,
        [request, callback, measure = way.measure, model = prepared_, model_1_2 = prepared_1_2_] {
          return model_1_2 != nullptr ? model_1_2->execute_1_2(request, measure, callback)
                                      : model->execute(request, callback);
        });
    return ResultOf("execute", launched, callback, deadline, options_);
  }

  // Where ForgetsMemoryBefore says so, the driver is to forget all memory, and slots stand for
  // other memory afterwards.
  absl::StatusOr<ExecutionCallback::Result> SendThroughBurst(const V1_0::Request& request,
                                                             MeasureTiming measure) {
    if (burst_ == nullptr) {
      const auto opened = Call("configureExecutionBurst", options_,
                               [model = prepared_1_2_, lengths = LengthsFor(request)] {
                                 return BurstController::Open(*model, lengths);
                               });
      if (!opened.ok()) return opened.status();
      if (!opened->ok()) return Wrong(opened->status().message());
      burst_ = **opened;
    } else if (ForgetsMemoryBefore(burst_->sent())) {
      const auto freed = Call("freeMemory", options_, [burst = burst_] {
        burst->FreeAllMemory();
        return true;
      });
      if (!freed.ok()) return freed.status();
    }
    const absl::StatusOr<V1_2::ExecuteSynchronouslyResult> result =
        burst_->Execute(request, measure, DeadlineOf(options_));
    if (absl::IsDeadlineExceeded(result.status())) {
      // It is left behind, for its end may not come either.
      std::thread([burst = std::move(burst_)]() mutable { burst = nullptr; }).detach();
      return LateStatus("the result of a burst", options_);
    }
    if (!result.ok()) {
      return Wrong(absl::StrCat("the request of a burst: ", result.status().message()));
    }
    return ExecutionCallback::Result{result->status, result->outputShapes, result->timing};
  }

  absl::Status CheckStatus(const Way& way, ErrorStatus status) const {
    const bool is_insufficient = way.outputs == Outputs::kInsufficient;
    const ErrorStatus expected =
        is_insufficient ? ErrorStatus::OUTPUT_INSUFFICIENT_SIZE : ErrorStatus::NONE;
    if (status == expected) return absl::OkStatus();
    const std::string ended = absl::StrCat("the execution ended with ", hal::toString(status));
    if (way.outputs != Outputs::kFullySpecified && status == ErrorStatus::GENERAL_FAILURE) {
      return absl::UnimplementedError(absl::StrCat(ended, ", output dimensions being unknown"));
    }
    if (is_insufficient) {
      return Wrong(absl::StrCat(ended,
                                "; expected OUTPUT_INSUFFICIENT_SIZE, since the buffer of "
                                "output 0 is one byte short"));
    }
    if (!is_fully_supported_) {
      return Wrong(absl::StrCat("the driver prepared the model, but ", ended));
    }
    return absl::FailedPreconditionError(
        absl::StrCat("the driver claims to support every operation, but ", ended));
  }

  absl::Status CheckShapes(const Example& example, const Way& way,
                           const std::vector<OutputShape>& shapes) const {
    if (device_1_2_ == nullptr) return absl::OkStatus();
    const bool is_insufficient = way.outputs == Outputs::kInsufficient;
    const bool are_known = std::none_of(
        model_->outputIndexes.begin(), model_->outputIndexes.end(), [this](uint32_t output) {
          return tensorHasUnspecifiedDimensions(model_->operands.at(output));
        });
    if (shapes.empty() && are_known && !is_insufficient) return absl::OkStatus();
    if (shapes.size() != example.outputs.size()) {
      return Wrong(absl::StrCat("the driver gave ", shapes.size(), " output shapes; expected ",
                                example.outputs.size()));
    }
    for (size_t i = 0; i < shapes.size(); ++i) {
      // Of an execution that ends early only the first buffer is known to be too small.
      if ((is_insufficient && i > 0) || shapes[i].isSufficient != is_insufficient) continue;
      return Wrong(absl::StrCat("output ", i, ": the shape says that the buffer is ",
                                is_insufficient ? "sufficient, but it is one byte short"
                                                : "not sufficient, but the status is NONE"));
    }
    for (size_t i = 0; i < shapes.size(); ++i) {
      const Output& output = example.outputs[i];
      if (output.read == nullptr) continue;
      const std::vector<uint32_t>& found = shapes[i].dimensions;
      // A driver that did not finish may know no better than the model.
      bool fits = found.size() == output.dimensions.size() || (is_insufficient && found.empty());
      for (size_t k = 0; fits && k < found.size(); ++k) {
        fits = found[k] == output.dimensions[k] || (is_insufficient && found[k] == 0);
      }
      if (fits) continue;
      return Wrong(absl::StrCat("output ", i, " has the dimensions ", dimensionsToString(found),
                                "; expected ", dimensionsToString(output.dimensions)));
    }
    return absl::OkStatus();
  }

  const std::shared_ptr<V1_0::IDevice> device_;
  const std::shared_ptr<V1_1::IDevice> device_1_1_;  // null when it is not one of 1.1
  const std::shared_ptr<V1_2::IDevice> device_1_2_;  // null when it is not one of 1.2
  const Case& case_;
  const OutputDimensions dimensions_;
  const ReplayOptions& options_;
  const std::shared_ptr<Model> model_;
  bool is_fully_supported_ = false;
  std::shared_ptr<PrepareCallback> prepare_callback_;
  std::vector<std::shared_ptr<ExecutionCallback>> execution_callbacks_;
  std::shared_ptr<V1_0::IPreparedModel> prepared_;
  std::shared_ptr<V1_2::IPreparedModel> prepared_1_2_;  // null before 1.2
  std::shared_ptr<BurstController> burst_;              // null before its first request
};

}  // namespace

absl::StatusOr<std::shared_ptr<V1_0::IDevice>> DeviceUnderTest() {
  if (const char* const driver = std::getenv("NNCERT_DRIVER")) {
    const std::string text = driver;
    constexpr absl::string_view kOption = ".so:";
    const size_t colon = text.find(std::string(kOption));
    if (colon == text.npos) return LoadDriver(text);
    return LoadDriver(text.substr(0, colon + kOption.size() - 1),
                      text.substr(colon + kOption.size()));
  }
  if (nncert_create_device == nullptr) {
    return absl::NotFoundError(
        "there is no driver: NNCERT_DRIVER names no shared object, and none is linked in");
  }
  DriverSlot slot;
  nncert_create_device(&slot);
  if (slot.device != nullptr) return std::move(slot.device);
  return absl::InternalError(absl::StrCat("the driver gives no device: ", slot.error));
}

absl::Status Replay(std::shared_ptr<V1_0::IDevice> device, const Case& test_case,
                    OutputDimensions dimensions, const ReplayOptions& options) {
  return Run(std::move(device), test_case, dimensions, options).Perform();
}

}  // namespace nncert::hal::replay
