// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// How far recognized phones are from the golden ones.
//
// A network that recognizes speech gives a score for each phone at each step, many steps a phone.
// Class 0 is the blank, which says that no phone begins (connectionist temporal classification:
// A. Graves et al., ICML 2006). The phones of an utterance are what is left of the classes with the
// highest score when repeated ones are taken for one and blanks are dropped, in that order, so that
// the same phone twice, with a blank between, is two phones.

#ifndef NNCERT_MLTS_METRICS_PHONES_H_
#define NNCERT_MLTS_METRICS_PHONES_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"

namespace nncert {

/// The class that is no phone.
inline constexpr uint32_t kBlank = 0;
/// Stands for the class of a step whose scores are all NaN: unlike every class.
inline constexpr uint32_t kNoClass = UINT32_MAX;

/// The class with the highest score at each step, as TopClass has it.
std::vector<uint32_t> ClassesOf(const std::vector<std::vector<double>>& scores);

/// The phones that these classes come to: without repetitions and blanks.
std::vector<uint32_t> PhonesOf(absl::Span<const uint32_t> classes);

/// The fewest insertions, deletions and replacements that make the one of the other (V. Levenshtein
/// 1966).
uint64_t EditDistance(absl::Span<const uint32_t> one, absl::Span<const uint32_t> other);

/// MLTS's phone error rate of an utterance, in percent: the distance of the classes, with blanks
/// and repetitions, by the number of steps. Most steps are blanks, so that a network that always
/// says blank has a rate of a few percent. Both have as many steps; 0 of none.
double MltsPhoneErrorRate(absl::Span<const uint32_t> classes, absl::Span<const uint32_t> golden);

}  // namespace nncert

#endif  // NNCERT_MLTS_METRICS_PHONES_H_
