// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "system/machine.h"

#include <sys/sysinfo.h>
#include <sys/utsname.h>

#include <cstdint>
#include <fstream>
#include <thread>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"

namespace nncert {
namespace {

// "Acme AP7 @ 2.4 GHz"; empty when /proc/cpuinfo does not say.
std::string ProcessorModel() {
  std::ifstream info("/proc/cpuinfo");
  std::string line;
  while (std::getline(info, line)) {
    const size_t colon = line.find(':');
    if (!absl::StartsWith(line, "model name") || colon == std::string::npos) continue;
    return std::string(absl::StripAsciiWhitespace(absl::string_view(line).substr(colon + 1)));
  }
  return "";
}

}  // namespace

std::string DescribeMachine() {
  std::vector<std::string> parts;
  if (std::string model = ProcessorModel(); !model.empty()) parts.push_back(std::move(model));
  const unsigned processors = std::thread::hardware_concurrency();
  parts.push_back(absl::StrCat(processors, processors == 1 ? " processor" : " processors"));
  struct sysinfo info = {};
  if (sysinfo(&info) == 0) {
    const double bytes = static_cast<double>(info.totalram) * info.mem_unit;
    parts.push_back(absl::StrFormat("%.1f GiB", bytes / static_cast<double>(uint64_t{1} << 30)));
  }
  struct utsname names = {};
  if (uname(&names) == 0) parts.push_back(absl::StrCat(names.sysname, " ", names.release));
  return absl::StrJoin(parts, ", ");
}

}  // namespace nncert
