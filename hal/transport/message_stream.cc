// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/transport/message_stream.h"

#include <capnp/rpc.capnp.h>
#include <capnp/serialize.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

#include "absl/strings/str_cat.h"

namespace nncert::hal::transport {
namespace {

constexpr size_t kWord = sizeof(uint64_t);
// Room for what one read may bring.
constexpr size_t kReadBytes = size_t{1} << 16;
// How many segments a message may have; Cap'n Proto's own limit.
constexpr uint32_t kMaxSegments = 512;
// A message may be read this many times over.
constexpr uint64_t kTraversals = 4;
// Words that may be read out of the smallest of messages: 64 KiB.
constexpr uint64_t kLeastTraversal = uint64_t{1} << 13;

// Kept-back messages are sent when they are this many bytes.
constexpr size_t kMostKeptBack = 4096;

struct Words {
  std::vector<uint64_t> words;
};

kj::ArrayPtr<const capnp::word> AsMessage(const std::vector<uint64_t>& words) {
  return kj::arrayPtr(reinterpret_cast<const capnp::word*>(words.data()), words.size());
}

// A message, the words it is in, and its descriptors.
class OwnedMessage final : private Words, public capnp::FlatArrayMessageReader {
 public:
  OwnedMessage(std::vector<uint64_t> message, std::vector<kj::AutoCloseFd> descriptors,
               capnp::ReaderOptions limits)
      : Words{std::move(message)},
        capnp::FlatArrayMessageReader(AsMessage(words), limits),
        descriptors_(std::move(descriptors)) {}

  kj::ArrayPtr<kj::AutoCloseFd> descriptors() {
    return kj::arrayPtr(descriptors_.data(), descriptors_.size());
  }

 private:
  std::vector<kj::AutoCloseFd> descriptors_;
};

capnp::MessageReaderAndFds Open(std::vector<uint64_t> words,
                                std::vector<kj::AutoCloseFd> descriptors) {
  capnp::ReaderOptions options;
  options.traversalLimitInWords = std::max(kLeastTraversal, uint64_t{words.size()} * kTraversals);
  auto message = kj::heap<OwnedMessage>(std::move(words), std::move(descriptors), options);
  const kj::ArrayPtr<kj::AutoCloseFd> own = message->descriptors();
  return {kj::mv(message), own};
}

// Whether a message is a Return that says nothing.
bool IsEmptyReturn(capnp::rpc::Message::Reader message) {
  if (!message.isReturn() || !message.getReturn().isResults()) return false;
  const auto results = message.getReturn().getResults();
  return results.getCapTable().size() == 0 && results.getContent().targetSize().wordCount == 0;
}

// Whether a message may be kept back.
bool IsPatient(capnp::MessageReader& reader, MessageStream::EmptyReturns empty_returns) {
  const auto message = reader.getRoot<capnp::rpc::Message>();
  return message.isFinish() || message.isRelease() ||
         (empty_returns == MessageStream::EmptyReturns::kAreNotAwaited && IsEmptyReturn(message));
}

// Whether a message that came, whatever it is, may have been kept back by some sender.
bool IsPatient(const std::vector<uint64_t>& words) {
  bool is_patient = false;
  // What is no message is found out by who reads it.
  const auto ignored = kj::runCatchingExceptions([&] {
    capnp::FlatArrayMessageReader reader(AsMessage(words));
    is_patient = IsPatient(reader, MessageStream::EmptyReturns::kAreNotAwaited);
  });
  return is_patient;
}

// The numbers and lengths of segments that stand before them.
std::vector<uint32_t> HeaderOf(kj::ArrayPtr<const kj::ArrayPtr<const capnp::word>> segments) {
  std::vector<uint32_t> header((segments.size() + 2) & ~size_t{1});
  header[0] = static_cast<uint32_t>(segments.size() - 1);
  for (size_t i = 0; i < segments.size(); ++i) {
    header[i + 1] = static_cast<uint32_t>(segments[i].size());
  }
  return header;
}

void Append(const void* bytes, size_t size, std::vector<uint8_t>& to) {
  const auto* begin = static_cast<const uint8_t*>(bytes);
  to.insert(to.end(), begin, begin + size);
}

// Room for the descriptors of a message beside its bytes.
struct alignas(cmsghdr) ControlBuffer {
  std::array<char, CMSG_SPACE(sizeof(int) * kMaxDescriptorsOfMessage)> bytes;
};

}  // namespace

ssize_t SendParts(int socket, absl::Span<iovec> parts, absl::Span<const int> descriptors) {
  msghdr header = {};
  header.msg_iov = parts.data();
  header.msg_iovlen = parts.size();
  ControlBuffer control;
  if (!descriptors.empty()) {
    const size_t size = descriptors.size() * sizeof(int);
    header.msg_control = control.bytes.data();
    header.msg_controllen = CMSG_SPACE(size);
    cmsghdr* const first = CMSG_FIRSTHDR(&header);
    first->cmsg_level = SOL_SOCKET;
    first->cmsg_type = SCM_RIGHTS;
    first->cmsg_len = CMSG_LEN(size);
    std::memcpy(CMSG_DATA(first), descriptors.data(), size);
  }
  while (true) {
    const ssize_t sent = sendmsg(socket, &header, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0 || errno != EINTR) return sent;
  }
}

MessageStream::MessageStream(FileDescriptor socket, EmptyReturns empty_returns)
    : socket_(std::move(socket)), empty_returns_(empty_returns), input_(kReadBytes / kWord) {}

bool MessageStream::WantsToRead() const {
  return reader_.get() != nullptr && (may_have_more_ || !messages_.empty()) && status_.ok();
}

void MessageStream::Read() {
  while (WantsToRead() && messages_.empty()) may_have_more_ = ReadOnce();
  Deliver();
}

bool MessageStream::ReadOnce() {
  if (input_.size() * kWord - input_size_ < kReadBytes) {
    // Grows with what has really come, not with what the header of a message says.
    input_.resize(std::max(input_.size() * 2, (input_size_ + kReadBytes) / kWord + 1));
  }
  const size_t room = input_.size() * kWord - input_size_;
  iovec part = {reinterpret_cast<uint8_t*>(input_.data()) + input_size_, room};
  ControlBuffer control;
  msghdr header = {};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  header.msg_control = control.bytes.data();
  header.msg_controllen = control.bytes.size();
  ssize_t received = -1;
  do {
    received = recvmsg(socket_.get(), &header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  } while (received < 0 && errno == EINTR);
  if (received < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return false;
  if (received < 0 && errno != ECONNRESET) {
    Fail(absl::ErrnoToStatus(errno, "cannot read from the socket"));
    return false;
  }
  if (received <= 0) {
    Fail(absl::UnavailableError(input_size_ == 0
                                    ? "the other process closed the socket"
                                    : "the other process closed the socket within a message"));
    return false;
  }
  input_size_ += static_cast<size_t>(received);
  // A read ends where there is no more room or no more data, or behind the data that descriptors
  // were sent with, of which there may be too many for this process to take.
  const bool may_have_more = has_ended_ || static_cast<size_t>(received) == room ||
                             header.msg_controllen > 0 || (header.msg_flags & MSG_CTRUNC) != 0;
  TakeDescriptors(header);
  TakeMessages();
  return may_have_more;
}

void MessageStream::TakeDescriptors(msghdr& header) {
  Descriptors descriptors;
  descriptors.position = input_size_ - 1;
  for (cmsghdr* entry = CMSG_FIRSTHDR(&header); entry != nullptr;
       entry = CMSG_NXTHDR(&header, entry)) {
    if (entry->cmsg_level != SOL_SOCKET || entry->cmsg_type != SCM_RIGHTS) continue;
    const size_t count = (entry->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < count; ++i) {
      int descriptor = -1;
      std::memcpy(&descriptor, CMSG_DATA(entry) + i * sizeof(int), sizeof(int));
      descriptors.values.emplace_back(descriptor);
    }
  }
  if (descriptors.values.empty()) return;
  descriptors_.push_back(std::move(descriptors));
  // One message alone can be in want of them; the peer sends them byte by byte.
  size_t waiting = 0;
  for (const Descriptors& entry : descriptors_) waiting += entry.values.size();
  if (waiting > 2 * kMaxDescriptorsOfMessage) {
    Fail(absl::DataLossError(absl::StrCat("a message came with more than ",
                                          kMaxDescriptorsOfMessage, " file descriptors")));
  }
}

uint64_t MessageStream::WordsOfMessage(size_t position) {
  const size_t available = input_size_ - position;
  const auto* begin = reinterpret_cast<const uint8_t*>(input_.data()) + position;
  uint32_t last_segment = 0;
  if (available < sizeof(last_segment)) return 0;
  std::memcpy(&last_segment, begin, sizeof(last_segment));
  if (last_segment >= kMaxSegments) {
    Fail(absl::DataLossError(absl::StrCat("a message says that it has ", uint64_t{last_segment} + 1,
                                          " segments; expected at most ", kMaxSegments)));
    return 0;
  }
  const size_t header_words = (last_segment + 3) / 2;
  if (available < header_words * kWord) return 0;
  uint64_t words = header_words;
  for (uint32_t i = 0; i <= last_segment; ++i) {
    uint32_t size = 0;
    std::memcpy(&size, begin + sizeof(uint32_t) * (i + 1), sizeof(size));
    words += size;
  }
  if (words > kMaxWordsOfMessage) {
    Fail(absl::DataLossError(absl::StrCat("a message says that it has ", words,
                                          " words; expected at most ", kMaxWordsOfMessage)));
    return 0;
  }
  return words;
}

void MessageStream::TakeMessages() {
  size_t position = 0;
  while (position < input_size_) {
    const uint64_t words = WordsOfMessage(position);
    if (words == 0 || input_size_ - position < words * kWord) break;
    Incoming message;
    if (position == 0 && input_size_ == words * kWord && words * kWord >= kReadBytes) {
      message.words = std::move(input_);
      message.words.resize(words);
      input_ = std::vector<uint64_t>(kReadBytes / kWord);
    } else {
      const uint64_t* const begin = input_.data() + position / kWord;
      message.words.assign(begin, begin + words);
    }
    position += words * kWord;
    if (!descriptors_.empty() && descriptors_.front().position < position &&
        !IsPatient(message.words)) {
      while (!descriptors_.empty() && descriptors_.front().position < position) {
        for (kj::AutoCloseFd& descriptor : descriptors_.front().values) {
          message.descriptors.push_back(std::move(descriptor));
        }
        descriptors_.pop_front();
      }
    }
    messages_.push_back(std::move(message));
  }
  for (Descriptors& entry : descriptors_) {
    entry.position -= std::min(entry.position, position);
  }
  if (position > 0 && position < input_size_) {
    std::memmove(input_.data(), reinterpret_cast<uint8_t*>(input_.data()) + position,
                 input_size_ - position);
  }
  input_size_ -= position;
}

void MessageStream::Deliver() {
  if (reader_.get() == nullptr || (messages_.empty() && status_.ok())) return;
  kj::Own<Fulfiller> reader = kj::mv(reader_);
  if (!reader->isWaiting()) return;
  if (messages_.empty()) {
    reader->fulfill(nullptr);
    return;
  }
  Incoming message = std::move(messages_.front());
  messages_.pop_front();
  reader->rejectIfThrows(
      [&] { reader->fulfill(Open(std::move(message.words), std::move(message.descriptors))); });
}

kj::Promise<kj::Maybe<capnp::MessageReaderAndFds>> MessageStream::tryReadMessage(
    kj::ArrayPtr<kj::AutoCloseFd>, capnp::ReaderOptions, kj::ArrayPtr<capnp::word>) {
  if (!messages_.empty()) {
    Incoming message = std::move(messages_.front());
    messages_.pop_front();
    return kj::Maybe<capnp::MessageReaderAndFds>(
        Open(std::move(message.words), std::move(message.descriptors)));
  }
  if (!status_.ok()) return kj::Maybe<capnp::MessageReaderAndFds>(nullptr);
  auto pair = kj::newPromiseAndFulfiller<kj::Maybe<capnp::MessageReaderAndFds>>();
  reader_ = kj::mv(pair.fulfiller);
  return kj::mv(pair.promise);
}

kj::Promise<void> MessageStream::writeMessage(
    kj::ArrayPtr<const int> fds, kj::ArrayPtr<const kj::ArrayPtr<const capnp::word>> segments) {
  if (!status_.ok() || !can_write_) return kj::READY_NOW;
  const std::vector<uint32_t> header = HeaderOf(segments);
  const size_t header_size = header.size() * sizeof(uint32_t);
  capnp::SegmentArrayMessageReader message(segments);
  if (fds.size() == 0 && IsPatient(message, empty_returns_)) {
    Append(header.data(), header_size, kept_back_);
    for (const auto& segment : segments) {
      Append(segment.begin(), segment.size() * kWord, kept_back_);
    }
    if (!message.getRoot<capnp::rpc::Message>().isFinish()) keeps_news_ = true;
    if (kept_back_.size() >= kMostKeptBack) Flush();
    return kj::READY_NOW;
  }

  std::vector<iovec> parts;
  size_t size = 0;
  const auto add = [&](const void* bytes, size_t length) {
    if (length == 0) return;
    parts.push_back({const_cast<void*>(bytes), length});
    size += length;
  };
  add(kept_back_.data(), kept_back_.size());
  add(header.data(), header_size);
  for (const auto& segment : segments) add(segment.begin(), segment.size() * kWord);

  size_t sent = 0;
  if (backlog_.empty()) {
    const ssize_t result =
        SendParts(socket_.get(), absl::MakeSpan(parts), absl::MakeSpan(fds.begin(), fds.size()));
    if (result < 0 && errno != EAGAIN && errno != EWOULDBLOCK) {
      FailToWrite(errno);
      return kj::READY_NOW;
    }
    sent = static_cast<size_t>(std::max<ssize_t>(result, 0));
  }
  if (sent < size) {
    Outgoing rest;
    // Descriptors go with the first byte.
    for (size_t i = 0; sent == 0 && i < fds.size(); ++i) {
      absl::StatusOr<FileDescriptor> copy = FileDescriptor::Duplicate(fds[i]);
      if (!copy.ok()) {
        Fail(copy.status());
        return kj::READY_NOW;
      }
      rest.descriptors.push_back(*std::move(copy));
    }
    rest.bytes.reserve(size - sent);
    for (const iovec& part : parts) {
      const size_t skipped = std::min(sent, part.iov_len);
      Append(static_cast<const uint8_t*>(part.iov_base) + skipped, part.iov_len - skipped,
             rest.bytes);
      sent -= skipped;
    }
    AddToBacklog(std::move(rest));
  }
  kept_back_.clear();
  keeps_news_ = false;
  return kj::READY_NOW;
}

kj::Promise<void> MessageStream::writeMessages(
    kj::ArrayPtr<kj::ArrayPtr<const kj::ArrayPtr<const capnp::word>>> messages) {
  kj::Promise<void> all = kj::READY_NOW;
  for (const auto& message : messages) {
    all = all.then([this, message] { return writeMessage(nullptr, message); });
  }
  return all;
}

void MessageStream::Flush() {
  if (!kept_back_.empty()) {
    Outgoing message;
    message.bytes = std::move(kept_back_);
    kept_back_.clear();
    keeps_news_ = false;
    AddToBacklog(std::move(message));
  }
  while (!backlog_.empty()) {
    Outgoing& front = backlog_.front();
    std::vector<int> descriptors;
    for (const FileDescriptor& descriptor : front.descriptors) {
      descriptors.push_back(descriptor.get());
    }
    std::vector<iovec> parts = {
        {front.bytes.data() + front.written, front.bytes.size() - front.written}};
    const ssize_t sent =
        SendParts(socket_.get(), absl::MakeSpan(parts), absl::MakeSpan(descriptors));
    if (sent < 0) {
      if (errno != EAGAIN && errno != EWOULDBLOCK) FailToWrite(errno);
      return;
    }
    front.descriptors.clear();
    front.written += static_cast<size_t>(sent);
    backlog_size_ -= static_cast<size_t>(sent);
    if (front.written == front.bytes.size()) backlog_.pop_front();
  }
}

void MessageStream::AddToBacklog(Outgoing message) {
  // The message itself may be as large as one can be.
  if (backlog_size_ > kMaxBacklog) {
    Fail(absl::DataLossError(
        absl::StrCat("the other process does not read: ", backlog_size_, " bytes wait for it")));
    return;
  }
  backlog_size_ += message.bytes.size();
  backlog_.push_back(std::move(message));
}

void MessageStream::EndReading() {
  messages_.clear();
  if (status_.ok()) status_ = absl::CancelledError("the connection was closed");
  Deliver();
}

kj::Maybe<int> MessageStream::getSendBufferSize() { return nullptr; }

kj::Promise<void> MessageStream::end() {
  if (status_.ok()) Flush();
  shutdown(socket_.get(), SHUT_WR);
  return kj::READY_NOW;
}

void MessageStream::Fail(absl::Status status) {
  if (status_.ok()) status_ = std::move(status);
  backlog_.clear();
  backlog_size_ = 0;
  kept_back_.clear();
}

void MessageStream::FailToWrite(int error) {
  if (error == EPIPE || error == ECONNRESET) {
    can_write_ = false;
    backlog_.clear();
    backlog_size_ = 0;
    kept_back_.clear();
  } else {
    Fail(absl::ErrnoToStatus(error, "cannot write to the socket"));
  }
}

}  // namespace nncert::hal::transport
