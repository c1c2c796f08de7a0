// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/data_sets/random_data_set.h"

#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "hal/float16.h"
#include "hal/to_string.h"
#include "hal/utils.h"
#include "mlts/tensor_format.h"
#include "random/split_mix.h"

namespace nncert {
namespace {

using hal::V1_2::OperandType;

// How many inferences a sequence of a network with states has.
constexpr size_t kInferencesWithStates = 4;

template <class Element>
void Append(Element element, TensorBytes& bytes) {
  const size_t size = bytes.size();
  bytes.resize(size + sizeof(element));
  std::memcpy(bytes.data() + size, &element, sizeof(element));
}

void AppendRandom(OperandType type, SplitMix64& random, TensorBytes& bytes) {
  switch (type) {
    case OperandType::FLOAT32:
    case OperandType::TENSOR_FLOAT32:
      return Append(static_cast<float>(random.Unit() * 2 - 1), bytes);
    case OperandType::FLOAT16:
    case OperandType::TENSOR_FLOAT16:
      return Append(hal::DoubleToFloat16(random.Unit() * 2 - 1), bytes);
    case OperandType::INT32:
    case OperandType::UINT32:
    case OperandType::TENSOR_INT32:
      return Append(static_cast<uint32_t>(random.Below(2)), bytes);
    case OperandType::BOOL:
    case OperandType::TENSOR_BOOL8:
      return Append(static_cast<uint8_t>(random.Below(2)), bytes);
    default:
      // Quantized: every value of each byte.
      for (uint32_t i = 0; i < hal::nonExtensionElementSize(type); ++i) {
        Append(static_cast<uint8_t>(random.Bits() >> 56), bytes);
      }
  }
}

class RandomDataSet : public DataSet {
 public:
  RandomDataSet(size_t count, uint64_t seed, std::vector<TensorFormat> inputs, size_t inferences)
      : count_(count), seed_(seed), inputs_(std::move(inputs)), inferences_(inferences) {}

  size_t size() const override { return count_; }

  absl::StatusOr<Sequence> Read(size_t index) const override {
    // Each sequence has numbers of its own, however many it takes.
    SplitMix64 seeds(seed_);
    seeds.Skip(index);
    SplitMix64 random(seeds.Bits());
    Sequence sequence;
    sequence.name = absl::StrCat("random-", index);
    for (size_t inference = 0; inference < inferences_; ++inference) {
      std::vector<TensorBytes>& inputs = sequence.inputs.emplace_back();
      for (const TensorFormat& format : inputs_) {
        // Known, for OpenRandomInputs has looked.
        const size_t size = ByteSizeOf(format).value_or(0);
        TensorBytes& bytes = inputs.emplace_back();
        bytes.reserve(size);
        while (bytes.size() < size) AppendRandom(format.type, random, bytes);
      }
    }
    return sequence;
  }

 private:
  const size_t count_;
  const uint64_t seed_;
  const std::vector<TensorFormat> inputs_;
  const size_t inferences_;
};

}  // namespace

absl::StatusOr<std::shared_ptr<const DataSet>> OpenRandomInputs(size_t count, uint64_t seed,
                                                                const Network& network) {
  absl::StatusOr<std::vector<TensorFormat>> inputs = InputFormatsOf(network);
  if (!inputs.ok()) return inputs.status();
  for (const TensorFormat& input : *inputs) {
    if (!ByteSizeOf(input)) {
      return absl::InvalidArgumentError(absl::StrCat(
          network.name, ": random inputs are for known sizes; one is ",
          hal::V1_2::toString(input.type), " ", hal::dimensionsToString(input.dimensions)));
    }
  }
  return std::make_shared<RandomDataSet>(count, seed, *std::move(inputs),
                                         network.states.empty() ? 1 : kInferencesWithStates);
}

}  // namespace nncert
