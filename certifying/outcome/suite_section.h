// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What a suite came to whose tests are not cases of specs, as a section of a report.

#ifndef NNCERT_CERTIFYING_OUTCOME_SUITE_SECTION_H_
#define NNCERT_CERTIFYING_OUTCOME_SUITE_SECTION_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "harness/records/case_result.h"
#include "harness/records/verdict.h"

namespace nncert {

/// The failures of one kind.
struct SectionFailure {
  /// The first of them.
  CaseResult first;
  /// How many tests fail so.
  uint64_t tests = 1;
};

/// What a test came to.
struct TestVerdict {
  /// Its full name, "Basic.StatusTest".
  std::string name;
  /// MISSING where it has no result.
  Verdict verdict = Verdict::MISSING;
};

/// A section. Everything is in the words of the suite.
struct SuiteSection {
  /// What --suites and the list of suites in a report call it, "random_graphs".
  std::string name;
  /// What JUnit calls the suite, "RandomGraphs", and what the report's member in JSON is called,
  /// "randomGraphs".
  std::string suite;
  std::string member;
  /// What a test is called, for people, and several: "random graph", "random graphs".
  std::string test;
  std::string tests;
  /// The value of the member, an object; its lines are indented as if it stood alone.
  std::string json;
  /// What an engineer reads: lines with newlines.
  std::string summary;
  /// How many tests came to each verdict.
  std::map<Verdict, uint64_t> counts;
  /// What each came to, in the order of the suite; none where tests have no names.
  std::vector<TestVerdict> results = {};
  /// How many tests were to be run, how many were, and how many of these failed.
  uint64_t planned = 0;
  uint64_t run = 0;
  uint64_t failed = 0;
  /// One failure of each kind.
  std::vector<SectionFailure> failures;
  /// How long it took.
  absl::Duration duration;
};

/// "3 of 22016 random graphs failed"; empty when none did.
std::string DescribeFailures(const SuiteSection& section);

/// "5 of 22016 random graphs were not run"; empty when all were.
std::string DescribeUnfinished(const SuiteSection& section);

/// The member of a report's object, two spaces deep, with a comma and a newline behind it.
std::string SectionToJson(const SuiteSection& section);

/// How many testcases the section has in JUnit's XML: one for all tests together, which is an error
/// when some were not run, and one for each kind of failure.
size_t JUnitTests(const SuiteSection& section);

/// The section as a <testsuite> of JUnit's XML.
std::string SectionToJUnitXml(const SuiteSection& section);

}  // namespace nncert

#endif  // NNCERT_CERTIFYING_OUTCOME_SUITE_SECTION_H_
