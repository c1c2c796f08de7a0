// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/measuring/resource_slopes.h"

#include <algorithm>
#include <cstdint>

#include "absl/strings/str_format.h"
#include "mlts/metrics/intervals.h"

namespace nncert {
namespace {

constexpr double kMostThings = 0.1;
constexpr double kMostBytes = 16 << 10;

Estimate SlopeOfMember(absl::Span<const ResourceUse> uses, uint64_t ResourceUse::*member,
                       double rounds_apart) {
  std::vector<double> values;
  for (const ResourceUse& use : uses) values.push_back(static_cast<double>(use.*member));
  const Estimate slope = SlopeOf(values);
  // Of an odd number the one in the middle is in both.
  const auto earlier = absl::MakeConstSpan(values).first((values.size() + 1) / 2);
  const auto later = absl::MakeConstSpan(values).subspan(values.size() / 2);
  const double low = std::min({slope.low, SlopeOf(earlier).value, SlopeOf(later).value});
  return {slope.value / rounds_apart, low / rounds_apart, slope.high / rounds_apart};
}

}  // namespace

ResourceSlopes SlopesOf(absl::Span<const ResourceUse> uses, double rounds_apart) {
  return {SlopeOfMember(uses, &ResourceUse::memory, rounds_apart),
          SlopeOfMember(uses, &ResourceUse::descriptors, rounds_apart),
          SlopeOfMember(uses, &ResourceUse::threads, rounds_apart),
          SlopeOfMember(uses, &ResourceUse::processes, rounds_apart)};
}

std::vector<std::string> GrowingThings(const ResourceSlopes& slopes, const std::string& round) {
  std::vector<std::string> growing;
  const auto add = [&](const char* what, const Estimate& slope, double most) {
    if (!(slope.low > most)) return;
    growing.push_back(absl::StrFormat("%s, %.4g [%.4g, %.4g] a %s", what, slope.value, slope.low,
                                      slope.high, round));
  };
  add("descriptors", slopes.descriptors, kMostThings);
  add("threads", slopes.threads, kMostThings);
  add("processes", slopes.processes, kMostThings);
  add("bytes of memory", slopes.bytes, kMostBytes);
  return growing;
}

}  // namespace nncert
