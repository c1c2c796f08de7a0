// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "cases/spec_cache.h"

#include <capnp/message.h>
#include <capnp/serialize.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "cases/cached_spec.capnp.h"
#include "cases/case_file.h"
#include "hal/flat_message.h"
#include "hal/schema_conversion.h"
#include "hal/schema_values.h"
#include "system/digest.h"
#include "system/file_content.h"
#include "system/whole_file.h"

namespace nncert {
namespace {

namespace fs = std::filesystem;

constexpr char kEntrySuffix[] = ".spec";

// What entries of another form are not taken for.
constexpr char kForm[] = "nncert spec cache 2";

// The digests of what is not there, or cannot be read.
constexpr uint64_t kNothing = 0;

// The CRC-32 of bytes beside what fits of their number, and never kNothing: of millions, and before
// the first case runs, so the slower Digest will not do. A few bytes that are changed do not come
// to the same.
uint64_t DigestBytes(absl::Span<const uint8_t> bytes) {
  return (uint64_t{bytes.size()} << 32 | crc32_z(0, bytes.data(), bytes.size())) + 1;
}

uint64_t DigestFileContent(const std::string& path) {
  const absl::StatusOr<std::vector<uint8_t>> bytes = ReadFileBytes(path);
  return bytes.ok() ? DigestBytes(*bytes) : kNothing;
}

uint64_t DigestNames(const std::string& folder) {
  const absl::StatusOr<std::vector<std::string>> paths = ListFolder(folder);
  if (!paths.ok()) return kNothing;
  Digest digest;
  for (const std::string& path : *paths) digest.Add(path);
  return digest.value();
}

// Whether a file is there and is the user's own: nobody else can have put it there.
bool IsOwnFile(const std::string& path) {
  struct stat status;
  return lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid();
}

// Whether a file or folder, if it is there, is what it was at `time`, a moment of the clock of file
// systems.
bool IsUnchangedSince(const std::string& path, bool is_folder, const timespec& time) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0) return true;
  const timespec& change = status.st_ctim;
  return (is_folder ? S_ISDIR(status.st_mode) : S_ISREG(status.st_mode)) &&
         std::pair(change.tv_sec, change.tv_nsec) <= std::pair(time.tv_sec, time.tv_nsec);
}

}  // namespace

SpecCache::SpecCache(std::string folder, std::string_view spec_reader, std::string_view python,
                     uint64_t most_bytes)
    : folder_(std::move(folder)), most_bytes_(most_bytes) {
  // By the clock of file systems. Where theirs is coarse, what changes a few milliseconds after
  // this may have an earlier time; it takes longer to start whatever reads it.
  clock_gettime(CLOCK_REALTIME, &start_);
  Digest way;
  way.Add(kForm);
  std::error_code error;
  for (const std::string_view program : {spec_reader, python}) {
    way.Add(fs::absolute(program, error).native());
  }
  // What Python goes by.
  std::vector<std::string_view> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    if (std::string_view(*variable).starts_with("PYTHON")) variables.push_back(*variable);
  }
  std::sort(variables.begin(), variables.end());
  for (const std::string_view variable : variables) way.Add(variable);
  way_ = way.value();
}

std::optional<SpecReading> SpecCache::Begin(const std::string& spec) const {
  if (folder_.empty()) return std::nullopt;
  std::error_code error;
  SpecReading reading;
  reading.path = fs::absolute(spec, error).native();
  const absl::StatusOr<std::vector<uint8_t>> content = ReadFileBytes(spec);
  if (error || !content.ok()) return std::nullopt;
  Digest key;
  key.Add(absl::StrCat(way_));
  key.Add(reading.path);
  key.Add(*content);
  reading.key = key.value();
  return reading;
}

std::string SpecCache::EntryOf(const SpecReading& reading) const {
  return absl::StrFormat("%s/%016x%s", folder_, reading.key, kEntrySuffix);
}

uint64_t SpecCache::DigestOf(const Place& place) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto [entry, is_new] = digests_.try_emplace(place, kNothing);
  const auto& [path, is_folder] = place;
  if (is_new) entry->second = is_folder ? DigestNames(path) : DigestFileContent(path);
  return entry->second;
}

std::optional<std::vector<TestCase>> SpecCache::Find(const SpecReading& reading) {
  const std::string path = EntryOf(reading);
  if (!IsOwnFile(path)) return std::nullopt;
  const absl::StatusOr<std::vector<uint8_t>> bytes = ReadFileBytes(path);
  uint64_t digest = 0;
  if (!bytes.ok() || bytes->size() < sizeof(digest)) return std::nullopt;
  std::memcpy(&digest, bytes->data(), sizeof(digest));
  const absl::Span<const uint8_t> message = absl::MakeSpan(*bytes).subspan(sizeof(digest));
  if (digest != DigestBytes(message)) return std::nullopt;
  std::optional<std::vector<TestCase>> cases;
  const absl::Status status = hal::ReadFlatMessage(
      message, "the entry",
      [&](capnp::MessageReader& reader, kj::ArrayPtr<const capnp::word>) -> absl::Status {
        const auto entry = reader.getRoot<schema::CachedSpec>();
        if (entry.getKey() != reading.key || hal::ToText(entry.getPath()) != reading.path) {
          return absl::NotFoundError("another spec");
        }
        for (const auto read : entry.getReads()) {
          if (DigestOf({hal::ToText(read.getPath()), read.getIsFolder()}) != read.getDigest()) {
            return absl::NotFoundError("changed since");
          }
        }
        const auto data = entry.getCaseFile();
        absl::StatusOr<CaseFile> file = ParseCaseFile(absl::MakeSpan(data.begin(), data.size()));
        if (!file.ok()) return file.status();
        cases = std::move(file->cases);
        return absl::OkStatus();
      });
  if (!status.ok()) return std::nullopt;
  // What is used stays.
  utimensat(AT_FDCWD, path.c_str(), nullptr, AT_SYMLINK_NOFOLLOW);
  return cases;
}

void SpecCache::Keep(const SpecReading& reading, std::string_view reads,
                     absl::Span<const uint8_t> case_file) {
  const std::optional<SpecReading> now = Begin(reading.path);
  if (!now.has_value() || now->key != reading.key) return;
  std::vector<Place> places;
  for (absl::string_view read :
       absl::StrSplit(absl::string_view(reads.data(), reads.size()), '\0', absl::SkipEmpty())) {
    const bool is_folder = absl::ConsumePrefix(&read, "folder:");
    if (!is_folder && !absl::ConsumePrefix(&read, "file:")) return;
    places.emplace_back(std::string(read), is_folder);
    if (!IsUnchangedSince(places.back().first, is_folder, start_)) return;
  }
  const absl::StatusOr<std::vector<uint8_t>> bytes =
      hal::WithoutExceptions([&]() -> absl::StatusOr<std::vector<uint8_t>> {
        capnp::MallocMessageBuilder message;
        auto entry = message.initRoot<schema::CachedSpec>();
        entry.setKey(reading.key);
        entry.setPath(reading.path);
        auto list = entry.initReads(static_cast<unsigned>(places.size()));
        for (unsigned i = 0; i < list.size(); ++i) {
          list[i].setPath(places[i].first);
          list[i].setIsFolder(places[i].second);
          list[i].setDigest(DigestOf(places[i]));
        }
        entry.setCaseFile(capnp::Data::Reader(case_file.data(), case_file.size()));
        const kj::Array<capnp::word> words = capnp::messageToFlatArray(message);
        const auto content = words.asBytes();
        const uint64_t digest = DigestBytes(absl::MakeSpan(content.begin(), content.size()));
        std::vector<uint8_t> all(sizeof(digest));
        std::memcpy(all.data(), &digest, sizeof(digest));
        all.insert(all.end(), content.begin(), content.end());
        return all;
      });
  // One that leaves no room for others is not worth it.
  if (!bytes.ok() || bytes->size() > most_bytes_ / 4) return;
  std::error_code error;
  fs::create_directories(fs::path(folder_).parent_path(), error);
  mkdir(folder_.c_str(), S_IRWXU);
  const std::string path = EntryOf(reading);
  struct stat there;
  if (lstat(path.c_str(), &there) == 0 && !S_ISREG(there.st_mode)) return;
  // Where it cannot be written, the spec is read anew the next time.
  WriteWholeFile(path, *bytes).IgnoreError();
}

void SpecCache::Trim() const {
  struct File {
    timespec used;
    uint64_t bytes;
    std::string path;
  };
  std::vector<File> files;
  uint64_t total = 0;
  const absl::StatusOr<std::vector<std::string>> paths =
      folder_.empty() ? absl::NotFoundError("") : ListFolder(folder_);
  if (!paths.ok()) return;
  for (const std::string& path : *paths) {
    struct stat status;
    const absl::string_view name = path;
    const bool is_entry = absl::EndsWith(name, kEntrySuffix) ||
                          absl::EndsWith(name, {kPartialSuffix.data(), kPartialSuffix.size()});
    if (!is_entry || lstat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
    files.push_back({status.st_mtim, static_cast<uint64_t>(status.st_size), path});
    total += files.back().bytes;
  }
  if (total <= most_bytes_) return;
  std::sort(files.begin(), files.end(), [](const File& a, const File& b) {
    return std::pair(a.used.tv_sec, a.used.tv_nsec) < std::pair(b.used.tv_sec, b.used.tv_nsec);
  });
  for (const File& file : files) {
    // Not again at the next spec.
    if (total <= most_bytes_ / 4 * 3) break;
    if (unlink(file.path.c_str()) == 0) total -= file.bytes;
  }
}

std::string UsersSpecCache() {
  for (const auto& [variable, below] :
       {std::pair("XDG_CACHE_HOME", "nncert/specs"), std::pair("HOME", ".cache/nncert/specs")}) {
    const char* const folder = std::getenv(variable);
    if (folder != nullptr && folder[0] == '/') return (fs::path(folder) / below).native();
  }
  return "";
}

}  // namespace nncert
