// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/measuring/latency.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "hal/burst_controller.h"
#include "hal/utils.h"
#include "harness/isolation/driver_calls.h"
#include "harness/isolation/guarded_request.h"
#include "mlts/measuring/network_on_driver.h"
#include "mlts/metrics/intervals.h"
#include "mlts/metrics/summarize.h"
#include "mlts/network.h"
#include "reference/model_builder.h"

namespace nncert {
namespace {

using hal::V1_2::MeasureTiming;
using Outcome = CheckResult::Outcome;
using Clock = std::chrono::steady_clock;

// What a driver leaves out of its timing.
constexpr uint64_t kNoTime = UINT64_MAX;
// A driver that counts whole microseconds may round them up.
constexpr double kRounding = 1;
// By how much latency may grow over a pass.
constexpr double kMostGrowth = 1.2;
// What must be noticed: when growth may be as much, by its interval, nothing is told of it.
constexpr double kNoticedGrowth = 2;
// How much longer inputs may take that were not seen before, of how many the times are taken, and
// how often what takes longer is looked at.
constexpr double kMostForNewInputs = 1.5;
constexpr size_t kNewInputs = 24;
constexpr size_t kLooksAtNewInputs = 2;
// In how many passes at most growth is told from a busy machine's noise.
constexpr size_t kMostLooks = 5;

// What a driver says of its own time.
struct ReportedTimes {
  std::vector<double> in_driver;
  std::vector<double> on_device;
  uint64_t reports = 0;
  uint64_t wrong = 0;
  std::string first_wrong;

  void Add(const TimedExecution& execution) {
    const uint64_t in_driver_time = execution.timing.timeInDriver;
    const uint64_t on_device_time = execution.timing.timeOnDevice;
    if (in_driver_time == kNoTime && on_device_time == kNoTime) return;
    ++reports;
    if (in_driver_time != kNoTime) in_driver.push_back(static_cast<double>(in_driver_time));
    if (on_device_time != kNoTime) on_device.push_back(static_cast<double>(on_device_time));
    const double wall = execution.microseconds;
    std::string error;
    if (in_driver_time != kNoTime && static_cast<double>(in_driver_time) > wall + kRounding) {
      error = absl::StrFormat("%d us in the driver, where %.0f passed", in_driver_time, wall);
    } else if (on_device_time != kNoTime &&
               static_cast<double>(on_device_time) > wall + kRounding) {
      error = absl::StrFormat("%d us on the device, where %.0f passed", on_device_time, wall);
    } else if (in_driver_time != kNoTime && on_device_time != kNoTime &&
               on_device_time > in_driver_time) {
      error = absl::StrFormat("%d us on the device, and %d in the driver", on_device_time,
                              in_driver_time);
    }
    if (error.empty()) return;
    if (++wrong == 1) first_wrong = std::move(error);
  }

  void Add(const ReportedTimes& others) {
    if (wrong == 0) first_wrong = others.first_wrong;
    reports += others.reports;
    wrong += others.wrong;
  }
};

// One driver executing in one way.
class Runner {
 public:
  static absl::StatusOr<std::unique_ptr<Runner>> Create(const NetworkArguments& arguments,
                                                        const TimedDriver& driver,
                                                        Executor executor,
                                                        absl::Duration deadline) {
    absl::StatusOr<std::unique_ptr<NetworkOnDriver>> network =
        NetworkOnDriver::Prepare(*driver.session, arguments, deadline);
    if (!network.ok()) return network.status();
    absl::StatusOr<std::unique_ptr<TimedRequests>> requests =
        TimedRequests::Create(*driver.session, arguments, driver.inferences);
    if (!requests.ok()) return requests.status();
    std::unique_ptr<Runner> runner(new Runner(driver, executor, *std::move(network)));
    runner->requests_ = *std::move(requests);
    if (executor == Executor::BURST) {
      OpenedBurst opened = runner->network_->on_driver().OpenBurst(
          {.lengths = hal::LengthsFor(runner->requests_->first())});
      if (opened.problem.has_value()) return StatusOfProblem(*opened.problem);
      runner->burst_ = std::move(opened.burst);
    }
    absl::StatusOr<double> first = runner->ExecuteOnce();
    if (!first.ok()) return first.status();
    runner->first_ = *first;
    return runner;
  }

  // Executes until both the time and the count are reached, or the most. `times` may be null.
  absl::Status ExecuteFor(absl::Duration time, size_t count, size_t most,
                          std::vector<double>* times) {
    const double end = absl::ToDoubleMicroseconds(time);
    const Clock::time_point start = Clock::now();
    for (size_t i = 0; i < most && (i < count || MicrosecondsSince(start) < end); ++i) {
      const absl::StatusOr<double> microseconds = ExecuteOnce();
      if (!microseconds.ok()) return microseconds.status();
      if (times != nullptr) times->push_back(*microseconds);
    }
    return absl::OkStatus();
  }

  // A turn of a measurement, whose shortest time is kept: whatever else the machine does makes
  // times longer.
  absl::Status TakeTurn(const TimingPlan& plan) {
    std::vector<double> times;
    const double turns = static_cast<double>(std::max<size_t>(plan.turns, 1));
    const size_t count = static_cast<size_t>(std::ceil(static_cast<double>(plan.count) / turns));
    if (absl::Status status = ExecuteFor(plan.time / turns, std::max<size_t>(count, 1),
                                         std::max<size_t>(plan.most / plan.turns, 1), &times);
        !status.ok()) {
      return status;
    }
    shortest_.push_back(*std::min_element(times.begin(), times.end()));
    times_.insert(times_.end(), times.begin(), times.end());
    return absl::OkStatus();
  }

  // Gives the network back to the driver.
  absl::Status End() {
    if (burst_ != nullptr) {
      if (absl::Status status = burst_->Close(); !status.ok()) return status;
      burst_ = nullptr;
    }
    return network_->Release();
  }

  LatencyResult Result() const {
    LatencyResult result;
    result.driver = driver_.name;
    result.executor = absl::AsciiStrToLower(std::string(toString(executor_)));
    result.first = first_;
    result.wall = Summarize(times_);
    if (!reported_.in_driver.empty()) result.time_in_driver = Summarize(reported_.in_driver);
    if (!reported_.on_device.empty()) result.time_on_device = Summarize(reported_.on_device);
    return result;
  }

  const ReportedTimes& reported() const { return reported_; }
  const TimedAnswers& answers() const { return requests_->answers(); }
  // The shortest time of each turn.
  const std::vector<double>& shortest() const { return shortest_; }
  const std::string& name() const { return driver_.name; }

 private:
  Runner(const TimedDriver& driver, Executor executor, std::unique_ptr<NetworkOnDriver> network)
      : driver_(driver), executor_(executor), network_(std::move(network)) {}

  absl::StatusOr<double> ExecuteOnce() {
    const bool is_asked = (executions_++ / driver_.inferences.size()) % 2 == 1 &&
                          driver_.session->hal_version() >= hal::HalVersion::V1_2;
    const absl::StatusOr<TimedExecution> execution =
        requests_->Execute(network_->on_driver(), executor_, burst_.get(),
                           is_asked ? MeasureTiming::YES : MeasureTiming::NO);
    if (!execution.ok()) return execution.status();
    if (is_asked) reported_.Add(*execution);
    return execution->microseconds;
  }

  const TimedDriver& driver_;
  const Executor executor_;
  std::unique_ptr<NetworkOnDriver> network_;
  std::unique_ptr<TimedRequests> requests_;
  std::unique_ptr<BurstOnDriver> burst_;
  uint64_t executions_ = 0;
  double first_ = 0;
  std::vector<double> times_;
  std::vector<double> shortest_;
  ReportedTimes reported_;
};

// Bytes of an input that has not been seen before, and computes to about the same: the lowest byte
// of one element is another one. `number` is below 255 times the elements.
TensorBytes Varied(TensorBytes bytes, size_t element_size, size_t number) {
  const size_t elements = bytes.size() / element_size;
  if (elements == 0) return bytes;
  bytes[number % elements * element_size] ^= static_cast<uint8_t>(1 + number / elements);
  return bytes;
}

// Whether a driver takes longer for inputs that it has not seen than for those that it has, which
// one that keeps results does. Both kinds are executed by turns, in memory that is new each time.
class NewInputs {
 public:
  NewInputs(const NetworkArguments& arguments, const TimedDriver& driver, absl::Duration deadline)
      : arguments_(arguments), driver_(driver), deadline_(deadline) {}

  absl::StatusOr<CheckResult> Check() {
    CheckResult check{.name = "new inputs", .outcome = Outcome::PASS, .detail = ""};
    if (TypeOfInput() == hal::V1_2::OperandType::TENSOR_INT32) {
      check.outcome = Outcome::NOT_RUN;
      check.detail = "other integers may be no inputs of the network";
      return check;
    }
    absl::StatusOr<std::unique_ptr<NetworkOnDriver>> network =
        NetworkOnDriver::Prepare(*driver_.session, arguments_, deadline_);
    if (!network.ok()) return network.status();
    Estimate ratio;
    for (size_t look = 0; look < kLooksAtNewInputs; ++look) {
      if (absl::Status status = Measure(**network); !status.ok()) return status;
      ratio = RatioOfMedians(new_, known_);
      if (!(ratio.low > kMostForNewInputs)) break;
      if (look + 1 == kLooksAtNewInputs) check.outcome = Outcome::FAIL;
    }
    check.detail = absl::StrFormat(
        "%.3g [%.3g, %.3g] times as long for inputs that were not seen before; at most %g",
        ratio.value, ratio.low, ratio.high, kMostForNewInputs);
    if (absl::Status status = (*network)->Release(); !status.ok()) return status;
    return check;
  }

 private:
  // Adds to the times, which are put in order.
  absl::Status Measure(NetworkOnDriver& network) {
    const Inference& known = driver_.inferences.front();
    for (size_t i = 0; i < kNewInputs; ++i) {
      Inference varied = known;
      varied.inputs[0] = Varied(std::move(varied.inputs[0]), ElementSize(), ++variations_);
      for (const bool is_new : {true, false}) {
        const absl::StatusOr<double> time = TimeOf(network, is_new ? varied : known);
        if (!time.ok()) return time.status();
        (is_new ? new_ : known_).push_back(*time);
      }
    }
    std::sort(new_.begin(), new_.end());
    std::sort(known_.begin(), known_.end());
    return absl::OkStatus();
  }

  absl::StatusOr<double> TimeOf(NetworkOnDriver& network, const Inference& inference) {
    const hal::V1_2::Model& model = *arguments_.model();
    const hal::HalVersion version = driver_.session->hal_version();
    const absl::StatusOr<GuardedRequest> request = GuardedRequest::Create(
        model, arguments_.ExampleOf(inference), OutputSpecification::FULLY_SPECIFIED, version,
        driver_.session->spare_pools());
    if (!request.ok()) return request.status();
    const Clock::time_point start = Clock::now();
    const ExecutionOutcome outcome =
        network.on_driver().Execute(request->request(), PlainExecutor(version), MeasureTiming::NO);
    const double time = MicrosecondsSince(start);
    if (absl::Status status = CheckOutcome(model, outcome); !status.ok()) return status;
    return time;
  }

  size_t ElementSize() const {
    return std::max<size_t>(hal::nonExtensionElementSize(TypeOfInput()), 1);
  }

  hal::V1_2::OperandType TypeOfInput() const {
    const hal::V1_2::Model& model = *arguments_.model();
    return model.operands[model.inputIndexes[0]].type;
  }

  const NetworkArguments& arguments_;
  const TimedDriver& driver_;
  const absl::Duration deadline_;
  size_t variations_ = 0;
  std::vector<double> new_;
  std::vector<double> known_;
};

// How many times as slow the one driver is at the end of some turns as it was at their beginning,
// by the other.
Estimate GrowthOf(absl::Span<const double> times, absl::Span<const double> by) {
  std::vector<double> logarithms;
  for (size_t i = 0; i < times.size(); ++i) {
    logarithms.push_back(std::log(times[i] / (by.empty() ? 1 : by[i])));
  }
  const Estimate slope = SlopeOf(logarithms);
  const double turns = static_cast<double>(times.size()) - 1;
  return {std::exp(slope.value * turns), std::exp(slope.low * turns), std::exp(slope.high * turns)};
}

// A network of one element on each driver: its time is what a call takes. To compute takes none.
class CallTimer {
 public:
  CallTimer(absl::Span<const TimedDriver> drivers, Executor executor, absl::Duration deadline) {
    const OperandSpec one = {hal::V1_2::OperandType::TENSOR_FLOAT32, {1, 1}};
    ModelBuilder builder;
    const uint32_t input = builder.Input(one);
    builder.Operation(hal::V1_2::OperationType::RELU, {input}, {builder.Output(one)});
    Network network;
    network.name = "one element";
    network.model = builder.model();
    absl::StatusOr<NetworkArguments> arguments = NetworkArguments::Of(network);
    if (!arguments.ok()) return;
    arguments_ = std::make_unique<NetworkArguments>(*std::move(arguments));
    drivers_.reserve(drivers.size());
    for (const TimedDriver& driver : drivers) Add(driver, executor, deadline);
  }

  // A driver that fails here is left out; it has networks of more elements to fail at.
  void TakeTurn(const TimingPlan& plan) {
    std::erase_if(runners_, [&](const std::unique_ptr<Runner>& runner) {
      return !runner->TakeTurn(plan).ok();
    });
  }

  // Of the driver that answers soonest; nothing when none does.
  std::optional<Estimate> Time() const {
    std::optional<Estimate> shortest;
    for (const std::unique_ptr<Runner>& runner : runners_) {
      const Estimate time = runner->Result().wall.p50;
      if (!shortest.has_value() || time.value < shortest->value) shortest = time;
    }
    return shortest;
  }

  void End() {
    for (const std::unique_ptr<Runner>& runner : runners_) static_cast<void>(runner->End());
    runners_.clear();
  }

 private:
  void Add(const TimedDriver& driver, Executor executor, absl::Duration deadline) {
    Inference inference;
    inference.inputs = {TensorBytes(sizeof(float), 0)};
    inference.outputs = inference.inputs;
    drivers_.push_back({driver.name, driver.session, {inference}});
    absl::StatusOr<std::unique_ptr<Runner>> runner =
        Runner::Create(*arguments_, drivers_.back(), executor, deadline);
    if (runner.ok()) runners_.push_back(*std::move(runner));
  }

  std::unique_ptr<NetworkArguments> arguments_;
  std::vector<TimedDriver> drivers_;
  std::vector<std::unique_ptr<Runner>> runners_;
};

// Several drivers executing in one way.
class Race {
 public:
  Race(const NetworkArguments& arguments, absl::Span<const TimedDriver> drivers, Executor executor,
       const TimingPlan& plan, absl::Duration deadline, LatencyMeasurement& measurement)
      : arguments_(arguments),
        drivers_(drivers),
        executor_(executor),
        plan_(plan),
        deadline_(deadline),
        measurement_(measurement) {}

  absl::Status Run() {
    for (const TimedDriver& driver : drivers_) {
      const hal::HalVersion version = driver.session->hal_version();
      if (version < hal::HalVersion::V1_2 && executor_ != Executor::ASYNC) continue;
      absl::StatusOr<std::unique_ptr<Runner>> runner =
          Runner::Create(arguments_, driver, executor_, deadline_);
      if (runner.ok()) {
        runners_.push_back(*std::move(runner));
      } else if (absl::Status status = Lose(driver.name, runner.status()); !status.ok()) {
        return status;
      }
    }
    if (measurement_.results.empty()) {
      calls_ = std::make_unique<CallTimer>(drivers_, executor_, deadline_);
    }
    if (absl::Status status = ForEach([&](Runner& runner) {
          return runner.ExecuteFor(plan_.warm_up, 1, plan_.most, nullptr);
        });
        !status.ok()) {
      return status;
    }
    return TakeTurns();
  }

  // Whether latency grows from turn to turn: what seems so is looked at again, until it is certain
  // twice, and so is what a busy machine's noise leaves open.
  absl::StatusOr<CheckResult> CheckGrowth() {
    CheckResult check{.name = "steady latency", .outcome = Outcome::NOT_RUN, .detail = ""};
    if (plan_.turns < 4 || runners_.empty() || runners_.front()->name() != drivers_.front().name) {
      check.detail = "there were too few turns";
      return check;
    }
    Estimate growth = Growth(plan_.turns);
    bool grows = false;
    std::string conclusion;
    for (size_t looks = 1; looks < kMostLooks && (growth.value > kMostGrowth || IsUntold(growth));
         ++looks) {
      const bool was_certain = growth.low > kMostGrowth;
      if (absl::Status status = TakeTurns(); !status.ok()) return status;
      // What grows with each execution does so ever more slowly in proportion, so that the
      // baseline's noise may hide it: then the driver's times tell by themselves.
      const bool goes_on = Growth(plan_.turns).value > 1 || GrowthAlone(plan_.turns).low > 1;
      growth = Growth((looks + 1) * plan_.turns);
      if (was_certain && goes_on && growth.low > kMostGrowth) {
        grows = true;
        break;
      }
      conclusion = ", but not certainly when looked at again";
    }
    if (grows) {
      check.outcome = Outcome::FAIL;
      conclusion = ": it is slower each time";
    } else if (IsUntold(growth)) {
      conclusion = absl::StrFormat(", so that even %g times as slow is possible", kNoticedGrowth);
    } else {
      check.outcome = Outcome::PASS;
    }
    check.detail = absl::StrFormat(
        "%.3g [%.3g, %.3g] times as slow at the end as at the beginning%s; at most %g%s",
        growth.value, growth.low, growth.high,
        runners_.size() > 1 ? absl::StrCat(", against ", runners_[1]->name()) : "", kMostGrowth,
        conclusion);
    return check;
  }

  // Gives all networks back, and adds what was measured.
  absl::Status End(ReportedTimes& reported) {
    if (calls_ != nullptr) {
      measurement_.call_time = calls_->Time();
      calls_->End();
    }
    for (const std::unique_ptr<Runner>& runner : runners_) {
      measurement_.results.push_back(runner->Result());
      if (runner->name() != drivers_.front().name) continue;
      measurement_.answers.Add(runner->answers());
      reported.Add(runner->reported());
    }
    return ForEach([](Runner& runner) { return runner.End(); });
  }

 private:
  absl::Status TakeTurns() {
    for (size_t turn = 0; turn < plan_.turns; ++turn) {
      if (absl::Status status = ForEach([&](Runner& runner) { return runner.TakeTurn(plan_); });
          !status.ok()) {
        return status;
      }
      if (calls_ != nullptr) calls_->TakeTurn(CallPlan());
    }
    return absl::OkStatus();
  }

  // A call takes so little time that a fraction of the turns says enough.
  TimingPlan CallPlan() const {
    TimingPlan plan = plan_;
    plan.time = plan_.time / 5;
    return plan;
  }

  // The runner's shortest times of the last turns.
  static absl::Span<const double> Last(const Runner& runner, size_t turns) {
    return absl::MakeConstSpan(runner.shortest()).last(turns);
  }

  // Over the last turns, by the first baseline.
  Estimate Growth(size_t turns) const {
    if (runners_.size() < 2) return GrowthAlone(turns);
    return GrowthOf(Last(*runners_.front(), turns), Last(*runners_[1], turns));
  }

  // Over the last turns, whatever the machine does meanwhile.
  Estimate GrowthAlone(size_t turns) const { return GrowthOf(Last(*runners_.front(), turns), {}); }

  static bool IsUntold(const Estimate& growth) { return growth.high > kNoticedGrowth; }

  // A baseline that fails is left out; the driver is not.
  absl::Status Lose(const std::string& name, const absl::Status& status) {
    if (name == drivers_.front().name) return status;
    measurement_.problems.push_back(absl::StrCat(
        "the latency of ", name, " (", std::string(toString(executor_)), "): ", status.message()));
    return absl::OkStatus();
  }

  template <typename Action>
  absl::Status ForEach(Action action) {
    for (size_t i = 0; i < runners_.size();) {
      const absl::Status done = action(*runners_[i]);
      if (done.ok()) {
        ++i;
        continue;
      }
      if (absl::Status status = Lose(runners_[i]->name(), done); !status.ok()) return status;
      runners_.erase(runners_.begin() + static_cast<std::ptrdiff_t>(i));
    }
    return absl::OkStatus();
  }

  const NetworkArguments& arguments_;
  const absl::Span<const TimedDriver> drivers_;
  const Executor executor_;
  const TimingPlan& plan_;
  const absl::Duration deadline_;
  LatencyMeasurement& measurement_;
  std::vector<std::unique_ptr<Runner>> runners_;
  std::unique_ptr<CallTimer> calls_;  // null in all ways but the first
};

CheckResult CheckReported(const ReportedTimes& reported) {
  CheckResult check{.name = "driver-reported timing", .outcome = Outcome::PASS, .detail = ""};
  if (reported.reports == 0) {
    check.outcome = Outcome::NOT_RUN;
    check.detail = "the driver reports no times";
    return check;
  }
  check.detail = absl::StrCat(reported.reports - reported.wrong, " of ", reported.reports,
                              " reports are possible by our clock");
  if (reported.wrong > 0) {
    check.outcome = Outcome::FAIL;
    absl::StrAppend(&check.detail, "; the first that is not: ", reported.first_wrong);
  }
  return check;
}

}  // namespace

absl::StatusOr<LatencyMeasurement> MeasureLatency(const NetworkArguments& arguments,
                                                  absl::Span<const TimedDriver> drivers,
                                                  const TimingPlan& plan, absl::Duration deadline) {
  LatencyMeasurement measurement;
  ReportedTimes reported;
  const bool is_1_2 = drivers.front().session->hal_version() >= hal::HalVersion::V1_2;
  const std::vector<Executor> executors =
      is_1_2 ? std::vector<Executor>{Executor::SYNC, Executor::ASYNC, Executor::BURST}
             : std::vector<Executor>{Executor::ASYNC};
  std::optional<CheckResult> growth;
  for (const Executor executor : executors) {
    Race race(arguments, drivers, executor, plan, deadline, measurement);
    if (absl::Status status = race.Run(); !status.ok()) return status;
    if (!growth.has_value()) {
      absl::StatusOr<CheckResult> check = race.CheckGrowth();
      if (!check.ok()) return check.status();
      growth = *std::move(check);
    }
    if (absl::Status status = race.End(reported); !status.ok()) return status;
  }
  measurement.checks.push_back(CheckReported(reported));
  absl::StatusOr<CheckResult> new_inputs = NewInputs(arguments, drivers.front(), deadline).Check();
  if (!new_inputs.ok()) return new_inputs.status();
  measurement.checks.push_back(*std::move(new_inputs));
  if (growth.has_value()) measurement.checks.push_back(*std::move(growth));
  return measurement;
}

CheckResult CheckTimedAnswers(const TimedAnswers& answers, size_t inferences) {
  CheckResult check{.name = "outputs when timed", .outcome = Outcome::PASS, .detail = ""};
  if (answers.executions == 0) {
    check.outcome = Outcome::NOT_RUN;
    check.detail = "nothing was timed";
    return check;
  }
  check.detail = absl::StrCat(answers.executions - answers.wrong, " of ", answers.executions,
                              " as when not timed, for ", inferences, " inputs in turn");
  if (answers.wrong == 0) return check;
  check.outcome = Outcome::FAIL;
  if (answers.previous > 0) {
    absl::StrAppend(&check.detail, "; ", answers.previous,
                    " are the result of the inference before");
  }
  absl::StrAppend(&check.detail, "; the first: ", answers.first);
  return check;
}

}  // namespace nncert
