// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef NNCERT_REFERENCE_PREPARED_CONSTANTS_H_
#define NNCERT_REFERENCE_PREPARED_CONSTANTS_H_

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace nncert {

/// What a kernel has made of the constants of one operation: at most one object of each type, made
/// when it is first asked for. May be used by several threads at once.
class PreparedConstants {
 public:
  /// The object of type T; `make()` makes it when there is none yet. Other threads that ask
  /// meanwhile wait for it. `make` must not ask for objects itself. The object stays where it is as
  /// long as this lives.
  template <class T, class Make>
  const T& Get(Make make) {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (const Entry& entry : entries_) {
      if (entry.type == &kTypeOf<T>) return *static_cast<const T*>(entry.object.get());
    }
    auto object = std::make_shared<const T>(make());
    const T& result = *object;
    entries_.push_back({&kTypeOf<T>, std::move(object)});
    return result;
  }

 private:
  // Its address tells types apart.
  template <class T>
  static constexpr char kTypeOf = 0;

  struct Entry {
    const char* type;
    std::shared_ptr<const void> object;
  };

  std::mutex mutex_;
  std::vector<Entry> entries_;
};

}  // namespace nncert

#endif  // NNCERT_REFERENCE_PREPARED_CONSTANTS_H_
