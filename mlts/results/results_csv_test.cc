// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/results/results_csv.h"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "mlts/results/testing/sample_results.h"

namespace nncert {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;

using Record = std::vector<std::string>;

// A reader of RFC 4180 that knows nothing of the writer. An empty result says that it is not that.
std::vector<Record> Parse(const std::string& csv) {
  std::vector<Record> records;
  Record record;
  size_t i = 0;
  while (i < csv.size()) {
    std::string field;
    if (csv[i] == '"') {
      for (++i; i < csv.size(); ++i) {
        if (csv[i] != '"') {
          field += csv[i];
        } else if (csv.compare(i, 2, "\"\"") == 0) {
          field += csv[i++];
        } else {
          break;
        }
      }
      if (i++ == csv.size()) return {};
    } else {
      for (; i < csv.size() && csv[i] != ',' && csv[i] != '\r' && csv[i] != '\n'; ++i) {
        if (csv[i] == '"') return {};
        field += csv[i];
      }
    }
    record.push_back(field);
    if (csv.compare(i, 2, "\r\n") == 0) {
      records.push_back(record);
      record.clear();
      i += 2;
    } else if (i < csv.size() && csv[i] == ',') {
      ++i;
    } else {
      return {};
    }
  }
  return record.empty() ? records : std::vector<Record>();
}

TEST(ResultsCsvTest, BeginsWithTheNamesOfItsColumns) {
  const std::vector<Record> records = Parse(MltsResultsToCsv(SampleResults()));
  ASSERT_FALSE(records.empty());
  EXPECT_THAT(records[0],
              ElementsAre("section", "benchmark", "driver", "baseline", "executor", "threads",
                          "item", "figure", "value", "low", "high", "unit", "text"));
  for (const Record& record : records) EXPECT_EQ(record.size(), records[0].size());
}

TEST(ResultsCsvTest, HasARowForEachFigure) {
  const std::vector<Record> records = Parse(MltsResultsToCsv(SampleResults()));
  EXPECT_THAT(records, Contains(Record{"claim", "", "acme_npu", "", "", "", "TENSOR_FLOAT32",
                                       "measured", "0.871", "0.853", "0.89", "", ""}));
  EXPECT_THAT(records, Contains(Record{"accuracy", "mobilenet_v1_0.5_160_quant", "acme_npu", "", "",
                                       "", "", "off by 4 or more", "6", "", "", "", ""}));
  EXPECT_THAT(records, Contains(Record{"check", "mobilenet_v1_0.5_160_quant", "acme_npu", "", "",
                                       "", "golden outputs", "outcome", "", "", "", "", "FAIL"}));
  EXPECT_THAT(records, Contains(Record{"benchmark", "deeplabv3_mnv2_ade20k_uint8", "acme_npu", "",
                                       "", "", "", "status", "", "", "", "", "FAILED"}));
  std::map<std::string, int> sections;
  for (const Record& record : records) ++sections[record[0]];
  const MltsResults sample = SampleResults();
  size_t layers = 0;
  for (const BenchmarkResult& benchmark : sample.benchmarks) layers += benchmark.layers.size();
  EXPECT_EQ(sections["layer"], 3 * static_cast<int>(layers));
  EXPECT_EQ(sections["problem"], 2);
  // Three drivers, three ways of executing, and two more clocks for the driver alone: 10 figures of
  // the wall clock with the first inference, 9 of the others; and what a call takes; in five.
  EXPECT_EQ(sections["latency"], 5 * (9 * 10 + 3 * 2 * 9 + 1));
}

TEST(ResultsCsvTest, HostileStringsStayInTheirFields) {
  const MltsResults hostile = HostileResults();
  const std::vector<Record> records = Parse(MltsResultsToCsv(hostile));
  ASSERT_FALSE(records.empty());
  for (const Record& record : records) {
    ASSERT_EQ(record.size(), records[0].size());
    for (const std::string& field : record) {
      EXPECT_FALSE(field.starts_with("=") || field.starts_with("@")) << field;
    }
  }
  EXPECT_EQ(records[3][7], "device type");
  EXPECT_EQ(records[3][12], "'" + hostile.device_type);
  EXPECT_THAT(records, Contains(Record{"run", "", hostile.driver, "", "", "", "", "duration", "",
                                       "", "", "s", "not a number"}));
}

}  // namespace
}  // namespace nncert
