// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The peer that the benchmarks are held against: XNNPACK, by its operators, single-threaded.

#ifndef NNCERT_REFERENCE_BENCHMARKS_XNNPACK_H_
#define NNCERT_REFERENCE_BENCHMARKS_XNNPACK_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "reference/benchmarks/network.h"

struct xnn_operator;

namespace nncert::benchmarks {

/// A network prepared for XNNPACK: weights packed, operators set up on buffers of their own, which
/// layers use in turn.
class XnnpackNetwork {
 public:
  /// Fails when XNNPACK does not take the network.
  static absl::StatusOr<std::unique_ptr<XnnpackNetwork>> Create(const Network& network);

  XnnpackNetwork(const XnnpackNetwork&) = delete;
  XnnpackNetwork& operator=(const XnnpackNetwork&) = delete;

  /// Where input `i` is to be put. XNNPACK reads a little beyond inputs, which there is room for.
  absl::Span<uint8_t> input(size_t i) { return inputs_[i].bytes; }
  /// Where the last output is.
  absl::Span<const uint8_t> output() const { return output_; }

  absl::Status Run();

 private:
  struct Delete {
    void operator()(xnn_operator* pointer) const;
  };
  struct Room {
    std::vector<uint8_t> storage;
    absl::Span<uint8_t> bytes;
  };

  XnnpackNetwork() = default;
  static Room MakeRoom(size_t bytes);
  absl::Status Add(const Layer& layer, const Format& format, const Network& network,
                   absl::Span<const uint8_t> from, absl::Span<uint8_t> to);

  std::vector<Room> inputs_;
  std::vector<Room> activations_;
  absl::Span<const uint8_t> output_;
  std::vector<std::unique_ptr<xnn_operator, Delete>> operators_;
};

}  // namespace nncert::benchmarks

#endif  // NNCERT_REFERENCE_BENCHMARKS_XNNPACK_H_
