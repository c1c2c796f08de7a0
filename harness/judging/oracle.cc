// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/judging/oracle.h"

#include <utility>

#include "reference/storage.h"

namespace nncert {

absl::StatusOr<std::vector<OutputValue>> Oracle::Execute(NumberSystem system, size_t example) {
  if (!graph_.has_value()) graph_.emplace(PreparedGraph::Create(test_case_.model));
  if (!graph_->ok()) return graph_->status();
  std::vector<InputArgument> arguments;
  for (const InputValue& input : test_case_.examples[example].inputs) {
    InputArgument argument;
    argument.has_no_value = input.hasNoValue;
    argument.dimensions.assign(input.dimensions.begin(), input.dimensions.end());
    argument.elements = {reinterpret_cast<const std::byte*>(input.data.data()), input.data.size()};
    arguments.push_back(std::move(argument));
  }
  return (**graph_)->Execute(system, arguments, {},
                             {.kernels = kernels_, .most_steps = most_steps_});
}

absl::StatusOr<std::vector<ExpectedOutput>> Oracle::Expected(size_t example) {
  absl::StatusOr<std::vector<OutputValue>> values = Execute(NumberSystem::kDouble, example);
  if (!values.ok()) return values.status();
  std::vector<ExpectedOutput> outputs;
  for (const OutputValue& value : *values) {
    ExpectedOutput output;
    output.dimensions.assign(value.info.dimensions.begin(), value.info.dimensions.end());
    const size_t count = value.doubles().size();
    output.data.resize(count * NativeElementSize(ElementKindOf(value.info.type)));
    ExportElements(NumberSystem::kDouble, value.info.type, value.elements.data(), count,
                   reinterpret_cast<std::byte*>(output.data.data()));
    outputs.push_back(std::move(output));
  }
  return outputs;
}

absl::StatusOr<const std::vector<OutputValue>*> Oracle::Enclosures(size_t example) {
  auto found = enclosures_.find(example);
  if (found == enclosures_.end()) {
    found = enclosures_.emplace(example, Execute(NumberSystem::kBall, example)).first;
  }
  if (!found->second.ok()) return found->second.status();
  return &*found->second;
}

}  // namespace nncert
