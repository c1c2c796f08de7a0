// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/records/failure_dump.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <sstream>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "cases/case_file.h"
#include "cases/spec_writer.h"
#include "hal/graph_dump.h"
#include "reference/argument_names.h"
#include "system/program.h"
#include "system/whole_file.h"

namespace nncert {
namespace {

constexpr char kCaseSuffix[] = ".case";
constexpr char kSpecSuffix[] = ".mod.py";
constexpr char kTestSuffix[] = "_test.cc";
constexpr char kGraphSuffix[] = ".dot";

// File systems allow 255 bytes; suffixes and hashes need some of them.
constexpr size_t kLongestName = 200;

bool IsAlphanumeric(char character) {
  return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
         (character >= '0' && character <= '9');
}

// FNV-1a, 32 bits: http://www.isthe.com/chongo/tech/comp/fnv/.
uint32_t Hash(std::string_view text) {
  uint32_t hash = 0x811C9DC5;
  for (const char character : text) {
    hash = (hash ^ static_cast<unsigned char>(character)) * 0x01000193;
  }
  return hash;
}

// The path of a file that DumpCase writes without what it adds to the name; nothing where it is
// called otherwise.
std::optional<std::string> BaseOfDump(std::string_view path) {
  for (const std::string_view suffix : {kCaseSuffix, kSpecSuffix, kTestSuffix, kGraphSuffix}) {
    if (path.ends_with(suffix)) return std::string(path.substr(0, path.size() - suffix.size()));
  }
  return std::nullopt;
}

}  // namespace

const std::string& DumpName(const TestCase& test_case) {
  return test_case.name.empty() ? test_case.dynamicOutputShapeName : test_case.name;
}

std::string SanitizeFileName(std::string_view name) {
  std::string sanitized;
  for (const char character : name) {
    const bool is_allowed = IsAlphanumeric(character) || character == '-' || character == '_' ||
                            character == '+' || (character == '.' && !sanitized.empty());
    sanitized += is_allowed ? character : '_';
  }
  if (sanitized.size() > kLongestName - 9) sanitized.resize(kLongestName - 9);
  if (sanitized.empty() || sanitized != name) {
    absl::StrAppendFormat(&sanitized, "_%08x", Hash(name));
  }
  return sanitized;
}

std::string ReproduceStart(std::string_view program, std::string_view driver) {
  return absl::StrCat(std::string(program), " run --driver ", QuoteForShell(driver));
}

std::string ReproduceLine(std::string_view driver, std::string_view flags, std::string_view path) {
  return absl::StrCat(ReproduceStart(ProgramWord(), driver), std::string(flags), " ",
                      QuoteForShell(path));
}

std::string DrawingOf(const hal::V1_2::Model& model, std::string_view name) {
  std::ostringstream graph;
  hal::graphDump(name, model, graph, NamesOfArguments(model));
  return graph.str();
}

FailureDump DumpCase(const TestCase& test_case, const absl::StatusOr<std::string>& google_test,
                     std::string_view name, const std::string& directory) {
  FailureDump dump;
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) {
    dump.status = absl::UnavailableError(
        absl::StrCat("cannot make the folder ", directory, ": ", error.message()));
    return dump;
  }
  const std::string base = absl::StrCat(directory, "/", SanitizeFileName(name));
  const auto add = [&](const std::string& path, const absl::Status& status) {
    if (status.ok()) {
      dump.files.push_back(path);
    } else {
      dump.status = dump.status.ok()
                        ? status
                        : absl::Status(dump.status.code(),
                                       absl::StrCat(dump.status.message(), "; ", status.message()));
    }
  };
  const std::string case_path = absl::StrCat(base, kCaseSuffix);
  const std::string spec_path = absl::StrCat(base, kSpecSuffix);
  const std::string test_path = absl::StrCat(base, kTestSuffix);
  const std::string graph_path = absl::StrCat(base, kGraphSuffix);
  add(case_path, WriteCaseFile(case_path, "nncert", {test_case}));
  const absl::StatusOr<std::string> spec = WriteSpec(test_case);
  add(spec_path, spec.ok() ? WriteWholeFile(spec_path, *spec) : spec.status());
  add(test_path, google_test.ok() ? WriteWholeFile(test_path, *google_test)
                                  : absl::Status(google_test.status().code(),
                                                 absl::StrCat("no GoogleTest source: ",
                                                              google_test.status().message())));
  add(graph_path, WriteWholeFile(graph_path, DrawingOf(test_case.model, name)));
  return dump;
}

std::optional<std::string> DumpedName(std::string_view path) {
  if (path.ends_with(kPartialSuffix)) {
    path.remove_suffix(kPartialSuffix.size());
    // The numbers of the process and of the file.
    const size_t end = path.find_last_not_of("0123456789.");
    path = path.substr(0, end == std::string_view::npos ? 0 : end + 1);
  }
  std::optional<std::string> base = BaseOfDump(path);
  if (base.has_value()) base = std::filesystem::path(*base).filename().string();
  return base;
}

bool IsOfDump(const std::string& path) {
  if (path.ends_with(kPartialSuffix)) return true;
  const std::optional<std::string> base = BaseOfDump(path);
  std::error_code error;
  return base.has_value() &&
         std::filesystem::is_regular_file(absl::StrCat(*base, kCaseSuffix), error) &&
         std::filesystem::is_regular_file(absl::StrCat(*base, kGraphSuffix), error);
}

}  // namespace nncert
