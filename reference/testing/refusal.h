// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Negative cases: what breaks one labelled constraint of an operation is refused because of it.
//
// Every test of an operation definition counts the constraints that its negative cases broke. At
// its end it fails when a labelled constraint of an operation that is defined in the source file
// beside the test was never broken: conv_2d_test answers for conv_2d.cc.

#ifndef NNCERT_REFERENCE_TESTING_REFUSAL_H_
#define NNCERT_REFERENCE_TESTING_REFUSAL_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "hal/v1_2/types.h"
#include "reference/signature.h"

namespace nncert {

/// Whether `message` is that of an error which refuses `operation` ("CONV_2D") because of its
/// constraint `label` and of no other constraint, and names an operand. Counts the constraint as
/// broken when it is; otherwise says why not.
testing::AssertionResult IsRefusalMessage(std::string_view message, std::string_view operation,
                                          std::string_view label);

/// Whether the one operation of `model` is refused because of its constraint `label` alone: when
/// the model is prepared under the rules of `version`, or, if `inputs` are given, when it is
/// executed on them (numbers as EvaluateInAllSystems takes them).
testing::AssertionResult IsRefused(const hal::V1_2::Model& model, std::string_view label,
                                   const std::vector<std::vector<double>>& inputs = {},
                                   HalVersion version = HalVersion::V1_2);

/// Matches the message of an error that IsRefusalMessage accepts:
/// EXPECT_THAT(message, RefusedBy("CONV_2D", "C3")).
MATCHER_P2(RefusedBy, operation, label,
           std::string(negation ? "does not refuse " : "refuses ") + operation +
               " because of its constraint " + label + " alone, naming an operand") {
  const testing::AssertionResult result = IsRefusalMessage(std::string(arg), operation, label);
  *result_listener << result.message();
  return static_cast<bool>(result);
}

/// The labelled constraints of the operations defined in `source_file` ("conv_2d.cc") that no
/// negative case of this program has broken, as "CONV_2D C3".
std::vector<std::string> ConstraintsNotBroken(std::string_view source_file);

}  // namespace nncert

#endif  // NNCERT_REFERENCE_TESTING_REFUSAL_H_
