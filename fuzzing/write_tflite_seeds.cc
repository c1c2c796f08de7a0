// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Writes files to begin fuzzing with into a folder: TensorFlow Lite files made here, none of them
// of more than a few hundred bytes.

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "glog/logging.h"
#include "mlts/tflite/testing/tflite_maker.h"
#include "system/whole_file.h"

namespace nncert {
namespace {

using tflite::ActivationFunctionType;
using tflite::BuiltinOperator;
using tflite::TensorType;

// An LSTM of one unit with coupled gates, whose states are variables.
std::vector<uint8_t> LstmFile() {
  TfliteMaker maker;
  const int32_t input = maker.Tensor({TensorType::FLOAT32, {1, 1}});
  const int32_t output = maker.Tensor({TensorType::FLOAT32});
  const int32_t weights = maker.Constant<float>({TensorType::FLOAT32, {1, 1}}, {0.5F});
  const int32_t bias = maker.Floats({0});
  const TensorToMake state = {
      .type = TensorType::FLOAT32, .dimensions = {1, 1}, .is_variable = true};
  maker.Operator(BuiltinOperator::LSTM,
                 {input,
                  -1,
                  weights,
                  weights,
                  weights,
                  -1,
                  weights,
                  weights,
                  weights,
                  -1,
                  -1,
                  -1,
                  -1,
                  bias,
                  bias,
                  bias,
                  -1,
                  -1,
                  maker.Tensor(state),
                  maker.Tensor(state)},
                 {output},
                 tflite::CreateLSTMOptions(maker.builder(), ActivationFunctionType::TANH));
  return maker.Finish({input}, {output});
}

// Bytes with one scale, split, joined, quantized anew and reduced.
std::vector<uint8_t> RearrangingFile() {
  TfliteMaker maker;
  const TensorToMake bytes = {TensorType::UINT8, {1, 4}, {0.5F}, {10}};
  const int32_t input = maker.Tensor(bytes);
  const TensorToMake half = {TensorType::UINT8, {}, {0.5F}, {10}};
  const int32_t left = maker.Tensor(half);
  const int32_t right = maker.Tensor(half);
  const int32_t joined = maker.Tensor({TensorType::UINT8, {}, {0.25F}, {0}});
  const int32_t mean = maker.Tensor({TensorType::UINT8, {1}, {0.25F}, {0}});
  maker.Operator(BuiltinOperator::SPLIT, {maker.Int32s({1}), input}, {left, right},
                 tflite::CreateSplitOptions(maker.builder(), 2));
  maker.Operator(BuiltinOperator::CONCATENATION, {right, left, input}, {joined},
                 tflite::CreateConcatenationOptions(maker.builder(), 1));
  maker.Operator(BuiltinOperator::MEAN, {joined, maker.Int32s({1})}, {mean},
                 tflite::CreateReducerOptions(maker.builder(), false));
  return maker.Finish({input}, {mean});
}

}  // namespace
}  // namespace nncert

int main(int argc, char** argv) {
  if (argc != 2) {
    LOG(ERROR) << "usage: write_tflite_seeds FOLDER";
    return EXIT_FAILURE;
  }
  const std::vector<std::pair<std::string, std::vector<uint8_t>>> seeds = {
      {"lstm", nncert::LstmFile()},
      {"rearranging", nncert::RearrangingFile()},
      {"small", nncert::SmallTfliteFile()}};
  for (const auto& [name, file] : seeds) {
    const absl::Status status =
        nncert::WriteWholeFile(absl::StrCat(argv[1], "/", name, ".tflite"), file);
    if (!status.ok()) {
      LOG(ERROR) << status;
      return EXIT_FAILURE;
    }
  }
  return EXIT_SUCCESS;
}
