// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Files that records are appended to as they come: what was appended is there whatever becomes of
// the process.

#ifndef NNCERT_HARNESS_RECORDS_RECORD_FILE_H_
#define NNCERT_HARNESS_RECORDS_RECORD_FILE_H_

#include <capnp/message.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/synchronization/mutex.h"
#include "hal/handle.h"

namespace nncert {

/// The frame before each message of a record: its length in bytes and a checksum of it, both
/// little-endian UInt32.
inline constexpr size_t kFrameBytes = 8;

/// A record that is longer is none of ours.
inline constexpr size_t kLongestRecord = size_t{64} << 20;

/// A message of Cap'n Proto with its frame.
std::string FramedMessage(capnp::MallocMessageBuilder& message);

/// The message of the record that `bytes` begin with; nothing where they do not begin with a whole
/// one.
std::optional<std::string_view> FirstMessage(std::string_view bytes);

/// Has `read` read a message, whose bytes need not be aligned. Fails as `read` does, and with
/// InvalidArgument when the message is corrupt.
absl::Status ReadCapnpMessage(std::string_view bytes,
                              absl::FunctionRef<absl::Status(capnp::MessageReader&)> read);

/// Is given the message of a record. What it fails with ends the reading.
using MessageVisitor = absl::FunctionRef<absl::Status(std::string_view message)>;

/// A file of records. Appending is thread-safe.
class RecordFile {
 public:
  /// Opens a file to read and to append, with further `flags` of open(2). While one of these is
  /// open no other can be, in any process: FailedPrecondition. `what` is what errors call the file,
  /// "journal". InvalidArgument when it is no regular file, NotFound when it is not there. Errors
  /// name the file.
  static absl::StatusOr<std::unique_ptr<RecordFile>> Open(const std::string& path, int flags,
                                                          const char* what);

  /// Opens a file to read alone, which others may be appending to.
  static absl::StatusOr<std::unique_ptr<RecordFile>> OpenToRead(const std::string& path);

  RecordFile(const RecordFile&) = delete;
  RecordFile& operator=(const RecordFile&) = delete;

  /// Gives the messages of all records to `visit`, one at a time, up to the first record that is
  /// not whole, which is where a run was interrupted. Where that begins. Errors name the file.
  absl::StatusOr<uint64_t> ForEach(MessageVisitor visit);

  /// Takes away everything from byte `size` on.
  absl::Status Truncate(uint64_t size);

  /// Appends a record with its frame. After one that could be written in part alone, nothing may
  /// follow: every further call fails.
  absl::Status Append(const std::string& record);

  const std::string& path() const { return path_; }

 private:
  RecordFile(std::string path, hal::FileDescriptor file)
      : path_(std::move(path)), file_(std::move(file)) {}

  const std::string path_;
  absl::Mutex mutex_;
  const hal::FileDescriptor file_;
  absl::Status broken_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace nncert

#endif  // NNCERT_HARNESS_RECORDS_RECORD_FILE_H_
