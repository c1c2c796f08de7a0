// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/stress/resource_trend.h"

#include <cstddef>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/types/span.h"
#include "mlts/measuring/resource_slopes.h"

namespace nncert {
namespace {

constexpr size_t kMostKept = 256;
// Rounds before the first that counts, and how many a half must have.
constexpr size_t kWarmUp = 4;
constexpr size_t kLeastOfHalf = 8;
// The pace that what grows must keep.
constexpr double kPace = 0.5;

double Mebibytes(uint64_t bytes) { return static_cast<double>(bytes) / (1 << 20); }

// The slopes of things that keep their pace; those of others are none.
ResourceSlopes Kept(const ResourceSlopes& earlier, ResourceSlopes later) {
  const auto keep = [](const Estimate& before, Estimate& after) {
    if (after.value < kPace * before.value) after = {};
  };
  keep(earlier.bytes, later.bytes);
  keep(earlier.descriptors, later.descriptors);
  keep(earlier.threads, later.threads);
  keep(earlier.processes, later.processes);
  return later;
}

}  // namespace

void ResourceTrend::Add(const ResourceUse& use) {
  last_ = use;
  if (rounds_++ % apart_ != 0) return;
  uses_.push_back(use);
  if (uses_.size() < kMostKept) return;
  for (size_t i = 0; 2 * i < uses_.size(); ++i) uses_[i] = uses_[2 * i];
  uses_.resize(uses_.size() / 2);
  apart_ *= 2;
}

std::string ResourceTrend::Growth() const {
  const size_t first = apart_ < kWarmUp ? kWarmUp : 1;
  if (uses_.size() < first + 2 * kLeastOfHalf) return "";
  const absl::Span<const ResourceUse> counted = absl::MakeSpan(uses_).subspan(first);
  const size_t half = counted.size() / 2;
  const double apart = static_cast<double>(apart_);
  const ResourceSlopes earlier = SlopesOf(counted.first(half), apart);
  const ResourceSlopes later = SlopesOf(counted.subspan(half), apart);
  std::vector<std::string> growing;
  if (!GrowingThings(earlier, round_).empty()) {
    growing = GrowingThings(Kept(earlier, later), round_);
  }
  return absl::StrJoin(growing, "; ");
}

absl::Status ResourceTrend::Check(const std::string& who) const {
  const std::string growth = Growth();
  if (growth.empty()) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(who, " leave behind ", growth));
}

std::string ResourceTrend::Describe() const {
  if (uses_.empty()) return "";
  const ResourceUse& at_first = uses_.front();
  std::string text =
      absl::StrFormat("%d descriptors (%d at first), %d threads (%d), %.1f MiB (%.1f)",
                      last_.descriptors, at_first.descriptors, last_.threads, at_first.threads,
                      Mebibytes(last_.memory), Mebibytes(at_first.memory));
  if (last_.processes > 1 || at_first.processes > 1) {
    absl::StrAppendFormat(&text, ", %d processes (%d)", last_.processes, at_first.processes);
  }
  return text;
}

bool TimeOfRounds::IsOver(const ResourceTrend& trend) {
  if (!end_.HasPassed()) return false;
  if (is_prolonged_ || trend.Growth().empty()) return true;
  is_prolonged_ = true;
  end_ = hal::Deadline(time_, clock_);
  return false;
}

}  // namespace nncert
