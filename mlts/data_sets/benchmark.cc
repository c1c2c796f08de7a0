// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/data_sets/benchmark.h"

namespace nncert {

std::string_view toString(Evaluator evaluator) {
  switch (evaluator) {
    case Evaluator::NONE:
      return "NONE";
    case Evaluator::TOP_K:
      return "TOP_K";
    case Evaluator::MEL_CEP_LOG_F0:
      return "MEL_CEP_LOG_F0";
    case Evaluator::PHONE_ERROR_RATE:
      return "PHONE_ERROR_RATE";
  }
  return "unknown";
}

}  // namespace nncert
