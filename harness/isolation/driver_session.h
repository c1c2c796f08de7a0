// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// A driver under test, opened and ready to be asked.

#ifndef NNCERT_HARNESS_ISOLATION_DRIVER_SESSION_H_
#define NNCERT_HARNESS_ISOLATION_DRIVER_SESSION_H_

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "hal/deadline.h"
#include "hal/v1_0/interfaces.h"
#include "hal/v1_1/interfaces.h"
#include "hal/v1_2/interfaces.h"
#include "hal/version.h"
#include "harness/isolation/call_thread.h"
#include "harness/isolation/spare_pools.h"

namespace nncert::hal::replay {
class SpareQueues;
}  // namespace nncert::hal::replay

namespace nncert {

/// How long a driver may take for one call, and from a launch until its callback.
inline constexpr absl::Duration kDefaultDeadline = absl::Seconds(60);

/// Begins a driver that is a service: the path of its socket follows.
inline constexpr char kSocketPrefix[] = "unix:";

/// A driver as people write it down, taken apart.
struct DriverAndOption {
  /// The path of a shared object, a name, or a service: "unix:PATH".
  std::string driver;
  /// What the driver is created with: hal::DriverSlot::option.
  std::string option;
};

/// Whether a driver is given by its path, which has a slash or ends in ".so", not by a name.
bool IsDriverPath(absl::string_view driver);

/// Takes apart "NAME:OPTION" and "PATH.so:OPTION". A path that exists as it is written, and
/// anything without a colon, has no option; nor has a service.
DriverAndOption SplitDriverAndOption(const std::string& text);

/// A driver under test. Opening it checks that it can be tested at all: it is of a HAL version that
/// nncert knows, its status is AVAILABLE, and its capabilities can be read.
///
/// Calls of the driver go through calls(), so that one that hangs or throws costs a verdict and not
/// the run. Not to be used from two threads at the same time.
class DriverSession {
 public:
  /// Loads the driver from a shared object (see hal/driver_entry.h); `driver` is its path, `option`
  /// what it is created with; the session is called by both. Fails when it cannot be loaded, or as
  /// FromDevice does.
  static absl::StatusOr<std::unique_ptr<DriverSession>> Open(
      const std::string& driver, absl::Duration deadline = kDefaultDeadline,
      const std::string& option = "");

  /// Takes a device of any HAL version. `name` is what messages call it.
  /// Fails with FailedPrecondition when the device is null, not AVAILABLE, or does not tell its
  /// capabilities; DeadlineExceeded when it does not answer within `deadline`; Aborted when it
  /// throws. A device of another process comes with a `watch`, which must outlive the session; the
  /// session then fails as CallWatch::Health does. Every deadline of the driver goes by `clock`,
  /// which must outlive the session as well.
  static absl::StatusOr<std::unique_ptr<DriverSession>> FromDevice(
      std::shared_ptr<hal::V1_0::IDevice> device, std::string name,
      absl::Duration deadline = kDefaultDeadline, CallWatch* watch = nullptr,
      const hal::SteadyClock& clock = hal::SteadyClock::System());

  DriverSession(const DriverSession&) = delete;
  DriverSession& operator=(const DriverSession&) = delete;
  ~DriverSession();

  /// What the driver was opened as: the path, or the name given. The argument of --driver in the
  /// reproduce line.
  const std::string& name() const { return name_; }

  /// What IDevice::getVersionString says, on one line and without what terminals obey, cut when it
  /// is very long; empty when it fails, and for 1.0 and 1.1 devices, which do not have it.
  const std::string& version_string() const { return version_string_; }

  /// The extensions that IDevice::getSupportedExtensions lists; none for 1.0 and 1.1 devices.
  const std::vector<hal::V1_2::Extension>& extensions() const { return extensions_; }

  /// Whether the driver lists the extension called `name`.
  bool HasExtension(std::string_view name) const;

  /// What the driver says of itself against the HAL's rules, though it can be tested all the same:
  /// a sentence without a full stop each.
  const std::vector<std::string>& findings() const { return findings_; }

  /// The latest HAL version whose IDevice the device implements.
  hal::HalVersion hal_version() const { return hal_version_; }

  /// The device; never null.
  const std::shared_ptr<hal::V1_0::IDevice>& device() const { return device_; }

  /// The device as one of HAL 1.1; null when it is not.
  const std::shared_ptr<hal::V1_1::IDevice>& device_1_1() const { return device_1_1_; }

  /// The device as one of HAL 1.2; null when it is not.
  const std::shared_ptr<hal::V1_2::IDevice>& device_1_2() const { return device_1_2_; }

  /// Runs calls of the driver under a deadline.
  CallThread& calls() { return calls_; }
  const CallThread& calls() const { return calls_; }

  /// Opens the driver once more, with a session that shares nothing with this one.
  using Opener = std::function<absl::StatusOr<std::shared_ptr<DriverSession>>()>;

  /// A session of the same driver that knows nothing of what this one was told: in a process of its
  /// own where this one is in one, else with another device. Unimplemented where there is none to
  /// be had, as of a service, which is one process.
  absl::StatusOr<std::shared_ptr<DriverSession>> OpenAnother() const;

  /// Says how to open the driver once more; a null one for not at all.
  void SetOpener(Opener opener) { opener_ = std::move(opener); }
  const Opener& opener() const { return opener_; }

  /// Memory for requests to the driver.
  SparePools& spare_pools() { return spare_pools_; }

  /// Queues for bursts of calls that are made at once in this process; shared with calls that never
  /// end.
  const std::shared_ptr<hal::replay::SpareQueues>& spare_queues() const { return spare_queues_; }

  /// Whether calls may be made at once (nncert::CallAtOnce), as they may unless somebody says
  /// otherwise; and whether the driver was lost with such calls: which one it was, is to be found
  /// out call by call.
  bool MayCallAtOnce() const { return may_call_at_once_; }
  void SetMayCallAtOnce(bool may_call_at_once) { may_call_at_once_ = may_call_at_once; }
  bool IsLostAtOnce() const { return is_lost_at_once_; }
  void SetLostAtOnce() { is_lost_at_once_ = true; }

  /// How long a driver may take to let go of its callbacks when a model has been given back.
  static constexpr absl::Duration kPatience = absl::Milliseconds(250);

  /// Whether it is worth while to wait for the driver to let go of callbacks that it has called; a
  /// driver that has kept some of them for no use before is not waited for again.
  bool IsPatient() const { return patience_ > 0; }

  /// The driver was waited for in vain.
  void LosePatience() { --patience_; }

 private:
  DriverSession(std::string name, CallWatch* watch, const hal::SteadyClock& clock);
  absl::Status Start(std::shared_ptr<hal::V1_0::IDevice> device, absl::Duration deadline);
  absl::Status ReadExtensions(absl::Duration deadline);

  std::string name_;
  std::string version_string_;
  std::vector<hal::V1_2::Extension> extensions_;
  std::vector<std::string> findings_;
  hal::HalVersion hal_version_ = hal::HalVersion::V1_0;
  std::shared_ptr<hal::V1_0::IDevice> device_;
  std::shared_ptr<hal::V1_1::IDevice> device_1_1_;
  std::shared_ptr<hal::V1_2::IDevice> device_1_2_;
  CallThread calls_;
  Opener opener_;
  SparePools spare_pools_;
  const std::shared_ptr<hal::replay::SpareQueues> spare_queues_;
  bool may_call_at_once_ = true;
  bool is_lost_at_once_ = false;
  int patience_ = 3;
};

}  // namespace nncert

#endif  // NNCERT_HARNESS_ISOLATION_DRIVER_SESSION_H_
