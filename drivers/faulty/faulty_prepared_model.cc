// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "drivers/faulty/faulty_prepared_model.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "drivers/faulty/faulty_burst.h"
#include "hal/memory.h"
#include "hal/utils.h"
#include "hal/validate.h"
#include "hal/version.h"
#include "reference/execution/model_validation.h"

namespace nncert::faulty {
namespace {

using hal::V1_0::ErrorStatus;
using hal::V1_0::Request;
using hal::V1_2::ExecuteSynchronouslyResult;
using hal::V1_2::MeasureTiming;
using hal::V1_2::Model;

// Constants that conditions may ask for are scalars.
constexpr size_t kLargestScalar = 8;

[[noreturn]] void Hang() {
  while (true) absl::SleepFor(absl::Seconds(1));
}

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

// Makes the first byte of the first output another one.
void SpoilFirstOutput(const Request& request) {
  if (request.outputs.empty() || request.outputs.front().hasNoValue) return;
  const hal::V1_0::DataLocation& location = request.outputs.front().location;
  const absl::StatusOr<hal::Mapping> pool =
      request.pools[location.poolIndex].Map(hal::MemoryAccess::READ_WRITE);
  if (pool.ok()) pool->bytes()[location.offset] ^= 0xFF;
}

// Makes the first element of the first output, which is of that type, another one by more than
// anything tolerates.
void SpoilFirstElement(const Request& request, OperandType type) {
  if (request.outputs.empty() || request.outputs.front().hasNoValue) return;
  const hal::V1_0::DataLocation& location = request.outputs.front().location;
  const uint32_t size = hal::nonExtensionElementSize(type);
  if (size == 0 || location.length < size) return;
  const absl::StatusOr<hal::Mapping> pool =
      request.pools[location.poolIndex].Map(hal::MemoryAccess::READ_WRITE);
  if (!pool.ok()) return;
  pool->bytes()[location.offset + size - 1] ^= type == OperandType::TENSOR_BOOL8 ? 1 : 0x40;
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

class FaultyPreparedModel : public hal::V1_2::IPreparedModel,
                            public std::enable_shared_from_this<FaultyPreparedModel> {
 public:
  // `faults` are those that concern the model.
  FaultyPreparedModel(std::shared_ptr<hal::V1_2::IPreparedModel> honest, const Model& model,
                      const PreparationTraits& traits, std::vector<Fault> faults,
                      std::shared_ptr<History> history)
      : honest_(std::move(honest)),
        faults_(std::move(faults)),
        interference_(InterferenceOf(faults_)),
        history_(std::move(history)),
        number_(interference_ != nullptr ? history_->AddPreparedModel(model) : 0),
        looks_at_outputs_(std::any_of(faults_.begin(), faults_.end(),
                                      [](const Fault& fault) {
                                        return fault.rule->execution != nullptr ||
                                               fault.rule->repetition != nullptr;
                                      })),
        model_(model),
        traits_(traits),
        counters_(faults_) {
    for (const uint32_t output : model.outputIndexes) {
      const hal::V1_2::Operand& operand = model.operands[output];
      types_.push_back(operand.type);
      traits_.has_known_outputs &= !hal::tensorHasUnspecifiedDimensions(operand);
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
    using Effect = Interference::Effect;
    const bool is_met = interference_ != nullptr && history_->Release(number_, *interference_);
    if (is_met && interference_->effect == Effect::kCrash) std::abort();
    for (const Fault& fault : faults_) {
      if (fault.rule->at_release != nullptr) fault.rule->at_release();
    }
    std::vector<std::function<void()>> notifications;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      notifications.swap(at_release_);
    }
    if (calls_back() && !is_met) return;
    for (const std::function<void()>& notify : notifications) notify();
  }

  // Whether callbacks of executions are called once more when an interference happens.
  bool calls_back() const {
    return interference_ != nullptr && interference_->effect == Interference::Effect::kCallback;
  }

  enum class Way { kAsynchronous, kSynchronous, kBurst };

  // One execution.
  struct Run {
    Request request;
    // What the honest driver gets instead.
    Request changed;
    MeasureTiming measure = MeasureTiming::NO;
    Way way = Way::kAsynchronous;
    // What it is in the history of the device; nothing where no rule is about that.
    std::optional<History::Call> call;
    // The rules that bite it, and how many executions each has bitten before.
    std::vector<const Rule*> rules;
    std::vector<uint64_t> counts;
    // What is in the outputs' buffers, where a rule looks at that.
    std::vector<std::vector<uint8_t>> before;
    // See Rule::repetition.
    bool is_repeated = false;
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
      if (!model_->Finish(*run_, result)) return;
      const Delivery& delivery = DeliveryOf(run_->rules, &Rule::execute_delivery);
      const auto notify = [client = client_, result] { Notify(client, result); };
      if (delivery.again_at_release || model_->calls_back()) model_->NotifyAtRelease(notify);
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
    if (interference_ != nullptr &&
        !hal::validateRequest(request, model_, hal::HalVersion::V1_2).ok() &&
        history_->ExecuteInvalid(number_, *interference_)) {
      return ErrorStatus::GENERAL_FAILURE;
    }
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
    run->changed = request;
    if (!hal::validateRequest(request, model_, hal::HalVersion::V1_2).ok()) return run;
    run->request = request;
    run->measure = measure;
    run->way = way;
    if (interference_ != nullptr) {
      run->call = history_->BeginExecution(number_, way == Way::kAsynchronous, way == Way::kBurst);
    }
    if (looks_at_outputs_) run->before = SaveOutputs(request);
    for (size_t i = 0; i < faults_.size(); ++i) {
      uint64_t count = 0;
      if (!counters_.Bites(i, &count)) continue;
      run->rules.push_back(faults_[i].rule);
      run->counts.push_back(count);
    }
    for (const Rule* rule : run->rules) {
      if (rule->at_execute != nullptr) rule->at_execute();
      if (rule->request != nullptr) rule->request(run->changed);
    }
    // Whoever keeps a request keeps its memory, which is done for a reason alone.
    if (std::none_of(run->rules.begin(), run->rules.end(),
                     [](const Rule* rule) { return rule->repetition != nullptr; })) {
      return run;
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    run->is_repeated = last_run_ != nullptr && last_run_->way == way &&
                       last_run_->request == request && last_run_->before == run->before;
    last_run_ = run;
    return run;
  }

  // Returns whether the client is to hear of it.
  bool Finish(const Run& run, ExecuteSynchronouslyResult& result) {
    const bool is_heard = !run.call.has_value() || SufferInterference(run, result);
    if (!looks_at_outputs_) return is_heard;
    const std::lock_guard<std::mutex> lock(mutex_);
    std::vector<std::vector<uint8_t>> outputs = SaveOutputs(run.request);
    for (size_t i = 0; i < run.rules.size(); ++i) {
      const Rule& rule = *run.rules[i];
      FinishedExecution execution = {run.request,
                                     run.measure,
                                     run.way != Way::kAsynchronous,
                                     run.way == Way::kBurst,
                                     types_,
                                     run.before,
                                     last_,
                                     run.counts[i],
                                     result,
                                     traits_};
      if (rule.execution != nullptr) rule.execution(execution);
      if (rule.repetition != nullptr && run.is_repeated) rule.repetition(execution);
    }
    if (result.status == ErrorStatus::NONE) last_ = std::move(outputs);
    return is_heard;
  }

  // Returns whether the client is to hear of the execution.
  bool SufferInterference(const Run& run, ExecuteSynchronouslyResult& result) {
    if (!history_->End(*run.call, *interference_)) return true;
    switch (interference_->effect) {
      case Interference::Effect::kFailure:
        result = {ErrorStatus::GENERAL_FAILURE, {}, {}};
        return true;
      case Interference::Effect::kWrongResult:
        SpoilFirstOutput(run.request);
        return true;
      case Interference::Effect::kWrongNumber:
        if (result.status == ErrorStatus::NONE) SpoilFirstElement(run.request, types_.front());
        return true;
      case Interference::Effect::kNoCallback:
        return false;
      case Interference::Effect::kCallback:
        return true;
      case Interference::Effect::kCrash:
        std::abort();
      case Interference::Effect::kHang:
        Hang();
    }
    return true;
  }

  ExecuteSynchronouslyResult ExecuteNow(const Request& request, MeasureTiming measure, Way way) {
    if (std::optional<ErrorStatus> status = WrongStatusOf(request)) return {*status, {}, {}};
    const std::shared_ptr<const Run> run = Begin(request, measure, way);
    ExecuteSynchronouslyResult result = honest_->executeSynchronously(run->changed, measure);
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
        run->changed, measure, std::make_shared<Callback>(shared_from_this(), run, callback));
    return ReturnedBy(DeliveryOf(run->rules, &Rule::execute_delivery), status);
  }

  const std::shared_ptr<hal::V1_2::IPreparedModel> honest_;
  const std::vector<Fault> faults_;
  const Interference* const interference_;
  const std::shared_ptr<History> history_;
  const History::PreparedModel number_;
  // Whether a rule is about what the client gets of executions.
  const bool looks_at_outputs_;
  const Model model_;
  PreparationTraits traits_;
  std::vector<OperandType> types_;  // of the outputs
  FaultCounters counters_;
  std::atomic<bool> has_refused_ = false;
  std::mutex mutex_;  // of all that follows
  std::vector<std::vector<uint8_t>> last_;
  std::shared_ptr<const Run> last_run_;
  std::vector<std::function<void()>> at_release_;
};

// Wraps a prepared model before the client gets it.
class FaultyPreparedModelCallback : public hal::V1_2::IPreparedModelCallback {
 public:
  // `faults` are those that concern the model, `rules` those of them that bite its preparation.
  FaultyPreparedModelCallback(const Model& model, const PreparationTraits& traits,
                              std::vector<Fault> faults, std::vector<const Rule*> rules,
                              std::shared_ptr<History> history,
                              std::shared_ptr<hal::V1_0::IPreparedModelCallback> client)
      : model_(model),
        traits_(traits),
        faults_(std::move(faults)),
        rules_(std::move(rules)),
        interference_(InterferenceOf(faults_)),
        history_(std::move(history)),
        call_(interference_ != nullptr ? history_->BeginPreparation(model) : 0),
        client_(std::move(client)) {}

  void notify(ErrorStatus status,
              const std::shared_ptr<hal::V1_0::IPreparedModel>& preparedModel) override {
    notify_1_2(status, std::dynamic_pointer_cast<hal::V1_2::IPreparedModel>(preparedModel));
  }

  void notify_1_2(ErrorStatus status,
                  const std::shared_ptr<hal::V1_2::IPreparedModel>& preparedModel) override {
    if (interference_ != nullptr && history_->End(call_, *interference_)) {
      if (interference_->effect == Interference::Effect::kHang) Hang();
      Notify(*client_, ErrorStatus::GENERAL_FAILURE, nullptr);
      return;
    }
    std::shared_ptr<hal::V1_2::IPreparedModel> prepared;
    const Delivery& delivery = DeliveryOf(rules_, &Rule::prepare_delivery);
    if (preparedModel != nullptr) {
      const auto faulty =
          std::make_shared<FaultyPreparedModel>(preparedModel, model_, traits_, faults_, history_);
      if (delivery.again_at_release) {
        faulty->NotifyAtRelease(
            [client = client_] { Notify(*client, ErrorStatus::GENERAL_FAILURE, nullptr); });
      }
      prepared = FaultyPreparedModel::HandleOf(faulty);
    }
    for (const Rule* rule : rules_) {
      if (rule->prepared != nullptr) rule->prepared(status, prepared);
      if (rule->refuses != nullptr && rule->refuses(traits_.preference)) {
        status = ErrorStatus::GENERAL_FAILURE;
        prepared = nullptr;
      }
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
  const PreparationTraits traits_;
  const std::vector<Fault> faults_;
  const std::vector<const Rule*> rules_;
  const Interference* const interference_;
  const std::shared_ptr<History> history_;
  const History::Call call_;
  const std::shared_ptr<hal::V1_0::IPreparedModelCallback> client_;
};

// Wraps a model that comes from a cache before the client gets it. Nothing that is about the
// preparation of models bites it, for nobody knows the model before there is one.
class CachedModelCallback : public hal::V1_2::IPreparedModelCallback {
 public:
  CachedModelCallback(Faults faults, std::shared_ptr<History> history,
                      std::shared_ptr<hal::V1_2::IPreparedModelCallback> client)
      : faults_(std::move(faults)), history_(std::move(history)), client_(std::move(client)) {}

  void notify(ErrorStatus status,
              const std::shared_ptr<hal::V1_0::IPreparedModel>& preparedModel) override {
    notify_1_2(status, std::dynamic_pointer_cast<hal::V1_2::IPreparedModel>(preparedModel));
  }

  void notify_1_2(ErrorStatus status,
                  const std::shared_ptr<hal::V1_2::IPreparedModel>& preparedModel) override {
    const Model* const model = preparedModel == nullptr ? nullptr : ModelOf(*preparedModel);
    if (model == nullptr) return client_->notify_1_2(status, preparedModel);
    std::vector<Fault> faults;
    for (const Fault& fault : *faults_) {
      if (Concerns(fault, *model)) faults.push_back(fault);
    }
    FaultyPreparedModelCallback(*model, {}, std::move(faults), {}, history_, client_)
        .notify_1_2(status, preparedModel);
  }

 private:
  const Faults faults_;
  const std::shared_ptr<History> history_;
  const std::shared_ptr<hal::V1_2::IPreparedModelCallback> client_;
};

}  // namespace

bool Concerns(const Fault& fault, const Model& model) {
  for (size_t i = 0; i < model.operations.size(); ++i) {
    const absl::StatusOr<OperationCall> call = CallOf(model, i, kLargestScalar);
    if (call.ok() && fault.Holds(*call)) return true;
  }
  return false;
}

const Interference* InterferenceOf(const std::vector<Fault>& faults) {
  for (const Fault& fault : faults) {
    if (fault.rule->interference != nullptr) return fault.rule->interference;
  }
  return nullptr;
}

const Delivery& DeliveryOf(const std::vector<const Rule*>& rules, const Delivery* Rule::*delivery) {
  static constexpr Delivery kAsItShould;
  for (const Rule* rule : rules) {
    if (rule->*delivery != nullptr) return *(rule->*delivery);
  }
  return kAsItShould;
}

ErrorStatus ReturnedBy(const Delivery& delivery, ErrorStatus status) {
  return delivery.returns_failure ? ErrorStatus::GENERAL_FAILURE : status;
}

std::shared_ptr<hal::V1_2::IPreparedModelCallback> WrapPrepared(
    const Model& model, const PreparationTraits& traits, std::vector<Fault> faults,
    std::vector<const Rule*> rules, std::shared_ptr<History> history,
    std::shared_ptr<hal::V1_0::IPreparedModelCallback> client) {
  return std::make_shared<FaultyPreparedModelCallback>(
      model, traits, std::move(faults), std::move(rules), std::move(history), std::move(client));
}

std::shared_ptr<hal::V1_2::IPreparedModelCallback> WrapRetrieved(
    Faults faults, std::shared_ptr<History> history,
    std::shared_ptr<hal::V1_2::IPreparedModelCallback> client) {
  return std::make_shared<CachedModelCallback>(std::move(faults), std::move(history),
                                               std::move(client));
}

}  // namespace nncert::faulty
