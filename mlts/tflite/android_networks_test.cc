// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The importer and the reference on networks of Android's MLTS, with what MLTS knows of their
// outputs. Those are no part of this repository: without NNCERT_MLTS_DATA, the folder of MLTS's
// assets, the tests are skipped; NNCERT_NETWORKS may name a folder of further files.
//
//   ./bazelw test //mlts/tflite:android_networks_test --test_output=all
//       --test_env=NNCERT_MLTS_DATA=/path/to/assets --test_env=NNCERT_NETWORKS=/path/to/others

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "hal/utils.h"
#include "harness/judging/model_parts.h"
#include "harness/judging/oracle.h"
#include "mlts/tflite/importer.h"
#include "mlts/tflite/testing/fixed_point.h"
#include "mlts/tflite/variants.h"
#include "reference/execution/executor.h"
#include "reference/execution/model_validation.h"
#include "reference/model_builder.h"

namespace nncert {
namespace {

namespace fs = std::filesystem;

using Bytes = std::vector<uint8_t>;

Bytes ReadAll(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  EXPECT_TRUE(stream.is_open()) << path;
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

std::vector<float> FloatsOf(const Bytes& bytes) {
  std::vector<float> floats(bytes.size() / sizeof(float));
  std::memcpy(floats.data(), bytes.data(), floats.size() * sizeof(float));
  return floats;
}

// A network that is run again and again, with its states carried along.
class RunningNetwork {
 public:
  explicit RunningNetwork(Network network) : network_(std::move(network)) {
    absl::StatusOr<std::shared_ptr<const PreparedGraph>> graph =
        PreparedGraph::Create(network_.model);
    EXPECT_TRUE(graph.ok()) << graph.status();
    if (graph.ok()) graph_ = *graph;
    Reset();
  }

  void Reset() {
    states_.clear();
    for (const NetworkState& state : network_.states) {
      const auto& operand = network_.model.operands[network_.model.inputIndexes[state.input]];
      states_[state.input] = Bytes(*hal::nonExtensionOperandSizeOfData(operand));
    }
  }

  // The first output for the first input.
  Bytes Run(const Bytes& input) {
    std::vector<InputArgument> arguments(network_.model.inputIndexes.size());
    arguments[0].SetElements(input);
    for (const auto& [index, bytes] : states_) arguments[index].SetElements(bytes);
    const absl::StatusOr<std::vector<OutputValue>> outputs =
        graph_->Execute(NumberSystem::kFloat, arguments);
    EXPECT_TRUE(outputs.ok()) << outputs.status();
    if (!outputs.ok()) return {};
    for (const NetworkState& state : network_.states) {
      states_[state.input] = BytesOf((*outputs)[state.output]);
    }
    return BytesOf(outputs->front());
  }

 private:
  static Bytes BytesOf(const OutputValue& value) {
    return {value.bytes().begin(), value.bytes().end()};
  }

  Network network_;
  std::shared_ptr<const PreparedGraph> graph_;
  std::map<uint32_t, Bytes> states_;
};

class AndroidNetworksTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* const folder = std::getenv("NNCERT_MLTS_DATA");
    if (folder == nullptr) GTEST_SKIP() << "NNCERT_MLTS_DATA does not say where MLTS's assets are";
    assets_ = folder;
  }

  Network Import(const std::string& name) const {
    absl::StatusOr<Network> network = ImportTfliteFile(assets_ / (name + ".tflite"));
    EXPECT_TRUE(network.ok()) << network.status();
    return network.ok() ? *network : Network();
  }

  fs::path assets_;
};

TEST_F(AndroidNetworksTest, EveryFileCanBeImported) {
  std::vector<fs::path> folders = {assets_};
  if (const char* const further = std::getenv("NNCERT_NETWORKS")) folders.emplace_back(further);
  size_t files = 0;
  for (const fs::path& folder : folders) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.path().extension() != ".tflite") continue;
      ++files;
      const absl::StatusOr<Network> network = ImportTfliteFile(entry.path());
      ASSERT_TRUE(network.ok()) << network.status();
      EXPECT_TRUE(ValidateModel(network->model).ok());
      std::cout << network->name << ": " << network->model.operations.size() << " operations, "
                << network->states.size() << " states\n";
      for (const NetworkVariant variant : AllNetworkVariants()) {
        const absl::StatusOr<Network> derived = DeriveVariant(*network, variant);
        std::cout << "  " << (derived.ok() ? derived->name : derived.status().ToString()) << '\n';
        // Of floats there are no quantized weights.
        if (variant != NetworkVariant::kPerChannel) {
          EXPECT_TRUE(derived.ok()) << derived.status();
        }
      }
    }
  }
  EXPECT_GT(files, 0U);
}

// A network of MLTS and its goldens: FOLDER/PHOTO_SIZE.input and FOLDER/PHOTO_OUTPUT.output.
struct Golden {
  std::string network;
  std::string size;
  std::string output;
};

// How two tensors of bytes differ.
struct ByteDifferences {
  size_t count = 0;
  size_t exact = 0;
  int greatest = 0;

  void Add(int actual, int expected) {
    const int difference = std::abs(actual - expected);
    ++count;
    exact += difference == 0 ? 1 : 0;
    greatest = std::max(greatest, difference);
  }
};

std::ostream& operator<<(std::ostream& stream, const ByteDifferences& differences) {
  return stream << differences.exact << " of " << differences.count
                << " bytes exact, greatest difference " << differences.greatest;
}

// The constants of a network, and its first input.
IntegersByOperand KnownValues(const Network& network, const Bytes& input) {
  IntegersByOperand values;
  const hal::V1_2::Model& model = network.model;
  const absl::StatusOr<ModelOperands> operands = OperandsOf(model);
  EXPECT_TRUE(operands.ok()) << operands.status();
  for (uint32_t i = 0; i < model.operands.size(); ++i) {
    if (!hal::isConstant(model.operands[i].lifetime)) continue;
    const auto* first = reinterpret_cast<const uint8_t*>(operands->constants[i]);
    const std::vector<double> numbers =
        NumbersOf(model.operands[i].type, {first, model.operands[i].location.length});
    values[i].assign(numbers.begin(), numbers.end());
  }
  values[model.inputIndexes[0]].assign(input.begin(), input.end());
  return values;
}

// The values of all operands by fixed-point arithmetic, but for that of a SOFTMAX at the end.
IntegersByOperand InFixedPoint(const Network& network, const Bytes& input) {
  IntegersByOperand values = KnownValues(network, input);
  for (size_t i = 0; i < network.model.operations.size(); ++i) {
    const auto& operation = network.model.operations[i];
    if (ExecuteInFixedPoint(network, i, values)) continue;
    EXPECT_EQ(operation.type, hal::V1_2::OperationType::SOFTMAX);
    const std::vector<int32_t>& logits = values.at(operation.inputs[0]);
    const double scale = network.model.operands[operation.inputs[0]].scale;
    const int32_t greatest = *std::max_element(logits.begin(), logits.end());
    double sum = 0;
    for (const int32_t logit : logits) sum += std::exp(scale * (logit - greatest));
    for (const int32_t logit : logits) {
      const double share = std::exp(scale * (logit - greatest)) / sum;
      values[operation.outputs[0]].push_back(
          std::min(static_cast<int32_t>(std::lround(256 * share)), 255));
    }
  }
  return values;
}

// How the reference's result of each operation differs from fixed-point arithmetic on the same
// inputs.
ByteDifferences DifferencesByOperation(const Network& network, const IntegersByOperand& values) {
  const std::vector<uint32_t> temporaries = TemporariesOf(network.model);
  const auto graph = PreparedGraph::Create(WithExposed(network.model, temporaries));
  EXPECT_TRUE(graph.ok()) << graph.status();
  std::map<uint32_t, Bytes> bytes;
  std::map<uint32_t, InputArgument> read_instead;
  const auto argument = [&](uint32_t operand) {
    bytes[operand].assign(values.at(operand).begin(), values.at(operand).end());
    return ArgumentOf(network.model.operands[operand].dimensions, bytes[operand]);
  };
  for (const uint32_t operand : temporaries) read_instead[operand] = argument(operand);
  const auto outputs =
      (*graph)->Execute(NumberSystem::kDouble, {argument(network.model.inputIndexes[0])}, {},
                        {.read_instead = &read_instead});
  EXPECT_TRUE(outputs.ok()) << outputs.status();
  ByteDifferences differences;
  for (size_t i = 0; i < temporaries.size(); ++i) {
    const absl::Span<const double> actual = (*outputs)[i + 1].doubles();
    for (size_t k = 0; k < actual.size(); ++k) {
      differences.Add(static_cast<int>(actual[k]), values.at(temporaries[i])[k]);
    }
  }
  return differences;
}

// The goldens were made by fixed-point arithmetic, which the imported networks give to the last
// byte. The reference rounds once, so that some of its bytes are one step off after every
// operation, and what later operations make of that is no property of the importer.
TEST_F(AndroidNetworksTest, QuantizedNetworksGiveTheGoldenBytes) {
  const std::vector<Golden> goldens = {{"mobilenet_v1_0.25_128_quant", "128", "0.25_128"},
                                       {"mobilenet_v1_0.5_160_quant", "160", "0.5_160"},
                                       {"mobilenet_v1_0.75_192_quant", "192", "0.75_192"},
                                       {"mobilenet_v2_1.0_224_quant", "224", "v2_1.0_224"}};
  for (const Golden& golden : goldens) {
    const Network network = Import(golden.network);
    ASSERT_FALSE(network.model.operations.empty());
    RunningNetwork running(network);
    for (const std::string photo : {"cup", "banana"}) {
      const fs::path folder = assets_ / "mobilenet_quantized";
      const Bytes expected = ReadAll(folder / (photo + "_" + golden.output + ".output"));
      const Bytes input = ReadAll(folder / (photo + "_" + golden.size + ".input"));
      const IntegersByOperand values = InFixedPoint(network, input);
      const std::vector<int32_t>& fixed = values.at(network.model.outputIndexes[0]);
      const Bytes actual = running.Run(input);
      ASSERT_EQ(actual.size(), expected.size());
      ASSERT_EQ(fixed.size(), expected.size());
      ByteDifferences of_fixed;
      ByteDifferences of_reference;
      for (size_t i = 0; i < expected.size(); ++i) {
        of_fixed.Add(fixed[i], expected[i]);
        of_reference.Add(actual[i], expected[i]);
      }
      const ByteDifferences by_operation = DifferencesByOperation(network, values);
      std::cout << golden.network << ", " << photo << ":\n  in fixed point: " << of_fixed
                << "\n  the reference: " << of_reference
                << "\n  the reference by operation: " << by_operation << '\n';
      // That of SOFTMAX, which is not computed in fixed point here.
      EXPECT_LE(of_fixed.greatest, 1);
      EXPECT_LE(by_operation.greatest, 1);
      EXPECT_EQ(std::max_element(actual.begin(), actual.end()) - actual.begin(),
                std::max_element(expected.begin(), expected.end()) - expected.begin());
    }
  }
}

double GreatestDifference(const Bytes& actual, const Bytes& expected) {
  const std::vector<float> a = FloatsOf(actual);
  const std::vector<float> b = FloatsOf(expected);
  if (a.size() != b.size() || a.empty()) return INFINITY;
  double greatest = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    const double difference = std::abs(static_cast<double>(a[i]) - b[i]);
    // A NaN is as wrong as anything.
    greatest = difference <= greatest ? greatest : (difference > greatest ? difference : INFINITY);
  }
  return greatest;
}

TEST_F(AndroidNetworksTest, FloatNetworkGivesTheGoldenNumbers) {
  RunningNetwork network(Import("mobilenet_v1_0.25_128"));
  for (const std::string photo : {"cup", "banana"}) {
    const fs::path folder = assets_ / "mobilenet_float";
    const double greatest =
        GreatestDifference(network.Run(ReadAll(folder / (photo + "_128.input"))),
                           ReadAll(folder / (photo + "_0.25_128.output")));
    std::cout << "mobilenet_v1_0.25_128, " << photo << ": greatest difference " << greatest << '\n';
    EXPECT_LE(greatest, 1e-5);
  }
}

TEST_F(AndroidNetworksTest, SpeechNetworkGivesTheGoldenUtterances) {
  constexpr size_t kInputBytes = 334 * sizeof(float);
  constexpr size_t kOutputBytes = 196 * sizeof(float);
  RunningNetwork network(Import("tts_float"));
  size_t utterances = 0;
  size_t steps = 0;
  double greatest = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(assets_ / "tts_float")) {
    if (entry.path().extension() != ".input") continue;
    ++utterances;
    const Bytes inputs = ReadAll(entry.path());
    const Bytes expected = ReadAll(fs::path(entry.path()).replace_extension(".output"));
    ASSERT_EQ(inputs.size() / kInputBytes, expected.size() / kOutputBytes);
    network.Reset();
    for (size_t i = 0; i < inputs.size() / kInputBytes; ++i, ++steps) {
      const auto input = inputs.begin() + static_cast<std::ptrdiff_t>(i * kInputBytes);
      const auto output = expected.begin() + static_cast<std::ptrdiff_t>(i * kOutputBytes);
      greatest = std::max(greatest, GreatestDifference(network.Run({input, input + kInputBytes}),
                                                       {output, output + kOutputBytes}));
    }
  }
  std::cout << utterances << " utterances, " << steps << " steps, greatest difference " << greatest
            << '\n';
  EXPECT_GT(utterances, 0U);
  EXPECT_LE(greatest, 1e-5);
}

}  // namespace
}  // namespace nncert
