// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "tools/commands/case_forms.h"

#include <sstream>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "cases/accepted_answers.h"
#include "cases/case_file.h"
#include "cases/google_test_writer.h"
#include "cases/spec_writer.h"
#include "hal/graph_dump.h"
#include "harness/judging/acceptance.h"
#include "harness/judging/case_completion.h"
#include "harness/judging/oracle.h"
#include "reference/argument_names.h"
#include "system/whole_file.h"

namespace nncert {
namespace {

// What the names of files end in.
constexpr char kCase[] = ".case";
constexpr char kSpec[] = ".mod.py";
constexpr char kGoogleTest[] = ".cc";
constexpr char kGraph[] = ".dot";

absl::StatusOr<std::string> GoogleTestOf(const TestCase& test_case) {
  TestCase complete = CaseToComplete(test_case);
  Oracle oracle(test_case, {.kernels = KernelChoice::kDefinitions});
  if (absl::Status status = CompleteCase(complete, oracle); !status.ok()) return status;
  complete.model = test_case.model;
  const absl::StatusOr<std::vector<AcceptedAnswer>> accepted = AcceptedAnswersOf(complete, oracle);
  if (!accepted.ok()) return accepted.status();
  return WriteGoogleTest({{complete, *accepted}});
}

std::string GraphOf(const TestCase& test_case) {
  std::ostringstream graph;
  hal::graphDump(test_case.name, test_case.model, graph, NamesOfArguments(test_case.model));
  return graph.str();
}

}  // namespace

bool CanBeRun(const std::string& path) {
  return absl::EndsWith(path, kCase) || absl::EndsWith(path, kSpec);
}

absl::Status CheckCaseForm(const std::string& path, size_t cases) {
  if (!CanBeRun(path) && !absl::EndsWith(path, kGoogleTest) && !absl::EndsWith(path, kGraph)) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": no such form of a case; expected a name that ends in ", kCase, ", ",
                     kSpec, ", ", kGoogleTest, " or ", kGraph));
  }
  if (cases == 1 || absl::EndsWith(path, kCase)) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      path, ": there are ", cases, " cases; only a case file (", kCase, ") takes several"));
}

absl::Status WriteCases(const std::string& path, const std::string& origin,
                        absl::Span<const TestCase> cases) {
  if (absl::Status status = CheckCaseForm(path, cases.size()); !status.ok()) return status;
  if (absl::EndsWith(path, kCase)) return WriteCaseFile(path, origin, cases);
  const absl::StatusOr<std::string> text = absl::EndsWith(path, kSpec) ? WriteSpec(cases[0])
                                           : absl::EndsWith(path, kGoogleTest)
                                               ? GoogleTestOf(cases[0])
                                               : GraphOf(cases[0]);
  if (!text.ok()) return text.status();
  return WriteWholeFile(path, *text);
}

}  // namespace nncert
