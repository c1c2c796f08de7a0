// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What is judged by fast kernels, and judged again by the definitions alone.

#ifndef NNCERT_HARNESS_JUDGING_SECOND_OPINION_H_
#define NNCERT_HARNESS_JUDGING_SECOND_OPINION_H_

#include "absl/functional/function_ref.h"
#include "harness/judging/judgement.h"

namespace nncert {

/// Whether a judgement depends on what the reference computes, so that it takes a second one.
bool DependsOnReference(const Judgement& judgement);

/// What two judgements of one execution come to: by fast kernels, and by definitions, which decide.
/// MISSING with both where they disagree, which is a defect of nncert. `is_expected_honest`, which
/// is called when it matters, says whether the definitions accept what fast kernels expect.
Judgement Reconcile(const Judgement& fast, Judgement defined,
                    absl::FunctionRef<bool()> is_expected_honest);

}  // namespace nncert

#endif  // NNCERT_HARNESS_JUDGING_SECOND_OPINION_H_
