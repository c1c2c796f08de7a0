// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/records/accuracy.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace nncert {

void AddErrors(const std::vector<ElementError>& errors, OperationAccuracy& accuracy) {
  std::vector<ElementError>& all = accuracy.errors;
  const auto sorted = static_cast<std::ptrdiff_t>(all.size());
  // Of a full sample hardly anything is replaced: what is not among the least keys is not looked
  // at.
  const bool is_full = all.size() == kMostErrors;
  const uint64_t greatest = is_full ? all.back().key : 0;
  std::copy_if(errors.begin(), errors.end(), std::back_inserter(all),
               [&](const ElementError& error) { return !is_full || error.key < greatest; });
  if (all.size() == static_cast<size_t>(sorted)) return;
  const auto is_before = [](const ElementError& a, const ElementError& b) { return a.key < b.key; };
  const auto is_same = [](const ElementError& a, const ElementError& b) { return a.key == b.key; };
  std::sort(all.begin() + sorted, all.end(), is_before);
  std::inplace_merge(all.begin(), all.begin() + sorted, all.end(), is_before);
  all.erase(std::unique(all.begin(), all.end(), is_same), all.end());
  if (all.size() > kMostErrors) all.resize(kMostErrors);
}

void AddAccuracy(OperationAccuracy more, std::vector<OperationAccuracy>& sum) {
  const auto to = std::find_if(sum.begin(), sum.end(), [&](const OperationAccuracy& candidate) {
    return candidate.operation == more.operation && candidate.type == more.type;
  });
  if (to == sum.end()) {
    sum.push_back(std::move(more));
    return;
  }
  to->elements += more.elements;
  if (to->suspect == 0) to->first_suspect = std::move(more.first_suspect);
  to->suspect += more.suspect;
  AddErrors(more.errors, *to);
}

void AddAccuracy(std::vector<OperationAccuracy> more, std::vector<OperationAccuracy>& sum) {
  for (OperationAccuracy& from : more) AddAccuracy(std::move(from), sum);
}

}  // namespace nncert
