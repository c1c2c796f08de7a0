// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/stress/process_tests.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "hal/deadline.h"
#include "mlts/stress/resource_trend.h"
#include "random/split_mix.h"

namespace nncert {
namespace {

// Clients that are killed: how many threads they have, how often each executes a network, and how
// much time they have at the most before it happens.
constexpr size_t kVictimThreads = 4;
constexpr uint64_t kVictimExecutions = 8;
constexpr absl::Duration kLongestLife = absl::Milliseconds(200);
// How often the one that goes on executes a network before it loads it anew.
constexpr uint64_t kBystanderExecutions = 200;

// Processes at the same time, and for how long.
constexpr size_t kProcesses = 6;
constexpr size_t kThreadsOfProcess = 2;
constexpr uint64_t kExecutionsOfProcess = 8;
constexpr double kWaves = 24;
constexpr absl::Duration kShortestWave = absl::Milliseconds(200);
constexpr absl::Duration kLongestWave = absl::Seconds(30);

absl::Duration Upto(absl::Duration longest, SplitMix64& random) {
  return absl::Microseconds(
      random.Below(static_cast<uint64_t>(absl::ToInt64Microseconds(longest)) + 1));
}

// Starts a client, kills it while it is at work, and looks whether the driver has noticed.
absl::Status KillOne(const StressSetting& setting, bool executes, SplitMix64& random) {
  ClientWork work;
  work.threads = kVictimThreads;
  work.executions = executes ? kVictimExecutions : 0;
  work.time = absl::Hours(1);
  work.deadline = setting.deadline;
  const absl::StatusOr<std::unique_ptr<ClientProcess>> victim =
      ClientProcess::Start(setting.client, setting.service->driver(), work);
  if (!victim.ok()) return victim.status();
  if (absl::Status status = (*victim)->AwaitFirstLoad(setting.deadline); !status.ok()) {
    return status;
  }
  (*victim)->GoOn();
  absl::SleepFor(Upto(kLongestLife, random));
  (*victim)->Kill();
  return setting.service->Health();
}

// Whether the driver answers somebody new.
absl::Status AnswerNewClient(const StressSetting& setting) {
  absl::StatusOr<OpenedDriver> opened = setting.service->Connect();
  if (!opened.ok()) return opened.status();
  LoadCount count;
  for (const StressNetwork& network : setting.networks) {
    if (absl::Status status = LoadNetwork(opened->session(), network,
                                          {1, hal::Deadline::Never(), setting.deadline}, count);
        !status.ok()) {
      return status;
    }
  }
  return absl::OkStatus();
}

// Several clients at the same time for a while.
class Wave {
 public:
  Wave(const StressSetting& setting, const ClientWork& work, double share_killed,
       SplitMix64& random)
      : setting_(setting), work_(work), share_killed_(share_killed), random_(random) {}

  absl::Status Run() {
    struct Client {
      std::unique_ptr<ClientProcess> process;
      bool is_victim = false;
      hal::Deadline life = hal::Deadline::Never();
    };
    std::vector<Client> clients;
    for (size_t i = 0; i < kProcesses; ++i) {
      absl::StatusOr<std::unique_ptr<ClientProcess>> process =
          ClientProcess::Start(setting_.client, setting_.service->driver(), work_);
      if (!process.ok()) return process.status();
      Client& client = clients.emplace_back();
      client.process = *std::move(process);
      client.is_victim = random_.Unit() < share_killed_;
    }
    for (Client& client : clients) {
      if (absl::Status status = client.process->AwaitFirstLoad(setting_.deadline); !status.ok()) {
        return status;
      }
    }
    for (Client& client : clients) {
      client.process->GoOn();
      if (client.is_victim) client.life = hal::Deadline(Upto(work_.time, random_));
    }
    std::sort(clients.begin(), clients.end(), [](const Client& one, const Client& other) {
      return one.life.Remaining() < other.life.Remaining();
    });
    for (Client& client : clients) {
      if (!client.is_victim) continue;
      absl::SleepFor(client.life.Remaining());
      client.process->Kill();
      ++killed_;
    }
    absl::Status status;
    for (Client& client : clients) {
      if (client.is_victim) continue;
      // Each call of the driver has its deadline in the client itself.
      const absl::StatusOr<uint64_t> loads =
          client.process->WaitFor(work_.time + 2 * setting_.deadline);
      status.Update(loads.status());
      loads_ += loads.value_or(0);
    }
    return status;
  }

  uint64_t killed() const { return killed_; }
  uint64_t loads() const { return loads_; }

 private:
  const StressSetting& setting_;
  const ClientWork work_;
  const double share_killed_;
  SplitMix64& random_;
  uint64_t killed_ = 0;
  uint64_t loads_ = 0;
};

// Waves of clients, each a part of which is killed: as the shares say, in equal parts of the time.
StressOutcome RunWaves(const StressSetting& setting, uint64_t executions,
                       const std::vector<double>& shares_killed) {
  StressOutcome outcome;
  SplitMix64 random(setting.seed);
  ResourceTrend trend("wave of clients");
  ClientWork work;
  work.threads = kThreadsOfProcess;
  work.executions = executions;
  work.time = std::clamp(setting.time / kWaves, kShortestWave, kLongestWave);
  work.deadline = setting.deadline;
  uint64_t killed = 0;
  uint64_t loads = 0;
  TimeOfRounds time(setting.time);
  const hal::Deadline end(setting.time);
  const auto share = [&] {
    const double done = 1 - absl::FDivDuration(end.Remaining(), setting.time);
    const size_t part = static_cast<size_t>(done * static_cast<double>(shares_killed.size()));
    return shares_killed[std::min(part, shares_killed.size() - 1)];
  };
  do {
    Wave wave(setting, work, share(), random);
    outcome.status = wave.Run();
    outcome.status.Update(setting.service->Health());
    killed += wave.killed();
    loads += wave.loads();
    if (!outcome.status.ok()) break;
    ++outcome.rounds;
    trend.Add(setting.service->SettledResources());
  } while (!time.IsOver(trend) && setting.goes_on());
  if (outcome.status.ok()) outcome.status = AnswerNewClient(setting);
  outcome.status.Update(trend.Check("clients that have gone"));
  outcome.detail = absl::StrCat(kProcesses, " processes of ", kThreadsOfProcess,
                                " threads at a time, ", killed, " of ", outcome.rounds * kProcesses,
                                " killed, ", loads, " loads by the others; ", trend.Describe());
  return outcome;
}

}  // namespace

StressOutcome ClientEarlyTermination(const StressSetting& setting) {
  StressOutcome outcome;
  SplitMix64 random(setting.seed);
  ResourceTrend trend("client killed");
  TimeOfRounds time(setting.time);
  {
    BackgroundClient bystander(setting.service->driver(), setting.networks, kBystanderExecutions,
                               setting.deadline);
    do {
      outcome.status = KillOne(setting, outcome.rounds % 2 == 0, random);
      if (!outcome.status.ok()) break;
      ++outcome.rounds;
      trend.Add(setting.service->SettledResources());
    } while (!bystander.has_ended() && !time.IsOver(trend) && setting.goes_on());
    if (absl::Status status = bystander.End(); !status.ok()) {
      outcome.status = absl::Status(
          status.code(),
          absl::StrCat("a client that went on while others were killed: ", status.message()));
    }
    outcome.detail = absl::StrCat(outcome.rounds, " clients killed, ", bystander.executions(),
                                  " inferences of another one meanwhile; ", trend.Describe());
  }
  if (outcome.status.ok()) outcome.status = AnswerNewClient(setting);
  outcome.status.Update(trend.Check("clients that have gone"));
  return outcome;
}

StressOutcome MultiProcessInference(const StressSetting& setting) {
  return RunWaves(setting, kExecutionsOfProcess, {0, 0.8});
}

StressOutcome MultiProcessModelLoad(const StressSetting& setting) {
  return RunWaves(setting, 0, {0, 0.5, 1});
}

}  // namespace nncert
