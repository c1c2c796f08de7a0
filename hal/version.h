// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The versions of the Neural Networks HAL that nncert knows.

#ifndef NNCERT_HAL_VERSION_H_
#define NNCERT_HAL_VERSION_H_

#include <array>
#include <optional>
#include <ostream>
#include <string_view>

namespace nncert::hal {

/// A version of the HAL. Later versions compare greater.
enum class HalVersion {
  V1_0,  ///< Android 8.1, API level 27
  V1_1,  ///< Android 9, API level 28
  V1_2,  ///< Android 10, API level 29
};

/// All versions, the earliest first.
inline constexpr std::array<HalVersion, 3> kHalVersions = {HalVersion::V1_0, HalVersion::V1_1,
                                                           HalVersion::V1_2};

/// The version as people write it: "1.0", "1.1" or "1.2".
std::string_view toString(HalVersion version);

/// The version as namespaces and folders of spec files are named: "V1_0", "V1_1" or "V1_2".
std::string_view namespaceName(HalVersion version);

/// The version that is written `text`, in either of the forms above; nothing when there is none.
std::optional<HalVersion> halVersionFromString(std::string_view text);

/// Writes toString(version).
std::ostream& operator<<(std::ostream& stream, HalVersion version);

}  // namespace nncert::hal

#endif  // NNCERT_HAL_VERSION_H_
