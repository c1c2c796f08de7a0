// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "drivers/xnnpack/assembly.h"

#include <cstring>
#include <string>

#include "absl/strings/str_cat.h"
#include "hal/execution.h"
#include "hal/utils.h"

namespace nncert::xnnpack {
namespace {

constexpr size_t kAlignment = 64;

}  // namespace

absl::Status StatusOf(xnn_status status, absl::string_view what) {
  switch (status) {
    case xnn_status_success:
      return absl::OkStatus();
    case xnn_status_out_of_memory:
      return absl::ResourceExhaustedError(absl::StrCat("XNNPACK has no memory for ", what));
    default:
      return absl::InternalError(
          absl::StrCat("XNNPACK refuses ", what, " with status ", static_cast<int>(status)));
  }
}

absl::StatusOr<Buffer> Buffer::Allocate(size_t bytes) {
  // Large blocks of zeros cost nothing until they are touched.
  const size_t padded = bytes + XNN_EXTRA_BYTES + kAlignment;
  Buffer buffer;
  buffer.block_.reset(static_cast<uint8_t*>(std::calloc(padded, 1)));
  if (buffer.block_ == nullptr) {
    return absl::ResourceExhaustedError(absl::StrCat("there is no memory for ", padded, " bytes"));
  }
  const auto address = reinterpret_cast<uintptr_t>(buffer.block_.get());
  buffer.data_ = buffer.block_.get() + (kAlignment - address % kAlignment) % kAlignment;
  buffer.size_ = bytes;
  return buffer;
}

absl::Status Steps::Run() const {
  for (const std::function<absl::Status()>& step : steps_) {
    if (absl::Status status = step(); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status Operands::Fill(uint32_t operand, Buffer& buffer) const {
  if (model_ == nullptr && is_forgotten_.at(operand)) {
    return absl::InternalError(absl::StrCat("constant ", operand, " was not kept"));
  }
  absl::StatusOr<Buffer> room = Buffer::Allocate(sizes_.at(operand));
  if (!room.ok()) return room.status();
  buffer = *std::move(room);
  if (model_ == nullptr || !hal::isConstant(model_->operands.at(operand).lifetime)) {
    return absl::OkStatus();
  }
  const absl::StatusOr<std::vector<uint8_t>> bytes = hal::constantBytes(*model_, operand);
  if (!bytes.ok()) return bytes.status();
  if (bytes->size() != buffer.size()) {
    return absl::InvalidArgumentError(absl::StrCat("constant ", operand, " has ", bytes->size(),
                                                   " bytes in place of ", buffer.size()));
  }
  if (!bytes->empty()) std::memcpy(buffer.data(), bytes->data(), bytes->size());
  return absl::OkStatus();
}

absl::StatusOr<uint8_t*> Operands::Find(uint32_t operand) {
  Buffer& buffer = buffers_.at(operand);
  if (!buffer) {
    if (absl::Status status = Fill(operand, buffer); !status.ok()) return status;
  }
  return buffer.data();
}

absl::StatusOr<const uint8_t*> Operands::FindPacked(uint32_t operand) {
  const bool is_constant =
      model_ != nullptr && hal::isConstant(model_->operands.at(operand).lifetime);
  if (!is_constant || buffers_.at(operand)) {
    absl::StatusOr<uint8_t*> found = Find(operand);
    if (!found.ok()) return found.status();
    return *found;
  }
  Buffer& buffer = packed_.at(operand);
  if (!buffer) {
    if (absl::Status status = Fill(operand, buffer); !status.ok()) return status;
  }
  return buffer.data();
}

void Operands::ForgetModel() {
  for (size_t i = 0; i < buffers_.size(); ++i) {
    is_forgotten_.push_back(hal::isConstant(model_->operands.at(i).lifetime) && !buffers_[i]);
  }
  model_ = nullptr;
  packed_.clear();
}

std::shared_ptr<xnn_operator> Assembly::Own(xnn_operator_t made) {
  return {made, [](xnn_operator_t owned) { xnn_delete_operator(owned); }};
}

uint8_t* Assembly::Find(uint32_t operand) {
  if (!status_.ok()) return nullptr;
  const absl::StatusOr<uint8_t*> found = operands_.Find(operand);
  status_ = found.status();
  return found.ok() ? *found : nullptr;
}

const uint8_t* Assembly::FindPacked(uint32_t operand) {
  if (!status_.ok()) return nullptr;
  const absl::StatusOr<const uint8_t*> found = operands_.FindPacked(operand);
  status_ = found.status();
  return found.ok() ? *found : nullptr;
}

uint8_t* Assembly::Reserve(size_t bytes) {
  if (!status_.ok()) return nullptr;
  absl::StatusOr<Buffer> room = Buffer::Allocate(bytes);
  if (!room.ok()) {
    status_ = room.status();
    return nullptr;
  }
  uint8_t* const data = room->data();
  steps_.Keep(*std::move(room));
  return data;
}

void Assembly::AddOperator(std::shared_ptr<xnn_operator> owner, absl::string_view what) {
  steps_.Add([owner = std::move(owner), name = std::string(what)] {
    return StatusOf(xnn_run_operator(owner.get(), kThisThreadAlone), name);
  });
}

void Assembly::Add(std::function<void()> step) {
  if (!status_.ok()) return;
  steps_.Add([step = std::move(step)] {
    step();
    return absl::OkStatus();
  });
}

absl::StatusOr<Steps> Assembly::Finish() && {
  if (!status_.ok()) return status_;
  return std::move(steps_);
}

}  // namespace nncert::xnnpack
