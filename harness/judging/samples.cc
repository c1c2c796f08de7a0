// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/judging/samples.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "cases/element_values.h"
#include "hal/memory.h"
#include "hal/to_string.h"
#include "harness/judging/judgement.h"
#include "harness/judging/oracle.h"
#include "reference/catalogue.h"

namespace nncert {
namespace {

using hal::V1_2::Model;
using hal::V1_2::Operand;
using hal::V1_2::OperandLifeTime;
using hal::V1_2::OperandType;

// The elements of a constant as numbers.
absl::StatusOr<std::vector<double>> ConstantElements(const Model& model, const Operand& operand) {
  absl::Span<const uint8_t> bytes = model.operandValues;
  hal::Mapping mapping;
  if (operand.lifetime == OperandLifeTime::CONSTANT_REFERENCE) {
    absl::StatusOr<hal::Mapping> mapped =
        model.pools[operand.location.poolIndex].Map(hal::MemoryAccess::READ_ONLY);
    if (!mapped.ok()) return mapped.status();
    mapping = *std::move(mapped);
    bytes = mapping.bytes();
  }
  return DecodeElements(operand.type,
                        bytes.subspan(operand.location.offset, operand.location.length));
}

Logits ExactLogits(const std::vector<uint32_t>& dimensions, const std::vector<double>& elements) {
  Logits logits;
  for (const double element : elements) logits.values.push_back({element, 0});
  if (dimensions.size() == 2) {
    logits.rows = dimensions[0];
    logits.classes = dimensions[1];
  }
  return logits;
}

// The value of any operand of a valid case, with its dimensions when they are two.
absl::StatusOr<Logits> ValueOf(const TestCase& test_case, size_t example, uint32_t index,
                               KernelChoice kernels) {
  const Model& model = test_case.model;
  const Operand& operand = model.operands[index];
  if (operand.lifetime == OperandLifeTime::MODEL_INPUT) {
    const size_t place = std::find(model.inputIndexes.begin(), model.inputIndexes.end(), index) -
                         model.inputIndexes.begin();
    const InputValue& input = test_case.examples[example].inputs[place];
    return ExactLogits(input.dimensions, DecodeElements(operand.type, input.data));
  }
  if (operand.lifetime == OperandLifeTime::CONSTANT_COPY ||
      operand.lifetime == OperandLifeTime::CONSTANT_REFERENCE) {
    const absl::StatusOr<std::vector<double>> elements = ConstantElements(model, operand);
    if (!elements.ok()) return elements.status();
    return ExactLogits(operand.dimensions, *elements);
  }
  // What is computed on the way becomes an output.
  TestCase with_output = test_case;
  with_output.model.operands[index].lifetime = OperandLifeTime::MODEL_OUTPUT;
  with_output.model.outputIndexes = {index};
  for (const uint32_t output : model.outputIndexes) {
    if (output == index) continue;
    with_output.model.outputIndexes.push_back(output);
  }
  Oracle oracle(with_output, {.kernels = kernels});
  const absl::StatusOr<const std::vector<OutputValue>*> values = oracle.Enclosures(example);
  if (!values.ok()) return values.status();
  const OutputValue& value = (**values).front();
  if (!value.undecided.ok()) return value.undecided;
  Logits logits = ExactLogits({value.info.dimensions.begin(), value.info.dimensions.end()}, {});
  logits.values.assign(value.balls().begin(), value.balls().end());
  return logits;
}

absl::Status CheckSizes(const Logits& logits, absl::Span<const double> samples) {
  if (logits.rows == 0 || logits.classes == 0 || samples.empty() ||
      logits.values.size() != logits.rows * logits.classes || samples.size() % logits.rows != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("there are ", samples.size(), " samples and ", logits.values.size(),
                     " logits for ", logits.rows, " rows of ", logits.classes,
                     " classes; expected the same number above 0 in each row"));
  }
  const uint64_t in_row = samples.size() / logits.rows;
  for (uint64_t i = 0; i < samples.size(); ++i) {
    if (samples[i] >= 0 && samples[i] < static_cast<double>(logits.classes)) continue;
    return absl::OutOfRangeError(
        absl::StrFormat("sample [%d, %d] is %.17g; expected a class in "
                        "[0, %d)",
                        i / in_row, i % in_row, samples[i], logits.classes));
  }
  return absl::OkStatus();
}

// A probability known within bounds.
struct Probability {
  double lower = 0;
  double upper = 0;
};

// Unnormalized probabilities of the classes of one row.
class Weights {
 public:
  // Where `is_exact`, the logits' midpoints are taken and nothing is lost.
  Weights(const Logits& logits, uint64_t row, bool is_exact) : precision_(logits.precision) {
    const absl::Span<const Ball> values =
        absl::MakeConstSpan(logits.values).subspan(row * logits.classes, logits.classes);
    double greatest = values[0].midpoint;
    for (const Ball& ball : values) greatest = std::max(greatest, ball.midpoint);
    for (const Ball& ball : values) {
      const double exponent = ball.midpoint - greatest;
      const double lost =
          is_exact ? 0
                   : ball.radius + 2 * precision_.unit_roundoff *
                                       (std::abs(ball.midpoint) + std::abs(exponent) + 5);
      lower_.push_back(std::exp(exponent - lost));
      upper_.push_back(std::exp(exponent + lost));
    }
    lower_sum_ = std::accumulate(lower_.begin(), lower_.end(), 0.0);
    upper_sum_ = std::accumulate(upper_.begin(), upper_.end(), 0.0);
  }

  size_t size() const { return lower_.size(); }
  double lower(size_t i) const { return lower_[i]; }
  double upper(size_t i) const { return upper_[i]; }

  // The probability of classes whose weights sum up to [lower, upper].
  Probability Normalize(double lower, double upper) const {
    const double slack = precision_.unit_roundoff + 0x1p-24 * static_cast<double>(size());
    // What the roundings of a sum may hide: next to a great weight, all of the others. Where the
    // sum is infinite, nothing is known of them.
    const double hidden = 0x1p-51 * static_cast<double>(size());
    const double others_lower = std::max(0.0, lower_sum_ * (1 - hidden) - lower);
    const double others_upper = std::isfinite(upper_sum_)
                                    ? std::max(0.0, upper_sum_ - upper) + upper_sum_ * hidden
                                    : HUGE_VAL;
    const double least = lower + others_upper > 0 ? lower / (lower + others_upper) : 0;
    const bool is_most_known = std::isfinite(upper) && upper + others_lower > 0;
    const double most = is_most_known ? upper / (upper + others_lower) : 1;
    return {std::max(0.0, least - slack), std::min(1.0, most + slack)};
  }

 private:
  const Precision precision_;
  std::vector<double> lower_;
  std::vector<double> upper_;
  double lower_sum_ = 0;
  double upper_sum_ = 0;
};

// The exponent of Hoeffding's bound for one event: D of a frequency and a probability.
double Divergence(double frequency, double probability) {
  const auto term = [](double q, double p) {
    return q == 0 ? 0 : p == 0 ? HUGE_VAL : q * std::log(q / p);
  };
  return std::max(0.0, term(frequency, probability) + term(1 - frequency, 1 - probability));
}

// A number of events out of some, and the sum of their probabilities.
struct Count {
  double events = 0;
  double of = 0;
  Probability sum;

  void Add(double more_events, double more_of, const Probability& probability) {
    events += more_events;
    of += more_of;
    sum.lower += more_of * probability.lower;
    sum.upper += more_of * probability.upper;
  }

  // The exponent of the bound of the probability that right samples are so far off.
  double Exponent() const {
    if (of == 0) return 0;
    const double frequency = events / of;
    // What the sums may have lost in double precision.
    const double lower = sum.lower / of * (1 - 1e-9);
    const double upper = std::min(1.0, sum.upper / of * (1 + 1e-9));
    if (frequency < lower) return of * Divergence(frequency, lower);
    if (frequency > upper) return of * Divergence(frequency, upper);
    return 0;
  }
};

// The group of classes whose count is wrong, in words.
enum class Grouping { kClass, kFirst, kLikeliest, kBit };

std::string DescribeGroup(Grouping grouping, uint64_t number) {
  switch (grouping) {
    case Grouping::kClass:
      return absl::StrCat("class ", number);
    case Grouping::kFirst:
      return absl::StrCat("the classes up to ", number);
    case Grouping::kLikeliest:
      return absl::StrCat("the ", number + 1, " likeliest classes");
    case Grouping::kBit:
      return absl::StrCat("the classes whose index has the bit ", uint64_t{1} << number);
  }
  return "";
}

// The counts of all groups of classes.
class GroupCounts {
 public:
  explicit GroupCounts(uint64_t classes) : bits_(static_cast<size_t>(std::bit_width(classes - 1))) {
    counts_.fill(std::vector<Count>(classes));
    counts_[static_cast<size_t>(Grouping::kBit)].resize(bits_);
  }

  // How many counts there are.
  uint64_t size() const { return 3 * counts_[0].size() + bits_; }

  // Adds a row: how often each class came.
  void Add(const std::vector<uint64_t>& frequencies, double samples, const Weights& weights) {
    struct Group {
      double events = 0;
      double lower = 0;
      double upper = 0;
    };
    const auto include = [&](Group& group, size_t i) {
      group.events += static_cast<double>(frequencies[i]);
      group.lower += weights.lower(i);
      group.upper += weights.upper(i);
    };
    const auto add = [&](Grouping grouping, size_t number, const Group& group) {
      counts_[static_cast<size_t>(grouping)][number].Add(
          group.events, samples, weights.Normalize(group.lower, group.upper));
    };
    std::vector<size_t> by_likelihood(frequencies.size());
    std::iota(by_likelihood.begin(), by_likelihood.end(), 0);
    std::stable_sort(by_likelihood.begin(), by_likelihood.end(),
                     [&](size_t a, size_t b) { return weights.upper(a) > weights.upper(b); });
    Group first;
    Group likeliest;
    std::vector<Group> bits(bits_);
    for (size_t i = 0; i < frequencies.size(); ++i) {
      Group single;
      include(single, i);
      add(Grouping::kClass, i, single);
      include(first, i);
      add(Grouping::kFirst, i, first);
      include(likeliest, by_likelihood[i]);
      add(Grouping::kLikeliest, i, likeliest);
      for (size_t bit = 0; bit < bits_; ++bit) {
        if ((i >> bit & 1) != 0) include(bits[bit], i);
      }
    }
    for (size_t bit = 0; bit < bits_; ++bit) add(Grouping::kBit, bit, bits[bit]);
  }

  // The count that is furthest off.
  std::pair<const Count*, std::string> Worst() const {
    const Count* worst = &counts_[0][0];
    std::string name;
    for (const Grouping grouping :
         {Grouping::kClass, Grouping::kFirst, Grouping::kLikeliest, Grouping::kBit}) {
      const std::vector<Count>& counts = counts_[static_cast<size_t>(grouping)];
      for (size_t i = 0; i < counts.size(); ++i) {
        if (!name.empty() && counts[i].Exponent() <= worst->Exponent()) continue;
        worst = &counts[i];
        name = DescribeGroup(grouping, i);
      }
    }
    return {worst, name};
  }

 private:
  const size_t bits_;
  // By Grouping.
  std::array<std::vector<Count>, 4> counts_;
};

// The probability that a sample of one row is the same as one of another.
Probability Coincidence(const Weights& a, const Weights& b) {
  Probability sum;
  for (size_t i = 0; i < a.size(); ++i) {
    const Probability p = a.Normalize(a.lower(i), a.upper(i));
    const Probability q = b.Normalize(b.lower(i), b.upper(i));
    sum.lower += p.lower * q.lower;
    sum.upper += p.upper * q.upper;
  }
  return {sum.lower, std::min(1.0, sum.upper)};
}

std::string DescribeCount(const Count& count, const std::string& what) {
  return absl::StrFormat("%s: %.0f of %.0f samples; expected a share of %.4g", what, count.events,
                         count.of, (count.sum.lower + count.sum.upper) / 2 / count.of);
}

}  // namespace

bool AreSamples(const Model& model, size_t output) {
  const OperationDefinition* producer =
      FindOperation(std::string_view(ProducerOf(model, model.outputIndexes[output])));
  return producer != nullptr && producer->outputs_are_random;
}

absl::StatusOr<Logits> FindLogits(const TestCase& test_case, size_t example, size_t output,
                                  KernelChoice kernels) {
  const Model& model = test_case.model;
  const uint32_t samples = model.outputIndexes[output];
  const hal::V1_2::Operation* const producer = FindProducer(model, samples);
  if (producer == nullptr) return absl::FailedPreconditionError("no operation writes the output");
  absl::StatusOr<Logits> logits = ValueOf(test_case, example, producer->inputs[0], kernels);
  if (!logits.ok()) return absl::FailedPreconditionError(logits.status().message());
  if (logits->rows == 0 || logits->classes == 0) {
    return absl::FailedPreconditionError("the logits are not of rank 2, or there are none");
  }
  for (const Ball& ball : logits->values) {
    if (std::isfinite(ball.midpoint) && ball.IsBounded()) continue;
    return absl::FailedPreconditionError("the logits are not all finite numbers");
  }
  const bool is_half = model.relaxComputationFloat32toFloat16 ||
                       model.operands[producer->inputs[0]].type == OperandType::TENSOR_FLOAT16;
  if (is_half) logits->precision = kFloat16Precision;
  return logits;
}

absl::Status CompareFrequencies(const Logits& logits, absl::Span<const double> samples,
                                double tolerance) {
  if (absl::Status status = CheckSizes(logits, samples); !status.ok()) return status;
  const uint64_t in_row = samples.size() / logits.rows;
  for (uint64_t row = 0; row < logits.rows; ++row) {
    std::vector<uint64_t> counts(logits.classes);
    for (uint64_t i = 0; i < in_row; ++i)
      ++counts[static_cast<uint64_t>(samples[row * in_row + i])];
    const Weights weights(logits, row, /*is_exact=*/true);
    double sum = 0;
    for (uint64_t i = 0; i < logits.classes; ++i) sum += weights.lower(i);
    for (uint64_t i = 0; i < logits.classes; ++i) {
      const double frequency = static_cast<double>(counts[i]) / static_cast<double>(in_row);
      const double probability = weights.lower(i) / sum;
      // Whatever is not known to be close is not.
      if (std::abs(frequency - probability) <= tolerance) continue;
      return absl::OutOfRangeError(
          absl::StrFormat("class %d has frequency %g in row %d of %d samples; expected %g, the "
                          "softmax of its logit, within %g",
                          i, frequency, row, in_row, probability, tolerance));
    }
  }
  return absl::OkStatus();
}

absl::Status TestSamples(const Logits& logits, absl::Span<const double> samples) {
  if (absl::Status status = CheckSizes(logits, samples); !status.ok()) return status;
  const uint64_t in_row = samples.size() / logits.rows;
  GroupCounts of_all_rows(logits.classes);
  Count same_as_next;
  Count same_as_below;
  // Of M counts: those of every row and of all rows, and the two of coincidences.
  const double counts =
      static_cast<double>(of_all_rows.size()) * (static_cast<double>(logits.rows) + 1) + 2;
  const double limit = std::log(2 * counts / kFalseAlarms);
  const auto check = [&](const Count& count, const std::string& what) -> absl::Status {
    if (count.Exponent() <= limit) return absl::OkStatus();
    return absl::OutOfRangeError(absl::StrCat(
        "the samples are not drawn from the softmax of the logits: ", DescribeCount(count, what),
        "; right samples are so far off in less than one of 10^9 runs"));
  };
  std::optional<Weights> above;
  for (uint64_t row = 0; row < logits.rows; ++row) {
    const absl::Span<const double> own = samples.subspan(row * in_row, in_row);
    Weights weights(logits, row, /*is_exact=*/false);
    std::vector<uint64_t> frequencies(logits.classes);
    for (const double sample : own) ++frequencies[static_cast<uint64_t>(sample)];
    GroupCounts of_row(logits.classes);
    of_row.Add(frequencies, static_cast<double>(in_row), weights);
    of_all_rows.Add(frequencies, static_cast<double>(in_row), weights);
    const auto [worst, name] = of_row.Worst();
    if (absl::Status status = check(*worst, absl::StrCat(name, " in row ", row)); !status.ok()) {
      return status;
    }
    const uint64_t pairs = in_row / 2;
    double same = 0;
    for (uint64_t i = 0; i + 1 < in_row; i += 2) same += own[i] == own[i + 1] ? 1 : 0;
    same_as_next.Add(same, static_cast<double>(pairs), Coincidence(weights, weights));
    if (row % 2 == 1) {
      same = 0;
      for (uint64_t i = 0; i < in_row; ++i) {
        same += own[i] == samples[(row - 1) * in_row + i] ? 1 : 0;
      }
      same_as_below.Add(same, static_cast<double>(in_row), Coincidence(*above, weights));
    }
    above.emplace(std::move(weights));
  }
  const auto [worst, name] = of_all_rows.Worst();
  if (absl::Status status = check(*worst, absl::StrCat(name, " in all rows")); !status.ok()) {
    return status;
  }
  if (absl::Status status = check(same_as_next, "the same class as the next"); !status.ok()) {
    return status;
  }
  return check(same_as_below, "the same class as in the next row");
}

}  // namespace nncert
