// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/transport/guarded_calls.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace nncert::hal::transport {
namespace {

#if defined(__x86_64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_X86_64;
constexpr std::initializer_list<long> kForks = {SYS_fork, SYS_vfork};
#elif defined(__aarch64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
constexpr std::initializer_list<long> kForks = {};
#else
constexpr uint32_t kArchitecture = 0;
constexpr std::initializer_list<long> kForks = {};
#endif

// Calls whose first argument is a process, that do nothing to it when the second one is 0, and
// those that do whatever follows.
constexpr std::initializer_list<long> kSignals = {SYS_kill, SYS_tkill, SYS_rt_sigqueueinfo};
constexpr std::initializer_list<long> kOthers = {SYS_tgkill, SYS_rt_tgsigqueueinfo};

sock_filter Load(size_t offset) {
  return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<uint32_t>(offset));
}

// Takes the next `skipped` instructions only if what was loaded is `value`.
sock_filter SkipUnless(uint32_t value, size_t skipped) {
  return BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, static_cast<uint8_t>(skipped));
}

sock_filter Return(uint32_t action) { return BPF_STMT(BPF_RET | BPF_K, action); }

// The low half of an argument: processes, signals and flags have no more.
size_t Argument(size_t index) {
  static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
  return offsetof(seccomp_data, args) + sizeof(uint64_t) * index;
}

void Append(std::vector<sock_filter>& program, const std::vector<sock_filter>& more) {
  program.insert(program.end(), more.begin(), more.end());
}

// The filter, as seccomp(2) describes it.
std::vector<sock_filter> FilterOf(absl::Span<const pid_t> others) {
  std::vector<sock_filter> program = {Load(offsetof(seccomp_data, arch)),
                                      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0),
                                      Return(SECCOMP_RET_ALLOW), Load(offsetof(seccomp_data, nr))};
  for (const long call : kForks) {
    Append(program, {SkipUnless(static_cast<uint32_t>(call), 1), Return(SECCOMP_RET_USER_NOTIF)});
  }
  // Its flags lie in memory, where a filter does not see them: the C library goes back to clone.
  Append(program, {SkipUnless(SYS_clone3, 1), Return(SECCOMP_RET_ERRNO | ENOSYS)});
  Append(program, {SkipUnless(SYS_clone, 4), Load(Argument(0)),
                   BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0),
                   Return(SECCOMP_RET_USER_NOTIF), Return(SECCOMP_RET_ALLOW)});
  const auto guard = [&](long call, bool may_be_zero) {
    std::vector<sock_filter> checks;
    if (may_be_zero) {
      checks = {Load(Argument(1)), SkipUnless(0, 1), Return(SECCOMP_RET_ALLOW)};
    }
    checks.push_back(Load(Argument(0)));
    for (const pid_t other : others) {
      Append(checks, {SkipUnless(static_cast<uint32_t>(other), 1), Return(SECCOMP_RET_USER_NOTIF)});
    }
    checks.push_back(Return(SECCOMP_RET_ALLOW));
    program.push_back(SkipUnless(static_cast<uint32_t>(call), checks.size()));
    Append(program, checks);
  };
  for (const long call : kSignals) guard(call, true);
  for (const long call : kOthers) guard(call, false);
  program.push_back(Return(SECCOMP_RET_ALLOW));
  return program;
}

bool IsFork(long call) {
  return call == SYS_clone || std::find(kForks.begin(), kForks.end(), call) != kForks.end();
}

}  // namespace

FileDescriptor GuardCalls(absl::Span<const pid_t> others) {
  if (kArchitecture == 0) return {};
  seccomp_notif_sizes sizes = {};
  if (syscall(SYS_seccomp, SECCOMP_GET_NOTIF_SIZES, 0, &sizes) != 0 ||
      sizes.seccomp_notif > sizeof(seccomp_notif) ||
      sizes.seccomp_notif_resp > sizeof(seccomp_notif_resp)) {
    return {};
  }
  std::vector<sock_filter> program = FilterOf(others);
  const sock_fprog filter = {.len = static_cast<unsigned short>(program.size()),
                             .filter = program.data()};
  // Not to make the driver slow by what is done against speculation.
  constexpr unsigned kFlags = SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_SPEC_ALLOW;
  auto listener = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, kFlags, &filter);
  if (listener < 0 && errno == EACCES) {
    // Who is not root may do so when no program that it starts gets more rights than it has.
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return {};
    listener = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, kFlags, &filter);
  }
  return FileDescriptor::Adopt(static_cast<int>(listener));
}

void AnswerGuardedCall(int descriptor, const std::function<bool(const GuardedCall&)>& is_allowed) {
  seccomp_notif asked = {};
  if (ioctl(descriptor, SECCOMP_IOCTL_NOTIF_RECV, &asked) != 0) return;
  GuardedCall call = {.process = static_cast<pid_t>(asked.pid), .other = std::nullopt};
  const bool is_fork = IsFork(asked.data.nr);
  if (!is_fork) call.other = static_cast<pid_t>(asked.data.args[0]);
  seccomp_notif_resp answer = {};
  answer.id = asked.id;
  if (is_allowed(call)) {
    answer.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
  } else {
    answer.error = is_fork ? -EAGAIN : -EPERM;
  }
  // It fails when whoever called has been killed meanwhile.
  ioctl(descriptor, SECCOMP_IOCTL_NOTIF_SEND, &answer);
}

}  // namespace nncert::hal::transport
