// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The table that the benchmarks end with.

#ifndef NNCERT_REFERENCE_BENCHMARKS_REPORT_H_
#define NNCERT_REFERENCE_BENCHMARKS_REPORT_H_

#include <benchmark/benchmark.h>

#include <map>
#include <ostream>
#include <string>
#include <vector>

namespace nncert::benchmarks {

/// One line of the table: what is computed, and how much of it there is.
struct Row {
  std::string name;
  /// The peer that our backends are held against, one of the backends measured.
  std::string peer = {};
  /// Additions and multiplications, and bytes that have to be moved, in one execution; 0 where only
  /// the time counts.
  double flops = 0;
  double bytes = 0;
  /// The time that this machine's peaks allow for no less, in seconds; 0 where none is known.
  double least_seconds = 0;
  /// The time of Android's CPU executor over that of the peer, both measured in one thread of
  /// another machine; 0 where it is not known.
  double android_ratio = 0;
  /// How far our output is from the peer's, for the reader.
  std::string difference = {};
};

/// Collects the least time of each benchmark, "row/backend", and prints how it gets on.
class TimeCollector : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context& context) override;
  void ReportRuns(const std::vector<Run>& runs) override;

  /// Seconds for one execution, of processor time or as the benchmark says; 0 when it was not
  /// measured.
  double SecondsOf(const std::string& row, const std::string& backend) const;
  /// The errors of benchmarks, a line each.
  const std::vector<std::string>& errors() const { return errors_; }

 private:
  std::map<std::string, double> seconds_;
  std::vector<std::string> errors_;
};

/// Prints the table: times of the backend "float" (or "quant8": whichever the row has, called
/// "nncert"), of the peer, their ratio (below 1 is faster than the peer), that of Android's
/// executor, rates, the share of the machine's peak, and how much longer "double" and "ball" take
/// than our fast backend. A line below says on which rows our ratio is better than Android's.
void PrintTable(const std::vector<Row>& rows, const TimeCollector& times, std::ostream& out);

}  // namespace nncert::benchmarks

#endif  // NNCERT_REFERENCE_BENCHMARKS_REPORT_H_
