// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What devices do wrong, or not at all wrong, by what it is called.

#ifndef NNCERT_HARNESS_TESTING_KINDS_OF_LIES_H_
#define NNCERT_HARNESS_TESTING_KINDS_OF_LIES_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/case_runner.h"
#include "harness/testing/fake_device.h"

namespace nncert {

/// What one does that a deadline is waited for, and what no burst of ours would survive.
inline constexpr char kKeepsCallback[] = "keeps the callback of an execution";
inline constexpr char kThrowsInExecution[] = "throws in an execution";

/// Makes what a device tells; some keep what they are given for as long as the device exists.
using MakeLies = std::function<Lies()>;

/// Honest and wrong answers, refusals, broken promises, callbacks that come twice, or not.
std::map<std::string, MakeLies> KindsOfLies();

/// Their names, and one of them as part of the name of a test.
std::vector<std::string> NamesOfLies();
std::string AsTestName(std::string kind);

/// All executions in one way: asynchronously (0), synchronously (1) or by a burst (2); nothing for
/// all ways, one after the other.
RunOptions InWay(std::optional<uint64_t> way, bool at_once);

}  // namespace nncert

#endif  // NNCERT_HARNESS_TESTING_KINDS_OF_LIES_H_
