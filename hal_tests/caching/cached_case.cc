// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal_tests/caching/cached_case.h"

#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "hal/to_string.h"
#include "hal_tests/caching/cache_files.h"
#include "hal_tests/cases/case_execution.h"
#include "hal_tests/cases/case_mutants.h"
#include "harness/isolation/guarded_request.h"

namespace nncert {
namespace {

using hal::CompilationCache;
using hal::V1_0::ErrorStatus;

constexpr char kRetrieve[] = "prepareModelFromCache";

Problem Missing(const absl::Status& status) {
  return {Verdict::MISSING, std::string(status.message())};
}

// How a call that may end in these ways is expected to.
std::string Describe(Acceptance acceptance) {
  std::string text;
  const auto add = [&text](bool is_so, const char* what) {
    if (is_so) absl::StrAppend(&text, text.empty() ? "" : " or ", what);
  };
  add(acceptance.same, "the model that was saved");
  add(acceptance.failure, "GENERAL_FAILURE");
  add(acceptance.invalid_argument, "INVALID_ARGUMENT");
  return text;
}

}  // namespace

CachedCase::CachedCase(DriverSession& session, absl::Duration deadline, const CaseInMode& test_case)
    : session_(session),
      deadline_(deadline),
      case_(test_case),
      model_(std::make_shared<const hal::V1_2::Model>(ModelInMode(test_case))) {}

std::optional<Problem> CachedCase::Prepare() {
  ModelOnDriver fresh(session_, deadline_);
  if (std::optional<Problem> problem = fresh.Prepare(model_)) return problem;
  if (std::optional<Problem> problem = Ask(session_, fresh, answer_)) return problem;
  Answer again;
  if (std::optional<Problem> problem = Ask(session_, fresh, again)) return problem;
  is_repeatable_ = again == answer_;
  return std::nullopt;
}

std::optional<Problem> CachedCase::Ask(DriverSession& session, ModelOnDriver& prepared,
                                       Answer& answer) const {
  const absl::StatusOr<GuardedRequest> request =
      RequestOf(case_, hal::HalVersion::V1_2, session.spare_pools());
  if (!request.ok()) return Missing(request.status());
  ExecutionOutcome outcome =
      prepared.Execute(request->request(), Executor::SYNC, hal::V1_2::MeasureTiming::NO);
  if (outcome.problem.has_value()) return outcome.problem;
  answer.status = outcome.status;
  answer.shapes = std::move(outcome.outputShapes);
  for (size_t i = 0; i < request->request().outputs.size(); ++i) {
    const absl::Span<const uint8_t> bytes = request->output(i);
    answer.outputs.emplace_back(bytes.begin(), bytes.end());
  }
  return std::nullopt;
}

std::optional<Problem> CachedCase::CheckAnswer(DriverSession& session,
                                               ModelOnDriver& prepared) const {
  Answer answer;
  if (std::optional<Problem> problem = Ask(session, prepared, answer)) return problem;
  if (!is_repeatable_ || answer == answer_) return std::nullopt;
  if (answer.status != answer_.status) {
    return Broken(absl::StrCat("an execution of the prepared model ended with ",
                               toString(answer.status), "; expected ", toString(answer_.status),
                               " as of the model that was prepared without a cache"));
  }
  if (answer.shapes != answer_.shapes) {
    return Broken(
        "an execution of the prepared model gave other output shapes; expected those of the model "
        "that was prepared without a cache");
  }
  size_t output = 0;
  while (answer.outputs[output] == answer_.outputs[output]) ++output;
  return Broken(absl::StrCat("an execution of the prepared model gave other bytes in output ",
                             output,
                             "; expected those of the model that was prepared without a cache"));
}

std::optional<Problem> CachedCase::Save(const CacheFiles& files) const {
  ModelOnDriver prepared(session_, deadline_);
  PreparationOptions options;
  options.cache = files;
  PreparationOutcome outcome =
      PrepareModel(session_, hal::HalVersion::V1_2, model_, options, deadline_);
  if (auto problem = prepared.Adopt("prepareModel_1_2", std::move(outcome))) return problem;
  return CheckAnswer(session_, prepared);
}

std::optional<Problem> CachedCase::Contents(const hal::V1_2::CacheToken& token, size_t model_files,
                                            size_t data_files, CompilationCache& contents) {
  if (const auto known = contents_.find(token); known != contents_.end()) {
    contents = known->second;
    return std::nullopt;
  }
  const absl::StatusOr<CacheFileSet> set =
      CacheFileSet::Create(RandomContents(model_files, data_files, /*size=*/0, /*seed=*/0));
  if (!set.ok()) return Missing(set.status());
  const absl::StatusOr<CacheFiles> files = set->Open(token);
  if (!files.ok()) return Missing(files.status());
  if (std::optional<Problem> problem = Save(*files)) return problem;
  absl::StatusOr<CompilationCache> saved = set->Read();
  if (!saved.ok()) return Missing(saved.status());
  contents = contents_[token] = *std::move(saved);
  return std::nullopt;
}

std::optional<Problem> CachedCase::Retrieve(DriverSession& session, const CacheFiles& files,
                                            Acceptance acceptance) const {
  PreparationOutcome outcome = PrepareModelFromCache(session, files, deadline_);
  if (outcome.problem.has_value()) return outcome.problem;
  if (outcome.status == ErrorStatus::NONE && acceptance.same) {
    ModelOnDriver prepared(session, deadline_);
    if (auto problem = prepared.Adopt(kRetrieve, std::move(outcome))) return problem;
    if (std::optional<Problem> problem = CheckAnswer(session, prepared)) return problem;
    return prepared.Release();
  }
  const bool is_expected =
      (outcome.status == ErrorStatus::GENERAL_FAILURE && acceptance.failure) ||
      (outcome.status == ErrorStatus::INVALID_ARGUMENT && acceptance.invalid_argument);
  if (!is_expected) {
    return Broken(absl::StrCat(kRetrieve, " ended with ", toString(outcome.status), "; expected ",
                               Describe(acceptance)));
  }
  if (outcome.model != nullptr) {
    return Broken(absl::StrCat(kRetrieve, " gave a prepared model together with ",
                               toString(outcome.status), "; expected null"));
  }
  return std::nullopt;
}

}  // namespace nncert
