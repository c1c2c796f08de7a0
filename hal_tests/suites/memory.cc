// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal_tests/suites/memory.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "hal/execution.h"
#include "hal_tests/cases/case_execution.h"
#include "hal_tests/cases/case_mutants.h"
#include "hal_tests/mutations/mutation_kind.h"
#include "harness/isolation/driver_calls.h"
#include "harness/isolation/guarded_request.h"
#include "harness/isolation/pool_kind.h"

namespace nncert {
namespace {

using hal::HalVersion;
using hal::V1_2::Model;
using hal::V1_2::Operand;
using hal::V1_2::OperandLifeTime;

constexpr std::string_view kInputs = "unchangedInputsTest";
constexpr std::string_view kCanaries = "canariesTest";

// What lies between constants.
constexpr uint8_t kBetween = 0xC5;

// Bytes that arguments and constants lie behind a multiple of 4, where they are not aligned.
constexpr size_t kShift = 1;

// An arrangement of the arguments of a request.
struct Arrangement {
  std::string_view check;
  std::string_view proves;
  // What messages say.
  std::string_view what;
  RequestLayout layout;
};

std::vector<Arrangement> Arrangements() {
  return {
      {"mmapFdPoolsTest",
       "arguments are found in pages in the middle of a file",
       "arguments in mmap_fd pools with offsets",
       {.inputs = PoolKind::kMmapFd, .outputs = PoolKind::kMmapFd}},
      {"readOnlyPoolsTest",
       "inputs are read from a file that is open for reading alone",
       "inputs in a read-only mmap_fd pool",
       {.inputs = PoolKind::kReadOnlyMmapFd}},
      {"hardwareBufferBlobPoolsTest",
       "arguments are found in pools of hardware_buffer_blob",
       "arguments in hardware_buffer_blob pools",
       {.inputs = PoolKind::kHardwareBufferBlob, .outputs = PoolKind::kHardwareBufferBlob}},
      {"poolForEachArgumentTest",
       "arguments are found in as many pools as there are arguments",
       "arguments in a pool each",
       {.has_pool_for_each = true}},
      {"unalignedArgumentsTest",
       "arguments are found at odd offsets",
       "arguments at odd offsets",
       {.shift = kShift}},
  };
}

bool IsKnown(const RequestLayout& layout, HalVersion version) {
  return IsKnown(layout.inputs, version) && IsKnown(layout.outputs, version);
}

// An arrangement of the constants of a model.
struct ConstantArrangement {
  std::string_view check;
  std::string_view proves;
  std::string_view what;
  PoolKind kind = PoolKind::kAshmem;
  bool has_pool_for_each = false;
  size_t shift = 0;
};

constexpr ConstantArrangement kConstantArrangements[] = {
    {.check = "mmapFdConstantsTest",
     .proves =
         "constants are found in pages in the middle of a file that is open for reading alone",
     .what = "constants in a read-only mmap_fd pool with an offset",
     .kind = PoolKind::kReadOnlyMmapFd},
    {.check = "hardwareBufferBlobConstantsTest",
     .proves = "constants are found in a pool of hardware_buffer_blob",
     .what = "constants in a hardware_buffer_blob pool",
     .kind = PoolKind::kHardwareBufferBlob},
    {.check = "poolForEachConstantTest",
     .proves = "constants are found in as many pools as there are constants",
     .what = "constants in a pool each",
     .has_pool_for_each = true},
    {.check = "unalignedConstantsTest",
     .proves = "constants are found at odd offsets of a pool",
     .what = "constants at odd offsets of a pool",
     .shift = kShift},
};

bool HasConstants(const Model& model) {
  return std::any_of(model.operands.begin(), model.operands.end(), [](const Operand& operand) {
    return operand.location.length > 0 && (operand.lifetime == OperandLifeTime::CONSTANT_COPY ||
                                           operand.lifetime == OperandLifeTime::CONSTANT_REFERENCE);
  });
}

// The model with its constants in pools of its own.
absl::StatusOr<Model> WithConstants(const Model& model, const ConstantArrangement& arrangement) {
  Model moved = model;
  moved.pools.clear();
  moved.operandValues.clear();
  std::vector<uint8_t> content;
  const auto end_pool = [&]() -> absl::Status {
    if (content.empty()) return absl::OkStatus();
    absl::StatusOr<hal::Memory> pool = MakePool(arrangement.kind, content);
    if (!pool.ok()) return pool.status();
    moved.pools.push_back(*std::move(pool));
    content.clear();
    return absl::OkStatus();
  };
  for (uint32_t i = 0; i < model.operands.size(); ++i) {
    Operand& operand = moved.operands[i];
    if (operand.lifetime != OperandLifeTime::CONSTANT_COPY &&
        operand.lifetime != OperandLifeTime::CONSTANT_REFERENCE) {
      continue;
    }
    if (operand.location.length == 0) {
      // An empty tensor lies nowhere.
      operand.lifetime = OperandLifeTime::CONSTANT_COPY;
      operand.location = {};
      continue;
    }
    const absl::StatusOr<std::vector<uint8_t>> bytes = hal::constantBytes(model, i);
    if (!bytes.ok()) return bytes.status();
    content.resize((content.size() + 3) / 4 * 4 + arrangement.shift, kBetween);
    operand.lifetime = OperandLifeTime::CONSTANT_REFERENCE;
    operand.location = {static_cast<uint32_t>(moved.pools.size()),
                        static_cast<uint32_t>(content.size()),
                        static_cast<uint32_t>(bytes->size())};
    content.insert(content.end(), bytes->begin(), bytes->end());
    if (!arrangement.has_pool_for_each) continue;
    if (absl::Status status = end_pool(); !status.ok()) return status;
  }
  if (absl::Status status = end_pool(); !status.ok()) return status;
  return moved;
}

class MemoryTest : public PreparedCaseTest {
 public:
  MemoryTest(const CaseInMode& test_case, HalVersion version, bool has_constants)
      : PreparedCaseTest(test_case, version), way_(UntimedWayOf(test_case, version)) {
    for (const Arrangement& arrangement : Arrangements()) {
      if (IsKnown(arrangement.layout, version)) arrangements_.push_back(arrangement);
    }
    if (!has_constants) return;
    for (const ConstantArrangement& arrangement : kConstantArrangements) {
      if (IsKnown(arrangement.kind, version)) constants_.push_back(arrangement);
    }
  }

  std::string fixture() const override { return "MemoryTest"; }
  size_t steps() const override { return arrangements_.size() + constants_.size(); }

 protected:
  std::string_view preparation() const override { return arrangements_.front().check; }

  std::optional<CheckFailure> Use(ModelOnDriver& prepared, const GuardedRequest& request,
                                  TestRecord& record) const override {
    // What the request gives in ordinary memory.
    const Executed ordinary = ExecuteCase(test_case(), prepared, request, way_);
    return RunSteps(record, [&](size_t step) -> std::vector<CheckOutcome> {
      const bool is_of_arguments = step < arrangements_.size();
      if (ordinary.problem.has_value()) {
        return {{is_of_arguments ? arrangements_[step].check
                                 : constants_[step - arrangements_.size()].check,
                 absl::StrCat("ordinary memory: ", Describe(way_)), ordinary.problem}};
      }
      if (is_of_arguments) return ExecuteIn(arrangements_[step], prepared, ordinary.values);
      return PrepareIn(constants_[step - arrangements_.size()], prepared, ordinary.values);
    });
  }

 private:
  std::string DescribeIn(std::string_view arrangement) const {
    return absl::StrCat(std::string(arrangement), ": ", Describe(way_));
  }

  std::vector<CheckOutcome> ExecuteIn(const Arrangement& arrangement, ModelOnDriver& prepared,
                                      const OutputValues& ordinary) const {
    const std::string what = DescribeIn(arrangement.what);
    const MadeRequest made = MakeRequest(test_case(), version(), arrangement.layout, prepared);
    if (!made.request.has_value()) return {{arrangement.check, what, made.problem}};
    const Executed executed = ExecuteCaseAgain(test_case(), prepared, *made.request, way_);
    if (executed.problem.has_value()) return {{arrangement.check, what, executed.problem}};
    const auto wrong = [](const absl::Status& status) -> std::optional<Problem> {
      if (status.ok()) return std::nullopt;
      return Broken(
          absl::StrCat("it ", status.message(), "; expected outputs alone to be written"));
    };
    return {{arrangement.check, what,
             DifferenceOf(executed.values, "that", ordinary, "the same in ordinary memory")},
            {kInputs, what, wrong(made.request->CheckInputs())},
            {kCanaries, what, wrong(made.request->CheckGuards())}};
  }

  std::vector<CheckOutcome> PrepareIn(const ConstantArrangement& arrangement,
                                      ModelOnDriver& prepared, const OutputValues& ordinary) const {
    return {{arrangement.check, DescribeIn(arrangement.what),
             WrongWithConstants(arrangement, prepared, ordinary)}};
  }

  std::optional<Problem> WrongWithConstants(const ConstantArrangement& arrangement,
                                            ModelOnDriver& prepared,
                                            const OutputValues& ordinary) const {
    absl::StatusOr<Model> model = WithConstants(ModelInMode(test_case()), arrangement);
    if (!model.ok()) {
      return Problem{Verdict::MISSING, absl::StrCat("no model: ", model.status().message())};
    }
    const MadeRequest made = MakeRequest(test_case(), version(), {}, prepared);
    if (!made.request.has_value()) return made.problem;
    ModelOnDriver moved(prepared.session(), prepared.deadline());
    if (auto problem = moved.Prepare(std::make_shared<const Model>(*std::move(model)))) {
      // The driver has prepared the same with its constants elsewhere.
      if (problem->verdict != Verdict::BROKEN_PROMISE) return problem;
      return Broken(absl::StrCat(problem->text, "; expected a prepared model"));
    }
    const Executed executed = ExecuteCaseAgain(test_case(), moved, *made.request, way_);
    if (executed.problem.has_value()) return executed.problem;
    if (auto problem = moved.Release()) return problem;
    return DifferenceOf(executed.values, "that", ordinary, "the same with the model's own");
  }

  const ExecutionWay way_;
  std::vector<Arrangement> arrangements_;
  std::vector<ConstantArrangement> constants_;
};

// The operations of a model, with their types.
uint64_t KindOfModel(const Model& model) {
  uint64_t kind = 0;
  for (const hal::V1_2::Operation& operation : model.operations) {
    kind = CombineKinds(kind, KindOfOperation(model, operation));
  }
  return kind;
}

}  // namespace

std::vector<Check> MemoryChecks() {
  std::vector<Check> checks;
  for (const Arrangement& arrangement : Arrangements()) {
    checks.push_back({arrangement.check, arrangement.proves});
  }
  for (const ConstantArrangement& arrangement : kConstantArrangements) {
    checks.push_back({arrangement.check, arrangement.proves});
  }
  checks.push_back({kInputs, "inputs are not written to"});
  checks.push_back({kCanaries, "nothing is written beside outputs"});
  return checks;
}

std::vector<std::unique_ptr<SuiteTest>> MakeMemoryTests(absl::Span<const CaseInMode> cases,
                                                        HalVersion version) {
  std::vector<std::unique_ptr<SuiteTest>> tests;
  absl::flat_hash_set<uint64_t> kinds;
  for (const CaseInMode& test_case : cases) {
    if (!IsExecutable(test_case, version)) continue;
    const Model& model = test_case.loaded->test_case.model;
    const bool has_constants = HasConstants(model) && kinds.insert(KindOfModel(model)).second;
    tests.push_back(std::make_unique<MemoryTest>(test_case, version, has_constants));
  }
  return tests;
}

}  // namespace nncert
