// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "drivers/faulty/faulty_driver.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "drivers/faulty/faulty_caching.h"
#include "drivers/faulty/faulty_prepared_model.h"
#include "drivers/faulty/history.h"
#include "drivers/faulty/rule_executor.h"
#include "drivers/faulty/rules/fault.h"
#include "hal/conversion.h"
#include "hal/driver_base.h"
#include "hal/validate.h"
#include "hal/version.h"
#include "reference/execution/model_validation.h"

namespace nncert::faulty {
namespace {

using hal::V1_0::ErrorStatus;
using hal::V1_2::ExecutionPreference;
using hal::V1_2::Model;

using WrappedCallback = std::shared_ptr<hal::V1_2::IPreparedModelCallback>;

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

// What the first fault that says something of a model makes of it.
Treatment TreatmentOf(const std::vector<Fault>& faults, const Model& model) {
  for (const Fault& fault : faults) {
    if (fault.rule->treats == nullptr) continue;
    const Treatment treatment = fault.rule->treats(model);
    if (treatment != Treatment::kAsItIs) return treatment;
  }
  return Treatment::kAsItIs;
}

class FaultyDevice : public hal::V1_2::IDevice {
 public:
  FaultyDevice(std::string name, const Faults& faults)
      : honest_(MakeRuleExecutor(faults)),
        name_(std::move(name)),
        faults_(faults),
        caching_(std::make_shared<FaultyCaching>(honest_, ConductOf(*faults_))),
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
  hal::V1_0::DeviceStatus getStatus() override {
    hal::V1_0::DeviceStatus status = honest_->getStatus();
    ChangeAnswer(&status);
    return status;
  }
  hal::V1_2::GetVersionStringResult getVersionString() override {
    std::string version = absl::StrCat("nncert faulty driver: ", name_);
    ChangeAnswer(&version);
    return {ErrorStatus::NONE, std::move(version)};
  }
  hal::V1_2::GetTypeResult getType() override {
    hal::V1_2::GetTypeResult result = honest_->getType();
    ChangeAnswer(&result.type);
    return result;
  }
  hal::V1_2::GetSupportedExtensionsResult getSupportedExtensions() override {
    hal::V1_2::GetSupportedExtensionsResult result = honest_->getSupportedExtensions();
    ChangeAnswer(&result.extensions);
    return result;
  }
  hal::V1_2::GetNumberOfCacheFilesNeededResult getNumberOfCacheFilesNeeded() override {
    return caching_->CountFiles();
  }

  ErrorStatus prepareModel(
      const hal::V1_0::Model& model,
      const std::shared_ptr<hal::V1_0::IPreparedModelCallback>& callback) override {
    return Prepare(hal::convertToV1_2(model), hal::HalVersion::V1_0,
                   ExecutionPreference::FAST_SINGLE_ANSWER, callback,
                   [&](const Model& /*read*/, const WrappedCallback& wrapped) {
                     return honest_->prepareModel(model, wrapped);
                   });
  }
  ErrorStatus prepareModel_1_1(
      const hal::V1_1::Model& model, hal::V1_1::ExecutionPreference preference,
      const std::shared_ptr<hal::V1_0::IPreparedModelCallback>& callback) override {
    return Prepare(hal::convertToV1_2(model), hal::HalVersion::V1_1, preference, callback,
                   [&](const Model& /*read*/, const WrappedCallback& wrapped) {
                     return honest_->prepareModel_1_1(model, preference, wrapped);
                   });
  }
  ErrorStatus prepareModel_1_2(
      const Model& model, hal::V1_2::ExecutionPreference preference,
      const std::vector<hal::Handle>& modelCache, const std::vector<hal::Handle>& dataCache,
      const hal::V1_2::CacheToken& token,
      const std::shared_ptr<hal::V1_2::IPreparedModelCallback>& callback) override {
    return Prepare(
        model, hal::HalVersion::V1_2, preference, callback,
        [&](const Model& read, const WrappedCallback& wrapped) {
          return caching_->Prepare(read, preference, {modelCache, dataCache, token}, wrapped);
        });
  }
  ErrorStatus prepareModelFromCache(
      const std::vector<hal::Handle>& modelCache, const std::vector<hal::Handle>& dataCache,
      const hal::V1_2::CacheToken& token,
      const std::shared_ptr<hal::V1_2::IPreparedModelCallback>& callback) override {
    std::shared_ptr<hal::V1_2::IPreparedModelCallback> wrapped;
    // The honest driver refuses a callback that is null.
    if (callback != nullptr) wrapped = WrapRetrieved(faults_, history_, callback);
    return caching_->PrepareFromCache({modelCache, dataCache, token}, wrapped);
  }

 private:
  // Changes an answer about the device.
  void ChangeAnswer(DeviceAnswer answer) {
    const uint64_t count = answers_[answer.index()]++;
    for (const Fault& fault : *faults_) {
      if (fault.rule->about_device != nullptr) fault.rule->about_device(answer, count);
    }
  }

  // What the first rule that says something of it has the device do with caches; null without one.
  static const CachingConduct* ConductOf(const std::vector<Fault>& faults) {
    for (const Fault& fault : faults) {
      if (fault.rule->caching != nullptr) return fault.rule->caching;
    }
    return nullptr;
  }

  // Changes the honest driver's capabilities.
  template <typename Result>
  Result Tell(Result result) {
    ChangeAnswer(&result.capabilities);
    const Interference* const interference = InterferenceOf(*faults_);
    if (interference != nullptr && history_->AskCapabilities(*interference)) {
      result.status = ErrorStatus::GENERAL_FAILURE;
    }
    for (const Fault& fault : *faults_) {
      if (fault.rule->at_capabilities != nullptr) fault.rule->at_capabilities();
      if (fault.rule->capabilities != nullptr) fault.rule->capabilities(result.status);
    }
    return result;
  }

  // Changes what the honest driver says of a model; a model that it refuses is left at that.
  hal::V1_0::GetSupportedOperationsResult Answer(const Model& model, hal::HalVersion version,
                                                 hal::V1_0::GetSupportedOperationsResult result) {
    const Treatment treatment = TreatmentOf(*faults_, model);
    if (treatment != Treatment::kAsItIs) {
      return {ErrorStatus::NONE,
              std::vector<bool>(model.operations.size(), treatment == Treatment::kSupported)};
    }
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

  PreparationTraits TraitsOf(const Model& model, ExecutionPreference preference,
                             const std::vector<const Rule*>& rules) {
    PreparationTraits traits = {.preference = preference};
    if (rules.empty()) return traits;
    const std::lock_guard<std::mutex> lock(mutex_);
    traits.is_again = last_preference_ == preference && last_model_ == model;
    last_preference_ = preference;
    last_model_ = model;
    return traits;
  }

  // What the rules make of a model; nothing when none is about models.
  static std::optional<Model> Changed(const Model& model, const std::vector<const Rule*>& rules) {
    std::optional<Model> changed;
    for (const Rule* rule : rules) {
      if (rule->model == nullptr) continue;
      if (!changed.has_value()) changed = model;
      rule->model(*changed);
    }
    return changed;
  }

  // `launch` has the honest driver prepare the model with the callback that it is given; a model of
  // 1.2 as it is given, which a rule may have changed.
  template <typename Launch>
  ErrorStatus Prepare(const Model& model, hal::HalVersion version, ExecutionPreference preference,
                      const std::shared_ptr<hal::V1_0::IPreparedModelCallback>& callback,
                      Launch launch) {
    // The honest driver refuses a callback that is null, and an invalid model.
    if (callback == nullptr) return launch(model, nullptr);
    const Treatment treatment = TreatmentOf(*faults_, model);
    if (treatment == Treatment::kUnsupported) {
      WrapPrepared(model, {}, {}, {}, history_, callback)
          ->notify_1_2(ErrorStatus::GENERAL_FAILURE, nullptr);
      return ErrorStatus::GENERAL_FAILURE;
    }
    if (treatment != Treatment::kAsItIs || OverlooksModel(*faults_, model, version, preference)) {
      WrapPrepared(model, {}, {}, {}, history_, callback)
          ->notify_1_2(ErrorStatus::NONE, MakeUselessPreparedModel());
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
    const auto wrapped = WrapPrepared(model, TraitsOf(model, preference, rules), std::move(faults),
                                      rules, history_, callback);
    // What is a model of 1.2 may be none of an earlier version, which the honest driver is to say.
    const std::optional<Model> changed =
        version == hal::HalVersion::V1_2 ? Changed(model, rules) : std::nullopt;
    const ErrorStatus status = launch(changed.has_value() ? *changed : model, wrapped);
    return ReturnedBy(DeliveryOf(rules, &Rule::prepare_delivery), status);
  }

  const std::shared_ptr<hal::V1_2::IDevice> honest_;
  const std::string name_;
  const Faults faults_;
  const std::shared_ptr<FaultyCaching> caching_;
  const std::shared_ptr<History> history_ = std::make_shared<History>();
  FaultCounters asked_;
  FaultCounters prepared_;
  // How often each call about the device was made, by the alternatives of DeviceAnswer.
  std::array<std::atomic<uint64_t>, std::variant_size_v<DeviceAnswer>> answers_ = {};
  std::mutex mutex_;  // of all that follows
  std::optional<ExecutionPreference> last_preference_;
  Model last_model_;
};

}  // namespace

absl::StatusOr<std::shared_ptr<hal::V1_2::IDevice>> MakeFaultyDriver(std::string_view name) {
  absl::StatusOr<std::vector<Fault>> faults = ParseFaults(name);
  if (!faults.ok()) return faults.status();
  return std::make_shared<FaultyDevice>(
      std::string(name), std::make_shared<const std::vector<Fault>>(*std::move(faults)));
}

}  // namespace nncert::faulty
