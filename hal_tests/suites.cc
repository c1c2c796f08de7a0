// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The list of suites.

#include <array>

#include "hal_tests/check.h"
#include "hal_tests/validate_model.h"
#include "hal_tests/validate_request.h"

namespace nncert {
namespace {

constexpr auto kSuites = std::to_array<Suite>({
    {.name = "validate_model",
     .junit = "ValidateModel",
     .member = "validateModel",
     .test = "test of invalid models",
     .tests = "tests of invalid models",
     .proves = "the driver refuses every model that breaks a rule of the HAL, and survives it",
     .checks = &ModelChecks,
     .make_tests = &MakeModelTests},
    {.name = "validate_request",
     .junit = "ValidateRequest",
     .member = "validateRequest",
     .test = "test of invalid requests",
     .tests = "tests of invalid requests",
     .proves = "a prepared model refuses every request that breaks a rule of the HAL, in whatever "
               "way it is executed, and executes valid ones afterwards",
     .checks = &RequestChecks,
     .make_tests = &MakeRequestTests},
});

}  // namespace

absl::Span<const Suite> AllSuites() { return kSuites; }

const Suite* FindSuite(std::string_view name) {
  for (const Suite& suite : kSuites) {
    if (suite.name == name) return &suite;
  }
  return nullptr;
}

}  // namespace nncert
