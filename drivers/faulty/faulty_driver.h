// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// A driver that passes everything on to an honest one, and then spoils the results.

#ifndef NNCERT_DRIVERS_FAULTY_FAULTY_DRIVER_H_
#define NNCERT_DRIVERS_FAULTY_FAULTY_DRIVER_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/types/span.h"
#include "hal/v1_2/interfaces.h"
#include "hal/v1_2/types.h"

namespace nncert {

/// An output of an execution that the honest driver has brought to a good end.
struct FinishedOutput {
  /// The operand's type.
  hal::V1_2::OperandType type = hal::V1_2::OperandType::FLOAT32;
  /// The elements in the request's memory: as many bytes as the dimensions ask for.
  absl::Span<uint8_t> elements;
  /// What is going to be reported.
  hal::V1_2::OutputShape& shape;
};

/// What is done to every output.
using Fault = void (*)(FinishedOutput output);

/// Every element of a floating point output becomes a NaN.
void MakeAllNan(FinishedOutput output);

/// Every element of a quantized output is moved by two steps, towards the middle of the type's
/// range, so that none can saturate to where it was.
void MoveByTwoSteps(FinishedOutput output);

/// The first dimension of the reported shape is one greater; a scalar becomes a vector.
void ReportWrongShape(FinishedOutput output);

/// A driver of HAL 1.2 like `honest`, but for its name, which is its version string, and for
/// `fault`.
std::shared_ptr<hal::V1_2::IDevice> MakeFaultyDriver(std::shared_ptr<hal::V1_2::IDevice> honest,
                                                     std::string name, Fault fault);

}  // namespace nncert

#endif  // NNCERT_DRIVERS_FAULTY_FAULTY_DRIVER_H_
