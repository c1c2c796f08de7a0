// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The elements of a case's inputs and constants as numbers, to be read and replaced.

#ifndef NNCERT_CASES_CASE_ELEMENTS_H_
#define NNCERT_CASES_CASE_ELEMENTS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "cases/test_case.h"
#include "hal/v1_2/types.h"

namespace nncert {

/// Whether the case gives the operand's elements: it is a model input or a constant with a value.
bool HasElements(const hal::V1_2::Operand& operand);

/// In how many examples the operand may have elements of its own: a model input in each, a constant
/// in one. The operand has elements.
size_t ExamplesOf(const TestCase& test_case, uint32_t operand);

/// The elements of an operand, in an example if it is a model input; none of one that is omitted or
/// not given, or of a type that numbers do not say.
std::vector<double> ElementsOf(const TestCase& test_case, uint32_t operand, size_t example = 0);

/// Replaces them, and the dimensions. They are no more than before. Those of a constant in a pool
/// are in a new pool then, which has all else that the old one had; where there is no memory for
/// one nothing happens.
void SetElements(TestCase& test_case, uint32_t operand, size_t example,
                 const std::vector<uint32_t>& dimensions, const std::vector<double>& values);

/// The same, with the dimensions that there are.
void SetElements(TestCase& test_case, uint32_t operand, size_t example,
                 const std::vector<double>& values);

/// Gives an operand another type, which numbers say as well, and its elements, if the case gives
/// them, in that type. A constant is in the model itself then.
void SetType(TestCase& test_case, uint32_t operand, hal::V1_2::OperandType type);

/// Puts a constant that is in a pool into the model itself; the pool stays. Fails when the pool
/// cannot be read.
absl::Status TakeInConstant(hal::V1_2::Model& model, uint32_t operand);

/// Puts all of them into the model, which has no pools then.
absl::Status TakeInConstants(hal::V1_2::Model& model);

/// Makes pools anew that have the constants alone, each at a multiple of four bytes; pools that
/// have none are left out. Fails when a pool cannot be read, or there is no memory.
absl::Status PackPools(hal::V1_2::Model& model);

}  // namespace nncert

#endif  // NNCERT_CASES_CASE_ELEMENTS_H_
