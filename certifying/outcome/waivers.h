// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Failures that a driver is certified in spite of, for a time.

#ifndef NNCERT_CERTIFYING_OUTCOME_WAIVERS_H_
#define NNCERT_CERTIFYING_OUTCOME_WAIVERS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "absl/time/civil_time.h"
#include "harness/records/finding.h"
#include "harness/records/verdict.h"

namespace re2 {
class RE2;
}  // namespace re2

namespace nncert {

/// A waiver as it is written; docs/waivers.md says how.
struct Waiver {
  /// Whose device it is, and which.
  std::string vendor;
  std::string device;
  /// Regular expressions (RE2) for the whole of what getVersionString says, and of the full
  /// name of a test: "GeneratedTests\.conv_2d_.*".
  std::string driver_version;
  std::string test;
  /// Why it is waived, and where that is told at length.
  std::string reason;
  std::string url;
  /// The last day on which it holds.
  absl::CivilDay expires;
  /// Where it begins in the file.
  size_t line = 0;
};

/// The waivers in a file of TOML. Errors name the file, the line and what was expected there:
/// NotFound when the file cannot be read, else InvalidArgument.
absl::StatusOr<std::vector<Waiver>> ReadWaivers(const std::string& path);

/// The same of a text; `name` is what errors call it.
absl::StatusOr<std::vector<Waiver>> ParseWaivers(const std::string& text, const std::string& name);

/// What became of a waiver in a run.
struct WaiverUse {
  Waiver waiver;
  /// It is for another version of the driver, or no longer holds: nothing was waived by it.
  bool is_of_other_version = false;
  bool has_expired = false;
  /// How many tests that it names failed, and how many passed; the first one that passed.
  uint64_t failed = 0;
  uint64_t passed = 0;
  std::string first_passed;

  /// Whether failures are waived by it.
  bool Holds() const { return !is_of_other_version && !has_expired; }
};

/// The waivers in a run on one driver. Thread-safe.
class RunWaivers {
 public:
  /// Fails with InvalidArgument when a regular expression is none.
  static absl::StatusOr<std::unique_ptr<RunWaivers>> Create(std::vector<Waiver> waivers,
                                                            const std::string& driver_version,
                                                            absl::CivilDay today);
  RunWaivers(const RunWaivers&) = delete;
  RunWaivers& operator=(const RunWaivers&) = delete;

  /// Is told of a test, once, whether it failed or passed (what did neither is not told). Gives the
  /// waiver that its failure is waived by, the first that holds; null where there is none.
  const Waiver* Find(const std::string& full_name, bool has_failed);

  /// What became of each so far, in the order of the file.
  std::vector<WaiverUse> Uses() const;

 private:
  RunWaivers() = default;

  mutable absl::Mutex mutex_;
  std::vector<WaiverUse> uses_;                         // guarded by mutex_ but for the waivers
  std::vector<std::shared_ptr<const re2::RE2>> tests_;  // their expressions for names
};

/// What is to be said of waivers after a run, a finding WAIVER for each: those that have expired,
/// that are of another version, that name no test which was run, and that name tests which pass.
std::vector<Finding> FindingsOf(const std::vector<WaiverUse>& uses);

/// [{"vendor", "device", "driverVersion", "test", "reason", "url", "expires", "state", "failed",
/// "passed"}], for a member two spaces deep; "state" is "holds", "expired" or "other version".
std::string WaiversToJson(const std::vector<WaiverUse>& uses);

}  // namespace nncert

#endif  // NNCERT_CERTIFYING_OUTCOME_WAIVERS_H_
