// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Runs the random graphs that drivers are certified by, a few hundred as a GoogleTest test:
// RandomGraphs.seed_1_graphs_0_to_639.
//
//     random_graph_test_main --driver=PATH
//
// See driver_of_test.h for the driver. What fails is made small.

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/flags/parse.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "certifying/driver_of_test.h"
#include "gtest/gtest.h"
#include "random_graph/campaign.h"
#include "random_graph/campaign_report.h"
#include "random_graph/campaign_run.h"
#include "random_graph/graph_plan.h"

namespace nncert {
namespace {

// Some graphs, one after the other.
class RandomGraphTest : public ::testing::Test {
 public:
  RandomGraphTest(DriverOfTest& driver, uint64_t first, uint64_t count)
      : driver_(driver), first_(first), count_(count) {}

  void TestBody() override {
    CampaignOptions options;
    options.seed = kCertificationSeed;
    options.version = driver_.version;
    options.first = first_;
    options.graphs = count_;
    options.run.dump_directory = driver_.dump_directory;
    options.journal = driver_.journal.get();
    const absl::StatusOr<CampaignResult> result =
        RunCampaign(absl::MakeConstSpan(&driver_.worker, 1), options);
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_FALSE(result->Failed(/*is_strict=*/false)) << Summarize(*result);
    ASSERT_EQ(result->graphs, count_);
    const auto unsupported = result->counts.find(Verdict::UNSUPPORTED);
    if (unsupported != result->counts.end() && unsupported->second == count_) {
      GTEST_SKIP() << "UNSUPPORTED: the driver runs none of these graphs";
    }
  }

 private:
  DriverOfTest& driver_;
  const uint64_t first_;
  const uint64_t count_;
};

void RegisterTests(DriverOfTest& driver) {
  // At least a round of graphs, and no span of them in two tests.
  const uint64_t round = GraphPlan(kCertificationSeed, driver.version).round();
  const uint64_t graphs_of_test = (round + kGraphSpan - 1) / kGraphSpan * kGraphSpan;
  const uint64_t graphs = CertificationGraphs(driver.version);
  for (uint64_t first = 0; first < graphs; first += graphs_of_test) {
    const uint64_t count = std::min(graphs_of_test, graphs - first);
    const std::string name =
        absl::StrCat("seed_", kCertificationSeed, "_graphs_", first, "_to_", first + count - 1);
    ::testing::RegisterTest("RandomGraphs", name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                            [&driver, first, count]() -> ::testing::Test* {
                              return new RandomGraphTest(driver, first, count);
                            });
  }
}

int Main(int argument_count, char** arguments) {
  ::testing::InitGoogleTest(&argument_count, arguments);
  absl::ParseCommandLine(argument_count, arguments);
  absl::StatusOr<DriverOfTest> driver = OpenDriverOfTest(/*needs_processors=*/false);
  if (!driver.ok()) {
    std::cerr << "random_graph_test_main: " << driver.status().message() << std::endl;
    return 1;
  }
  if (absl::Status kept = KeepResults(ListGraphs(driver->version), *driver); !kept.ok()) {
    std::cerr << "random_graph_test_main: " << kept.message() << std::endl;
    return 1;
  }
  RegisterTests(*driver);
  return RunTestsOn(*driver);
}

}  // namespace
}  // namespace nncert

int main(int argument_count, char** arguments) { return nncert::Main(argument_count, arguments); }
