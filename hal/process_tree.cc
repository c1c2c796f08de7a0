// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/process_tree.h"

#include <dirent.h>

#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string_view>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace nncert::hal {
namespace {

constexpr uint64_t kKibibyte = 1024;

// The number behind a word of a file of /proc; 0 when there is none.
uint64_t NumberIn(std::istream& line) {
  uint64_t number = 0;
  line >> number;
  return number;
}

// The process that started a process, and whether that has ended already.
struct Parent {
  pid_t process = 0;
  bool has_child_ended = false;
};

Parent ParentOf(const char* process) {
  std::ifstream file(absl::StrCat("/proc/", process, "/stat"));
  std::string text;
  std::getline(file, text);
  // The name, in parentheses, may hold anything, but what follows holds no parenthesis.
  const size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return {};
  std::istringstream rest(text.substr(name_end + 1));
  char state = 0;
  pid_t parent = 0;
  rest >> state >> parent;
  return {parent, state == 'Z' || state == 'X'};
}

}  // namespace

ProcessStatus StatusOf(pid_t process) {
  ProcessStatus status;
  std::ifstream file(absl::StrCat("/proc/", process, "/status"));
  bool has_ended = false;
  for (std::string text; std::getline(file, text);) {
    std::istringstream line(text);
    std::string word;
    line >> word;
    if (word == "State:") {
      char state = 0;
      line >> state;
      has_ended = state == 'Z' || state == 'X';
      status.is_stopped = state == 'T' || state == 't';
    } else if (word == "VmHWM:") {
      status.peak_memory = NumberIn(line) * kKibibyte;
    } else if (word == "RssAnon:" || word == "VmSwap:") {
      status.own_memory += NumberIn(line) * kKibibyte;
    } else if (word == "RssShmem:") {
      status.shared_memory = NumberIn(line) * kKibibyte;
    } else if (word == "Threads:") {
      status.threads = NumberIn(line);
    }
  }
  return has_ended ? ProcessStatus() : status;
}

uint64_t ProportionalMemoryOf(pid_t process) {
  std::ifstream file(absl::StrCat("/proc/", process, "/smaps_rollup"));
  uint64_t bytes = 0;
  for (std::string text; std::getline(file, text);) {
    std::istringstream line(text);
    std::string word;
    line >> word;
    if (word == "Pss:" || word == "SwapPss:") bytes += NumberIn(line) * kKibibyte;
  }
  return bytes;
}

std::string NameOf(pid_t process) {
  std::ifstream file(absl::StrCat("/proc/", process, "/comm"));
  std::string name;
  std::getline(file, name);
  return name;
}

std::vector<pid_t> DescendantsOf(pid_t process) {
  std::multimap<pid_t, pid_t> children;
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir("/proc"), &closedir);
  if (folder == nullptr) return {};
  while (const dirent* const entry = readdir(folder.get())) {
    pid_t child = 0;
    if (!absl::SimpleAtoi(entry->d_name, &child)) continue;
    const Parent parent = ParentOf(entry->d_name);
    // What one that has ended had started belongs to another by now.
    if (parent.process > 0 && !parent.has_child_ended) children.emplace(parent.process, child);
  }
  std::vector<pid_t> descendants;
  std::vector<pid_t> parents = {process};
  while (!parents.empty()) {
    std::vector<pid_t> of_parents;
    for (const pid_t parent : parents) {
      const auto [begin, end] = children.equal_range(parent);
      for (auto child = begin; child != end; ++child) of_parents.push_back(child->second);
    }
    descendants.insert(descendants.end(), of_parents.begin(), of_parents.end());
    parents = std::move(of_parents);
  }
  return descendants;
}

}  // namespace nncert::hal
