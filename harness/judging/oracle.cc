// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/judging/oracle.h"

#include <cstddef>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "harness/judging/model_parts.h"
#include "reference/storage.h"

namespace nncert {

InputArgument ArgumentOf(const std::vector<uint32_t>& dimensions,
                         const std::vector<uint8_t>& data) {
  InputArgument argument;
  argument.dimensions.assign(dimensions.begin(), dimensions.end());
  argument.SetElements(data);
  return argument;
}

std::vector<InputArgument> ArgumentsOf(const Example& example) {
  std::vector<InputArgument> arguments;
  arguments.reserve(example.inputs.size());
  for (const InputValue& input : example.inputs) {
    arguments.push_back(ArgumentOf(input.dimensions, input.data));
    arguments.back().has_no_value = input.hasNoValue;
  }
  return arguments;
}

ExpectedOutput RoundedOutput(const OutputValue& value) {
  ExpectedOutput output;
  output.dimensions.assign(value.info.dimensions.begin(), value.info.dimensions.end());
  const size_t count = value.doubles().size();
  output.data.resize(count * NativeElementSize(ElementKindOf(value.info.type)));
  ExportElements(NumberSystem::kDouble, value.info.type, value.elements.data(), count,
                 reinterpret_cast<std::byte*>(output.data.data()));
  return output;
}

namespace {

std::vector<ExpectedOutput> Rounded(absl::Span<const OutputValue> values) {
  std::vector<ExpectedOutput> outputs;
  outputs.reserve(values.size());
  for (const OutputValue& value : values) outputs.push_back(RoundedOutput(value));
  return outputs;
}

// An answer that is kept: computed when first asked for.
absl::StatusOr<const std::vector<OutputValue>*> Kept(
    std::map<size_t, absl::StatusOr<std::vector<OutputValue>>>& answers, size_t example,
    absl::FunctionRef<absl::StatusOr<std::vector<OutputValue>>()> compute) {
  auto found = answers.find(example);
  if (found == answers.end()) found = answers.emplace(example, compute()).first;
  if (!found->second.ok()) return found->second.status();
  return &*found->second;
}

}  // namespace

Oracle::GraphOrStatus Oracle::Prepare(hal::V1_2::Model model) const {
  return options_.validation == Validation::kNeeded
             ? PreparedGraph::Create(std::move(model))
             : PreparedGraph::CreateValidated(std::move(model));
}

Oracle::GraphOrStatus Oracle::Graph() {
  if (!graph_.has_value()) graph_ = Prepare(test_case_.model);
  return *graph_;
}

Oracle::GraphOrStatus Oracle::GraphWithTemporaries() {
  if (!graph_with_temporaries_.has_value()) {
    graph_with_temporaries_ =
        Prepare(WithExposed(test_case_.model, TemporariesOf(test_case_.model)));
  }
  return *graph_with_temporaries_;
}

absl::StatusOr<std::vector<OutputValue>> Oracle::Execute(const GraphOrStatus& graph,
                                                         NumberSystem system,
                                                         size_t example) const {
  if (!graph.ok()) return graph.status();
  return (**graph).Execute(system, ArgumentsOf(test_case_.examples[example]), {},
                           {.kernels = options_.kernels, .most_steps = options_.most_steps});
}

absl::StatusOr<std::vector<ExpectedOutput>> Oracle::Expected(size_t example) {
  if (!options_.has_temporaries) {
    const absl::StatusOr<std::vector<OutputValue>> values =
        Execute(Graph(), NumberSystem::kDouble, example);
    if (!values.ok()) return values.status();
    return Rounded(*values);
  }
  const absl::StatusOr<const std::vector<ExpectedOutput>*> all = OutputsAndTemporaries(example);
  if (!all.ok()) return all.status();
  const auto outputs = absl::MakeConstSpan(**all).first(test_case_.model.outputIndexes.size());
  return std::vector<ExpectedOutput>(outputs.begin(), outputs.end());
}

absl::StatusOr<std::vector<ExpectedOutput>> Oracle::Temporaries(size_t example) {
  const absl::StatusOr<const std::vector<ExpectedOutput>*> all = OutputsAndTemporaries(example);
  if (!all.ok()) return all.status();
  const auto temporaries =
      absl::MakeConstSpan(**all).subspan(test_case_.model.outputIndexes.size());
  return std::vector<ExpectedOutput>(temporaries.begin(), temporaries.end());
}

absl::StatusOr<const std::vector<ExpectedOutput>*> Oracle::OutputsAndTemporaries(size_t example) {
  const absl::StatusOr<const std::vector<OutputValue>*> values = Doubles(example);
  if (!values.ok()) return values.status();
  const auto [kept, is_new] = rounded_.try_emplace(example);
  if (is_new) kept->second = Rounded(**values);
  return &kept->second;
}

absl::StatusOr<const std::vector<OutputValue>*> Oracle::Doubles(size_t example) {
  if (!options_.has_temporaries) {
    return absl::FailedPreconditionError("the oracle computes no temporaries");
  }
  return Kept(doubles_, example,
              [&] { return Execute(GraphWithTemporaries(), NumberSystem::kDouble, example); });
}

absl::StatusOr<const std::vector<OutputValue>*> Oracle::Enclosures(size_t example) {
  return Kept(enclosures_, example, [&] { return Execute(Graph(), NumberSystem::kBall, example); });
}

}  // namespace nncert
