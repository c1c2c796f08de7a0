// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "certifying/submission/package.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <set>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "system/digest.h"

namespace nncert {
namespace {

constexpr std::string_view kManifest = "manifest.txt";
constexpr size_t kBlock = 512;
constexpr size_t kHashDigits = 64;
// Magic, deflate, a comment alone, no date, no level, Unix: RFC 1952, 2.3.
constexpr std::string_view kGzipHead{"\x1f\x8b\x08\x10\0\0\0\0\0\x03", 10};
// The window of zlib that makes and reads neither head nor trailer.
constexpr int kRawDeflate = -MAX_WBITS;
constexpr int kMemoryLevel = 8;

absl::Status Refuse(absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("no package of nncert: ", what));
}

void AppendLittleEndian(std::string& bytes, uint32_t number) {
  for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(number >> shift);
}

// The checksum and the length that end a gzip.
std::string TrailerOf(std::string_view content) {
  std::string trailer;
  const uLong checksum = crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size());
  AppendLittleEndian(trailer, static_cast<uint32_t>(checksum));
  AppendLittleEndian(trailer, static_cast<uint32_t>(content.size()));
  return trailer;
}

// The head of a file in a tar: name, mode, owners, size, date, checksum, kind, and the rest.
std::string TarHead(std::string_view name, uint64_t size) {
  std::string head(kBlock, '\0');
  const auto put = [&head](size_t offset, std::string_view text) {
    std::copy(text.begin(), text.end(), head.begin() + static_cast<std::ptrdiff_t>(offset));
  };
  put(0, name);
  put(100, "0000644");
  put(108, "0000000");
  put(116, "0000000");
  put(124, absl::StrFormat("%011o", size));
  put(136, "00000000000");
  // While the sum is taken, it counts as spaces.
  put(148, "        ");
  put(156, "0");
  put(257, std::string_view("ustar\0"
                            "00",
                            8));
  unsigned sum = 0;
  for (const char byte : head) sum += static_cast<unsigned char>(byte);
  put(148, absl::StrFormat("%06o", sum));
  head[154] = '\0';
  return head;
}

// A file in a tar, filled up to a whole block.
void AppendFile(std::string& tar, std::string_view name, std::string_view content) {
  tar += TarHead(name, content.size());
  tar.append(content.data(), content.size());
  tar.append((kBlock - content.size() % kBlock) % kBlock, '\0');
}

std::string ManifestOf(const std::vector<PackagedFile>& files) {
  std::string manifest;
  for (const PackagedFile& file : files) {
    absl::StrAppend(&manifest, Sha256(file.content), " ", file.content.size(), " ", file.name,
                    "\n");
  }
  return manifest;
}

std::string TarOf(const std::vector<PackagedFile>& files) {
  std::string tar;
  AppendFile(tar, kManifest, ManifestOf(files));
  for (const PackagedFile& file : files) AppendFile(tar, file.name, file.content);
  tar.append(2 * kBlock, '\0');
  return tar;
}

// What may be packed, whether it is to be written or was read.
absl::Status Check(const std::vector<PackagedFile>& files) {
  std::set<absl::string_view> names = {absl::string_view(kManifest.data(), kManifest.size())};
  uint64_t bytes = 0;
  if (files.size() > kMostPackagedFiles) return Refuse("it has too many files");
  for (const PackagedFile& file : files) {
    if (!IsPackagedName(file.name)) return Refuse("a file has a name that none may have");
    if (!names.insert(file.name).second) return Refuse(absl::StrCat(file.name, " is there twice"));
    bytes += file.content.size();
    if (bytes > kMostPackagedBytes) return Refuse("its files are too large");
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> Deflate(std::string_view content) {
  z_stream stream = {};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kRawDeflate, kMemoryLevel,
                   Z_DEFAULT_STRATEGY) != Z_OK) {
    return absl::ResourceExhaustedError("zlib cannot be begun");
  }
  std::string packed(deflateBound(&stream, content.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  const int result = deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  if (result != Z_STREAM_END) return absl::InternalError("zlib does not come to an end");
  return packed;
}

// Unpacks all of `packed`, no more than may be there.
absl::StatusOr<std::string> Inflate(std::string_view packed) {
  constexpr uint64_t kMost = kMostPackagedBytes + kMostPackagedFiles * 3 * kBlock;
  if (packed.size() > kMost) return Refuse("it is too large");
  z_stream stream = {};
  if (inflateInit2(&stream, kRawDeflate) != Z_OK) {
    return absl::ResourceExhaustedError("zlib cannot be begun");
  }
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  std::string content;
  std::array<char, 65536> buffer;
  int result = Z_OK;
  while (result == Z_OK && content.size() <= kMost) {
    stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream.avail_out = static_cast<uInt>(buffer.size());
    result = inflate(&stream, Z_NO_FLUSH);
    content.append(buffer.data(), buffer.size() - stream.avail_out);
  }
  const bool is_all = stream.avail_in == 0;
  inflateEnd(&stream);
  if (content.size() > kMost) return Refuse("it unpacks to more than a package may hold");
  if (result != Z_STREAM_END || !is_all) return Refuse("what is packed is broken");
  return content;
}

// The text of a head up to its first zero, and the number in one.
std::string_view TextAt(std::string_view tar, size_t offset, size_t size) {
  const std::string_view text = tar.substr(offset, size);
  return text.substr(0, std::min(text.find('\0'), text.size()));
}

absl::StatusOr<uint64_t> SizeAt(std::string_view tar, size_t offset) {
  uint64_t size = 0;
  for (const char digit : TextAt(tar, offset, 12)) {
    if (digit < '0' || digit > '7') return Refuse("a file has no size");
    size = size * 8 + static_cast<uint64_t>(digit - '0');
  }
  return size;
}

// The files of a tar, of whatever kind their heads say they are: who calls compares the heads.
absl::StatusOr<std::vector<PackagedFile>> FilesOf(std::string_view tar) {
  std::vector<PackagedFile> files;
  size_t place = 0;
  while (true) {
    if (tar.size() - place < 2 * kBlock) return Refuse("it has no end");
    if (tar[place] == '\0') return files;
    if (files.size() > kMostPackagedFiles) return Refuse("it has too many files");
    const absl::StatusOr<uint64_t> size = SizeAt(tar, place + 124);
    if (!size.ok()) return size.status();
    PackagedFile file = {.name = std::string(TextAt(tar, place, 100)), .content = ""};
    place += kBlock;
    if (*size > tar.size() - place) return Refuse("a file is longer than all there is");
    file.content = std::string(tar.substr(place, *size));
    files.push_back(std::move(file));
    const uint64_t filled = (*size + kBlock - 1) / kBlock * kBlock;
    if (filled > tar.size() - place) return Refuse("a file is cut off");
    place += filled;
  }
}

}  // namespace

bool IsPackagedName(std::string_view name) {
  if (name.empty() || name.size() > kLongestPackagedName) return false;
  for (const absl::string_view part :
       absl::StrSplit(absl::string_view(name.data(), name.size()), '/')) {
    if (part.empty() || part.front() == '.') return false;
    const auto is_allowed = [](char letter) {
      return absl::ascii_isalnum(static_cast<unsigned char>(letter)) ||
             absl::string_view("-_+.").find(letter) != absl::string_view::npos;
    };
    if (!std::all_of(part.begin(), part.end(), is_allowed)) return false;
  }
  return true;
}

absl::StatusOr<std::string> PackTar(std::string_view tar) {
  absl::StatusOr<std::string> packed = Deflate(tar);
  if (!packed.ok()) return packed.status();
  const std::string behind = absl::StrCat(*packed, TrailerOf(tar));
  std::string package(kGzipHead);
  package += Sha256(behind);
  package += '\0';
  return package + behind;
}

absl::StatusOr<std::string> UnpackTar(std::string_view package) {
  constexpr size_t kTrailer = 8;
  const size_t head = kGzipHead.size() + kHashDigits + 1;
  if (package.size() < head + kTrailer || package.substr(0, kGzipHead.size()) != kGzipHead ||
      package[head - 1] != '\0') {
    return Refuse("it does not begin as one");
  }
  const std::string_view behind = package.substr(head);
  if (package.substr(kGzipHead.size(), kHashDigits) != Sha256(behind)) {
    return Refuse("its bytes are not those that its head has the SHA-256 of");
  }
  const std::string_view packed = behind.substr(0, behind.size() - kTrailer);
  absl::StatusOr<std::string> tar = Inflate(packed);
  if (!tar.ok()) return tar.status();
  if (behind.substr(packed.size()) != TrailerOf(*tar)) return Refuse("its checksum is wrong");
  return tar;
}

absl::StatusOr<std::string> WritePackage(const std::vector<PackagedFile>& files) {
  if (absl::Status status = Check(files); !status.ok()) return status;
  return PackTar(TarOf(files));
}

absl::StatusOr<std::vector<PackagedFile>> ReadPackage(std::string_view package) {
  const absl::StatusOr<std::string> tar = UnpackTar(package);
  if (!tar.ok()) return tar.status();
  absl::StatusOr<std::vector<PackagedFile>> files = FilesOf(*tar);
  if (!files.ok()) return files.status();
  if (files->empty() || files->front().name != kManifest) return Refuse("it has no manifest");
  const std::string manifest = std::move(files->front().content);
  files->erase(files->begin());
  if (absl::Status status = Check(*files); !status.ok()) return status;
  if (manifest != ManifestOf(*files)) return Refuse("its files are not those of its manifest");
  // Kinds, owners, dates, what fills up blocks: nothing is left in which something could hide.
  if (*tar != TarOf(*files)) return Refuse("its heads are not those of plain files");
  return files;
}

}  // namespace nncert
