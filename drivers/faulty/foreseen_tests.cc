// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "drivers/faulty/foreseen_tests.h"

#include <utility>

#include "drivers/faulty/faulty_driver.h"
#include "harness/isolation/call_thread.h"

namespace nncert::faulty {

std::vector<Test> TestsOf(std::vector<TestCase> cases) {
  std::vector<Test> tests;
  const auto none = std::make_shared<const std::vector<Fault>>();
  for (TestCase& test_case : cases) {
    Test& test = tests.emplace_back();
    test.name = test_case.name;
    test.healthy =
        std::make_shared<const std::vector<std::vector<uint8_t>>>(OutputsOf(test_case, none));
    test.test_case = std::make_shared<const TestCase>(std::move(test_case));
  }
  return tests;
}

std::vector<std::vector<uint8_t>> OutputsOf(const TestCase& test_case, const Faults& faults) {
  std::vector<std::vector<uint8_t>> outputs;
  const absl::StatusOr<std::unique_ptr<RuleGraph>> graph =
      RuleGraph::Create(test_case.model, faults);
  if (!graph.ok()) return outputs;
  for (const Example& example : test_case.examples) {
    std::vector<RuleGraph::Argument> arguments;
    for (const InputValue& input : example.inputs) {
      arguments.push_back({input.hasNoValue, input.dimensions, input.data});
    }
    absl::StatusOr<std::vector<ValuedOperand>> values = (*graph)->Run(std::move(arguments));
    if (!values.ok()) continue;
    for (ValuedOperand& value : *values) {
      // Other dimensions are another output.
      const auto* const first = reinterpret_cast<const uint8_t*>(value.operand.dimensions.data());
      value.bytes.insert(value.bytes.end(), first,
                         first + value.operand.dimensions.size() * sizeof(uint32_t));
      outputs.push_back(std::move(value.bytes));
    }
  }
  return outputs;
}

absl::StatusOr<std::unique_ptr<DriverSession>> OpenFaulty(const std::string& fault,
                                                          absl::Duration deadline) {
  CallThread calls;
  absl::StatusOr<absl::StatusOr<std::shared_ptr<hal::V1_2::IDevice>>> device =
      calls.Run(deadline, [fault] { return MakeFaultyDriver(fault); });
  if (!device.ok()) return device.status();
  if (!device->ok()) return device->status();
  return DriverSession::FromDevice(**device, "faulty:" + fault, deadline);
}

bool EndsProcess(const Rule& rule) {
  const auto is_absent = [](const Delivery* delivery) {
    return delivery != nullptr && (delivery->calls == 0 || delivery->delay > absl::ZeroDuration());
  };
  return rule.fault_class == FaultClass::kProcess || is_absent(rule.prepare_delivery) ||
         is_absent(rule.execute_delivery) || (rule.burst != nullptr && rule.burst->answers == 0);
}

}  // namespace nncert::faulty
