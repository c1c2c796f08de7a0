// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "drivers/faulty/isolated_behaviour_rows.h"

namespace nncert::faulty {
namespace {

constexpr BehaviourRow kRows[] = {
    // Statuses and promises.
    {.rule = "capabilities_fail",
     .error = "driver faulty:capabilities_fail: getCapabilities_1_2 ended with GENERAL_FAILURE; "
              "expected NONE",
     .rest = ""},
    {.rule = "supported_fails",
     .outcome = {Verdict::FAIL,
                 "getSupportedOperations_1_2 ended with GENERAL_FAILURE; expected "
                 "NONE for a valid model"}},
    {.rule = "supported_too_few",
     .outcome = {Verdict::FAIL,
                 "getSupportedOperations_1_2 gave 0 answers; expected one for each "
                 "of the 1 operations"}},
    {.rule = "prepare_fails",
     .outcome = {Verdict::BROKEN_PROMISE,
                 "the driver claims to support every operation, but "
                 "prepareModel_1_2 ended with GENERAL_FAILURE"}},
    {.rule = "prepare_refuses",
     .outcome = {Verdict::BROKEN_PROMISE,
                 "the driver claims to support every operation, but "
                 "prepareModel_1_2 ended with INVALID_ARGUMENT"}},
    {.rule = "prepare_gives_null",
     .outcome = {Verdict::FAIL,
                 "prepareModel_1_2 gave NONE together with a null prepared model; "
                 "expected a prepared model"}},
    {.rule = "prepare_fails_with_model",
     .outcome = {Verdict::FAIL,
                 "prepareModel_1_2 gave a prepared model together with "
                 "GENERAL_FAILURE; expected null"}},
    {.rule = "prepare_returns_another_status",
     .outcome = {Verdict::FAIL,
                 "prepareModel_1_2 returned GENERAL_FAILURE and called its callback "
                 "with NONE; expected the same status"}},
    {.rule = "execute_fails",
     .outcome = {Verdict::BROKEN_PROMISE,
                 "the driver claims to support every operation, but the "
                 "execution ended with GENERAL_FAILURE; run: ASYNC, timing "
                 "NO, FULLY_SPECIFIED\n  6 of 6 executions failed"},
     .when_dynamic =
         BehaviourOutcome{Verdict::BROKEN_PROMISE,
                          "the driver claims to support every operation, but the execution "
                          "ended with GENERAL_FAILURE, whether output dimensions are known or "
                          "not"}},
    {.rule = "execute_refuses",
     .outcome = {Verdict::BROKEN_PROMISE,
                 "the driver claims to support every operation, but the "
                 "execution ended with INVALID_ARGUMENT; run: ASYNC, "
                 "timing NO, *\n  * executions failed"}},
    {.rule = "execute_unavailable",
     .outcome = {Verdict::BROKEN_PROMISE,
                 "the driver claims to support every operation, but the "
                 "execution ended with DEVICE_UNAVAILABLE; run: ASYNC, "
                 "timing NO, *\n  * executions failed"}},
    {.rule = "execute_returns_another_status",
     .outcome = {Verdict::FAIL,
                 "execute_1_2 returned GENERAL_FAILURE and called its callback with "
                 "NONE; expected the same status; run: ASYNC, timing NO, *"}},
    {.rule = "insufficient_invented",
     .outcome = {Verdict::BROKEN_PROMISE,
                 "the driver claims to support every operation, but the "
                 "execution ended with OUTPUT_INSUFFICIENT_SIZE; run: "
                 "ASYNC, timing NO, *\n  6 of * executions failed"}},
    {.rule = "insufficient_hidden",
     .when_dynamic =
         BehaviourOutcome{Verdict::FAIL,
                          "the execution ended with NONE; expected OUTPUT_INSUFFICIENT_SIZE, "
                          "since the buffer of output 0 is one byte short; run: ASYNC, timing "
                          "NO, INSUFFICIENT\n  6 of 12 executions failed"}},
    // Callbacks.
    {.rule = "prepare_callback_missing",
     .outcome = {Verdict::FAIL,
                 "prepareModel_1_2 returned NONE, and the driver let go of its "
                 "callback without calling it; expected exactly one call"}},
    {.rule = "prepare_callback_twice",
     .outcome = {Verdict::FAIL,
                 "the callback of prepareModel_1_2 was called 2 times; expected "
                 "exactly one call"}},
    {.rule = "prepare_callback_late",
     .outcome = {Verdict::TIMEOUT,
                 "prepareModel_1_2 returned NONE, but its callback was not called "
                 "within 2s: the driver is stalled: its process used no CPU time "
                 "in the last * s"}},
    {.rule = "prepare_callback_again_at_release",
     .outcome = {Verdict::FAIL,
                 "the callback of prepareModel_1_2 was called 2 times, the last time "
                 "after the prepared model had been released; expected exactly one "
                 "call"}},
    {.rule = "execute_callback_missing",
     .outcome = {Verdict::FAIL,
                 "execute_1_2 returned NONE, and the driver let go of its callback "
                 "without calling it; expected exactly one call; run: ASYNC, timing "
                 "NO, *"}},
    // Where the second call comes when the execution has been judged, no run is named.
    {.rule = "execute_callback_twice",
     .outcome = {Verdict::FAIL,
                 "the callback of execute_1_2 was called 2 times; expected exactly "
                 "one call*"}},
    {.rule = "execute_callback_late",
     .outcome = {Verdict::TIMEOUT,
                 "execute_1_2 returned NONE, but its callback was not called "
                 "within 2s: the driver is stalled: its process used no CPU time "
                 "in the last * s; run: ASYNC, timing NO, *SPECIFIED"}},
    {.rule = "execute_callback_at_release",
     .outcome = {Verdict::TIMEOUT,
                 "execute_1_2 returned NONE, but its callback was not called "
                 "within 2s: the driver is stalled: its process used no CPU time "
                 "in the last * s; run: ASYNC, timing NO, *\n  afterwards: the "
                 "callback of execute_1_2 was called after the prepared model had "
                 "been released"}},
    {.rule = "execute_callback_again_at_release",
     .outcome = {Verdict::FAIL,
                 "the callback of execute_1_2 was called 2 times, the last time "
                 "after the prepared model had been released; expected exactly one "
                 "call"}},
    // Timing.
    {.rule = "timing_unasked",
     .outcome = {Verdict::FAIL,
                 "the timing is {.timeOnDevice = 1, .timeInDriver = 2}; expected "
                 "UINT64_MAX, since none was asked for; run: ASYNC, timing NO, *\n  "
                 "3 of * executions failed"}},
    {.rule = "timing_inverted",
     .outcome = {Verdict::FAIL,
                 "the timing is {.timeOnDevice = 2, .timeInDriver = 1}; expected no "
                 "more time on the device than in the driver; run: ASYNC, timing "
                 "YES, *\n  3 of * executions failed"}},
    {.rule = "timing_of_failure",
     .when_dynamic =
         BehaviourOutcome{Verdict::FAIL,
                          "the timing is {.timeOnDevice = 1, .timeInDriver = 2} with the status "
                          "OUTPUT_INSUFFICIENT_SIZE; expected UINT64_MAX unless the execution "
                          "succeeds; run: ASYNC, timing NO, INSUFFICIENT\n  6 of 12 executions "
                          "failed"}},
    {.rule = "timing_of_insufficient",
     .when_dynamic =
         BehaviourOutcome{Verdict::FAIL,
                          "the timing is {.timeOnDevice = 3, .timeInDriver = 4} with the status "
                          "OUTPUT_INSUFFICIENT_SIZE; expected UINT64_MAX unless the execution "
                          "succeeds; run: ASYNC, timing NO, INSUFFICIENT\n  6 of 12 executions "
                          "failed"}},
    // Bursts.
    {.rule = "burst_refused",
     .outcome = {Verdict::FAIL,
                 "configureExecutionBurst ended with GENERAL_FAILURE; expected NONE and a burst; "
                 "run: BURST, timing NO, *"}},
    {.rule = "burst_null",
     .outcome = {Verdict::FAIL,
                 "configureExecutionBurst ended with NONE and gave no burst; expected one; run: "
                 "BURST, timing NO, *"}},
    {.rule = "burst_unanswered",
     .outcome = {Verdict::TIMEOUT,
                 "the request of a burst: did not return within *: the driver is stalled: its "
                 "process used no CPU time in the last * s; run: BURST, timing NO, *"}},
    {.rule = "burst_answered_twice",
     .outcome = {Verdict::FAIL, "the request of a burst: the *; run: BURST, timing *"}},
    {.rule = "burst_answers_before",
     .when_dynamic =
         BehaviourOutcome{Verdict::FAIL,
                          "the timing is *; expected UINT64_MAX, since none was asked for; run: "
                          "BURST, timing NO, INSUFFICIENT\n  * of 12 executions failed"}},
    {.rule = "burst_keeps_memory",
     // It went where that of the request before belongs.
     .outcome =
         {Verdict::FAIL,
          "NEG output 0: the driver did not write the output; *; run: BURST, timing YES, *"}},
    {.rule = "burst_exchanges_memory",
     .outcome = {Verdict::FAIL, "the driver changed input 0 at byte 0; run: BURST, timing NO, *"}},
    {.rule = "burst_differs",
     .outcome = {Verdict::FAIL, "NEG output 0 element [0] (flat 0): *; run: BURST, timing NO, *"}},
    {.rule = "burst_wrong_shape",
     .outcome = {Verdict::FAIL, "NEG output 0 has the dimensions *; run: BURST, timing NO, *"}},
    {.rule = "burst_timing_unasked",
     .outcome = {Verdict::FAIL,
                 "the timing is *; expected UINT64_MAX, since none was asked for; run: BURST, "
                 "timing NO, *SPECIFIED\n  1 of * executions failed"}},
    // The process before there is a model.
    {.rule = "load_crashes",
     .error = "driver faulty:load_crashes: loading it: the driver's process was killed by SIGABRT "
              "(Aborted)\n  the last lines that it wrote:\n    backtrace of SIGABRT:\n*Abort()*",
     .rest = ""},
    {.rule = "load_hangs",
     .error = "driver faulty:load_hangs: it was not loaded within 2s: the driver is stalled: its "
              "process used no CPU time in the last * s",
     .rest = ""},
    {.rule = "capabilities_crash",
     .error = "driver faulty:capabilities_crash: getCapabilities_1_2: the driver's process was "
              "killed by SIGSEGV (Segmentation fault)",
     .rest = ""},
    {.rule = "capabilities_hang",
     .error = "driver faulty:capabilities_hang: getCapabilities_1_2: did not return within 2s: the "
              "driver is stalled: its process used no CPU time in the last * s",
     .rest = ""},
    // The process in the calls of a case.
    {.rule = "supported_crashes",
     .outcome = {Verdict::CRASH,
                 "getSupportedOperations_1_2: the driver's process was killed by "
                 "SIGABRT (Aborted)\n  the last lines that it wrote:\n    backtrace of "
                 "SIGABRT:\n*Abort()*"}},
    {.rule = "supported_hangs",
     .outcome = {Verdict::TIMEOUT,
                 "getSupportedOperations_1_2: did not return within 2s: the "
                 "driver is stalled: its process used no CPU time in the last * "
                 "s"}},
    {.rule = "prepare_crashes",
     .outcome =
         {Verdict::CRASH,
          "prepareModel_1_2: the driver's process was killed by SIGABRT "
          "(Aborted)\n  the last lines that it wrote:\n    backtrace of SIGABRT:\n*Abort()*"}},
    {.rule = "prepare_hangs",
     .outcome = {Verdict::TIMEOUT,
                 "prepareModel_1_2: did not return within 2s: the driver is "
                 "stalled: its process used no CPU time in the last * s"}},
    {.rule = "prepare_throws",
     .outcome = {Verdict::CRASH,
                 "prepareModel_1_2: the driver's process was killed by SIGABRT "
                 "(Aborted), for an exception that nobody caught: "
                 "std::runtime_error: the faulty driver was told to throw\n  the "
                 "last lines that it wrote:\n    terminate called*"}},
    {.rule = "execute_crashes",
     .outcome = {Verdict::CRASH,
                 "execute_1_2: the driver's process was killed by SIGSEGV "
                 "(Segmentation fault); run: ASYNC, timing NO, *"}},
    {.rule = "execute_exits",
     .outcome = {Verdict::CRASH,
                 "execute_1_2: the driver's process exited with status 0; run: "
                 "ASYNC, timing NO, *"}},
    {.rule = "execute_hangs",
     .outcome = {Verdict::TIMEOUT,
                 "execute_1_2: did not return within 2s: the driver is stalled: "
                 "its process used no CPU time in the last * s; run: ASYNC, "
                 "timing NO, *"}},
    {.rule = "execute_spins",
     .outcome = {Verdict::TIMEOUT,
                 "execute_1_2: did not return within 2s: the driver is slow, not "
                 "stalled: its process used * s of CPU time in the last *; run: "
                 "ASYNC, timing NO, *"}},
    {.rule = "execute_throws",
     .outcome = {Verdict::CRASH,
                 "execute_1_2: the driver's process was killed by SIGABRT "
                 "(Aborted), for an exception that nobody caught: "
                 "std::runtime_error: the faulty driver was told to throw; run: "
                 "ASYNC, timing NO, *\n  the last lines that it wrote:\n    "
                 "terminate called*"}},
    {.rule = "release_crashes",
     .outcome = {Verdict::CRASH,
                 "the release of the prepared model: the driver's process was "
                 "killed by SIGABRT (Aborted)\n  the last lines that it wrote:\n    backtrace of "
                 "SIGABRT:\n*Abort()*"}},
    {.rule = "release_hangs",
     .outcome = {Verdict::TIMEOUT,
                 "the release of the prepared model: did not return within 2s: "
                 "the driver is stalled: its process used no CPU time in the last "
                 "* s"}},
    // The process at other times. SOFTMAX takes a second, so that the crash comes in its case.
    {.rule = "execute_crashes_later",
     .finding = "during GeneratedTests.softmax, which does not crash when it is run again in a new "
                "process, call by call, so that an earlier case may be the cause (the last one was "
                "DynamicOutputShapeTest.neg_dynamic_output_shape): *the driver's process was "
                "killed by SIGSEGV (Segmentation fault)*",
     .rest = "@operation=NEG+execute_dawdles@operation=SOFTMAX"},
    {.rule = "execute_starts_process",
     .finding = "the driver's process had * process*, itself among them, after 1 case, and * after "
                "16 cases, when every prepared model had been released: it does not end all that "
                "it starts",
     .second_finding = "by the end of *: the driver left * processes (sleep, *) behind"},
    {.rule = "execute_keeps_memory",
     .finding = "the driver's process had * MiB of memory after 4 cases, * MiB after 8 cases and * "
                "MiB after 16 cases, when every prepared model had been released: it does not free "
                "all that it takes",
     .rest = ""},
    {.rule = "execute_keeps_descriptor",
     .finding = "the driver's process had * descriptors open after 1 case, and * after 16 cases, "
                "when every prepared model had been released: it does not close all that it opens",
     .rest = ""},
    {.rule = "execute_dawdles"},
    {.rule = "execute_chatters"},
};

}  // namespace

void PrintTo(const BehaviourRow& row, std::ostream* stream) { *stream << row.rule; }

absl::Span<const BehaviourRow> BehaviourRows() { return kRows; }

}  // namespace nncert::faulty
