// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Serves the driver in a shared object to other processes.
//
//   driver_host --driver=PATH [--option=WORD] --fd=N          one client, at a connected socket
//   driver_host --driver=PATH [--option=WORD] --listen=PATH   a service, until SIGTERM or SIGINT
//   ... [--guard=N [--memory=BYTES]]                          with a guard over all its processes

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "glog/logging.h"
#include "hal/driver_loader.h"
#include "hal/handle.h"
#include "hal/transport/backtrace.h"
#include "hal/transport/process_guard.h"
#include "hal/transport/server.h"

namespace nncert::hal::transport {
namespace {

constexpr char kUsage[] =
    "usage: driver_host --driver=PATH [--option=WORD] [--cpu=N] (--fd=N | --listen=PATH "
    "[--permissions=OCTAL])\n"
    "                   [--guard=N [--memory=BYTES]]\n"
    "\n"
    "Serves the driver in a shared object.\n"
    "  --driver=PATH        the shared object\n"
    "  --option=WORD        passed on to the driver\n"
    "  --cpu=N              run on this processor alone, best the one the client runs on\n"
    "  --fd=N               serve one client, at an inherited connected Unix stream socket\n"
    "  --guard=N            divide into a guard, which writes its report to this pipe, and the "
    "driver\n"
    "  --memory=BYTES       of --guard: how much memory the driver may have\n"
    "  --listen=PATH        serve every client that connects to a socket, until SIGTERM\n"
    "  --permissions=OCTAL  of the socket; 0600 unless given\n";

// How long calls may still run when there is nobody left to hear their answers.
constexpr absl::Duration kGrace = absl::Seconds(2);

// How long after its client a process may live altogether.
constexpr absl::Duration kLastGrace = absl::Seconds(4);

struct Arguments {
  std::string driver;
  std::string option;
  std::optional<int> cpu;
  std::optional<int> fd;
  std::optional<int> guard;
  uint64_t memory = 0;
  std::string listen;
  mode_t permissions = 0600;
};

absl::StatusOr<int> ParseNumber(std::string_view text, int base) {
  const std::string digits(text);
  char* end = nullptr;
  errno = 0;
  const long value = std::strtol(digits.c_str(), &end, base);
  if (digits.empty() || *end != '\0' || errno != 0 || value < 0 || value > 1 << 20) {
    return absl::InvalidArgumentError(absl::StrCat("\"", digits, "\" is not a number"));
  }
  return static_cast<int>(value);
}

absl::StatusOr<Arguments> ParseArguments(const std::vector<std::string_view>& words) {
  Arguments arguments;
  for (const std::string_view word : words) {
    const size_t equals = word.find('=');
    if (word.substr(0, 2) != "--" || equals == std::string_view::npos) {
      return absl::InvalidArgumentError(
          absl::StrCat("expected --NAME=VALUE, not \"", std::string(word), "\""));
    }
    const std::string_view name = word.substr(2, equals - 2);
    const std::string_view value = word.substr(equals + 1);
    absl::Status status;
    const auto number = [&](int base) {
      const absl::StatusOr<int> parsed = ParseNumber(value, base);
      status = parsed.status();
      return parsed.value_or(0);
    };
    if (name == "driver") {
      arguments.driver = value;
    } else if (name == "option") {
      arguments.option = value;
    } else if (name == "listen") {
      arguments.listen = value;
    } else if (name == "cpu") {
      arguments.cpu = number(10);
    } else if (name == "fd") {
      arguments.fd = number(10);
    } else if (name == "guard") {
      arguments.guard = number(10);
    } else if (name == "memory") {
      if (!absl::SimpleAtoi(absl::string_view(value.data(), value.size()), &arguments.memory)) {
        status = absl::InvalidArgumentError("expected a number of bytes");
      }
    } else if (name == "permissions") {
      arguments.permissions = static_cast<mode_t>(number(8));
    } else {
      status = absl::InvalidArgumentError("there is no such argument");
    }
    if (!status.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat("--", std::string(name), ": ", status.message()));
    }
  }
  if (arguments.driver.empty()) return absl::InvalidArgumentError("--driver is missing");
  if (arguments.fd.has_value() == !arguments.listen.empty()) {
    return absl::InvalidArgumentError("expected either --fd or --listen");
  }
  return arguments;
}

absl::Status RunOn(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (cpu < CPU_SETSIZE) CPU_SET(cpu, &set);
  if (sched_setaffinity(0, sizeof(set), &set) != 0) {
    return absl::ErrnoToStatus(errno, absl::StrCat("cannot run on processor ", cpu));
  }
  return absl::OkStatus();
}

// Ends this process some time after the client has hung up, whatever the driver is at: it may never
// return from being loaded, from a call, from the destruction of its objects, or from what it has
// the process do at its end. The thread is left to itself.
absl::Status EndAfterHangup(int socket) {
  try {
    std::thread([socket] {
      pollfd hangup = {.fd = socket, .events = 0, .revents = 0};
      while (poll(&hangup, 1, -1) < 0 && errno == EINTR) continue;
      timespec left = absl::ToTimespec(kLastGrace);
      while (nanosleep(&left, &left) != 0 && errno == EINTR) continue;
      constexpr std::string_view kReason =
          "driver_host: the client has gone, and the driver does not come to its end\n";
      const ssize_t ignored = write(STDERR_FILENO, kReason.data(), kReason.size());
      static_cast<void>(ignored);
      _exit(EXIT_FAILURE);
    }).detach();
  } catch (const std::system_error& error) {
    return absl::ResourceExhaustedError(absl::StrCat("cannot start a thread: ", error.what()));
  }
  return absl::OkStatus();
}

absl::Status ServeDescriptor(const Arguments& arguments) {
  // A copy that lives as long as the process. No program that the driver starts gets either: it
  // would keep the connection open when this process has ended.
  const int watched = fcntl(*arguments.fd, F_DUPFD_CLOEXEC, 0);
  if (watched < 0 || fcntl(*arguments.fd, F_SETFD, FD_CLOEXEC) != 0) {
    return absl::ErrnoToStatus(errno, absl::StrCat("--fd=", *arguments.fd));
  }
  if (absl::Status status = EndAfterHangup(watched); !status.ok()) return status;
  const FileDescriptor socket = FileDescriptor::Adopt(*arguments.fd);
  const auto device = LoadDriver(arguments.driver, arguments.option);
  // The client is told why there is no driver, so that is no failure of this program.
  if (!device.ok()) return ServeFailure(device.status(), socket);
  return Serve(*device, socket, kGrace);
}

absl::Status ServeListening(const Arguments& arguments) {
  // Before there are other threads, which take it over: the signals wait for sigwait.
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  const auto device = LoadDriver(arguments.driver, arguments.option);
  if (!device.ok()) return device.status();
  const auto server = Server::Listen(*device, arguments.listen,
                                     {.permissions = arguments.permissions, .grace = kGrace});
  if (!server.ok()) return server.status();
  // A signal that comes to this thread alone wakes it when the server ends by itself.
  sigaddset(&signals, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  std::thread waiter([&] {
    int signal = 0;
    sigwait(&signals, &signal);
    (*server)->Stop();
  });
  absl::Status status = (*server)->Run();
  pthread_kill(waiter.native_handle(), SIGUSR2);
  waiter.join();
  return status;
}

int Main(const std::vector<std::string_view>& words) {
  if (words == std::vector<std::string_view>{"--help"}) {
    std::cout << kUsage;
    return EXIT_SUCCESS;
  }
  const absl::StatusOr<Arguments> arguments = ParseArguments(words);
  if (!arguments.ok()) {
    std::cerr << "driver_host: " << arguments.status().message() << "\n" << kUsage;
    return 2;
  }
  absl::Status status;
  if (arguments->guard.has_value()) {
    // First of all, while this process has no threads.
    GuardOptions options = {.report = *arguments->guard, .memory = arguments->memory};
    if (arguments->fd.has_value()) options.closed.push_back(*arguments->fd);
    status = DivideIntoGuardAndGuarded(options);
  }
  PrintBacktraces();
  if (status.ok() && arguments->cpu.has_value()) status = RunOn(*arguments->cpu);
  if (status.ok()) {
    status = arguments->fd.has_value() ? ServeDescriptor(*arguments) : ServeListening(*arguments);
  }
  if (status.ok()) return EXIT_SUCCESS;
  std::cerr << "driver_host: " << status << std::endl;
  // Nothing waits for threads that a driver does not give back.
  if (absl::IsDeadlineExceeded(status)) _exit(EXIT_FAILURE);
  return EXIT_FAILURE;
}

}  // namespace
}  // namespace nncert::hal::transport

int main(int argc, char** argv) {
  google::InitGoogleLogging(argv[0]);
  FLAGS_logtostderr = true;
  return nncert::hal::transport::Main(std::vector<std::string_view>(argv + 1, argv + argc));
}
