// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/transport/channel.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>
#include <thread>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "glog/logging.h"
#include "hal/vlog.h"

namespace nncert::hal::transport {
namespace {

// Words of requests that are being answered, above which no further message is read: 32 MiB.
constexpr size_t kFlowLimitInWords = size_t{1} << 22;

// Threads of one channel. More calls of one client than these wait for each other.
constexpr size_t kMaxThreads = 128;

// What the channel's own threads wait for at the socket: data and the end, by edges.
constexpr uint32_t kNewsOfSocket = EPOLLIN | EPOLLRDHUP | EPOLLET;

absl::Status CheckSocket(int socket) {
  int value = 0;
  socklen_t size = sizeof(value);
  if (getsockopt(socket, SOL_SOCKET, SO_DOMAIN, &value, &size) != 0 || value != AF_UNIX) {
    return absl::InvalidArgumentError(
        absl::StrCat("file descriptor ", socket, " is no Unix socket"));
  }
  size = sizeof(value);
  if (getsockopt(socket, SOL_SOCKET, SO_TYPE, &value, &size) != 0 || value != SOCK_STREAM) {
    return absl::InvalidArgumentError(
        absl::StrCat("file descriptor ", socket, " is no stream socket"));
  }
  size = sizeof(value);
  if (getsockopt(socket, SOL_SOCKET, SO_ACCEPTCONN, &value, &size) != 0 || value != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("file descriptor ", socket, " listens; expected a connected socket"));
  }
  return absl::OkStatus();
}

// The channel whose loop this thread is in.
thread_local const void* loop_of_thread = nullptr;

class LoopOfThread {
 public:
  explicit LoopOfThread(const void* channel) { loop_of_thread = channel; }
  LoopOfThread(const LoopOfThread&) = delete;
  LoopOfThread& operator=(const LoopOfThread&) = delete;
  ~LoopOfThread() { loop_of_thread = nullptr; }
};

}  // namespace

absl::StatusOr<std::shared_ptr<Channel>> Channel::Open(
    FileDescriptor socket, const BootstrapFactory& bootstrap,
    std::function<void(const absl::Status&)> on_lost) {
  if (absl::Status status = CheckSocket(socket.get()); !status.ok()) return status;
  FileDescriptor poll = FileDescriptor::Adopt(epoll_create1(EPOLL_CLOEXEC));
  FileDescriptor wake = FileDescriptor::Adopt(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!poll.valid() || !wake.valid()) {
    return absl::ErrnoToStatus(errno, "cannot wait for a connection");
  }
  // By edges: each event wakes one thread, which need not read the counter. A thread that finds
  // more to do than it does itself wakes the next.
  epoll_event event = {};
  event.events = EPOLLIN | EPOLLET;
  event.data.fd = wake.get();
  bool is_watched = epoll_ctl(poll.get(), EPOLL_CTL_ADD, wake.get(), &event) == 0;
  event.events = kNewsOfSocket;
  event.data.fd = socket.get();
  is_watched = is_watched && epoll_ctl(poll.get(), EPOLL_CTL_ADD, socket.get(), &event) == 0;
  if (!is_watched) return absl::ErrnoToStatus(errno, "cannot wait for a connection");

  std::shared_ptr<Channel> channel(
      new Channel(std::move(socket), std::move(poll), std::move(wake), std::move(on_lost),
                  // What a client answers are callbacks, and no driver waits for a notification.
                  bootstrap == nullptr ? MessageStream::EmptyReturns::kAreNotAwaited
                                       : MessageStream::EmptyReturns::kAreAwaited));
  Lock lock(channel->mutex_);
  const auto exception = channel->Enter([&] {
    channel->tracked_ = kj::heap<kj::TaskSet>(channel->tracker_);
    capnp::ReaderOptions options;
    options.traversalLimitInWords = kMaxWordsOfMessage;
    // Cap'n Proto makes room for descriptors with every message that comes. Those that the stream
    // gives bring their own, so this has it attach them, however many they are.
    constexpr unsigned kRoomForDescriptors = 1;
    channel->network_ = kj::heap<capnp::TwoPartyVatNetwork>(
        channel->stream_, kRoomForDescriptors,
        bootstrap == nullptr ? capnp::rpc::twoparty::Side::CLIENT
                             : capnp::rpc::twoparty::Side::SERVER,
        options);
    channel->rpc_ = kj::heap<capnp::RpcSystem<capnp::rpc::twoparty::VatId>>(
        bootstrap == nullptr ? capnp::makeRpcClient(*channel->network_)
                             : capnp::makeRpcServer(*channel->network_, bootstrap(*channel)));
    channel->rpc_->setFlowLimit(kFlowLimitInWords);
    channel->tracked_->add(channel->network_->onDisconnect().then(
        [raw = channel.get()] { raw->is_disconnected_ = true; }));
  });
  KJ_IF_MAYBE (thrown, exception) {
    return absl::InternalError(
        absl::StrCat("cannot open a connection: ", thrown->getDescription().cStr()));
  }
  channel->StartThread();
  if (channel->threads_ == 0) {
    channel->LoseLocked(absl::ResourceExhaustedError("cannot start a thread"));
    channel->TearDown(lock);
    return channel->status_;
  }
  return channel;
}

Channel::Channel(FileDescriptor socket, FileDescriptor poll, FileDescriptor wake,
                 std::function<void(const absl::Status&)> on_lost,
                 MessageStream::EmptyReturns empty_returns)
    : socket_(std::move(socket)),
      poll_(std::move(poll)),
      wake_(std::move(wake)),
      on_lost_(std::move(on_lost)),
      stream_(socket_, empty_returns) {}

Channel::~Channel() = default;

// --- The loop ---

kj::Maybe<kj::Exception> Channel::Enter(absl::FunctionRef<void()> function) {
  return kj::runCatchingExceptions([&] {
    kj::WaitScope scope(loop_);
    const LoopOfThread mark(this);
    const auto exception = kj::runCatchingExceptions([&] { function(); });
    loop_.run();
    while (stream_.WantsToRead()) {
      stream_.Read();
      loop_.run();
    }
    KJ_IF_MAYBE (thrown, exception) {
      kj::throwFatalException(kj::cp(*thrown));
    }
  });
}

void Channel::AfterLoop(Lock& lock, const Deadline& deadline) {
  if (status_.ok()) {
    if (!violation_.ok()) {
      LoseLocked(violation_);
    } else if (!stream_.status().ok()) {
      LoseLocked(stream_.status());
    } else if (is_disconnected_) {
      LoseLocked(absl::DataLossError("the other process broke the protocol of Cap'n Proto"));
    }
  }
  if (stream_.HasBacklog() && !is_draining_) Drain(lock, deadline);
}

void Channel::Drain(Lock& lock, const Deadline& deadline) {
  // Whoever waits for room on the other side needs somebody to read here, and tasks do not wait.
  if (threads_ > 0) StartTasks(lock);
  if (!is_led_ && idle_threads_ == 0) StartThread();
  is_draining_ = true;
  while (status_.ok() && stream_.HasBacklog()) {
    pollfd writable = {.fd = socket_.get(), .events = POLLOUT, .revents = 0};
    lock.unlock();
    const int count = poll(&writable, 1, deadline.PollTimeout());
    lock.lock();
    if (count == 0 && deadline.HasPassed()) {
      LoseLocked(absl::DeadlineExceededError("the other process did not read in time"));
    }
    stream_.Flush();
  }
  is_draining_ = false;
}

void Channel::StartTasks(Lock& lock) {
  if (tasks_.empty()) return;
  if (threads_ > 0) {
    WakeForTask();
  } else {
    while (!tasks_.empty()) RunTask(lock);
  }
}

void Channel::Pump(Lock& lock, bool has_ended, const Deadline& deadline) {
  stream_.SetReadable(has_ended);
  Enter([] {});
  AfterLoop(lock, deadline);
}

void Channel::Run(absl::FunctionRef<void()> function) {
  if (loop_of_thread == this) {
    function();
    return;
  }
  RunInLoop(function, /*flushes=*/true);
}

void Channel::RunInLoop(absl::FunctionRef<void()> function, bool flushes) {
  Lock lock(mutex_);
  Enter(function);
  if (flushes && status_.ok()) stream_.Flush();
  AfterLoop(lock, Deadline(call_timeout_));
  StartTasks(lock);
}

absl::Status Channel::Call(const char* name, absl::FunctionRef<kj::Promise<absl::Status>()> start) {
  Lock lock(mutex_);
  if (!status_.ok()) return status_;
  PendingCall call(name);
  const auto place = calls_.insert(calls_.end(), &call);
  const Deadline deadline(call_timeout_);
  absl::Status result;
  const auto fail = [&](const absl::Status& status) {
    call.is_done = true;
    result = status;
    if (violation_.ok()) violation_ = status;
    is_lost_ = true;
  };
  // Before the request is sent, so that its answer wakes nobody else.
  bool leads = !is_led_;
  if (leads) Arm(false);
  is_led_ = true;
  const auto exception = Enter([&] {
    call.promise =
        start()
            .then(
                [&](const absl::Status& status) {
                  if (!status.ok()) {
                    fail(absl::DataLossError(
                        absl::StrCat("the answer to ", name, " is wrong: ", status.message())));
                  }
                  call.is_done = true;
                  if (call.sleeps) call.awake.notify_one();
                },
                [&](kj::Exception&& thrown) {
                  // Without an answer the channel is lost, and says itself why.
                  if (stream_.status().ok() && status_.ok()) {
                    fail(absl::DataLossError(absl::StrCat(
                        "the answer to ", name, " is none: ", thrown.getDescription().cStr())));
                  } else {
                    result = absl::UnavailableError("the connection is lost");
                  }
                  call.is_done = true;
                  if (call.sleeps) call.awake.notify_one();
                })
            .eagerlyEvaluate(nullptr);
  });
  // Who waits for room in the socket does not read, and who has nothing to wait for does not
  // either.
  if (leads && (exception != nullptr || stream_.HasBacklog())) {
    leads = false;
    is_led_ = false;
    HandOver();
  }
  KJ_IF_MAYBE (thrown, exception) {
    calls_.erase(place);
    AfterLoop(lock, deadline);
    StartTasks(lock);
    absl::Status failure = absl::InternalError(
        absl::StrCat("cannot call ", name, ": ", thrown->getDescription().cStr()));
    LOG(WARNING) << failure;
    return failure;
  }
  StartTasks(lock);
  AfterLoop(lock, deadline);
  Lead(lock, call, leads, deadline);
  Enter([&] { call.promise = nullptr; });
  calls_.erase(place);
  AfterLoop(lock, deadline);
  HandOver();
  StartTasks(lock);
  // An answer counts even when the channel was lost right behind it.
  if (call.is_done && result.ok()) return absl::OkStatus();
  return status_.ok() ? result : status_;
}

void Channel::Lead(Lock& lock, PendingCall& call, bool leads, const Deadline& deadline) {
  bool has_looked = false;
  while (!call.is_done && status_.ok()) {
    if (deadline.HasPassed()) {
      LoseLocked(absl::DeadlineExceededError("the other process did not answer in time"));
      break;
    }
    if (!leads && is_led_) {
      call.sleeps = true;
      deadline.Await(call.awake, lock, [&] { return call.is_done || !status_.ok() || !is_led_; });
      call.sleeps = false;
      continue;
    }
    leads = true;
    is_led_ = true;
    Arm(false);
    bool is_readable = true;
    lock.unlock();
    if (has_looked) {
      pollfd readable = {.fd = socket_.get(), .events = POLLIN, .revents = 0};
      is_readable = poll(&readable, 1, deadline.PollTimeout()) > 0;
    } else {
      // On one processor, the other process has then answered, and nobody has to be woken.
      std::this_thread::yield();
    }
    has_looked = !has_looked;
    lock.lock();
    leads = false;
    is_led_ = false;
    if (is_readable) Pump(lock, false, deadline);
    StartTasks(lock);
  }
  if (leads) is_led_ = false;
}

void Channel::HandOver() {
  if (is_led_ || !status_.ok()) return;
  for (PendingCall* const call : calls_) {
    if (call->sleeps && !call->is_done) {
      call->awake.notify_one();
      return;
    }
  }
  Arm(true);
}

void Channel::Arm(bool is_armed) {
  if (is_armed_ == is_armed) return;
  is_armed_ = is_armed;
  epoll_event event = {};
  event.events = is_armed ? kNewsOfSocket : 0U;
  event.data.fd = socket_.get();
  epoll_ctl(poll_.get(), EPOLL_CTL_MOD, socket_.get(), &event);
}

// --- Promises ---

kj::Promise<void> Channel::Background(kj::Function<void()> work, WhenLost when_lost) {
  auto pair = kj::newPromiseAndFulfiller<void>();
  kj::Function<void()> all = [this, work = kj::mv(work), fulfiller = kj::mv(pair.fulfiller),
                              when_lost]() mutable {
    if (when_lost == WhenLost::kDoItStill || !is_lost()) work();
    // What the work holds goes after its answer has been sent, and never in the loop.
    RunInLoop(
        [&] {
          ++releases_;
          fulfiller->fulfill();
          fulfiller = nullptr;
        },
        /*flushes=*/false);
  };
  tasks_.push_back({kj::mv(all), true});
  return kj::mv(pair.promise);
}

void Channel::Post(kj::Function<void()> work) { tasks_.push_back({kj::mv(work), false}); }

void Channel::PostRelease(kj::Function<void()> work) {
  ++releases_;
  tasks_.push_back({kj::mv(work), true});
}

kj::Promise<void> Channel::AfterReleases() {
  if (releases_ == 0) return kj::READY_NOW;
  auto pair = kj::newPromiseAndFulfiller<void>();
  release_waiters_.push_back(kj::mv(pair.fulfiller));
  return kj::mv(pair.promise);
}

void Channel::Break(const std::string& violation) {
  if (violation_.ok()) violation_ = absl::DataLossError(violation);
  is_lost_ = true;
}

void Channel::Track(kj::Promise<void> promise) {
  if (tracked_.get() != nullptr) tracked_->add(kj::mv(promise));
}

capnp::Capability::Client Channel::Bootstrap() {
  capnp::MallocMessageBuilder message;
  auto vat = message.initRoot<capnp::rpc::twoparty::VatId>();
  vat.setSide(capnp::rpc::twoparty::Side::SERVER);
  capnp::Capability::Client client = rpc_->bootstrap(vat);
  peer_brand_ = capnp::ClientHook::from(client)->getBrand();
  return client;
}

bool Channel::IsOfPeer(capnp::Capability::Client capability) const {
  return capnp::ClientHook::from(kj::mv(capability))->getBrand() == peer_brand_;
}

// --- The end ---

void Channel::Lose(const absl::Status& reason) {
  Lock lock(mutex_);
  LoseLocked(reason);
}

void Channel::LoseLocked(const absl::Status& reason) {
  if (!status_.ok()) return;
  const std::string names = NamesOfCalls();
  status_ = names.empty()
                ? reason
                : absl::Status(reason.code(), absl::StrCat(reason.message(), ", during ", names));
  is_lost_ = true;
  NNVLOG(DRIVER) << "a connection is lost: " << status_;
  // Who reads or writes finds out.
  shutdown(socket_.get(), SHUT_RDWR);
  for (PendingCall* const call : calls_) call->awake.notify_one();
  Wake();
}

std::string Channel::NamesOfCalls() const {
  return absl::StrJoin(calls_, ", ", [](std::string* out, const PendingCall* call) {
    absl::StrAppend(out, call->name);
  });
}

absl::Status Channel::status() const {
  const Lock lock(mutex_);
  return status_;
}

std::vector<std::string> Channel::calls_under_way() const {
  const Lock lock(mutex_);
  std::vector<std::string> names;
  for (const PendingCall* const call : calls_) names.emplace_back(call->name);
  return names;
}

void Channel::SetCallTimeout(absl::Duration timeout) {
  const Lock lock(mutex_);
  call_timeout_ = timeout;
}

// --- Threads ---

void Channel::Wake() {
  const uint64_t one = 1;
  // The counter, which nobody reads, is never full.
  const ssize_t ignored = write(wake_.get(), &one, sizeof(one));
  static_cast<void>(ignored);
}

void Channel::WakeForTask() {
  if (!std::exchange(is_waking_, true)) Wake();
}

void Channel::StartThread() {
  if (threads_ >= kMaxThreads) return;
  try {
    std::thread([self = shared_from_this()] {
      Lock lock(self->mutex_);
      self->Serve(lock);
    }).detach();
    ++threads_;
  } catch (const std::system_error& error) {
    LOG(WARNING) << "cannot start a thread for a connection: " << error.what();
  }
}

void Channel::Serve(Lock& lock) {
  const auto idle = [&](auto wait) {
    if (!is_led_) Arm(true);
    ++idle_threads_;
    lock.unlock();
    wait();
    lock.lock();
    --idle_threads_;
  };
  // Whether this thread has let others run since it did something.
  bool has_yielded = false;
  while (true) {
    if (!status_.ok() && !is_torn_down_) {
      TearDown(lock);
    } else if (!tasks_.empty()) {
      RunTask(lock);
      has_yielded = false;
    } else if (is_torn_down_) {
      break;
    } else if (!has_yielded && (idle_threads_ == 0 || stream_.KeepsNews())) {
      // What they send takes along what is kept back; and what comes meanwhile wakes nobody, unless
      // others sleep already.
      idle([] { std::this_thread::yield(); });
      has_yielded = true;
    } else if (stream_.KeepsNews() && !stream_.HasBacklog()) {
      stream_.Flush();
      AfterLoop(lock, Deadline::Never());
    } else {
      epoll_event event = {};
      int count = 0;
      idle([&] { count = epoll_wait(poll_.get(), &event, 1, -1); });
      has_yielded = false;
      if (count > 0 && event.data.fd == wake_.get()) is_waking_ = false;
      if (count > 0 && event.data.fd == socket_.get() && !is_led_ && status_.ok()) {
        Pump(lock, (event.events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0, Deadline::Never());
      }
    }
  }
  // The others are to end as well.
  if (threads_ > 1) Wake();
  --threads_;
  threads_ended_.notify_all();
}

void Channel::RunTask(Lock& lock) {
  Task task = kj::mv(tasks_.front());
  tasks_.pop_front();
  if (threads_ > 0 && !is_torn_down_) {
    if (idle_threads_ == 0) {
      StartThread();
    } else if (!tasks_.empty()) {
      WakeForTask();
    }
  }
  lock.unlock();
  task.work();
  { const kj::Function<void()> dropped = kj::mv(task.work); }
  lock.lock();
  if (!task.is_release || --releases_ > 0 || release_waiters_.empty()) return;
  lock.unlock();
  RunInLoop(
      [this] {
        for (auto& waiter : release_waiters_) waiter->fulfill();
        release_waiters_.clear();
      },
      /*flushes=*/false);
  lock.lock();
}

void Channel::TearDown(Lock& lock) {
  is_torn_down_ = true;
  Enter([&] {
    stream_.EndReading();
    release_waiters_.clear();
    rpc_ = nullptr;
    network_ = nullptr;
    tracked_ = nullptr;
  });
  while (!tasks_.empty()) RunTask(lock);
  const std::function<void(const absl::Status&)> on_lost = std::move(on_lost_);
  on_lost_ = nullptr;
  const absl::Status status = status_;
  lock.unlock();
  if (on_lost != nullptr) on_lost(status);
  lock.lock();
  Wake();
}

bool Channel::WaitForThreads(const Deadline& deadline) {
  Lock lock(mutex_);
  return deadline.Await(threads_ended_, lock, [this] { return threads_ == 0; });
}

}  // namespace nncert::hal::transport
