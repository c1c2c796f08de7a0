// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/metrics/accuracy_counter.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "hal/utils.h"
#include "mlts/metrics/classes.h"
#include "mlts/metrics/differences.h"
#include "mlts/metrics/intervals.h"
#include "mlts/metrics/phones.h"
#include "mlts/metrics/speech.h"

namespace nncert {
namespace {

// The first output of each inference.
std::vector<std::vector<double>> FirstOutputs(const TensorFormat& format,
                                              const DecodedOutputs& outputs) {
  std::vector<std::vector<double>> first;
  first.reserve(outputs.size());
  for (const std::vector<StoredOutput>& all : outputs) first.push_back(RealValues(format, all[0]));
  return first;
}

}  // namespace

AccuracyCounter::Options AccuracyCounter::OptionsOf(const Benchmark& benchmark) {
  return {benchmark.evaluator, benchmark.output_mean, benchmark.output_deviation};
}

AccuracyCounter::AccuracyCounter(std::string driver, std::vector<TensorFormat> formats,
                                 Options options)
    : driver_(std::move(driver)), formats_(std::move(formats)), options_(std::move(options)) {}

absl::Status AccuracyCounter::Add(const Sequence& sequence, const SequenceOutputs& outputs) {
  absl::StatusOr<DecodedOutputs> decoded =
      DecodeOutputs(sequence, absl::StrCat("the outputs of ", driver_), outputs, formats_);
  if (!decoded.ok()) return decoded.status();
  if (sequence.label) {
    if (decoded->empty() || formats_.empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat(sequence.name, ": there is no output in which to look for its label"));
    }
    if (*sequence.label >= decoded->back()[0].size()) {
      return absl::InvalidArgumentError(absl::StrCat(sequence.name, ": its label is class ",
                                                     *sequence.label, ", of an output that has ",
                                                     decoded->back()[0].size(), " classes"));
    }
  }

  std::optional<DecodedOutputs> golden;
  if (!sequence.golden_outputs.empty()) {
    absl::StatusOr<DecodedOutputs> decoded_golden =
        DecodeOutputs(sequence, "the golden outputs", sequence.golden_outputs, formats_);
    if (!decoded_golden.ok()) return decoded_golden.status();
    if (absl::Status status = CheckSameSizes(sequence, absl::StrCat("the outputs of ", driver_),
                                             *decoded, "the golden outputs", *decoded_golden);
        !status.ok()) {
      return status;
    }
    golden = *std::move(decoded_golden);
    if (!formats_.empty()) {
      if (absl::Status status = CheckEvaluated(sequence, FirstOutputs(formats_[0], *decoded));
          !status.ok()) {
        return status;
      }
    }
  }

  ++sequences_;
  inferences_ += outputs.size();
  if (sequence.label) {
    // Steps of quantization are in the order of what they stand for.
    CountTopK(decoded->back()[0], *sequence.label);
  }
  if (golden) {
    ++with_golden_;
    CountErrors(*decoded, *golden);
    if (!formats_.empty()) {
      CountEvaluated(FirstOutputs(formats_[0], *decoded), FirstOutputs(formats_[0], *golden));
    }
  }
  return absl::OkStatus();
}

absl::Status AccuracyCounter::CheckEvaluated(
    const Sequence& sequence, const std::vector<std::vector<double>>& outputs) const {
  const bool is_normalized = !options_.output_mean.empty() || !options_.output_deviation.empty();
  for (const std::vector<double>& output : outputs) {
    if (is_normalized && (options_.output_mean.size() != output.size() ||
                          options_.output_deviation.size() != output.size())) {
      return absl::InvalidArgumentError(
          absl::StrCat(sequence.name, ": an output has ", output.size(),
                       " elements, where there are ", options_.output_mean.size(), " means and ",
                       options_.output_deviation.size(), " standard deviations"));
    }
    if (options_.evaluator == Evaluator::MEL_CEP_LOG_F0 && output.size() != kSpeechSize) {
      return absl::InvalidArgumentError(
          absl::StrCat(sequence.name, ": an output has ", output.size(), " elements; ",
                       std::string(toString(options_.evaluator)), " wants ", kFramesOfInference,
                       " frames of ", kFrameSize));
    }
  }
  return absl::OkStatus();
}

void AccuracyCounter::CountTopK(absl::Span<const double> scores, uint32_t label) {
  ++labelled_;
  const std::optional<size_t> rank = RankOf(scores, label);
  if (!rank) return;
  for (size_t k = *rank; k < kTopK; ++k) ++among_top_[k];
}

void AccuracyCounter::CountErrors(const DecodedOutputs& outputs, const DecodedOutputs& golden) {
  for (size_t inference = 0; inference < outputs.size(); ++inference) {
    for (size_t i = 0; i < formats_.size(); ++i) {
      const StoredOutput& output = outputs[inference][i];
      const StoredOutput& expected = golden[inference][i];
      for (size_t element = 0; element < output.size(); ++element) {
        const double error = DifferenceOf(RealValue(formats_[i], output[element]),
                                          RealValue(formats_[i], expected[element]));
        ++errors_.elements;
        errors_.sum_of_squares += error * error;
        errors_.maximum_absolute = std::max(errors_.maximum_absolute, std::abs(error));
        errors_.maximum_signed = std::max(errors_.maximum_signed, error);
        if (hal::isQuantized(formats_[i].type)) {
          const double steps = std::abs(output[element] - expected[element]);
          ++errors_.off_by[static_cast<size_t>(std::min<double>(steps, kOffByCounts - 1))];
        }
      }
    }
  }
}

void AccuracyCounter::CountEvaluated(std::vector<std::vector<double>> outputs,
                                     std::vector<std::vector<double>> golden) {
  if (!options_.output_mean.empty()) {
    for (std::vector<std::vector<double>>* const all : {&outputs, &golden}) {
      for (std::vector<double>& output : *all) {
        for (size_t i = 0; i < output.size(); ++i) {
          output[i] = output[i] * static_cast<double>(options_.output_deviation[i]) +
                      static_cast<double>(options_.output_mean[i]);
        }
      }
    }
  }
  switch (options_.evaluator) {
    case Evaluator::NONE:
    case Evaluator::TOP_K:
      return;
    case Evaluator::MEL_CEP_LOG_F0:
      mel_cepstral_distance_ =
          std::max(mel_cepstral_distance_, MelCepstralDistance(outputs, golden));
      log_f0_error_ = std::max(log_f0_error_, LogF0Error(outputs, golden));
      return;
    case Evaluator::PHONE_ERROR_RATE: {
      const std::vector<uint32_t> classes = ClassesOf(outputs);
      const std::vector<uint32_t> golden_classes = ClassesOf(golden);
      phone_error_rate_mlts_ =
          std::max(phone_error_rate_mlts_, MltsPhoneErrorRate(classes, golden_classes));
      const std::vector<uint32_t> reference = PhonesOf(golden_classes);
      phone_edits_ += EditDistance(PhonesOf(classes), reference);
      reference_phones_ += reference.size();
      return;
    }
  }
}

AccuracyResult AccuracyCounter::Result() const {
  AccuracyResult result;
  result.driver = driver_;
  result.sequences = sequences_;
  result.inferences = inferences_;
  if (labelled_ > 0) {
    for (const uint64_t count : among_top_) result.top_k.push_back(ShareOf(count, labelled_));
  }
  if (with_golden_ == 0) return result;
  result.mean_square_error =
      errors_.elements == 0 ? 0 : errors_.sum_of_squares / static_cast<double>(errors_.elements);
  result.maximum_absolute_error = errors_.maximum_absolute;
  result.maximum_signed_error = errors_.maximum_signed;
  if (std::any_of(formats_.begin(), formats_.end(),
                  [](const TensorFormat& format) { return hal::isQuantized(format.type); })) {
    result.off_by.assign(errors_.off_by.begin(), errors_.off_by.end());
  }
  if (options_.evaluator == Evaluator::MEL_CEP_LOG_F0) {
    result.mel_cepstral_distance = mel_cepstral_distance_;
    result.log_f0_error = log_f0_error_;
  }
  if (options_.evaluator == Evaluator::PHONE_ERROR_RATE) {
    result.phone_error_rate_mlts = phone_error_rate_mlts_;
    const double edits = static_cast<double>(phone_edits_) * 100;
    result.phone_error_rate = phone_edits_ == 0 ? 0
                              : reference_phones_ > 0
                                  ? edits / static_cast<double>(reference_phones_)
                                  : std::numeric_limits<double>::infinity();
  }
  return result;
}

}  // namespace nncert
