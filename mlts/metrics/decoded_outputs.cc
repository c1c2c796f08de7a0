// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/metrics/decoded_outputs.h"

#include <cstddef>
#include <utility>

#include "absl/strings/str_cat.h"

namespace nncert {

absl::StatusOr<DecodedOutputs> DecodeOutputs(const Sequence& sequence, const std::string& whose,
                                             const SequenceOutputs& outputs,
                                             absl::Span<const TensorFormat> formats) {
  if (outputs.size() != sequence.inputs.size()) {
    return absl::InvalidArgumentError(absl::StrCat(sequence.name, ": ", whose, " are of ",
                                                   outputs.size(), " inferences, not ",
                                                   sequence.inputs.size()));
  }
  DecodedOutputs decoded;
  for (size_t inference = 0; inference < outputs.size(); ++inference) {
    if (outputs[inference].size() != formats.size()) {
      return absl::InvalidArgumentError(absl::StrCat(
          sequence.name, ": ", whose, " of inference ", inference, " are ",
          outputs[inference].size(), ", where the network has ", formats.size(), " outputs"));
    }
    std::vector<StoredOutput>& all = decoded.emplace_back();
    for (size_t i = 0; i < formats.size(); ++i) {
      absl::StatusOr<StoredOutput> stored = StoredElements(formats[i], outputs[inference][i]);
      if (!stored.ok()) {
        return absl::InvalidArgumentError(absl::StrCat(sequence.name, ": ", whose, ", output ", i,
                                                       " of inference ", inference, ": ",
                                                       stored.status().message()));
      }
      all.push_back(*std::move(stored));
    }
  }
  return decoded;
}

absl::Status CheckSameSizes(const Sequence& sequence, const std::string& whose,
                            const DecodedOutputs& outputs, const std::string& others_name,
                            const DecodedOutputs& others) {
  for (size_t inference = 0; inference < outputs.size(); ++inference) {
    for (size_t i = 0; i < outputs[inference].size(); ++i) {
      if (outputs[inference][i].size() != others[inference][i].size()) {
        return absl::InvalidArgumentError(
            absl::StrCat(sequence.name, ": ", whose, ", output ", i, " of inference ", inference,
                         ", has ", outputs[inference][i].size(), " elements; of ", others_name,
                         " it has ", others[inference][i].size()));
      }
    }
  }
  return absl::OkStatus();
}

std::vector<double> RealValues(const TensorFormat& format, absl::Span<const double> stored) {
  std::vector<double> values;
  values.reserve(stored.size());
  for (const double element : stored) values.push_back(RealValue(format, element));
  return values;
}

}  // namespace nncert
