// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/records/case_result.h"

#include "absl/strings/str_cat.h"

namespace nncert {

std::string_view FixtureName(TestMode mode) {
  return mode == TestMode::kStatic ? "GeneratedTests" : "DynamicOutputShapeTest";
}

const std::string& NameInMode(const TestCase& test_case, TestMode mode) {
  return mode == TestMode::kStatic ? test_case.name : test_case.dynamicOutputShapeName;
}

std::string FirstLine(const std::string& detail) { return detail.substr(0, detail.find('\n')); }

std::string FullName(const CaseResult& result) {
  return absl::StrCat(std::string(FixtureName(result.mode)), ".", result.name);
}

}  // namespace nncert
