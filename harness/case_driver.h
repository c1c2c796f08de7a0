// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Whom a case is run on: a driver, or what one answered before.

#ifndef NNCERT_HARNESS_CASE_DRIVER_H_
#define NNCERT_HARNESS_CASE_DRIVER_H_

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "cases/test_case.h"
#include "hal/replay/call_sequence.h"
#include "hal/v1_2/types.h"
#include "hal/version.h"
#include "harness/isolation/device_calls.h"
#include "harness/isolation/driver_calls.h"
#include "harness/isolation/driver_session.h"
#include "harness/isolation/execution_outcome.h"
#include "harness/isolation/guarded_request.h"
#include "harness/isolation/spare_pools.h"
#include "harness/records/case_answers.h"

namespace nncert {

/// One model on whom a case is run; see ModelOnDriver.
class CaseModel {
 public:
  virtual ~CaseModel() = default;

  virtual std::optional<Problem> Prepare(const std::shared_ptr<const hal::V1_2::Model>& model,
                                         Asking asking) = 0;
  virtual bool is_fully_supported() const = 0;
  virtual ExecutionOutcome Execute(GuardedRequest& request, Executor executor,
                                   hal::V1_2::MeasureTiming measure) = 0;
  virtual std::optional<Problem> Release() = 0;
};

/// A request, and how it is to be executed: ASYNC, SYNC or BURST.
struct PlannedExecution {
  GuardedRequest request;
  Executor executor = Executor::SYNC;
  hal::V1_2::MeasureTiming measure = hal::V1_2::MeasureTiming::NO;
};

/// A model as a driver gets it, and its executions in their order.
struct PlannedModel {
  std::shared_ptr<const hal::V1_2::Model> model;
  Asking asking = Asking::kFirst;
  std::vector<PlannedExecution> executions;
};

/// Whom a case is run on.
class CaseDriver {
 public:
  virtual ~CaseDriver() = default;

  /// See DriverSession.
  virtual const std::string& name() const = 0;
  virtual hal::HalVersion hal_version() const = 0;
  virtual bool HasExtension(const std::string& name) const = 0;
  virtual SparePools& spare_pools() = 0;

  /// A request of an example for it, in spare memory; see GuardedRequest::Create.
  absl::StatusOr<GuardedRequest> NewRequest(const hal::V1_2::Model& model, const Example& example,
                                            OutputSpecification outputs) {
    return GuardedRequest::Create(model, example, outputs, hal_version(), spare_pools());
  }

  /// A model that is not prepared yet, whose calls have this deadline.
  virtual std::unique_ptr<CaseModel> NewModel(absl::Duration deadline) = 0;

  /// Whether CallAtOnce can do anything.
  virtual bool CanCallAtOnce() const { return false; }

  /// Has all calls made at once that the models take, one after the other, each of which may take
  /// `deadline`: for a driver in another process that is one message instead of a dozen, and an
  /// answer. Models that are then asked just that answer by what came of it. Gives a problem when
  /// the driver is lost. Whatever else is not in order has all calls made once more, call by call:
  /// then no model IsAnswered, and their requests may have been written to.
  virtual std::optional<Problem> CallAtOnce(absl::Span<const PlannedModel* const> /*models*/,
                                            absl::Duration /*deadline*/) {
    return std::nullopt;
  }
  virtual bool IsAnswered(const PlannedModel& /*model*/) const { return false; }

  /// What the driver did that is not allowed when it was called at once; empty for nothing.
  virtual std::string ViolationAtOnce() const { return ""; }
};

/// A driver. What it answers goes to `answers`, unless that is null. References must outlive this.
class LiveCaseDriver : public CaseDriver {
 public:
  explicit LiveCaseDriver(DriverSession& session, AnswersBuilder* answers = nullptr)
      : session_(session), answers_(answers) {}

  const std::string& name() const override { return session_.name(); }
  hal::HalVersion hal_version() const override { return session_.hal_version(); }
  bool HasExtension(const std::string& name) const override { return session_.HasExtension(name); }
  SparePools& spare_pools() override { return session_.spare_pools(); }
  std::unique_ptr<CaseModel> NewModel(absl::Duration deadline) override;
  bool CanCallAtOnce() const override { return nncert::CanCallAtOnce(session_); }
  std::optional<Problem> CallAtOnce(absl::Span<const PlannedModel* const> models,
                                    absl::Duration deadline) override;
  bool IsAnswered(const PlannedModel& model) const override {
    return answered_.contains(model.model.get());
  }
  std::string ViolationAtOnce() const override { return violation_at_once_; }

 private:
  class Model;

  DriverSession& session_;
  AnswersBuilder* const answers_;
  // What CallAtOnce came to, by model; each is taken once.
  std::map<const hal::V1_2::Model*, hal::replay::SequencedAnswers> answered_;
  std::string violation_at_once_;
};

/// What is known of a driver whose answers were kept.
struct AnsweringDriver {
  hal::HalVersion hal_version = hal::HalVersion::V1_2;
  /// The names of its extensions.
  std::set<std::string> extensions = {};
};

/// The answers that a driver gave to a case, one after the other. `spare_pools` is memory for
/// requests. References must outlive this.
class AnswersAsDriver : public CaseDriver {
 public:
  AnswersAsDriver(const AnsweringDriver& driver, const CaseAnswers& answers,
                  SparePools& spare_pools)
      : driver_(driver), answers_(answers), spare_pools_(spare_pools) {}

  const std::string& name() const override { return name_; }
  hal::HalVersion hal_version() const override { return driver_.hal_version; }
  bool HasExtension(const std::string& name) const override {
    return driver_.extensions.contains(name);
  }
  SparePools& spare_pools() override { return spare_pools_; }
  std::unique_ptr<CaseModel> NewModel(absl::Duration deadline) override;

  /// Whether the case asked for these answers, all of them and no other: InvalidArgument says what
  /// is wrong. To be called at the end of the case.
  absl::Status Check() const;

 private:
  class Model;

  // The next answer; null, with an error, when it is to another question.
  const RecordedStep* Next(RecordedStep::Kind kind);
  // Notes the first error.
  void Fail(const std::string& what);

  const AnsweringDriver& driver_;
  const CaseAnswers& answers_;
  SparePools& spare_pools_;
  const std::string name_ = "the answers";
  size_t next_ = 0;
  std::string error_;
};

}  // namespace nncert

#endif  // NNCERT_HARNESS_CASE_DRIVER_H_
