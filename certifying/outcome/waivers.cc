// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/outcome/waivers.h"

#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "certifying/regular_expression.h"
#include "re2/re2.h"
#include "system/escape.h"
#include "system/whole_file.h"

#define TOML_EXCEPTIONS 0
#include "toml++/toml.h"

namespace nncert {
namespace {

constexpr char kTable[] = "waiver";
constexpr char kExpires[] = "expires";

// The texts of a waiver.
struct TextKey {
  std::string_view name;
  std::string Waiver::*member;
};
constexpr std::array<TextKey, 6> kTexts = {{{"vendor", &Waiver::vendor},
                                            {"device", &Waiver::device},
                                            {"driver_version", &Waiver::driver_version},
                                            {"test", &Waiver::test},
                                            {"reason", &Waiver::reason},
                                            {"url", &Waiver::url}}};

absl::Status ErrorAt(const std::string& name, const toml::source_region& place,
                     const std::string& message) {
  return absl::InvalidArgumentError(absl::StrCat(name, ":", place.begin.line, ": ", message));
}

bool IsKnown(std::string_view key) {
  if (key == kExpires) return true;
  for (const TextKey& text : kTexts) {
    if (text.name == key) return true;
  }
  return false;
}

absl::StatusOr<Waiver> WaiverOf(const toml::table& table, const std::string& name) {
  Waiver waiver;
  waiver.line = table.source().begin.line;
  for (const auto& [key, value] : table) {
    if (!IsKnown(key.str())) {
      return ErrorAt(name, key.source(),
                     absl::StrCat("a waiver has no \"", std::string(key.str()), "\""));
    }
  }
  for (const TextKey& text : kTexts) {
    const std::optional<std::string> value = table[text.name].value_exact<std::string>();
    if (!value.has_value() || value->empty()) {
      return ErrorAt(name, table.source(),
                     absl::StrCat("a waiver has a text \"", std::string(text.name), "\""));
    }
    waiver.*text.member = *value;
  }
  const std::optional<toml::date> date = table[kExpires].value_exact<toml::date>();
  if (!date.has_value()) {
    return ErrorAt(name, table.source(),
                   "a waiver has a date \"expires\", such as expires = 2027-01-31");
  }
  waiver.expires = absl::CivilDay(date->year, date->month, date->day);
  return waiver;
}

using Pattern = std::shared_ptr<const re2::RE2>;

absl::StatusOr<Pattern> PatternOf(const Waiver& waiver, const std::string& expression) {
  absl::StatusOr<Pattern> pattern = ParseRegularExpression(expression);
  if (!pattern.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the waiver in line ", waiver.line, ": ", pattern.status().message()));
  }
  return pattern;
}

std::string NameOf(const Waiver& waiver) {
  return absl::StrCat("the waiver of ", waiver.test, " (line ", waiver.line, ", ", waiver.url, ")");
}

std::string TestsText(uint64_t count) {
  return absl::StrCat(count, count == 1 ? " test" : " tests");
}

// A sentence without a full stop; empty where there is nothing to say.
std::string Describe(const WaiverUse& use) {
  const std::string name = NameOf(use.waiver);
  if (use.is_of_other_version) {
    return absl::StrCat(name, " is of driver versions ", use.waiver.driver_version,
                        ", which this is not");
  }
  if (use.has_expired) {
    return absl::StrCat(name, " has expired after ", absl::FormatCivilTime(use.waiver.expires),
                        "; ", TestsText(use.failed), " that it names failed");
  }
  if (use.passed > 0) {
    return absl::StrCat(name, " names ", TestsText(use.passed),
                        use.passed == 1 ? " that passes" : " that pass",
                        ", the first: ", use.first_passed);
  }
  if (use.failed == 0) return absl::StrCat(name, " names no test that was run");
  return "";
}

}  // namespace

absl::StatusOr<std::vector<Waiver>> ParseWaivers(const std::string& text, const std::string& name) {
  const toml::parse_result parsed = toml::parse(text, name);
  if (!parsed) {
    return ErrorAt(name, parsed.error().source(), std::string(parsed.error().description()));
  }
  const toml::table& file = parsed.table();
  std::vector<Waiver> waivers;
  for (const auto& [key, value] : file) {
    const toml::array* const tables = value.as_array();
    if (key.str() != kTable || tables == nullptr) {
      return ErrorAt(name, key.source(),
                     absl::StrCat("expected [[waiver]], not \"", std::string(key.str()), "\""));
    }
    for (const toml::node& node : *tables) {
      const toml::table* const table = node.as_table();
      if (table == nullptr) return ErrorAt(name, node.source(), "expected [[waiver]]");
      absl::StatusOr<Waiver> waiver = WaiverOf(*table, name);
      if (!waiver.ok()) return waiver.status();
      waivers.push_back(*std::move(waiver));
    }
  }
  // What is wrong with an expression is said before a run begins.
  const auto created = RunWaivers::Create(waivers, "", absl::CivilDay());
  if (!created.ok()) {
    return absl::InvalidArgumentError(absl::StrCat(name, ": ", created.status().message()));
  }
  return waivers;
}

absl::StatusOr<std::vector<Waiver>> ReadWaivers(const std::string& path) {
  const absl::StatusOr<std::string> text = ReadWholeFile(path);
  if (!text.ok()) return text.status();
  return ParseWaivers(*text, path);
}

absl::StatusOr<std::unique_ptr<RunWaivers>> RunWaivers::Create(std::vector<Waiver> waivers,
                                                               const std::string& driver_version,
                                                               absl::CivilDay today) {
  std::unique_ptr<RunWaivers> run(new RunWaivers());
  for (Waiver& waiver : waivers) {
    const absl::StatusOr<Pattern> version = PatternOf(waiver, waiver.driver_version);
    if (!version.ok()) return version.status();
    absl::StatusOr<Pattern> test = PatternOf(waiver, waiver.test);
    if (!test.ok()) return test.status();
    WaiverUse use;
    use.is_of_other_version = !re2::RE2::FullMatch(driver_version, **version);
    use.has_expired = waiver.expires < today;
    use.waiver = std::move(waiver);
    run->uses_.push_back(std::move(use));
    run->tests_.push_back(*std::move(test));
  }
  return run;
}

const Waiver* RunWaivers::Find(const std::string& full_name, bool has_failed) {
  const Waiver* found = nullptr;
  for (size_t i = 0; i < tests_.size(); ++i) {
    if (!re2::RE2::FullMatch(full_name, *tests_[i])) continue;
    const absl::MutexLock lock(&mutex_);
    WaiverUse& use = uses_[i];
    if (has_failed) {
      ++use.failed;
      if (found == nullptr && use.Holds()) found = &use.waiver;
    } else if (use.passed++ == 0) {
      use.first_passed = full_name;
    }
  }
  return found;
}

std::vector<WaiverUse> RunWaivers::Uses() const {
  const absl::MutexLock lock(&mutex_);
  return uses_;
}

std::vector<Finding> FindingsOf(const std::vector<WaiverUse>& uses) {
  std::vector<Finding> findings;
  for (const WaiverUse& use : uses) {
    if (std::string text = Describe(use); !text.empty()) {
      findings.push_back({.kind = FindingKind::WAIVER, .detail = std::move(text)});
    }
  }
  return findings;
}

std::string WaiversToJson(const std::vector<WaiverUse>& uses) {
  const auto append = [](std::string* json, const WaiverUse& use) {
    const auto add = [json](const char* name, const std::string& text) {
      absl::StrAppend(json, "\"", name, "\": ", QuoteJson(text), ", ");
    };
    json->append("    {");
    add("vendor", use.waiver.vendor);
    add("device", use.waiver.device);
    add("driverVersion", use.waiver.driver_version);
    add("test", use.waiver.test);
    add("reason", use.waiver.reason);
    add("url", use.waiver.url);
    add("expires", absl::FormatCivilTime(use.waiver.expires));
    add("state", use.is_of_other_version ? "other version" : use.has_expired ? "expired" : "holds");
    absl::StrAppend(json, "\"failed\": ", use.failed, ", \"passed\": ", use.passed, "}");
  };
  if (uses.empty()) return "[]";
  return absl::StrCat("[\n", absl::StrJoin(uses, ",\n", append), "\n  ]");
}

}  // namespace nncert
