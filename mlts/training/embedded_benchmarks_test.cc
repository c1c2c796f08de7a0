// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The networks that the build has trained, on data that they have never seen. Training may come out
// somewhat differently on another processor: what is asserted are bands.

#include "mlts/training/embedded_benchmarks.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/testing/status_is.h"
#include "mlts/training/testing/network_runner.h"
#include "reference/execution/model_validation.h"
#include "reference/tensor.h"

namespace nncert {
namespace {

using hal::HalVersion;
using hal::testing::StatusIs;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Le;
using ::testing::SizeIs;

const std::vector<Benchmark>& Benchmarks() {
  static const auto* const kBenchmarks = [] {
    absl::StatusOr<std::vector<Benchmark>> benchmarks = EmbeddedBenchmarks();
    EXPECT_TRUE(benchmarks.ok()) << benchmarks.status();
    return new std::vector<Benchmark>(benchmarks.ok() ? *std::move(benchmarks)
                                                      : std::vector<Benchmark>());
  }();
  return *kBenchmarks;
}

// What a network finds in each sequence of its data, and what there is.
struct Findings {
  std::vector<uint32_t> found;
  std::vector<uint32_t> labels;
  size_t classes = 0;

  double accuracy() const {
    double right = 0;
    for (size_t i = 0; i < found.size(); ++i) right += found[i] == labels[i] ? 1 : 0;
    return right / static_cast<double>(found.size());
  }
  // Of the sequences of a class, the share in which it is found.
  double accuracy_on(uint32_t label) const {
    double right = 0;
    for (size_t i = 0; i < found.size(); ++i) {
      right += found[i] == label && labels[i] == label ? 1 : 0;
    }
    return right / static_cast<double>(std::count(labels.begin(), labels.end(), label));
  }
};

Findings FindingsOf(const Benchmark& benchmark) {
  Findings findings;
  const absl::StatusOr<NetworkRunner> runner = NetworkRunner::Create(benchmark.network);
  EXPECT_TRUE(runner.ok()) << runner.status();
  for (size_t i = 0; runner.ok() && i < benchmark.data->size(); ++i) {
    const absl::StatusOr<Sequence> sequence = benchmark.data->Read(i);
    EXPECT_TRUE(sequence.ok()) << sequence.status();
    const auto results = runner->Run(*sequence);
    EXPECT_TRUE(results.ok()) << results.status();
    const std::vector<double>& last = results->back();
    const auto greatest = std::max_element(last.begin(), last.end());
    findings.found.push_back(static_cast<uint32_t>(greatest - last.begin()));
    findings.labels.push_back(sequence->label.value());
    findings.classes = last.size();
  }
  return findings;
}

// Those of each benchmark by name, which take a while.
const std::map<std::string, Findings>& AllFindings() {
  static const auto* const kFindings = [] {
    auto* const all = new std::map<std::string, Findings>();
    for (const Benchmark& benchmark : Benchmarks()) {
      const Findings& findings = (*all)[benchmark.name] = FindingsOf(benchmark);
      std::cout << benchmark.name << ": top-1 " << findings.accuracy() << " of "
                << findings.found.size() << "\n";
    }
    return all;
  }();
  return *kFindings;
}

TEST(EmbeddedBenchmarksTest, names_are_known) {
  std::vector<std::string> names;
  for (const Benchmark& benchmark : Benchmarks()) {
    names.push_back(benchmark.name);
    EXPECT_EQ(benchmark.network.name, benchmark.name);
    EXPECT_EQ(benchmark.evaluator, Evaluator::TOP_K);
    EXPECT_THAT(benchmark.file, IsEmpty());
  }
  EXPECT_THAT(names, ElementsAre("shapes_float", "shapes_relaxed", "shapes_float16",
                                 "shapes_quant8", "shapes_per_channel", "tones_lstm"));
}

TEST(EmbeddedBenchmarksTest, networks_are_valid_models_of_the_versions_that_they_say) {
  const std::map<std::string, HalVersion> versions = {
      {"shapes_float", HalVersion::V1_0},       {"shapes_relaxed", HalVersion::V1_1},
      {"shapes_float16", HalVersion::V1_2},     {"shapes_quant8", HalVersion::V1_0},
      {"shapes_per_channel", HalVersion::V1_2}, {"tones_lstm", HalVersion::V1_0}};
  for (const Benchmark& benchmark : Benchmarks()) {
    const HalVersion version = versions.at(benchmark.name);
    const absl::Status status = ValidateModel(benchmark.network.model, version);
    EXPECT_TRUE(status.ok()) << benchmark.name << ": " << status;
    EXPECT_TRUE(IsCompliantWith(benchmark.network.model, version)) << benchmark.name;
  }
}

TEST(EmbeddedBenchmarksTest, data_fit_the_networks) {
  for (const Benchmark& benchmark : Benchmarks()) {
    const Network& network = benchmark.network;
    EXPECT_THAT(network.inputNames, SizeIs(network.model.inputIndexes.size()));
    EXPECT_THAT(network.outputNames, SizeIs(network.model.outputIndexes.size()));
    const hal::V1_2::Operand& input = network.model.operands[network.model.inputIndexes[0]];
    const size_t size =
        NumberOfElements(input.dimensions) * NativeElementSize(ElementKindOf(input.type));
    for (size_t i = 0; i < benchmark.data->size(); i += 17) {
      const absl::StatusOr<Sequence> sequence = benchmark.data->Read(i);
      ASSERT_TRUE(sequence.ok()) << sequence.status();
      EXPECT_THAT(sequence->inputs, SizeIs(benchmark.name == "tones_lstm" ? 24 : 1));
      EXPECT_THAT(sequence->inputs, Each(ElementsAre(SizeIs(size)))) << benchmark.name;
      EXPECT_THAT(sequence->golden_outputs, IsEmpty());
    }
  }
}

TEST(EmbeddedBenchmarksTest, data_have_as_many_sequences_of_each_class_and_an_end) {
  for (const Benchmark& benchmark : Benchmarks()) {
    std::map<uint32_t, size_t> counts;
    std::set<std::string> names;
    const size_t size = benchmark.data->size();
    for (size_t i = 0; i < size; ++i) {
      const absl::StatusOr<Sequence> sequence = benchmark.data->Read(i);
      ASSERT_TRUE(sequence.ok()) << sequence.status();
      ++counts[sequence->label.value()];
      names.insert(sequence->name);
    }
    EXPECT_THAT(names, SizeIs(size)) << benchmark.name;
    for (const auto& [label, count] : counts) {
      EXPECT_EQ(count, size / counts.size()) << benchmark.name << ", label " << label;
    }
    EXPECT_THAT(benchmark.data->Read(size),
                StatusIs(absl::StatusCode::kOutOfRange, HasSubstr("there is no sequence")));
  }
}

// A classifier that always says the same, or says it in another order, is right one time in eight;
// one that is always right would not tell a driver that loses some accuracy from one that does not.
TEST(EmbeddedBenchmarksTest, accuracy_on_held_out_data_is_high_and_not_perfect) {
  for (const auto& [name, findings] : AllFindings()) {
    EXPECT_THAT(findings.accuracy(), AllOf(Ge(0.8), Le(0.985))) << name;
    for (uint32_t label = 0; label < findings.classes; ++label) {
      EXPECT_GE(findings.accuracy_on(label), 0.3) << name << ", label " << label;
    }
  }
}

TEST(EmbeddedBenchmarksTest, forms_of_a_network_are_about_as_accurate_as_it) {
  const Findings& in_float = AllFindings().at("shapes_float");
  // By how many points accuracy may differ, and how many sequences of 500 may be found to be
  // something else.
  struct Limit {
    const char* name;
    double points;
    int changed;
  };
  for (const Limit& limit :
       {Limit{"shapes_relaxed", 0.01, 10}, Limit{"shapes_float16", 0.01, 10},
        Limit{"shapes_quant8", 0.04, 60}, Limit{"shapes_per_channel", 0.03, 40}}) {
    const Findings& findings = AllFindings().at(limit.name);
    EXPECT_NEAR(findings.accuracy(), in_float.accuracy(), limit.points) << limit.name;
    int changed = 0;
    for (size_t i = 0; i < findings.found.size(); ++i) {
      changed += findings.found[i] == in_float.found[i] ? 0 : 1;
    }
    std::cout << limit.name << ": " << changed << " changed\n";
    EXPECT_LE(changed, limit.changed) << limit.name;
  }
}

}  // namespace
}  // namespace nncert
