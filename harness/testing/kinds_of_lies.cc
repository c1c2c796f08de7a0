// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/testing/kinds_of_lies.h"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

#include "harness/testing/run_on_fake.h"

namespace nncert {
namespace {

using hal::V1_0::ErrorStatus;
using hal::V1_0::GetSupportedOperationsResult;

using PrepareCallback = std::shared_ptr<hal::V1_0::IPreparedModelCallback>;
using Prepared = std::shared_ptr<hal::V1_2::IPreparedModel>;
using ExecuteCallback = std::shared_ptr<hal::V1_0::IExecutionCallback>;

Lies Preparing(const std::function<ErrorStatus(const PrepareCallback&, const Prepared&)>& prepare) {
  Lies lies;
  lies.prepare = prepare;
  return lies;
}

Lies Delivering(std::function<ErrorStatus(const ExecuteCallback&, const FakeExecution&)> deliver) {
  Lies lies;
  lies.deliver = std::move(deliver);
  return lies;
}

Lies SupportingNothing() {
  Lies lies;
  lies.supported = [](GetSupportedOperationsResult& result) {
    result.supportedOperations.assign(result.supportedOperations.size(), false);
  };
  lies.prepare = [](const PrepareCallback& callback, const Prepared&) {
    callback->notify(ErrorStatus::GENERAL_FAILURE, nullptr);
    return ErrorStatus::GENERAL_FAILURE;
  };
  return lies;
}

}  // namespace

std::map<std::string, MakeLies> KindsOfLies() {
  return {
      {"honest", [] { return Lies(); }},
      {"wrong answer", [] { return Answer(100); }},
      {"writes behind an output",
       [] {
         Lies lies;
         lies.execution = [](FakeExecution& execution) { execution.Pool(1).back() ^= 1; };
         return lies;
       }},
      {"supports nothing", &SupportingNothing},
      {"supports nothing and prepares",
       [] {
         Lies lies = SupportingNothing();
         lies.prepare = nullptr;
         return lies;
       }},
      {"fails to say what it supports",
       [] {
         Lies lies;
         lies.supported = [](GetSupportedOperationsResult& result) {
           result.status = ErrorStatus::GENERAL_FAILURE;
         };
         return lies;
       }},
      {"says of too many operations that it supports them",
       [] {
         Lies lies;
         lies.supported = [](GetSupportedOperationsResult& result) {
           result.supportedOperations.push_back(true);
         };
         return lies;
       }},
      {"breaks its promise",
       [] {
         return Preparing([](const PrepareCallback& callback, const Prepared&) {
           callback->notify(ErrorStatus::GENERAL_FAILURE, nullptr);
           return ErrorStatus::NONE;
         });
       }},
      {"prepares null",
       [] {
         return Preparing([](const PrepareCallback& callback, const Prepared&) {
           callback->notify(ErrorStatus::NONE, nullptr);
           return ErrorStatus::NONE;
         });
       }},
      {"prepares in spite of an error",
       [] {
         return Preparing([](const PrepareCallback& callback, const Prepared& prepared) {
           callback->notify(ErrorStatus::GENERAL_FAILURE, prepared);
           return ErrorStatus::NONE;
         });
       }},
      {"prepares twice",
       [] {
         return Preparing([](const PrepareCallback& callback, const Prepared& prepared) {
           callback->notify(ErrorStatus::NONE, prepared);
           callback->notify(ErrorStatus::NONE, prepared);
           return ErrorStatus::NONE;
         });
       }},
      {"launches otherwise than it prepares",
       [] {
         return Preparing([](const PrepareCallback& callback, const Prepared& prepared) {
           callback->notify(ErrorStatus::NONE, prepared);
           return ErrorStatus::GENERAL_FAILURE;
         });
       }},
      {"drops the callback of a preparation",
       [] {
         return Preparing(
             [](const PrepareCallback&, const Prepared&) { return ErrorStatus::NONE; });
       }},
      {"drops the callback of an execution",
       [] {
         return Delivering(
             [](const ExecuteCallback&, const FakeExecution&) { return ErrorStatus::NONE; });
       }},
      {kKeepsCallback,
       [] {
         const auto kept = std::make_shared<std::vector<ExecuteCallback>>();
         return Delivering([kept](const ExecuteCallback& callback, const FakeExecution&) {
           kept->push_back(callback);
           return ErrorStatus::NONE;
         });
       }},
      {"refuses to execute",
       [] {
         return Delivering([](const ExecuteCallback& callback, const FakeExecution&) {
           callback->notify(ErrorStatus::INVALID_ARGUMENT);
           return ErrorStatus::INVALID_ARGUMENT;
         });
       }},
      {"executes twice",
       [] {
         return Delivering([](const ExecuteCallback& callback, const FakeExecution& execution) {
           for (int i = 0; i < 2; ++i) {
             std::dynamic_pointer_cast<hal::V1_2::IExecutionCallback>(callback)->notify_1_2(
                 execution.result.status, execution.result.outputShapes, execution.result.timing);
           }
           return ErrorStatus::NONE;
         });
       }},
      {"throws in a preparation",
       [] {
         Lies lies;
         lies.model = [](const hal::V1_2::Model&) { throw std::runtime_error("thrown on demand"); };
         return lies;
       }},
      {kThrowsInExecution,
       [] {
         Lies lies;
         lies.execution = [](FakeExecution&) { throw std::runtime_error("thrown on demand"); };
         return lies;
       }},
      {"gives other dimensions",
       [] {
         Lies lies;
         lies.execution = [](FakeExecution& execution) {
           for (auto& shape : execution.result.outputShapes) shape.dimensions = {7};
         };
         return lies;
       }},
  };
}

std::vector<std::string> NamesOfLies() {
  std::vector<std::string> names;
  for (const auto& [name, make] : KindsOfLies()) names.push_back(name);
  return names;
}

std::string AsTestName(std::string kind) {
  std::replace(kind.begin(), kind.end(), ' ', '_');
  return kind;
}

RunOptions InWay(std::optional<uint64_t> way, bool at_once) {
  RunOptions options;
  options.only_way = way;
  options.at_once = at_once;
  return options;
}

}  // namespace nncert
