// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// One execution as a driver's author sees it: the inputs as bytes with known dimensions, and places
// to put the outputs.

#ifndef NNCERT_HAL_EXECUTION_H_
#define NNCERT_HAL_EXECUTION_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "hal/memory.h"
#include "hal/v1_2/types.h"

namespace nncert::hal {

/// The arguments of one execution, mapped, and its results. Elements are row-major, in the storage
/// that hal/operand_types.def names. They may lie at odd addresses, so typed access copies.
///
/// Input and output numbers count Model::inputIndexes and Model::outputIndexes; a wrong number is a
/// mistake of the driver and ends the program.
class Execution {
 public:
  /// The execution of a request that validateRequest has accepted for a model. Fails when a pool
  /// cannot be mapped (one with an output must be writable).
  static absl::StatusOr<Execution> Open(const V1_2::Request& request, const V1_2::Model& model);

  size_t inputCount() const { return inputs_.size(); }
  size_t outputCount() const { return outputs_.size(); }

  /// Whether an optional input is omitted: it has neither dimensions nor bytes then.
  bool isInputOmitted(size_t input) const { return inputs_.at(input).is_omitted; }

  /// The dimensions of an input, from the request or else the model; all known, empty for scalars.
  const std::vector<uint32_t>& inputDimensions(size_t input) const {
    return inputs_.at(input).dimensions;
  }

  /// The bytes of an input: as many as its dimensions say or, for OEM and extension types, all that
  /// the request gives.
  absl::Span<const uint8_t> inputBytes(size_t input) const { return inputs_.at(input).bytes; }

  /// The elements of an input.
  template <typename Element>
  std::vector<Element> readInput(size_t input) const {
    static_assert(std::is_trivially_copyable_v<Element>);
    const absl::Span<const uint8_t> bytes = inputBytes(input);
    std::vector<Element> elements(bytes.size() / sizeof(Element));
    if (!elements.empty()) {
      std::memcpy(elements.data(), bytes.data(), elements.size() * sizeof(Element));
    }
    return elements;
  }

  /// Whether the client does not want an output.
  bool isOutputOmitted(size_t output) const { return outputs_.at(output).is_omitted; }

  /// The dimensions that the request or else the model declares of an output; 0, or none at all,
  /// where the driver is to find them.
  const std::vector<uint32_t>& declaredOutputDimensions(size_t output) const {
    return outputs_.at(output).dimensions;
  }

  /// All of an output's buffer, to be written to directly and followed by setOutputShape.
  absl::Span<uint8_t> outputBuffer(size_t output) const { return outputs_.at(output).buffer; }

  /// Says what an output's dimensions are (0 where they stay unknown), and that its value takes
  /// `bytes` bytes. An output whose buffer has fewer makes the execution end with
  /// OUTPUT_INSUFFICIENT_SIZE. Returns whether the buffer has that many.
  bool setOutputShape(size_t output, const std::vector<uint32_t>& dimensions, size_t bytes);

  /// Writes an output, as far as its buffer is large enough for all of it, and sets its shape.
  template <typename Element>
  void writeOutput(size_t output, const std::vector<uint32_t>& dimensions,
                   absl::Span<const Element> elements) {
    static_assert(std::is_trivially_copyable_v<Element>);
    const size_t size = elements.size() * sizeof(Element);
    if (setOutputShape(output, dimensions, size) && size > 0) {
      std::memcpy(outputBuffer(output).data(), elements.data(), size);
    }
  }
  template <typename Element>
  void writeOutput(size_t output, const std::vector<uint32_t>& dimensions,
                   const std::vector<Element>& elements) {
    writeOutput(output, dimensions, absl::Span<const Element>(elements));
  }

  /// Reports how long the device itself took, for drivers whose device is not this processor.
  void reportTimeOnDevice(absl::Duration time) { time_on_device_ = time; }

  /// What reportTimeOnDevice reported, in microseconds, or UINT64_MAX.
  uint64_t timeOnDeviceInMicroseconds() const;

  /// The shapes of all outputs. Fails with Internal when one has not been set.
  absl::StatusOr<std::vector<V1_2::OutputShape>> outputShapes() const;

 private:
  struct Input {
    bool is_omitted = false;
    std::vector<uint32_t> dimensions;
    absl::Span<const uint8_t> bytes;
  };
  struct Output {
    bool is_omitted = false;
    std::vector<uint32_t> dimensions;
    absl::Span<uint8_t> buffer;
    bool is_set = false;
    V1_2::OutputShape shape;
  };

  Execution() = default;

  std::vector<Mapping> mappings_;
  std::vector<Input> inputs_;
  std::vector<Output> outputs_;
  absl::Duration time_on_device_ = absl::InfiniteDuration();
};

/// The bytes of a constant operand of a valid model, copied. Fails with InvalidArgument when the
/// operand is not a constant, and when its pool cannot be mapped.
absl::StatusOr<std::vector<uint8_t>> constantBytes(const V1_2::Model& model, uint32_t operandIndex);

/// The elements of a constant operand, as constantBytes.
template <typename Element>
absl::StatusOr<std::vector<Element>> readConstant(const V1_2::Model& model, uint32_t operandIndex) {
  static_assert(std::is_trivially_copyable_v<Element>);
  const absl::StatusOr<std::vector<uint8_t>> bytes = constantBytes(model, operandIndex);
  if (!bytes.ok()) return bytes.status();
  std::vector<Element> elements(bytes->size() / sizeof(Element));
  if (!elements.empty()) {
    std::memcpy(elements.data(), bytes->data(), elements.size() * sizeof(Element));
  }
  return elements;
}

}  // namespace nncert::hal

#endif  // NNCERT_HAL_EXECUTION_H_
