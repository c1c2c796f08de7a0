// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What people may write behind --driver.

#ifndef NNCERT_CERTIFYING_DRIVER_NAMES_H_
#define NNCERT_CERTIFYING_DRIVER_NAMES_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "harness/case_worker.h"
#include "harness/isolation/driver_process.h"
#include "harness/isolation/driver_session.h"

namespace nncert {

/// A driver that somebody asked for.
struct NamedDriver {
  /// What to call it, and what to write behind --driver to get it again: as it was written, or for
  /// the configured one its bundled name or its path.
  std::string name;
  /// The absolute path of the shared object; empty for a service.
  std::string path;
  /// What the driver is told when it is loaded; see hal::LoadDriver.
  std::string option = {};
  /// The absolute path of the socket of a service; empty for a shared object.
  std::string socket = {};
};

/// A driver that can be called.
class OpenedDriver {
 public:
  /// A driver in this process, which the first worker is to call from `processor`, if there is one.
  OpenedDriver(NamedDriver driver, std::unique_ptr<DriverSession> session,
               std::optional<int> processor)
      : driver_(std::move(driver)), session_(std::move(session)) {
    process_options_.processor = processor;
  }

  /// A driver in a process of its own.
  OpenedDriver(NamedDriver driver, DriverProcessOptions options,
               std::unique_ptr<DriverProcess> process)
      : driver_(std::move(driver)),
        process_options_(std::move(options)),
        process_(std::move(process)) {}

  /// Which driver it is.
  const NamedDriver& driver() const { return driver_; }

  /// The session; not to be used after MakeWorkers.
  DriverSession& session() { return process_ != nullptr ? process_->session() : *session_; }

  /// Its process; null for a driver in this one. Not to be used after MakeWorkers.
  DriverProcess* process() { return process_.get(); }

  /// The processor from which it is to be called (see OnProcessor); nothing for any.
  std::optional<int> processor() const { return process_options_.processor; }

  /// `count` workers, each with a process of its own when the driver is not in this one, and with a
  /// processor of its own as far as they go round, unless the driver is unpinned. They must
  /// not outlive this object. To be called once. Fails as WorkersInProcess does.
  absl::StatusOr<std::vector<std::unique_ptr<CaseWorker>>> MakeWorkers(size_t count,
                                                                       absl::Duration deadline);

 private:
  NamedDriver driver_;
  DriverProcessOptions process_options_;
  std::unique_ptr<DriverProcess> process_;
  std::unique_ptr<DriverSession> session_;
};

/// Finds a driver: "unix:PATH", the socket of a service (see hal/transport); the path of a shared
/// object; the name of a driver that is bundled under drivers/, "sample" (a file of that name in
/// the current folder is preferred when it says so with a slash, "./sample"). An option of the
/// driver's may follow either, "sample:OPTION", "./mine.so:OPTION". Where nobody asks for one, it
/// is the one that the environment variable NNCERT_DRIVER says, and without that variable the
/// driver that the build was configured with (--//:driver=). NotFound says what was looked for, and
/// which names there are. InvalidArgument for an empty name: somebody meant a driver and named
/// none, and no other one is to be certified in its place.
absl::StatusOr<NamedDriver> FindDriver(const std::optional<std::string>& asked_for);

/// Where a driver is to live.
enum class Isolation {
  kPinned,     ///< in a process of its own, on the processor of who calls it
  kUnpinned,   ///< in a process of its own, on any processors
  kInProcess,  ///< in this one, which it takes with it when it crashes; called from one processor
  kInProcessUnpinned,  ///< in this one, called from any processors
};

/// Opens a driver; its session is called by NamedDriver::name. Fails as DriverProcess::Start or
/// DriverSession::Open do; InvalidArgument for a service that is to live in this process. `memory`
/// is that of DriverProcessOptions.
absl::StatusOr<OpenedDriver> OpenDriver(const NamedDriver& driver, Isolation isolation,
                                        absl::Duration deadline = kDefaultDeadline,
                                        uint64_t memory = DefaultDriverMemory());

/// The names of the bundled drivers, sorted.
absl::StatusOr<std::vector<std::string>> BundledDrivers();

}  // namespace nncert

#endif  // NNCERT_CERTIFYING_DRIVER_NAMES_H_
