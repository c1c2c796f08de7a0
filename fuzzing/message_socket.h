// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// The fuzzer's end of a connection: sends records, and throws away what comes back.

#ifndef NNCERT_FUZZING_MESSAGE_SOCKET_H_
#define NNCERT_FUZZING_MESSAGE_SOCKET_H_

#include <array>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "fuzzing/message_records.h"
#include "hal/handle.h"
#include "hal/memory.h"

namespace nncert {

/// One end of a connection whose other end is under test.
///
/// Descriptors are, by their kind: a pool of 64 bytes, one of 64 KiB, a socket, and /dev/null.
class MessageSocket {
 public:
  explicit MessageSocket(hal::FileDescriptor socket);

  /// Sends what `data` say (ReadRecords), until all is sent or the other side listens no more. A
  /// record with replies is followed by a pause until they have come, of 200 ms at most; the third
  /// pause in vain is the last. What comes back is thrown away.
  void Say(absl::Span<const uint8_t> data);

  /// Says that nothing more comes.
  void EndSaying();

  /// Throws away what comes until the other side closes its end.
  void ListenToTheEnd();

 private:
  // Whether the other side still listens.
  bool Send(const MessageRecord& record);
  // Reads what has come.
  void ReadReplies();
  // Waits until there have been so many. Whether they came in time.
  bool AwaitReplies(size_t expected);

  const hal::FileDescriptor socket_;
  const hal::Memory small_pool_;
  const hal::Memory large_pool_;
  const hal::FileDescriptor device_;
  // What has been read of messages that are not there as a whole.
  std::vector<uint8_t> input_;
  // How many replies have come.
  size_t replies_ = 0;
};

}  // namespace nncert

#endif  // NNCERT_FUZZING_MESSAGE_SOCKET_H_
