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

#include "absl/functional/function_ref.h"
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

// What the file stat of a process or thread says of it.
struct Stat {
  // See proc(5); 0 when there is no such process or thread.
  char state = 0;
  // The process that started it.
  pid_t parent = 0;

  bool HasEnded() const { return state == 'Z' || state == 'X'; }
};

Stat StatIn(const std::string& folder) {
  std::ifstream file(folder + "/stat");
  std::string text;
  std::getline(file, text);
  // The name, in parentheses, may hold anything, but what follows holds no parenthesis.
  const size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return {};
  std::istringstream rest(text.substr(name_end + 1));
  Stat stat;
  rest >> stat.state >> stat.parent;
  return stat;
}

// Calls a function with the name of each entry of a folder that is a number: a process, or a
// thread.
void ForEachNumberIn(const std::string& path, absl::FunctionRef<void(pid_t)> visit) {
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir(path.c_str()), &closedir);
  if (folder == nullptr) return;
  while (const dirent* const entry = readdir(folder.get())) {
    pid_t number = 0;
    if (absl::SimpleAtoi(entry->d_name, &number)) visit(number);
  }
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

bool IsReadyToRun(pid_t process) {
  const std::string threads = absl::StrCat("/proc/", process, "/task");
  bool is_ready = false;
  ForEachNumberIn(threads, [&](pid_t thread) {
    is_ready = is_ready || StatIn(absl::StrCat(threads, "/", thread)).state == 'R';
  });
  return is_ready;
}

std::string NameOf(pid_t process) {
  std::ifstream file(absl::StrCat("/proc/", process, "/comm"));
  std::string name;
  std::getline(file, name);
  return name;
}

std::vector<pid_t> DescendantsOf(pid_t process) {
  std::multimap<pid_t, pid_t> children;
  ForEachNumberIn("/proc", [&](pid_t child) {
    const Stat stat = StatIn(absl::StrCat("/proc/", child));
    // What one that has ended had started belongs to another by now.
    if (stat.parent > 0 && !stat.HasEnded()) children.emplace(stat.parent, child);
  });
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
