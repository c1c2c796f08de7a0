// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "drivers/faulty/faulty_driver.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "drivers/faulty/fault.h"
#include "drivers/faulty/faulty_burst.h"
#include "drivers/faulty/rule_executor.h"
#include "hal/conversion.h"
#include "hal/driver_base.h"
#include "hal/memory.h"
#include "hal/validate.h"
#include "hal/version.h"
#include "reference/model_validation.h"

namespace nncert::faulty {
namespace {

using hal::V1_0::ErrorStatus;
using hal::V1_0::Request;
using hal::V1_2::ExecuteSynchronouslyResult;
using hal::V1_2::ExecutionPreference;
using hal::V1_2::MeasureTiming;
using hal::V1_2::Model;

// Constants that conditions may ask for are scalars.
constexpr size_t kLargestScalar = 8;

// Whether the conditions of a fault hold of an operation of the model. The model need not be valid:
// the honest driver, which refuses such a model, is asked before.
bool Concerns(const Fault& fault, const Model& model) {
  for (size_t i = 0; i < model.operations.size(); ++i) {
    const absl::StatusOr<OperationCall> call = CallOf(model, i, kLargestScalar);
    if (call.ok() && fault.Holds(*call)) return true;
  }
  return false;
}

// Whether a fault takes an invalid model, or preference, for a valid one.
bool OverlooksModel(const std::vector<Fault>& faults, const Model& model, hal::HalVersion version,
                    ExecutionPreference preference) {
  const auto can_overlook = [](const Fault& fault) {
    return fault.rule->overlooks_model != nullptr;
  };
  if (std::none_of(faults.begin(), faults.end(), can_overlook)) return false;
  absl::Status error = ValidateModel(model, version);
  if (error.ok()) error = hal::validateExecutionPreference(preference);
  return !error.ok() && std::any_of(faults.begin(), faults.end(), [&](const Fault& fault) {
    return can_overlook(fault) && fault.rule->overlooks_model(model, error.message());
  });
}

// What is prepared of an invalid model.
class UselessPreparedModel : public hal::SimplePreparedModel {
 public:
  using hal::SimplePreparedModel::SimplePreparedModel;

 protected:
  absl::Status run(hal::Execution& /*execution*/) override {
    return absl::InternalError("the model is invalid");
  }
};

// The bytes of all buffers for outputs.
std::vector<std::vector<uint8_t>> SaveOutputs(const Request& request) {
  std::vector<std::vector<uint8_t>> outputs;
  for (const hal::V1_0::RequestArgument& argument : request.outputs) {
    std::vector<uint8_t>& bytes = outputs.emplace_back();
    if (argument.hasNoValue) continue;
    const absl::StatusOr<hal::Mapping> pool =
        request.pools[argument.location.poolIndex].Map(hal::MemoryAccess::READ_ONLY);
    if (!pool.ok()) continue;
    const uint8_t* const first = pool->data() + argument.location.offset;
    bytes.assign(first, first + argument.location.length);
  }
  return outputs;
}

// Makes a callback of either version hear of a result.
void Notify(const std::shared_ptr<hal::V1_0::IExecutionCallback>& callback,
            const ExecuteSynchronouslyResult& result) {
  if (const auto newer = std::dynamic_pointer_cast<hal::V1_2::IExecutionCallback>(callback)) {
    newer->notify_1_2(result.status, result.outputShapes, result.timing);
  } else {
    callback->notify(result.status);
  }
}

// The way in which a call ends by the first rule that says something of it; as it should by none.
const Delivery& DeliveryOf(const std::vector<const Rule*>& rules, const Delivery* Rule::*delivery) {
  static constexpr Delivery kAsItShould;
  for (const Rule* rule : rules) {
    if (rule->*delivery != nullptr) return *(rule->*delivery);
  }
  return kAsItShould;
}

void Deliver(const Delivery& delivery, const std::function<void()>& notify) {
  if (delivery.delay > absl::ZeroDuration()) {
    // Nobody waits for the thread: the client may be gone before it wakes up.
    std::thread([notify, delay = delivery.delay] {
      absl::SleepFor(delay);
      notify();
    }).detach();
    return;
  }
  for (int i = 0; i < delivery.calls; ++i) notify();
}

ErrorStatus ReturnedBy(const Delivery& delivery, ErrorStatus status) {
  return delivery.returns_failure ? ErrorStatus::GENERAL_FAILURE : status;
}

class FaultyPreparedModel : public hal::V1_2::IPreparedModel,
                            public std::enable_shared_from_this<FaultyPreparedModel> {
 public:
  // `faults` are those that concern the model.
  FaultyPreparedModel(std::shared_ptr<hal::V1_2::IPreparedModel> honest, const Model& model,
                      std::vector<Fault> faults)
      : honest_(std::move(honest)), faults_(std::move(faults)), model_(model), counters_(faults_) {
    for (const uint32_t output : model.outputIndexes) {
      types_.push_back(model.operands[output].type);
    }
  }

  // What a client gets of the model. That is released by the client alone, so that what is to
  // happen then does not happen in a thread of this driver that was still busy with the model.
  static std::shared_ptr<hal::V1_2::IPreparedModel> HandleOf(
      const std::shared_ptr<FaultyPreparedModel>& model) {
    return {model.get(), [model](hal::V1_2::IPreparedModel* /*model*/) { model->OnRelease(); }};
  }

  // Has a callback called when the client releases the model.
  void NotifyAtRelease(std::function<void()> notify) {
    const std::lock_guard<std::mutex> lock(mutex_);
    at_release_.push_back(std::move(notify));
  }

  ErrorStatus execute(const Request& request,
                      const std::shared_ptr<hal::V1_0::IExecutionCallback>& callback) override {
    return Launch(request, MeasureTiming::NO, callback);
  }

  ErrorStatus execute_1_2(const Request& request, MeasureTiming measure,
                          const std::shared_ptr<hal::V1_2::IExecutionCallback>& callback) override {
    return Launch(request, measure, callback);
  }

  ExecuteSynchronouslyResult executeSynchronously(const Request& request,
                                                  MeasureTiming measure) override {
    return ExecuteNow(request, measure, Way::kSynchronous);
  }

  hal::V1_2::ConfigureExecutionBurstResult configureExecutionBurst(
      const std::shared_ptr<hal::V1_2::IBurstCallback>& callback,
      const hal::MQDescriptorSync<hal::V1_2::FmqRequestDatum>& requestChannel,
      const hal::MQDescriptorSync<hal::V1_2::FmqResultDatum>& resultChannel) override {
    static constexpr BurstConduct kAsItShould;
    const BurstConduct* conduct = &kAsItShould;
    for (const Fault& fault : faults_) {
      if (fault.rule->burst != nullptr) conduct = fault.rule->burst;
    }
    return ConfigureFaultyBurst(
        [model = shared_from_this()](const Request& request, MeasureTiming measure) {
          return model->ExecuteNow(request, measure, Way::kBurst);
        },
        *conduct, callback, requestChannel, resultChannel);
  }

 private:
  void OnRelease() {
    for (const Fault& fault : faults_) {
      if (fault.rule->at_release != nullptr) fault.rule->at_release();
    }
    std::vector<std::function<void()>> notifications;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      notifications.swap(at_release_);
    }
    for (const std::function<void()>& notify : notifications) notify();
  }

  enum class Way { kAsynchronous, kSynchronous, kBurst };

  // One execution.
  struct Run {
    Request request;
    MeasureTiming measure = MeasureTiming::NO;
    Way way = Way::kAsynchronous;
    // The rules that bite it, and how many executions each has bitten before.
    std::vector<const Rule*> rules;
    std::vector<uint64_t> counts;
    // What is in the outputs' buffers.
    std::vector<std::vector<uint8_t>> before;
  };

  // Has a result changed before the client hears of it.
  class Callback : public hal::V1_2::IExecutionCallback {
   public:
    Callback(std::shared_ptr<FaultyPreparedModel> model, std::shared_ptr<const Run> run,
             std::shared_ptr<hal::V1_0::IExecutionCallback> client)
        : client_(std::move(client)), run_(std::move(run)), model_(std::move(model)) {}

    void notify(ErrorStatus status) override { notify_1_2(status, {}, {}); }

    void notify_1_2(ErrorStatus status, const std::vector<hal::V1_2::OutputShape>& outputShapes,
                    const hal::V1_2::Timing& timing) override {
      ExecuteSynchronouslyResult result = {
          .status = status, .outputShapes = outputShapes, .timing = timing};
      model_->Finish(*run_, result);
      const Delivery& delivery = DeliveryOf(run_->rules, &Rule::execute_delivery);
      const auto notify = [client = client_, result] { Notify(client, result); };
      if (delivery.again_at_release) model_->NotifyAtRelease(notify);
      Deliver(delivery, notify);
    }

   private:
    // The client's callback goes last, so that the client can wait for the end of the model.
    const std::shared_ptr<hal::V1_0::IExecutionCallback> client_;
    const std::shared_ptr<const Run> run_;
    const std::shared_ptr<FaultyPreparedModel> model_;
  };

  // What an execution ends with where a rule is about whether the request is valid; nothing where
  // none is, or it says nothing of this one.
  std::optional<ErrorStatus> WrongStatusOf(const Request& request) {
    const auto is_about_validity = [](const Fault& fault) {
      return fault.rule->overlooks_request != nullptr || fault.rule->refuses_after_invalid;
    };
    if (std::none_of(faults_.begin(), faults_.end(), is_about_validity)) return std::nullopt;
    absl::Status error = hal::validateRequest(request, model_, hal::HalVersion::V1_2);
    if (error.ok()) error = ValidateOmittedInputs(model_, request);
    for (const Fault& fault : faults_) {
      const Rule& rule = *fault.rule;
      if (rule.refuses_after_invalid) {
        const bool is_refused = has_refused_.exchange(has_refused_ || !error.ok());
        if (is_refused) return ErrorStatus::INVALID_ARGUMENT;
      } else if (!error.ok() && rule.overlooks_request != nullptr &&
                 rule.overlooks_request(error.message())) {
        return ErrorStatus::NONE;
      }
    }
    return std::nullopt;
  }

  // No rule bites an invalid request: the honest driver refuses it.
  std::shared_ptr<const Run> Begin(const Request& request, MeasureTiming measure, Way way) {
    auto run = std::make_shared<Run>();
    if (!hal::validateRequest(request, model_, hal::HalVersion::V1_2).ok()) return run;
    run->request = request;
    run->measure = measure;
    run->way = way;
    run->before = SaveOutputs(request);
    for (size_t i = 0; i < faults_.size(); ++i) {
      uint64_t count = 0;
      if (!counters_.Bites(i, &count)) continue;
      run->rules.push_back(faults_[i].rule);
      run->counts.push_back(count);
    }
    for (const Rule* rule : run->rules) {
      if (rule->at_execute != nullptr) rule->at_execute();
    }
    return run;
  }

  void Finish(const Run& run, ExecuteSynchronouslyResult& result) {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::vector<std::vector<uint8_t>> outputs = SaveOutputs(run.request);
    for (size_t i = 0; i < run.rules.size(); ++i) {
      if (run.rules[i]->execution == nullptr) continue;
      FinishedExecution execution = {run.request,
                                     run.measure,
                                     run.way != Way::kAsynchronous,
                                     run.way == Way::kBurst,
                                     types_,
                                     run.before,
                                     last_,
                                     run.counts[i],
                                     result};
      run.rules[i]->execution(execution);
    }
    if (result.status == ErrorStatus::NONE) last_ = std::move(outputs);
  }

  ExecuteSynchronouslyResult ExecuteNow(const Request& request, MeasureTiming measure, Way way) {
    if (std::optional<ErrorStatus> status = WrongStatusOf(request)) return {*status, {}, {}};
    const std::shared_ptr<const Run> run = Begin(request, measure, way);
    ExecuteSynchronouslyResult result = honest_->executeSynchronously(request, measure);
    Finish(*run, result);
    return result;
  }

  // The honest driver is asked the way of 1.2 in any case, for it then tells the shapes.
  ErrorStatus Launch(const Request& request, MeasureTiming measure,
                     const std::shared_ptr<hal::V1_0::IExecutionCallback>& callback) {
    if (callback == nullptr) return ErrorStatus::INVALID_ARGUMENT;
    if (std::optional<ErrorStatus> status = WrongStatusOf(request)) {
      Notify(callback, {*status, {}, {}});
      return *status;
    }
    const std::shared_ptr<const Run> run = Begin(request, measure, Way::kAsynchronous);
    const ErrorStatus status = honest_->execute_1_2(
        request, measure, std::make_shared<Callback>(shared_from_this(), run, callback));
    return ReturnedBy(DeliveryOf(run->rules, &Rule::execute_delivery), status);
  }

  const std::shared_ptr<hal::V1_2::IPreparedModel> honest_;
  const std::vector<Fault> faults_;
  const Model model_;
  std::vector<OperandType> types_;  // of the outputs
  FaultCounters counters_;
  std::atomic<bool> has_refused_ = false;
  std::mutex mutex_;  // of all that follows
  std::vector<std::vector<uint8_t>> last_;
  std::vector<std::function<void()>> at_release_;
};

// Wraps a prepared model before the client gets it.
class FaultyPreparedModelCallback : public hal::V1_2::IPreparedModelCallback {
 public:
  // `faults` are those that concern the model, `rules` those of them that bite its preparation.
  FaultyPreparedModelCallback(const Model& model, std::vector<Fault> faults,
                              std::vector<const Rule*> rules,
                              std::shared_ptr<hal::V1_0::IPreparedModelCallback> client)
      : model_(model),
        faults_(std::move(faults)),
        rules_(std::move(rules)),
        client_(std::move(client)) {}

  void notify(ErrorStatus status,
              const std::shared_ptr<hal::V1_0::IPreparedModel>& preparedModel) override {
    notify_1_2(status, std::dynamic_pointer_cast<hal::V1_2::IPreparedModel>(preparedModel));
  }

  void notify_1_2(ErrorStatus status,
                  const std::shared_ptr<hal::V1_2::IPreparedModel>& preparedModel) override {
    std::shared_ptr<hal::V1_2::IPreparedModel> prepared;
    const Delivery& delivery = DeliveryOf(rules_, &Rule::prepare_delivery);
    if (preparedModel != nullptr) {
      const auto faulty = std::make_shared<FaultyPreparedModel>(preparedModel, model_, faults_);
      if (delivery.again_at_release) {
        faulty->NotifyAtRelease(
            [client = client_] { Notify(*client, ErrorStatus::GENERAL_FAILURE, nullptr); });
      }
      prepared = FaultyPreparedModel::HandleOf(faulty);
    }
    for (const Rule* rule : rules_) {
      if (rule->prepared != nullptr) rule->prepared(status, prepared);
    }
    Deliver(delivery, [client = client_, status, prepared] { Notify(*client, status, prepared); });
  }

 private:
  static void Notify(hal::V1_0::IPreparedModelCallback& client, ErrorStatus status,
                     const std::shared_ptr<hal::V1_2::IPreparedModel>& prepared) {
    if (auto* const newer = dynamic_cast<hal::V1_2::IPreparedModelCallback*>(&client)) {
      newer->notify_1_2(status, prepared);
    } else {
      client.notify(status, prepared);
    }
  }

  const Model model_;
  const std::vector<Fault> faults_;
  const std::vector<const Rule*> rules_;
  const std::shared_ptr<hal::V1_0::IPreparedModelCallback> client_;
};

class FaultyDevice : public hal::V1_2::IDevice {
 public:
  FaultyDevice(std::string name, const Faults& faults)
      : honest_(MakeRuleExecutor(faults)),
        name_(std::move(name)),
        faults_(faults),
        asked_(*faults_),
        prepared_(*faults_) {
    for (const Fault& fault : *faults_) {
      if (fault.rule->at_load != nullptr) fault.rule->at_load();
    }
  }

  hal::V1_0::GetCapabilitiesResult getCapabilities() override {
    return Tell(honest_->getCapabilities());
  }
  hal::V1_1::GetCapabilitiesResult getCapabilities_1_1() override {
    return Tell(honest_->getCapabilities_1_1());
  }
  hal::V1_2::GetCapabilitiesResult getCapabilities_1_2() override {
    return Tell(honest_->getCapabilities_1_2());
  }
  hal::V1_0::GetSupportedOperationsResult getSupportedOperations(
      const hal::V1_0::Model& model) override {
    return Answer(hal::convertToV1_2(model), hal::HalVersion::V1_0,
                  honest_->getSupportedOperations(model));
  }
  hal::V1_0::GetSupportedOperationsResult getSupportedOperations_1_1(
      const hal::V1_1::Model& model) override {
    return Answer(hal::convertToV1_2(model), hal::HalVersion::V1_1,
                  honest_->getSupportedOperations_1_1(model));
  }
  hal::V1_0::GetSupportedOperationsResult getSupportedOperations_1_2(const Model& model) override {
    return Answer(model, hal::HalVersion::V1_2, honest_->getSupportedOperations_1_2(model));
  }
  hal::V1_0::DeviceStatus getStatus() override { return honest_->getStatus(); }
  hal::V1_2::GetVersionStringResult getVersionString() override {
    return {ErrorStatus::NONE, absl::StrCat("nncert faulty driver: ", name_)};
  }
  hal::V1_2::GetTypeResult getType() override { return honest_->getType(); }
  hal::V1_2::GetSupportedExtensionsResult getSupportedExtensions() override {
    return honest_->getSupportedExtensions();
  }
  hal::V1_2::GetNumberOfCacheFilesNeededResult getNumberOfCacheFilesNeeded() override {
    return honest_->getNumberOfCacheFilesNeeded();
  }

  ErrorStatus prepareModel(
      const hal::V1_0::Model& model,
      const std::shared_ptr<hal::V1_0::IPreparedModelCallback>& callback) override {
    return Prepare(hal::convertToV1_2(model), hal::HalVersion::V1_0,
                   ExecutionPreference::FAST_SINGLE_ANSWER, callback,
                   [&](const auto& wrapped) { return honest_->prepareModel(model, wrapped); });
  }
  ErrorStatus prepareModel_1_1(
      const hal::V1_1::Model& model, hal::V1_1::ExecutionPreference preference,
      const std::shared_ptr<hal::V1_0::IPreparedModelCallback>& callback) override {
    return Prepare(
        hal::convertToV1_2(model), hal::HalVersion::V1_1, preference, callback,
        [&](const auto& wrapped) { return honest_->prepareModel_1_1(model, preference, wrapped); });
  }
  ErrorStatus prepareModel_1_2(
      const Model& model, hal::V1_2::ExecutionPreference preference,
      const std::vector<hal::Handle>& modelCache, const std::vector<hal::Handle>& dataCache,
      const hal::V1_2::CacheToken& token,
      const std::shared_ptr<hal::V1_2::IPreparedModelCallback>& callback) override {
    return Prepare(model, hal::HalVersion::V1_2, preference, callback, [&](const auto& wrapped) {
      return honest_->prepareModel_1_2(model, preference, modelCache, dataCache, token, wrapped);
    });
  }
  ErrorStatus prepareModelFromCache(
      const std::vector<hal::Handle>& modelCache, const std::vector<hal::Handle>& dataCache,
      const hal::V1_2::CacheToken& token,
      const std::shared_ptr<hal::V1_2::IPreparedModelCallback>& callback) override {
    return honest_->prepareModelFromCache(modelCache, dataCache, token, callback);
  }

 private:
  // Changes the honest driver's capabilities.
  template <typename Result>
  Result Tell(Result result) const {
    for (const Fault& fault : *faults_) {
      if (fault.rule->at_capabilities != nullptr) fault.rule->at_capabilities();
      if (fault.rule->capabilities != nullptr) fault.rule->capabilities(result.status);
    }
    return result;
  }

  // Changes what the honest driver says of a model; a model that it refuses is left at that.
  hal::V1_0::GetSupportedOperationsResult Answer(const Model& model, hal::HalVersion version,
                                                 hal::V1_0::GetSupportedOperationsResult result) {
    if (result.status == ErrorStatus::INVALID_ARGUMENT &&
        OverlooksModel(*faults_, model, version, ExecutionPreference::FAST_SINGLE_ANSWER)) {
      return {ErrorStatus::NONE, std::vector<bool>(model.operations.size(), true)};
    }
    if (result.status != ErrorStatus::NONE) return result;
    for (size_t i = 0; i < faults_->size(); ++i) {
      const Rule& rule = *(*faults_)[i].rule;
      if (rule.supported == nullptr && rule.at_supported == nullptr) continue;
      if (!Concerns((*faults_)[i], model) || !asked_.Bites(i)) continue;
      if (rule.at_supported != nullptr) rule.at_supported();
      if (rule.supported != nullptr) rule.supported(result);
    }
    return result;
  }

  // `launch` has the honest driver prepare the model with the callback that it is given.
  template <typename Launch>
  ErrorStatus Prepare(const Model& model, hal::HalVersion version, ExecutionPreference preference,
                      const std::shared_ptr<hal::V1_0::IPreparedModelCallback>& callback,
                      Launch launch) {
    using Wrapped = std::shared_ptr<FaultyPreparedModelCallback>;
    // The honest driver refuses a callback that is null, and an invalid model.
    if (callback == nullptr) return launch(Wrapped());
    if (OverlooksModel(*faults_, model, version, preference)) {
      FaultyPreparedModelCallback(model, {}, {}, callback)
          .notify_1_2(ErrorStatus::NONE, std::make_shared<UselessPreparedModel>(Model()));
      return ErrorStatus::NONE;
    }
    const bool is_valid = honest_->getSupportedOperations_1_2(model).status == ErrorStatus::NONE;
    std::vector<Fault> faults;
    std::vector<const Rule*> rules;
    for (size_t i = 0; is_valid && i < faults_->size(); ++i) {
      const Fault& fault = (*faults_)[i];
      if (!Concerns(fault, model)) continue;
      faults.push_back(fault);
      if (prepared_.Bites(i)) rules.push_back(fault.rule);
    }
    for (const Rule* rule : rules) {
      if (rule->at_prepare != nullptr) rule->at_prepare();
    }
    const ErrorStatus status = launch(
        std::make_shared<FaultyPreparedModelCallback>(model, std::move(faults), rules, callback));
    return ReturnedBy(DeliveryOf(rules, &Rule::prepare_delivery), status);
  }

  const std::shared_ptr<hal::V1_2::IDevice> honest_;
  const std::string name_;
  const Faults faults_;
  FaultCounters asked_;
  FaultCounters prepared_;
};

}  // namespace

absl::StatusOr<std::shared_ptr<hal::V1_2::IDevice>> MakeFaultyDriver(std::string_view name) {
  absl::StatusOr<std::vector<Fault>> faults = ParseFaults(name);
  if (!faults.ok()) return faults.status();
  return std::make_shared<FaultyDevice>(
      std::string(name), std::make_shared<const std::vector<Fault>>(*std::move(faults)));
}

}  // namespace nncert::faulty
