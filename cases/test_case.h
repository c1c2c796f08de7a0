// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// A test case as data: a model, what is fed to it and what is expected of it. The C++ mirror of
// cases/test_case.capnp; case_file.h reads and writes it.

#ifndef NNCERT_CASES_TEST_CASE_H_
#define NNCERT_CASES_TEST_CASE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hal/v1_2/types.h"
#include "hal/version.h"

namespace nncert {

/// The value of one model input.
struct InputValue {
  /// An omitted optional operand; the other fields are then empty.
  bool hasNoValue = false;
  /// The input's dimensions, every one of them known; empty for scalars.
  std::vector<uint32_t> dimensions;
  /// The elements, row-major and little-endian in the operand's own storage (Booleans one byte).
  std::vector<uint8_t> data;

  bool operator==(const InputValue&) const = default;
};

/// The expected value of one model output.
struct ExpectedOutput {
  /// Neither dimensions nor elements are to be compared.
  bool ignored = false;
  /// The output's dimensions, every one of them known.
  std::vector<uint32_t> dimensions;
  /// The elements, as in InputValue::data.
  std::vector<uint8_t> data;

  bool operator==(const ExpectedOutput&) const = default;
};

/// One request and its answer.
struct Example {
  /// One for each of Model::inputIndexes.
  std::vector<InputValue> inputs;
  /// One for each of Model::outputIndexes.
  std::vector<ExpectedOutput> outputs;

  bool operator==(const Example&) const = default;
};

/// Bytes of the elements of an example's inputs and outputs.
inline size_t BytesOfArguments(const Example& example) {
  size_t bytes = 0;
  for (const InputValue& input : example.inputs) bytes += input.data.size();
  for (const ExpectedOutput& output : example.outputs) bytes += output.data.size();
  return bytes;
}

/// A line of a spec; 0 when it is not known. Where a case stands does not make it another one.
struct SpecLine {
  uint32_t number = 0;

  bool operator==(const SpecLine&) const { return true; }
};

/// A model with requests and expected answers.
struct TestCase {
  /// The case's name as Android's generated tests have it, without the fixture.
  std::string name;
  /// Its name when every output's dimensions are left open; empty when it must not run that way.
  std::string dynamicOutputShapeName;
  /// The lowest HAL version that the specification says can run the model; nothing when unstated.
  std::optional<hal::HalVersion> minimumVersion;
  /// The version folder that the specification stands in; nothing outside such folders.
  std::optional<hal::HalVersion> specVersion;
  /// The model, in 1.2 form whatever its version.
  hal::V1_2::Model model;
  /// The requests to run, in order.
  std::vector<Example> examples;
  /// Above 0: the outputs are samples, whose frequencies are compared with the softmax of the input
  /// within this tolerance.
  float multinomialDistributionTolerance = 0;
  /// Steps by which a quantized output may be off.
  uint32_t quantizedTolerance = 1;
  /// Not empty: expected outputs are known to contradict the documentation. The name of the
  /// deviation in docs/deviations.md; the outputs are then judged by what the documentation says.
  std::string deviation;
  /// The documentation forbids what the case asks for: the driver must refuse the model, or fail
  /// every execution. Expected outputs say no more than how large buffers are.
  bool expectFailure = false;
  /// Where its example stands.
  SpecLine line = {};

  bool operator==(const TestCase&) const = default;
};

/// "specs/add.mod.py:12": where a case that was read from `source_path` stands; the path alone when
/// that is no spec, or the line is not known.
inline std::string PlaceOf(const TestCase& test_case, const std::string& source_path) {
  const bool is_known = test_case.line.number > 0 && source_path.ends_with(".mod.py");
  return is_known ? source_path + ":" + std::to_string(test_case.line.number) : source_path;
}

/// What a file of test cases holds.
struct CaseFile {
  /// The file the cases were read from (a base name), or the program that made them.
  std::string origin;
  std::vector<TestCase> cases;

  bool operator==(const CaseFile&) const = default;
};

}  // namespace nncert

#endif  // NNCERT_CASES_TEST_CASE_H_
