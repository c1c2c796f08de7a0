// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Mutations of where the values of constants are.

#include <algorithm>
#include <functional>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "hal/memory.h"
#include "hal/to_string.h"
#include "hal_tests/mutations/model_mutator.h"

namespace nncert {
namespace {

using hal::HalVersion;
using hal::Memory;
using hal::V1_2::DataLocation;
using hal::V1_2::Operand;
using hal::V1_2::OperandLifeTime;

void TellOfLocation(ModelMutator& mutator, const MutationPlace& place, uint64_t variant,
                    const DataLocation& location) {
  const uint32_t index = *place.operand;
  const DataLocation& before = mutator.model().operands[index].location;
  if (location == before) return;
  mutator.Tell(
      place, variant,
      [&] {
        return absl::StrCat("location ", toString(location), " in place of ", toString(before));
      },
      [&](ModelMutant& mutant) { mutant.model.operands[index].location = location; });
}

// The value of a constant anywhere but where it is. `size` is that of the memory it lies in.
void TellOfLocationsOfConstant(ModelMutator& mutator, const MutationPlace& place, size_t size,
                               uint32_t pools) {
  const Operand& operand = mutator.model().operands[*place.operand];
  const auto& [pool, offset, length] = operand.location;
  const auto end = static_cast<uint32_t>(size);
  TellOfLocation(mutator, place, 0, {pools, offset, length});
  TellOfLocation(mutator, place, 1, {UINT32_MAX, offset, length});
  TellOfLocation(mutator, place, 2, {pool, end, length});
  TellOfLocation(mutator, place, 3, {pool, end - length + 1, length});
  // Offset and length make a small sum in 32 bits.
  TellOfLocation(mutator, place, 4, {pool, 0U - length, length});
  TellOfLocation(mutator, place, 5, {pool, UINT32_MAX, length});
  // Only the vendor knows how long these are.
  if (hal::isOemOperandType(operand.type) || hal::isExtensionOperandType(operand.type)) return;
  TellOfLocation(mutator, place, 6, {pool, offset, 0});
  TellOfLocation(mutator, place, 7, {pool, offset, length - 1});
  TellOfLocation(mutator, place, 8, {pool, 0, length + 1});
  TellOfLocation(mutator, place, 9, {pool, offset, UINT32_MAX});
  TellOfLocation(mutator, place, 10, {pool, offset, 0U - offset});
}

}  // namespace

void MutateOperandLocation(ModelMutator& mutator) {
  for (const MutationPlace& place : mutator.operands()) {
    const Operand& operand = mutator.model().operands[*place.operand];
    if (operand.lifetime == OperandLifeTime::CONSTANT_COPY) {
      TellOfLocationsOfConstant(mutator, place, mutator.model().operandValues.size(), 1);
    } else if (operand.lifetime == OperandLifeTime::CONSTANT_REFERENCE) {
      TellOfLocationsOfConstant(mutator, place,
                                mutator.model().pools[operand.location.poolIndex].size(),
                                static_cast<uint32_t>(mutator.model().pools.size()));
    } else {
      TellOfLocation(mutator, place, 0, {.poolIndex = 1, .offset = 0, .length = 0});
      TellOfLocation(mutator, place, 1, {.poolIndex = 0, .offset = 4, .length = 0});
      TellOfLocation(mutator, place, 2, {.poolIndex = 0, .offset = 0, .length = 4});
    }
  }
}

void MutatePools(ModelMutator& mutator) {
  constexpr size_t kSize = 64;
  const std::vector<Memory>& pools = mutator.model().pools;
  // With another pool that nothing lies in, and in place of each that something does.
  for (size_t i = 0; i <= pools.size(); ++i) {
    const bool is_new = i == pools.size();
    const size_t size = is_new ? kSize : pools[i].size();
    const auto tell = [&](uint64_t variant, const char* what, const std::function<Memory()>& make) {
      mutator.Tell(
          {}, 2 * variant + (is_new ? 1 : 0),
          [&] { return absl::StrCat(is_new ? "one more pool, " : "pool ", i, ": ", what); },
          [&](ModelMutant& mutant) {
            if (is_new) mutant.model.pools.emplace_back();
            mutant.model.pools[i] = make();
          });
    };
    const auto allocate = [](size_t bytes, std::string_view kind) {
      return Memory::Allocate(bytes, kind).value_or(Memory());
    };
    tell(0, "no memory", [] { return Memory(); });
    tell(1, "memory of the kind \"heap\"", [&] { return allocate(size, "heap"); });
    tell(2, "memory of the kind \"\"", [&] { return allocate(size, ""); });
    if (mutator.version() < HalVersion::V1_2) {
      tell(3, "memory of a kind of HAL 1.2",
           [&] { return allocate(size, hal::kHardwareBufferBlob); });
    }
    if (is_new) continue;
    // Less than the farthest constant needs.
    size_t needed = 0;
    for (const Operand& operand : mutator.model().operands) {
      if (operand.lifetime != OperandLifeTime::CONSTANT_REFERENCE) continue;
      if (operand.location.poolIndex != i) continue;
      needed = std::max<size_t>(needed, operand.location.offset + operand.location.length);
    }
    if (needed == 0) continue;
    tell(4, "a byte too few", [&] { return allocate(needed - 1, pools[i].name()); });
    tell(5, "no bytes", [&] { return allocate(0, pools[i].name()); });
  }
}

}  // namespace nncert
