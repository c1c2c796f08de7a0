// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/measuring/claims.h"

#include <algorithm>
#include <cfloat>
#include <cmath>

#include "hal/to_string.h"
#include "harness/isolation/answer.h"

namespace nncert {
namespace {

using hal::V1_2::OperandType;

constexpr char kRelaxed[] = "relaxedFloat32toFloat16PerformanceTensor";

// Has the capabilities told by one version's call, and puts them where `take` does.
template <typename Call, typename Take>
absl::StatusOr<ClaimedTimes> Ask(DriverSession& session, absl::Duration deadline, Call call,
                                 Take take) {
  const auto result = AnswerOf(session, deadline, "the driver's capabilities", call);
  if (!result.ok()) return result.status();
  ClaimedTimes claimed;
  take(result->capabilities, claimed);
  return claimed;
}

// What all earlier versions tell.
void TakeEarly(const auto& capabilities, ClaimedTimes& claimed) {
  claimed[toString(OperandType::TENSOR_FLOAT32)] = capabilities.float32Performance.execTime;
  claimed[toString(OperandType::TENSOR_QUANT8_ASYMM)] = capabilities.quantized8Performance.execTime;
}

// The driver's median time over the baseline's, each without what a call takes.
std::optional<Estimate> RatioWithout(const Estimate& call, const BenchmarkResult& benchmark,
                                     const std::string& driver, const std::string& baseline) {
  if (driver == baseline) return std::nullopt;
  for (const LatencyResult& ours : benchmark.latency) {
    if (ours.driver != driver) continue;
    for (const LatencyResult& theirs : benchmark.latency) {
      if (theirs.driver != baseline || theirs.executor != ours.executor) continue;
      const Estimate& time = ours.wall.p50;
      const Estimate& by = theirs.wall.p50;
      if (!(time.low > call.high) || !(by.low > call.high)) continue;
      // Either end of a call's time may make the ratio the smaller one.
      const auto ratio_at = [&](double one, double other, double taken) {
        return (one - taken) / (other - taken);
      };
      const Estimate ratio = {
          ratio_at(time.value, by.value, call.value),
          std::min(ratio_at(time.low, by.high, call.low), ratio_at(time.low, by.high, call.high)),
          std::max(ratio_at(time.high, by.low, call.low), ratio_at(time.high, by.low, call.high))};
      if (ratio.value > 0 && ratio.low > 0 && std::isfinite(ratio.high)) return ratio;
    }
  }
  return std::nullopt;
}

}  // namespace

absl::StatusOr<ClaimedTimes> ClaimedTimesOf(DriverSession& session, absl::Duration deadline) {
  switch (session.hal_version()) {
    case hal::HalVersion::V1_0:
      return Ask(
          session, deadline, [device = session.device()] { return device->getCapabilities(); },
          [](const hal::V1_0::Capabilities& capabilities, ClaimedTimes& claimed) {
            TakeEarly(capabilities, claimed);
          });
    case hal::HalVersion::V1_1:
      return Ask(
          session, deadline,
          [device = session.device_1_1()] { return device->getCapabilities_1_1(); },
          [](const hal::V1_1::Capabilities& capabilities, ClaimedTimes& claimed) {
            TakeEarly(capabilities, claimed);
            claimed[kRelaxed] = capabilities.relaxedFloat32toFloat16Performance.execTime;
          });
    case hal::HalVersion::V1_2:
      break;
  }
  return Ask(
      session, deadline, [device = session.device_1_2()] { return device->getCapabilities_1_2(); },
      [](const hal::V1_2::Capabilities& capabilities, ClaimedTimes& claimed) {
        for (const auto& performance : capabilities.operandPerformance) {
          claimed[toString(performance.type)] = performance.info.execTime;
        }
        claimed[kRelaxed] = capabilities.relaxedFloat32toFloat16PerformanceTensor.execTime;
      });
}

std::string TypeOfNetwork(const hal::V1_2::Model& model) {
  if (model.operations.empty() || model.operations[0].inputs.empty()) return "";
  return toString(model.operands[model.operations[0].inputs[0]].type);
}

std::string SubjectOfClaim(const hal::V1_2::Model& model) {
  const std::string type = TypeOfNetwork(model);
  const bool is_relaxed =
      model.relaxComputationFloat32toFloat16 && type == toString(OperandType::TENSOR_FLOAT32);
  return is_relaxed ? kRelaxed : type;
}

std::optional<Estimate> RatioOfTimes(const BenchmarkResult& benchmark, const std::string& driver,
                                     const std::string& baseline) {
  return RatioWithout({0, 0, 0}, benchmark, driver, baseline);
}

std::optional<Estimate> RatioOfComputing(const BenchmarkResult& benchmark,
                                         const std::string& driver, const std::string& baseline) {
  return RatioWithout(benchmark.call_time.value_or(Estimate{}), benchmark, driver, baseline);
}

std::vector<PerformanceClaim> ClaimsOf(const ClaimedTimes& claimed,
                                       absl::Span<const SpeedOnNetworks> measured) {
  std::vector<PerformanceClaim> claims;
  for (const SpeedOnNetworks& speed : measured) {
    if (speed.ratios.empty()) continue;
    Estimate logarithm;
    for (const Estimate& ratio : speed.ratios) {
      const double share = 1 / static_cast<double>(speed.ratios.size());
      logarithm.value += std::log(ratio.value) * share;
      logarithm.low += std::log(ratio.low) * share;
      logarithm.high += std::log(ratio.high) * share;
    }
    PerformanceClaim claim;
    claim.operand_type = speed.subject;
    const auto found = claimed.find(speed.subject);
    claim.claimed = found == claimed.end() ? static_cast<double>(FLT_MAX) : found->second;
    claim.measured = {std::exp(logarithm.value), std::exp(logarithm.low), std::exp(logarithm.high)};
    claims.push_back(claim);
  }
  return claims;
}

}  // namespace nncert
