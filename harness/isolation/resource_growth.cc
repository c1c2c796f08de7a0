// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/isolation/resource_growth.h"

#include <algorithm>
#include <bit>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "hal/process_tree.h"

namespace nncert {
namespace {

std::string Cases(uint64_t count) { return count == 1 ? "1 case" : absl::StrCat(count, " cases"); }

}  // namespace

bool ResourceGrowth::IsDue(uint64_t cases) { return std::has_single_bit(cases); }

void ResourceGrowth::Add(uint64_t cases, const ResourceUse& use) { looks_.push_back({cases, use}); }

std::vector<std::string> ResourceGrowth::Findings() const {
  std::vector<std::string> findings;
  if (looks_.empty()) return findings;
  const Look& first = looks_.front();
  const Look& last = looks_.back();
  const auto compare = [&](uint64_t before, uint64_t after, uint64_t most, absl::string_view one,
                           absl::string_view many, absl::string_view more,
                           absl::string_view fault) {
    if (after <= before + most) return;
    findings.push_back(
        absl::StrCat("the driver's process had ", before, " ", before == 1 ? one : many, more,
                     " after ", Cases(first.cases), ", and ", after, " after ", Cases(last.cases),
                     ", when every prepared model had been released: it does not ", fault));
  };
  compare(first.use.descriptors, last.use.descriptors, kMostDescriptors, "descriptor",
          "descriptors", " open", "close all that it opens");
  compare(first.use.threads, last.use.threads, kMostThreads, "thread", "threads", "",
          "end all that it starts");
  compare(first.use.processes, last.use.processes, kMostProcesses, "process", "processes",
          ", itself among them,", "end all that it starts");
  // Looks between two doublings, the last one for example, say nothing of how fast it grows.
  std::vector<Look> doublings;
  std::copy_if(looks_.begin(), looks_.end(), std::back_inserter(doublings),
               [](const Look& look) { return IsDue(look.cases); });
  if (doublings.size() < 3) return findings;
  const Look& before = doublings[doublings.size() - 3];
  const Look& middle = doublings[doublings.size() - 2];
  const Look& end = doublings.back();
  const auto grown = [](const Look& from, const Look& to) {
    return to.use.memory > from.use.memory ? to.use.memory - from.use.memory : 0;
  };
  const uint64_t earlier = grown(before, middle);
  const uint64_t later = grown(middle, end);
  if (earlier >= kLeastMemory && later >= earlier + earlier / 2) {
    findings.push_back(absl::StrFormat(
        "the driver's process had %.1f MiB of memory after %s, %.1f MiB after %s and %.1f MiB "
        "after %s, when every prepared model had been released: it does not free all that it takes",
        hal::Mebibytes(before.use.memory), Cases(before.cases), hal::Mebibytes(middle.use.memory),
        Cases(middle.cases), hal::Mebibytes(end.use.memory), Cases(end.cases)));
  }
  return findings;
}

}  // namespace nncert
