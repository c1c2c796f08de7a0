// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// ADD, DIV, MUL and SUB by the hot kernels.

#include "reference/ops/arithmetic.h"

#include <algorithm>
#include <type_traits>

#include "reference/fast/ball_products.h"
#include "reference/fast/broadcast_rows.h"
#include "reference/fast/hot/levels.h"
#include "reference/fast/packed_weights.h"
#include "reference/fast_kernel.h"
#include "reference/ops/common/elementwise.h"

namespace nncert {
namespace {

using arithmetic::kA;
using arithmetic::kActivation;
using arithmetic::kB;

// Elements that make a piece of work for a thread.
constexpr size_t kElementsAtATime = size_t{1} << 16;

// Calls combine(row) for pieces of the rows of the output.
template <class Context, class Combine>
void ForRows(Context& context, const Shape& a, const Shape& b, const Shape& output,
             Combine combine) {
  ForEachBroadcastRow(a, b, output, [&](const BroadcastRow& row) {
    if (row.count <= kElementsAtATime) return combine(row);
    context.ParallelFor(row.count, kElementsAtATime, [&](size_t begin, size_t end) {
      combine({row.first + begin, end - begin, row.a + begin * row.a_step, row.a_step,
               row.b + begin * row.b_step, row.b_step});
    });
  });
}

// NumberReader for elements that are never converted.
struct ByteReader {
  explicit ByteReader(const uint8_t* its_bytes) : bytes(its_bytes) {}
  const uint8_t* Read(size_t first, size_t /*count*/, uint8_t* /*room*/) const {
    return bytes + first;
  }
  const uint8_t* bytes;
};

// An operand of the operation.
template <class Reader>
struct Operand {
  Reader reader;
  const Shape* dimensions;
  size_t size;
};

// The elements of an operand that are repeated over and over along the output, as a bias is along
// images, are short rows. Repeated a few times beforehand, they make rows of this length.
constexpr size_t kRepeatedElements = 2048;

// Whether the elements of a tensor follow each other over and over in an output of `dimensions`.
bool IsRepeatedWhole(const Shape& shape, const Shape& dimensions) {
  size_t first = 0;
  while (first < shape.size() && shape[first] == 1) ++first;
  const size_t rank = shape.size() - first;
  return rank > 0 && rank <= dimensions.size() &&
         std::equal(shape.begin() + first, shape.end(), dimensions.end() - rank);
}

// Calls combine(row, a, b) for rows of the output, with what reads the elements that the row counts
// in. There is room for kRepeatedElements in `repeated`.
template <class Context, class Reader, class T, class Combine>
void ForBroadcastElements(Context& context, const Operand<Reader>& a, const Operand<Reader>& b,
                          const TensorView<T>& output, T* repeated, Combine combine) {
  const auto is_repeated = [&](const Operand<Reader>& some, const Operand<Reader>& other) {
    return some.size > 1 && some.size <= kRepeatedElements / 2 && other.size == output.size &&
           output.size > kRepeatedElements && IsRepeatedWhole(*some.dimensions, output.dimensions);
  };
  const bool is_a_repeated = is_repeated(a, b);
  if (!is_a_repeated && !is_repeated(b, a)) {
    ForRows(context, *a.dimensions, *b.dimensions, output.dimensions,
            [&](const BroadcastRow& row) { combine(row, a.reader, b.reader); });
    return;
  }
  const Operand<Reader>& few = is_a_repeated ? a : b;
  const size_t length = kRepeatedElements / few.size * few.size;
  const T* elements = few.reader.Read(0, few.size, repeated);
  for (size_t i = 0; i < length; i += few.size) {
    if (repeated + i != elements) std::copy_n(elements, few.size, repeated + i);
  }
  const Reader repetitions(repeated);
  // NOLINTNEXTLINE(clang-analyzer-core.DivideZero): two of `few` fit, so the length is not 0.
  const size_t rows = (output.size + length - 1) / length;
  context.ParallelFor(rows, kElementsAtATime / kRepeatedElements, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      const size_t first = i * length;
      const size_t count = std::min(length, output.size - first);
      if (is_a_repeated) {
        combine({first, count, 0, 1, first, 1}, repetitions, b.reader);
      } else {
        combine({first, count, first, 1, 0, 1}, a.reader, repetitions);
      }
    }
  });
}

// Calls combine(place, count, a, b) for pieces of a row: `count` numbers of the output from `place`
// on, and the numbers of the operands, or the one number of an operand whose step is 0.
template <class T, class Combine>
void ForPieces(const BroadcastRow& row, const NumberReader<T>& a, const NumberReader<T>& b,
               Combine combine) {
  if constexpr (std::is_same_v<T, float>) {
    // Floats are always all there.
    combine(row.first, row.count, a.Read(row.a, row.count, nullptr),
            b.Read(row.b, row.count, nullptr));
    return;
  }
  // Room for numbers that are converted, as many as stay in the nearest cache until they are
  // combined: all of it for one operand, or halves for two, whose places in their pages differ. By
  // those places alone processors tell a load from stores that are under way, so that numbers of
  // one operand would be waited for when those of the other are read: twice the time in all.
  constexpr size_t kNumbers = 512;
  constexpr size_t kBytesBetween = 256;
  const bool are_halves = a.IsConverted() && b.IsConverted();
  const size_t numbers_at_a_time = are_halves ? kNumbers / 2 : kNumbers;
  // Written out, for constructors would take longer than a short row.
  alignas(64) std::byte a_room[kNumbers * sizeof(T) + kBytesBetween];
  std::byte* const b_room = are_halves ? a_room + kNumbers / 2 * sizeof(T) + kBytesBetween : a_room;
  const auto read = [](const NumberReader<T>& reader, size_t first, size_t step, size_t i,
                       size_t count, std::byte* room) {
    return reader.Read(first + i * step, step == 0 ? 1 : count, reinterpret_cast<T*>(room));
  };
  for (size_t i = 0; i < row.count; i += numbers_at_a_time) {
    const size_t count = std::min(numbers_at_a_time, row.count - i);
    combine(row.first + i, count, read(a, row.a, row.a_step, i, count, a_room),
            read(b, row.b, row.b_step, i, count, b_room));
  }
}

// Calls combine as ForPieces does for both inputs of `context` and `output`.
template <class A, class Combine>
void ForBroadcastPieces(FastContext<A>& context, const TensorView<typename A::Number>& output,
                        Combine combine) {
  using Number = typename A::Number;
  const auto operand = [&](int slot) -> Operand<NumberReader<Number>> {
    const Shape& dimensions = context->Input(slot).dimensions;
    return {context.Reader(slot), &dimensions, NumberOfElements(dimensions)};
  };
  Number* repeated = context.UninitializedScratch(kRepeatedElements);
  ForBroadcastElements(
      context, operand(kA), operand(kB), output, repeated,
      [&](const BroadcastRow& row, const NumberReader<Number>& a, const NumberReader<Number>& b) {
        ForPieces(row, a, b,
                  [&](size_t place, size_t count, const Number* from_a, const Number* from_b) {
                    combine(row, place, count, from_a, from_b);
                  });
      });
}

// Sets the output to activation(a op b), broadcast.
template <hot::BinaryOperation kOperation, class T>
absl::Status CombineReals(const RealArithmetic<T>& /*arithmetic*/,
                          FastContext<RealArithmetic<T>>& context) {
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  const ActivationLimits limits = LimitsOf(ActivationOf(context.operation(), kActivation));
  ForBroadcastPieces(
      context, *output,
      [&](const BroadcastRow& row, size_t place, size_t count, const T* a, const T* b) {
        HotKernels<T>().binary({.operation = kOperation,
                                .count = count,
                                .a = a,
                                .a_step = row.a_step,
                                .b = b,
                                .b_step = row.b_step,
                                .lowest = static_cast<T>(limits.lowest),
                                .highest = static_cast<T>(limits.highest),
                                .result = output->data + place});
      });
  return absl::OkStatus();
}

template <hot::BinaryOperation kOperation>
absl::Status CombineBalls(const BallArithmetic& arithmetic, FastContext<BallArithmetic>& context) {
  auto output = context.Output(0);
  if (!output.ok()) return output.status();
  const ActivationLimits limits = LimitsOf(ActivationOf(context.operation(), kActivation));
  const hot::BallPrecision precision = BallPrecisionOf(arithmetic.precision());
  ForBroadcastPieces(
      context, *output,
      [&](const BroadcastRow& row, size_t place, size_t count, const Ball* a, const Ball* b) {
        hot::BestKernels().ball_binary({.operation = kOperation,
                                        .count = count,
                                        .a = DoublesOf(a),
                                        .a_step = row.a_step,
                                        .b = DoublesOf(b),
                                        .b_step = row.b_step,
                                        .quotient_roundings = 2 * BallArithmetic::kQuotientUlps,
                                        .precision = precision,
                                        .lowest = limits.lowest,
                                        .highest = limits.highest,
                                        .result = DoublesOf(output->data + place)});
      });
  return absl::OkStatus();
}

// The same on TENSOR_QUANT8_ASYMM elements, rounded once. Declines other types, and division.
template <hot::BinaryOperation kOperation>
absl::Status CombineIntegers(IntegerContext& context) {
  const OperandInfo& a_info = context->Input(kA);
  const OperandInfo& b_info = context->Input(kB);
  const OperandInfo& output_info = context->Output(0);
  if (a_info.type != OperandType::TENSOR_QUANT8_ASYMM) return Declined();
  hot::IntegerBinary whole;
  const double a_scale = a_info.scale;
  const double b_scale = b_info.scale;
  switch (kOperation) {
    case hot::BinaryOperation::kAdd:
      whole.a_multiplier = a_scale / output_info.scale;
      whole.b_multiplier = b_scale / output_info.scale;
      break;
    case hot::BinaryOperation::kSubtract:
      whole.a_multiplier = a_scale / output_info.scale;
      whole.b_multiplier = -b_scale / output_info.scale;
      break;
    case hot::BinaryOperation::kMultiply:
      whole.is_product = true;
      whole.a_multiplier = a_scale * b_scale / output_info.scale;
      break;
    case hot::BinaryOperation::kDivide:
      return Declined();
  }
  const auto a = context.Input<uint8_t>(kA);
  const auto b = context.Input<uint8_t>(kB);
  auto output = context.Output<uint8_t>(0);
  if (!output.ok()) return output.status();
  whole.a_zero_point = a_info.zeroPoint;
  whole.b_zero_point = b_info.zeroPoint;
  whole.requantization = OutputLimits(output_info, ActivationOf(context.operation(), kActivation));
  auto* repeated = context.UninitializedScratch<uint8_t>(kRepeatedElements);
  const auto operand = [](const TensorView<const uint8_t>& view) -> Operand<ByteReader> {
    return {ByteReader(view.data), &view.dimensions, view.size};
  };
  ForBroadcastElements(
      context, operand(a), operand(b), *output, repeated,
      [&](const BroadcastRow& row, const ByteReader& from_a, const ByteReader& from_b) {
        hot::IntegerBinary binary = whole;
        binary.count = row.count;
        binary.a = from_a.Read(row.a, row.count, nullptr);
        binary.a_step = row.a_step;
        binary.b = from_b.Read(row.b, row.count, nullptr);
        binary.b_step = row.b_step;
        binary.result = output->data + row.first;
        hot::BestKernels().integer_binary(binary);
      });
  return absl::OkStatus();
}

template <hot::BinaryOperation kOperation>
constexpr FastKernel kCombine = {.with_float = CombineReals<kOperation, float>,
                                 .with_double = CombineReals<kOperation, double>,
                                 .with_ball = CombineBalls<kOperation>,
                                 .with_integers = CombineIntegers<kOperation>};

}  // namespace

NNCERT_FAST_KERNEL(ADD, (kCombine<hot::BinaryOperation::kAdd>));
NNCERT_FAST_KERNEL(DIV, (kCombine<hot::BinaryOperation::kDivide>));
NNCERT_FAST_KERNEL(MUL, (kCombine<hot::BinaryOperation::kMultiply>));
NNCERT_FAST_KERNEL(SUB, (kCombine<hot::BinaryOperation::kSubtract>));

}  // namespace nncert
