// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/fast_kernel.h"

#include <algorithm>

#include "reference/run_kernel.h"

namespace nncert {
namespace {

// Both only change while static objects are constructed, on one thread.
const FastKernelRegistration*& Registrations() {
  static const FastKernelRegistration* head = nullptr;
  return head;
}
using FunctionsMaker = const FastFunctions* (*)();
FunctionsMaker& RegisteredFunctions() {
  static FunctionsMaker make = nullptr;
  return make;
}

// The fast kernels by the number of their operation; null where there is none.
std::vector<const FastKernel*> MakeLookup() {
  std::vector<const FastKernel*> lookup;
  for (const FastKernelRegistration* entry = Registrations(); entry != nullptr;
       entry = entry->next) {
    const auto number = static_cast<size_t>(entry->type);
    lookup.resize(std::max(lookup.size(), number + 1));
    lookup[number] = &entry->kernel;
  }
  return lookup;
}

}  // namespace

template <class Number>
void NumberReader<Number>::Convert(size_t first, size_t count, Number* room) const {
  assert(system_ != NumberSystem::kFloat);
  const std::byte* native = native_.data + first * ElementSize(NumberSystem::kFloat, info_->type);
  auto* elements = reinterpret_cast<std::byte*>(room);
  if (system_ == NumberSystem::kBall) {
    ImportHeldElements(info_->type, native_.held_at, native, count, elements, fast_);
  } else {
    ImportElements(system_, info_->type, native, count, elements, fast_);
  }
  if (IsQuantized(info_->type)) {
    LoadElements(system_, *info_, LoadAs::kReal, precision_, elements, count, room, fast_);
  }
}

template class NumberReader<float>;
template class NumberReader<double>;
template class NumberReader<Ball>;

absl::Status Declined() { return absl::UnimplementedError(""); }

bool IsDeclined(const absl::Status& status) { return absl::IsUnimplemented(status); }

FastKernelRegistration::FastKernelRegistration(hal::V1_2::OperationType its_type,
                                               const FastKernel& its_kernel)
    : type(its_type), kernel(its_kernel), next(Registrations()) {
  Registrations() = this;
}

FastFunctionsRegistration::FastFunctionsRegistration(const FastFunctions* (*make)()) {
  RegisteredFunctions() = make;
}

std::vector<hal::V1_2::OperationType> OperationsWithFastKernels() {
  std::vector<hal::V1_2::OperationType> types;
  for (const FastKernelRegistration* entry = Registrations(); entry != nullptr;
       entry = entry->next) {
    types.push_back(entry->type);
  }
  return types;
}

const FastKernel* FindFastKernel(hal::V1_2::OperationType type) {
  static const std::vector<const FastKernel*>& lookup =
      *new std::vector<const FastKernel*>(MakeLookup());
  const auto number = static_cast<size_t>(type);
  return number < lookup.size() ? lookup[number] : nullptr;
}

const FastFunctions* FindFastFunctions() {
  static const FastFunctions* const functions =
      RegisteredFunctions() == nullptr ? nullptr : RegisteredFunctions()();
  return functions;
}

}  // namespace nncert
