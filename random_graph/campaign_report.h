// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What came of a campaign, for engineers and for other programs.

#ifndef NNCERT_RANDOM_GRAPH_CAMPAIGN_REPORT_H_
#define NNCERT_RANDOM_GRAPH_CAMPAIGN_REPORT_H_

#include <cstdint>
#include <string>

#include "certifying/outcome/suite_section.h"
#include "random_graph/campaign.h"

namespace nncert {

/// What reports call the member of a section of random graphs, and its tests (SuiteSection).
inline constexpr char kGraphsMember[] = "randomGraphs";
inline constexpr char kGraphsWord[] = "random graphs";

/// "1200 graphs in 3.1 s, 390 a second: 1190 PASS, 10 FAIL; 2 kinds of failures (10 graphs)", and
/// the coverage.
std::string DescribeProgress(const CampaignResult& result);

/// The findings; each kind of failure with its smallest case, how often it was seen, when, and how
/// to see it again; and that line. Lines end with newlines.
std::string Summarize(const CampaignResult& result);

/// {"graphs", "counts": {VERDICT: n}, "hostileCounts": {VERDICT: n}, "open": [{"operation", "type",
/// "operations", "counts", "hostileCounts"}], "failures": [{"operation", "type", "verdict",
/// "count", "case", "detail", "operations", "foundAfterSeconds", "reductionSeconds"}], "findings":
/// [...]}, indented. "open" is CampaignResult::open, "operations" there how many operations of that
/// name and type all graphs have; "case" is the file that the smallest case was dumped to, or else
/// the name of the graph. A failure of hostile elements has their class,
/// "elements"; "against" is what another driver made of the case. "leftOut" is there when
/// TypesThatCannotBeChosen names some, "corpusCounts" when there is a corpus. Without `has_times`
/// the seconds are not there. Where a campaign did not come to its end, "lost" or "interrupted"
/// says so.
std::string CampaignToJson(const CampaignResult& result, bool has_times = true);

/// The campaign as a section of a report, which was to run `planned` graphs. Findings are the
/// report's; failures are those that count (GraphFailure::Counts).
SuiteSection SectionOf(const CampaignResult& result, uint64_t seed, uint64_t planned,
                       bool is_strict);

}  // namespace nncert

#endif  // NNCERT_RANDOM_GRAPH_CAMPAIGN_REPORT_H_
