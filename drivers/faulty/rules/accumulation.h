// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Sums of an operation, added up one after the other in a precision of one's own.

#ifndef NNCERT_DRIVERS_FAULTY_RULES_ACCUMULATION_H_
#define NNCERT_DRIVERS_FAULTY_RULES_ACCUMULATION_H_

#include <vector>

#include "reference/calls/operation_call.h"

namespace nncert::faulty {

/// What a sum becomes after each addition.
using RoundSum = double (*)(double sum);

/// Whether AddUp knows the operation: CONV_2D, FULLY_CONNECTED, MEAN and REDUCE_SUM.
bool HasSums(const OperationCall& call);

/// Computes such an operation on real numbers, with sums that begin at 0, take one product (or
/// element) after the other in the order of the operand's elements, are rounded by `round` after
/// each, and get the bias at the end: sums of products are not rounded otherwise. The dimensions of
/// the output must be known; gives one real number for each of its elements, before the fused
/// activation.
std::vector<double> AddUp(const OperationCall& call, RoundSum round);

/// A fused activation: 0 none, 1 RELU, 2 RELU1, 3 RELU6.
double Activate(double value, int32_t activation);

/// Computes an operation on quantized operands by the kernel for floating point ones, on the reals
/// that they stand for; `activation` in place of the operation's own, if that is not negative.
/// Gives the reals of each output, or nothing where the outputs are not quantized, or there is no
/// such kernel.
std::vector<std::vector<double>> ComputeOnReals(const OperationCall& call, int32_t activation = -1);

}  // namespace nncert::faulty

#endif  // NNCERT_DRIVERS_FAULTY_RULES_ACCUMULATION_H_
