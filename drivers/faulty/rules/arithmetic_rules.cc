// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Rules about arithmetic: precision, rounding, overflow and approximations.

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>

#include "drivers/faulty/rules/accumulation.h"
#include "drivers/faulty/rules/rule.h"
#include "hal/float16.h"
#include "reference/calls/windows.h"

namespace nncert::faulty {
namespace {

// Beyond that, numbers are not converted to integers: they saturate before. A thousand times as
// many steps as any integer of 32 bits has.
constexpr double kFarAway = 0x1p42;

double ToHalf(double value) { return hal::Float16ToDouble(hal::DoubleToFloat16(value)); }

double ToFloat(double value) { return static_cast<float>(value); }

// To the eight bits of precision of bfloat16, towards zero.
double ToBfloat16(double value) {
  const uint32_t bits = std::bit_cast<uint32_t>(static_cast<float>(value));
  return std::bit_cast<float>(bits & 0xFFFF'0000U);
}

void ChangeReals(ValuedOperand& value, double (*change)(double)) {
  std::vector<double> reals = RealsOf(value);
  std::transform(reals.begin(), reals.end(), reals.begin(), change);
  SetReals(value, reals);
}

// Computes FLOAT32 operations on operands, and gives results, of less precision.
absl::Status ComputeRounded(OperationCall& call, Compute compute, double (*round)(double)) {
  OperationCall rounded = call;
  for (ValuedOperand& input : rounded.inputs) {
    if (input.operand.type == OperandType::TENSOR_FLOAT32 && !input.is_omitted) {
      ChangeReals(input, round);
    }
  }
  if (absl::Status status = compute(rounded); !status.ok()) return status;
  call.outputs = rounded.outputs;
  for (ValuedOperand& output : call.outputs) {
    if (output.operand.type == OperandType::TENSOR_FLOAT32) ChangeReals(output, round);
  }
  return absl::OkStatus();
}

absl::Status ComputeSums(OperationCall& call, Compute compute, RoundSum round) {
  if (absl::Status status = compute(call); !status.ok()) return status;
  if (!HasSums(call) || !IsFloat(call.outputs[0]) || call.outputs[0].bytes.empty()) {
    return absl::OkStatus();
  }
  std::vector<double> sums = AddUp(call, round);
  const int32_t activation = call.Integer("activation").value_or(0);
  for (double& sum : sums) sum = Activate(sum, activation);
  if (sums.size() == call.outputs[0].count()) SetReals(call.outputs[0], sums);
  return absl::OkStatus();
}

// A quantized result as a real number.
struct UnroundedResult {
  // Relative to the zero point.
  double steps;
  int32_t zero_point;
  IntegerRange range;
  // What it is rounded to.
  int64_t right;
};

// Computes quantized results as reals, and has `round` say what they come to.
absl::Status Requantize(OperationCall& call, Compute compute,
                        int64_t (*round)(const UnroundedResult& result)) {
  if (absl::Status status = compute(call); !status.ok()) return status;
  const std::vector<std::vector<double>> results = ComputeOnReals(call);
  for (size_t k = 0; k < results.size(); ++k) {
    ValuedOperand& output = call.outputs[k];
    if (results[k].size() != output.count()) continue;
    const IntegerRange range = RangeOfElements(output);
    std::vector<int64_t> integers = IntegersOf(output);
    for (size_t i = 0; i < integers.size(); ++i) {
      const double real = results[k][i];
      const double steps =
          std::isnan(real) ? 0 : std::clamp(real / output.operand.scale, -kFarAway, kFarAway);
      integers[i] = round({steps, output.operand.zeroPoint, range, integers[i]});
    }
    SetIntegers(output, integers);
  }
  return absl::OkStatus();
}

int64_t Saturate(int64_t value, IntegerRange range) {
  return std::clamp(value, range.lowest, range.highest);
}

// A number of steps, of which there are no fractions, as an element that saturates.
int64_t Saturated(double steps, const UnroundedResult& result) {
  return Saturate(static_cast<int64_t>(steps) + result.zero_point, result.range);
}

int64_t Wrap(int64_t value, IntegerRange range) {
  const int64_t size = range.highest - range.lowest + 1;
  const int64_t offset = (value - range.lowest) % size;
  return range.lowest + (offset < 0 ? offset + size : offset);
}

// Real results of whole steps come out a little beside them.
constexpr double kSlack = 1e-3;

// Quantized FULLY_CONNECTED and CONV_2D with sums of 16 bits.
absl::Status ComputeWithShortSums(OperationCall& call, Compute compute) {
  if (absl::Status status = compute(call); !status.ok()) return status;
  const ValuedOperand* const filter =
      call.Find("filter") != nullptr ? call.Find("filter") : call.Find("weights");
  if (filter == nullptr || filter->operand.scale == 0) return absl::OkStatus();
  const std::vector<std::vector<double>> results = ComputeOnReals(call, 0);
  if (results.size() != 1 || results[0].size() != call.outputs[0].count()) return absl::OkStatus();
  const double scale =
      static_cast<double>(call.FirstTensor().operand.scale) * filter->operand.scale;
  const IntegerRange range = {std::numeric_limits<int16_t>::min(),
                              std::numeric_limits<int16_t>::max()};
  const int32_t activation = call.Integer("activation").value_or(0);
  std::vector<double> reals;
  for (const double real : results[0]) {
    const double steps = std::isnan(real) ? 0 : std::clamp(real / scale, -kFarAway, kFarAway);
    const double sum = static_cast<double>(Wrap(std::llround(steps), range)) * scale;
    reals.push_back(Activate(sum, activation));
  }
  SetReals(call.outputs[0], reals);
  return absl::OkStatus();
}

bool Is(const OperationCall& call, OperationType type) { return call.definition->type == type; }

// Replaces an element-wise function on reals.
template <OperationType kType>
absl::Status Approximate(OperationCall& call, Compute compute, double (*function)(double)) {
  if (absl::Status status = compute(call); !status.ok()) return status;
  if (!Is(call, kType) || call.outputs[0].bytes.empty()) return absl::OkStatus();
  std::vector<double> reals = RealsOf(call.FirstTensor());
  std::transform(reals.begin(), reals.end(), reals.begin(), function);
  SetReals(call.outputs[0], reals);
  return absl::OkStatus();
}

// The exponential function by its exponent alone, linear between powers of two.
double EstimateExp(double x) {
  if (!std::isfinite(x)) return std::exp(x);
  const double exponent = x / std::log(2.0);
  const double whole = std::floor(exponent);
  return std::ldexp(1 + (exponent - whole), static_cast<int>(std::clamp(whole, -1000.0, 1000.0)));
}

// 1 / sqrt(x) by halving the bits of the exponent, and one step of Newton's method.
double EstimateRsqrt(double x) {
  const float value = static_cast<float>(x);
  if (!(value > 0) || std::isinf(value)) return 1 / std::sqrt(x);
  const float estimate = std::bit_cast<float>(0x5F37'0000U - (std::bit_cast<uint32_t>(value) >> 1));
  return estimate * (1.5 - 0.5 * value * estimate * estimate);
}

double EstimateTanh(double x) { return std::clamp(x * (27 + x * x) / (27 + 9 * x * x), -1.0, 1.0); }

double EstimateLogistic(double x) { return std::clamp(0.2 * x + 0.5, 0.0, 1.0); }

// Softmax by the formula as it stands, in float: large exponents overflow.
absl::Status ComputeSoftmaxWithoutShift(OperationCall& call, Compute compute) {
  if (absl::Status status = compute(call); !status.ok()) return status;
  const ValuedOperand& input = call.FirstTensor();
  const auto rank = static_cast<int>(input.operand.dimensions.size());
  const int axis = CanonicalAxis(call.Integer("axis").value_or(-1), rank);
  const ValuedOperand* const beta = call.Find("beta");
  if (!Is(call, OperationType::SOFTMAX) || axis < 0 || beta == nullptr) return absl::OkStatus();
  const size_t size = input.operand.dimensions[static_cast<size_t>(axis)];
  const size_t inner = ProductOfDimensions(input, static_cast<size_t>(axis) + 1, rank);
  std::vector<double> reals = RealsOf(input);
  const double factor = RealsOf(*beta).front();
  for (double& real : reals) real = std::exp(static_cast<float>(real * factor));
  std::vector<double> results(reals.size());
  for (size_t i = 0; i < reals.size(); ++i) {
    const size_t first = i - i / inner % size * inner;
    float sum = 0;
    for (size_t k = 0; k < size; ++k) sum += static_cast<float>(reals[first + k * inner]);
    results[i] = static_cast<float>(reals[i]) / sum;
  }
  SetReals(call.outputs[0], results);
  return absl::OkStatus();
}

// The pixels of an image by place and channel.
class Image {
 public:
  Image(const ValuedOperand& value, const ImageAxes& axes)
      : axes_(axes), size_(value.operand.dimensions), reals_(RealsOf(value)) {}

  size_t Index(uint32_t batch, uint32_t y, uint32_t x, uint32_t channel) const {
    size_t index[4] = {batch, 0, 0, 0};
    index[axes_.height] = y;
    index[axes_.width] = x;
    index[axes_.channels] = channel;
    return ((index[0] * size_[1] + index[1]) * size_[2] + index[2]) * size_[3] + index[3];
  }
  uint32_t height() const { return size_[axes_.height]; }
  uint32_t width() const { return size_[axes_.width]; }
  uint32_t batches() const { return size_[0]; }
  uint32_t channels() const { return size_[axes_.channels]; }
  std::vector<double>& reals() { return reals_; }

 private:
  ImageAxes axes_;
  std::vector<uint32_t> size_;
  std::vector<double> reals_;
};

// Resizes with pixels whose centres, not corners, are at the places of the old image.
absl::Status ResizeByCentres(OperationCall& call, Compute compute) {
  if (absl::Status status = compute(call); !status.ok()) return status;
  if (!Is(call, OperationType::RESIZE_BILINEAR) || call.outputs[0].bytes.empty() ||
      call.FirstTensor().bytes.empty()) {
    return absl::OkStatus();
  }
  Image from(call.FirstTensor(), AxesOf(call));
  Image to(call.outputs[0], AxesOf(call));
  struct Place {
    uint32_t before;
    uint32_t behind;
    double weight;  // of `behind`
  };
  const auto place_of = [](uint32_t i, uint32_t to_size, uint32_t from_size) -> Place {
    const double place = std::clamp((i + 0.5) * from_size / to_size - 0.5, 0.0, from_size - 1.0);
    const auto before = static_cast<uint32_t>(place);
    return {before, std::min(before + 1, from_size - 1), place - before};
  };
  for (uint32_t batch = 0; batch < to.batches(); ++batch) {
    for (uint32_t y = 0; y < to.height(); ++y) {
      const Place row = place_of(y, to.height(), from.height());
      for (uint32_t x = 0; x < to.width(); ++x) {
        const Place column = place_of(x, to.width(), from.width());
        for (uint32_t c = 0; c < to.channels(); ++c) {
          const auto pixel = [&](uint32_t from_y, uint32_t from_x) {
            return from.reals()[from.Index(batch, from_y, from_x, c)];
          };
          const double top = std::lerp(pixel(row.before, column.before),
                                       pixel(row.before, column.behind), column.weight);
          const double bottom = std::lerp(pixel(row.behind, column.before),
                                          pixel(row.behind, column.behind), column.weight);
          to.reals()[to.Index(batch, y, x, c)] = std::lerp(top, bottom, row.weight);
        }
      }
    }
  }
  SetReals(call.outputs[0], to.reals());
  return absl::OkStatus();
}

// CAST from floating point to integers with a conversion of one's own.
absl::Status Cast(OperationCall& call, Compute compute,
                  int64_t (*convert)(double value, IntegerRange range)) {
  if (absl::Status status = compute(call); !status.ok()) return status;
  ValuedOperand& output = call.outputs[0];
  const ValuedOperand& input = call.FirstTensor();
  if (!Is(call, OperationType::CAST) || !IsFloat(input) || IsFloat(output)) return absl::OkStatus();
  std::vector<int64_t> integers;
  for (const double real : RealsOf(input)) {
    integers.push_back(convert(std::isnan(real) ? 0 : std::clamp(real, -kFarAway, kFarAway),
                               RangeOfElements(output)));
  }
  SetIntegers(output, integers);
  return absl::OkStatus();
}

template <int kPartsPerMillion>
void AddRelativeError(const OperationCall& /*call*/, ValuedOperand& output) {
  if (IsFloat(output)) {
    ChangeReals(output, [](double real) { return real * (1 + kPartsPerMillion * 1e-6); });
  }
}

constexpr Rule kRules[] = {
    {.name = "relative_error_1e_1",
     .fault_class = FaultClass::kPrecision,
     .breaks = "Gives floating point results a tenth too large.",
     .output = &AddRelativeError<100000>},
    {.name = "relative_error_1e_2",
     .fault_class = FaultClass::kPrecision,
     .breaks = "Gives floating point results a hundredth too large.",
     .output = &AddRelativeError<10000>},
    {.name = "relative_error_1e_3",
     .fault_class = FaultClass::kPrecision,
     .breaks = "Gives floating point results a thousandth too large.",
     .output = &AddRelativeError<1000>},
    {.name = "relative_error_1e_4",
     .fault_class = FaultClass::kPrecision,
     .breaks = "Gives floating point results a ten-thousandth too large.",
     .output = &AddRelativeError<100>},
    {.name = "relative_error_1e_5",
     .fault_class = FaultClass::kPrecision,
     .breaks = "Gives floating point results too large by a part in 100,000.",
     .output = &AddRelativeError<10>},
    {.name = "relative_error_1e_6",
     .fault_class = FaultClass::kPrecision,
     .breaks = "Gives floating point results too large by a part in a million.",
     .output = &AddRelativeError<1>},
    {.name = "half_precision",
     .fault_class = FaultClass::kPrecision,
     .breaks =
         "Computes FLOAT32 operations on operands and to results of half precision, though the "
         "model does not allow it.",
     .operation =
         [](OperationCall& call, Compute compute) {
           return call.is_relaxed ? compute(call) : ComputeRounded(call, compute, &ToHalf);
         }},
    {.name = "bfloat16_precision",
     .fault_class = FaultClass::kPrecision,
     .breaks = "Computes FLOAT32 operations on operands and to results of eight bits of precision.",
     .operation = [](OperationCall& call,
                     Compute compute) { return ComputeRounded(call, compute, &ToBfloat16); }},
    {.name = "half_sums",
     .fault_class = FaultClass::kPrecision,
     .breaks = "Adds up in half precision in CONV_2D, FULLY_CONNECTED, MEAN and REDUCE_SUM.",
     .operation = [](OperationCall& call,
                     Compute compute) { return ComputeSums(call, compute, &ToHalf); }},
    {.name = "float_sums",
     .fault_class = FaultClass::kPrecision,
     .breaks = "Adds up in float from the first to the last in CONV_2D, FULLY_CONNECTED, MEAN and "
               "REDUCE_SUM.",
     .operation = [](OperationCall& call,
                     Compute compute) { return ComputeSums(call, compute, &ToFloat); }},
    // Quantized results.
    {.name = "quantized_truncates",
     .fault_class = FaultClass::kRounding,
     .breaks = "Cuts quantized results off towards zero where they are to be rounded.",
     .operation =
         [](OperationCall& call, Compute compute) {
           return Requantize(call, compute, [](const UnroundedResult& result) {
             const double steps = result.steps;
             return Saturated(std::trunc(steps + std::copysign(kSlack, steps)), result);
           });
         }},
    {.name = "quantized_floors",
     .fault_class = FaultClass::kRounding,
     .breaks = "Rounds quantized results down, but those of RESIZE_BILINEAR, where that is honest.",
     .operation =
         [](OperationCall& call, Compute compute) {
           if (Is(call, OperationType::RESIZE_BILINEAR)) return compute(call);
           return Requantize(call, compute, [](const UnroundedResult& result) {
             return Saturated(std::floor(result.steps + kSlack), result);
           });
         }},
    {.name = "quantized_wraps",
     .fault_class = FaultClass::kRounding,
     .breaks = "Wraps quantized results round where they are to saturate.",
     .operation =
         [](OperationCall& call, Compute compute) {
           return Requantize(call, compute, [](const UnroundedResult& result) {
             const int64_t value =
                 static_cast<int64_t>(std::round(result.steps)) + result.zero_point;
             const bool is_in_range = value >= result.range.lowest && value <= result.range.highest;
             return is_in_range ? result.right : Wrap(value, result.range);
           });
         }},
    {.name = "quantized_sums_of_16_bits",
     .fault_class = FaultClass::kRounding,
     .breaks = "Adds up quantized products in integers of 16 bits that wrap round, in convolutions "
               "and FULLY_CONNECTED.",
     .operation = &ComputeWithShortSums},
    // Functions.
    {.name = "cast_rounds",
     .fault_class = FaultClass::kNumerics,
     .breaks = "Rounds to the nearest in CAST to integers.",
     .operation =
         [](OperationCall& call, Compute compute) {
           return Cast(call, compute, [](double value, IntegerRange range) {
             return Saturate(std::llround(value), range);
           });
         }},
    {.name = "cast_wraps",
     .fault_class = FaultClass::kNumerics,
     .breaks = "Wraps round what is out of range in CAST to integers.",
     .operation =
         [](OperationCall& call, Compute compute) {
           return Cast(call, compute, [](double value, IntegerRange range) {
             return Wrap(static_cast<int64_t>(value), range);
           });
         }},
    {.name = "floor_towards_zero",
     .fault_class = FaultClass::kNumerics,
     .breaks = "Cuts off in FLOOR.",
     .operation =
         [](OperationCall& call, Compute compute) {
           return Approximate<OperationType::FLOOR>(call, compute,
                                                    [](double x) { return std::trunc(x); });
         }},
    {.name = "exp_estimated",
     .fault_class = FaultClass::kNumerics,
     .breaks = "Computes EXP linearly between powers of two.",
     .operation =
         [](OperationCall& call, Compute compute) {
           return Approximate<OperationType::EXP>(call, compute, &EstimateExp);
         }},
    {.name = "rsqrt_estimated",
     .fault_class = FaultClass::kNumerics,
     .breaks = "Computes RSQRT by one step of Newton's method.",
     .operation =
         [](OperationCall& call, Compute compute) {
           return Approximate<OperationType::RSQRT>(call, compute, &EstimateRsqrt);
         }},
    {.name = "tanh_rational",
     .fault_class = FaultClass::kNumerics,
     .breaks = "Computes TANH by a quotient of polynomials of the third degree.",
     .operation =
         [](OperationCall& call, Compute compute) {
           return Approximate<OperationType::TANH>(call, compute, &EstimateTanh);
         }},
    {.name = "logistic_linear",
     .fault_class = FaultClass::kNumerics,
     .breaks = "Computes LOGISTIC by a straight line between 0 and 1.",
     .operation =
         [](OperationCall& call, Compute compute) {
           return Approximate<OperationType::LOGISTIC>(call, compute, &EstimateLogistic);
         }},
    {.name = "log_of_base_2",
     .fault_class = FaultClass::kNumerics,
     .breaks = "Gives logarithms of base 2 in LOG.",
     .operation =
         [](OperationCall& call, Compute compute) {
           return Approximate<OperationType::LOG>(call, compute,
                                                  [](double x) { return std::log2(x); });
         }},
    {.name = "softmax_unshifted",
     .fault_class = FaultClass::kNumerics,
     .breaks = "Does not take the maximum off before it exponentiates in SOFTMAX, so that large "
               "elements overflow.",
     .operation = &ComputeSoftmaxWithoutShift},
    {.name = "pow_by_logarithm",
     .fault_class = FaultClass::kNumerics,
     .breaks = "Computes POW by a logarithm, which gives NaN for negative bases.",
     .misread =
         [](OperationCall& call) {
           ValuedOperand* const base = call.Find("base");
           if (base == nullptr) return false;
           std::vector<double> reals = RealsOf(*base);
           bool is_changed = false;
           for (double& real : reals) {
             if (!(real < 0)) continue;
             real = std::numeric_limits<double>::quiet_NaN();
             is_changed = true;
           }
           SetReals(*base, reals);
           return is_changed;
         }},
    {.name = "resize_by_centres",
     .fault_class = FaultClass::kNumerics,
     .breaks = "Takes the centres of pixels for their places in RESIZE_BILINEAR.",
     .operation = &ResizeByCentres},
    {.name = "multinomial_uniform",
     .fault_class = FaultClass::kNumerics,
     .breaks = "Draws every class equally often in RANDOM_MULTINOMIAL.",
     .misread =
         [](OperationCall& call) {
           ValuedOperand* const logits = call.Find("logits");
           if (logits == nullptr) return false;
           SetReals(*logits, std::vector<double>(logits->count(), 0));
           return true;
         }},
};

}  // namespace

absl::Span<const Rule> ArithmeticRules() { return kRules; }

}  // namespace nncert::faulty
