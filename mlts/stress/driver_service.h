// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// A driver that serves any number of clients, threads and processes, from one process.

#ifndef NNCERT_MLTS_STRESS_DRIVER_SERVICE_H_
#define NNCERT_MLTS_STRESS_DRIVER_SERVICE_H_

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "certifying/driver_names.h"
#include "hal/handle.h"
#include "harness/isolation/driver_process.h"
#include "system/child_process.h"
#include "system/subprocess.h"

namespace nncert {

/// A driver in a process of its own, on any processors, that clients connect to: a shared object is
/// served by driver_host, a service of the user's is taken as it is. The process ends with this
/// object, unless it is the user's. Thread-safe.
class DriverService {
 public:
  /// Starts the process and waits until clients can connect. `memory` is that of
  /// DriverProcessOptions, `deadline` for the start, and for each call of a client of Connect.
  /// Fails as DriverProcess::Start does.
  static absl::StatusOr<std::unique_ptr<DriverService>> Start(const NamedDriver& driver,
                                                              uint64_t memory,
                                                              absl::Duration deadline);

  DriverService(const DriverService&) = delete;
  DriverService& operator=(const DriverService&) = delete;
  ~DriverService();

  /// What clients are to open: the service, under the driver's name.
  const NamedDriver& driver() const { return served_; }

  /// Another client. Fails as DriverProcess::Start does.
  absl::StatusOr<OpenedDriver> Connect() const;

  /// OK while the process runs; else Unavailable, with how it ended and the last lines that it
  /// wrote. OK for a service of the user's, whose end only its clients see.
  absl::Status Health();

  /// What a client met, as it is to be told: how the process ended, if it did.
  absl::Status Explained(const absl::Status& status);

  /// What the process, and all that it has started, have when no client is at work: once it has
  /// been the same for a moment, or after a second.
  ResourceUse SettledResources();

  /// What the process did so far that no driver should; see GuardReport::findings.
  std::vector<std::string> Findings();

 private:
  DriverService(NamedDriver driver, absl::Duration deadline)
      : served_(std::move(driver)), deadline_(deadline) {}
  absl::Status Launch(const NamedDriver& driver, uint64_t memory);
  absl::Status AwaitClients();
  ResourceUse Resources();

  NamedDriver served_;
  const absl::Duration deadline_;
  std::optional<TemporaryFolder> folder_;  // of the socket
  hal::FileDescriptor hang_up_;            // the other end of what the process was started with
  std::unique_ptr<ChildProcess> child_;    // null for a service of the user's
  pid_t process_ = 0;                      // of a service of the user's
};

}  // namespace nncert

#endif  // NNCERT_MLTS_STRESS_DRIVER_SERVICE_H_
