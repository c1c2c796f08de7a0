// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Conversion of models, capabilities and their parts between HAL versions.
//
// compliantWithV1_x says whether an object can be expressed in an earlier version without loss;
// convertToV1_x expresses it there. Converting to a later version never loses anything. Converting
// an object that is not compliant logs a warning, drops what the earlier version cannot hold (extra
// parameters, extension names, relaxed arithmetic) and keeps the numbers of unknown types, which a
// driver of that version must then refuse. Requests are the same in every version.

#ifndef NNCERT_HAL_CONVERSION_H_
#define NNCERT_HAL_CONVERSION_H_

#include <cstdint>
#include <functional>
#include <set>

#include "hal/v1_0/types.h"
#include "hal/v1_1/types.h"
#include "hal/v1_2/types.h"
#include "hal/version.h"

namespace nncert::hal {

/// Says whether one operation of a model, all of whose operands comply with a version, is one that
/// the version allows. What operations take is not known in this library; whoever knows it can give
/// such a predicate.
using OperationPredicate =
    std::function<bool(const V1_2::Model& model, uint32_t operationIndex, HalVersion version)>;

/// Whether a version can express a type, or an operand: its type, and before 1.2 the known rank of
/// a tensor and the lack of extra parameters.
bool compliantWith(HalVersion version, V1_2::OperandType type);
bool compliantWith(HalVersion version, V1_2::OperationType type);
bool compliantWith(HalVersion version, const V1_2::Operand& operand);

/// Whether a version can express a model: each operation's type, the operands that operations use
/// and the pools that those lie in, and `isAllowed` of each operation when given. Relaxed
/// arithmetic is a permission, so a model that allows it complies with 1.0 as well. If
/// `noncompliantOperations` is not null it receives the indexes of the operations at fault. An
/// operand index out of range makes an operation noncompliant.
bool compliantWith(HalVersion version, const V1_2::Model& model,
                   std::set<uint32_t>* noncompliantOperations = nullptr,
                   const OperationPredicate& isAllowed = nullptr);
bool compliantWithV1_0(const V1_2::Model& model,
                       std::set<uint32_t>* noncompliantOperations = nullptr,
                       const OperationPredicate& isAllowed = nullptr);
bool compliantWithV1_1(const V1_2::Model& model,
                       std::set<uint32_t>* noncompliantOperations = nullptr,
                       const OperationPredicate& isAllowed = nullptr);
bool compliantWithV1_0(const V1_1::Model& model,
                       std::set<uint32_t>* noncompliantOperations = nullptr,
                       const OperationPredicate& isAllowed = nullptr);

/// Whether capabilities have an exact equivalent in an earlier version. Before 1.2 scalars and
/// tensors have the same performance, and integers and OEM types that of TENSOR_QUANT8_ASYMM; 1.0
/// does not tell relaxed arithmetic apart.
bool compliantWithV1_0(const V1_1::Capabilities& capabilities);
bool compliantWithV1_0(const V1_2::Capabilities& capabilities);
bool compliantWithV1_1(const V1_2::Capabilities& capabilities);

// Types.
V1_0::OperandType convertToV1_0(V1_2::OperandType type);
V1_2::OperandType convertToV1_2(V1_0::OperandType type);
V1_0::OperationType convertToV1_0(V1_1::OperationType type);
V1_0::OperationType convertToV1_0(V1_2::OperationType type);
V1_1::OperationType convertToV1_1(V1_0::OperationType type);
V1_1::OperationType convertToV1_1(V1_2::OperationType type);
V1_2::OperationType convertToV1_2(V1_0::OperationType type);
V1_2::OperationType convertToV1_2(V1_1::OperationType type);

// Operands (those of 1.1 are those of 1.0) and operations.
V1_0::Operand convertToV1_0(const V1_2::Operand& operand);
V1_2::Operand convertToV1_2(const V1_0::Operand& operand);
V1_0::Operation convertToV1_0(const V1_2::Operation& operation);
V1_1::Operation convertToV1_1(const V1_2::Operation& operation);
V1_2::Operation convertToV1_2(const V1_0::Operation& operation);
V1_2::Operation convertToV1_2(const V1_1::Operation& operation);

/// What becomes of a loss: a warning, or nothing where it is what the caller is after.
enum class Loss { WARNED, EXPECTED };

// Models. Pools are shared, not copied.
V1_0::Model convertToV1_0(const V1_1::Model& model);
V1_0::Model convertToV1_0(const V1_2::Model& model, Loss loss = Loss::WARNED);
V1_1::Model convertToV1_1(const V1_0::Model& model);
V1_1::Model convertToV1_1(const V1_2::Model& model, Loss loss = Loss::WARNED);
V1_2::Model convertToV1_2(const V1_0::Model& model);
V1_2::Model convertToV1_2(const V1_1::Model& model);

// Capabilities. On the way up the figures of types that the earlier version does not name are those
// that compliantWithV1_x expects; types of 1.2 alone have no entry.
V1_0::Capabilities convertToV1_0(const V1_1::Capabilities& capabilities);
V1_0::Capabilities convertToV1_0(const V1_2::Capabilities& capabilities);
V1_1::Capabilities convertToV1_1(const V1_0::Capabilities& capabilities);
V1_1::Capabilities convertToV1_1(const V1_2::Capabilities& capabilities);
V1_2::Capabilities convertToV1_2(const V1_0::Capabilities& capabilities);
V1_2::Capabilities convertToV1_2(const V1_1::Capabilities& capabilities);

}  // namespace nncert::hal

#endif  // NNCERT_HAL_CONVERSION_H_
