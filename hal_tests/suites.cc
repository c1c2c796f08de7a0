// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The list of suites.

#include <array>

#include "hal_tests/burst/validate_burst.h"
#include "hal_tests/caching/caching.h"
#include "hal_tests/check.h"
#include "hal_tests/lifecycle/lifecycle.h"
#include "hal_tests/suites/basic.h"
#include "hal_tests/suites/concurrency.h"
#include "hal_tests/suites/determinism.h"
#include "hal_tests/suites/extensions.h"
#include "hal_tests/suites/memory.h"
#include "hal_tests/suites/output_shapes.h"
#include "hal_tests/suites/preferences.h"
#include "hal_tests/suites/timing.h"
#include "hal_tests/suites/validate_model.h"
#include "hal_tests/suites/validate_request.h"

namespace nncert {
namespace {

constexpr auto kSuites = std::to_array<Suite>({
    {.name = "basic",
     .junit = "Basic",
     .member = "basic",
     .test = "test of what the device says of itself",
     .tests = "tests of what the device says of itself",
     .proves = "the device tells its status, capabilities, version, type and extensions as the HAL "
               "has them, and always the same",
     .checks = &BasicChecks,
     .make_tests = &MakeBasicTests},
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
    {.name = "validate_burst",
     .junit = "ValidateBurst",
     .member = "validateBurst",
     .test = "test of broken bursts",
     .tests = "tests of broken bursts",
     .proves = "a burst refuses packets, slots and memory that break a rule of the HAL, and "
               "executes valid requests afterwards",
     .checks = &BurstChecks,
     .make_tests = &MakeBurstTests},
    {.name = "extensions",
     .junit = "Extensions",
     // "extensions" are those that the driver lists.
     .member = "extensionTests",
     .test = "test of foreign types",
     .tests = "tests of foreign types",
     .proves = "the driver takes no operation and no operand type of an extension for one of its "
               "own, and prepares no OEM operation that it does not support",
     .checks = &ExtensionChecks,
     .make_tests = &MakeExtensionTests},
    {.name = "output_shapes",
     .junit = "OutputShapes",
     .member = "outputShapes",
     .test = "test of output shapes",
     .tests = "tests of output shapes",
     .proves = "a prepared model reports the shapes of its outputs, whether they are known "
               "beforehand, unknown, or too large for a buffer",
     .checks = &OutputShapeChecks,
     .make_tests = &MakeOutputShapeTests},
    {.name = "timing",
     .junit = "Timing",
     .member = "timing",
     .test = "test of timing",
     .tests = "tests of timing",
     .proves = "what a prepared model says of how long executions took keeps the rules",
     .checks = &TimingChecks,
     .make_tests = &MakeTimingTests},
    {.name = "preferences",
     .junit = "Preferences",
     .member = "preferences",
     .test = "test of preferences",
     .tests = "tests of preferences",
     .proves = "the driver prepares models under every execution preference, and they compute the "
               "same",
     .checks = &PreferenceChecks,
     .make_tests = &MakePreferenceTests},
    {.name = "memory",
     .junit = "Memory",
     .member = "memory",
     .test = "test of memory",
     .tests = "tests of memory",
     .proves = "arguments and constants may lie anywhere in any kind of memory, and nothing is "
               "written but outputs",
     .checks = &MemoryChecks,
     .make_tests = &MakeMemoryTests},
    {.name = "determinism",
     .junit = "Determinism",
     .member = "determinism",
     .test = "test of determinism",
     .tests = "tests of determinism",
     .proves = "a request gives the same bytes whenever and however it is executed",
     .checks = &DeterminismChecks,
     .make_tests = &MakeDeterminismTests},
    {.name = "caching",
     .junit = "Caching",
     .member = "caching",
     .test = "test of compilation caching",
     .tests = "tests of compilation caching",
     .proves = "the driver gives every model that it has saved in a cache, and refuses caches that "
               "are not what it has saved",
     .checks = &CachingChecks,
     .make_tests = &MakeCachingTests},
    {.name = "concurrency",
     .junit = "Concurrency",
     .member = "concurrency",
     .test = "test of calls at the same time",
     .tests = "tests of calls at the same time",
     .proves =
         "threads and clients that call the driver at the same time get what each gets alone, "
         "and so do those who release a prepared model while it is executed",
     .needs_processors = true,
     .takes_systematic = true,
     .checks = &ConcurrencyChecks,
     .make_tests = &MakeConcurrencyTests},
    {.name = "lifecycle",
     .junit = "Lifecycle",
     .member = "lifecycle",
     .test = "sequence of calls",
     .tests = "sequences of calls",
     .proves =
         "whatever is prepared, executed, cached and released before, in whatever legal order, "
         "each call is answered as the rules have it, and each result is the same",
     .checks = &LifecycleChecks,
     .make_tests = &MakeLifecycleTests},
});

}  // namespace

absl::Span<const Suite> AllSuites() { return kSuites; }

const Suite* FindSuite(std::string_view name) {
  for (const Suite& suite : kSuites) {
    if (suite.name == name) return &suite;
  }
  return nullptr;
}

std::vector<CaseInMode> CasesFor(const Suite& suite, absl::Span<const CaseInMode> specs,
                                 absl::Span<const CaseInMode> systematic) {
  std::vector<CaseInMode> cases(specs.begin(), specs.end());
  if (suite.takes_systematic) cases.insert(cases.end(), systematic.begin(), systematic.end());
  return cases;
}

}  // namespace nncert
