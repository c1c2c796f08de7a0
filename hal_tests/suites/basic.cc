// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal_tests/suites/basic.h"

#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "hal/extension.h"
#include "hal/to_string.h"
#include "hal/utils.h"

namespace nncert {
namespace {

using hal::HalVersion;
using hal::V1_0::DeviceStatus;
using hal::V1_0::ErrorStatus;
using hal::V1_0::PerformanceInfo;
using hal::V1_2::Capabilities;
using hal::V1_2::DeviceType;

// How often a call is repeated that is to give the same answer ever again.
constexpr int kRepetitions = 4;

// Asks by a method of one of the device's interfaces. `wrong` says what is wrong with the answer;
// nothing when it is right.
template <typename Device, typename Answer, typename Wrong>
std::optional<Problem> Ask(DriverSession& session, absl::Duration deadline,
                           const std::shared_ptr<Device>& device, absl::string_view call,
                           Answer (Device::*method)(), Wrong wrong) {
  const absl::StatusOr<Answer> answer =
      session.calls().Run(deadline, [device, method] { return (device.get()->*method)(); });
  if (!answer.ok()) return ProblemOf(call, answer.status());
  const std::string text = wrong(*answer);
  if (text.empty()) return std::nullopt;
  return Broken(absl::StrCat(call, " ", text));
}

// What is wrong with the status of an answer.
std::string WrongStatus(ErrorStatus status) {
  if (status == ErrorStatus::NONE) return "";
  return absl::StrCat("ended with ", hal::toString(status), "; expected NONE");
}

// What is wrong with figures of performance, which are relative to the CPU's.
std::string WrongPerformance(absl::string_view of, const PerformanceInfo& performance) {
  for (const auto& [name, figure] : {std::pair("execTime", performance.execTime),
                                     std::pair("powerUsage", performance.powerUsage)}) {
    if (std::isfinite(figure) && figure > 0) continue;
    return absl::StrCat("gave ", of, ".", name, " = ", figure,
                        "; expected a finite number above 0");
  }
  return "";
}

// The first of some texts that says anything.
std::string FirstOf(std::initializer_list<std::string> texts) {
  for (const std::string& text : texts) {
    if (!text.empty()) return text;
  }
  return "";
}

std::optional<Problem> CheckStatus(DriverSession& session, absl::Duration deadline) {
  const auto wrong = [](DeviceStatus status) -> std::string {
    if (status == DeviceStatus::AVAILABLE) return "";
    return absl::StrCat("gave ", hal::toString(status), "; expected AVAILABLE");
  };
  for (int i = 0; i < kRepetitions; ++i) {
    std::optional<Problem> problem = Ask(session, deadline, session.device(), "getStatus",
                                         &hal::V1_0::IDevice::getStatus, wrong);
    if (problem.has_value()) return problem;
  }
  return std::nullopt;
}

std::optional<Problem> CheckCapabilities(DriverSession& session, absl::Duration deadline) {
  return Ask(session, deadline, session.device(), "getCapabilities",
             &hal::V1_0::IDevice::getCapabilities, [](const auto& answer) {
               const hal::V1_0::Capabilities& capabilities = answer.capabilities;
               return FirstOf(
                   {WrongStatus(answer.status),
                    WrongPerformance("float32Performance", capabilities.float32Performance),
                    WrongPerformance("quantized8Performance", capabilities.quantized8Performance)});
             });
}

std::optional<Problem> CheckCapabilities_1_1(DriverSession& session, absl::Duration deadline) {
  return Ask(session, deadline, session.device_1_1(), "getCapabilities_1_1",
             &hal::V1_1::IDevice::getCapabilities_1_1, [](const auto& answer) {
               const hal::V1_1::Capabilities& capabilities = answer.capabilities;
               return FirstOf(
                   {WrongStatus(answer.status),
                    WrongPerformance("float32Performance", capabilities.float32Performance),
                    WrongPerformance("quantized8Performance", capabilities.quantized8Performance),
                    WrongPerformance("relaxedFloat32toFloat16Performance",
                                     capabilities.relaxedFloat32toFloat16Performance)});
             });
}

std::optional<Problem> CheckCapabilities_1_2(DriverSession& session, absl::Duration deadline) {
  return Ask(
      session, deadline, session.device_1_2(), "getCapabilities_1_2",
      &hal::V1_2::IDevice::getCapabilities_1_2, [](const auto& answer) {
        const Capabilities& capabilities = answer.capabilities;
        return FirstOf({WrongStatus(answer.status),
                        WrongPerformance("relaxedFloat32toFloat16PerformanceScalar",
                                         capabilities.relaxedFloat32toFloat16PerformanceScalar),
                        WrongPerformance("relaxedFloat32toFloat16PerformanceTensor",
                                         capabilities.relaxedFloat32toFloat16PerformanceTensor)});
      });
}

// The figures by operand type: those of each, and which types there are.
std::optional<Problem> CheckOperandPerformance(DriverSession& session, absl::Duration deadline) {
  return Ask(session, deadline, session.device_1_2(), "getCapabilities_1_2",
             &hal::V1_2::IDevice::getCapabilities_1_2, [](const auto& answer) -> std::string {
               for (const Capabilities::OperandPerformance& entry :
                    answer.capabilities.operandPerformance) {
                 std::string wrong = WrongPerformance(
                     absl::StrCat("operandPerformance of ", hal::toString(entry.type)), entry.info);
                 if (!wrong.empty()) return wrong;
               }
               return "";
             });
}

std::optional<Problem> CheckOperandPerformanceOrder(DriverSession& session,
                                                    absl::Duration deadline) {
  return Ask(session, deadline, session.device_1_2(), "getCapabilities_1_2",
             &hal::V1_2::IDevice::getCapabilities_1_2, [](const auto& answer) -> std::string {
               const Capabilities::OperandPerformance* before = nullptr;
               for (const Capabilities::OperandPerformance& entry :
                    answer.capabilities.operandPerformance) {
                 if (hal::operandTypeProperties(entry.type) == nullptr) {
                   return absl::StrCat("has an operandPerformance of ", hal::toString(entry.type),
                                       "; expected types of HAL 1.2");
                 }
                 if (before != nullptr && entry.type <= before->type) {
                   return absl::StrCat("has the operandPerformance of ", hal::toString(entry.type),
                                       " behind that of ", hal::toString(before->type),
                                       "; expected every type once, in ascending order");
                 }
                 before = &entry;
               }
               return "";
             });
}

std::optional<Problem> CheckVersionString(DriverSession& session, absl::Duration deadline) {
  return Ask(session, deadline, session.device_1_2(), "getVersionString",
             &hal::V1_2::IDevice::getVersionString, [](const auto& answer) {
               return FirstOf({WrongStatus(answer.status),
                               answer.version.empty() ? "gave an empty string; expected one that "
                                                        "tells this release from others"
                                                      : ""});
             });
}

std::optional<Problem> CheckType(DriverSession& session, absl::Duration deadline) {
  return Ask(session, deadline, session.device_1_2(), "getType", &hal::V1_2::IDevice::getType,
             [](const auto& answer) {
               std::string wrong = absl::StrCat("gave ", hal::toString(answer.type),
                                                "; expected OTHER, CPU, GPU or ACCELERATOR");
               switch (answer.type) {
                 case DeviceType::OTHER:
                 case DeviceType::CPU:
                 case DeviceType::GPU:
                 case DeviceType::ACCELERATOR:
                   wrong = "";
               }
               return FirstOf({WrongStatus(answer.status), std::move(wrong)});
             });
}

std::optional<Problem> CheckExtensions(DriverSession& session, absl::Duration deadline) {
  return Ask(session, deadline, session.device_1_2(), "getSupportedExtensions",
             &hal::V1_2::IDevice::getSupportedExtensions, [](const auto& answer) {
               const std::vector<std::string> problems =
                   hal::problemsOfExtensions(answer.extensions);
               return FirstOf({WrongStatus(answer.status),
                               problems.empty() ? ""
                                                : absl::StrCat("gave a list with errors: ",
                                                               absl::StrJoin(problems, "; "))});
             });
}

// Asks again and again for what `part` takes of an answer.
template <typename Device, typename Answer, typename Part>
std::optional<Problem> AskAgain(DriverSession& session, absl::Duration deadline,
                                const std::shared_ptr<Device>& device, absl::string_view call,
                                Answer (Device::*method)(), Part part) {
  std::optional<Answer> first;
  for (int i = 0; i < kRepetitions; ++i) {
    const auto compare = [&](const Answer& answer) -> std::string {
      if (!first.has_value()) first = answer;
      if (part(answer) == part(*first)) return "";
      return "gave another answer when it was called again; expected the same";
    };
    std::optional<Problem> problem = Ask(session, deadline, device, call, method, compare);
    if (problem.has_value()) return problem;
  }
  return std::nullopt;
}

std::optional<Problem> CheckRepeatedCalls(DriverSession& session, absl::Duration deadline) {
  const auto capabilities = [](const auto& answer) { return answer.capabilities; };
  std::optional<Problem> problem = AskAgain(session, deadline, session.device(), "getCapabilities",
                                            &hal::V1_0::IDevice::getCapabilities, capabilities);
  if (!problem.has_value() && session.device_1_1() != nullptr) {
    problem = AskAgain(session, deadline, session.device_1_1(), "getCapabilities_1_1",
                       &hal::V1_1::IDevice::getCapabilities_1_1, capabilities);
  }
  if (problem.has_value() || session.device_1_2() == nullptr) return problem;
  const std::shared_ptr<hal::V1_2::IDevice>& device = session.device_1_2();
  problem = AskAgain(session, deadline, device, "getCapabilities_1_2",
                     &hal::V1_2::IDevice::getCapabilities_1_2, capabilities);
  if (problem.has_value()) return problem;
  problem =
      AskAgain(session, deadline, device, "getVersionString", &hal::V1_2::IDevice::getVersionString,
               [](const auto& answer) { return answer.version; });
  if (problem.has_value()) return problem;
  problem = AskAgain(session, deadline, device, "getType", &hal::V1_2::IDevice::getType,
                     [](const auto& answer) { return answer.type; });
  if (problem.has_value()) return problem;
  return AskAgain(session, deadline, device, "getSupportedExtensions",
                  &hal::V1_2::IDevice::getSupportedExtensions,
                  [](const auto& answer) { return answer.extensions; });
}

// A check, since when devices have its call, and how it is made: what the device does against it.
struct BasicCheck {
  Check check;
  HalVersion since;
  std::optional<Problem> (*make)(DriverSession& session, absl::Duration deadline);
};

constexpr BasicCheck kChecks[] = {
    {{"StatusTest", "the device is AVAILABLE, and stays so"}, HalVersion::V1_0, &CheckStatus},
    {{"GetCapabilitiesTest", "the figures of getCapabilities are finite and above 0"},
     HalVersion::V1_0,
     &CheckCapabilities},
    {{"GetCapabilities_1_1Test", "those of getCapabilities_1_1 are"},
     HalVersion::V1_1,
     &CheckCapabilities_1_1},
    {{"GetCapabilities_1_2Test", "those of getCapabilities_1_2 for relaxed execution are"},
     HalVersion::V1_2,
     &CheckCapabilities_1_2},
    {{"OperandPerformanceTest", "those of each operand type are"},
     HalVersion::V1_2,
     &CheckOperandPerformance},
    {{"OperandPerformanceOrderTest",
      "operandPerformance has types of HAL 1.2, each at most once, in ascending order"},
     HalVersion::V1_2,
     &CheckOperandPerformanceOrder},
    {{"GetDeviceVersionStringTest", "the version string says something"},
     HalVersion::V1_2,
     &CheckVersionString},
    {{"GetDeviceTypeTest", "the type is one that there is"}, HalVersion::V1_2, &CheckType},
    {{"GetDeviceSupportedExtensionsTest",
      "names of extensions are valid, and neither names nor numbers come twice"},
     HalVersion::V1_2,
     &CheckExtensions},
    {{"RepeatedCallsTest", "every one of these calls gives the same answer ever again"},
     HalVersion::V1_0,
     &CheckRepeatedCalls},
};

class BasicTest : public SuiteTest {
 public:
  explicit BasicTest(const BasicCheck& check) : check_(check) {}

  std::string fixture() const override { return "NeuralnetworksHidlTest"; }
  std::string name() const override { return std::string(check_.check.name); }
  std::string operation() const override { return ""; }
  size_t steps() const override { return 1; }

  std::optional<CheckFailure> Run(DriverSession& session, absl::Duration deadline,
                                  TestRecord& record) const override {
    const std::string_view name = check_.check.name;
    if (const std::optional<Problem> problem = check_.make(session, deadline)) {
      CheckFailure failure = FailureOf(name, "the device", *problem);
      if (EndsSession(problem->verdict)) return failure;
      record.AddFailure(std::move(failure));
    } else {
      ++record.counts[name].passed;
    }
    ++record.next;
    return std::nullopt;
  }

 private:
  const BasicCheck& check_;
};

}  // namespace

std::vector<Check> BasicChecks() {
  std::vector<Check> checks;
  for (const BasicCheck& each : kChecks) checks.push_back(each.check);
  return checks;
}

std::vector<std::unique_ptr<SuiteTest>> MakeBasicTests(absl::Span<const CaseInMode> /*cases*/,
                                                       HalVersion version) {
  std::vector<std::unique_ptr<SuiteTest>> tests;
  for (const BasicCheck& each : kChecks) {
    if (each.since <= version) tests.push_back(std::make_unique<BasicTest>(each));
  }
  return tests;
}

}  // namespace nncert
