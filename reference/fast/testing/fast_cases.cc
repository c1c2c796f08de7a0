// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/fast/testing/fast_cases.h"

#include <iterator>

namespace nncert {

const std::vector<FastCase>& FastCases() {
  static const auto* const all = [] {
    auto* cases = new std::vector<FastCase>();
    for (auto* const make : {&ConvolutionCases, &ElementwiseCases, &RecurrentCases}) {
      std::vector<FastCase> made = make();
      cases->insert(cases->end(), std::make_move_iterator(made.begin()),
                    std::make_move_iterator(made.end()));
    }
    return cases;
  }();
  return *all;
}

}  // namespace nncert
