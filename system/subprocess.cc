// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "system/subprocess.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "hal/handle.h"

namespace nncert {
namespace {

// How often is asked whether to stop, in milliseconds.
constexpr int kStopInterval = 50;

// Both ends of a new pipe, reading first.
absl::StatusOr<std::pair<hal::FileDescriptor, hal::FileDescriptor>> MakePipe() {
  std::array<int, 2> ends;
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return absl::ErrnoToStatus(errno, "pipe2");
  return std::pair(hal::FileDescriptor::Adopt(ends[0]), hal::FileDescriptor::Adopt(ends[1]));
}

// Reads what there is to be read; false at the end.
bool ReadSome(int descriptor, std::string& text) {
  std::array<char, 65536> buffer;
  const ssize_t count = read(descriptor, buffer.data(), buffer.size());
  if (count > 0) text.append(buffer.data(), count);
  return count > 0 || (count < 0 && errno == EINTR);
}

// As C has lists of strings: with a null pointer behind them.
std::vector<char*> PointersTo(std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (std::string& string : strings) pointers.push_back(string.data());
  pointers.push_back(nullptr);
  return pointers;
}

// Our environment, with these variables instead of those of the same names.
std::vector<std::string> EnvironmentWith(const std::vector<std::string>& variables) {
  std::vector<std::string> environment = variables;
  const auto name_of = [](absl::string_view variable) {
    return variable.substr(0, variable.find('='));
  };
  for (char** own = environ; *own != nullptr; ++own) {
    const bool is_replaced = absl::c_any_of(
        variables, [&](absl::string_view variable) { return name_of(variable) == name_of(*own); });
    if (!is_replaced) environment.emplace_back(*own);
  }
  return environment;
}

}  // namespace

absl::StatusOr<ProcessResult> RunProcess(const std::vector<std::string>& arguments,
                                         const std::function<bool()>& should_stop,
                                         const std::vector<std::string>& variables) {
  auto output_pipe = MakePipe();
  if (!output_pipe.ok()) return output_pipe.status();
  auto errors_pipe = MakePipe();
  if (!errors_pipe.ok()) return errors_pipe.status();

  std::vector<std::string> words = arguments;
  std::vector<char*> argument_pointers = PointersTo(words);
  std::vector<std::string> environment = EnvironmentWith(variables);
  std::vector<char*> environment_pointers = PointersTo(environment);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output_pipe->second.get(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, errors_pipe->second.get(), STDERR_FILENO);
  pid_t process = 0;
  const int error = posix_spawnp(&process, argument_pointers[0], &actions, nullptr,
                                 argument_pointers.data(), environment_pointers.data());
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return absl::ErrnoToStatus(error, absl::StrCat("cannot run ", arguments[0]));
  output_pipe->second = {};
  errors_pipe->second = {};

  // Both are read as they come, or the program would stop at a full pipe.
  ProcessResult result;
  std::array<pollfd, 2> polled = {pollfd{output_pipe->first.get(), POLLIN, 0},
                                  pollfd{errors_pipe->first.get(), POLLIN, 0}};
  const std::array<std::string*, 2> texts = {&result.output, &result.errors};
  bool is_stopped = false;
  while (polled[0].fd >= 0 || polled[1].fd >= 0) {
    if (should_stop != nullptr && !is_stopped && should_stop()) {
      is_stopped = true;
      kill(process, SIGINT);
    }
    if (poll(polled.data(), polled.size(), should_stop == nullptr ? -1 : kStopInterval) < 0) {
      if (errno == EINTR) continue;
      break;
    }
    for (size_t i = 0; i < polled.size(); ++i) {
      if (polled[i].fd < 0 || polled[i].revents == 0) continue;
      if (!ReadSome(polled[i].fd, *texts[i])) polled[i].fd = -1;
    }
  }
  int status = 0;
  while (waitpid(process, &status, 0) < 0) {
    if (errno != EINTR)
      return absl::ErrnoToStatus(errno, absl::StrCat("waiting for ", arguments[0]));
  }
  if (is_stopped) return absl::CancelledError(absl::StrCat(arguments[0], " was interrupted"));
  result.exit_status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return result;
}

absl::StatusOr<TemporaryFolder> TemporaryFolder::Create() {
  std::error_code error;
  const char* place = std::getenv("TEST_TMPDIR");
  std::string pattern =
      place != nullptr ? place : std::filesystem::temp_directory_path(error).string();
  if (error) {
    return absl::NotFoundError(
        absl::StrCat("there is no folder for temporary files: ", error.message()));
  }
  absl::StrAppend(&pattern, "/nncert-XXXXXX");
  if (mkdtemp(pattern.data()) == nullptr) {
    return absl::ErrnoToStatus(errno, absl::StrCat("cannot make the folder ", pattern));
  }
  return TemporaryFolder(std::move(pattern));
}

TemporaryFolder::TemporaryFolder(TemporaryFolder&& other) noexcept
    : path_(std::exchange(other.path_, {})) {}

TemporaryFolder& TemporaryFolder::operator=(TemporaryFolder&& other) noexcept {
  std::swap(path_, other.path_);
  return *this;
}

TemporaryFolder::~TemporaryFolder() {
  if (path_.empty()) return;
  std::error_code error;
  std::filesystem::remove_all(path_, error);
}

}  // namespace nncert
