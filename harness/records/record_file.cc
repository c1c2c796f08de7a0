// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/records/record_file.h"

#include <capnp/serialize.h>
#include <fcntl.h>
#include <kj/exception.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "system/digest.h"

namespace nncert {
namespace {

uint32_t ChecksumOf(std::string_view message) {
  Digest digest;
  digest.Add(message);
  return static_cast<uint32_t>(digest.value() ^ (digest.value() >> 32));
}

void AppendNumber(std::string& bytes, uint32_t number) {
  for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(number >> shift);
}

uint32_t NumberAt(std::string_view bytes, size_t offset) {
  uint32_t number = 0;
  for (size_t i = 0; i < 4; ++i) {
    number |= uint32_t{static_cast<uint8_t>(bytes[offset + i])} << (8 * i);
  }
  return number;
}

// The length of the message whose frame `bytes` begin with; nothing where it can be none of ours.
std::optional<size_t> LengthOf(std::string_view bytes) {
  const size_t size = NumberAt(bytes, 0);
  if (size > kLongestRecord || size % sizeof(capnp::word) != 0) return std::nullopt;
  return size;
}

absl::Status About(const std::string& path, const absl::Status& status) {
  return absl::Status(status.code(), absl::StrCat(path, ": ", status.message()));
}

// Reads what the file has from `offset` on, `size` bytes at the most.
absl::StatusOr<std::string> ReadAt(int file, uint64_t offset, size_t size) {
  std::string bytes(size, '\0');
  size_t done = 0;
  while (done < size) {
    const ssize_t count =
        pread(file, bytes.data() + done, size - done, static_cast<off_t>(offset + done));
    if (count == 0) break;
    if (count > 0) {
      done += static_cast<size_t>(count);
    } else if (errno != EINTR) {
      return absl::ErrnoToStatus(errno, "cannot be read");
    }
  }
  bytes.resize(done);
  return bytes;
}

}  // namespace

std::string FramedMessage(capnp::MallocMessageBuilder& message) {
  const kj::Array<capnp::word> words = capnp::messageToFlatArray(message);
  const auto content = words.asChars();
  std::string record;
  record.reserve(kFrameBytes + content.size());
  AppendNumber(record, static_cast<uint32_t>(content.size()));
  AppendNumber(record, ChecksumOf({content.begin(), content.size()}));
  return record.append(content.begin(), content.size());
}

std::optional<std::string_view> FirstMessage(std::string_view bytes) {
  if (bytes.size() < kFrameBytes) return std::nullopt;
  const std::optional<size_t> size = LengthOf(bytes);
  if (!size.has_value() || *size > bytes.size() - kFrameBytes) return std::nullopt;
  const std::string_view message = bytes.substr(kFrameBytes, *size);
  if (ChecksumOf(message) != NumberAt(bytes, 4)) return std::nullopt;
  return message;
}

absl::Status ReadCapnpMessage(std::string_view bytes,
                              absl::FunctionRef<absl::Status(capnp::MessageReader&)> read) {
  kj::Array<capnp::word> words = kj::heapArray<capnp::word>(bytes.size() / sizeof(capnp::word));
  std::memcpy(words.asBytes().begin(), bytes.data(), words.asBytes().size());
  // A list counts whenever it is got; no more than a few times here.
  capnp::ReaderOptions options;
  options.traversalLimitInWords =
      std::max<uint64_t>(options.traversalLimitInWords, 8 * words.size());
  try {
    capnp::FlatArrayMessageReader message(words, options);
    return read(message);
  } catch (const kj::Exception& exception) {
    return absl::InvalidArgumentError(
        absl::StrCat("a record is corrupt: ", exception.getDescription().cStr()));
  }
}

absl::StatusOr<std::unique_ptr<RecordFile>> RecordFile::Open(const std::string& path, int flags,
                                                             const char* what) {
  hal::FileDescriptor file = hal::FileDescriptor::Adopt(
      open(path.c_str(), O_RDWR | O_APPEND | O_CLOEXEC | O_NONBLOCK | flags, 0666));
  if (!file.valid()) return absl::ErrnoToStatus(errno, absl::StrCat(path, ": cannot be opened"));
  struct stat status;
  if (fstat(file.get(), &status) != 0) {
    return absl::ErrnoToStatus(errno, absl::StrCat(path, ": cannot be read"));
  }
  if (!S_ISREG(status.st_mode)) {
    return absl::InvalidArgumentError(absl::StrCat(path, ": not a regular file"));
  }
  if (flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    return absl::FailedPreconditionError(
        absl::StrCat(path, ": another run that is under way writes this ", what));
  }
  return std::unique_ptr<RecordFile>(new RecordFile(path, std::move(file)));
}

absl::StatusOr<std::unique_ptr<RecordFile>> RecordFile::OpenToRead(const std::string& path) {
  hal::FileDescriptor file =
      hal::FileDescriptor::Adopt(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.valid()) return absl::ErrnoToStatus(errno, absl::StrCat(path, ": cannot be opened"));
  return std::unique_ptr<RecordFile>(new RecordFile(path, std::move(file)));
}

absl::StatusOr<uint64_t> RecordFile::ForEach(MessageVisitor visit) {
  // Most records are small, and many are read at once.
  constexpr size_t kReadBytes = size_t{1} << 20;
  uint64_t end = 0;
  size_t wanted = kReadBytes;
  while (true) {
    const absl::StatusOr<std::string> bytes = ReadAt(file_.get(), end, wanted);
    if (!bytes.ok()) return About(path_, bytes.status());
    std::string_view left = *bytes;
    while (const std::optional<std::string_view> message = FirstMessage(left)) {
      if (absl::Status status = visit(*message); !status.ok()) return About(path_, status);
      left.remove_prefix(kFrameBytes + message->size());
      end += kFrameBytes + message->size();
    }
    // A record that is longer than what was read is read as a whole.
    const size_t read = wanted;
    wanted = kReadBytes;
    if (left.size() >= kFrameBytes) {
      const std::optional<size_t> size = LengthOf(left);
      if (!size.has_value()) return end;
      wanted = std::max(wanted, kFrameBytes + *size);
    }
    const bool has_more = bytes->size() == read;
    const bool is_stuck = left.size() == bytes->size() && wanted <= read;
    if (!has_more || is_stuck) return end;
  }
}

absl::Status RecordFile::Truncate(uint64_t size) {
  if (ftruncate(file_.get(), static_cast<off_t>(size)) == 0) return absl::OkStatus();
  return absl::ErrnoToStatus(errno, absl::StrCat(path_, ": cannot be shortened"));
}

absl::Status RecordFile::Append(const std::string& record) {
  const absl::MutexLock lock(&mutex_);
  if (!broken_.ok()) return broken_;
  size_t written = 0;
  while (written < record.size()) {
    const ssize_t count = write(file_.get(), record.data() + written, record.size() - written);
    if (count >= 0) {
      written += static_cast<size_t>(count);
    } else if (errno != EINTR) {
      broken_ = absl::ErrnoToStatus(errno, absl::StrCat(path_, ": cannot be written"));
      return broken_;
    }
  }
  return absl::OkStatus();
}

}  // namespace nncert
