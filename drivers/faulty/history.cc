// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "drivers/faulty/history.h"

#include <algorithm>

#include "absl/time/time.h"
#include "hal/deadline.h"

namespace nncert::faulty {
namespace {

// How much longer a call lasts for the others to meet it. Every call of a driver that waits for
// others lasts that long, and suites make thousands.
constexpr absl::Duration kMoment = absl::Milliseconds(3);

}  // namespace

size_t History::KindOf(const hal::V1_2::Model& model) {
  const auto known = std::find_if(kinds_.begin(), kinds_.end(), [&](const auto& kind) {
    return kind.operands == model.operands && kind.operations == model.operations &&
           kind.operandValues == model.operandValues && kind.inputIndexes == model.inputIndexes &&
           kind.outputIndexes == model.outputIndexes;
  });
  const size_t number = static_cast<size_t>(known - kinds_.begin());
  if (known == kinds_.end()) {
    kinds_.push_back(model);
    kinds_.back().pools.clear();
  }
  return number;
}

bool History::HasOthers(size_t kind) const {
  return std::any_of(living_.begin(), living_.end(),
                     [&](const auto& each) { return each.second.kind != kind; });
}

bool History::HasOperation(size_t kind, hal::V1_2::OperationType type) const {
  const std::vector<hal::V1_2::Operation>& operations = kinds_[kind].operations;
  return std::any_of(operations.begin(), operations.end(),
                     [type](const auto& operation) { return operation.type == type; });
}

History::Call History::BeginPreparation(const hal::V1_2::Model& model) {
  const std::lock_guard<std::mutex> lock(mutex_);
  Running begun;
  begun.moment.call = Moment::Call::kPreparation;
  for (auto& [call, other] : running_) {
    other.moment.meets_preparation = true;
    begun.moment.meets_preparation |= other.moment.call == Moment::Call::kPreparation;
  }
  const std::set<PreparedModel>& witnesses = witnesses_[KindOf(model)];
  begun.moment.returns = std::any_of(witnesses.begin(), witnesses.end(),
                                     [this](auto witness) { return living_.count(witness) > 0; });
  const Call number = next_++;
  running_[number] = begun;
  changed_.notify_all();
  return number;
}

History::PreparedModel History::AddPreparedModel(const hal::V1_2::Model& model) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const PreparedModel number = next_++;
  living_[number].kind = KindOf(model);
  return number;
}

History::Call History::BeginExecution(PreparedModel model, bool is_asynchronous, bool is_burst) {
  const std::lock_guard<std::mutex> lock(mutex_);
  Living& own = living_[model];
  Running begun;
  begun.model = model;
  begun.kind = own.kind;
  begun.is_asynchronous = is_asynchronous;
  begun.moment.call = is_burst ? Moment::Call::kBurst : Moment::Call::kExecution;
  begun.moment.others_live = HasOthers(own.kind);
  begun.moment.has_lost_other = own.has_lost_other;
  begun.moment.has_left_burst = own.has_left_burst;
  begun.moment.executions = ++executions_;
  begun.moment.is_tanh_after_floor =
      has_executed_floor_ && HasOperation(own.kind, hal::V1_2::OperationType::TANH);
  has_executed_floor_ |= HasOperation(own.kind, hal::V1_2::OperationType::FLOOR);
  for (auto& [call, other] : running_) {
    if (other.moment.call == Moment::Call::kPreparation) {
      begun.moment.meets_preparation = true;
      continue;
    }
    if (other.model == model) {
      if (is_asynchronous && other.is_asynchronous) continue;
      other.moment.meets_execution = begun.moment.meets_execution = true;
    } else if (other.kind == own.kind) {
      other.moment.meets_execution_of_twin = begun.moment.meets_execution_of_twin = true;
    } else {
      other.moment.meets_execution_of_other = begun.moment.meets_execution_of_other = true;
    }
  }
  own.has_left_burst = !is_burst && own.has_burst;
  own.has_burst |= is_burst;
  own.is_executed_otherwise |= !is_burst;
  const Call number = next_++;
  running_[number] = begun;
  changed_.notify_all();
  return number;
}

bool History::End(Call call, const Interference& interference) {
  std::unique_lock<std::mutex> lock(mutex_);
  const auto running = running_.find(call);
  if (running == running_.end()) return false;
  const Moment& moment = running->second.moment;
  const hal::Deadline deadline(interference.waits ? kMoment : absl::ZeroDuration());
  const bool happens = deadline.Await(changed_, lock, [&] { return interference.happens(moment); });
  running_.erase(call);
  return happens;
}

bool History::Release(PreparedModel model, const Interference& interference) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const Living own = living_[model];
  living_.erase(model);
  Moment moment;
  moment.call = Moment::Call::kRelease;
  moment.others_live = HasOthers(own.kind);
  moment.is_versatile = own.has_burst && own.is_executed_otherwise;
  for (auto& [call, running] : running_) {
    if (running.moment.call != Moment::Call::kPreparation && running.model == model) {
      running.moment.meets_release = moment.meets_release = true;
    }
  }
  witnesses_[own.kind].clear();
  outlivers_.clear();
  for (auto& [number, other] : living_) {
    outlivers_.insert(number);
    if (other.kind == own.kind) continue;
    witnesses_[own.kind].insert(number);
    other.has_lost_other |= number < model;
  }
  changed_.notify_all();
  return interference.happens(moment);
}

bool History::ExecuteInvalid(PreparedModel model, const Interference& interference) {
  const std::lock_guard<std::mutex> lock(mutex_);
  Moment moment;
  moment.call = Moment::Call::kInvalid;
  moment.others_live = HasOthers(living_[model].kind);
  return interference.happens(moment);
}

bool History::AskCapabilities(const Interference& interference) {
  const std::lock_guard<std::mutex> lock(mutex_);
  std::set<size_t> kinds;
  for (const PreparedModel outliver : outlivers_) {
    const auto living = living_.find(outliver);
    if (living != living_.end()) kinds.insert(living->second.kind);
  }
  Moment moment;
  moment.call = Moment::Call::kCapabilities;
  moment.two_outlived_another = kinds.size() > 1;
  return interference.happens(moment);
}

}  // namespace nncert::faulty
