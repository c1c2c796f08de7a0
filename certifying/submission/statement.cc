// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/submission/statement.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "absl/strings/str_cat.h"
#include "certifying/version.h"
#include "hal/to_string.h"
#include "harness/isolation/answer.h"
#include "harness/isolation/driver_session.h"
#include "system/digest.h"
#include "system/whole_file.h"

namespace nncert {
namespace {

using Json = nlohmann::ordered_json;

Json ToJson(const hal::V1_0::PerformanceInfo& info) {
  return {{"execTime", info.execTime}, {"powerUsage", info.powerUsage}};
}

absl::StatusOr<Json> CapabilitiesOf(DriverSession& session, absl::Duration deadline) {
  Json json = Json::object();
  if (session.device_1_2() != nullptr) {
    const auto answer =
        AnswerOf(session, deadline, "getCapabilities_1_2",
                 [device = session.device_1_2()] { return device->getCapabilities_1_2(); });
    if (!answer.ok()) return answer.status();
    const hal::V1_2::Capabilities& capabilities = answer->capabilities;
    json["relaxedFloat32toFloat16Scalar"] =
        ToJson(capabilities.relaxedFloat32toFloat16PerformanceScalar);
    json["relaxedFloat32toFloat16Tensor"] =
        ToJson(capabilities.relaxedFloat32toFloat16PerformanceTensor);
    for (const auto& performance : capabilities.operandPerformance) {
      json[std::string(toString(performance.type))] = ToJson(performance.info);
    }
    return json;
  }
  if (session.device_1_1() != nullptr) {
    const auto answer =
        AnswerOf(session, deadline, "getCapabilities_1_1",
                 [device = session.device_1_1()] { return device->getCapabilities_1_1(); });
    if (!answer.ok()) return answer.status();
    json["float32"] = ToJson(answer->capabilities.float32Performance);
    json["quantized8"] = ToJson(answer->capabilities.quantized8Performance);
    json["relaxedFloat32toFloat16"] =
        ToJson(answer->capabilities.relaxedFloat32toFloat16Performance);
    return json;
  }
  const auto answer = AnswerOf(session, deadline, "getCapabilities",
                               [device = session.device()] { return device->getCapabilities(); });
  if (!answer.ok()) return answer.status();
  json["float32"] = ToJson(answer->capabilities.float32Performance);
  json["quantized8"] = ToJson(answer->capabilities.quantized8Performance);
  return json;
}

}  // namespace

absl::StatusOr<std::string> StatementOf(OpenedDriver& driver, absl::Duration deadline,
                                        const std::string& machine, bool is_strict) {
  DriverSession& session = driver.session();
  Json json = {{"format", kStatementFormat},
               {"nncert", kVersion},
               {"driver", driver.driver().name},
               {"driverSha256", ""}};
  if (const std::string& path = driver.driver().path; !path.empty()) {
    const absl::StatusOr<std::string> bytes = ReadWholeFile(path);
    if (!bytes.ok()) return bytes.status();
    json["driverSha256"] = Sha256(*bytes);
  }
  json["driverVersion"] = session.version_string();
  json["halVersion"] = std::string(toString(session.hal_version()));
  if (session.device_1_2() != nullptr) {
    const auto answer = AnswerOf(session, deadline, "getType",
                                 [device = session.device_1_2()] { return device->getType(); });
    if (!answer.ok()) return answer.status();
    json["type"] = std::string(toString(answer->type));
  }
  json["extensions"] = Json::array();
  for (const hal::V1_2::Extension& extension : session.extensions()) {
    json["extensions"].push_back(extension.name);
  }
  json["strict"] = is_strict;
  absl::StatusOr<Json> capabilities = CapabilitiesOf(session, deadline);
  if (!capabilities.ok()) return capabilities.status();
  json["capabilities"] = *std::move(capabilities);
  json["machine"] = machine;
  return absl::StrCat(json.dump(2, ' ', false, Json::error_handler_t::replace), "\n");
}

}  // namespace nncert
