// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/fast/hot/levels.h"

#include <atomic>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace nncert::hot {

namespace baseline {
extern const Kernels kKernels;
}

#if defined(__x86_64__)

namespace x86_64_v2 {
extern const Kernels kKernels;
}
namespace x86_64_v3 {
extern const Kernels kKernels;
}
namespace x86_64_v4 {
extern const Kernels kKernels;
}
namespace x86_64_v4_vnni {
extern const Kernels kKernels;
}

namespace {

// The instructions of each level: x86-64 psABI, section 3.1.1, "Processor Architecture". The
// compiler's own test also asks whether the operating system keeps the wide registers.

bool HasV2() {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  constexpr unsigned kCmpxchg16b = 1U << 13;
  constexpr unsigned kLahf = 1U << 0;
  const bool has_cmpxchg16b =
      __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && (ecx & kCmpxchg16b) != 0;
  const bool has_lahf = __get_cpuid(0x8000'0001, &eax, &ebx, &ecx, &edx) != 0 && (ecx & kLahf) != 0;
  return has_cmpxchg16b && has_lahf && __builtin_cpu_supports("sse3") &&
         __builtin_cpu_supports("ssse3") && __builtin_cpu_supports("sse4.1") &&
         __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt");
}

bool HasV3() {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  constexpr unsigned kMovbe = 1U << 22;
  constexpr unsigned kF16c = 1U << 29;
  constexpr unsigned kLzcnt = 1U << 5;
  const bool has_movbe_and_f16c =
      __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && (ecx & kMovbe) != 0 && (ecx & kF16c) != 0;
  const bool has_lzcnt =
      __get_cpuid(0x8000'0001, &eax, &ebx, &ecx, &edx) != 0 && (ecx & kLzcnt) != 0;
  return HasV2() && has_movbe_and_f16c && has_lzcnt && __builtin_cpu_supports("avx") &&
         __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
         __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
}

bool HasV4() {
  return HasV3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl");
}

bool HasV4Vnni() { return HasV4() && __builtin_cpu_supports("avx512vnni"); }

}  // namespace

absl::Span<const Level> Levels() {
  static const Level kLevels[] = {
      {"baseline", &baseline::kKernels, true},
      {"x86-64-v2", &x86_64_v2::kKernels, HasV2()},
      {"x86-64-v3", &x86_64_v3::kKernels, HasV3()},
      {"x86-64-v4", &x86_64_v4::kKernels, HasV4()},
      {"x86-64-v4 with VNNI", &x86_64_v4_vnni::kKernels, HasV4Vnni()},
  };
  return kLevels;
}

#else

absl::Span<const Level> Levels() {
  static const Level kLevels[] = {{"baseline", &baseline::kKernels, true}};
  return kLevels;
}

#endif

namespace {

const Kernels* FindBestKernels() {
  const Kernels* best = nullptr;
  for (const Level& level : Levels()) {
    if (level.is_available) best = level.kernels;
  }
  return best;
}

std::atomic<const Kernels*>& KernelsInUse() {
  static std::atomic<const Kernels*> kernels = FindBestKernels();
  return kernels;
}

}  // namespace

const Kernels& BestKernels() { return *KernelsInUse().load(std::memory_order_acquire); }

OnLevel::OnLevel(const Level& level) { KernelsInUse() = level.kernels; }

OnLevel::~OnLevel() { KernelsInUse() = FindBestKernels(); }

}  // namespace nncert::hot
