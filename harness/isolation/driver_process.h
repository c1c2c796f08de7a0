// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// A driver in a process of its own, and the watch over it.

#ifndef NNCERT_HARNESS_ISOLATION_DRIVER_PROCESS_H_
#define NNCERT_HARNESS_ISOLATION_DRIVER_PROCESS_H_

#include <sys/types.h>

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "hal/deadline.h"
#include "hal/transport/client.h"
#include "harness/isolation/call_thread.h"
#include "harness/isolation/driver_session.h"
#include "harness/isolation/resource_growth.h"
#include "system/child_process.h"

namespace nncert {

/// How much memory the process of a driver may have unless somebody says otherwise, in bytes: half
/// of the machine's (or of what this process's control group may have), shared out among as many
/// processes as there are processors, but 4 GiB of it if there are as many.
uint64_t DefaultDriverMemory();

/// Which driver, and how it is reached.
struct DriverProcessOptions {
  /// What messages call the driver; see DriverSession::name.
  std::string name;
  /// The program that loads a driver and serves it: driver_host.
  std::string program;
  /// The path of the driver's shared object.
  std::string driver;
  /// What the driver is told when it is loaded; see hal::LoadDriver.
  std::string option = {};
  /// Not empty: the socket of a service that runs already, in place of the three above.
  std::string socket = {};
  /// The processor that the process and its caller share, who is to call it from there: see
  /// OnProcessor. (A service is where it is.) Without one, the system puts either where it wants.
  std::optional<int> processor = std::nullopt;
  /// How much memory the process may have, with all that it starts, in bytes; 0 for any amount. (A
  /// service may have what it likes.)
  uint64_t memory = DefaultDriverMemory();
  /// How long the driver may take for one call, loading it included.
  absl::Duration deadline = kDefaultDeadline;
  /// What the deadlines of the session's calls go by; must outlive the process. (Loading goes by
  /// that of the system.)
  const hal::SteadyClock* clock = &hal::SteadyClock::System();
};

/// What the process of a driver has used.
struct ProcessUsage {
  /// CPU time of all threads.
  absl::Duration cpu_time;
  /// The most physical memory at a time, in bytes.
  uint64_t peak_memory = 0;
};

/// What processes have now, together.
ResourceUse ResourcesOf(absl::Span<const pid_t> processes);

/// A driver in a process of its own: one that was started for it, or that of a service. Watches
/// each call of the session, and looks now and then whether the process uses CPU time, so that a
/// driver that is stalled is told from one that is slow. Ends the process with itself.
class DriverProcess final : private CallWatch {
 public:
  /// Starts a process and loads the driver into it, or connects to the service; then opens the
  /// session. Fails as DriverSession::FromDevice, hal::LoadDriver and Connection::Connect do; with
  /// Unavailable when the process ended meanwhile, DeadlineExceeded when it did not answer in time.
  static absl::StatusOr<std::unique_ptr<DriverProcess>> Start(const DriverProcessOptions& options);

  DriverProcess(const DriverProcess&) = delete;
  DriverProcess& operator=(const DriverProcess&) = delete;
  /// Gives the process a moment to end by itself, unless a call did not return; then kills it. (A
  /// service is left alone.)
  ~DriverProcess() override;

  /// The driver. Its calls fail with what Health says once the process is lost.
  DriverSession& session() { return *session_; }

  /// OK while the driver can be called; else why not. See CallWatch::Health. May be called by
  /// several threads.
  absl::Status Health() override;

  /// The number of the process; 0 when the system does not tell. (Its parent is a guard, which is
  /// counted nowhere; see hal/transport/process_guard.h.)
  pid_t process() const;

  /// How the process ended; nothing while it runs, and for a service.
  std::optional<ProcessEnd> EndOfProcess();

  /// What the process, and all that it has started, did so far that no driver should. Nothing for a
  /// service.
  GuardReport Report();

  /// Hangs up, so that the process ends, and waits for that: what it leaves behind is then in its
  /// report. The session is not to be called any more.
  void HangUp();

  /// How many bytes the process has written to its standard output and error; 0 for a service.
  uint64_t OutputSize();

  /// What the process has used so far.
  ProcessUsage Usage();

  /// What the process, and all that it has started, has now; nothing when it has ended.
  ResourceUse Resources() const;

 private:
  // A look at the process while a call is under way.
  struct Look {
    absl::Duration time;  // see SteadyClock::Now
    absl::Duration cpu_time;
    bool is_ready = false;  // to run; of the first look of a call, at every look since
  };

  explicit DriverProcess(const DriverProcessOptions& options) : options_(options) {}
  absl::Status Launch();
  absl::Status Connect();
  absl::Status OpenSession();
  // Waits for the process, which has been hung up on, and for its guard. Nothing when they do not
  // end, though the machine lets them.
  std::optional<ProcessEnd> AwaitEnd();
  // The driver's process, and what it has started; empty when it has ended.
  std::vector<pid_t> Processes() const;
  absl::Status DescribeFailure(const absl::Status& status);
  void Begin(absl::Duration deadline) override;
  absl::Status End() override;
  std::string Activity() override;
  void Watch();
  void LookAtCall();
  absl::Status DescribeLoss(const absl::Status& reason);
  std::string DescribeKill() const;
  // The last lines that the process wrote, behind a line that says so; empty when there are none.
  std::string LastLines() const;
  Look LookNow() const;
  bool IsReadyToRun() const;
  std::string DescribeActivity(const Look& before, const Look& after) const;

  const DriverProcessOptions options_;
  std::unique_ptr<ChildProcess> child_;    // null for a service
  uint64_t kills_for_want_of_memory_ = 0;  // of the whole system, before the process was started
  std::unique_ptr<hal::transport::Connection> connection_;
  std::unique_ptr<DriverSession> session_;
  std::mutex loss_mutex_;  // of loss_; locked before mutex_
  absl::Status loss_;      // OK, or what was lost, once that is known

  // Guards everything down to watch_.
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_ending_ = false;
  bool is_calling_ = false;
  bool has_looked_ = false;  // in the call under way
  absl::Duration call_timeout_;
  hal::Deadline half_time_ = hal::Deadline::Never();
  hal::Deadline call_deadline_ = hal::Deadline::Never();
  Look look_;                                          // at half time
  hal::Deadline window_end_ = hal::Deadline::Never();  // for look_ to tell something
  std::string overdue_;                                // what a call that took too long is told of
  std::thread watch_;
};

}  // namespace nncert

#endif  // NNCERT_HARNESS_ISOLATION_DRIVER_PROCESS_H_
