// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The suite of broken bursts: packets, slots, memory and queues are broken in every way that there
// is, and the burst has to refuse that and to go on.

#ifndef NNCERT_HAL_TESTS_BURST_VALIDATE_BURST_H_
#define NNCERT_HAL_TESTS_BURST_VALIDATE_BURST_H_

#include <memory>
#include <vector>

#include "absl/types/span.h"
#include "certifying/case_batch.h"
#include "hal/version.h"
#include "hal_tests/check.h"

namespace nncert {

/// A check for each of BurstMutationFamilies, and those that take more than one packet.
std::vector<Check> BurstChecks();

/// A test for each case, which has its model prepared, opens a burst and sends mutants of the
/// packet of its first request: ValidationTest.NAME. A device before 1.2 has no bursts, and no
/// tests.
///
/// Whatever is invalid has to be answered by one packet with INVALID_ARGUMENT or GENERAL_FAILURE,
/// without output shapes and times; the same burst then has to execute the valid request, with the
/// same outputs as before. Mutants are thinned out as those of models are: see MakeModelTests.
std::vector<std::unique_ptr<SuiteTest>> MakeBurstTests(absl::Span<const CaseInMode> cases,
                                                       hal::HalVersion version);

}  // namespace nncert

#endif  // NNCERT_HAL_TESTS_BURST_VALIDATE_BURST_H_
