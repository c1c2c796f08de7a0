// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/version.h"

namespace nncert::hal {

std::string_view toString(HalVersion version) {
  switch (version) {
    case HalVersion::V1_0:
      return "1.0";
    case HalVersion::V1_1:
      return "1.1";
    case HalVersion::V1_2:
      return "1.2";
  }
  return "unknown HAL version";
}

std::string_view namespaceName(HalVersion version) {
  switch (version) {
    case HalVersion::V1_0:
      return "V1_0";
    case HalVersion::V1_1:
      return "V1_1";
    case HalVersion::V1_2:
      return "V1_2";
  }
  return "unknown HAL version";
}

std::optional<HalVersion> halVersionFromString(std::string_view text) {
  for (const HalVersion version : kHalVersions) {
    if (text == toString(version) || text == namespaceName(version)) return version;
  }
  return std::nullopt;
}

std::ostream& operator<<(std::ostream& stream, HalVersion version) {
  return stream << toString(version);
}

}  // namespace nncert::hal
