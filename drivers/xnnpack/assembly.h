// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What a prepared operation is made of: memory that XNNPACK may read from, and XNNPACK's operators.

#ifndef NNCERT_DRIVERS_XNNPACK_ASSEMBLY_H_
#define NNCERT_DRIVERS_XNNPACK_ASSEMBLY_H_

#include <xnnpack.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "hal/v1_2/types.h"

namespace nncert::xnnpack {

/// Everything runs on the calling thread.
inline constexpr pthreadpool* kThisThreadAlone = nullptr;

/// Internal, naming what was tried, when XNNPACK does not say success.
absl::Status StatusOf(xnn_status status, absl::string_view what);

/// Bytes that XNNPACK may read a little beyond (XNN_EXTRA_BYTES), aligned to 64 bytes and zero at
/// first.
class Buffer {
 public:
  Buffer() = default;

  /// Fails with ResourceExhausted when there is no more memory.
  static absl::StatusOr<Buffer> Allocate(size_t bytes);

  uint8_t* data() const { return data_; }
  size_t size() const { return size_; }
  explicit operator bool() const { return block_ != nullptr; }

 private:
  struct Free {
    void operator()(uint8_t* bytes) const { std::free(bytes); }
  };

  std::unique_ptr<uint8_t, Free> block_;
  uint8_t* data_ = nullptr;
  size_t size_ = 0;
};

/// The steps of one operation, in the order in which they run.
class Steps {
 public:
  /// Runs all of them.
  absl::Status Run() const;

  void Add(std::function<absl::Status()> step) { steps_.push_back(std::move(step)); }
  void Keep(Buffer buffer) { buffers_.push_back(std::move(buffer)); }

 private:
  std::vector<std::function<absl::Status()>> steps_;
  std::vector<Buffer> buffers_;
};

/// Where the operands of a prepared model are. Constants that are packed into operators do not
/// stay.
class Operands {
 public:
  /// Keeps a reference to the model while constants are read from it; see ForgetModel.
  Operands(const hal::V1_2::Model& model, std::vector<size_t> sizes)
      : model_(&model), sizes_(std::move(sizes)), buffers_(sizes_.size()), packed_(sizes_.size()) {}

  /// The bytes of an operand, which stay where they are: those of a constant, or room for what is
  /// computed. Fails when there is no memory, and for a constant that ForgetModel let go of.
  absl::StatusOr<uint8_t*> Find(uint32_t operand);

  /// The same, but a constant's bytes are only good until ForgetModel.
  absl::StatusOr<const uint8_t*> FindPacked(uint32_t operand);

  /// Ends the reading of constants, and lets go of those that Find was not asked for.
  void ForgetModel();

  /// Bytes of an operand.
  size_t size(uint32_t operand) const { return sizes_.at(operand); }

 private:
  absl::Status Fill(uint32_t operand, Buffer& buffer) const;

  const hal::V1_2::Model* model_;  // null once it is forgotten
  std::vector<size_t> sizes_;
  std::vector<Buffer> buffers_;
  std::vector<Buffer> packed_;
  std::vector<bool> is_forgotten_;  // of each operand, once the model is
};

/// The making of one operation's steps. A failure to find memory is remembered, and every later
/// call does nothing; the result is that of Finish.
class Assembly {
 public:
  Assembly(const hal::V1_2::Operation& operation, Operands& operands)
      : operation_(operation), operands_(operands) {}

  /// The elements of an input and an output, at which the steps find them whenever they run.
  template <class T>
  const T* Input(size_t number) {
    return reinterpret_cast<const T*>(Find(operation_.inputs.at(number)));
  }
  template <class T>
  T* Output(size_t number = 0) {
    return reinterpret_cast<T*>(Find(operation_.outputs.at(number)));
  }

  /// The elements of an input that is packed into operators, to be read now.
  template <class T>
  const T* Packed(size_t number) {
    return reinterpret_cast<const T*>(FindPacked(operation_.inputs.at(number)));
  }

  /// Room for elements between two steps.
  template <class T>
  T* Scratch(size_t count) {
    return reinterpret_cast<T*>(Reserve(count * sizeof(T)));
  }

  /// Adds an operator: `create` makes it, xnn_status(xnn_operator_t*), and `setup` gives it its
  /// arguments, xnn_status(xnn_operator_t). `what` names it in messages.
  template <class Create, class SetUp>
  void Add(absl::string_view what, const Create& create, const SetUp& setup) {
    if (!status_.ok()) return;
    xnn_operator_t made = nullptr;
    status_ = StatusOf(create(&made), what);
    if (!status_.ok()) return;
    const std::shared_ptr<xnn_operator> owner = Own(made);
    status_ = StatusOf(setup(made), what);
    if (status_.ok()) AddOperator(owner, what);
  }

  /// Adds something that XNNPACK has no operator for. It must not fail.
  void Add(std::function<void()> step);

  /// The steps, or what went wrong.
  absl::StatusOr<Steps> Finish() &&;

 private:
  static std::shared_ptr<xnn_operator> Own(xnn_operator_t made);
  uint8_t* Find(uint32_t operand);
  const uint8_t* FindPacked(uint32_t operand);
  uint8_t* Reserve(size_t bytes);
  void AddOperator(std::shared_ptr<xnn_operator> owner, absl::string_view what);

  const hal::V1_2::Operation& operation_;
  Operands& operands_;
  absl::Status status_;
  Steps steps_;
};

}  // namespace nncert::xnnpack

#endif  // NNCERT_DRIVERS_XNNPACK_ASSEMBLY_H_
