// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// A driver as a shared object that computes as the reference does, but for the one fault that its
// option names. The faults are those that a measurement is to find; each is in kFaults.

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hal/burst.h"
#include "hal/driver_entry.h"
#include "hal/memory.h"
#include "hal/v1_2/interfaces.h"
#include "reference/driver/driver.h"

namespace nncert {
namespace {

using hal::V1_0::DataLocation;
using hal::V1_0::ErrorStatus;
using hal::V1_0::Request;
using hal::V1_2::ExecuteSynchronouslyResult;
using hal::V1_2::IPreparedModel;
using hal::V1_2::MeasureTiming;

// An execution on its way to the client, with the memory of its outputs.
struct Execution {
  const Request& request;
  MeasureTiming measure;
  // Which execution of the prepared model it is, from 0 on.
  uint64_t number;
  ExecuteSynchronouslyResult& result;

  // The bytes of arguments, which stay as long as `mappings` does.
  std::vector<hal::Mapping>& mappings;
  absl::Span<uint8_t> Bytes(const DataLocation& location) {
    absl::StatusOr<hal::Mapping> mapping =
        request.pools[location.poolIndex].Map(hal::MemoryAccess::READ_WRITE);
    if (!mapping.ok()) return {};
    mappings.push_back(*std::move(mapping));
    return mappings.back().bytes().subspan(location.offset, location.length);
  }
};

// What a prepared model keeps.
struct Memory {
  std::mutex mutex;
  std::vector<std::vector<uint8_t>> last_outputs;
};

// What is wrong with a driver.
struct Fault {
  std::string_view name;
  void (*at_prepare)() = nullptr;
  void (*at_execution)(Execution& execution, Memory& memory) = nullptr;
  // What it claims of its speed.
  float claimed = 1;
  // When the driver is loaded.
  void (*at_start)() = nullptr;
};

// Turns the elements of the first output round by half of them.
void TurnRound(Execution& execution) {
  const absl::Span<uint8_t> output = execution.Bytes(execution.request.outputs[0].location);
  std::rotate(output.begin(), output.begin() + output.size() / 8 * 4, output.end());
}

// Turns the first output round for every 45th of the inputs that
// it comes to see, whenever it sees that: ten or so of five hundred that would have been right.
void LoseAccuracy(Execution& execution, Memory& /*memory*/) {
  static std::mutex mutex;
  static std::map<std::vector<uint8_t>, size_t> numbers;
  const absl::Span<uint8_t> input = execution.Bytes(execution.request.inputs[0].location);
  {
    const std::lock_guard<std::mutex> lock(mutex);
    const auto [known, is_new] =
        numbers.try_emplace({input.begin(), input.end()}, numbers.size() + 1);
    if (known->second % 45 != 0) return;
  }
  TurnRound(execution);
}

// Gives the result of the execution before where its own time is to be measured.
void GivePrevious(Execution& execution, Memory& memory) {
  const std::lock_guard<std::mutex> lock(memory.mutex);
  std::vector<std::vector<uint8_t>> computed;
  for (size_t i = 0; i < execution.request.outputs.size(); ++i) {
    const absl::Span<uint8_t> output = execution.Bytes(execution.request.outputs[i].location);
    computed.emplace_back(output.begin(), output.end());
    if (execution.measure == MeasureTiming::NO || memory.last_outputs.empty()) continue;
    std::memcpy(output.data(), memory.last_outputs[i].data(), output.size());
  }
  memory.last_outputs = std::move(computed);
}

void SlowDown(Execution& execution, Memory& /*memory*/) {
  // From the first one on longer than what a busy machine adds, and always in the same proportion.
  constexpr double kFirst = 5;
  constexpr double kLongest = 1000;
  const double milliseconds =
      std::min(kFirst * std::pow(1.05, static_cast<double>(execution.number)), kLongest);
  std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(milliseconds));
}

void TellTooMuch(Execution& execution, Memory& /*memory*/) {
  if (execution.measure == MeasureTiming::NO) return;
  execution.result.timing.timeInDriver = 10'000'000;
  execution.result.timing.timeOnDevice = 5'000'000;
}

void TellMoreOnDevice(Execution& execution, Memory& /*memory*/) {
  if (execution.measure == MeasureTiming::NO) return;
  execution.result.timing = {.timeOnDevice = 1, .timeInDriver = 0};
}

void CrashLater(Execution& execution, Memory& /*memory*/) {
  if (execution.number == 20) std::abort();
}

void LeakDescriptor() {
  if (dup(STDIN_FILENO) < 0) std::perror("dup");
}

void LeakMemory() {
  constexpr size_t kBytes = size_t{1} << 20;
  static std::vector<std::unique_ptr<char[]>> kept;
  kept.push_back(std::make_unique<char[]>(kBytes));
}

void LeakThread() {
  std::thread([] {
    while (true) pause();
  }).detach();
}

// Takes its time for inputs that it has not seen before.
void KeepResults(Execution& execution, Memory& /*memory*/) {
  static std::mutex mutex;
  static std::set<std::vector<uint8_t>> seen;
  const absl::Span<uint8_t> input = execution.Bytes(execution.request.inputs[0].location);
  {
    const std::lock_guard<std::mutex> lock(mutex);
    if (!seen.emplace(input.begin(), input.end()).second) return;
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

// Of all its models together: on a busy machine one is released before it is executed so often.
void ErrLater(Execution& execution, Memory& /*memory*/) {
  static std::atomic<int> executions = 0;
  if (++executions > 100) TurnRound(execution);
}

void CrashAtLoad() {
  static std::atomic<int> loads = 0;
  if (++loads == 40) std::abort();
}

// Counts those who are at something at the same time.
class Crowd {
 public:
  explicit Crowd(std::atomic<int>& count) : count_(count), size_(++count) {}
  Crowd(const Crowd&) = delete;
  Crowd& operator=(const Crowd&) = delete;
  ~Crowd() { --count_; }
  int size() const { return size_; }

 private:
  std::atomic<int>& count_;
  const int size_;
};

// How many executions are under way, for a while at the least.
std::atomic<int> executing = 0;

void MixUp(Execution& execution, Memory& /*memory*/) {
  const Crowd crowd(executing);
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  if (crowd.size() > 1) TurnRound(execution);
}

void TakeTime(Execution& /*execution*/, Memory& /*memory*/) {
  const Crowd crowd(executing);
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

int CountSockets() {
  int count = 0;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", error)) {
    const std::string target = std::filesystem::read_symlink(entry.path(), error).string();
    if (target.compare(0, 7, "socket:") == 0) ++count;
  }
  return count;
}

// Ends the process when a connection is closed while somebody's execution is under way.
void CrashWhenClientEnds() {
  std::thread([] {
    int most = 0;
    while (true) {
      const int count = CountSockets();
      if (count < most && executing > 0) std::abort();
      most = count;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }).detach();
}

// How many prepared models clients hold.
std::atomic<int> held = 0;

void WantRoom(Execution& execution, Memory& /*memory*/) {
  if (held > 4) execution.result.status = ErrorStatus::GENERAL_FAILURE;
}

void HangInCrowd() {
  static std::atomic<int> preparing = 0;
  const Crowd crowd(preparing);
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  while (crowd.size() > 3) pause();
}

// Until when nobody executes, by the steady clock.
std::atomic<std::chrono::steady_clock::duration> standstill = std::chrono::steady_clock::duration();

void BeginStandstill() {
  constexpr std::chrono::milliseconds kLength(150);
  standstill = std::chrono::steady_clock::now().time_since_epoch() + kLength;
}

void AwaitEndOfStandstill(Execution& /*execution*/, Memory& /*memory*/) {
  std::this_thread::sleep_until(std::chrono::steady_clock::time_point(standstill.load()));
}

constexpr Fault kFaults[] = {
    {.name = "none"},
    {.name = "loses_accuracy", .at_execution = LoseAccuracy},
    {.name = "leaks_a_descriptor", .at_prepare = LeakDescriptor},
    {.name = "leaks_memory", .at_prepare = LeakMemory},
    {.name = "leaks_a_thread", .at_prepare = LeakThread},
    {.name = "gives_the_previous_result_when_timed", .at_execution = GivePrevious},
    {.name = "claims_fifty_times_its_speed", .claimed = 0.02F},
    {.name = "is_slower_each_time", .at_execution = SlowDown},
    {.name = "reports_more_time_than_passed", .at_execution = TellTooMuch},
    {.name = "reports_more_on_the_device_than_in_the_driver", .at_execution = TellMoreOnDevice},
    {.name = "keeps_results", .at_execution = KeepResults},
    {.name = "crashes_later", .at_execution = CrashLater},
    {.name = "errs_after_a_hundred_executions", .at_execution = ErrLater},
    {.name = "crashes_at_the_fortieth_load", .at_prepare = CrashAtLoad},
    {.name = "mixes_up_parallel_executions", .at_execution = MixUp},
    {.name = "crashes_when_a_client_ends_early",
     .at_execution = TakeTime,
     .at_start = CrashWhenClientEnds},
    {.name = "has_room_for_four_networks", .at_execution = WantRoom},
    {.name = "hangs_when_four_prepare", .at_prepare = HangInCrowd},
    {.name = "stands_still_while_it_prepares",
     .at_prepare = BeginStandstill,
     .at_execution = AwaitEndOfStandstill},
};

// The reference's prepared model with a fault.
class UnreliableModel : public IPreparedModel,
                        public std::enable_shared_from_this<UnreliableModel> {
 public:
  UnreliableModel(std::shared_ptr<IPreparedModel> honest, const Fault& fault)
      : honest_(std::move(honest)), fault_(fault) {
    ++held;
  }
  UnreliableModel(const UnreliableModel&) = delete;
  UnreliableModel& operator=(const UnreliableModel&) = delete;
  ~UnreliableModel() override { --held; }

  ErrorStatus execute(const Request& request,
                      const std::shared_ptr<hal::V1_0::IExecutionCallback>& callback) override {
    return honest_->execute(request, callback);
  }

  ErrorStatus execute_1_2(const Request& request, MeasureTiming measure,
                          const std::shared_ptr<hal::V1_2::IExecutionCallback>& callback) override {
    if (callback == nullptr) return honest_->execute_1_2(request, measure, callback);
    std::thread([self = shared_from_this(), request, measure, callback] {
      const ExecuteSynchronouslyResult result = self->executeSynchronously(request, measure);
      callback->notify_1_2(result.status, result.outputShapes, result.timing);
    }).detach();
    return ErrorStatus::NONE;
  }

  ExecuteSynchronouslyResult executeSynchronously(const Request& request,
                                                  MeasureTiming measure) override {
    ExecuteSynchronouslyResult result = honest_->executeSynchronously(request, measure);
    if (result.status != ErrorStatus::NONE || fault_.at_execution == nullptr) return result;
    std::vector<hal::Mapping> mappings;
    Execution execution{request, measure, executions_++, result, mappings};
    fault_.at_execution(execution, memory_);
    return result;
  }

  hal::V1_2::ConfigureExecutionBurstResult configureExecutionBurst(
      const std::shared_ptr<hal::V1_2::IBurstCallback>& callback,
      const hal::MQDescriptorSync<hal::V1_2::FmqRequestDatum>& requests,
      const hal::MQDescriptorSync<hal::V1_2::FmqResultDatum>& results) override {
    return hal::BurstServer::Configure(shared_from_this(), callback, requests, results);
  }

 private:
  const std::shared_ptr<IPreparedModel> honest_;
  const Fault& fault_;
  std::atomic<uint64_t> executions_ = 0;
  Memory memory_;
};

// Gives the client the reference's prepared model with a fault.
class WrappingCallback : public hal::V1_2::IPreparedModelCallback {
 public:
  WrappingCallback(std::shared_ptr<hal::V1_2::IPreparedModelCallback> client, const Fault& fault)
      : client_(std::move(client)), fault_(fault) {}

  void notify(ErrorStatus status,
              const std::shared_ptr<hal::V1_0::IPreparedModel>& model) override {
    client_->notify(status, model);
  }

  void notify_1_2(ErrorStatus status, const std::shared_ptr<IPreparedModel>& model) override {
    client_->notify_1_2(
        status, model == nullptr ? nullptr : std::make_shared<UnreliableModel>(model, fault_));
  }

 private:
  const std::shared_ptr<hal::V1_2::IPreparedModelCallback> client_;
  const Fault& fault_;
};

// The reference driver with a fault. What comes as a model of 1.0 or 1.1 is the reference's alone.
class UnreliableDevice : public hal::V1_2::IDevice {
 public:
  explicit UnreliableDevice(const Fault& fault) : fault_(fault) {}

  hal::V1_0::GetCapabilitiesResult getCapabilities() override { return honest_->getCapabilities(); }
  hal::V1_1::GetCapabilitiesResult getCapabilities_1_1() override {
    return honest_->getCapabilities_1_1();
  }
  hal::V1_2::GetCapabilitiesResult getCapabilities_1_2() override {
    hal::V1_2::GetCapabilitiesResult result = honest_->getCapabilities_1_2();
    for (auto& performance : result.capabilities.operandPerformance) {
      performance.info.execTime *= fault_.claimed;
    }
    result.capabilities.relaxedFloat32toFloat16PerformanceTensor.execTime *= fault_.claimed;
    return result;
  }
  hal::V1_0::GetSupportedOperationsResult getSupportedOperations(
      const hal::V1_0::Model& model) override {
    return honest_->getSupportedOperations(model);
  }
  hal::V1_0::GetSupportedOperationsResult getSupportedOperations_1_1(
      const hal::V1_1::Model& model) override {
    return honest_->getSupportedOperations_1_1(model);
  }
  hal::V1_0::GetSupportedOperationsResult getSupportedOperations_1_2(
      const hal::V1_2::Model& model) override {
    return honest_->getSupportedOperations_1_2(model);
  }
  hal::V1_0::DeviceStatus getStatus() override { return honest_->getStatus(); }
  hal::V1_2::GetVersionStringResult getVersionString() override {
    return {ErrorStatus::NONE,
            absl::StrCat("nncert unreliable driver: ", std::string(fault_.name))};
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
    return honest_->prepareModel(model, callback);
  }
  ErrorStatus prepareModel_1_1(
      const hal::V1_1::Model& model, hal::V1_1::ExecutionPreference preference,
      const std::shared_ptr<hal::V1_0::IPreparedModelCallback>& callback) override {
    return honest_->prepareModel_1_1(model, preference, callback);
  }
  ErrorStatus prepareModel_1_2(
      const hal::V1_2::Model& model, hal::V1_2::ExecutionPreference preference,
      const std::vector<hal::Handle>& model_cache, const std::vector<hal::Handle>& data_cache,
      const hal::V1_2::CacheToken& token,
      const std::shared_ptr<hal::V1_2::IPreparedModelCallback>& callback) override {
    if (fault_.at_prepare != nullptr) fault_.at_prepare();
    return honest_->prepareModel_1_2(model, preference, model_cache, data_cache, token,
                                     Wrapped(callback));
  }
  ErrorStatus prepareModelFromCache(
      const std::vector<hal::Handle>& model_cache, const std::vector<hal::Handle>& data_cache,
      const hal::V1_2::CacheToken& token,
      const std::shared_ptr<hal::V1_2::IPreparedModelCallback>& callback) override {
    return honest_->prepareModelFromCache(model_cache, data_cache, token, Wrapped(callback));
  }

 private:
  std::shared_ptr<hal::V1_2::IPreparedModelCallback> Wrapped(
      const std::shared_ptr<hal::V1_2::IPreparedModelCallback>& callback) const {
    if (callback == nullptr) return nullptr;
    return std::make_shared<WrappingCallback>(callback, fault_);
  }

  const std::shared_ptr<hal::V1_2::IDevice> honest_ = MakeReferenceDriver();
  const Fault& fault_;
};

absl::StatusOr<std::shared_ptr<hal::V1_2::IDevice>> MakeUnreliableDriver(std::string_view option) {
  for (const Fault& fault : kFaults) {
    if (fault.name != option) continue;
    if (fault.at_start != nullptr) fault.at_start();
    return std::make_shared<UnreliableDevice>(fault);
  }
  return absl::InvalidArgumentError(
      absl::StrCat("there is no fault \"", std::string(option), "\""));
}

}  // namespace
}  // namespace nncert

NNCERT_REGISTER_DRIVER(nncert::MakeUnreliableDriver);
