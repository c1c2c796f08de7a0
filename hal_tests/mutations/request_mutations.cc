// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal_tests/mutations/request_mutations.h"

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "hal/memory.h"
#include "hal/to_string.h"
#include "hal/utils.h"
#include "hal/validate.h"
#include "hal_tests/mutations/mutation_kind.h"
#include "reference/execution/model_validation.h"

namespace nncert {

using hal::HalVersion;
using hal::Memory;
using hal::V1_0::DataLocation;
using hal::V1_0::Request;
using hal::V1_0::RequestArgument;
using hal::V1_2::Model;
using hal::V1_2::Operand;

/// An argument of a request.
struct ArgumentPlace {
  bool is_output = false;
  size_t index = 0;
};

/// A request whose changes somebody is told of.
class RequestMutator {
 public:
  RequestMutator(const Model& model, const Request& request,
                 absl::FunctionRef<void(const RequestMutation&)> visit)
      : model_(model), request_(request), visit_(visit) {
    for (const bool is_output : {false, true}) {
      const size_t count = (is_output ? request.outputs : request.inputs).size();
      for (size_t i = 0; i < count; ++i) places_.push_back({is_output, i});
    }
    if (!model.operations.empty()) {
      signature_ = CombineKinds(KindOfOperation(model, model.operations[0]),
                                model.operations.size() > 1 ? 1 : 0);
    }
  }

  const Request& request() const { return request_; }
  const std::vector<ArgumentPlace>& places() const { return places_; }
  const RequestArgument& At(const ArgumentPlace& place) const {
    return (place.is_output ? request_.outputs : request_.inputs)[place.index];
  }
  const Operand& OperandOf(const ArgumentPlace& place) const {
    return model_
        .operands[(place.is_output ? model_.outputIndexes : model_.inputIndexes)[place.index]];
  }

  void RunFamily(const RequestMutationFamily& family) {
    family_ = &family;
    family.mutate(*this);
  }

  // Tells of a change of the request as a whole.
  void Tell(uint64_t variant, absl::FunctionRef<std::string()> what,
            absl::FunctionRef<void(Request&)> apply) {
    const uint64_t kind =
        CombineKinds(CombineKinds(KindOfText(family_->name), variant), signature_);
    visit_({*family_, kind, what, apply});
  }

  // Tells of a change of an argument.
  void TellAt(const ArgumentPlace& place, uint64_t variant, absl::FunctionRef<std::string()> what,
              absl::FunctionRef<void(RequestArgument&)> change) {
    Tell(
        CombineKinds(2 * place.index + (place.is_output ? 1 : 0), variant),
        [&] {
          return absl::StrCat(place.is_output ? "output " : "input ", place.index, ": ", what());
        },
        [&](Request& request) {
          change((place.is_output ? request.outputs : request.inputs)[place.index]);
        });
  }

  void TellOfLocation(const ArgumentPlace& place, uint64_t variant, const DataLocation& location) {
    const DataLocation& before = At(place).location;
    if (location == before) return;
    TellAt(
        place, variant,
        [&] {
          return absl::StrCat("location ", toString(location), " in place of ", toString(before));
        },
        [&](RequestArgument& argument) { argument.location = location; });
  }

  void TellOfDimensions(const ArgumentPlace& place, uint64_t variant,
                        const std::vector<uint32_t>& dimensions) {
    TellAt(
        place, variant,
        [&] {
          return absl::StrCat("dimensions ", hal::dimensionsToString(dimensions),
                              ", where the model has ",
                              hal::dimensionsToString(OperandOf(place).dimensions));
        },
        [&](RequestArgument& argument) { argument.dimensions = dimensions; });
  }

 private:
  const Model& model_;
  const Request& request_;
  const absl::FunctionRef<void(const RequestMutation&)> visit_;
  const RequestMutationFamily* family_ = nullptr;
  uint64_t signature_ = 0;
  std::vector<ArgumentPlace> places_;
};

namespace {

template <typename List>
void RemoveAt(List& list, size_t index) {
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(index));
}

// The dimensions that an argument comes to; empty when they are open.
std::vector<uint32_t> DimensionsOf(const RequestMutator& mutator, const ArgumentPlace& place) {
  const RequestArgument& argument = mutator.At(place);
  return argument.dimensions.empty() ? mutator.OperandOf(place).dimensions : argument.dimensions;
}

void RemoveArgument(RequestMutator& mutator, bool is_output) {
  for (const ArgumentPlace& place : mutator.places()) {
    if (place.is_output != is_output) continue;
    mutator.Tell(
        CombineKinds(place.index, 0),
        [&] { return absl::StrCat(is_output ? "output " : "input ", place.index, " removed"); },
        [&](Request& request) {
          RemoveAt(is_output ? request.outputs : request.inputs, place.index);
        });
  }
}

void RemoveInput(RequestMutator& mutator) { RemoveArgument(mutator, false); }

void RemoveOutput(RequestMutator& mutator) { RemoveArgument(mutator, true); }

void AddArgument(RequestMutator& mutator) {
  const RequestArgument omitted = {.hasNoValue = true, .location = {}, .dimensions = {}};
  mutator.Tell(
      0, [] { return std::string("one more input, which is omitted"); },
      [&](Request& request) { request.inputs.push_back(omitted); });
  mutator.Tell(
      1, [] { return std::string("one more output, which is omitted"); },
      [&](Request& request) { request.outputs.push_back(omitted); });
}

void MutateArgumentPool(RequestMutator& mutator) {
  for (const ArgumentPlace& place : mutator.places()) {
    const RequestArgument& argument = mutator.At(place);
    if (argument.hasNoValue) continue;
    const auto& [pool, offset, length] = argument.location;
    const auto pools = static_cast<uint32_t>(mutator.request().pools.size());
    mutator.TellOfLocation(place, 0, {pools, offset, length});
    mutator.TellOfLocation(place, 1, {UINT32_MAX, offset, length});
  }
}

void MutateArgumentLocation(RequestMutator& mutator) {
  for (const ArgumentPlace& place : mutator.places()) {
    const RequestArgument& argument = mutator.At(place);
    if (argument.hasNoValue) continue;
    const auto& [pool, offset, length] = argument.location;
    const auto size = static_cast<uint32_t>(mutator.request().pools[pool].size());
    mutator.TellOfLocation(place, 0, {pool, size + 1, length});
    mutator.TellOfLocation(place, 1, {pool, size - length + 1, length});
    mutator.TellOfLocation(place, 2, {pool, UINT32_MAX, length});
    mutator.TellOfLocation(place, 3, {pool, offset, UINT32_MAX});
    // Offset and length make a small sum in 32 bits.
    mutator.TellOfLocation(place, 4, {pool, 0U - length, length});
    mutator.TellOfLocation(place, 5, {pool, offset, 0U - offset});
  }
}

void ShortenInput(RequestMutator& mutator) {
  for (const ArgumentPlace& place : mutator.places()) {
    const RequestArgument& argument = mutator.At(place);
    if (place.is_output || argument.hasNoValue || argument.location.length == 0) continue;
    const auto& [pool, offset, length] = argument.location;
    mutator.TellOfLocation(place, 0, {pool, offset, length - 1});
    mutator.TellOfLocation(place, 1, {pool, offset, 0});
  }
}

void MutateArgumentRank(RequestMutator& mutator) {
  for (const ArgumentPlace& place : mutator.places()) {
    if (mutator.At(place).hasNoValue) continue;
    std::vector<uint32_t> dimensions = DimensionsOf(mutator, place);
    dimensions.push_back(1);
    mutator.TellOfDimensions(place, 0, dimensions);
    if (dimensions.size() < 3) continue;
    dimensions.pop_back();
    const uint32_t last = dimensions.back();
    dimensions.pop_back();
    dimensions.back() *= last;
    mutator.TellOfDimensions(place, 1, dimensions);
  }
}

void MutateArgumentDimension(RequestMutator& mutator) {
  for (const ArgumentPlace& place : mutator.places()) {
    if (mutator.At(place).hasNoValue) continue;
    const std::vector<uint32_t> before = DimensionsOf(mutator, place);
    for (size_t axis = 0; axis < before.size(); ++axis) {
      if (before[axis] == 0) continue;
      std::vector<uint32_t> dimensions = before;
      ++dimensions[axis];
      mutator.TellOfDimensions(place, 2 * axis, dimensions);
      dimensions[axis] -= 2;
      if (dimensions[axis] > 0) mutator.TellOfDimensions(place, 2 * axis + 1, dimensions);
    }
  }
}

void LeaveDimensionUnknown(RequestMutator& mutator) {
  for (const ArgumentPlace& place : mutator.places()) {
    const RequestArgument& argument = mutator.At(place);
    if (argument.hasNoValue) continue;
    if (!argument.dimensions.empty()) mutator.TellOfDimensions(place, 0, {});
    const std::vector<uint32_t> before = DimensionsOf(mutator, place);
    for (size_t axis = 0; axis < before.size(); ++axis) {
      std::vector<uint32_t> dimensions = before;
      dimensions[axis] = 0;
      if (dimensions != before) mutator.TellOfDimensions(place, axis + 1, dimensions);
    }
  }
}

void OmitRequiredInput(RequestMutator& mutator) {
  for (const ArgumentPlace& place : mutator.places()) {
    if (place.is_output || mutator.At(place).hasNoValue) continue;
    mutator.TellAt(
        place, 0, [] { return std::string("omitted"); },
        [](RequestArgument& argument) {
          argument = {.hasNoValue = true, .location = {}, .dimensions = {}};
        });
  }
}

void MutateOmittedArgument(RequestMutator& mutator) {
  for (const ArgumentPlace& place : mutator.places()) {
    const RequestArgument& before = mutator.At(place);
    const bool has_location = !(before.location == DataLocation{});
    mutator.TellAt(
        place, 0, [] { return std::string("omitted, and has a location"); },
        [&](RequestArgument& argument) {
          argument = {.hasNoValue = true,
                      .location = has_location ? before.location : DataLocation{0, 0, 4},
                      .dimensions = {}};
        });
    mutator.TellAt(
        place, 1, [] { return std::string("omitted, and has dimensions"); },
        [](RequestArgument& argument) {
          argument = {.hasNoValue = true, .location = {}, .dimensions = {1}};
        });
  }
}

void AliasOutput(RequestMutator& mutator) {
  for (const ArgumentPlace& output : mutator.places()) {
    const RequestArgument& written = mutator.At(output);
    if (!output.is_output || written.hasNoValue || written.location.length == 0) continue;
    for (const ArgumentPlace& other : mutator.places()) {
      const RequestArgument& argument = mutator.At(other);
      if (argument.hasNoValue || argument.location.length == 0) continue;
      if (other.is_output && other.index >= output.index) continue;
      // Where there is room for it, so that nothing else is wrong.
      const uint32_t pool = argument.location.poolIndex;
      const uint32_t offset = argument.location.offset;
      if (mutator.request().pools[pool].size() < uint64_t{offset} + written.location.length) {
        continue;
      }
      mutator.TellAt(
          output, CombineKinds(other.index, other.is_output ? 1 : 0),
          [&] {
            return absl::StrCat("in the memory of ", other.is_output ? "output " : "input ",
                                other.index);
          },
          [&](RequestArgument& changed) {
            changed.location.poolIndex = pool;
            changed.location.offset = offset;
          });
    }
  }
}

void MutateRequestPool(RequestMutator& mutator) {
  const std::vector<Memory>& pools = mutator.request().pools;
  for (size_t i = 0; i < pools.size(); ++i) {
    const auto tell = [&](uint64_t variant, const char* what, auto make) {
      mutator.Tell(
          CombineKinds(i, variant), [&] { return absl::StrCat("pool ", i, ": ", what); },
          [&](Request& request) { request.pools[i] = make(); });
    };
    const auto allocate = [](size_t size, std::string_view kind) {
      return Memory::Allocate(size, kind).value_or(Memory());
    };
    tell(0, "no memory", [] { return Memory(); });
    tell(1, "memory of the kind \"heap\"", [&] { return allocate(pools[i].size(), "heap"); });
    tell(2, "no bytes", [&] { return allocate(0, pools[i].name()); });
  }
}

constexpr auto kFamilies = std::to_array<RequestMutationFamily>({
    {"removeInputTest", "an input is missing", &RemoveInput},
    {"removeOutputTest", "an output is missing", &RemoveOutput},
    // What Android 10's suite does not look at.
    {"addArgumentTest", "there is one argument too many", &AddArgument},
    {"mutateArgumentPoolTest", "an argument lies in a pool that does not exist",
     &MutateArgumentPool},
    {"mutateArgumentLocationTest", "an argument lies outside of its pool", &MutateArgumentLocation},
    {"shortenInputTest", "an input has fewer bytes than its dimensions ask for", &ShortenInput},
    {"mutateArgumentRankTest", "an argument has another rank than the model", &MutateArgumentRank},
    {"mutateArgumentDimensionTest", "an argument has another dimension than the model",
     &MutateArgumentDimension},
    {"leaveDimensionUnknownTest", "a dimension of an input is known from nowhere",
     &LeaveDimensionUnknown},
    {"omitRequiredInputTest", "an input that an operation needs has no value", &OmitRequiredInput},
    {"mutateOmittedArgumentTest", "an argument without a value has a location or dimensions",
     &MutateOmittedArgument},
    {"aliasOutputTest", "an output lies in the memory of another argument", &AliasOutput},
    {"mutateRequestPoolTest", "a pool has no memory, or memory of a kind that nobody knows",
     &MutateRequestPool},
});

}  // namespace

absl::Span<const RequestMutationFamily> RequestMutationFamilies() { return kFamilies; }

void ForEachRequestMutation(const Model& model, const Request& request,
                            absl::FunctionRef<void(const RequestMutation&)> visit) {
  RequestMutator mutator(model, request, visit);
  for (const RequestMutationFamily& family : kFamilies) mutator.RunFamily(family);
}

absl::Status WhyInvalid(const Request& request, const Model& model, HalVersion version) {
  if (absl::Status status = hal::validateRequest(request, model, version); !status.ok()) {
    return status;
  }
  return ValidateOmittedInputs(model, request, version);
}

}  // namespace nncert
