// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Makes requests out of examples, in memory that tells when a driver wrote where it must not.

#ifndef NNCERT_HARNESS_ISOLATION_GUARDED_REQUEST_H_
#define NNCERT_HARNESS_ISOLATION_GUARDED_REQUEST_H_

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "cases/test_case.h"
#include "hal/memory.h"
#include "hal/v1_2/types.h"
#include "hal/version.h"
#include "harness/isolation/pool_kind.h"
#include "harness/isolation/spare_pools.h"

namespace nncert {

/// What a request says of its outputs.
enum class OutputSpecification {
  /// All dimensions are known, and buffers are large enough.
  FULLY_SPECIFIED,
  /// No dimension is known, and buffers are large enough.
  UNSPECIFIED,
  /// No dimension is known, and the buffer of output 0 is one byte short.
  INSUFFICIENT,
};

/// The enumerator's name.
std::string_view toString(OutputSpecification specification);

/// Writes toString(specification).
std::ostream& operator<<(std::ostream& stream, OutputSpecification specification);

/// The model with every dimension of every output unknown (0), ranks kept.
hal::V1_2::Model WithUnspecifiedOutputs(hal::V1_2::Model model);

/// Whether the rank and every dimension of all outputs of the model are known.
bool HasFullySpecifiedOutputs(const hal::V1_2::Model& model);

/// Checks that an example fits its model: as many inputs and outputs, dimensions that the model
/// allows, and as many bytes as they ask for. (An example without any outputs is right: it leaves
/// them to the oracle.) InvalidArgument says which input or output does not fit, and why.
absl::Status CheckExample(const hal::V1_2::Model& model, const Example& example);

/// How the memory of a request is arranged.
struct RequestLayout {
  PoolKind inputs = PoolKind::kAshmem;
  PoolKind outputs = PoolKind::kAshmem;
  /// Whether every argument has a pool of its own.
  bool has_pool_for_each = false;
  /// Bytes that every argument lies behind a multiple of 4.
  size_t shift = 0;
  /// Bytes of the buffer of each output; empty for CapacitiesFor.
  std::vector<size_t> capacities = {};
};

/// Bytes that the buffers of an example's outputs must have: never none, since there is no buffer
/// of no bytes.
std::vector<size_t> CapacitiesFor(const hal::V1_2::Model& model, const Example& example);

/// A request with its memory: inputs in pool 0, outputs in pool 1, one after the other, aligned to
/// 4 bytes, unless its layout says otherwise. Guard bytes lie before, between and after them, up to
/// the end of a page. Outputs are filled with what is wrong in every element, so that an output
/// that the driver does not write is never taken for a right one.
class GuardedRequest {
 public:
  /// Guard bytes at the least before and after each input and output.
  static constexpr size_t kGuardBytes = 16;

  /// Makes a request of an example that CheckExample accepts and that has outputs, for `model` on a
  /// device of `version`. Dimensions are given in the request where the model leaves them open: for
  /// inputs always, for outputs only to devices before 1.2, which require them.
  ///
  /// The pools come from `spares`, which must outlive the request, and go back there with it.
  ///
  /// ResourceExhausted (or what the system says) when there is no memory.
  static absl::StatusOr<GuardedRequest> Create(const hal::V1_2::Model& model,
                                               const Example& example,
                                               OutputSpecification specification,
                                               hal::HalVersion version, SparePools& spares);

  /// The same with memory that is arranged in this way, which the device must know.
  static absl::StatusOr<GuardedRequest> Create(const hal::V1_2::Model& model,
                                               const Example& example, const RequestLayout& layout,
                                               hal::HalVersion version, SparePools& spares);

  /// The same in ordinary memory, but with the inputs of another request, where that one has them:
  /// they must not be in pools of outputs. `model` may differ in its outputs from that of the other
  /// one, which gives its memory back to the spares, but not before this request has gone as well.
  static absl::StatusOr<GuardedRequest> CreateBeside(
      const GuardedRequest& other, const hal::V1_2::Model& model,
      absl::Span<const ExpectedOutput* const> outputs, hal::HalVersion version);

  GuardedRequest(GuardedRequest&&) = default;
  GuardedRequest& operator=(GuardedRequest&&) = delete;
  ~GuardedRequest();

  /// The request.
  const hal::V1_0::Request& request() const { return request_; }

  /// The bytes of the buffer of an output.
  absl::Span<const uint8_t> output(size_t index) const;

  /// Whether the buffer of an output has bytes, and all of them are as they were at first.
  bool IsUnwritten(size_t index) const;

  /// Checks that neither an input nor a guard byte has changed. The error says which: "wrote past
  /// output 0", "wrote before output 1", "changed input 2 at byte 7".
  absl::Status CheckMemory() const;

  /// The first and the second half of that.
  absl::Status CheckInputs() const;
  absl::Status CheckGuards() const;

  /// Checks that no byte of an output's buffer from byte `size` on has changed. The error says
  /// where: "wrote byte 9 of the buffer of output 0".
  absl::Status CheckRestOf(size_t output, size_t size) const;

  /// Puts what a driver left there in another execution into the buffer of an output, whose size it
  /// must have.
  void WriteOutput(size_t index, absl::Span<const uint8_t> bytes);

  /// Has CheckMemory give DataLoss with this message, which it gave of another execution.
  void SetMemoryError(std::string message) { memory_error_ = std::move(message); }

  /// Puts everything back as it was at first, but for the bytes of outputs, which become those that
  /// they were then, exclusive or `change`. Not for requests whose inputs are read-only.
  void Reset(uint8_t change = 0);

 private:
  class Builder;

  // A pool, and the arguments in it, in order.
  struct Pool {
    // Makes the bytes what they should be.
    void PutBack() const;

    hal::Mapping mapping;
    // The bytes as they should be, up to the end of the last argument; guard bytes are behind.
    std::vector<uint8_t> original;
    bool is_of_outputs = false;
    bool is_spare = false;  // it came from the spares
    std::vector<size_t> arguments = {};
  };

  explicit GuardedRequest(SparePools& spares) : spares_(&spares) {}

  // Adds memory of a kind for a pool that has none yet.
  absl::Status AddPool(PoolKind kind, Pool pool);
  absl::Status CheckGuardsOf(size_t index) const;

  SparePools* spares_;
  hal::V1_0::Request request_;
  std::vector<Pool> pools_;
  uint8_t change_ = 0;        // of the outputs, from what they were at first
  std::string memory_error_;  // of another execution
};

/// Whether a request of OutputSpecification::INSUFFICIENT can be made: output 0 has more than one
/// byte.
bool CanBeInsufficient(const hal::V1_2::Model& model, const Example& example);

}  // namespace nncert

#endif  // NNCERT_HARNESS_ISOLATION_GUARDED_REQUEST_H_
