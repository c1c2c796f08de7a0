// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Verbose logging by subject, for code of the client and of drivers alike.
//
//   NNVLOG(DRIVER) << "prepared a model of " << n << " operations";
//
// The environment variable NNCERT_VLOG (on a phone: the property debug.nn.vlog) says which subjects
// are logged: nothing when it is empty or not set, everything for "1" or "all", and otherwise a
// list of tags, separated by spaces, commas or colons: compilation, cpuexe, driver, execution,
// manager, model. It is read once, at the first use.

#ifndef NNCERT_HAL_VLOG_H_
#define NNCERT_HAL_VLOG_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "glog/logging.h"

namespace nncert::hal {

/// What a message is about.
enum class VlogTag : uint32_t {
  MODEL = 0,        ///< models as they are built
  COMPILATION = 1,  ///< preparing models
  EXECUTION = 2,    ///< executing prepared models
  CPUEXE = 3,       ///< executing operations on the CPU
  MANAGER = 4,      ///< finding and choosing devices
  DRIVER = 5,       ///< what drivers do and are asked
};

/// What a value of NNCERT_VLOG means.
struct VlogSetting {
  /// Bit i is set when the tag of number i is logged.
  uint32_t mask = 0;
  /// The words that are no tags.
  std::vector<std::string> unknownTags;
};

/// Reads a value of NNCERT_VLOG.
VlogSetting parseVlogSetting(std::string_view value);

/// Whether messages of a tag are logged in this process. The first call logs a warning for each
/// unknown tag in NNCERT_VLOG.
bool isVlogOn(VlogTag tag);

}  // namespace nncert::hal

/// Whether messages of a tag (written without VlogTag::) are logged; to skip the work of making
/// them.
#define NNVLOG_IS_ON(TAG) (::nncert::hal::isVlogOn(::nncert::hal::VlogTag::TAG))

/// A stream to log a message of a tag to; what is streamed is not evaluated when the tag is off.
#define NNVLOG(TAG) LOG_IF(INFO, NNVLOG_IS_ON(TAG))

#endif  // NNCERT_HAL_VLOG_H_
