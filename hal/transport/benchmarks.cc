// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The transport against a bare ping over a socket of the same kind. The argument of a benchmark
// says where the other process runs: 0 on the processor of the client, 1 on another one.
//
//   ./bazelw run //hal/transport:benchmarks

#include <fcntl.h>
#include <sched.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "benchmark/benchmark.h"
#include "glog/logging.h"
#include "hal/testing/callbacks.h"
#include "hal/testing/models.h"
#include "hal/transport/client.h"
#include "hal/transport/testing/served.h"
#include "hal/v1_2/interfaces.h"

namespace nncert::hal::transport {
namespace {

constexpr char kHost[] = "hal/transport/driver_host";
constexpr char kDriver[] = "--driver=hal/libloadable_driver.so";

void RunOn(int64_t cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(static_cast<size_t>(cpu), &set);
  PCHECK(sched_setaffinity(0, sizeof(set), &set) == 0);
}

// A driver_host for one connection.
class Host {
 public:
  explicit Host(int64_t cpu) {
    RunOn(0);
    auto [ours, theirs] = testing::SocketPair();
    fcntl(theirs.get(), F_SETFD, 0);
    std::array<std::string, 4> arguments = {kHost, kDriver, absl::StrCat("--fd=", theirs.get()),
                                            absl::StrCat("--cpu=", cpu)};
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    CHECK_EQ(posix_spawn(&process_, kHost, nullptr, nullptr, argv.data(), environ), 0);
    theirs = FileDescriptor();
    auto connection = Connection::Open(std::move(ours));
    CHECK(connection.ok()) << connection.status();
    connection_ = *std::move(connection);
  }
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;
  ~Host() {
    connection_ = nullptr;
    waitpid(process_, nullptr, 0);
  }

  std::shared_ptr<V1_2::IDevice> device() const {
    return std::dynamic_pointer_cast<V1_2::IDevice>(connection_->device());
  }

  std::shared_ptr<V1_2::IPreparedModel> Prepare() const {
    const auto callback = std::make_shared<hal::testing::PreparedModelCallback>();
    device()->prepareModel_1_2(hal::testing::TwoAdditions(), V1_2::ExecutionPreference::LOW_POWER,
                               {}, {}, {}, callback);
    callback->calls.Wait();
    return callback->prepared;
  }

 private:
  pid_t process_ = 0;
  std::unique_ptr<Connection> connection_;
};

void BM_Ping(benchmark::State& state) {
  RunOn(0);
  auto [ours, theirs] = testing::SocketPair();
  const pid_t process = fork();
  if (process == 0) {
    RunOn(state.range(0));
    ours = FileDescriptor();
    char byte = 0;
    while (read(theirs.get(), &byte, 1) == 1 && write(theirs.get(), &byte, 1) == 1) continue;
    _exit(0);
  }
  theirs = FileDescriptor();
  char byte = 0;
  for ([[maybe_unused]] auto _ : state) {
    CHECK_EQ(write(ours.get(), &byte, 1), 1);
    CHECK_EQ(read(ours.get(), &byte, 1), 1);
  }
  ours = FileDescriptor();
  waitpid(process, nullptr, 0);
}
BENCHMARK(BM_Ping)->Arg(0)->Arg(1)->UseRealTime();

void BM_EmptyCall(benchmark::State& state) {
  const Host host(state.range(0));
  const auto device = host.device();
  for ([[maybe_unused]] auto _ : state) {
    CHECK(device->getStatus() == V1_0::DeviceStatus::AVAILABLE);
  }
}
BENCHMARK(BM_EmptyCall)->Arg(0)->Arg(1)->UseRealTime();

void BM_ExecuteSynchronously(benchmark::State& state) {
  const Host host(state.range(0));
  const auto prepared = host.Prepare();
  const V1_2::Request request = hal::testing::TwoAdditionsRequest();
  for ([[maybe_unused]] auto _ : state) {
    CHECK(prepared->executeSynchronously(request, V1_2::MeasureTiming::NO).status ==
          V1_0::ErrorStatus::NONE);
  }
}
BENCHMARK(BM_ExecuteSynchronously)->Arg(0)->Arg(1)->UseRealTime();

// The same with 64 MiB more, which are not copied.
void BM_ExecuteWithALargePool(benchmark::State& state) {
  const Host host(state.range(0));
  const auto prepared = host.Prepare();
  V1_2::Request request = hal::testing::TwoAdditionsRequest();
  request.pools.push_back(*Memory::Allocate(size_t{64} << 20));
  for ([[maybe_unused]] auto _ : state) {
    CHECK(prepared->executeSynchronously(request, V1_2::MeasureTiming::NO).status ==
          V1_0::ErrorStatus::NONE);
  }
}
BENCHMARK(BM_ExecuteWithALargePool)->Arg(0)->Arg(1)->UseRealTime();

void BM_ExecuteWithACallback(benchmark::State& state) {
  const Host host(state.range(0));
  const auto prepared = host.Prepare();
  const V1_2::Request request = hal::testing::TwoAdditionsRequest();
  for ([[maybe_unused]] auto _ : state) {
    const auto callback = std::make_shared<hal::testing::ExecutionCallback>();
    prepared->execute_1_2(request, V1_2::MeasureTiming::NO, callback);
    callback->calls.Wait();
  }
}
BENCHMARK(BM_ExecuteWithACallback)->Arg(0)->Arg(1)->UseRealTime();

// From the start of the process to the first answer, and to its end.
void BM_StartAndEndOfAHost(benchmark::State& state) {
  for ([[maybe_unused]] auto _ : state) {
    const Host host(state.range(0));
    CHECK(host.device() != nullptr);
  }
}
BENCHMARK(BM_StartAndEndOfAHost)->Arg(0)->Arg(1)->UseRealTime();

}  // namespace
}  // namespace nncert::hal::transport
