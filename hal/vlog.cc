// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/vlog.h"

#include <array>
#include <cstdlib>
#include <utility>

#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace nncert::hal {
namespace {

constexpr std::array<std::pair<absl::string_view, VlogTag>, 6> kTags = {{
    {"model", VlogTag::MODEL},
    {"compilation", VlogTag::COMPILATION},
    {"execution", VlogTag::EXECUTION},
    {"cpuexe", VlogTag::CPUEXE},
    {"manager", VlogTag::MANAGER},
    {"driver", VlogTag::DRIVER},
}};

constexpr uint32_t BitOf(VlogTag tag) { return uint32_t{1} << static_cast<uint32_t>(tag); }

uint32_t MaskOfEnvironment() {
  const char* const value = std::getenv("NNCERT_VLOG");
  const VlogSetting setting = parseVlogSetting(value == nullptr ? "" : value);
  for (const std::string& tag : setting.unknownTags) {
    LOG(WARNING) << "unknown tag \"" << tag << "\" in NNCERT_VLOG; expected 1, all, or some of "
                 << "compilation, cpuexe, driver, execution, manager, model";
  }
  return setting.mask;
}

}  // namespace

VlogSetting parseVlogSetting(std::string_view value) {
  VlogSetting setting;
  const std::string text(value);
  if (text == "1" || text == "all") {
    for (const auto& [name, tag] : kTags) setting.mask |= BitOf(tag);
    return setting;
  }
  for (const absl::string_view word :
       absl::StrSplit(text, absl::ByAnyChar(" ,:"), absl::SkipEmpty())) {
    bool is_known = false;
    for (const auto& [name, tag] : kTags) {
      if (word != name) continue;
      setting.mask |= BitOf(tag);
      is_known = true;
    }
    if (!is_known) setting.unknownTags.emplace_back(word);
  }
  return setting;
}

bool isVlogOn(VlogTag tag) {
  static const uint32_t mask = MaskOfEnvironment();
  return (mask & BitOf(tag)) != 0;
}

}  // namespace nncert::hal
