// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/transport/process_guard.h"

#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/time/time.h"
#include "hal/deadline.h"
#include "hal/process_tree.h"
#include "hal/transport/backtrace.h"
#include "hal/transport/guarded_calls.h"

namespace nncert::hal::transport {
namespace {

// How often the guard looks at what the processes have.
constexpr absl::Duration kLook = absl::Milliseconds(50);
// How long ended processes may take to be gone.
constexpr absl::Duration kLongestDeath = absl::Seconds(10);
constexpr absl::Duration kBetweenKills = absl::Milliseconds(2);
// How many findings are told, and how many processes named in one.
constexpr size_t kMostFindings = 16;
constexpr size_t kMostNames = 5;

// A message of one byte with room for a descriptor; see unix(7).
struct DescriptorMessage {
  DescriptorMessage() {
    header.msg_iov = &content;
    header.msg_iovlen = 1;
    header.msg_control = control.data();
    header.msg_controllen = control.size();
  }
  DescriptorMessage(const DescriptorMessage&) = delete;
  DescriptorMessage& operator=(const DescriptorMessage&) = delete;

  char byte = 0;
  iovec content = {.iov_base = &byte, .iov_len = 1};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control = {};
  msghdr header = {};
};

// Sends a descriptor through a socket, or word that there is none.
void SendDescriptor(int socket, int descriptor) {
  DescriptorMessage message;
  if (descriptor >= 0) {
    cmsghdr* const rights = CMSG_FIRSTHDR(&message.header);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(rights), &descriptor, sizeof(descriptor));
  } else {
    message.header.msg_control = nullptr;
    message.header.msg_controllen = 0;
  }
  while (sendmsg(socket, &message.header, MSG_NOSIGNAL) < 0 && errno == EINTR) {
  }
}

// What SendDescriptor sent; empty when there was none.
FileDescriptor ReceiveDescriptor(int socket) {
  DescriptorMessage message;
  ssize_t count = 0;
  do {
    count = recvmsg(socket, &message.header, MSG_CMSG_CLOEXEC);
  } while (count < 0 && errno == EINTR);
  const cmsghdr* const rights = count > 0 ? CMSG_FIRSTHDR(&message.header) : nullptr;
  if (rights == nullptr || rights->cmsg_type != SCM_RIGHTS) return {};
  int descriptor = -1;
  std::memcpy(&descriptor, CMSG_DATA(rights), sizeof(descriptor));
  return FileDescriptor::Adopt(descriptor);
}

// Ends this process as another one has ended.
[[noreturn]] void EndAs(int status) {
  if (!WIFSIGNALED(status)) _exit(WEXITSTATUS(status));
  const rlimit no_core = {.rlim_cur = 0, .rlim_max = 0};
  setrlimit(RLIMIT_CORE, &no_core);
  EndBySignal(WTERMSIG(status));
  _exit(EXIT_FAILURE);
}

class Guard {
 public:
  Guard(const GuardOptions& options, pid_t process, FileDescriptor calls, int signals)
      : options_(options), process_(process), calls_(std::move(calls)), signals_(signals) {}

  [[noreturn]] void Run() {
    Deadline next_look(kLook);
    while (true) {
      Wait(kLook);
      Reap();
      if (has_ended_ && (WIFSIGNALED(status_) || !HasOthers())) break;
      if (has_ended_ && farewell_.HasPassed()) {
        Find(absl::StrCat("it left ", DescribeProcesses(DescendantsOf(getpid())), " behind"));
        break;
      }
      if (is_to_end_) break;
      if (next_look.HasPassed()) {
        Look();
        next_look = Deadline(kLook);
      }
    }
    EndAll();
    // Where it ended by itself, that tells, whatever has become of the others.
    if (has_ended_ && reason_.empty()) EndAs(status_);
    if (!reason_.empty()) {
      Report(absl::StrCat(is_bomb_ ? kGuardBomb : kGuardEnded, " ", reason_));
    }
    EndAs(SIGKILL);
  }

 private:
  void Report(const std::string& line) const {
    const std::string text = absl::StrCat(line, "\n");
    // Lines are shorter than what a pipe takes at once.
    while (write(options_.report, text.data(), text.size()) < 0 && errno == EINTR) {
    }
  }

  void Find(const std::string& finding) {
    if (findings_.size() < kMostFindings && findings_.insert(finding).second) {
      Report(absl::StrCat(kGuardFinding, " ", finding));
    }
  }

  // "3 processes (sh, sleep, sleep)"
  static std::string DescribeProcesses(const std::vector<pid_t>& processes) {
    std::vector<std::string> names;
    for (const pid_t process : processes) {
      if (names.size() == kMostNames) {
        names.emplace_back("...");
        break;
      }
      names.push_back(absl::CHexEscape(NameOf(process)));
    }
    return absl::StrCat(processes.size(), processes.size() == 1 ? " process (" : " processes (",
                        absl::StrJoin(names, ", "), ")");
  }

  // Waits for something to happen, and answers.
  void Wait(absl::Duration longest) {
    // Whoever asks while all are ended waits for its own end, and takes no time meanwhile.
    std::array<pollfd, 3> polled = {pollfd{options_.report, 0, 0}, pollfd{signals_, POLLIN, 0},
                                    pollfd{is_to_end_ ? -1 : calls_.get(), POLLIN, 0}};
    poll(polled.data(), polled.size(), static_cast<int>(absl::ToInt64Milliseconds(longest)));
    // Nobody reads the report any more.
    if ((polled[0].revents & POLLERR) != 0) is_to_end_ = true;
    if (polled[1].revents != 0) {
      signalfd_siginfo info = {};
      if (read(signals_, &info, sizeof(info)) == static_cast<ssize_t>(sizeof(info)) &&
          info.ssi_signo == SIGTERM) {
        is_to_end_ = true;
      }
    }
    if ((polled[2].revents & POLLIN) != 0) {
      AnswerGuardedCall(calls_.get(), [this](const GuardedCall& call) { return Allows(call); });
    } else if (polled[2].revents != 0) {
      calls_ = {};
    }
  }

  bool Allows(const GuardedCall& call) {
    if (call.other.has_value()) {
      Find(*call.other == -1
               ? std::string("it tried to send a signal to every process, which was refused")
               : absl::StrCat("it tried to send a signal to process ", *call.other,
                              ", which it has not started, and was refused"));
      return false;
    }
    if (is_to_end_) return false;
    NoteFork();
    // An upper bound first, for a look takes long.
    if (++processes_ > kMostProcesses) processes_ = DescendantsOf(getpid()).size() + 1;
    if (processes_ <= kMostProcesses) return true;
    EndForBomb(processes_, kMostProcesses, "processes");
    return false;
  }

  void NoteFork() {
    if (std::exchange(has_forked_, true)) return;
    Report(kGuardForked);
  }

  void EndFor(const std::string& reason) {
    if (reason_.empty()) reason_ = reason;
    is_to_end_ = true;
  }

  void EndForBomb(uint64_t count, uint64_t most, absl::string_view what) {
    is_bomb_ = true;
    EndFor(absl::StrCat("it started ", count, " ", what, "; at most ", most,
                        " may run at the same time"));
  }

  void Look() {
    // Without seccomp, only a look tells.
    const bool is_alone = calls_.valid() && !has_forked_;
    const std::vector<pid_t> processes =
        is_alone ? std::vector<pid_t>{process_} : DescendantsOf(getpid());
    if (processes.size() > 1) NoteFork();
    processes_ = processes.size();
    uint64_t threads = 0;
    uint64_t memory = 0;
    for (const pid_t process : processes) {
      const ProcessStatus status = StatusOf(process);
      threads += status.threads;
      memory += status.own_memory + status.shared_memory;
    }
    if (processes.size() > kMostProcesses) {
      EndForBomb(processes.size(), kMostProcesses, "processes");
    } else if (threads > kMostThreads) {
      EndForBomb(threads, kMostThreads, "threads");
    } else if (options_.memory > 0 && memory > options_.memory) {
      if (processes.size() > 1) memory = SharedOut(processes, memory);
      if (memory > options_.memory) {
        EndFor(
            absl::StrFormat("it took %.0f MiB of memory, more than the %.0f MiB that it may have",
                            Mebibytes(memory), Mebibytes(options_.memory)));
      }
    }
  }

  // The memory of several processes, with what they share counted once, if the system tells.
  static uint64_t SharedOut(const std::vector<pid_t>& processes, uint64_t sum) {
    uint64_t exact = 0;
    for (const pid_t process : processes) exact += ProportionalMemoryOf(process);
    return exact > 0 ? std::min(exact, sum) : sum;
  }

  // Takes note of what has ended.
  void Reap() {
    while (true) {
      int status = 0;
      const pid_t ended = waitpid(-1, &status, WNOHANG);
      if (ended <= 0) {
        has_none_ = ended < 0 && errno == ECHILD;
        return;
      }
      if (ended != process_) continue;
      has_ended_ = true;
      status_ = status;
      farewell_ = Deadline(kFarewell);
    }
  }

  // Whether there are other processes than the one that has ended.
  bool HasOthers() const { return !has_none_; }

  // Ends everything that there is. As orphans come back to this process, nothing gets away.
  void EndAll() {
    is_to_end_ = true;
    const Deadline deadline(kLongestDeath);
    Reap();
    while (HasOthers() && !deadline.HasPassed()) {
      for (const pid_t process : DescendantsOf(getpid())) kill(process, SIGKILL);
      Wait(kBetweenKills);
      Reap();
    }
    if (!HasOthers()) return;
    const std::vector<pid_t> left = DescendantsOf(getpid());
    if (!left.empty()) {
      Find(absl::StrCat("it left ", DescribeProcesses(left), " that cannot be killed"));
    }
  }

  const GuardOptions options_;
  const pid_t process_;
  FileDescriptor calls_;  // empty without seccomp
  const int signals_;
  bool has_forked_ = false;
  uint64_t processes_ = 1;  // at least as many as there are
  bool has_ended_ = false;
  int status_ = 0;  // of process_, once that has ended
  bool has_none_ = false;
  bool is_to_end_ = false;
  Deadline farewell_ = Deadline::Never();
  std::string reason_;
  bool is_bomb_ = false;
  std::set<std::string> findings_;
};

// Lets the guard run where there is a processor free, and ends no later than it.
void SetUpGuarded(pid_t guard, const sigset_t& mask) {
  // Where the guard is killed, what it guards goes with it as far as the kernel can see to that.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != guard) _exit(EXIT_FAILURE);
  // A signal to the driver's own group is none to the guard.
  setpgid(0, 0);
  sigprocmask(SIG_SETMASK, &mask, nullptr);
}

void RunAnywhere() {
  cpu_set_t all;
  std::memset(&all, 0xFF, sizeof(all));
  sched_setaffinity(0, sizeof(all), &all);
}

}  // namespace

absl::Status DivideIntoGuardAndGuarded(const GuardOptions& options) {
  std::array<int, 2> sockets = {};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets.data()) != 0) {
    return absl::ErrnoToStatus(errno, "socketpair");
  }
  const auto ours = FileDescriptor::Adopt(sockets[0]);
  auto theirs = FileDescriptor::Adopt(sockets[1]);
  sigset_t blocked;
  sigset_t before;
  sigfillset(&blocked);
  sigprocmask(SIG_BLOCK, &blocked, &before);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const pid_t guard = getpid();
  const pid_t parent = getppid();
  // Before there is anything to be guarded.
  const std::string ready = absl::StrCat(kGuardReady, "\n");
  if (write(options.report, ready.data(), ready.size()) < 0) {
    return absl::ErrnoToStatus(errno, "the guard's report cannot be written");
  }
  const pid_t process = fork();
  if (process < 0) {
    sigprocmask(SIG_SETMASK, &before, nullptr);
    return absl::ErrnoToStatus(errno, "fork");
  }
  if (process == 0) {
    close(options.report);
    prctl(PR_SET_CHILD_SUBREAPER, 0);
    SetUpGuarded(guard, before);
    const FileDescriptor calls = GuardCalls({guard, parent, -guard, -getpgid(parent), -1});
    SendDescriptor(theirs.get(), calls.get());
    return absl::OkStatus();
  }
  theirs = {};
  for (const int descriptor : options.closed) close(descriptor);
  RunAnywhere();
  const std::string number = absl::StrCat(kGuardProcess, " ", process, "\n");
  const ssize_t ignored = write(options.report, number.data(), number.size());
  static_cast<void>(ignored);
  sigset_t watched;
  sigemptyset(&watched);
  sigaddset(&watched, SIGCHLD);
  sigaddset(&watched, SIGTERM);
  const int signals = signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK);
  Guard(options, process, ReceiveDescriptor(ours.get()), signals).Run();
}

}  // namespace nncert::hal::transport
