// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/benchmarks/machine.h"

#include <malloc.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <fstream>
#include <string>

#include "reference/execution/memory.h"

namespace nncert::benchmarks {
namespace {

// One vector of the widest registers; narrower machines take it in parts.
using Vector = float __attribute__((vector_size(64)));

double ProcessorSeconds() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// The least time of several runs, for everything that disturbs a run makes it longer.
template <class F>
double LeastSeconds(F run) {
  double least = 1e9;
  for (int i = 0; i < 20; ++i) {
    const double start = ProcessorSeconds();
    run();
    least = std::min(least, ProcessorSeconds() - start);
  }
  return least;
}

constexpr int kRounds = 500000;
// Enough sums at a time to keep every unit busy while each waits for its last addition; few enough
// to stay in registers.
constexpr int kSums = 10;

// The bodies of the measurements, to be compiled for each instruction set.
__attribute__((always_inline)) inline float MultiplyAndAdd() {
  std::array<Vector, kSums> sums = {};
  Vector factor;
  Vector addend;
  for (int i = 0; i < 16; ++i) {
    factor[i] = 0.999f;
    addend[i] = static_cast<float>(i);
  }
  // The compiler must not compute with constants.
  __asm__ volatile("" : "+m"(factor), "+m"(addend));
  for (int round = 0; round < kRounds; ++round) {
#pragma GCC unroll 10
    for (int i = 0; i < kSums; ++i) sums[i] = sums[i] * factor + addend;
  }
  Vector total = {};
  for (const Vector& sum : sums) total += sum;
  return total[0];
}

__attribute__((always_inline)) inline void Triad(Vector* a, const Vector* b, const Vector* c,
                                                 size_t count) {
  for (size_t i = 0; i < count; ++i) a[i] = b[i] + 0.5f * c[i];
}

__attribute__((always_inline)) inline float Sum(const Vector* a, size_t count) {
  std::array<Vector, 4> sums = {};
  for (size_t i = 0; i + 4 <= count; i += 4) {
#pragma GCC unroll 4
    for (size_t k = 0; k < 4; ++k) sums[k] += a[i + k];
  }
  const Vector total = sums[0] + sums[1] + sums[2] + sums[3];
  return total[0];
}

float MultiplyAndAddBaseline() { return MultiplyAndAdd(); }
void TriadBaseline(Vector* a, const Vector* b, const Vector* c, size_t count) {
  Triad(a, b, c, count);
}
float SumBaseline(const Vector* a, size_t count) { return Sum(a, count); }

#if defined(__x86_64__)
#define NNCERT_AVX2 __attribute__((target("avx2,fma")))
#define NNCERT_AVX512 __attribute__((target("avx512f,fma")))
NNCERT_AVX2 float MultiplyAndAddAvx2() { return MultiplyAndAdd(); }
NNCERT_AVX2 void TriadAvx2(Vector* a, const Vector* b, const Vector* c, size_t count) {
  Triad(a, b, c, count);
}
NNCERT_AVX2 float SumAvx2(const Vector* a, size_t count) { return Sum(a, count); }
NNCERT_AVX512 float MultiplyAndAddAvx512() { return MultiplyAndAdd(); }
NNCERT_AVX512 void TriadAvx512(Vector* a, const Vector* b, const Vector* c, size_t count) {
  Triad(a, b, c, count);
}
NNCERT_AVX512 float SumAvx512(const Vector* a, size_t count) { return Sum(a, count); }
#endif

struct Level {
  std::string_view name;
  float (*multiply_and_add)();
  void (*triad)(Vector* a, const Vector* b, const Vector* c, size_t count);
  float (*sum)(const Vector* a, size_t count);
};

const Level& BestLevel() {
#if defined(__x86_64__)
  static constexpr Level kAvx512 = {"AVX-512", MultiplyAndAddAvx512, TriadAvx512, SumAvx512};
  static constexpr Level kAvx2 = {"AVX2", MultiplyAndAddAvx2, TriadAvx2, SumAvx2};
  if (__builtin_cpu_supports("avx512f")) return kAvx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return kAvx2;
#endif
  static constexpr Level kBaseline = {"baseline", MultiplyAndAddBaseline, TriadBaseline,
                                      SumBaseline};
  return kBaseline;
}

// A line of /proc/self/status in bytes.
std::optional<size_t> ProcessStatus(std::string_view name) {
  std::ifstream status("/proc/self/status");
  std::string line;
  while (std::getline(status, line)) {
    if (line.compare(0, name.size(), name) == 0 && line[name.size()] == ':') {
      return std::stoull(line.substr(name.size() + 1)) * 1024;
    }
  }
  return std::nullopt;
}

}  // namespace

std::string_view InstructionSet() { return BestLevel().name; }

double PeakFlops() {
  volatile float sink = 0;
  const double seconds = LeastSeconds([&] { sink = BestLevel().multiply_and_add(); });
  return 2.0 * 16 * kSums * kRounds / seconds;
}

double TriadBandwidth(size_t bytes) {
  const size_t count = std::max<size_t>(1, bytes / 3 / sizeof(Vector));
  Buffer buffer;
  if (!buffer.Reserve(3 * count * sizeof(Vector))) return 0;
  std::memset(buffer.data(), 0, buffer.size());
  auto* vectors = reinterpret_cast<Vector*>(buffer.data());
  const double seconds = LeastSeconds(
      [&] { BestLevel().triad(vectors, vectors + count, vectors + 2 * count, count); });
  return 3.0 * static_cast<double>(count * sizeof(Vector)) / seconds;
}

double ReadBandwidth(size_t bytes) {
  const size_t count = std::max<size_t>(4, bytes / sizeof(Vector));
  Buffer buffer;
  if (!buffer.Reserve(count * sizeof(Vector))) return 0;
  std::memset(buffer.data(), 0, buffer.size());
  const auto* vectors = reinterpret_cast<const Vector*>(buffer.data());
  volatile float sink = 0;
  const double seconds = LeastSeconds([&] { sink = BestLevel().sum(vectors, count); });
  return static_cast<double>(count * sizeof(Vector)) / seconds;
}

std::optional<size_t> ResidentMemory() { return ProcessStatus("VmRSS"); }

std::optional<size_t> PeakMemory() { return ProcessStatus("VmHWM"); }

bool ForgetPeakMemory() {
  std::ofstream file("/proc/self/clear_refs");
  file << "5" << std::flush;
  return file.good();
}

void ReleaseFreeMemory() { malloc_trim(0); }

}  // namespace nncert::benchmarks
