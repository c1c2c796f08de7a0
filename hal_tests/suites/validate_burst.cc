// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal_tests/suites/validate_burst.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "hal/burst_controller.h"
#include "hal/burst_packet.h"
#include "hal/memory.h"
#include "hal/message_queue.h"
#include "hal/to_string.h"
#include "hal_tests/cases/case_execution.h"
#include "hal_tests/cases/case_mutants.h"
#include "hal_tests/mutations/burst_mutations.h"
#include "hal_tests/mutations/mutation_kind.h"
#include "harness/isolation/burst_calls.h"
#include "harness/isolation/driver_calls.h"
#include "harness/isolation/guarded_request.h"

namespace nncert {
namespace {

using hal::HalVersion;
using hal::Mapping;
using hal::Memory;
using hal::MQDescriptorSync;
using hal::V1_0::ErrorStatus;
using hal::V1_0::Request;
using hal::V1_0::RequestArgument;
using hal::V1_2::FmqRequestDatum;
using hal::V1_2::FmqResultDatum;
using hal::V1_2::GetMemoriesResult;
using hal::V1_2::IBurstCallback;
using hal::V1_2::MeasureTiming;
using hal::V1_2::Model;

constexpr std::string_view kPadding = "ignorePaddingTest";
constexpr std::string_view kFreeUnknown = "freeUnknownMemoryTest";
constexpr std::string_view kFree = "freeMemoryTest";
constexpr std::string_view kMemories = "mutateMemoriesTest";
constexpr std::string_view kResultLength = "fmqLengthTest";
constexpr std::string_view kRequestLength = "requestLengthTest";
constexpr std::string_view kConfiguration = "mutateConfigurationTest";
constexpr std::string_view kRepeated = "repeatInvalidTest";
constexpr std::string_view kSanitized = "sanitizedTest";
constexpr std::string_view kNoResult = "refuseWithoutResultTest";
constexpr std::string_view kAfterInvalid = "executeAfterInvalidTest";

// Where the longest mutant and its answer have room.
constexpr uint32_t kSpareElements = 16;
// What outputs hold before a request, and memory that is no longer to be used.
constexpr uint8_t kUnwritten = 0xA5;
constexpr uint8_t kSpoiled = 0x5A;

bool IsRefusal(ErrorStatus status) {
  return status == ErrorStatus::INVALID_ARGUMENT || status == ErrorStatus::GENERAL_FAILURE;
}

std::string BytesAsText(size_t count) {
  return absl::StrCat(count, count == 1 ? " byte" : " bytes");
}

// The bytes of the output buffers of a request.
class OutputBytes {
 public:
  // The request keeps its memory.
  explicit OutputBytes(const Request& request) : request_(request) {}

  void Clear() const {
    ForEach([](size_t /*index*/, absl::Span<uint8_t> bytes) {
      std::memset(bytes.data(), kUnwritten, bytes.size());
    });
  }

  std::vector<std::vector<uint8_t>> Copy() const {
    std::vector<std::vector<uint8_t>> outputs;
    ForEach([&](size_t /*index*/, absl::Span<uint8_t> bytes) {
      outputs.emplace_back(bytes.begin(), bytes.end());
    });
    return outputs;
  }

  // How they differ from what was expected; empty when they do not.
  std::string DifferenceFrom(const std::vector<std::vector<uint8_t>>& expected) const {
    const std::vector<std::vector<uint8_t>> actual = Copy();
    for (size_t i = 0; i < actual.size(); ++i) {
      const auto [at, other] =
          std::mismatch(actual[i].begin(), actual[i].end(), expected[i].begin(), expected[i].end());
      if (at == actual[i].end()) continue;
      return absl::StrCat("byte ", at - actual[i].begin(), " of output ", i, " is ", *at,
                          "; expected ", *other, " as before");
    }
    return "";
  }

 private:
  template <typename Visit>
  void ForEach(Visit visit) const {
    for (size_t i = 0; i < request_.outputs.size(); ++i) {
      const RequestArgument& output = request_.outputs[i];
      if (output.hasNoValue || output.location.length == 0) continue;
      const absl::StatusOr<Mapping> pool =
          request_.pools[output.location.poolIndex].Map(hal::MemoryAccess::READ_WRITE);
      if (!pool.ok()) continue;
      visit(i, pool->bytes().subspan(output.location.offset, output.location.length));
    }
  }

  const Request& request_;
};

// What is told of memory that the driver asks for.
enum class Lie { kNone, kError, kErrorWithMemory, kTooLittle, kTooMuch };

constexpr std::array kLies = {Lie::kError, Lie::kErrorWithMemory, Lie::kTooLittle, Lie::kTooMuch};

const char* Describe(Lie lie) {
  switch (lie) {
    case Lie::kNone:
      return "getMemories answers rightly";
    case Lie::kError:
      return "getMemories ends with GENERAL_FAILURE";
    case Lie::kErrorWithMemory:
      return "getMemories ends with GENERAL_FAILURE and gives memory";
    case Lie::kTooLittle:
      return "getMemories gives one pool too few";
    case Lie::kTooMuch:
      return "getMemories gives one pool too many";
  }
  return "";
}

class LyingCallback : public IBurstCallback {
 public:
  LyingCallback(std::shared_ptr<IBurstCallback> honest, std::shared_ptr<std::atomic<Lie>> lie)
      : honest_(std::move(honest)), lie_(std::move(lie)) {}

  GetMemoriesResult getMemories(const std::vector<int32_t>& slots) override {
    GetMemoriesResult result = honest_->getMemories(slots);
    switch (*lie_) {
      case Lie::kNone:
        break;
      case Lie::kError:
        return {.status = ErrorStatus::GENERAL_FAILURE, .buffers = {}};
      case Lie::kErrorWithMemory:
        result.status = ErrorStatus::GENERAL_FAILURE;
        break;
      case Lie::kTooLittle:
        if (!result.buffers.empty()) result.buffers.pop_back();
        break;
      case Lie::kTooMuch:
        if (!result.buffers.empty()) result.buffers.push_back(result.buffers.back());
        break;
    }
    return result;
  }

 private:
  const std::shared_ptr<IBurstCallback> honest_;
  const std::shared_ptr<std::atomic<Lie>> lie_;
};

// A prepared model, its bursts, and what its valid request comes to. Whatever fails is recorded;
// the methods give what the driver did not survive.
class BurstRun {
 public:
  using Lost = std::optional<CheckFailure>;

  BurstRun(ModelOnDriver& prepared, const Request& valid, TestRecord& record)
      : prepared_(prepared), valid_(valid), lengths_(hal::LengthsFor(valid)), record_(record) {
    lengths_.request_elements += kSpareElements;
    lengths_.result_elements += kSpareElements;
  }

  const Request& valid() const { return valid_; }
  const BurstPacket& packet() const { return packet_; }
  const hal::BurstLengths& lengths() const { return lengths_; }
  // How many elements the answer to the valid request has.
  size_t answer_size() const { return answer_size_; }
  ModelOnDriver& prepared() { return prepared_; }
  TestRecord& record() { return record_; }
  // Whether a valid request was executed at all.
  bool is_ready() const { return answer_size_ > 0; }

  void Fail(std::string_view check, std::string_view what, const std::string& wrong) {
    record_.AddFailure(FailureOf(check, what, Broken(wrong)));
    // It may still be out of step.
    burst_.reset();
  }
  void Pass(std::string_view check) { ++record_.counts[check].passed; }

  // Opens a burst.
  Lost Open(std::string_view check, const BurstOptions& options,
            std::unique_ptr<BurstOnDriver>& burst) {
    OpenedBurst opened = prepared_.OpenBurst(options);
    burst = std::move(opened.burst);
    if (opened.problem.has_value()) return Take(check, "a burst", *opened.problem);
    return std::nullopt;
  }

  // Opens the burst that is not, and executes the valid request for the first time.
  Lost Begin() {
    if (burst_ != nullptr) return std::nullopt;
    if (Lost lost = Open(kAfterInvalid, {.lengths = lengths_}, burst_)) return lost;
    if (burst_ == nullptr) return std::nullopt;
    packet_ = burst_->PacketOf(valid_, MeasureTiming::YES);
    if (is_ready()) return std::nullopt;
    constexpr std::string_view kWhat = "the valid request, before invalid ones";
    const OutputBytes outputs(valid_);
    outputs.Clear();
    const BurstAnswer answer = burst_->Send(packet_);
    if (answer.outcome.problem.has_value()) {
      return Take(kAfterInvalid, kWhat, *answer.outcome.problem);
    }
    if (answer.outcome.status != ErrorStatus::NONE) {
      Fail(kAfterInvalid, kWhat,
           absl::StrCat("it ended with ", toString(answer.outcome.status), "; expected NONE"));
      return std::nullopt;
    }
    answer_size_ = answer.packet.size();
    shapes_ = answer.outcome.outputShapes;
    outputs_ = outputs.Copy();
    return std::nullopt;
  }

  // The burst that Begin opened; null when there is none any more.
  BurstOnDriver* burst() { return burst_.get(); }

  // Sends a packet of a valid request, which has to give what the first one gave.
  Lost SendValid(std::string_view check, std::string_view what, BurstOnDriver& burst,
                 const Request& request, const BurstPacket& packet) {
    const OutputBytes outputs(request);
    outputs.Clear();
    const BurstAnswer answer = burst.Send(packet);
    if (answer.outcome.problem.has_value()) return Take(check, what, *answer.outcome.problem);
    LookAtPadding(what, answer);
    if (answer.outcome.status != ErrorStatus::NONE) {
      Fail(check, what,
           absl::StrCat("it ended with ", toString(answer.outcome.status), "; expected NONE"));
      return std::nullopt;
    }
    std::string wrong = outputs.DifferenceFrom(outputs_);
    if (wrong.empty() && answer.outcome.outputShapes != shapes_) {
      wrong = "its output shapes are others than before; expected the same";
    }
    if (!wrong.empty()) {
      Fail(check, what, wrong);
    } else {
      Pass(check);
    }
    return std::nullopt;
  }

  // Sends what has to be refused. Where it was, `is_refused` becomes true, but the check is not
  // counted.
  Lost SendInvalid(std::string_view check, std::string_view what, BurstOnDriver& burst,
                   absl::Span<const FmqRequestDatum> packet, bool& is_refused) {
    is_refused = false;
    const BurstAnswer answer = burst.Send(packet);
    const ExecutionOutcome& outcome = answer.outcome;
    if (outcome.problem.has_value()) return Take(check, what, *outcome.problem);
    LookAtPadding(what, answer);
    if (!IsRefusal(outcome.status)) {
      Fail(check, what,
           absl::StrCat("it was answered with ", toString(outcome.status),
                        "; expected INVALID_ARGUMENT or GENERAL_FAILURE"));
      return std::nullopt;
    }
    is_refused = true;
    if (outcome.outputShapes.empty() && outcome.timing == hal::V1_2::Timing()) {
      Pass(kNoResult);
      return std::nullopt;
    }
    Fail(kNoResult, what,
         absl::StrCat("it was refused with ", outcome.outputShapes.size(),
                      " output shapes and the timing ", toString(outcome.timing),
                      "; expected neither"));
    return std::nullopt;
  }

  // The valid request, after something that was refused by Begin's burst.
  Lost SendValidAfter(std::string_view what) {
    if (burst_ == nullptr) return std::nullopt;
    return SendValid(kAfterInvalid, absl::StrCat("the valid request, after ", std::string(what)),
                     *burst_, valid_, packet_);
  }

  // Records a problem, or gives it when the driver is gone.
  Lost Take(std::string_view check, std::string_view what, const Problem& problem) {
    CheckFailure failure = FailureOf(check, what, problem);
    if (EndsSession(problem.verdict)) return failure;
    record_.AddFailure(std::move(failure));
    burst_.reset();
    return std::nullopt;
  }

 private:
  void LookAtPadding(std::string_view what, const BurstAnswer& answer) {
    for (size_t i = 0; i < answer.packet.size(); ++i) {
      if (answer.packet[i].paddingIsZero()) continue;
      record_.AddFailure(
          FailureOf(kSanitized, what,
                    Broken(absl::StrCat("element ", i,
                                        " of the answer has padding bytes other than 0; "
                                        "expected zeros, for they tell of the driver's memory"))));
      return;
    }
    Pass(kSanitized);
  }

  ModelOnDriver& prepared_;
  const Request& valid_;
  hal::BurstLengths lengths_;
  TestRecord& record_;
  std::unique_ptr<BurstOnDriver> burst_;
  // Of the valid request.
  BurstPacket packet_;
  size_t answer_size_ = 0;
  std::vector<hal::V1_2::OutputShape> shapes_;
  std::vector<std::vector<uint8_t>> outputs_;
};

using Lost = BurstRun::Lost;

Lost IgnorePadding(BurstRun& run) {
  BurstPacket packet = run.packet();
  FillPadding(packet);
  return run.SendValid(kPadding, "the valid request, with 0xFF in all bytes that mean nothing",
                       *run.burst(), run.valid(), packet);
}

Lost FreeUnknownMemory(BurstRun& run) {
  const std::vector<int32_t> slots = SlotsOf(run.packet());
  std::vector<int32_t> freed = {-1, INT32_MAX, INT32_MIN};
  if (!slots.empty()) {
    freed.push_back(*std::max_element(slots.begin(), slots.end()) + 1);
    // The second time there is nothing behind it.
    freed.insert(freed.end(), {slots.front(), slots.front()});
  }
  for (const int32_t slot : freed) {
    if (const auto problem = run.burst()->FreeMemory(slot)) {
      return run.Take(kFreeUnknown, absl::StrCat("the memory of slot ", slot), *problem);
    }
  }
  return run.SendValid(kFreeUnknown, "the valid request, after memory was freed that is none",
                       *run.burst(), run.valid(),
                       run.burst()->PacketOf(run.valid(), MeasureTiming::YES));
}

// The memory of one slot after the other is freed, spoiled, and other memory takes its slot.
Lost FreeMemory(BurstRun& run) {
  std::unique_ptr<BurstOnDriver> burst;
  if (Lost lost = run.Open(kFree, {.lengths = run.lengths()}, burst)) return lost;
  if (burst == nullptr) return std::nullopt;
  Request request = run.valid();
  if (Lost lost = run.SendValid(kFree, "the valid request", *burst, request,
                                burst->PacketOf(request, MeasureTiming::YES))) {
    return lost;
  }
  for (size_t i = 0; i < request.pools.size(); ++i) {
    const Memory old = request.pools[i];
    const absl::StatusOr<Mapping> mapping = old.Map(hal::MemoryAccess::READ_WRITE);
    if (!mapping.ok()) continue;
    const absl::Span<uint8_t> bytes = mapping->bytes();
    absl::StatusOr<Memory> copy = Memory::AllocateCopy(bytes, old.name());
    if (!copy.ok()) continue;
    const std::vector<uint8_t> content(bytes.begin(), bytes.end());
    const int32_t slot = SlotsOf(burst->PacketOf(request, MeasureTiming::YES))[i];
    if (const auto problem = burst->FreeMemory(slot)) {
      return run.Take(kFree, absl::StrCat("the memory of slot ", slot), *problem);
    }
    request.pools[i] = *std::move(copy);
    std::memset(bytes.data(), kSpoiled, bytes.size());
    const std::string what =
        absl::StrCat("the valid request, with other memory for slot ", slot, ", which was freed");
    Lost lost =
        run.SendValid(kFree, what, *burst, request, burst->PacketOf(request, MeasureTiming::YES));
    const auto written =
        std::count_if(bytes.begin(), bytes.end(), [](uint8_t byte) { return byte != kSpoiled; });
    std::copy(content.begin(), content.end(), bytes.begin());
    if (lost.has_value()) return lost;
    if (written > 0) {
      run.Fail(kFree, what,
               absl::StrCat("it wrote ", BytesAsText(static_cast<size_t>(written)),
                            " of the memory that was freed; expected none"));
    }
  }
  // Nothing is behind the slots now.
  const BurstPacket packet = burst->PacketOf(request, MeasureTiming::YES);
  if (const auto problem = burst->FreeAllMemory()) {
    return run.Take(kFree, "the memory of all slots", *problem);
  }
  bool is_refused = false;
  Lost lost = run.SendInvalid(kFree, "the slots of freed memory, which the client does not know",
                              *burst, packet, is_refused);
  if (is_refused) run.Pass(kFree);
  return lost;
}

Lost MutateMemories(BurstRun& run) {
  const auto lie = std::make_shared<std::atomic<Lie>>(Lie::kNone);
  std::unique_ptr<BurstOnDriver> burst;
  const BurstOptions options = {.lengths = run.lengths(),
                                .wrap = [lie](std::shared_ptr<IBurstCallback> honest) {
                                  return std::make_shared<LyingCallback>(std::move(honest), lie);
                                }};
  if (Lost lost = run.Open(kMemories, options, burst)) return lost;
  for (const Lie each : kLies) {
    if (burst == nullptr) return std::nullopt;
    *lie = each;
    bool is_refused = false;
    if (Lost lost = run.SendInvalid(kMemories, Describe(each), *burst,
                                    burst->PacketOf(run.valid(), MeasureTiming::YES), is_refused)) {
      return lost;
    }
    if (is_refused) run.Pass(kMemories);
    // What it was given before is not what it has to remember.
    if (const auto problem = burst->FreeAllMemory()) {
      return run.Take(kMemories, "the memory of all slots", *problem);
    }
  }
  *lie = Lie::kNone;
  return run.SendValid(kAfterInvalid, "the valid request, after wrong answers of getMemories",
                       *burst, run.valid(), burst->PacketOf(run.valid(), MeasureTiming::YES));
}

// Sends the first elements of a valid packet through a burst that is too short for it, or for its
// answer.
Lost SendThroughShort(BurstRun& run, std::string_view check, std::string_view what,
                      const hal::BurstLengths& lengths, size_t elements) {
  std::unique_ptr<BurstOnDriver> burst;
  if (Lost lost = run.Open(check, {.lengths = lengths}, burst)) return lost;
  if (burst == nullptr) return std::nullopt;
  const BurstPacket packet = burst->PacketOf(run.valid(), MeasureTiming::YES);
  bool is_refused = false;
  Lost lost =
      run.SendInvalid(check, what, *burst, absl::MakeSpan(packet).first(elements), is_refused);
  if (is_refused) run.Pass(check);
  return lost;
}

Lost ShortenResults(BurstRun& run) {
  // A refusal has two elements.
  if (run.answer_size() <= 2) {
    ++run.record().counts[kResultLength].skipped;
    return std::nullopt;
  }
  const auto room = static_cast<uint32_t>(run.answer_size() - 1);
  return SendThroughShort(
      run, kResultLength,
      absl::StrCat("an answer of ", run.answer_size(), " elements in a queue of ", room),
      {.request_elements = run.lengths().request_elements, .result_elements = room},
      run.packet().size());
}

Lost ShortenRequests(BurstRun& run) {
  const size_t room = run.packet().size() - 1;
  return SendThroughShort(run, kRequestLength,
                          absl::StrCat("the first ", room, " elements of a packet of ", room + 1,
                                       " in a queue of ", room),
                          {.request_elements = static_cast<uint32_t>(room),
                           .result_elements = run.lengths().result_elements},
                          room);
}

// What configureExecutionBurst is called with.
struct Configuration {
  std::shared_ptr<IBurstCallback> callback;
  MQDescriptorSync<FmqRequestDatum> requests;
  MQDescriptorSync<FmqResultDatum> results;
};

// Knows no memory.
class EmptyCallback : public IBurstCallback {
 public:
  GetMemoriesResult getMemories(const std::vector<int32_t>& /*slots*/) override {
    return {.status = ErrorStatus::INVALID_ARGUMENT, .buffers = {}};
  }
};

struct WrongConfiguration {
  const char* what;
  void (*change)(Configuration&);
};

constexpr auto kWrongConfigurations = std::to_array<WrongConfiguration>({
    {"no callback", [](Configuration& burst) { burst.callback = nullptr; }},
    {"no queue of requests", [](Configuration& burst) { burst.requests = {}; }},
    {"no queue of results", [](Configuration& burst) { burst.results = {}; }},
    {"a queue of requests of 0 elements",
     [](Configuration& burst) { burst.requests.elementCount = 0; }},
    {"a queue of results of 0 elements",
     [](Configuration& burst) { burst.results.elementCount = 0; }},
    {"a queue of requests that is longer than its memory",
     [](Configuration& burst) { burst.requests.elementCount += 4096; }},
    {"a queue of results that is longer than its memory",
     [](Configuration& burst) { burst.results.elementCount += 4096; }},
    {"requests whose elements are too short",
     [](Configuration& burst) { --burst.requests.elementSize; }},
    {"results whose elements are too long",
     [](Configuration& burst) { ++burst.results.elementSize; }},
});

Lost MutateConfiguration(BurstRun& run) {
  constexpr uint32_t kElements = 64;
  const auto requests = hal::MessageQueue<FmqRequestDatum>::Create(kElements);
  const auto results = hal::MessageQueue<FmqResultDatum>::Create(kElements);
  if (!requests.ok() || !results.ok()) {
    return run.Take(kConfiguration, "no queues", Problem{Verdict::MISSING, "no memory"});
  }
  for (const WrongConfiguration& wrong : kWrongConfigurations) {
    Configuration burst = {std::make_shared<EmptyCallback>(), requests->descriptor(),
                           results->descriptor()};
    wrong.change(burst);
    ErrorStatus status = ErrorStatus::NONE;
    bool is_open = false;
    if (const auto problem = run.prepared().ConfigureBurst(burst.callback, burst.requests,
                                                           burst.results, status, is_open)) {
      return run.Take(kConfiguration, wrong.what, *problem);
    }
    if (!IsRefusal(status) || is_open) {
      run.Fail(kConfiguration, wrong.what,
               absl::StrCat("configureExecutionBurst ended with ", toString(status),
                            is_open ? " and gave a burst" : "",
                            "; expected INVALID_ARGUMENT or GENERAL_FAILURE, and no burst"));
      continue;
    }
    run.Pass(kConfiguration);
  }
  return std::nullopt;
}

// Invalid packets one after the other.
Lost RepeatInvalid(BurstRun& run) {
  BurstPacket packet = run.packet();
  packet.erase(packet.begin());
  for (int i = 0; i < 3; ++i) {
    bool is_refused = false;
    if (Lost lost = run.SendInvalid(
            kRepeated, absl::StrCat("packet ", i + 1, " of three without packetInformation"),
            *run.burst(), packet, is_refused)) {
      return lost;
    }
    if (!is_refused || run.burst() == nullptr) return std::nullopt;
  }
  run.Pass(kRepeated);
  return run.SendValidAfter("three invalid ones");
}

// What takes more than one packet.
struct Scenario {
  std::string_view check;
  // Called with the burst open and ready.
  Lost (*play)(BurstRun& run);
};

// Those that send no invalid packet go first.
constexpr auto kScenarios = std::to_array<Scenario>({
    {kPadding, &IgnorePadding},
    {kFreeUnknown, &FreeUnknownMemory},
    {kFree, &FreeMemory},
    {kMemories, &MutateMemories},
    {kResultLength, &ShortenResults},
    {kRequestLength, &ShortenRequests},
    {kConfiguration, &MutateConfiguration},
    {kRepeated, &RepeatInvalid},
});

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
    MutationChoice choice(kinds, absl::StrCat(fixture(), ".", name()));
    for (const Scenario& scenario : kScenarios) {
      choice.Add(CombineKinds(KindOfText(scenario.check), KindOfPacket(packet)));
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
      if (step >= kScenarios.size()) {
        if (Lost lost = SendMutants(run)) return lost;
        return std::nullopt;
      }
      if (Lost lost = kScenarios[step].play(run)) return lost;
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
    uint32_t number = kScenarios.size();
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
  checks.insert(
      checks.end(),
      {{kResultLength, "an answer that does not fit its queue is an error"},
       {kSanitized, "no byte of an answer tells of the driver's memory"},
       {kRequestLength, "a packet that does not fit its queue is refused"},
       {kPadding, "bytes of a packet that mean nothing are ignored"},
       {kMemories, "what getMemories gives is looked at before it is used"},
       {kFree, "memory that was freed is not used again, and that which has its slot is"},
       {kFreeUnknown, "a slot without memory can be freed"},
       {kConfiguration, "no burst is opened without a callback and two queues"},
       {kRepeated, "each of several invalid packets in a row is answered once"},
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
