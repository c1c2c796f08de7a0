// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Each check finds what it is there for: for every one there is a rule of the faulty driver that
// breaks exactly that, which fails this check and no other.

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_join.h"
#include "drivers/faulty/faulty_driver.h"
#include "drivers/faulty/rules/rule.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal_tests/check.h"
#include "hal_tests/suite_run.h"
#include "hal_tests/testing/witness_cases.h"
#include "harness/case_worker.h"
#include "harness/isolation/driver_session.h"
#include "harness/testing/quiet_watch.h"
#include "reference/driver/driver.h"
#include "system/processor.h"

namespace nncert {
namespace {

using ::testing::HasSubstr;

constexpr char kBasic[] = "basic";
constexpr char kBursts[] = "validate_burst";
constexpr char kExtensions[] = "extensions";
constexpr char kModels[] = "validate_model";
constexpr char kRequests[] = "validate_request";
constexpr char kShapes[] = "output_shapes";
constexpr char kTiming[] = "timing";
constexpr char kPreferences[] = "preferences";
constexpr char kMemory[] = "memory";
constexpr char kDeterminism[] = "determinism";
constexpr char kCaching[] = "caching";
constexpr char kConcurrency[] = "concurrency";
constexpr char kLifecycle[] = "lifecycle";

struct Row {
  const char* suite;
  std::string_view check;
  const char* rule;
  // Part of what the first failure says was wrong with the mutant.
  const char* message;
  // Other suites that meet the fault as well, since they make calls of all kinds.
  std::array<std::string_view, 3> also = {};
};

void PrintTo(const Row& row, std::ostream* stream) { *stream << row.check; }

constexpr Row kRows[] = {
    {kBasic,
     "StatusTest",
     "status_busy_later",
     "getStatus gave BUSY; expected AVAILABLE",
     {kConcurrency, kLifecycle}},
    {kBasic, "GetCapabilitiesTest", "performance_zero", "gave float32Performance.execTime = 0"},
    {kBasic, "GetCapabilities_1_1Test", "performance_1_1_negative",
     "gave relaxedFloat32toFloat16Performance.powerUsage = -1"},
    {kBasic, "GetCapabilities_1_2Test", "performance_1_2_infinite",
     "gave relaxedFloat32toFloat16PerformanceTensor.execTime = inf"},
    {kBasic, "OperandPerformanceTest", "operand_performance_zero", "execTime = 0"},
    {kBasic, "OperandPerformanceOrderTest", "operand_performance_unsorted",
     "expected every type once"},
    {kBasic, "GetDeviceVersionStringTest", "version_empty", "gave an empty string"},
    {kBasic, "GetDeviceTypeTest", "type_unknown", "expected OTHER, CPU, GPU or ACCELERATOR"},
    {kBasic, "GetDeviceSupportedExtensionsTest", "extension_name", "fibonacci"},
    {kBasic, "RepeatedCallsTest", "version_changes", "getVersionString gave another answer"},
    {kExtensions, "refuseUnknownOperationTest", "any_extension_operation",
     "expected NONE, not supported"},
    {kExtensions, "refuseOperationOfSameNumberTest", "operation_prefix_ignored",
     "with the number of the HAL's own"},
    {kExtensions, "refuseUnknownOperandTypeTest", "any_extension_operand",
     "an input is of a type of an extension"},
    {kExtensions, "refuseOperandTypeOfSameNumberTest", "operand_prefix_ignored",
     "with the number of the HAL's own"},
    {kExtensions, "ignoreUnusedExtensionTest", "unused_extension_refused",
     "expected what it does without that"},
    {kExtensions, "oemOperationTest", "oem_operation_prepared", "and a prepared model; expected"},
    {kExtensions, "oemOperandTypeTest", "oem_operand_supported", "an input is a TENSOR_OEM_BYTE"},
    {kModels, "mutateOperandTypeTest", "any_operand_type", "expected one of HAL"},
    {kModels, "mutateOperandRankTest", "any_scalar_rank", "the rank of a scalar is 1; expected 0"},
    {kModels, "mutateOperandScaleTest", "any_scale", "the scale is 1; expected 0"},
    {kModels, "mutateOperandZeroPointTest", "any_zero_point", "the zeroPoint is -1; expected 0"},
    {kModels, "mutateOperationOperandTypeTest", "any_type_for_operation", "at HAL"},
    {kModels, "mutateOperationTypeTest", "any_operation_type", "expected one of HAL"},
    {kModels, "mutateOperationInputOperandIndexTest", "any_input_index",
     "the operand index of input 0 is 4; expected less than 4"},
    {kModels, "mutateOperationOutputOperandIndexTest", "any_output_index",
     "the operand index of output 0 is 4; expected less than 4"},
    {kModels, "removeOperandTest", "missing_operand", "has 2 inputs; expected 3"},
    {kModels, "removeOperationTest", "missing_operation", "the model has no operations"},
    {kModels, "removeOperationInputTest", "missing_input", "has 2 inputs; expected 3"},
    {kModels, "removeOperationOutputTest", "missing_output", "no operation writes it"},
    {kModels, "addOperationInputTest", "additional_input", "has 4 inputs; expected 3"},
    {kModels, "addOperationOutputTest", "additional_output", "has 2 outputs; expected 1"},
    {kModels, "mutateExecutionPreferenceTest", "any_preference", "the execution preference is"},
    {kModels, "mutateOperandScaleSpecialTest", "scale_nan", "the scale is nan; expected 0"},
    {kModels, "mutateOperandExtraParamsTest", "any_extra_params",
     "the alternative of extraParams is extension; expected none"},
    {kModels, "mutateConstantRankTest", "constant_of_rank_0",
     "the rank of a constant tensor is unknown; expected at least 1"},
    {kModels, "mutateConstantSizeOverflowTest", "size_in_32_bits", "the length of the constant is"},
    {kModels, "mutateOperandLifeTimeTest", "any_lifetime", "the lifetime is"},
    {kModels, "mutateNumberOfConsumersTest", "any_consumers", "numberOfConsumers is 2; expected 1"},
    {kModels, "mutateOperandLocationTest", "any_location", "operandValues has"},
    {kModels, "mutatePoolTest", "any_pool", "the pool has no file descriptor"},
    {kModels, "mutateModelInputIndexTest", "inputs_twice", "for the second time"},
    {kModels, "mutateModelOutputIndexTest", "outputs_twice", "for the second time"},
    {kModels, "addUnwrittenOperandTest", "unwritten_operand", "no operation writes it"},
    {kModels, "addCycleTest", "cycles", "expected no cycle"},
    {kModels, "mutateExecutionOrderTest", "any_order", "expected operations in execution order"},
    {kModels, "addWriterTest", "two_writers", "expected exactly one writer"},
    {kModels, "removeEverythingTest", "empty_model", "the model has no operands"},
    {kModels, "mutateExtensionPrefixTest", "extension_twice", "has two prefixes"},
    {kModels, "breakConstraintTest", "any_constraint", "does not hold"},
    {kModels, "mutateOutputDimensionsTest", "any_output_dimensions", "the model declares"},
    {kRequests, "removeInputTest", "request_without_input", "the request has 1 inputs; expected 2"},
    {kRequests,
     "removeOutputTest",
     "request_without_output",
     "the request has 0 outputs; expected 1",
     {kLifecycle}},
    {kRequests, "addArgumentTest", "request_with_more", "the request has 3 inputs; expected 2"},
    {kRequests, "mutateArgumentPoolTest", "request_any_pool_index",
     "the poolIndex is 2; expected less than 2"},
    {kRequests, "mutateArgumentLocationTest", "request_any_location", "the location ends at byte"},
    {kRequests, "shortenInputTest", "request_short_input",
     "the length is 15; expected at least 16"},
    {kRequests, "mutateArgumentRankTest", "request_any_rank", "the rank is 3; expected 2"},
    {kRequests, "mutateArgumentDimensionTest", "request_any_dimension",
     "the dimension 0 is 3; expected 2 as in the model"},
    {kRequests, "leaveDimensionUnknownTest", "request_unknown_dimension", "the dimension 0 is 0;"},
    {kRequests, "omitRequiredInputTest", "request_omits_input", "it is not optional"},
    {kRequests, "mutateOmittedArgumentTest", "request_omitted_somewhere",
     "an omitted argument has the location"},
    {kRequests, "aliasOutputTest", "request_overlap", "it overlaps input 0"},
    {kRequests, "mutateRequestPoolTest", "request_any_pool", "the pool has no file descriptor"},
    {kRequests,
     "executeValidRequestTest",
     "request_never_again",
     "it ended with INVALID_ARGUMENT; expected an execution",
     {kLifecycle}},
    {kShapes, "fullySpecifiedOutputsTest", "known_shape_of_other_rank",
     "has the dimensions [2, 2, 1]; expected [2, 2]"},
    {kShapes, "unspecifiedOutputsTest", "unknown_shape_of_other_rank",
     "has the dimensions [2, 2, 1]; expected [2, 2]"},
    {kShapes, "sufficientOutputsTest", "sufficient_denied", "is not sufficient"},
    {kShapes, "largerBuffersTest", "buffers_filled",
     "it wrote byte 16 of the buffer of output 0, whose value has 16 bytes"},
    {kShapes, "insufficientStatusTest", "insufficient_hidden",
     "it ended with NONE; expected OUTPUT_INSUFFICIENT_SIZE"},
    {kShapes, "insufficientFlagsTest", "insufficient_throughout",
     "MUL output 1 is not sufficient; expected it to be"},
    {kShapes, "insufficientDimensionsTest", "insufficient_wrong_shape",
     "has the dimensions [2, 2, 1]; expected [2, 2]"},
    {kShapes, "insufficientMemoryTest", "insufficient_overrun", "it wrote past output 0"},
    {kTiming, "timingNotMeasuredTest", "timing_unasked", "since none was asked for"},
    {kTiming, "timingOnDeviceTest", "timing_inverted", "expected no more time on the device"},
    {kTiming, "timingWithinCallTest", "timing_beyond_call", "since the call did not take longer"},
    {kTiming, "timingOfFailureTest", "timing_of_insufficient",
     "since it ended with OUTPUT_INSUFFICIENT_SIZE"},
    {kPreferences, "preparePreferenceTest", "low_power_refused",
     "prepareModel_1_2 ended with GENERAL_FAILURE"},
    {kPreferences, "comparePreferencesTest", "sustained_speed_differs", "SUSTAINED_SPEED"},
    {kMemory, "mmapFdPoolsTest", "file_offset_ignored", "the same in ordinary memory"},
    {kMemory, "readOnlyPoolsTest", "read_only_refused", "it ended with GENERAL_FAILURE"},
    {kMemory, "hardwareBufferBlobPoolsTest", "blobs_refused", "it ended with GENERAL_FAILURE"},
    {kMemory, "poolForEachArgumentTest", "many_pools_refused", "it ended with GENERAL_FAILURE"},
    {kMemory, "unalignedArgumentsTest", "input_offset_rounded", "the same in ordinary memory"},
    {kMemory, "mmapFdConstantsTest", "constants_file_offset_ignored",
     "ended with INVALID_ARGUMENT"},
    {kMemory, "hardwareBufferBlobConstantsTest", "constants_in_blobs_refused",
     "ended with INVALID_ARGUMENT"},
    {kMemory, "poolForEachConstantTest", "constants_in_first_pool", "ended with INVALID_ARGUMENT"},
    {kMemory, "unalignedConstantsTest", "constant_offset_rounded", "ended with INVALID_ARGUMENT"},
    {kMemory,
     "unchangedInputsTest",
     "input_modified",
     "it changed input 0 at byte 0",
     {kBursts, kConcurrency, kLifecycle}},
    {kMemory,
     "canariesTest",
     "sufficient_overrun",
     "it wrote past output 0",
     {kConcurrency, kLifecycle}},
    {kDeterminism,
     "repeatExecutionTest",
     "repetition_differs",
     "after a second execution",
     {kBursts, kConcurrency, kLifecycle}},
    {kDeterminism, "overwriteOutputsTest", "lowest_bit_unwritten",
     "with other bytes in the buffer"},
    {kDeterminism,
     "compareExecutionsTest",
     "synchronous_differs_by_a_bit",
     "after ASYNC_1_0",
     {kLifecycle}},
    {kDeterminism,
     "compileAgainTest",
     "second_compilation_differs",
     "after the second preparation",
     {kCaching, kConcurrency, kLifecycle}},
    {kCaching,
     "NumberOfCacheFiles",
     "cache_33_files",
     "it gave NONE, 1 and 33 files; expected NONE",
     {kLifecycle}},
    {kCaching,
     "NumberOfCacheFilesStable",
     "cache_more_files_next",
     "it gave NONE, 1 and 2 files; expected NONE, 1 and 1",
     {kLifecycle}},
    {kCaching, "PrepareModelWithTokenAlone", "cache_token_alone",
     "ended with GENERAL_FAILURE; expected a prepared model"},
    {kCaching, "PrepareModelFromCacheWithoutFiles", "cache_of_no_files",
     "no cache files: prepareModelFromCache ended with NONE"},
    {kCaching, "CacheSavingAndRetrieval", "cache_refused",
     "ended with GENERAL_FAILURE; expected the model that was saved"},
    {kCaching,
     "CacheSavingAndRetrieval",
     "cache_useless",
     "ended with INVALID_ARGUMENT; expected NONE",
     {kLifecycle}},
    {kCaching, "CacheSavingAndRetrievalNonZeroOffset", "cache_at_offset",
     "not at the beginning of their files"},
    {kCaching, "CacheRetrievalAgain", "cache_once", "retrieving for the second time", {kLifecycle}},
    {kCaching, "CacheRetrievalByAnotherProcess", "cache_of_own_process",
     "expected the model that was saved"},
    {kCaching, "SaveToCacheOverOldContents", "cache_not_truncated",
     "saved to files that were longer before"},
    {kCaching, "SaveToCacheAgain", "cache_never_replaced", "gave other bytes in output 0"},
    {kCaching, "SaveToCacheInvalidNumCache", "cache_wrong_handles_fail",
     "one handle of the model cache too many"},
    {kCaching, "SaveToCacheInvalidNumFd", "cache_wrong_descriptors_fail", "with two descriptors"},
    {kCaching, "SaveToCacheInvalidAccessMode", "cache_read_only_fails",
     "a model cache that can only be read"},
    {kCaching, "SaveToCacheDuplicatedFile", "cache_one_file_fails",
     "preparing with one file for all handles"},
    {kCaching, "PrepareModelFromCacheInvalidNumCache", "cache_any_handles",
     "one handle of the model cache too many"},
    {kCaching, "PrepareModelFromCacheInvalidNumFd", "cache_any_descriptors",
     "with two descriptors"},
    {kCaching, "PrepareModelFromCacheInvalidAccessMode", "cache_any_access", "can only be written"},
    {kCaching, "PrepareModelFromCacheDuplicatedFile", "cache_one_file",
     "the first model cache file for all"},
    {kCaching, "SaveToCache_TOCTOU", "cache_trusts_saved",
     "preparing while the model cache is overwritten"},
    {kCaching, "PrepareFromCache_TOCTOU", "cache_read_twice",
     "retrieving while the model cache is overwritten"},
    {kCaching, "ReplaceSecuritySensitiveCache", "cache_foreign_model",
     "the model cache of another model"},
    {kCaching, "ReplaceDataCache", "cache_foreign_data", "the data cache of another model"},
    {kCaching, "StaleCache", "cache_stale", "the old data cache with the new model cache"},
    {kCaching, "ExchangedCache", "cache_exchanged",
     "exchanged: prepareModelFromCache ended with NONE"},
    {kCaching, "CorruptedModelCache", "cache_model_bit", "of model cache file 0 flipped"},
    {kCaching, "CorruptedDataCache", "cache_data_bit", "of data cache file 0 flipped"},
    {kCaching, "WrongLengthModelCache", "cache_model_length", "bytes long, cut to 0 bytes"},
    {kCaching, "WrongLengthDataCache", "cache_data_length", "bytes long, cut to 0 bytes"},
    {kCaching, "WrongToken", "cache_any_token", "bit 0 of byte 0 of the token flipped"},
    {kCaching, "GarbageCache", "cache_garbage", "all files filled with zeros"},
    {kCaching, "AnotherDriversCache", "cache_of_another_driver", "what another driver has saved"},
    {kBursts, "removeDatumTest", "burst_end_missing", "expected measureTiming"},
    {kBursts, "addDatumTest", "burst_more", "put before it"},
    {kBursts, "mutateDatumTest", "burst_any_end", "in its place"},
    {kBursts, "exchangeDatumsTest", "burst_any_order", "exchanged with the next"},
    {kBursts, "mutateDiscriminatorTest", "burst_any_alternative", "of alternative 7"},
    {kBursts, "mutatePacketSizeTest", "burst_any_size", "packetSize 0 in place of"},
    {kBursts, "mutateCountTest", "burst_many_pools", "numberOfPools 65538 in place of 2"},
    {kBursts, "mutateDimensionCountTest", "burst_many_dimensions",
     "numberOfDimensions 65536 in place of 0"},
    {kBursts, "mutateSlotTest", "burst_negative_slot", "slot -1 in place of 0"},
    {kBursts, "mutateMeasureTimingTest", "burst_any_timing", "the value 2"},
    {kBursts, "fmqLengthTest", "burst_short_answer", "in a queue of"},
    {kBursts, "sanitizedTest", "burst_dirty", "has padding bytes other than 0"},
    {kBursts, "requestLengthTest", "burst_end_cut", "the first "},
    {kBursts, "ignorePaddingTest", "burst_padding_refused",
     "it ended with INVALID_ARGUMENT; expected NONE"},
    {kBursts, "mutateMemoriesTest", "burst_more_memory", "gives one pool too many"},
    {kBursts, "freeMemoryTest", "burst_keeps_until_all", "with other memory for slot"},
    {kBursts, "freeUnknownMemoryTest", "burst_ends_at_slot", "after memory was freed that is none"},
    {kBursts, "mutateConfigurationTest", "burst_no_callback", "no callback"},
    {kBursts, "repeatInvalidTest", "burst_malformed_twice", "packet 2 of three"},
    {kBursts, "refuseWithoutResultTest", "burst_malformed_times", "expected neither"},
    {kBursts, "executeAfterInvalidTest", "burst_never_again",
     "it ended with GENERAL_FAILURE; expected NONE"},
    {kConcurrency, "executeInThreadsTest", "executions_share_buffer",
     "as when it was executed alone"},
    {kConcurrency, "executeInThreadsTest", "executions_lose_callback",
     "let go of its callback without calling it; expected exactly one call"},
    {kConcurrency, "executeModelsInThreadsTest", "models_share_buffer",
     "as when it was executed alone"},
    {kConcurrency, "prepareInThreadsTest", "one_preparation_at_a_time",
     "prepareModel_1_2 ended with GENERAL_FAILURE; expected a prepared model"},
    {kConcurrency, "executeWhilePreparingTest", "busy_preparing",
     "it ended with GENERAL_FAILURE; expected NONE"},
    {kConcurrency, "clientsTest", "clients_share_buffer", "as when it was executed alone"},
    {kConcurrency, "releaseWhileExecutingTest", "release_loses_callback",
     "let go of its callback without calling it; expected exactly one call"},
    {kLifecycle,
     "prepareInSequenceTest",
     "prepares_once",
     "prepareModel_1_2 ended with GENERAL_FAILURE; expected a prepared model",
     {kMemory}},
    {kLifecycle, "executeInSequenceTest", "release_forgets_other",
     "it ended with GENERAL_FAILURE; expected NONE"},
    {kLifecycle, "burstInSequenceTest", "burst_dies_when_left", "as alone"},
    {kLifecycle, "invalidRequestInSequenceTest", "invalid_request_fails",
     "ended with GENERAL_FAILURE; expected INVALID_ARGUMENT"},
    {kLifecycle, "releaseInSequenceTest", "release_calls_back",
     "after the prepared model had been released; expected exactly one call"},
    {kLifecycle, "askInSequenceTest", "release_loses_capabilities",
     "the capabilities ended with GENERAL_FAILURE; expected NONE"},
};

// Makes a device of a driver.
using MakeDevice = std::function<std::shared_ptr<hal::V1_2::IDevice>()>;

// What a suite comes to on a device.
struct SuiteOutcome {
  SuiteResult result;
  // Whether the device was still waited for in the end, since it had never been in vain.
  bool is_patient = false;
};

// Runs a suite of the witness cases on a device in this process.
SuiteOutcome RunOn(const MakeDevice& make_device, const Suite& suite) {
  // There are half a million calls, and on a busy machine each switch of threads takes its time.
  QuietWatch watch;
  std::optional<int> processor;
  if (!suite.needs_processors) processor = CurrentProcessor();
  const OnProcessor scope(processor);
  const auto session = DriverSession::FromDevice(make_device(), "faulty", kDefaultDeadline, &watch);
  EXPECT_TRUE(session.ok()) << session.status();
  (*session)->SetOpener([&] {
    return DriverSession::FromDevice(make_device(), "another", kDefaultDeadline, &watch);
  });
  const auto workers = WorkersInProcess(**session, 1, kDefaultDeadline, processor);
  EXPECT_TRUE(workers.ok()) << workers.status();
  const std::vector<LoadedCase> cases = WitnessCases();
  std::vector<CaseInMode> in_modes;
  for (const LoadedCase& loaded : cases) {
    for (const TestMode mode : {TestMode::kStatic, TestMode::kDynamic}) {
      in_modes.push_back({&loaded, mode});
    }
  }
  SuiteResult result =
      RunSuite(*workers, suite, suite.make_tests(in_modes, (*session)->hal_version()), {});
  return {std::move(result), (*session)->IsPatient()};
}

// What a suite comes to on a driver without a fault, which is found once.
const SuiteOutcome& OutcomeOnAGoodDriver(const Suite& suite) {
  static auto* const outcomes = new std::map<std::string_view, SuiteOutcome>();
  const auto known = outcomes->find(suite.name);
  if (known != outcomes->end()) return known->second;
  return outcomes->emplace(suite.name, RunOn(&MakeReferenceDriver, suite)).first->second;
}

SuiteResult ResultOnAFaultyDriver(std::string_view name, const Suite& suite) {
  return RunOn([&] { return *faulty::MakeFaultyDriver(name); }, suite).result;
}

class FaultySuitesTest : public ::testing::TestWithParam<Row> {};

TEST_P(FaultySuitesTest, OneCheckFindsTheRuleAndNoOtherOfItsSuiteDoes) {
  const Row& row = GetParam();
  const SuiteResult result = ResultOnAFaultyDriver(row.rule, *FindSuite(row.suite));
  for (const auto& [check, count] : result.checks) {
    EXPECT_EQ(count.failed > 0, check == row.check) << check << ": " << count.failed << " failed";
  }
  const auto failed = result.failures.find(row.check);
  ASSERT_NE(failed, result.failures.end());
  EXPECT_EQ(failed->second.first.verdict, Verdict::FAIL);
  EXPECT_THAT(failed->second.first.detail, HasSubstr(row.message));
  EXPECT_THAT(failed->second.first.detail, HasSubstr("expected"));
  EXPECT_GT(result.counts.at(Verdict::FAIL), 0u);
}

INSTANTIATE_TEST_SUITE_P(Rules, FaultySuitesTest, ::testing::ValuesIn(kRows),
                         [](const auto& each) { return std::string(each.param.rule); });

// Rows of one suite, whose rules a driver may have together: of conducts it has but one.
using Rows = std::vector<Row>;

bool IsConduct(const faulty::Rule& rule) {
  return rule.burst != nullptr || rule.caching != nullptr || rule.interference != nullptr ||
         rule.prepare_delivery != nullptr || rule.execute_delivery != nullptr;
}

std::vector<Rows> RowsThatGoTogether() {
  std::vector<Rows> all;
  std::map<std::string_view, Rows> of_suites;
  for (const Row& row : kRows) {
    if (IsConduct(*faulty::FindRule(row.rule))) {
      all.push_back({row});
    } else {
      of_suites[row.suite].push_back(row);
    }
  }
  for (const auto& [suite, rows] : of_suites) all.push_back(rows);
  return all;
}

// A check that is made as often as on a good driver says that no rule kept it from being made.
bool IsAsOnAGoodDriver(const SuiteResult& result) {
  return result.checks == OutcomeOnAGoodDriver(*result.suite).result.checks;
}

class OtherSuitesTest : public ::testing::TestWithParam<Rows> {};

SuiteResult ResultOnADriverWithAll(const std::vector<std::string>& rules, const Suite& suite) {
  return ResultOnAFaultyDriver(absl::StrJoin(rules, "+"), suite);
}

// The rules that their own suite finds on a driver that has all of them. Others are hidden there,
// as a version that is empty is by one that changes.
std::set<std::string> RulesThatShow(const Rows& rows) {
  std::vector<std::string> rules;
  for (const Row& row : rows) rules.push_back(row.rule);
  const SuiteResult result = ResultOnADriverWithAll(rules, *FindSuite(rows[0].suite));
  std::set<std::string> that_show;
  for (const Row& row : rows) {
    if (result.checks.at(row.check).failed > 0) that_show.insert(row.rule);
  }
  return that_show;
}

TEST_P(OtherSuitesTest, FindNothing) {
  const Rows& rows = GetParam();
  const std::set<std::string> that_show =
      rows.size() > 1 ? RulesThatShow(rows) : std::set<std::string>();
  for (const Suite& other : AllSuites()) {
    std::vector<std::string> together;
    std::vector<std::string> alone;
    for (const Row& row : rows) {
      if (row.suite == other.name || absl::c_linear_search(row.also, other.name)) continue;
      (that_show.contains(row.rule) ? together : alone).push_back(row.rule);
    }
    // Where all together leave it open, each tells alone.
    if (!together.empty() && !IsAsOnAGoodDriver(ResultOnADriverWithAll(together, other))) {
      alone.insert(alone.end(), together.begin(), together.end());
    }
    for (const std::string& rule : alone) {
      for (const auto& [check, count] : ResultOnAFaultyDriver(rule, other).checks) {
        EXPECT_EQ(count.failed, 0u) << check << " of " << other.name << " with " << rule;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Rules, OtherSuitesTest, ::testing::ValuesIn(RowsThatGoTogether()),
                         [](const auto& each) {
                           const Rows& rows = each.param;
                           return rows.size() == 1 ? std::string(rows[0].rule)
                                                   : std::string("all_of_") + rows[0].suite;
                         });

TEST(FaultySuitesTableTest, EveryCheckHasItsRule) {
  for (const Suite& suite : AllSuites()) {
    for (const Check& check : suite.checks()) {
      EXPECT_TRUE(std::any_of(
          std::begin(kRows), std::end(kRows),
          [&](const Row& row) { return suite.name == row.suite && check.name == row.check; }))
          << suite.name << " " << check.name;
    }
  }
}

TEST(FaultySuitesTableTest, EveryCheckIsMadeAndPassesOnAGoodDriver) {
  for (const Suite& suite : AllSuites()) {
    const auto& [result, is_patient] = OutcomeOnAGoodDriver(suite);
    // What a suite itself holds on to would be taken for callbacks that the driver keeps.
    EXPECT_TRUE(is_patient) << suite.name;
    EXPECT_EQ(result.run, result.planned);
    EXPECT_EQ(result.counts.size(), 1u);
    for (const auto& [check, count] : result.checks) {
      EXPECT_GT(count.passed, 0u) << check;
      EXPECT_EQ(count.failed, 0u) << check;
    }
  }
}

}  // namespace
}  // namespace nncert
