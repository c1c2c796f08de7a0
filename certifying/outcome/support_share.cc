// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/outcome/support_share.h"

#include <algorithm>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "harness/judging/judgement.h"

namespace nncert {
namespace {

// How wide lines are.
constexpr size_t kLineWidth = 100;

// Whether a verdict says that the driver executed the model. A process that ended, or never
// answered, says nothing of what it can do.
bool HasRun(Verdict verdict) {
  return verdict != Verdict::UNSUPPORTED && verdict != Verdict::CRASH &&
         verdict != Verdict::TIMEOUT && verdict != Verdict::MISSING;
}

// Whether one of the shares is above zero.
bool IsAnySupported(const std::vector<SupportShare>& shares) {
  return std::any_of(shares.begin(), shares.end(),
                     [](const SupportShare& share) { return share.supported > 0; });
}

// "3 of 4 pairs", "all 4 pairs", "1 of 1 pair"; `things` is the plural.
std::string CountOf(size_t part, size_t whole, absl::string_view thing, absl::string_view things) {
  const bool is_all = part == whole && whole > 1;
  return absl::StrCat(is_all ? "all" : absl::StrCat(part, " of"), " ", whole, " ",
                      whole == 1 ? thing : things);
}

// "TENSOR_FLOAT32 (104 of 160)"; "TENSOR_FLOAT32" where all cases are supported, "not
// TENSOR_FLOAT32" where none is.
std::string DescribeType(const SupportShare& share) {
  if (share.supported == share.cases) return share.type;
  if (share.supported == 0) return absl::StrCat("not ", share.type);
  return absl::StrCat(share.type, " (", share.supported, " of ", share.cases, ")");
}

// Words separated by commas, on lines that are not too wide. Each begins with an indent.
std::string Wrap(const std::vector<std::string>& words, const std::string& first_indent,
                 const std::string& indent) {
  std::string text;
  std::string line = first_indent;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string word = absl::StrCat(words[i], i + 1 < words.size() ? "," : "");
    if (i > 0 && line.size() + 1 + word.size() > kLineWidth) {
      absl::StrAppend(&text, line, "\n");
      line = indent;
    }
    absl::StrAppend(&line, " ", word);
  }
  return absl::StrCat(text, line, "\n");
}

}  // namespace

std::vector<SupportShare> SharesOf(absl::Span<const CaseInMode> cases,
                                   absl::Span<const CaseResult> results) {
  std::map<std::pair<std::string, std::string>, SupportShare> shares;
  for (size_t i = 0; i < std::min(cases.size(), results.size()); ++i) {
    const TestCase& test_case = cases[i].loaded->test_case;
    const hal::V1_2::Model& model = test_case.model;
    if (model.operations.size() != 1 || test_case.expectFailure) continue;
    const std::string type = TypeOfOperation(model, model.operations[0]);
    // A case that is not valid is a result of its own.
    if (IsCaseError(results[i].verdict) || type.empty()) continue;
    SupportShare& share = shares[{results[i].operation, type}];
    share.operation = results[i].operation;
    share.type = type;
    ++share.cases;
    share.supported += HasRun(results[i].verdict);
  }
  std::vector<SupportShare> list;
  for (auto& [key, share] : shares) list.push_back(std::move(share));
  return list;
}

std::string DescribeShares(absl::Span<const SupportShare> shares) {
  if (shares.empty()) return "";
  std::map<std::string, std::vector<SupportShare>> operations;
  size_t pairs = 0;
  size_t partial_pairs = 0;
  for (const SupportShare& share : shares) {
    operations[share.operation].push_back(share);
    pairs += share.supported > 0;
    partial_pairs += share.supported > 0 && share.supported < share.cases;
  }
  size_t supported_operations = 0;
  size_t longest_name = 0;
  for (const auto& [name, operation] : operations) {
    if (!IsAnySupported(operation)) continue;
    ++supported_operations;
    longest_name = std::max(longest_name, name.size());
  }
  std::string text = absl::StrCat(
      "Supported: ", CountOf(supported_operations, operations.size(), "operation", "operations"),
      ", ", CountOf(pairs, shares.size(), "pair", "pairs"), " of operation and type",
      partial_pairs > 0 ? absl::StrCat(", ", partial_pairs, " of them in part") : "", "\n");
  if (pairs == shares.size() && partial_pairs == 0) return text;
  std::vector<std::string> unsupported_operations;
  for (const auto& [name, operation] : operations) {
    if (!IsAnySupported(operation)) {
      unsupported_operations.push_back(name);
      continue;
    }
    std::vector<std::string> types;
    for (const bool is_supported : {true, false}) {
      for (const SupportShare& share : operation) {
        if ((share.supported > 0) == is_supported) types.push_back(DescribeType(share));
      }
    }
    absl::StrAppend(&text, Wrap(types, absl::StrFormat("  %-*s", longest_name, name),
                                std::string(longest_name + 2, ' ')));
  }
  if (!unsupported_operations.empty()) {
    absl::StrAppend(&text, Wrap(unsupported_operations, "  Not at all:", "   "));
  }
  return text;
}

}  // namespace nncert
