// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Bursts against synchronous calls, and against what a burst cannot be faster than: a bare ping
// over the same message queues, of packets as long as those of the burst. The driver is the sample
// driver in a process of its own, the model a sum of four numbers.
//
//   ./bazelw run //harness:burst_benchmark
//
// The argument says where the other process runs: 0 on the processor of the client, as in a run of
// nncert; 1 where the system puts it.

#include <benchmark/benchmark.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <memory>
#include <optional>
#include <utility>

#include "absl/time/time.h"
#include "absl/types/span.h"
#include "cases/testing/test_cases.h"
#include "glog/logging.h"
#include "hal/burst_controller.h"
#include "hal/deadline.h"
#include "hal/message_queue.h"
#include "hal/replay/callbacks.h"
#include "harness/isolation/driver_process.h"
#include "harness/isolation/guarded_request.h"
#include "harness/isolation/spare_pools.h"
#include "system/processor.h"

namespace nncert {
namespace {

using hal::V1_0::ErrorStatus;
using hal::V1_2::FmqRequestDatum;
using hal::V1_2::FmqResultDatum;
using hal::V1_2::IPreparedModel;
using hal::V1_2::MeasureTiming;

constexpr absl::Duration kDeadline = absl::Seconds(10);

std::optional<int> ProcessorOf(const benchmark::State& state) {
  if (state.range(0) != 0) return std::nullopt;
  return CurrentProcessor();
}

// The sample driver with a model that has been prepared, and a request of it.
class Sample {
 public:
  explicit Sample(const benchmark::State& state) : scope_(ProcessorOf(state)) {
    DriverProcessOptions options;
    options.name = "sample";
    options.program = "hal/transport/driver_host";
    options.driver = "drivers/sample/libsample.so";
    options.processor = ProcessorOf(state);
    process_ = DriverProcess::Start(options).value();
    const TestCase test_case = AddCase();
    const auto callback = std::make_shared<hal::replay::PrepareCallback>();
    process_->session().device_1_2()->prepareModel_1_2(
        test_case.model, hal::V1_2::ExecutionPreference::FAST_SINGLE_ANSWER, {}, {},
        hal::V1_2::CacheToken{}, callback);
    prepared_ = std::dynamic_pointer_cast<IPreparedModel>(
        callback->result.Wait(hal::Deadline(kDeadline)).value().model);
    request_.emplace(GuardedRequest::Create(test_case.model, test_case.examples.front(),
                                            OutputSpecification::FULLY_SPECIFIED,
                                            hal::HalVersion::V1_2, spares_)
                         .value());
  }

  IPreparedModel& prepared() const { return *prepared_; }
  const hal::V1_0::Request& request() const { return request_->request(); }

 private:
  const OnProcessor scope_;
  std::unique_ptr<DriverProcess> process_;
  std::shared_ptr<IPreparedModel> prepared_;
  SparePools spares_;
  std::optional<GuardedRequest> request_;
};

// Packets of a request of two inputs, one output and two pools, and of its result of rank 2.
using RequestPacket = std::array<FmqRequestDatum, 7>;
using ResultPacket = std::array<FmqResultDatum, 5>;

// Answers whatever comes.
[[noreturn]] void Echo(hal::MessageQueue<FmqRequestDatum>& there,
                       hal::MessageQueue<FmqResultDatum>& back) {
  RequestPacket request;
  const ResultPacket result;
  bool is_there = true;
  while (is_there) {
    is_there = there.readBlocking(absl::MakeSpan(request), absl::InfiniteDuration()).ok() &&
               back.writeBlocking(result, absl::InfiniteDuration()).ok();
  }
  _exit(1);
}

void BM_RingPing(benchmark::State& state) {
  const OnProcessor scope(ProcessorOf(state));
  auto there = hal::MessageQueue<FmqRequestDatum>::Create(64).value();
  auto back = hal::MessageQueue<FmqResultDatum>::Create(64).value();
  const pid_t process = fork();
  if (process == 0) Echo(there, back);
  const RequestPacket request;
  ResultPacket result;
  for ([[maybe_unused]] auto _ : state) {
    CHECK(there.write(request).ok());
    CHECK(back.readBlocking(absl::MakeSpan(result), kDeadline).ok());
  }
  kill(process, SIGKILL);
  waitpid(process, nullptr, 0);
}
BENCHMARK(BM_RingPing)->Arg(0)->Arg(1)->UseRealTime();

void BM_Burst(benchmark::State& state) {
  const Sample sample(state);
  const auto burst = hal::BurstController::Open(sample.prepared()).value();
  for ([[maybe_unused]] auto _ : state) {
    const auto result =
        burst->Execute(sample.request(), MeasureTiming::NO, hal::Deadline(kDeadline));
    CHECK(result.ok() && result->status == ErrorStatus::NONE) << result.status();
  }
}
BENCHMARK(BM_Burst)->Arg(0)->Arg(1)->UseRealTime();

void BM_ExecuteSynchronously(benchmark::State& state) {
  const Sample sample(state);
  for ([[maybe_unused]] auto _ : state) {
    CHECK(sample.prepared().executeSynchronously(sample.request(), MeasureTiming::NO).status ==
          ErrorStatus::NONE);
  }
}
BENCHMARK(BM_ExecuteSynchronously)->Arg(0)->Arg(1)->UseRealTime();

// What a burst of a single request costs: to open it, its memory, and its end.
void BM_BurstOfOneRequest(benchmark::State& state) {
  const Sample sample(state);
  for ([[maybe_unused]] auto _ : state) {
    const auto burst = hal::BurstController::Open(sample.prepared()).value();
    const auto result =
        burst->Execute(sample.request(), MeasureTiming::NO, hal::Deadline(kDeadline));
    CHECK(result.ok() && result->status == ErrorStatus::NONE) << result.status();
  }
}
BENCHMARK(BM_BurstOfOneRequest)->Arg(0)->Arg(1)->UseRealTime();

}  // namespace
}  // namespace nncert
