// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Clients of a driver: threads that load and execute networks over and over, and processes of such
// threads.

#ifndef NNCERT_MLTS_STRESS_STRESS_CLIENT_H_
#define NNCERT_MLTS_STRESS_STRESS_CLIENT_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "certifying/driver_names.h"
#include "hal/handle.h"
#include "mlts/stress/stress_network.h"
#include "system/child_process.h"

namespace nncert {

/// What the threads of a client do.
struct ClientWork {
  /// How many threads there are, each a client of its own for the driver.
  size_t threads = 1;
  /// How often each executes a network before it goes on to the next; 0 to prepare it alone.
  uint64_t executions = 1;
  /// For how long they go on after the first load.
  absl::Duration time;
  /// For each call of the driver.
  absl::Duration deadline = kDefaultDeadline;
};

/// Connects each thread to a driver, and has it load all networks by turns, each thread from
/// another one on, until the time is over. What the first thread to meet a problem says of it, as
/// OpenDriver and LoadNetwork do; the others end then. `on_first_load` is called once, by any
/// thread, when a network has been loaded and executed, and no thread goes on to its second before
/// it returns; it may be null.
absl::Status RunClient(const NamedDriver& driver, absl::Span<const StressNetwork> networks,
                       const ClientWork& work, LoadCount& count,
                       const std::function<void()>& on_first_load = nullptr);

/// A client in a thread of its own, which loads networks by turns until it is told to end, or meets
/// a problem.
class BackgroundClient {
 public:
  /// Has the client connect to the driver, and execute each network so often each time, 0 to
  /// prepare it alone. The networks are the caller's.
  BackgroundClient(const NamedDriver& driver, absl::Span<const StressNetwork> networks,
                   uint64_t executions, absl::Duration deadline);
  BackgroundClient(const BackgroundClient&) = delete;
  BackgroundClient& operator=(const BackgroundClient&) = delete;
  ~BackgroundClient() { static_cast<void>(End()); }

  /// Waits until it has loaded a network, or has ended.
  void AwaitFirstLoad() const { has_begun_.wait(false); }

  /// Whether it has met a problem.
  bool has_ended() const { return has_ended_; }

  /// Ends it, and says what became of it, as OpenDriver and LoadNetwork do.
  absl::Status End();

  /// How often it executed a network, once it has ended.
  uint64_t executions() const { return count_.executions; }

 private:
  std::atomic<bool> is_over_ = false;
  std::atomic<bool> has_begun_ = false;
  std::atomic<bool> has_ended_ = false;
  absl::Status status_;
  LoadCount count_;
  std::thread thread_;
};

/// Where a client in another process lives, and what it is given.
struct ClientCommand {
  /// The words that begin the command line of a client, a program first: MainOfClient in it is
  /// given what follows them.
  std::vector<std::string> words;
  /// The networks, see WriteStressNetworks.
  std::string networks;
};

/// A client in a process of its own, which is killed with this object. After its first load it
/// waits to be told to go on, so that several begin together, however long each took to start.
class ClientProcess {
 public:
  /// Starts a client of a service. Fails when it cannot be started.
  static absl::StatusOr<std::unique_ptr<ClientProcess>> Start(const ClientCommand& command,
                                                              const NamedDriver& service,
                                                              const ClientWork& work);

  /// Waits until it has loaded a network, and executed it if it does that. DeadlineExceeded when
  /// that takes longer than `timeout`, and as WaitFor when it has ended before.
  absl::Status AwaitFirstLoad(absl::Duration timeout);

  /// Lets it go on after its first load: its time begins.
  void GoOn();

  /// Waits for its end, and gives how many networks it loaded: the status that RunClient gave,
  /// DeadlineExceeded when it takes longer than `timeout`, Internal when it ended otherwise.
  absl::StatusOr<uint64_t> WaitFor(absl::Duration timeout);

  /// Kills it by SIGKILL, whatever it is at.
  void Kill() { child_->Kill(); }

 private:
  ClientProcess(std::unique_ptr<ChildProcess> child, hal::FileDescriptor socket)
      : child_(std::move(child)), socket_(std::move(socket)) {}

  std::unique_ptr<ChildProcess> child_;
  hal::FileDescriptor socket_;  // whose closing tells the client that nobody waits for it
};

/// The program of a client process, given what Start puts behind ClientCommand::words: runs the
/// client, writes for Start's side what comes of it, and gives the exit status. InvalidArgument
/// when the words are not those of Start. Ends with the process that started it.
absl::StatusOr<int> MainOfClient(absl::Span<const std::string> words);

}  // namespace nncert

#endif  // NNCERT_MLTS_STRESS_STRESS_CLIENT_H_
