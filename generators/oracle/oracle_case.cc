// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "generators/oracle/oracle_case.h"

#include <capnp/serialize.h>
#include <kj/exception.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

#include "absl/strings/str_cat.h"
#include "cases/case_file.h"
#include "generators/oracle/oracle_cases.capnp.h"

namespace nncert {
namespace {

absl::StatusOr<std::vector<double>> DoublesOf(capnp::Data::Reader data) {
  if (data.size() % sizeof(double) != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("an answer has ", data.size(), " bytes; expected a multiple of 8"));
  }
  std::vector<double> values(data.size() / sizeof(double));
  if (!values.empty()) std::memcpy(values.data(), data.begin(), data.size());
  return values;
}

absl::StatusOr<Answer> AnswerOf(schema::Answer::Reader reader) {
  absl::StatusOr<std::vector<double>> values = DoublesOf(reader.getValues());
  if (!values.ok()) return values.status();
  absl::StatusOr<std::vector<double>> magnitudes = DoublesOf(reader.getMagnitudes());
  if (!magnitudes.ok()) return magnitudes.status();
  if (magnitudes->empty()) {
    for (const double value : *values) magnitudes->push_back(std::abs(value));
  }
  if (magnitudes->size() != values->size()) {
    return absl::InvalidArgumentError(absl::StrCat("an answer has ", magnitudes->size(),
                                                   " magnitudes; expected ", values->size()));
  }
  return Answer{*std::move(values), *std::move(magnitudes)};
}

absl::StatusOr<AnswerComparison> ComparisonOf(schema::Comparison comparison) {
  switch (comparison) {
    case schema::Comparison::ELEMENTS:
      return AnswerComparison::kElements;
    case schema::Comparison::GROUPED_ROWS:
      return AnswerComparison::kGroupedRows;
    case schema::Comparison::DISTRIBUTION:
      return AnswerComparison::kDistribution;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("comparison ", static_cast<int>(comparison), " is not known"));
}

absl::StatusOr<OracleCase> CaseOf(schema::OracleCase::Reader reader) {
  OracleCase result;
  absl::StatusOr<TestCase> test_case = FromSchema(reader.getTestCase());
  if (!test_case.ok()) return test_case.status();
  result.test_case = *std::move(test_case);
  for (const schema::Answer::Reader answer_reader : reader.getAnswers()) {
    absl::StatusOr<Answer> answer = AnswerOf(answer_reader);
    if (!answer.ok()) return answer.status();
    result.answers.push_back(*std::move(answer));
  }
  absl::StatusOr<AnswerComparison> comparison = ComparisonOf(reader.getComparison());
  if (!comparison.ok()) return comparison.status();
  result.comparison = *comparison;
  const TestCase& made = result.test_case;
  if (made.model.operations.size() != 1 || made.examples.size() != 1 ||
      made.examples[0].inputs.size() != made.model.inputIndexes.size() ||
      result.answers.size() != made.model.outputIndexes.size()) {
    return absl::InvalidArgumentError(absl::StrCat(
        made.name, " is not a case of one operation with one example and all of its answers"));
  }
  return result;
}

}  // namespace

absl::StatusOr<std::vector<OracleCase>> ReadOracleCases(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return absl::NotFoundError(absl::StrCat(path, ": no such file"));
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::vector<capnp::word> words(bytes.size() / sizeof(capnp::word));
  if (!words.empty()) std::memcpy(words.data(), bytes.data(), words.size() * sizeof(capnp::word));
  std::vector<OracleCase> cases;
  absl::Status status;
  const auto read = [&] {
    // The file is of our own build: it may be read as often as it takes.
    capnp::ReaderOptions options;
    options.traversalLimitInWords = 8 * words.size() + 1024;
    capnp::FlatArrayMessageReader message(kj::arrayPtr(words.data(), words.size()), options);
    for (const auto reader : message.getRoot<schema::OracleFile>().getCases()) {
      absl::StatusOr<OracleCase> oracle_case = CaseOf(reader);
      if (!oracle_case.ok()) {
        status = oracle_case.status();
        return;
      }
      cases.push_back(*std::move(oracle_case));
    }
  };
  if (const auto exception = kj::runCatchingExceptions(read); exception != nullptr) {
    status = absl::InvalidArgumentError("it is not a whole file of oracle cases");
  }
  if (!status.ok()) {
    return absl::Status(status.code(), absl::StrCat(path, ": ", status.message()));
  }
  return cases;
}

absl::StatusOr<std::vector<OutputValue>> ExecuteCase(const PreparedGraph& graph,
                                                     const OracleCase& oracle_case,
                                                     NumberSystem system, KernelChoice kernels) {
  std::vector<InputArgument> arguments;
  for (const InputValue& input : oracle_case.test_case.examples[0].inputs) {
    InputArgument argument;
    argument.has_no_value = input.hasNoValue;
    argument.dimensions.assign(input.dimensions.begin(), input.dimensions.end());
    argument.SetElements(input.data);
    arguments.push_back(std::move(argument));
  }
  return graph.Execute(system, arguments, {}, {.kernels = kernels});
}

}  // namespace nncert
