// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/compilation_cache.h"

#include <fcntl.h>
#include <nettle/hmac.h>
#include <nettle/memops.h>
#include <nettle/sha2.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <new>
#include <type_traits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "hal/write_at.h"

namespace nncert::hal {
namespace {

using Digest = std::array<uint8_t, SHA256_DIGEST_SIZE>;

// A cache is used where it was saved, so numbers are in the byte order of the machine.
struct Header {
  std::array<uint8_t, 8> magic;
  uint32_t format;
  uint16_t kind;
  uint16_t index;   // among the files of the kind
  uint64_t length;  // bytes of the content, which is what comes behind the header
  Digest owner;     // of the version string
  V1_2::CacheToken token;
  Digest content;
  // Of the headers of all files of the cache, in which it is zero, with the owner's key. So it
  // stands for all contents, and ties each file to the others.
  Digest seal;
};
static_assert(std::has_unique_object_representations_v<Header>, "no byte must be arbitrary");

constexpr std::array<uint8_t, 8> kMagic = {'N', 'N', 'c', 'a', 'c', 'h', 'e', '\n'};
// To be raised with every change of Header or of what is computed into it.
constexpr uint32_t kFormat = 1;

constexpr std::array<const char*, 2> kKinds = {"model cache", "data cache"};

// One of the files of a cache, in memory.
struct CacheFile {
  Header header = {};
  std::vector<uint8_t> content;
};

// The same error, of a file: "model cache 0: ...".
absl::Status About(size_t kind, size_t index, const absl::Status& status) {
  return {status.code(), absl::StrCat(kKinds[kind], " ", index, ": ", status.message())};
}

Digest DigestOf(absl::Span<const uint8_t> bytes) {
  sha256_ctx context;
  sha256_init(&context);
  sha256_update(&context, bytes.size(), bytes.data());
  Digest digest;
  sha256_digest(&context, digest.size(), digest.data());
  return digest;
}

Digest SealOf(std::vector<Header> headers, const CacheOwner& owner) {
  for (Header& header : headers) header.seal = {};
  hmac_sha256_ctx context;
  hmac_sha256_set_key(&context, owner.key.size(), owner.key.data());
  hmac_sha256_update(&context, headers.size() * sizeof(Header),
                     reinterpret_cast<const uint8_t*>(headers.data()));
  Digest seal;
  hmac_sha256_digest(&context, seal.size(), seal.data());
  return seal;
}

// The header that a file must have, but for what depends on contents.
Header ExpectedHeader(size_t kind, size_t index, const CacheOwner& owner,
                      const V1_2::CacheToken& token) {
  Header header = {};
  header.magic = kMagic;
  header.format = kFormat;
  header.kind = static_cast<uint16_t>(kind);
  header.index = static_cast<uint16_t>(index);
  header.owner =
      DigestOf({reinterpret_cast<const uint8_t*>(owner.version.data()), owner.version.size()});
  header.token = token;
  return header;
}

constexpr char kCannotWrite[] = "cannot write";

absl::Status ErrorOf(const char* what) { return absl::ErrnoToStatus(errno, what); }

// Reads from `offset` on until `bytes` are full or the file ends; gives how many bytes came.
absl::StatusOr<size_t> ReadAt(int file, size_t offset, absl::Span<uint8_t> bytes) {
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count =
        pread(file, bytes.data() + done, bytes.size() - done, static_cast<off_t>(offset + done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return ErrorOf("cannot read");
    if (count == 0) break;
    done += static_cast<size_t>(count);
  }
  return done;
}

absl::Status CheckHandle(const Handle& handle) {
  if (handle.descriptors.size() != 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("the handle has ", handle.descriptors.size(), " descriptors; expected 1"));
  }
  struct stat status;
  if (fstat(handle.descriptors[0].get(), &status) != 0) {
    return absl::InvalidArgumentError("the descriptor is not open");
  }
  if (!S_ISREG(status.st_mode)) return absl::InvalidArgumentError("not a regular file");
  const int flags = fcntl(handle.descriptors[0].get(), F_GETFL);
  if ((flags & O_ACCMODE) != O_RDWR || (flags & O_PATH) != 0) {
    return absl::PermissionDeniedError("the descriptor is not open for reading and writing");
  }
  return absl::OkStatus();
}

// Calls a function, which gives a Status, with the kind, the index and the descriptor of each file,
// until one fails. The handles are valid.
template <typename Function>
absl::Status ForEachFile(const std::vector<Handle>& model_cache,
                         const std::vector<Handle>& data_cache, Function function) {
  for (size_t kind = 0; kind < kKinds.size(); ++kind) {
    const std::vector<Handle>& handles = kind == 0 ? model_cache : data_cache;
    for (size_t index = 0; index < handles.size(); ++index) {
      absl::Status status = function(kind, index, handles[index].descriptors[0].get());
      if (!status.ok()) return About(kind, index, status);
    }
  }
  return absl::OkStatus();
}

// Checks a header that was read against what it must be.
absl::Status CheckHeader(const Header& header, const Header& expected) {
  if (header.magic != expected.magic) return absl::DataLossError("not a compilation cache");
  if (header.format != expected.format) {
    return absl::DataLossError(
        absl::StrCat("saved in format ", header.format, "; expected ", expected.format));
  }
  if (header.owner != expected.owner) {
    return absl::DataLossError("saved by another driver, or another release of this one");
  }
  if (header.token != expected.token) return absl::DataLossError("saved under another token");
  if (header.kind != expected.kind || header.index != expected.index) {
    return absl::DataLossError("saved as another file of the cache");
  }
  return absl::OkStatus();
}

// Reads a file whose content has no more than `most_bytes`.
absl::StatusOr<CacheFile> Read(int descriptor, const Header& expected, uint64_t most_bytes) {
  CacheFile file;
  const absl::StatusOr<size_t> size = ReadAt(
      descriptor, 0, absl::MakeSpan(reinterpret_cast<uint8_t*>(&file.header), sizeof(Header)));
  if (!size.ok()) return size.status();
  if (*size != sizeof(Header)) {
    return absl::DataLossError(
        absl::StrCat("truncated: it has ", *size, " bytes; expected at least ", sizeof(Header)));
  }
  if (absl::Status status = CheckHeader(file.header, expected); !status.ok()) return status;
  struct stat status;
  if (fstat(descriptor, &status) != 0) return ErrorOf("cannot see the size");
  // Before memory is taken for what the file says.
  const auto behind = static_cast<uint64_t>(status.st_size) - sizeof(Header);
  if (file.header.length != behind) {
    return absl::DataLossError(
        absl::StrCat("saved with a content of ", file.header.length, " bytes; it has ", behind));
  }
  if (behind > most_bytes) {
    return absl::DataLossError(absl::StrCat("too large: ", behind, " bytes of content; expected ",
                                            most_bytes, " at most"));
  }
  try {
    file.content.resize(behind);
  } catch (const std::bad_alloc&) {
    return absl::ResourceExhaustedError(absl::StrCat("no memory for ", behind, " bytes"));
  }
  const absl::StatusOr<size_t> read =
      ReadAt(descriptor, sizeof(Header), absl::MakeSpan(file.content));
  if (!read.ok()) return read.status();
  // A file that was changed meanwhile may have ended sooner.
  if (*read != behind || file.header.content != DigestOf(file.content)) {
    return absl::DataLossError("damaged: its content is not what was saved");
  }
  return file;
}

}  // namespace

absl::Status validateCacheHandles(const std::vector<Handle>& model_cache,
                                  const std::vector<Handle>& data_cache, size_t model_cache_count,
                                  size_t data_cache_count) {
  const std::array<std::pair<const std::vector<Handle>*, size_t>, kKinds.size()> kinds = {
      {{&model_cache, model_cache_count}, {&data_cache, data_cache_count}}};
  for (size_t kind = 0; kind < kinds.size(); ++kind) {
    const auto& [handles, count] = kinds[kind];
    if (handles->size() != count) {
      return absl::InvalidArgumentError(absl::StrCat(
          "there are ", handles->size(), " handles of the ", kKinds[kind], "; expected ", count));
    }
    for (size_t index = 0; index < count; ++index) {
      const absl::Status status = CheckHandle((*handles)[index]);
      if (!status.ok()) return About(kind, index, status);
    }
  }
  return absl::OkStatus();
}

absl::Status saveCompilationCache(const CompilationCache& cache, const CacheOwner& owner,
                                  const V1_2::CacheToken& token,
                                  const std::vector<Handle>& model_cache,
                                  const std::vector<Handle>& data_cache) {
  absl::Status status =
      validateCacheHandles(model_cache, data_cache, cache.model.size(), cache.data.size());
  if (!status.ok()) return status;
  uint64_t bytes = 0;
  for (const auto* const contents : {&cache.model, &cache.data}) {
    for (const std::vector<uint8_t>& content : *contents) bytes += content.size();
  }
  if (bytes > kMostBytesOfCompilationCache) {
    return absl::ResourceExhaustedError(absl::StrCat("the contents have ", bytes,
                                                     " bytes; expected ",
                                                     kMostBytesOfCompilationCache, " at most"));
  }
  std::vector<Header> headers;
  const auto content_of = [&](size_t kind, size_t index) -> const std::vector<uint8_t>& {
    return (kind == 0 ? cache.model : cache.data)[index];
  };
  // Everything is emptied first, lest an error leave old files beside new ones.
  status = ForEachFile(model_cache, data_cache, [&](size_t kind, size_t index, int descriptor) {
    const std::vector<uint8_t>& content = content_of(kind, index);
    Header header = ExpectedHeader(kind, index, owner, token);
    header.length = content.size();
    header.content = DigestOf(content);
    headers.push_back(header);
    return ftruncate(descriptor, 0) == 0 ? absl::OkStatus() : ErrorOf("cannot truncate the file");
  });
  if (!status.ok()) return status;
  const Digest seal = SealOf(headers, owner);
  auto header = headers.begin();
  return ForEachFile(model_cache, data_cache, [&](size_t kind, size_t index, int descriptor) {
    header->seal = seal;
    const absl::Status written =
        WriteAt(descriptor, 0, {reinterpret_cast<const uint8_t*>(&*header++), sizeof(Header)},
                kCannotWrite);
    return written.ok() ? WriteAt(descriptor, sizeof(Header), content_of(kind, index), kCannotWrite)
                        : written;
  });
}

absl::StatusOr<CompilationCache> loadCompilationCache(
    const CacheOwner& owner, const V1_2::CacheToken& token, const std::vector<Handle>& model_cache,
    const std::vector<Handle>& data_cache, size_t model_cache_count, size_t data_cache_count) {
  absl::Status status =
      validateCacheHandles(model_cache, data_cache, model_cache_count, data_cache_count);
  if (!status.ok()) return status;
  CompilationCache cache;
  std::vector<Header> headers;
  uint64_t most_bytes = kMostBytesOfCompilationCache;
  status = ForEachFile(model_cache, data_cache, [&](size_t kind, size_t index, int descriptor) {
    absl::StatusOr<CacheFile> file =
        Read(descriptor, ExpectedHeader(kind, index, owner, token), most_bytes);
    if (!file.ok()) return file.status();
    most_bytes -= file->content.size();
    headers.push_back(file->header);
    (kind == 0 ? cache.model : cache.data).push_back(std::move(file->content));
    return absl::OkStatus();
  });
  if (!status.ok()) return status;
  const Digest seal = SealOf(headers, owner);
  for (const Header& header : headers) {
    // In the same time wherever they differ, so that nobody finds out a seal byte by byte.
    if (memeql_sec(header.seal.data(), seal.data(), seal.size()) == 0) {
      return absl::DataLossError(
          "the files were not saved together, or not by this driver: their seal is broken");
    }
  }
  return cache;
}

}  // namespace nncert::hal
