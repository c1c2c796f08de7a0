// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/testing/evaluate.h"

#include <map>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "reference/execution/executor.h"
#include "reference/execution/model_validation.h"
#include "reference/model_builder.h"

namespace nncert {
namespace {

// The outputs of one operation whose rows are open.
struct OpenOutputs {
  std::vector<size_t> of_rows;
  std::optional<size_t> counts;
};

// Whether row `row` of `results` is possible row `possible_row`.
bool IsRow(const PossibleRows& possible, const OpenOutputs& outputs,
           const std::vector<OutputValue>& balls, const std::vector<Evaluated>& results,
           std::vector<double> Evaluated::*numbers, size_t row, size_t possible_row) {
  for (const size_t output : outputs.of_rows) {
    const std::vector<Ball>& elements = possible.elements[balls[output].output_of_operation];
    const size_t size = elements.size() / possible.size();
    for (size_t i = 0; i < size; ++i) {
      if (!elements[possible_row * size + i].Contains((results[output].*numbers)[row * size + i])) {
        return false;
      }
    }
  }
  return true;
}

// Checks that each row of `results` is one of those that the enclosure says are possible where it
// leaves their selection open, and that there are as many as there may be.
absl::Status CheckPossibleRows(const std::vector<OutputValue>& balls,
                               const std::vector<Evaluated>& results,
                               std::vector<double> Evaluated::*numbers) {
  std::map<const PossibleRows*, OpenOutputs> open;
  for (size_t i = 0; i < balls.size(); ++i) {
    const PossibleRows* const possible = balls[i].possible_rows.get();
    if (possible == nullptr) continue;
    if (possible->elements[balls[i].output_of_operation].empty()) {
      open[possible].counts = i;
    } else {
      open[possible].of_rows.push_back(i);
    }
  }
  for (const auto& [possible, outputs] : open) {
    if (outputs.of_rows.empty()) continue;
    const std::vector<double>& first = results[outputs.of_rows[0]].*numbers;
    const size_t size =
        possible->elements[balls[outputs.of_rows[0]].output_of_operation].size() / possible->size();
    const size_t groups = possible->have_counts ? possible->groups.size() : 1;
    const size_t room = first.size() / size / groups;
    for (size_t group = 0; group < groups; ++group) {
      const size_t count = possible->have_counts
                               ? static_cast<size_t>((results[*outputs.counts].*numbers)[group])
                               : room;
      PossibleRows::Group expected;
      for (size_t i = 0; i < possible->groups.size(); ++i) {
        if (possible->have_counts && i != group) continue;
        expected.least += possible->groups[i].least;
        expected.most += possible->groups[i].most;
      }
      if (count < expected.least || count > expected.most) {
        return absl::InternalError(absl::StrCat("there are ", count, " rows; possible are from ",
                                                expected.least, " to ", expected.most));
      }
      for (size_t row = group * room; row < group * room + count; ++row) {
        bool is_possible = false;
        for (size_t i = 0; i < possible->size() && !is_possible; ++i) {
          is_possible = (!possible->have_counts || possible->group_of[i] == group) &&
                        IsRow(*possible, outputs, balls, results, numbers, row, i);
        }
        if (!is_possible) {
          return absl::InternalError(absl::StrCat("row ", row, " is none of those possible"));
        }
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<Evaluated>> EvaluateInAllSystems(
    const hal::V1_2::Model& model, const std::vector<std::vector<double>>& inputs,
    HalVersion version) {
  absl::StatusOr<std::shared_ptr<const PreparedGraph>> graph =
      PreparedGraph::Create(model, version);
  if (!graph.ok()) return graph.status();
  std::vector<std::vector<uint8_t>> bytes;
  std::vector<InputArgument> arguments;
  for (size_t i = 0; i < inputs.size() && i < model.inputIndexes.size(); ++i) {
    const hal::V1_2::Operand& operand = (*graph)->model().operands[model.inputIndexes[i]];
    bytes.push_back(BytesOf(operand.type, inputs[i]));
    InputArgument argument;
    argument.has_no_value = inputs[i].empty() && NumberOfElements(operand.dimensions) != 0;
    argument.elements = absl::MakeConstSpan(reinterpret_cast<const std::byte*>(bytes.back().data()),
                                            bytes.back().size());
    arguments.push_back(argument);
  }
  // No result may depend on what memory holds by chance.
  const ExecutionOptions options = {.fills_arbitrary_memory = true};
  absl::StatusOr<std::vector<OutputValue>> floats =
      (*graph)->Execute(NumberSystem::kFloat, arguments, {}, options);
  if (!floats.ok()) return floats.status();
  absl::StatusOr<std::vector<OutputValue>> doubles =
      (*graph)->Execute(NumberSystem::kDouble, arguments, {}, options);
  if (!doubles.ok()) return doubles.status();
  absl::StatusOr<std::vector<OutputValue>> balls =
      (*graph)->Execute(NumberSystem::kBall, arguments, {}, options);
  if (!balls.ok()) return balls.status();
  std::vector<Evaluated> results;
  for (size_t i = 0; i < floats->size(); ++i) {
    Evaluated result;
    result.dimensions = (*floats)[i].info.dimensions;
    result.from_float = NumbersOf(
        (*floats)[i].info.type,
        absl::MakeConstSpan(reinterpret_cast<const uint8_t*>((*floats)[i].elements.data()),
                            (*floats)[i].elements.size()));
    result.from_double.assign((*doubles)[i].doubles().begin(), (*doubles)[i].doubles().end());
    result.undecided = (*balls)[i].undecided;
    if (result.dimensions != (*doubles)[i].info.dimensions) {
      return absl::InternalError(absl::StrCat(
          "output ", i, " has dimensions ", ShapeToString(result.dimensions), " in float and ",
          ShapeToString((*doubles)[i].info.dimensions), " in double"));
    }
    if (result.undecided.ok()) {
      result.enclosure.assign((*balls)[i].balls().begin(), (*balls)[i].balls().end());
      for (size_t k = 0; k < result.enclosure.size(); ++k) {
        const Ball& ball = result.enclosure[k];
        if (ball.Contains(result.from_float[k]) && ball.Contains(result.from_double[k])) continue;
        return absl::InternalError(absl::StrCat("output ", i, " element ", k, ": the enclosure ",
                                                ball.midpoint, " +/- ", ball.radius,
                                                " does not contain float ", result.from_float[k],
                                                " and double ", result.from_double[k]));
      }
    }
    results.push_back(std::move(result));
  }
  for (const auto numbers : {&Evaluated::from_float, &Evaluated::from_double}) {
    if (absl::Status status = CheckPossibleRows(*balls, results, numbers); !status.ok()) {
      return status;
    }
  }
  return results;
}

Evaluated EvaluateDecided(const hal::V1_2::Model& model,
                          const std::vector<std::vector<double>>& inputs) {
  absl::StatusOr<std::vector<Evaluated>> results = EvaluateInAllSystems(model, inputs);
  EXPECT_TRUE(results.ok()) << results.status();
  if (!results.ok()) return {};
  EXPECT_TRUE((*results)[0].undecided.ok()) << (*results)[0].undecided;
  return std::move((*results)[0]);
}

std::string ErrorOf(const hal::V1_2::Model& model, HalVersion version) {
  return std::string(PreparedGraph::Create(model, version).status().message());
}

std::string SignatureErrorOf(const hal::V1_2::Model& model, HalVersion version) {
  const absl::StatusOr<ModelOperands> operands = OperandsOf(model);
  if (!operands.ok()) return std::string(operands.status().message());
  const std::vector<const std::byte*> no_constants(model.operands.size());
  return std::string(
      ValidateOperation(model, 0, version, operands->infos, no_constants).status().message());
}

}  // namespace nncert
