// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/fast/testing/fast_cases.h"

#include <iterator>

namespace nncert {

std::vector<FastCase> FastCases() {
  std::vector<FastCase> all;
  for (std::vector<FastCase> cases : {ConvolutionCases(), ElementwiseCases(), RecurrentCases()}) {
    all.insert(all.end(), std::make_move_iterator(cases.begin()),
               std::make_move_iterator(cases.end()));
  }
  return all;
}

}  // namespace nncert
