// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/results/results_json.h"

#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <limits>
#include <optional>
#include <set>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "nlohmann/json.hpp"
#include "system/file_content.h"

namespace nncert {
namespace {

using Json = nlohmann::ordered_json;

// T or const T: what the lists of members below are for.
template <typename Type, typename T>
concept Of = std::same_as<std::remove_const_t<Type>, T>;

template <typename T>
concept Enumeration = std::is_enum_v<T>;

// The members of each struct: the one list that writing and reading go by.

void Members(auto& archive, Of<Estimate> auto& estimate) {
  archive.Member("value", estimate.value);
  archive.Member("low", estimate.low);
  archive.Member("high", estimate.high);
}

void Members(auto& archive, Of<TimeStatistics> auto& times) {
  archive.Member("count", times.count);
  archive.Member("mean", times.mean);
  archive.Member("deviation", times.deviation);
  archive.Member("minimum", times.minimum);
  archive.Member("maximum", times.maximum);
  archive.Member("p50", times.p50);
  archive.Member("p90", times.p90);
  archive.Member("p95", times.p95);
  archive.Member("p99", times.p99);
  archive.Member("quantiles", times.quantiles);
}

void Members(auto& archive, Of<CheckResult> auto& check) {
  archive.Member("name", check.name);
  archive.Member("outcome", check.outcome);
  archive.Member("detail", check.detail);
}

void Members(auto& archive, Of<AccuracyResult> auto& accuracy) {
  archive.Member("driver", accuracy.driver);
  archive.Member("sequences", accuracy.sequences);
  archive.Member("inferences", accuracy.inferences);
  archive.Member("topK", accuracy.top_k);
  archive.Member("meanSquareError", accuracy.mean_square_error);
  archive.Member("maximumAbsoluteError", accuracy.maximum_absolute_error);
  archive.Member("maximumSignedError", accuracy.maximum_signed_error);
  archive.Member("offBy", accuracy.off_by);
  archive.Member("melCepstralDistance", accuracy.mel_cepstral_distance);
  archive.Member("logF0Error", accuracy.log_f0_error);
  archive.Member("phoneErrorRateMlts", accuracy.phone_error_rate_mlts);
  archive.Member("phoneErrorRate", accuracy.phone_error_rate);
}

void Members(auto& archive, Of<PairedComparison> auto& comparison) {
  archive.Member("baseline", comparison.baseline);
  archive.Member("sequences", comparison.sequences);
  archive.Member("changed", comparison.changed);
  archive.Member("driverAloneRight", comparison.driver_alone_right);
  archive.Member("baselineAloneRight", comparison.baseline_alone_right);
  archive.Member("mcnemarP", comparison.mcnemar_p);
  archive.Member("top1Difference", comparison.top_1_difference);
  archive.Member("maximumAbsoluteDifference", comparison.maximum_absolute_difference);
  archive.Member("maximumSteps", comparison.maximum_steps);
}

void Members(auto& archive, Of<LayerError> auto& layer) {
  archive.Member("operation", layer.operation);
  archive.Member("type", layer.type);
  archive.Member("maximumAbsoluteError", layer.maximum_absolute_error);
  archive.Member("meanSquareError", layer.mean_square_error);
  archive.Member("maximumMagnitude", layer.maximum_magnitude);
}

void Members(auto& archive, Of<LatencyResult> auto& latency) {
  archive.Member("driver", latency.driver);
  archive.Member("executor", latency.executor);
  archive.Member("first", latency.first);
  archive.Member("wall", latency.wall);
  archive.Member("timeInDriver", latency.time_in_driver);
  archive.Member("timeOnDevice", latency.time_on_device);
}

void Members(auto& archive, Of<ThroughputResult> auto& throughput) {
  archive.Member("driver", throughput.driver);
  archive.Member("threads", throughput.threads);
  archive.Member("inferencesPerSecond", throughput.inferences_per_second);
  archive.Member("latency", throughput.latency);
}

void Members(auto& archive, Of<CompilationResult> auto& compilation) {
  archive.Member("driver", compilation.driver);
  archive.Member("withoutCache", compilation.without_cache);
  archive.Member("saving", compilation.saving);
  archive.Member("fromCache", compilation.from_cache);
  archive.Member("cacheBytes", compilation.cache_bytes);
}

void Members(auto& archive, Of<LeakResult> auto& leak) {
  archive.Member("loads", leak.loads);
  archive.Member("bytes", leak.bytes);
  archive.Member("descriptors", leak.descriptors);
  archive.Member("threads", leak.threads);
}

void Members(auto& archive, Of<PerformanceClaim> auto& claim) {
  archive.Member("operandType", claim.operand_type);
  archive.Member("claimed", claim.claimed);
  archive.Member("measured", claim.measured);
}

void Members(auto& archive, Of<BenchmarkResult> auto& benchmark) {
  archive.Member("name", benchmark.name);
  archive.Member("file", benchmark.file);
  archive.Member("sha256", benchmark.sha256);
  archive.Member("status", benchmark.status);
  archive.Member("detail", benchmark.detail);
  archive.Member("type", benchmark.type);
  archive.Member("operations", benchmark.operations);
  archive.Member("accuracy", benchmark.accuracy);
  archive.Member("comparison", benchmark.comparison);
  archive.Member("firstDivergingOperation", benchmark.first_diverging_operation);
  archive.Member("layers", benchmark.layers);
  archive.Member("latency", benchmark.latency);
  archive.Member("callTime", benchmark.call_time);
  archive.Member("throughput", benchmark.throughput);
  archive.Member("compilation", benchmark.compilation);
  archive.Member("leak", benchmark.leak);
  archive.Member("checks", benchmark.checks);
  archive.Member("problems", benchmark.problems);
}

void Members(auto& archive, Of<StressResult> auto& stress) {
  archive.Member("name", stress.name);
  archive.Member("status", stress.status);
  archive.Member("detail", stress.detail);
  archive.Member("rounds", stress.rounds);
  archive.Member("seconds", stress.seconds);
}

void Members(auto& archive, Of<MltsResults> auto& results) {
  archive.Member("format", results.format);
  archive.Member("driver", results.driver);
  archive.Member("driverVersion", results.driver_version);
  archive.Member("halVersion", results.hal_version);
  archive.Member("deviceType", results.device_type);
  archive.Member("baseline", results.baseline);
  archive.Member("machine", results.machine);
  archive.Member("nncertVersion", results.nncert_version);
  archive.Member("started", results.started);
  archive.Member("seconds", results.seconds);
  archive.Member("isComplete", results.is_complete);
  archive.Member("command", results.command);
  archive.Member("benchmarks", results.benchmarks);
  archive.Member("claims", results.claims);
  archive.Member("stress", results.stress);
}

// Writing.

class ObjectWriter {
 public:
  template <typename T>
  void Member(const char* name, const T& value) {
    object_[name] = ToJson(value);
  }

  template <typename T>
  void Member(const char* name, const std::optional<T>& value) {
    if (value.has_value()) object_[name] = ToJson(*value);
  }

  Json Take() { return std::move(object_); }

 private:
  template <typename T>
  static Json ToJson(const T& value) {
    if constexpr (std::is_enum_v<T>) {
      return std::string(toString(value));
    } else if constexpr (std::is_floating_point_v<T>) {
      return std::isfinite(value) ? Json(value) : Json(nullptr);
    } else if constexpr (std::is_arithmetic_v<T> || std::same_as<T, std::string>) {
      return value;
    } else {
      ObjectWriter writer;
      Members(writer, value);
      return writer.Take();
    }
  }

  template <typename T>
  static Json ToJson(const std::vector<T>& values) {
    Json array = Json::array();
    for (const T& value : values) array.push_back(ToJson(value));
    return array;
  }

  Json object_ = Json::object();

  friend std::string nncert::MltsResultsToJson(const MltsResults& results);
};

bool HasOnlyScalars(const Json& json) {
  for (const Json& element : json) {
    if (element.is_structured()) return false;
  }
  return true;
}

std::string Compact(const Json& scalar) {
  return scalar.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// An array's element, or an object's member with its name.
void Print(const Json& json, size_t depth, std::string& text) {
  if (!json.is_structured()) {
    absl::StrAppend(&text, Compact(json));
    return;
  }
  const bool is_on_one_line = HasOnlyScalars(json);
  const std::string indentation(is_on_one_line ? 0 : 2 * (depth + 1), ' ');
  const char* const separator = is_on_one_line ? ", " : ",\n";
  text += json.is_array() ? '[' : '{';
  if (!is_on_one_line) text += '\n';
  bool is_first = true;
  for (const auto& item : json.items()) {
    if (!is_first) text += separator;
    is_first = false;
    text += indentation;
    if (json.is_object()) absl::StrAppend(&text, Compact(item.key()), ": ");
    Print(item.value(), depth + 1, text);
  }
  if (!is_on_one_line) absl::StrAppend(&text, "\n", std::string(2 * depth, ' '));
  text += json.is_array() ? ']' : '}';
}

// Reading.

absl::Status Unexpected(const std::string& where, const std::string& expected, const Json& json) {
  const std::string found =
      json.is_number() ? Compact(json)
                       : absl::StrCat(json.is_structured() ? "an " : "a ", json.type_name());
  return absl::InvalidArgumentError(
      absl::StrCat(where, ": ", expected, " was expected, not ", found));
}

absl::Status Read(const Json& json, const std::string& where, bool& value) {
  if (!json.is_boolean()) return Unexpected(where, "true or false", json);
  value = json.get<bool>();
  return absl::OkStatus();
}

absl::Status Read(const Json& json, const std::string& where, double& value) {
  if (json.is_null()) {
    value = std::numeric_limits<double>::quiet_NaN();
    return absl::OkStatus();
  }
  if (!json.is_number()) return Unexpected(where, "a number", json);
  value = json.get<double>();
  return absl::OkStatus();
}

absl::Status Read(const Json& json, const std::string& where, std::unsigned_integral auto& value) {
  using Integer = std::remove_reference_t<decltype(value)>;
  constexpr uint64_t kHighest = std::numeric_limits<Integer>::max();
  if (!json.is_number_unsigned() || json.get<uint64_t>() > kHighest) {
    return Unexpected(where, absl::StrCat("a whole number from 0 to ", kHighest), json);
  }
  value = json.get<Integer>();
  return absl::OkStatus();
}

absl::Status Read(const Json& json, const std::string& where, std::string& value) {
  if (!json.is_string()) return Unexpected(where, "a string", json);
  value = json.get<std::string>();
  return absl::OkStatus();
}

absl::Status Read(const Json& json, const std::string& where, Enumeration auto& value) {
  using Enum = std::remove_reference_t<decltype(value)>;
  if (!json.is_string()) return Unexpected(where, "a string", json);
  const std::string name = json.get<std::string>();
  std::string names;
  for (int number = 0; toString(static_cast<Enum>(number)) != "unknown"; ++number) {
    const Enum enumerator = static_cast<Enum>(number);
    if (toString(enumerator) == name) {
      value = enumerator;
      return absl::OkStatus();
    }
    absl::StrAppend(&names, names.empty() ? "" : ", ", std::string(toString(enumerator)));
  }
  return absl::InvalidArgumentError(
      absl::StrCat(where, ": one of ", names, " was expected, not ", Compact(json)));
}

template <typename T>
absl::Status Read(const Json& json, const std::string& where, std::vector<T>& values);

template <typename T>
requires std::is_class_v<T> absl::Status Read(const Json& json, const std::string& where, T& value);

class ObjectReader {
 public:
  // The object is at `where`, which is empty for the whole.
  ObjectReader(const Json& object, std::string where) : object_(object), where_(std::move(where)) {}

  template <typename T>
  void Member(const char* name, T& value) {
    names_.insert(name);
    if (!status_.ok()) return;
    const auto member = object_.find(name);
    if (member == object_.end()) {
      status_ = absl::InvalidArgumentError(absl::StrCat(PathOf(name), ": missing"));
    } else {
      status_ = Read(*member, PathOf(name), value);
    }
  }

  template <typename T>
  void Member(const char* name, std::optional<T>& value) {
    value.reset();
    if (object_.contains(name)) {
      Member(name, value.emplace());
    } else {
      names_.insert(name);
    }
  }

  // After all members: the first error, if any; a member that is none of them is one.
  absl::Status Finish() {
    if (!status_.ok()) return status_;
    for (const auto& item : object_.items()) {
      if (!names_.contains(item.key())) {
        return absl::InvalidArgumentError(
            absl::StrCat(PathOf(Compact(item.key())), ": no such member is known"));
      }
    }
    return absl::OkStatus();
  }

 private:
  std::string PathOf(const std::string& name) const {
    return absl::StrCat(where_, where_.empty() ? "" : ".", name);
  }

  const Json& object_;
  std::string where_;
  std::set<std::string, std::less<>> names_;
  absl::Status status_;
};

template <typename T>
absl::Status Read(const Json& json, const std::string& where, std::vector<T>& values) {
  if (!json.is_array()) return Unexpected(where, "an array", json);
  values.clear();
  for (const Json& element : json) {
    const std::string place = absl::StrCat(where, "[", values.size(), "]");
    absl::Status status = Read(element, place, values.emplace_back());
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

template <typename T>
requires std::is_class_v<T> absl::Status Read(const Json& json, const std::string& where,
                                              T& value) {
  if (!json.is_object()) {
    return Unexpected(where.empty() ? "the whole" : where, "an object", json);
  }
  ObjectReader reader(json, where);
  Members(reader, value);
  return reader.Finish();
}

// Names of members that occur twice in an object, which nlohmann::json would take the last of.
class DuplicateFinder {
 public:
  bool operator()(Json::parse_event_t event, const Json& parsed) {
    if (event == Json::parse_event_t::object_start) {
      names_.emplace_back();
    } else if (event == Json::parse_event_t::object_end) {
      names_.pop_back();
    } else if (event == Json::parse_event_t::key) {
      if (!names_.back().insert(parsed.get<std::string>()).second && duplicate_.empty()) {
        duplicate_ = Compact(parsed);
      }
    }
    return true;
  }

  // The first one, quoted; empty when there is none.
  const std::string& duplicate() const { return duplicate_; }

 private:
  std::vector<std::set<std::string>> names_;  // of the objects that are open
  std::string duplicate_;
};

}  // namespace

std::string MltsResultsToJson(const MltsResults& results) {
  std::string text;
  Print(ObjectWriter::ToJson(results), 0, text);
  text += '\n';
  return text;
}

absl::StatusOr<MltsResults> MltsResultsFromJson(std::string_view json) {
  DuplicateFinder duplicates;
  Json whole;
  try {
    whole = Json::parse(json, [&](int, Json::parse_event_t event, Json& parsed) {
      return duplicates(event, parsed);
    });
  } catch (const Json::exception& exception) {
    return absl::InvalidArgumentError(absl::StrCat("not JSON: ", exception.what()));
  }
  if (!duplicates.duplicate().empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the member ", duplicates.duplicate(), " is given twice in one object"));
  }
  // First of all, for the members of another form are other ones.
  if (whole.is_object() && whole.contains("format") && whole["format"] != kResultsFormat) {
    return absl::InvalidArgumentError(absl::StrCat("format: ", Compact(whole["format"]),
                                                   " is not known; this nncert reads form ",
                                                   kResultsFormat));
  }
  MltsResults results;
  const absl::Status status = Read(whole, "", results);
  if (!status.ok()) return status;
  return results;
}

absl::StatusOr<MltsResults> ReadResults(const std::string& path) {
  std::filesystem::path file = path;
  std::error_code error;
  if (std::filesystem::is_directory(file, error)) file /= "results.json";
  const absl::StatusOr<std::vector<uint8_t>> content = ReadFileBytes(file.string());
  if (!content.ok()) return content.status();
  absl::StatusOr<MltsResults> results =
      MltsResultsFromJson({reinterpret_cast<const char*>(content->data()), content->size()});
  if (!results.ok()) {
    return absl::Status(results.status().code(),
                        absl::StrCat(file.string(), ": ", results.status().message()));
  }
  return results;
}

}  // namespace nncert
