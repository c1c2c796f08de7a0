// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// One end of a connection: Cap'n Proto's RPC over a socket, for objects that any thread may use.

#ifndef NNCERT_HAL_TRANSPORT_CHANNEL_H_
#define NNCERT_HAL_TRANSPORT_CHANNEL_H_

#include <capnp/rpc-twoparty.h>
#include <kj/async.h>
#include <kj/function.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "hal/deadline.h"
#include "hal/handle.h"
#include "hal/transport/message_stream.h"

namespace nncert::hal::transport {

/// The connection to one peer.
///
/// Cap'n Proto's objects belong to an event loop, and only one thread at a time may touch them.
/// Here that is whoever holds the channel's lock, for as long as it holds it: no thread owns the
/// loop. A thread that makes a call writes the message itself, and then leads: it sleeps on the
/// socket, not holding the lock, reads what comes, also for others, until its own answer is there,
/// and hands over to another thread that waits. When nobody leads, the channel's own threads sleep
/// on the socket. So a call and its answer wake nobody else on either side.
///
/// Code that runs in the loop never calls foreign code (drivers, callbacks of clients, destructors
/// of either): that is done by Background, in threads of the channel, of which there are always
/// enough that one is left to read.
class Channel : public std::enable_shared_from_this<Channel> {
 public:
  /// Makes the capability that a peer gets first; called in the loop.
  using BootstrapFactory = std::function<capnp::Capability::Client(Channel&)>;

  /// Opens a channel over a connected Unix stream socket; a server has a bootstrap capability, a
  /// client none. `on_lost` is called once, outside of the loop, after everything that the peer
  /// held has been released. Fails with InvalidArgument when the socket is none of that kind.
  static absl::StatusOr<std::shared_ptr<Channel>> Open(
      FileDescriptor socket, const BootstrapFactory& bootstrap,
      std::function<void(const absl::Status&)> on_lost);

  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;
  ~Channel();

  /// Makes a call and waits for its answer. `start`, called in the loop, sends the request and
  /// gives the promise of what the answer is worth: OK, or what is wrong with it. `name` lives for
  /// ever.
  ///
  /// Fails with status() when the channel is lost, before or meanwhile, for whatever reason: no
  /// answer in time, or one that is wrong or an exception, loses it as well. Fails with Internal,
  /// the channel standing, when the request cannot be sent because `start` throws.
  absl::Status Call(const char* name, absl::FunctionRef<kj::Promise<absl::Status>()> start);

  /// Calls `function` in the loop, and sends what it wants to be sent; also when the channel is
  /// lost. What it throws is dropped. May be called in the loop, too.
  void Run(absl::FunctionRef<void()> function);

  /// What Background does with work that has not begun when the channel is lost.
  enum class WhenLost { kSkip, kDoItStill };

  /// Has `work` done by a thread of the channel; the promise says when it has been. To be called in
  /// the loop. What `work` holds is destroyed by that thread as well, after the promise's
  /// continuations have run.
  kj::Promise<void> Background(kj::Function<void()> work, WhenLost when_lost);

  /// Has `work` done by a thread of the channel, whatever happens. To be called in the loop.
  void Post(kj::Function<void()> work);

  /// As Post, for work that destroys what the peer has released; see AfterReleases.
  void PostRelease(kj::Function<void()> work);

  /// When all that the peer has released so far has been destroyed, and all that the work of
  /// answered calls held. To be called in the loop.
  kj::Promise<void> AfterReleases();

  /// Loses the channel for something that the peer has sent, as soon as the loop has run. To be
  /// called in the loop.
  void Break(const std::string& violation);

  /// Keeps a promise until it is resolved. To be called in the loop.
  void Track(kj::Promise<void> promise);

  /// The peer's bootstrap capability. To be called in the loop.
  capnp::Capability::Client Bootstrap();

  /// Whether a capability is one of the peer's, and not one of this side's that came back. To be
  /// called in the loop, after Bootstrap.
  bool IsOfPeer(capnp::Capability::Client capability) const;

  /// Loses the channel for a reason, unless it is lost already.
  void Lose(const absl::Status& reason);

  /// Whether the channel is lost. May be called in the loop.
  bool is_lost() const { return is_lost_; }

  /// OK, or why the channel is lost.
  absl::Status status() const;

  /// The names of the calls that wait for their answers, the oldest first.
  std::vector<std::string> calls_under_way() const;

  /// How long calls from now on may take.
  void SetCallTimeout(absl::Duration timeout);

  /// Waits until the threads of a lost channel have ended. Returns whether they did in time.
  bool WaitForThreads(const Deadline& deadline = Deadline::Never());

 private:
  using Lock = std::unique_lock<std::mutex>;

  // A call that waits for its answer.
  struct PendingCall {
    explicit PendingCall(const char* call_name) : name(call_name) {}
    const char* const name;
    bool is_done = false;
    bool sleeps = false;
    std::condition_variable awake;
    kj::Maybe<kj::Promise<void>> promise;
  };

  class Tracker final : public kj::TaskSet::ErrorHandler {
   public:
    // Calls that nobody waits for fail when the channel is lost, which is noticed elsewhere.
    void taskFailed(kj::Exception&&) override {}
  };

  Channel(FileDescriptor socket, FileDescriptor poll, FileDescriptor wake,
          std::function<void(const absl::Status&)> on_lost,
          MessageStream::EmptyReturns empty_returns);

  // Run outside of the loop. The channel's own threads send later what may be kept back, and need
  // not flush.
  void RunInLoop(absl::FunctionRef<void()> function, bool flushes);

  // Everything below is to be called under the lock.

  // Calls `function` in the loop and runs the loop until it has nothing to do. Returns what
  // `function` threw.
  kj::Maybe<kj::Exception> Enter(absl::FunctionRef<void()> function);
  // Does what may be left to do after Enter: notices that the channel is lost, waits for room in
  // the socket. May release the lock for a while.
  void AfterLoop(Lock& lock, const Deadline& deadline);
  // Writes what the socket had no room for.
  void Drain(Lock& lock, const Deadline& deadline);
  // Has somebody do the tasks there are.
  void StartTasks(Lock& lock);
  // Reads what has come; see MessageStream::SetReadable.
  void Pump(Lock& lock, bool has_ended, const Deadline& deadline);
  // Reads until a call is answered or the channel is lost. `leads` says whether this thread has
  // said already that it reads.
  void Lead(Lock& lock, PendingCall& call, bool leads, const Deadline& deadline);
  // Lets somebody else read.
  void HandOver();
  // Whether the channel's own threads are to notice when the socket is readable.
  void Arm(bool is_armed);
  void LoseLocked(const absl::Status& reason);
  std::string NamesOfCalls() const;
  // Makes one of the threads that sleep look for work.
  void Wake();
  // The same for a task, unless one is woken already: it wakes the next if there is more to do.
  void WakeForTask();
  void StartThread();
  void Serve(Lock& lock);
  void RunTask(Lock& lock);
  void TearDown(Lock& lock);

  const FileDescriptor socket_;
  const FileDescriptor poll_;
  const FileDescriptor wake_;
  std::function<void(const absl::Status&)> on_lost_;

  mutable std::mutex mutex_;
  absl::Status status_;
  std::atomic<bool> is_lost_ = false;
  absl::Duration call_timeout_ = absl::InfiniteDuration();
  std::list<PendingCall*> calls_;
  // What the peer did wrong, as far as the loop knows.
  absl::Status violation_;
  bool is_disconnected_ = false;
  // Whether a thread that waits for a call's answer sleeps on the socket.
  bool is_led_ = false;
  bool is_armed_ = true;
  // Whether a thread waits for room in the socket.
  bool is_draining_ = false;

  struct Task {
    kj::Function<void()> work;
    // Whether the task counts among releases_ when its work has been done and is dropped.
    bool is_release = false;
  };
  std::deque<Task> tasks_;
  size_t threads_ = 0;
  size_t idle_threads_ = 0;
  // Whether a thread is being woken that has not looked for work yet.
  bool is_waking_ = false;
  bool is_torn_down_ = false;
  std::condition_variable threads_ended_;

  // How much there is that AfterReleases waits for, and who waits. Changed under the lock.
  size_t releases_ = 0;
  std::vector<kj::Own<kj::PromiseFulfiller<void>>> release_waiters_;

  // Destroyed from the bottom up.
  kj::EventLoop loop_;
  MessageStream stream_;
  Tracker tracker_;
  kj::Own<kj::TaskSet> tracked_;
  kj::Own<capnp::TwoPartyVatNetwork> network_;
  kj::Own<capnp::RpcSystem<capnp::rpc::twoparty::VatId>> rpc_;
  // What capabilities of the peer are known by.
  const void* peer_brand_ = nullptr;
};

/// An object that a capability's server holds but that is not to be destroyed in the loop.
template <typename Object>
class Held {
 public:
  Held(Channel& channel, std::shared_ptr<Object> object)
      : channel_(channel), object_(std::move(object)) {}
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  /// To be called in the loop, unless nothing is held.
  ~Held() {
    if (object_ == nullptr) return;
    channel_.PostRelease([object = std::move(object_)]() mutable { object = nullptr; });
  }

  const std::shared_ptr<Object>& get() const { return object_; }

 private:
  Channel& channel_;
  std::shared_ptr<Object> object_;
};

/// A capability of the peer that an object of any thread holds. Given back with the object.
template <typename Interface>
class Remote {
 public:
  Remote(std::shared_ptr<Channel> channel, typename Interface::Client client)
      : channel_(std::move(channel)), client_(kj::mv(client)) {}
  Remote(const Remote&) = delete;
  Remote& operator=(const Remote&) = delete;
  ~Remote() noexcept {
    channel_->Run([this] { client_ = nullptr; });
  }

  Channel& channel() const { return *channel_; }
  const std::shared_ptr<Channel>& shared_channel() const { return channel_; }

  /// To be used in the loop.
  typename Interface::Client& client() { return KJ_ASSERT_NONNULL(client_); }

 private:
  const std::shared_ptr<Channel> channel_;
  kj::Maybe<typename Interface::Client> client_;
};

}  // namespace nncert::hal::transport

#endif  // NNCERT_HAL_TRANSPORT_CHANNEL_H_
