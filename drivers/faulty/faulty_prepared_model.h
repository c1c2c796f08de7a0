// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Prepared models that are wrong by rules.

#ifndef NNCERT_DRIVERS_FAULTY_FAULTY_PREPARED_MODEL_H_
#define NNCERT_DRIVERS_FAULTY_FAULTY_PREPARED_MODEL_H_

#include <memory>
#include <vector>

#include "drivers/faulty/history.h"
#include "drivers/faulty/rule_executor.h"
#include "drivers/faulty/rules/fault.h"
#include "drivers/faulty/rules/rule.h"
#include "hal/v1_2/interfaces.h"
#include "hal/v1_2/types.h"

namespace nncert::faulty {

/// Whether the conditions of a fault hold of an operation of the model. The model need not be
/// valid: the honest driver, which refuses such a model, is asked before.
bool Concerns(const Fault& fault, const hal::V1_2::Model& model);

/// What other calls do to those that `faults` concern; null when they do nothing.
const Interference* InterferenceOf(const std::vector<Fault>& faults);

/// The way in which a call ends by the first rule that says something of it; as it should by none.
const Delivery& DeliveryOf(const std::vector<const Rule*>& rules, const Delivery* Rule::*delivery);

/// What a call returns that should return `status`.
hal::V1_0::ErrorStatus ReturnedBy(const Delivery& delivery, hal::V1_0::ErrorStatus status);

/// A callback that makes the prepared model of the honest driver a faulty one, and gives that to
/// the client, which is not null. `faults` are those that concern the model, `rules` those of them
/// that bite its preparation.
std::shared_ptr<hal::V1_2::IPreparedModelCallback> WrapPrepared(
    const hal::V1_2::Model& model, const PreparationTraits& traits, std::vector<Fault> faults,
    std::vector<const Rule*> rules, std::shared_ptr<History> history,
    std::shared_ptr<hal::V1_0::IPreparedModelCallback> client);

/// The same of a model that comes from a cache, of which nobody knows before what it is.
std::shared_ptr<hal::V1_2::IPreparedModelCallback> WrapRetrieved(
    Faults faults, std::shared_ptr<History> history,
    std::shared_ptr<hal::V1_2::IPreparedModelCallback> client);

}  // namespace nncert::faulty

#endif  // NNCERT_DRIVERS_FAULTY_FAULTY_PREPARED_MODEL_H_
