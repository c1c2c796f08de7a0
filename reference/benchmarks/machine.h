// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What one core of this machine can do, measured, to hold figures of kernels against.

#ifndef NNCERT_REFERENCE_BENCHMARKS_MACHINE_H_
#define NNCERT_REFERENCE_BENCHMARKS_MACHINE_H_

#include <cstddef>
#include <optional>
#include <string_view>

namespace nncert::benchmarks {

/// The instructions that the figures below are measured with: "AVX-512", "AVX2" or "baseline".
std::string_view InstructionSet();

/// Single-precision additions and multiplications a second, fused in pairs where the machine can,
/// of operands in registers.
double PeakFlops();

/// Bytes a second that go through the core when three arrays of together `bytes` bytes are read,
/// read and written: a[i] = b[i] + s * c[i] (McCalpin's STREAM triad).
double TriadBandwidth(size_t bytes);

/// Bytes a second when an array of `bytes` bytes is read.
double ReadBandwidth(size_t bytes);

/// The most memory that this process has had resident while `function` ran, less what it had
/// before; nothing where the system does not tell.
template <class F>
std::optional<size_t> PeakMemoryOf(F function);

/// Bytes that this process has resident now, and the most that it has had since the last
/// ForgetPeakMemory(). Nothing where the system does not tell.
std::optional<size_t> ResidentMemory();
std::optional<size_t> PeakMemory();
bool ForgetPeakMemory();

/// Gives the system back what the allocator keeps of memory that is free, so that it is not taken
/// for memory in use, and what is allocated from now on is seen.
void ReleaseFreeMemory();

template <class F>
std::optional<size_t> PeakMemoryOf(F function) {
  ReleaseFreeMemory();
  const std::optional<size_t> before = ResidentMemory();
  const bool is_forgotten = ForgetPeakMemory();
  function();
  const std::optional<size_t> peak = PeakMemory();
  if (!is_forgotten || !before.has_value() || !peak.has_value()) return std::nullopt;
  return *peak > *before ? *peak - *before : 0;
}

}  // namespace nncert::benchmarks

#endif  // NNCERT_REFERENCE_BENCHMARKS_MACHINE_H_
