// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// LSH_PROJECTION: bits that are the same for similar inputs (locality-sensitive hashing).

#include <farmhash.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

#include "hal/float16.h"
#include "reference/catalogue.h"
#include "reference/kernel.h"
#include "reference/operand_chooser.h"
#include "reference/ops/common/computed_shape.h"
#include "reference/ops/common/recurrent.h"
#include "reference/ops/common/selection.h"

namespace nncert {
namespace {

enum : int { kHash, kInput, kWeight, kType };

// Kinds of projection (types.hal 1.2, LSH_PROJECTION, input 3).
enum : int32_t { kSparseDeprecated = 1, kDense = 2, kSparse = 3 };

uint32_t NumHashes(const OperationContext& context) { return context.Input(kHash).dimensions[0]; }
uint32_t NumBits(const OperationContext& context) { return context.Input(kHash).dimensions[1]; }

// The arithmetic of the scores. They are sums of 64-bit integers, which no half can hold; so an
// implementation that may compute with halves cannot do so here.
DoubleArithmetic ScoreArithmetic(const FloatArithmetic&) { return {}; }
DoubleArithmetic ScoreArithmetic(const DoubleArithmetic&) { return {}; }
BallArithmetic ScoreArithmetic(const BallArithmetic&) { return BallArithmetic(kFloat32Precision); }

// Seed number `index` of the hash functions.
float SeedOf(const OperationContext& context, size_t index) {
  const std::byte* seeds = context.State(kHash).value;
  if (context.Input(kHash).type == OperandType::TENSOR_FLOAT16) {
    uint16_t half = 0;
    std::memcpy(&half, seeds + index * sizeof(half), sizeof(half));
    return hal::Float16ToFloat(half);
  }
  float seed = 0;
  std::memcpy(&seed, seeds + index * sizeof(seed), sizeof(seed));
  return seed;
}

// The fingerprints of the input's slices along its first dimension, by seed.
class Fingerprints {
 public:
  explicit Fingerprints(const OperationContext& context) : context_(context) {
    const OperandInfo& input = context.Input(kInput);
    count_ = input.dimensions[0];
    slice_bytes_ =
        NumberOfElements(input.dimensions) / count_ * NativeElementSize(ElementKindOf(input.type));
    key_.resize(sizeof(float) + slice_bytes_);
  }

  size_t count() const { return count_; }

  // The fingerprint of the seed's four bytes followed by those of the slice, as a signed integer.
  double Of(float seed, size_t slice) {
    std::memcpy(key_.data(), &seed, sizeof(seed));
    std::memcpy(key_.data() + sizeof(seed), context_.State(kInput).value + slice * slice_bytes_,
                slice_bytes_);
    return static_cast<double>(static_cast<int64_t>(util::Fingerprint64(key_.data(), key_.size())));
  }

 private:
  const OperationContext& context_;
  size_t count_;
  size_t slice_bytes_;
  std::vector<char> key_;
};

// Whether the sum of the weighted fingerprints is above zero. Without weights all are 1.
template <class A, class Number>
Truth ScoreIsPositive(const A& arithmetic, Fingerprints& fingerprints, float seed,
                      const Number* weights) {
  typename A::Accumulator score;
  for (size_t i = 0; i < fingerprints.count(); ++i) {
    const auto fingerprint = arithmetic.Constant(fingerprints.Of(seed, i));
    if (weights == nullptr) {
      score.Add(fingerprint);
    } else {
      score.MultiplyAdd(weights[i], fingerprint);
    }
  }
  return arithmetic.Less(arithmetic.Constant(0), arithmetic.Finish(score));
}

// The integers that `bits` may make: the first is the most significant, and of 32 bits it is the
// sign.
template <class Number>
Number SignatureOf(const std::vector<Truth>& bits, int32_t offset) {
  int64_t lowest = offset;
  int64_t highest = offset;
  for (size_t i = 0; i < bits.size(); ++i) {
    const size_t place = bits.size() - 1 - i;
    const int64_t weight = place == 31 ? -(int64_t{1} << 31) : int64_t{1} << place;
    if (bits[i] == Truth::kFalse) continue;
    const bool is_certain = bits[i] == Truth::kTrue;
    lowest += is_certain ? weight : std::min<int64_t>(weight, 0);
    highest += is_certain ? weight : std::max<int64_t>(weight, 0);
  }
  if constexpr (std::is_same_v<Number, Ball>) {
    return Ball::FromBounds(static_cast<double>(lowest), static_cast<double>(highest));
  } else {
    return static_cast<Number>(lowest);
  }
}

template <class A>
absl::Status Project(const A& arithmetic, KernelContext<A>& context) {
  using Number = typename A::Number;
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  const Number* weights = context->Has(kWeight) ? context.Input(kWeight).data : nullptr;
  const int32_t type = context->Int32(kType);
  const size_t bits = NumBits(context.operation());
  const auto score_arithmetic = ScoreArithmetic(arithmetic);
  Fingerprints fingerprints(context.operation());
  std::vector<Truth> signature(type == kDense ? 1 : bits);
  for (size_t hash = 0; hash < NumHashes(context.operation()); ++hash) {
    for (size_t bit = 0; bit < bits; ++bit) {
      const size_t index = hash * bits + bit;
      const Truth is_set = ScoreIsPositive(score_arithmetic, fingerprints,
                                           SeedOf(context.operation(), index), weights);
      if (type == kDense) {
        signature[0] = is_set;
        (*output)[index] = SignatureOf<Number>(signature, 0);
      } else {
        signature[bit] = is_set;
      }
    }
    if (type == kDense) continue;
    // Made to differ from those of the other hash functions. With 32 bits there is only one.
    const uint64_t offset = type == kSparse ? uint64_t{hash} << bits : 0;
    (*output)[hash] =
        SignatureOf<Number>(signature, static_cast<int32_t>(static_cast<uint32_t>(offset)));
  }
  return absl::OkStatus();
}

std::vector<Constraint> Constraints() {
  return {Constraint("type is 1 (sparse, deprecated) or 2 (dense), or since HAL 1.2 3 (sparse)",
                     {.values = {kType}},
                     [](const OperationContext& context) {
                       const int32_t type = context.Int32(kType);
                       return type == kSparseDeprecated || type == kDense ||
                              (type == kSparse && context.version() >= HalVersion::V1_2);
                     }),
          Constraint("for a sparse projection, the number of bits is at most 32; for type 3, the "
                     "number of bits plus the logarithm to base 2 of the number of hash functions, "
                     "rounded up",
                     {.shapes = {kHash}, .values = {kType}},
                     [](const OperationContext& context) {
                       const uint32_t hashes = NumHashes(context);
                       if (context.Int32(kType) == kDense || hashes == 0) return true;
                       const int offset_bits =
                           context.Int32(kType) == kSparse ? std::bit_width(hashes - 1) : 0;
                       return uint64_t{NumBits(context)} + static_cast<uint64_t>(offset_bits) <= 32;
                     }),
          Constraint("there is a weight for each index into the first dimension of the input",
                     {.shapes = {kInput, kWeight}},
                     [](const OperationContext& context) {
                       return HaveDimensions(context, {kWeight},
                                             {context.Input(kInput).dimensions[0]});
                     }),
          Constraint(
              "there is at least one hash function of at least one bit, and the input is not empty",
              {.shapes = {kHash, kInput}}, [](const OperationContext& context) {
                return NumberOfElements(context.Input(kHash).dimensions) != 0 &&
                       NumberOfElements(context.Input(kInput).dimensions) != 0;
              })};
}

void ChooseProjection(OperandChooser& choose) {
  constexpr int kMostBits = 32;
  const int64_t type =
      choose.Between(kSparseDeprecated, choose.version() >= HalVersion::V1_2 ? kSparse : kDense);
  choose.SetInt32(kType, type);
  const uint32_t hashes = choose.Size(MostTimes(choose, kMostBits));
  const int offset_bits = type == kSparse ? std::bit_width(hashes - 1) : 0;
  const int most_bits = kMostBits - offset_bits;
  const auto bits =
      static_cast<uint32_t>(choose.OneIn(4) ? choose.Between(1, most_bits)
                                            : choose.Size(static_cast<uint32_t>(most_bits)));
  choose.SetDimensions(kHash, {hashes, bits});
  Shape input = choose.Dimensions(kInput);
  if (choose.IsGiven(kWeight)) input[0] = choose.Dimensions(kWeight)[0];
  choose.SetDimensions(kInput, input);
  choose.SetDimensions(kWeight, {input[0]});
  const double most = type == kDense ? 1 : std::exp2(offset_bits + static_cast<int>(bits)) - 1;
  // The last of 32 bits is the sign.
  choose.SetOutputRange(0, most < 0x1p31 ? ValueRange{0, most} : ValueRange{-0x1p31, 0x1p31 - 1});
}

}  // namespace

NNCERT_OPERATION_DEFINITION(LSH_PROJECTION) {
  return {
      .summary = "bit[k, j] = 1 if sum_i weight[i] * fingerprint(hash[k, j], input[i]) > 0, else 0",
      .description =
          "Each element of hash is the seed of one bit. The fingerprint is FarmHash's "
          "Fingerprint64 of the seed, as the four bytes of a FLOAT32, followed by the bytes of "
          "slice i of the input along its first dimension, taken as a signed 64-bit integer. A "
          "dense projection gives the bits one by one. A sparse one gives one integer for each "
          "hash function k, whose bits, the first being the most significant, are those of k; "
          "since HAL 1.2 k * 2^bits is added to it. The deprecated sparse projection adds nothing.",
      .signature =
          {.inputs = {FloatTensor("hash")
                          .Ranks({2})
                          .Parameter()
                          .Values(Uniform(-1000, 1000))
                          .Describe("The seeds: [number of hash functions, bits]."),
                      Tensor("input")
                          .Types({OperandType::TENSOR_FLOAT32, OperandType::TENSOR_INT32,
                                  OperandType::TENSOR_QUANT8_ASYMM})
                          .Types(HalVersion::V1_2, {OperandType::TENSOR_FLOAT16})
                          .Parameter()
                          .Values(Uniform(-100, 100))
                          .Describe("What is hashed: its bytes."),
                      Tensor("weight")
                          .TypeLike(kHash)
                          .Ranks({1})
                          .Omittable()
                          .Values(Uniform(0.1, 1))
                          .Describe("A weight for each slice of the input; all are 1 without it."),
                      Int32Scalar("type").Values(kNoValues).Describe(
                          "1 sparse without offset (deprecated), 2 dense, 3 sparse "
                          "(since HAL 1.2).")},
           .outputs = {Tensor("output")
                           .Types({OperandType::TENSOR_INT32})
                           .Ranks({1})
                           .Describe("[number of hash functions] if sparse, [number of hash "
                                     "functions * bits] if dense.")}},
      .constraints = Constraints(),
      .shape = [](const OperationContext& context, std::vector<Shape>& outputs) -> absl::Status {
        const uint64_t count =
            uint64_t{NumHashes(context)} * (context.Int32(kType) == kDense ? NumBits(context) : 1);
        if (count > kLargestTensorElements) {
          return context.InputError(kHash, "has too many elements for the output");
        }
        outputs[0] = {static_cast<uint32_t>(count)};
        return absl::OkStatus();
      },
      .steps =
          [](const OperationContext& context) {
            return ElementCount(context.Input(kHash)) * ElementCount(context.Input(kInput));
          },
      .kernel = Compute([]<class A>(const A& arithmetic, KernelContext<A>& context) {
        return Project(arithmetic, context);
      }),
      .choose = ChooseProjection,
      .error_bound =
          "none, but where the error of the sum of weighted fingerprints in single precision "
          "leaves its sign open",
      .source =
          "types.hal 1.0 and 1.2, OperationType::LSH_PROJECTION; that the hash is FarmHash's, and "
          "of which bytes, is Android's implementation",
  };
}

}  // namespace nncert
