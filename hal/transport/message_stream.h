// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Messages over a Unix stream socket that never blocks, for an event loop that any thread may run.

#ifndef NNCERT_HAL_TRANSPORT_MESSAGE_STREAM_H_
#define NNCERT_HAL_TRANSPORT_MESSAGE_STREAM_H_

#include <capnp/serialize-async.h>
#include <kj/async.h>
#include <kj/io.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "hal/handle.h"

namespace nncert::hal::transport {

/// The most file descriptors that one message can carry; Linux's SCM_MAX_FD.
inline constexpr size_t kMaxDescriptorsOfMessage = 253;

/// The most words that a message may have: 256 MiB.
inline constexpr uint64_t kMaxWordsOfMessage = uint64_t{1} << 25;

/// The most bytes of messages that may wait for a peer to read. Peers of ours always read.
inline constexpr size_t kMaxBacklog = size_t{1} << 26;

/// Sends as much of `parts` as a Unix stream socket takes without waiting, with the descriptors, at
/// most kMaxDescriptorsOfMessage, beside the first byte. Gives how many bytes, or -1 and errno when
/// it takes nothing; a signal does not interrupt it.
ssize_t SendParts(int socket, absl::Span<iovec> parts, absl::Span<const int> descriptors);

/// Cap'n Proto's messages over a socket. It waits for nothing: whoever runs the event loop calls
/// Receive when the socket is readable, and Flush when it is writable and HasBacklog.
///
/// Messages that nobody waits for, the RPC system's Finish and Release, are kept back until the
/// next message or Flush: they would wake the peer for nothing.
///
/// Descriptors belong to the message that the last byte of the data they came with belongs to, for
/// Linux ends a read behind the data that descriptors were sent with; or to the next one, when that
/// message is one of those that may be kept back, which carry none.
class MessageStream final : public capnp::MessageStream {
 public:
  /// Whether somebody on the other side waits for a Return that says nothing, which is kept back
  /// too where nobody does.
  enum class EmptyReturns { kAreAwaited, kAreNotAwaited };

  /// `socket` is a connected Unix stream socket that does not block.
  MessageStream(FileDescriptor socket, EmptyReturns empty_returns);

  /// Says that the socket is readable, which may be wrong. No data that is there is left behind.
  /// The end behind it may be, unless the other side `has_ended` already: who waits for the socket
  /// by edges would not hear of it again.
  void SetReadable(bool has_ended) {
    may_have_more_ = true;
    has_ended_ = has_ended;
  }

  /// Whether somebody waits for a message that may be in the socket.
  bool WantsToRead() const;

  /// Reads what has come. To be called in the loop's scope as long as WantsToRead, running the loop
  /// in between.
  void Read();

  /// Writes what has been kept back, as far as the socket takes it.
  void Flush();

  /// Whether a Release or a Return has been kept back. That may be the end of something, and is to
  /// be sent when there is nothing else to do.
  bool KeepsNews() const { return keeps_news_ && !kept_back_.empty(); }

  /// Whether data waits for room in the socket.
  bool HasBacklog() const { return !backlog_.empty(); }

  /// Makes everything that waits to be read find the end of the stream.
  void EndReading();

  /// Why nothing can be read any more: OK as long as it can; Unavailable when the peer closed the
  /// socket, DataLoss when it sent something that is no message, or does not read what it is sent:
  /// more than kMaxBacklog waits. What cannot be written because the peer has closed the socket is
  /// dropped; it may still have sent something before.
  const absl::Status& status() const { return status_; }

  int socket() const { return socket_.get(); }

  /// The descriptors of a message are its own, so `fdSpace` may be empty: room for as many as there
  /// may be costs more than most messages.
  kj::Promise<kj::Maybe<capnp::MessageReaderAndFds>> tryReadMessage(
      kj::ArrayPtr<kj::AutoCloseFd> fdSpace, capnp::ReaderOptions options,
      kj::ArrayPtr<capnp::word> scratchSpace) override;
  kj::Promise<void> writeMessage(
      kj::ArrayPtr<const int> fds,
      kj::ArrayPtr<const kj::ArrayPtr<const capnp::word>> segments) override;
  kj::Promise<void> writeMessages(
      kj::ArrayPtr<kj::ArrayPtr<const kj::ArrayPtr<const capnp::word>>> messages) override;
  kj::Maybe<int> getSendBufferSize() override;
  kj::Promise<void> end() override;

 private:
  using Fulfiller = kj::PromiseFulfiller<kj::Maybe<capnp::MessageReaderAndFds>>;

  // A whole message.
  struct Incoming {
    std::vector<uint64_t> words;
    std::vector<kj::AutoCloseFd> descriptors;
  };

  // Descriptors, and where the last byte that came with them is in input_.
  struct Descriptors {
    size_t position = 0;
    std::vector<kj::AutoCloseFd> values;
  };

  // Bytes that the socket did not take, and the descriptors that go with the first of them.
  struct Outgoing {
    std::vector<uint8_t> bytes;
    size_t written = 0;
    std::vector<FileDescriptor> descriptors;
  };

  // Reads once. Whether there may be more.
  bool ReadOnce();
  // Takes the descriptors that came beside the bytes before input_size_.
  void TakeDescriptors(msghdr& header);
  // Takes the whole messages out of what has been read.
  void TakeMessages();
  // The words of the message at a position of input_, its header included; 0 when the header is not
  // there yet. Fails when there is no such message.
  uint64_t WordsOfMessage(size_t position);
  // Hands the first message to who waits for one.
  void Deliver();
  // Has what the socket did not take wait for room.
  void AddToBacklog(Outgoing message);
  void Fail(absl::Status status);
  // Takes note that a write failed with an error number.
  void FailToWrite(int error);

  const FileDescriptor socket_;
  const EmptyReturns empty_returns_;
  absl::Status status_;

  // What has been read: the first input_size_ bytes. The rest is room.
  std::vector<uint64_t> input_;
  size_t input_size_ = 0;
  std::deque<Descriptors> descriptors_;
  std::deque<Incoming> messages_;
  // Whether the socket may hold data that nobody wanted to read yet.
  bool may_have_more_ = false;
  // Whether the end is to be read behind the data.
  bool has_ended_ = false;
  // Who waits for a message.
  kj::Own<Fulfiller> reader_;

  // Small messages that wait for a reason to be sent.
  std::vector<uint8_t> kept_back_;
  bool keeps_news_ = false;
  bool can_write_ = true;
  std::deque<Outgoing> backlog_;
  // The bytes of backlog_ that wait.
  size_t backlog_size_ = 0;
};

}  // namespace nncert::hal::transport

#endif  // NNCERT_HAL_TRANSPORT_MESSAGE_STREAM_H_
