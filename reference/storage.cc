// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/storage.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "hal/float16.h"
#include "reference/native_elements.h"
#include "reference/number/arithmetic.h"

namespace nncert {
namespace {

template <class Native>
Native ReadNative(const std::byte* elements, size_t index) {
  if constexpr (std::is_same_v<Native, bool>) {
    return elements[index] != std::byte{0};
  } else {
    Native value;
    std::memcpy(&value, elements + index * sizeof(Native), sizeof(Native));
    return value;
  }
}

template <class Native>
double ToDouble(Native value) {
  if constexpr (std::is_same_v<Native, Half>) {
    return hal::Float16ToFloat(value.bits);
  } else {
    return static_cast<double>(value);
  }
}

// The nearest integer, ties away from zero: std::round without a call of the mathematical library,
// which is most of the time that storing a quantized tensor would take. Half of a step less one
// unit in the last place is added, so that the greatest number below a tie is not carried over it.
double RoundHalfAway(double value) {
  if (!(std::abs(value) < 0x1p52)) return value;
  return static_cast<double>(
      static_cast<int64_t>(value + std::copysign(0x1.fffffffffffffp-2, value)));
}

// The nearest value of the native type, ties of integers away from zero. Integers saturate, and NaN
// becomes 0 in them.
template <class Native>
Native FromDouble(double value) {
  if constexpr (std::is_same_v<Native, Half>) {
    return Half{hal::DoubleToFloat16(value)};
  } else if constexpr (std::is_same_v<Native, float>) {
    return static_cast<float>(value);
  } else if constexpr (std::is_same_v<Native, bool>) {
    return value != 0;
  } else {
    if (std::isnan(value)) return 0;
    const double nearest = RoundHalfAway(value);
    constexpr double kLowest = static_cast<double>(std::numeric_limits<Native>::lowest());
    constexpr double kHighest = static_cast<double>(std::numeric_limits<Native>::max());
    return static_cast<Native>(std::clamp(nearest, kLowest, kHighest));
  }
}

// The scales along a tensor: one for all elements, or one for each index of the channel dimension.
class Scales {
 public:
  explicit Scales(const OperandInfo& info) : info_(info) {
    for (size_t i = info.channelDim + 1; i < info.dimensions.size(); ++i)
      inner_ *= info.dimensions[i];
  }
  double At(size_t index) const {
    if (info_.channelScales.empty()) return info_.scale;
    return info_.channelScales[(index / inner_) % info_.channelScales.size()];
  }

 private:
  const OperandInfo& info_;
  size_t inner_ = 1;
};

// `steps` rounded to the nearest integer, ties in either direction, and saturated.
Ball RoundedToSteps(const Ball& steps, double slack, const IntegerRange& range) {
  const auto lowest = static_cast<double>(range.lowest);
  const auto highest = static_cast<double>(range.highest);
  if (!steps.IsBounded() || std::isnan(steps.midpoint)) return Ball::FromBounds(lowest, highest);
  const double lower = std::clamp(std::ceil(steps.Lower() - slack - 0.5), lowest, highest);
  const double upper = std::clamp(std::floor(steps.Upper() + slack + 0.5), lowest, highest);
  // Ball::FromBounds, of integers that are exact and in order: whether there is one or two of them
  // no processor foresees.
  return {(lower + upper) / 2, (upper - lower) / 2};
}

// All that storing a real number as a quantized element may come to.
Ball StoredQuantized(const Ball& number, double scale, const OperandInfo& info,
                     const Precision& precision) {
  Ball steps = Ball::Anything();
  if (number.IsBounded()) {
    const double quotient = number.midpoint / scale;
    const double spread = number.radius / scale;
    // The scale and the quotient may be rounded to the precision.
    const double roundoff = 2 * precision.unit_roundoff * (std::abs(quotient) + spread) +
                            (std::abs(quotient) + std::abs(info.zeroPoint)) * 0x1p-50;
    steps = {quotient + info.zeroPoint, number.IsExactSpecial() ? 0 : spread + roundoff};
  }
  // The slack is less than half a step, so it never moves a number that is an exact step.
  return RoundedToSteps(steps, precision.quantization_slack, RangeOf(info.type));
}

// All that storing a number as an element of a type without a scale may come to.
Ball StoredPlain(const Ball& number, OperandType type) {
  switch (ElementKindOf(type)) {
    case ElementKind::kFloat32:
      return number;
    case ElementKind::kFloat16: {
      const bool is_half =
          number.IsExact() &&
          hal::Float16ToDouble(hal::DoubleToFloat16(number.midpoint)) == number.midpoint;
      if (is_half || number.IsExactSpecial()) return number;
      return BallArithmetic(kFloat16Precision).Round(number);
    }
    case ElementKind::kBool: {
      if (number.IsExact()) return {number.midpoint != 0 ? 1.0 : 0.0, 0};
      return RoundedToSteps(number, 0, RangeOf(type));
    }
    case ElementKind::kInt32:
    case ElementKind::kUint32: {
      const IntegerRange range = RangeOf(type);
      const auto lowest = static_cast<double>(range.lowest);
      const auto highest = static_cast<double>(range.highest);
      // What an integer that is too large becomes is up to the implementation.
      const bool fits = number.Lower() > lowest - 1 && number.Upper() < highest + 1;
      return fits ? RoundedToSteps(number, 0, range) : Ball::FromBounds(lowest, highest);
    }
    default:
      return RoundedToSteps(number, 0, RangeOf(type));
  }
}

}  // namespace

template <class Number>
bool IsKeptAs(NumberSystem system, OperandType type, LoadAs load_as) {
  const bool is_plain = load_as == LoadAs::kInteger || !IsQuantized(type);
  switch (system) {
    case NumberSystem::kFloat:
      return std::is_same_v<Number, float> && ElementKindOf(type) == ElementKind::kFloat32;
    case NumberSystem::kDouble:
      return std::is_same_v<Number, double> && is_plain;
    case NumberSystem::kBall:
      return std::is_same_v<Number, Ball> && is_plain;
  }
  return false;
}

template <class Number>
void LoadElements(NumberSystem system, const OperandInfo& info, LoadAs load_as,
                  const Precision& precision, const std::byte* elements, size_t count,
                  Number* numbers, const FastFunctions* fast) {
  const bool is_scaled = load_as == LoadAs::kReal && IsQuantized(info.type);
  const Scales scales(info);
  const double zero_point = info.zeroPoint;
  if constexpr (std::is_same_v<Number, Ball>) {
    const auto* balls = reinterpret_cast<const Ball*>(elements);
    if (!is_scaled) {
      std::copy_n(balls, count, numbers);
      return;
    }
    const BallArithmetic arithmetic(precision);
    for (size_t i = 0; i < count; ++i) {
      // The difference has at most 18 bits and the scale 24, so the product is exact.
      const double scale = scales.At(i);
      const double real = (balls[i].midpoint - zero_point) * scale;
      numbers[i] = arithmetic.Round({real, balls[i].radius * scale});
    }
  } else {
    if (system == NumberSystem::kDouble) {
      const auto* doubles = reinterpret_cast<const double*>(elements);
      for (size_t i = 0; i < count; ++i) {
        numbers[i] =
            static_cast<Number>(is_scaled ? (doubles[i] - zero_point) * scales.At(i) : doubles[i]);
      }
      return;
    }
    if constexpr (std::is_same_v<Number, float>) {
      if (fast != nullptr && fast->halves_to_floats != nullptr &&
          ElementKindOf(info.type) == ElementKind::kFloat16) {
        fast->halves_to_floats(count, reinterpret_cast<const uint16_t*>(elements), numbers);
        return;
      }
    }
    VisitNative(info.type, [&](auto tag) {
      using Native = decltype(tag);
      if (is_scaled) {
        for (size_t i = 0; i < count; ++i) {
          const double value = ToDouble(ReadNative<Native>(elements, i));
          numbers[i] = static_cast<Number>((value - zero_point) * scales.At(i));
        }
      } else {
        for (size_t i = 0; i < count; ++i) {
          numbers[i] = static_cast<Number>(ToDouble(ReadNative<Native>(elements, i)));
        }
      }
    });
  }
}

template <class Number>
void StoreElements(NumberSystem system, const OperandInfo& info, LoadAs store_as,
                   const Precision& precision, const Number* numbers, size_t count,
                   std::byte* elements, const FastFunctions* fast) {
  const bool is_scaled = store_as == LoadAs::kReal && IsQuantized(info.type);
  const Scales scales(info);
  if constexpr (std::is_same_v<Number, Ball>) {
    auto* balls = reinterpret_cast<Ball*>(elements);
    for (size_t i = 0; i < count; ++i) {
      balls[i] = is_scaled ? StoredQuantized(numbers[i], scales.At(i), info, precision)
                           : StoredPlain(numbers[i], info.type);
    }
  } else {
    if constexpr (std::is_same_v<Number, float>) {
      if (fast != nullptr && fast->floats_to_halves != nullptr && system == NumberSystem::kFloat &&
          ElementKindOf(info.type) == ElementKind::kFloat16) {
        fast->floats_to_halves(count, numbers, reinterpret_cast<uint16_t*>(elements));
        return;
      }
    }
    const auto steps_of = [&](size_t i) {
      const auto value = static_cast<double>(numbers[i]);
      return is_scaled ? RoundHalfAway(value / scales.At(i)) + info.zeroPoint : value;
    };
    VisitNative(info.type, [&](auto tag) {
      using Native = decltype(tag);
      if (system == NumberSystem::kDouble) {
        auto* doubles = reinterpret_cast<double*>(elements);
        for (size_t i = 0; i < count; ++i) {
          // A FLOAT32 element keeps its double precision: the oracle rounds nothing that it need
          // not round.
          if constexpr (std::is_same_v<Native, float>) {
            doubles[i] = static_cast<double>(numbers[i]);
          } else {
            doubles[i] = ToDouble(FromDouble<Native>(steps_of(i)));
          }
        }
      } else {
        for (size_t i = 0; i < count; ++i) {
          const Native value = FromDouble<Native>(steps_of(i));
          std::memcpy(elements + i * sizeof(Native), &value, sizeof(Native));
        }
      }
    });
  }
}

void ImportElements(NumberSystem system, OperandType type, const std::byte* native, size_t count,
                    std::byte* elements, const FastFunctions* fast) {
  if (system == NumberSystem::kFloat) {
    if (count != 0) std::memcpy(elements, native, count * ElementSize(system, type));
    return;
  }
  if (fast != nullptr && system == NumberSystem::kDouble &&
      ElementKindOf(type) == ElementKind::kFloat32) {
    fast->floats_to_doubles(count, reinterpret_cast<const float*>(native),
                            reinterpret_cast<double*>(elements));
    return;
  }
  VisitNative(type, [&](auto tag) {
    using Native = decltype(tag);
    for (size_t i = 0; i < count; ++i) {
      const double value = ToDouble(ReadNative<Native>(native, i));
      if (system == NumberSystem::kDouble) {
        reinterpret_cast<double*>(elements)[i] = value;
      } else {
        reinterpret_cast<Ball*>(elements)[i] = {value, 0};
      }
    }
  });
}

void HoldElements(OperandType type, const Precision& precision, size_t count, std::byte* elements) {
  if (!IsFloatingPoint(type)) return;
  auto* balls = reinterpret_cast<Ball*>(elements);
  for (size_t i = 0; i < count; ++i) {
    if (balls[i].IsExact()) balls[i] = Held(balls[i].midpoint, precision);
  }
}

void ImportHeldElements(OperandType type, const Precision& precision, const std::byte* native,
                        size_t count, std::byte* elements, const FastFunctions* fast) {
  const bool is_fast = fast != nullptr &&
                       precision.unit_roundoff == kFloat32Precision.unit_roundoff &&
                       ElementKindOf(type) == ElementKind::kFloat32;
  // Some at a time, which are still in a cache where some of them have to be looked at again.
  constexpr size_t kAtATime = 512;
  for (size_t i = 0; i < count; i += kAtATime) {
    const size_t some = std::min(kAtATime, count - i);
    const std::byte* from = native + i * ElementSize(NumberSystem::kFloat, type);
    std::byte* to = elements + i * sizeof(Ball);
    if (is_fast && fast->floats_to_balls(some, reinterpret_cast<const float*>(from),
                                         reinterpret_cast<double*>(to))) {
      continue;
    }
    ImportElements(NumberSystem::kBall, type, from, some, to);
    HoldElements(type, precision, some, to);
  }
}

void ExportElements(NumberSystem system, OperandType type, const std::byte* elements, size_t count,
                    std::byte* native) {
  if (system == NumberSystem::kFloat) {
    if (count != 0) std::memcpy(native, elements, count * ElementSize(system, type));
    return;
  }
  VisitNative(type, [&](auto tag) {
    using Native = decltype(tag);
    for (size_t i = 0; i < count; ++i) {
      const double number = system == NumberSystem::kDouble
                                ? reinterpret_cast<const double*>(elements)[i]
                                : reinterpret_cast<const Ball*>(elements)[i].midpoint;
      const Native value = FromDouble<Native>(number);
      std::memcpy(native + i * sizeof(Native), &value, sizeof(Native));
    }
  });
}

template bool IsKeptAs<float>(NumberSystem, OperandType, LoadAs);
template bool IsKeptAs<double>(NumberSystem, OperandType, LoadAs);
template bool IsKeptAs<Ball>(NumberSystem, OperandType, LoadAs);
template void LoadElements(NumberSystem, const OperandInfo&, LoadAs, const Precision&,
                           const std::byte*, size_t, float*, const FastFunctions*);
template void LoadElements(NumberSystem, const OperandInfo&, LoadAs, const Precision&,
                           const std::byte*, size_t, double*, const FastFunctions*);
template void LoadElements(NumberSystem, const OperandInfo&, LoadAs, const Precision&,
                           const std::byte*, size_t, Ball*, const FastFunctions*);
template void StoreElements(NumberSystem, const OperandInfo&, LoadAs, const Precision&,
                            const float*, size_t, std::byte*, const FastFunctions*);
template void StoreElements(NumberSystem, const OperandInfo&, LoadAs, const Precision&,
                            const double*, size_t, std::byte*, const FastFunctions*);
template void StoreElements(NumberSystem, const OperandInfo&, LoadAs, const Precision&, const Ball*,
                            size_t, std::byte*, const FastFunctions*);

}  // namespace nncert
