// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal_tests/burst/validate_burst.h"

#include <cstdint>
#include <optional>
#include <string>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "hal/burst_controller.h"
#include "hal/burst_packet.h"
#include "hal_tests/burst/burst_run.h"
#include "hal_tests/burst/burst_scenarios.h"
#include "hal_tests/cases/case_execution.h"
#include "hal_tests/cases/case_mutants.h"
#include "hal_tests/mutations/burst_mutations.h"
#include "hal_tests/mutations/mutation_kind.h"
#include "harness/isolation/driver_calls.h"
#include "harness/isolation/guarded_request.h"

namespace nncert {
namespace {

using hal::HalVersion;
using hal::V1_2::MeasureTiming;
using hal::V1_2::Model;
using Lost = BurstRun::Lost;

class BurstTest : public PreparedCaseTest {
 public:
  using PreparedCaseTest::PreparedCaseTest;

  std::string fixture() const override { return "ValidationTest"; }
  size_t steps() const override { return steps_.size(); }

  // Chooses the scenarios and the mutations. Without memory for a request there are none.
  void Plan(SparePools& spares, absl::flat_hash_set<uint64_t>& kinds) {
    const absl::StatusOr<GuardedRequest> request = RequestOf(test_case(), version(), spares);
    if (!request.ok()) return;
    std::vector<int32_t> slots;
    for (size_t i = 0; i < request->request().pools.size(); ++i) {
      slots.push_back(static_cast<int32_t>(i));
    }
    const BurstPacket packet =
        hal::serializeBurstRequest(request->request(), slots, MeasureTiming::YES);
    MutationChoice choice(kinds, full_name());
    for (const BurstScenario& scenario : BurstScenarios()) {
      choice.Add(CombineKinds(KindOfText(scenario.check.name), KindOfPacket(packet)));
    }
    ForEachBurstMutation(packet, hal::LengthsFor(request->request()).request_elements,
                         [&](const BurstMutation& mutation) { choice.Add(mutation.kind); });
    steps_ = choice.Chosen();
  }

 protected:
  std::string_view preparation() const override { return kAfterInvalid; }

  Lost Use(ModelOnDriver& prepared, const GuardedRequest& request,
           TestRecord& record) const override {
    BurstRun run(prepared, request.request(), record);
    for (; record.next < steps_.size(); ++record.next) {
      if (Lost lost = run.Begin()) return lost;
      if (run.burst() == nullptr) {
        // Nothing is known of what it should do.
        record.next = steps_.size();
        return std::nullopt;
      }
      const uint32_t step = steps_[record.next];
      if (step >= BurstScenarios().size()) {
        if (Lost lost = SendMutants(run)) return lost;
        return std::nullopt;
      }
      if (Lost lost = BurstScenarios()[step].play(run)) return lost;
    }
    return std::nullopt;
  }

 private:
  // The mutations that are left.
  Lost SendMutants(BurstRun& run) const {
    const Model model = ModelInMode(test_case());
    const BurstPacket valid = run.packet();
    const std::vector<int32_t> slots = SlotsOf(valid);
    size_t& next = run.record().next;
    Lost lost;
    auto number = static_cast<uint32_t>(BurstScenarios().size());
    ForEachBurstMutation(
        valid, hal::LengthsFor(run.valid()).request_elements, [&](const BurstMutation& mutation) {
          if (lost.has_value() || next >= steps_.size() || steps_[next] != number++) return;
          BurstPacket mutant = valid;
          mutation.apply(mutant);
          const absl::Status why = WhyInvalid(mutant, run.valid(), slots, model);
          if (why.ok()) {
            ++run.record().counts[mutation.family.name].skipped;
          } else {
            lost = SendMutant(run, mutation, why, mutant);
            if (lost.has_value()) return;
          }
          ++next;
        });
    return lost;
  }

  static Lost SendMutant(BurstRun& run, const BurstMutation& mutation, const absl::Status& why,
                         const BurstPacket& mutant) {
    if (Lost lost = run.Begin()) return lost;
    // That it cannot be opened has been recorded.
    if (run.burst() == nullptr) return std::nullopt;
    const std::string what = absl::StrCat(mutation.describe(), " (", why.message(), ")");
    bool is_refused = false;
    if (Lost lost = run.SendInvalid(mutation.family.name, what, *run.burst(), mutant, is_refused)) {
      return lost;
    }
    if (is_refused) run.Pass(mutation.family.name);
    return run.SendValidAfter(what);
  }

  // What is done: a scenario, or behind these a mutation, by its place among all of the packet.
  std::vector<uint32_t> steps_;
};

}  // namespace

std::vector<Check> BurstChecks() {
  std::vector<Check> checks;
  for (const BurstMutationFamily& family : BurstMutationFamilies()) {
    checks.push_back({family.name, family.breaks});
  }
  for (const BurstScenario& scenario : BurstScenarios()) checks.push_back(scenario.check);
  checks.insert(
      checks.end(),
      {{kSanitized, "no byte of an answer tells of the driver's memory"},
       {kNoResult, "what is refused is answered without output shapes and times"},
       {kAfterInvalid, "the burst executes a valid request as before after an invalid one"}});
  return checks;
}

std::vector<std::unique_ptr<SuiteTest>> MakeBurstTests(absl::Span<const CaseInMode> cases,
                                                       HalVersion version) {
  std::vector<std::unique_ptr<SuiteTest>> tests;
  if (version < HalVersion::V1_2) return tests;
  SparePools spares;
  absl::flat_hash_set<uint64_t> kinds;
  for (const CaseInMode& test_case : cases) {
    if (!IsExecutable(test_case, version)) continue;
    auto test = std::make_unique<BurstTest>(test_case, version);
    test->Plan(spares, kinds);
    tests.push_back(std::move(test));
  }
  return tests;
}

}  // namespace nncert
