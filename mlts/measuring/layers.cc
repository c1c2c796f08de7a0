// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/measuring/layers.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "cases/test_case.h"
#include "harness/case_driver.h"
#include "harness/case_runner.h"
#include "harness/judging/model_parts.h"
#include "harness/judging/oracle.h"
#include "harness/operation_check.h"
#include "mlts/measuring/network_on_driver.h"
#include "mlts/metrics/differences.h"
#include "mlts/tensor_format.h"
#include "reference/catalogue.h"

namespace nncert {
namespace {

using hal::V1_2::Operand;

TestCase CaseOfInference(const NetworkArguments& arguments, const Inference& inference) {
  TestCase test_case;
  test_case.name = "network";
  test_case.model = *arguments.model();
  test_case.examples.push_back(arguments.ExampleOf({inference.inputs, {}}));
  return test_case;
}

// What the reference and the driver have for each operand that an operation writes.
struct OperandPair {
  TensorBytes expected;
  TensorBytes actual;
};

LayerError ErrorOf(const Operand& operand, const OperandPair& values, LayerError layer) {
  const TensorFormat format = {operand.type, operand.dimensions, operand.scale, operand.zeroPoint};
  const absl::StatusOr<std::vector<double>> expected = StoredElements(format, values.expected);
  const absl::StatusOr<std::vector<double>> actual = StoredElements(format, values.actual);
  if (!expected.ok() || !actual.ok() || expected->size() != actual->size()) return layer;
  for (size_t i = 0; i < expected->size(); ++i) {
    const double right = RealValue(format, (*expected)[i]);
    const double error = std::abs(DifferenceOf(RealValue(format, (*actual)[i]), right));
    layer.maximum_absolute_error = std::max(layer.maximum_absolute_error, error);
    layer.mean_square_error += error * error / static_cast<double>(expected->size());
    layer.maximum_magnitude = std::max(layer.maximum_magnitude, std::abs(right));
  }
  return layer;
}

}  // namespace

absl::StatusOr<std::vector<LayerError>> MeasureLayers(const NetworkArguments& arguments,
                                                      DriverSession& session,
                                                      const Inference& inference,
                                                      absl::Duration deadline) {
  const TestCase test_case = CaseOfInference(arguments, inference);
  Oracle oracle(test_case, {.has_temporaries = true});
  absl::StatusOr<std::vector<ExpectedOutput>> expected = oracle.Expected(0);
  if (!expected.ok()) return expected.status();
  const absl::StatusOr<std::vector<ExpectedOutput>> between = oracle.Temporaries(0);
  if (!between.ok()) return between.status();
  const std::vector<uint32_t> temporaries = TemporariesOf(test_case.model);
  expected->insert(expected->end(), between->begin(), between->end());

  Network exposed;
  exposed.model = WithExposed(test_case.model, temporaries);
  const absl::StatusOr<NetworkArguments> all = NetworkArguments::Of(exposed);
  if (!all.ok()) return all.status();
  const absl::StatusOr<std::unique_ptr<NetworkOnDriver>> network =
      NetworkOnDriver::Prepare(session, *all, deadline);
  if (!network.ok()) return network.status();
  const absl::StatusOr<std::vector<TensorBytes>> outputs = (*network)->Execute(inference.inputs);
  if (!outputs.ok()) return outputs.status();
  if (absl::Status status = (*network)->Release(); !status.ok()) return status;

  std::map<uint32_t, OperandPair> values;
  for (size_t i = 0; i < exposed.model.outputIndexes.size() && i < expected->size(); ++i) {
    values[exposed.model.outputIndexes[i]] = {(*expected)[i].data, (*outputs)[i]};
  }
  std::vector<LayerError> layers;
  for (size_t i = 0; i < exposed.model.operations.size(); ++i) {
    const hal::V1_2::Operation& operation = exposed.model.operations[i];
    LayerError layer;
    layer.operation = static_cast<uint32_t>(i);
    layer.type = OperationName(exposed.model, operation.type);
    // What nobody reads, such as the scratch buffer of LSTM, may be anything.
    for (const uint32_t output : operation.outputs) {
      const auto found = values.find(output);
      const Operand& operand = exposed.model.operands[output];
      const auto place = std::find(arguments.model()->outputIndexes.begin(),
                                   arguments.model()->outputIndexes.end(), output);
      const bool is_output = place != arguments.model()->outputIndexes.end();
      const bool is_read = is_output ? arguments.IsRead(static_cast<size_t>(
                                           place - arguments.model()->outputIndexes.begin()))
                                     : operand.numberOfConsumers > 0;
      if (found == values.end() || !is_read) continue;
      layer = ErrorOf(operand, found->second, std::move(layer));
      break;
    }
    layers.push_back(std::move(layer));
  }
  return layers;
}

std::string FirstDivergingOperation(const NetworkArguments& arguments, DriverSession& session,
                                    const Inference& inference, absl::Duration deadline,
                                    std::string& why) {
  TestCase test_case = CaseOfInference(arguments, inference);
  Oracle oracle(test_case, {.has_temporaries = true});
  absl::StatusOr<std::vector<ExpectedOutput>> expected = oracle.Expected(0);
  if (!expected.ok()) {
    why = std::string(expected.status().message());
    return "";
  }
  for (size_t i = 0; i < expected->size(); ++i) (*expected)[i].ignored = !arguments.IsRead(i);
  test_case.examples[0].outputs = *std::move(expected);
  OperandValues results;
  for (size_t i = 0; i < inference.outputs.size(); ++i) {
    if (!arguments.IsRead(i)) continue;
    const uint32_t operand = test_case.model.outputIndexes[i];
    results[operand] = {test_case.model.operands[operand].dimensions, inference.outputs[i]};
  }
  RunOptions options;
  options.deadline = deadline;
  LiveCaseDriver driver(session);
  const OperationCheck check =
      CheckOperations(driver, test_case.model, test_case, oracle, {results}, options);
  if (check.error.has_value()) why = FirstLine(check.error->text);
  if (!check.error.has_value()) why = check.obstacle;
  if (!check.operation.has_value()) return "";
  return absl::StrCat(
      *check.operation, " (",
      OperationName(test_case.model, test_case.model.operations[*check.operation].type), ")");
}

}  // namespace nncert
