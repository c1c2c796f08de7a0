// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/records/accuracy.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace nncert {
namespace {

// What there is of the same operation and type; null when there is nothing.
OperationAccuracy* FindSame(const OperationAccuracy& accuracy,
                            std::vector<OperationAccuracy>& among) {
  const auto found = std::find_if(among.begin(), among.end(), [&](const OperationAccuracy& other) {
    return other.operation == accuracy.operation && other.type == accuracy.type;
  });
  return found == among.end() ? nullptr : &*found;
}

void AddTo(const OperationAccuracy& more, OperationAccuracy& sum) {
  sum.elements += more.elements;
  if (sum.suspect == 0) sum.first_suspect = more.first_suspect;
  sum.suspect += more.suspect;
  AddErrors(more.errors, sum);
}

}  // namespace

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

void AddAccuracy(OperationAccuracy&& more, std::vector<OperationAccuracy>& sum) {
  OperationAccuracy* const to = FindSame(more, sum);
  to == nullptr ? sum.push_back(std::move(more)) : AddTo(more, *to);
}

void AddAccuracy(const std::vector<OperationAccuracy>& more, std::vector<OperationAccuracy>& sum) {
  for (const OperationAccuracy& from : more) {
    OperationAccuracy* const to = FindSame(from, sum);
    to == nullptr ? sum.push_back(from) : AddTo(from, *to);
  }
}

}  // namespace nncert
