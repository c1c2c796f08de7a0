// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// A driver as hostile as somebody's first one may be: the option says what it does to its process,
// to others and to the machine. It does so when it executes a model of two operations, and is
// honest with all others; what begins with "load_" it does when it is loaded.

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "hal/driver_entry.h"
#include "harness/testing/fake_device.h"

namespace nncert {
namespace {

using std::chrono::milliseconds;

// What a terminal would obey, bytes that are not UTF-8, and what XML, JSON and HTML would take for
// their own.
constexpr char kEvil[] = "\x1b[2J\x1b]0;owned\x07\xff\xfe\"<b>&'\r\b\xe2\x80\xae";

[[noreturn]] void Sleep() {
  while (true) pause();
}

[[noreturn]] void Spin() {
  for (std::atomic<unsigned> turns = 0;; ++turns) {
  }
}

// Has a new process do something. It never comes back.
pid_t InChild(const std::function<void()>& action) {
  const pid_t child = fork();
  if (child != 0) return child;
  action();
  _exit(0);
}

// Has a process do something that belongs to nobody: a daemon.
void InDaemon(const std::function<void()>& action) {
  const pid_t child = InChild([&action] {
    setsid();
    InChild(action);
  });
  waitpid(child, nullptr, 0);
}

void ForkBomb(bool is_of_sessions) {
  while (true) {
    fork();
    if (is_of_sessions) setsid();
  }
}

// Calls itself without an end, where no compiler sees it.
int Overflow(int depth) {
  static int (*volatile again)(int) = &Overflow;
  std::array<volatile char, 4096> frame = {};
  frame[0] = static_cast<char>(again(depth + 1));
  return frame[0];
}

void WriteToNowhere() {
  static std::atomic<uintptr_t> nowhere = 16;
  *reinterpret_cast<volatile int*>(nowhere.load()) = 1;
}

// Takes 30 GB, as fast as a driver that computes.
void TakeMemory(void* (*take)(size_t)) {
  constexpr size_t kChunk = size_t{32} << 20;
  constexpr size_t kPage = 4096;
  for (size_t taken = 0; taken < size_t{30} << 30; taken += kChunk) {
    auto* const chunk = static_cast<volatile char*>(take(kChunk));
    // What nobody reads a compiler leaves out, and the memory with it, unless it is volatile.
    for (size_t i = 0; i < kChunk; i += kPage) chunk[i] = 1;
    std::this_thread::sleep_for(milliseconds(10));
  }
}

void* TakeShared(size_t size) {
  return mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

void CloseFrom(int first) {
  for (int descriptor = first; descriptor < 1024; ++descriptor) close(descriptor);
}

void Limit(__rlimit_resource_t resource, rlim_t most) {
  const rlimit limit = {.rlim_cur = most, .rlim_max = most};
  setrlimit(resource, &limit);
}

void SetHandler(void (*handler)(int)) {
  for (int number = 1; number < 32; ++number) signal(number, handler);
}

void RaiseUnderHandler() {
  signal(SIGSEGV, [](int) { Spin(); });
  std::raise(SIGSEGV);
}

void TouchCutFile() {
  const int file = memfd_create("cut", 0);
  if (ftruncate(file, 4096) != 0) std::abort();
  auto* const bytes =
      static_cast<volatile char*>(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
  if (ftruncate(file, 0) != 0) std::abort();
  bytes[0] = 1;
}

// Says nonsense to whoever is at the other end of each socket.
void TalkNonsense() {
  const std::string nonsense(1 << 16, '\xA5');
  for (int descriptor = 3; descriptor < 64; ++descriptor) {
    send(descriptor, nonsense.data(), nonsense.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  }
}

void HangUpEach() {
  for (int descriptor = 3; descriptor < 64; ++descriptor) shutdown(descriptor, SHUT_RDWR);
}

void WriteForEver() {
  const std::string line(1 << 16, 'x');
  while (write(STDOUT_FILENO, line.data(), line.size()) >= 0) {
  }
}

void WriteALot() {
  const std::string line(1 << 20, 'x');
  for (int i = 0; i < 80; ++i) {
    if (write(STDERR_FILENO, line.data(), line.size()) < 0) return;
  }
}

void StartThreads() {
  while (true) std::thread(&Sleep).detach();
}

pid_t GrandParent() {
  std::FILE* const file =
      std::fopen(("/proc/" + std::to_string(getppid()) + "/status").c_str(), "r");
  std::array<char, 256> line = {};
  int parent = 0;
  while (std::fgets(line.data(), line.size(), file) != nullptr) {
    if (std::sscanf(line.data(), "PPid: %d", &parent) == 1) break;
  }
  std::fclose(file);
  return parent;
}

using Action = void (*)();

const std::map<std::string_view, Action>& Actions() {
  static const auto* const actions = new std::map<std::string_view, Action>{
      // ---- Ends ----
      {"abort", [] { std::abort(); }},
      {"exit", [] { std::exit(0); }},
      {"exit_quickly", [] { _exit(3); }},
      {"exit_in_a_thread", [] { std::thread([] { _exit(5); }).join(); }},
      {"throw", [] { throw std::runtime_error(kEvil); }},
      {"throw_in_a_thread", [] { std::thread([] { throw 7; }).join(); }},
      {"segfault", &WriteToNowhere},
      {"bus_error", &TouchCutFile},
      {"illegal_instruction", [] { __builtin_trap(); }},
      {"arithmetic", [] { std::raise(SIGFPE); }},
      {"stack_overflow", [] { Overflow(0); }},
      {"kill_itself", [] { kill(getpid(), SIGKILL); }},
      {"kill_its_group", [] { kill(0, SIGKILL); }},
      {"alarm", [] { alarm(1), Sleep(); }},
      {"become_another_program", [] { execl("/bin/sleep", "sleep", "1000", nullptr); }},
      {"load_abort", [] { std::abort(); }},
      {"load_exit", [] { std::exit(0); }},
      {"load_throw", [] { throw std::runtime_error(kEvil); }},
      // ---- Never ends ----
      {"loop", [] { Spin(); }},
      {"sleep", [] { Sleep(); }},
      {"loop_deaf", [] { SetHandler(SIG_IGN), Spin(); }},
      {"loop_in_a_handler", &RaiseUnderHandler},
      {"stop", [] { std::raise(SIGSTOP); }},
      {"hang_at_exit", [] { std::atexit([] { Sleep(); }), std::exit(0); }},
      {"load_sleep", [] { Sleep(); }},
      // ---- Other processes ----
      {"fork_spinning", [] { InChild(&Spin); }},
      {"fork_daemon", [] { InDaemon(&Spin); }},
      {"fork_deaf_daemon", [] { InDaemon([] { SetHandler(SIG_IGN), Sleep(); }); }},
      {"fork_without_descriptors", [] { InDaemon([] { CloseFrom(0), Sleep(); }); }},
      {"fork_and_loop_at_exit", [] { InDaemon(&Sleep), std::atexit(&Spin); }},
      {"fork_and_crash", [] { InDaemon(&Sleep), std::abort(); }},
      {"fork_and_sleep", [] { InDaemon(&Spin), Sleep(); }},
      {"fork_each_time",
       [] {
         for (int i = 0; i < 10; ++i) InDaemon(&Sleep);
       }},
      {"fork_bomb", [] { ForkBomb(false); }},
      {"fork_bomb_of_sessions", [] { ForkBomb(true); }},
      {"fork_bomb_in_a_daemon", [] { InDaemon([] { ForkBomb(true); }), Sleep(); }},
      {"thread_bomb", &StartThreads},
      {"kill_its_parent", [] { kill(getppid(), SIGKILL); }},
      {"stop_its_parent", [] { kill(getppid(), SIGSTOP); }},
      {"kill_the_program", [] { kill(GrandParent(), SIGKILL); }},
      {"kill_everything", [] { kill(-1, SIGKILL); }},
      // ---- The machine ----
      {"memory", [] { TakeMemory(&std::malloc); }},
      {"shared_memory", [] { TakeMemory(&TakeShared); }},
      {"memory_of_a_daemon", [] { InDaemon([] { TakeMemory(&std::malloc); }), Sleep(); }},
      {"leak_descriptors",
       [] {
         for (int i = 0; i < 20; ++i)
           if (dup(0) < 0) return;
       }},
      {"leak_threads",
       [] {
         for (int i = 0; i < 300; ++i) std::thread(&Sleep).detach();
       }},
      {"output", &WriteForEver},
      {"much_output", &WriteALot},
      {"evil_output", [] { std::fprintf(stderr, "%s\n", kEvil), std::abort(); }},
      // ---- Its own process ----
      {"close_everything", [] { CloseFrom(0); }},
      {"close_streams", [] { close(0), close(1), close(2); }},
      {"hang_up", &HangUpEach},
      {"talk_nonsense", &TalkNonsense},
      {"change_folder",
       [] {
         if (chdir("/proc") != 0) std::abort();
       }},
      {"change_group", [] { setsid(), setpgid(0, 0); }},
      {"limit_descriptors", [] { Limit(RLIMIT_NOFILE, 0); }},
      {"limit_memory", [] { Limit(RLIMIT_AS, 1 << 20); }},
      {"limit_time", [] { Limit(RLIMIT_CPU, 1), Spin(); }},
      {"hide", [] { prctl(PR_SET_DUMPABLE, 0), prctl(PR_SET_NAME, kEvil), umask(0777); }},
  };
  return *actions;
}

Lies LiesOf(std::string_view kind) {
  static std::atomic<bool> bites = false;
  Lies lies;
  lies.model = [](const hal::V1_2::Model& model) { bites = model.operations.size() == 2; };
  // ---- Strings ----
  if (kind == "evil_extension") {
    lies.extensions = [](hal::V1_2::GetSupportedExtensionsResult& result) {
      result.extensions = {{.name = kEvil, .operandTypes = {}}};
    };
  }
  if (kind == "evil_version") lies.version = [] { return kEvil + std::string(1 << 20, 'v'); };
  if (const auto action = Actions().find(kind); action != Actions().end()) {
    lies.execution = [act = action->second](FakeExecution&) {
      if (bites) act();
    };
  }
  return lies;
}

absl::StatusOr<std::shared_ptr<hal::V1_2::IDevice>> Create(std::string_view option) {
  if (option == "load_evil_message") return absl::UnavailableError(kEvil);
  const auto action = Actions().find(option);
  if (action == Actions().end() && option != "honest" && option.substr(0, 5) != "evil_") {
    return absl::NotFoundError("there is no such kind");
  }
  if (option.substr(0, 5) == "load_") action->second();
  return MakeFakeDevice(LiesOf(option));
}

}  // namespace
}  // namespace nncert

NNCERT_REGISTER_DRIVER(nncert::Create);
