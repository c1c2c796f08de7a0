// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What cases can ask of operations, by the catalogue: what coverage is measured against.

#ifndef NNCERT_CASES_COVERAGE_COVERAGE_ITEMS_H_
#define NNCERT_CASES_COVERAGE_COVERAGE_ITEMS_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "cases/coverage/coverage.h"
#include "reference/operation_definition.h"
#include "reference/tensor.h"

namespace nncert {

/// What a coverage item is about, in the order of reports.
enum class CoverageKind {
  kVersion,          ///< the lowest HAL version that can run the case
  kRank,             ///< the rank of the first tensor
  kOperandType,      ///< types that other operands may have beside that of the first one
  kOptionalOperand,  ///< an optional input there, and left out
  kActivation,       ///< fused activations
  kLayout,           ///< NHWC and NCHW
  kAttribute,        ///< classes of the values of INT32 and BOOL scalars
  kSize,             ///< classes of sizes
  kConstness,        ///< which operands are constants
  kCompany,          ///< the operations that write and read the operands
  kCondition,        ///< conditions that are none of the above
  kConstraint,       ///< constraints that the operation has to satisfy
};

/// All kinds in order.
absl::Span<const CoverageKind> AllCoverageKinds();

/// "optional_operand": in files.
std::string_view ToString(CoverageKind kind);
/// "optional operands": for people.
std::string_view Heading(CoverageKind kind);

/// A condition that coverage counts, as behind the @ in the name of a fault; several are joined by
/// @ and hold together.
struct CoverageCondition {
  std::string_view text;
  CoverageKind kind;
};

/// The conditions that coverage counts.
absl::Span<const CoverageCondition> CoverageConditions();

/// Whether some valid operation of this kind meets a condition of CoverageConditions, as far as the
/// signature says, and those constraints that read no more than the dimensions of one tensor, or of
/// two that are to be the same.
bool CanMeet(const OperationDefinition& definition, std::string_view condition);
/// The same where the first input has this type.
bool CanMeet(const OperationDefinition& definition, OperandType type, std::string_view condition);

/// Something that cases can ask of an operation.
struct CoverageItem {
  CoverageKind kind;
  /// "rank=4", "without bias", "strideWidth: >1".
  std::string name;
  /// It is met where one of these is (see OperationCoverage::features).
  std::vector<std::string> features;

  /// How often it was met.
  uint64_t CountIn(const OperationCoverage& coverage) const;
};

/// All that cases can ask of an operation whose first input has this type.
///
/// Ranks are those from 1 to 4. A version is asked for that brings anything new. Values of a scalar
/// are asked for one by one where constraints leave no more than five in a row (with the class of
/// the negative ones); else as below 0, 0, 1 and above, as far as constraints allow these.
std::vector<CoverageItem> CoverageItemsOf(const OperationDefinition& definition, OperandType type);

/// The types that the first input of an operation can have, in the order of the signature.
std::vector<OperandType> FirstTypesOf(const OperationDefinition& definition);

/// Whether the type of an operand is not settled by those of the inputs before: coverage counts it.
bool HasChoiceOfTypes(const OperandRule& rule);

/// Whether coverage counts if an input is a constant: a single tensor that is not the first one, of
/// which conditions say it.
bool HasConstness(const OperationDefinition& definition, size_t slot);

/// What counts of the value of a scalar: itself, up to here; all beyond it together.
inline constexpr int32_t kGreatestCountedValue = 16;

/// What a value counts as: itself, or the first one beyond those that are counted.
int32_t ClassOfValue(int32_t value);

/// The feature of an operand's type: "filter=TENSOR_QUANT8_SYMM_PER_CHANNEL".
std::string FeatureOfType(const std::string& operand, OperandType type);

/// The feature of a scalar's value: "axis: <0", "stride: 2", "depth: >16".
std::string FeatureOfValue(const std::string& slot, int32_t value);

}  // namespace nncert

#endif  // NNCERT_CASES_COVERAGE_COVERAGE_ITEMS_H_
