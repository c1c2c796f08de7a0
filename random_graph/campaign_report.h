// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What came of a campaign, for engineers and for other programs.

#ifndef NNCERT_RANDOM_GRAPH_CAMPAIGN_REPORT_H_
#define NNCERT_RANDOM_GRAPH_CAMPAIGN_REPORT_H_

#include <string>

#include "random_graph/campaign.h"

namespace nncert {

/// "1200 graphs in 3.1 s, 390 a second: 1190 PASS, 10 FAIL; 2 kinds of failures".
std::string DescribeProgress(const CampaignResult& result);

/// That line; each kind of failure with its smallest case, how often it was seen, when, and how to
/// see it again; and the findings. Lines end with newlines.
std::string Summarize(const CampaignResult& result);

/// {"graphs", "counts": {VERDICT: n}, "failures": [{"operation", "type", "verdict", "count",
/// "case", "detail", "operations", "foundAfterSeconds", "reductionSeconds"}], "findings": [...]},
/// indented; "case" is the file that the smallest case was dumped to, or else the name of the
/// graph. Where a campaign did not come to its end, "lost" or "interrupted" says so.
std::string CampaignToJson(const CampaignResult& result);

}  // namespace nncert

#endif  // NNCERT_RANDOM_GRAPH_CAMPAIGN_REPORT_H_
