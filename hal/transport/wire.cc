// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/transport/wire.h"

#include <capnp/capability.h>
#include <kj/debug.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "hal/schema_conversion.h"
#include "hal/transport/known_pools.h"
#include "hal/transport/message_stream.h"

namespace nncert::hal::transport {
namespace {

// A descriptor as a capability: the RPC system sends it along with every message that has it.
class FileServer final : public wire::File::Server {
 public:
  explicit FileServer(FileDescriptor descriptor) : descriptor_(std::move(descriptor)) {}

  kj::Maybe<int> getFd() override { return descriptor_.get(); }

 private:
  const FileDescriptor descriptor_;
};

template <typename List, typename Value>
void CopyList(const std::vector<Value>& from, List to) {
  for (size_t i = 0; i < from.size(); ++i) to.set(static_cast<unsigned>(i), from[i]);
}

template <typename Value, typename List>
std::vector<Value> ToVector(const List& list) {
  std::vector<Value> values;
  values.reserve(list.size());
  for (const auto value : list) values.push_back(value);
  return values;
}

unsigned SizeOf(size_t size) {
  KJ_REQUIRE(size < (size_t{1} << 29), size, "a list is too long to be sent");
  return static_cast<unsigned>(size);
}

// A copy of the descriptor behind a capability.
absl::StatusOr<FileDescriptor> Read(wire::File::Client file) {
  kj::Own<capnp::ClientHook> hook = capnp::ClientHook::from(kj::mv(file));
  KJ_IF_MAYBE (descriptor, hook->getFd()) {
    return FileDescriptor::Duplicate(*descriptor);
  }
  return absl::InvalidArgumentError("a file came without its descriptor");
}

// The protection that a pool's mappings may have.
int ProtectionOf(wire::Memory::Reader reader) {
  return reader.getIsWritable() ? PROT_READ | PROT_WRITE : PROT_READ;
}

absl::Status AnnotatePool(size_t index, const absl::Status& status) {
  return absl::InvalidArgumentError(absl::StrCat("pool ", index, ": ", status.message()));
}

void WriteArguments(const std::vector<V1_2::RequestArgument>& arguments,
                    capnp::List<schema::RequestArgument>::Builder builder) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    const V1_2::RequestArgument& from = arguments[i];
    auto to = builder[static_cast<unsigned>(i)];
    to.setHasNoValue(from.hasNoValue);
    auto location = to.initLocation();
    location.setPoolIndex(from.location.poolIndex);
    location.setOffset(from.location.offset);
    location.setLength(from.location.length);
    if (!from.dimensions.empty()) {
      CopyList(from.dimensions, to.initDimensions(SizeOf(from.dimensions.size())));
    }
  }
}

absl::StatusOr<std::vector<V1_2::RequestArgument>> ReadArguments(
    capnp::List<schema::RequestArgument>::Reader reader) {
  if (absl::Status status = CheckCount("arguments", reader); !status.ok()) return status;
  std::vector<V1_2::RequestArgument> arguments;
  arguments.reserve(reader.size());
  for (const auto from : reader) {
    const auto location = from.getLocation();
    arguments.push_back(
        {.hasNoValue = from.getHasNoValue(),
         .location = {location.getPoolIndex(), location.getOffset(), location.getLength()},
         .dimensions = ToVector<uint32_t>(from.getDimensions())});
  }
  return arguments;
}

// Each of these has a descriptor, or could have been left out.
template <typename List>
absl::Status CheckDescriptorCount(const char* what, const List& list) {
  return CheckCount(what, list, kMaxDescriptorsOfMessage);
}

// What `read` makes of each pool, a StatusOr<Pool>.
template <typename Pool, typename ReadOne>
absl::StatusOr<std::vector<Pool>> ReadPools(capnp::List<wire::Memory>::Reader reader,
                                            const ReadOne& read) {
  if (absl::Status status = CheckDescriptorCount("pools", reader); !status.ok()) return status;
  std::vector<Pool> pools;
  pools.reserve(reader.size());
  for (const auto from : reader) {
    absl::StatusOr<Pool> pool = read(from);
    if (!pool.ok()) return AnnotatePool(pools.size(), pool.status());
    pools.push_back(*std::move(pool));
  }
  return pools;
}

absl::Status CheckCounts(schema::Model::Reader reader) {
  absl::Status status = CheckCount("operands", reader.getOperands());
  status.Update(CheckCount("operations", reader.getOperations()));
  status.Update(CheckCount("extensions", reader.getExtensionNameToPrefix()));
  return status;
}

// What a message takes beside what is counted, and what each of its pools takes, at the most.
constexpr uint64_t kWordsOfMessage = 40;
constexpr uint64_t kWordsOfPool = 8;

bool HasPlaceInSchema(V1_2::OperandLifeTime lifetime) {
  const auto number = static_cast<int32_t>(lifetime);
  return number >= 0 && number <= 0xFFFF;
}

}  // namespace

// --- Writing ---

wire::File::Client Writer::File(const FileDescriptor& descriptor) {
  ++descriptors_;
  return kj::heap<FileServer>(descriptor);
}

void Writer::Write(const Memory& memory, wire::Memory::Builder builder) {
  if (!memory.valid()) return;
  builder.setFile(File(memory.descriptor()));
  builder.setName(ToWire(memory.name()));
  builder.setSize(memory.size());
  builder.setOffset(memory.offset());
  builder.setIsWritable((memory.protection() & PROT_WRITE) != 0);
}

void Writer::Write(const std::vector<Memory>& memories,
                   capnp::List<wire::Memory>::Builder builder) {
  for (size_t i = 0; i < memories.size(); ++i) {
    Write(memories[i], builder[static_cast<unsigned>(i)]);
  }
}

void Writer::Write(const std::vector<Handle>& handles, capnp::List<wire::Handle>::Builder builder) {
  for (size_t i = 0; i < handles.size(); ++i) {
    auto handle = builder[static_cast<unsigned>(i)];
    auto descriptors = handle.initDescriptors(SizeOf(handles[i].descriptors.size()));
    for (size_t j = 0; j < handles[i].descriptors.size(); ++j) {
      const FileDescriptor& descriptor = handles[i].descriptors[j];
      // One that is empty stays null.
      if (descriptor.valid()) descriptors.set(static_cast<unsigned>(j), File(descriptor));
    }
    CopyList(handles[i].integers, handle.initIntegers(SizeOf(handles[i].integers.size())));
  }
}

void Writer::Write(const V1_2::Request& request, wire::Request::Builder builder) {
  WriteArguments(request.inputs, builder.initInputs(SizeOf(request.inputs.size())));
  WriteArguments(request.outputs, builder.initOutputs(SizeOf(request.outputs.size())));
  Write(request.pools, builder.initPools(SizeOf(request.pools.size())));
}

void Writer::Write(const V1_2::Model& model, wire::Model::Builder builder) {
  const auto has_place = [](const V1_2::Operand& operand) {
    return HasPlaceInSchema(operand.lifetime);
  };
  absl::Status status;
  if (std::all_of(model.operands.begin(), model.operands.end(), has_place)) {
    status = ToSchemaWithoutPools(model, builder.initModel());
  } else {
    V1_2::Model with_places = model;
    auto lifetimes = builder.initLifetimes(SizeOf(model.operands.size()));
    for (size_t i = 0; i < model.operands.size(); ++i) {
      lifetimes.set(static_cast<unsigned>(i), static_cast<int32_t>(model.operands[i].lifetime));
      with_places.operands[i].lifetime = V1_2::OperandLifeTime::TEMPORARY_VARIABLE;
    }
    status = ToSchemaWithoutPools(with_places, builder.initModel());
  }
  KJ_REQUIRE(status.ok(), status.ToString().c_str());
  Write(model.pools, builder.initPools(SizeOf(model.pools.size())));
}

capnp::MessageSize SizeHint(const V1_2::Model& model) {
  // Structs with their pointers, and lists by half words.
  constexpr uint64_t kWordsOfOperand = 10;
  constexpr uint64_t kWordsOfOperation = 5;
  uint64_t words = kWordsOfMessage + model.pools.size() * kWordsOfPool +
                   (model.inputIndexes.size() + model.outputIndexes.size()) / 2 +
                   model.operandValues.size() / sizeof(capnp::word);
  for (const V1_2::Operand& operand : model.operands) {
    words += kWordsOfOperand + operand.dimensions.size() / 2;
  }
  for (const V1_2::Operation& operation : model.operations) {
    words += kWordsOfOperation + (operation.inputs.size() + operation.outputs.size()) / 2;
  }
  return {.wordCount = words, .capCount = static_cast<unsigned>(model.pools.size() + 1)};
}

capnp::MessageSize SizeHint(const V1_2::Request& request) {
  constexpr uint64_t kWordsOfArgument = 6;
  uint64_t words = kWordsOfMessage + request.pools.size() * kWordsOfPool;
  for (const auto* arguments : {&request.inputs, &request.outputs}) {
    for (const V1_2::RequestArgument& argument : *arguments) {
      words += kWordsOfArgument + argument.dimensions.size() / 2;
    }
  }
  return {.wordCount = words, .capCount = static_cast<unsigned>(request.pools.size() + 1)};
}

void Writer::CheckDescriptors() const {
  KJ_REQUIRE(descriptors_ <= kMaxDescriptorsOfMessage, descriptors_,
             "too many file descriptors for one call; 253 can be sent");
}

void Write(const V1_0::PerformanceInfo& info, wire::PerformanceInfo::Builder builder) {
  builder.setExecTime(info.execTime);
  builder.setPowerUsage(info.powerUsage);
}

void Write(const V1_2::ExecuteSynchronouslyResult& result, wire::ExecutionResult::Builder builder) {
  builder.setStatus(static_cast<int32_t>(result.status));
  auto shapes = builder.initOutputShapes(SizeOf(result.outputShapes.size()));
  for (size_t i = 0; i < result.outputShapes.size(); ++i) {
    auto shape = shapes[static_cast<unsigned>(i)];
    const V1_2::OutputShape& from = result.outputShapes[i];
    CopyList(from.dimensions, shape.initDimensions(SizeOf(from.dimensions.size())));
    shape.setIsSufficient(from.isSufficient);
  }
  auto timing = builder.initTiming();
  timing.setTimeOnDevice(result.timing.timeOnDevice);
  timing.setTimeInDriver(result.timing.timeInDriver);
}

// --- Reading ---

absl::StatusOr<Memory> Read(wire::Memory::Reader reader) {
  if (!reader.hasFile()) {
    if (reader.getSize() != 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("a memory pool of ", reader.getSize(), " bytes came without a file"));
    }
    return Memory();
  }
  absl::StatusOr<FileDescriptor> file = Read(reader.getFile());
  if (!file.ok()) return file.status();
  const auto name = reader.getName();
  return Memory::FromDescriptor(*std::move(file), reader.getSize(), ProtectionOf(reader),
                                reader.getOffset(), std::string_view(name.begin(), name.size()));
}

absl::StatusOr<std::vector<Memory>> Read(capnp::List<wire::Memory>::Reader reader) {
  return ReadPools<Memory>(reader, [](wire::Memory::Reader pool) { return Read(pool); });
}

absl::StatusOr<std::vector<Handle>> Read(capnp::List<wire::Handle>::Reader reader) {
  if (absl::Status status = CheckDescriptorCount("handles", reader); !status.ok()) return status;
  std::vector<Handle> handles;
  handles.reserve(reader.size());
  for (const auto from : reader) {
    Handle handle;
    const auto descriptors = from.getDescriptors();
    absl::Status status = CheckDescriptorCount("descriptors of a handle", descriptors);
    if (!status.ok()) return status;
    for (wire::File::Client file : descriptors) {
      const bool is_null = capnp::ClientHook::from(file)->isNull();
      absl::StatusOr<FileDescriptor> descriptor = is_null ? FileDescriptor() : Read(file);
      if (!descriptor.ok()) {
        return absl::InvalidArgumentError(
            absl::StrCat("handle ", handles.size(), ": ", descriptor.status().message()));
      }
      handle.descriptors.push_back(*std::move(descriptor));
    }
    handle.integers = ToVector<int>(from.getIntegers());
    handles.push_back(std::move(handle));
  }
  return handles;
}

absl::StatusOr<PoolReader::KnownPool> PoolReader::ReadPool(wire::Memory::Reader reader) const {
  struct stat file = {};
  KJ_IF_MAYBE (descriptor, capnp::ClientHook::from(reader.getFile())->getFd()) {
    // What cannot be looked at is found out below.
    if (reader.hasFile() && fstat(*descriptor, &file) != 0) file = {};
  }
  const auto is_this = [&](const KnownPool& known) {
    const Memory& memory = known.memory;
    const auto name = reader.getName();
    return memory.valid() && known.device == file.st_dev && known.inode == file.st_ino &&
           memory.size() == reader.getSize() && memory.offset() == reader.getOffset() &&
           memory.protection() == ProtectionOf(reader) &&
           memory.name() == std::string_view(name.begin(), name.size()) &&
           memory.offset() + memory.size() <= static_cast<uint64_t>(file.st_size);
  };
  const auto known = std::find_if(known_.begin(), known_.end(), is_this);
  if (known != known_.end()) return *known;
  absl::StatusOr<Memory> memory = transport::Read(reader);
  if (!memory.ok()) return memory.status();
  return KnownPool{file.st_dev, file.st_ino, *std::move(memory)};
}

absl::StatusOr<std::vector<Memory>> PoolReader::Read(capnp::List<wire::Memory>::Reader reader) {
  auto used =
      ReadPools<KnownPool>(reader, [this](wire::Memory::Reader pool) { return ReadPool(pool); });
  if (!used.ok()) return used.status();
  std::vector<Memory> memories;
  for (const KnownPool& pool : *used) memories.push_back(pool.memory);
  for (KnownPool& pool : known_) {
    if (used->size() >= kMostKnownPools) break;
    if (pool.memory.size() > kLargestKnownPool) continue;
    const bool is_used = std::find(memories.begin(), memories.end(), pool.memory) != memories.end();
    if (!is_used) used->push_back(std::move(pool));
  }
  known_ = *std::move(used);
  return memories;
}

absl::StatusOr<V1_2::Request> PoolReader::Read(wire::Request::Reader reader) {
  V1_2::Request request;
  auto inputs = ReadArguments(reader.getInputs());
  if (!inputs.ok()) return inputs.status();
  request.inputs = *std::move(inputs);
  auto outputs = ReadArguments(reader.getOutputs());
  if (!outputs.ok()) return outputs.status();
  request.outputs = *std::move(outputs);
  auto pools = Read(reader.getPools());
  if (!pools.ok()) return pools.status();
  request.pools = *std::move(pools);
  return request;
}

absl::StatusOr<V1_2::Model> Read(wire::Model::Reader reader) {
  if (absl::Status status = CheckCounts(reader.getModel()); !status.ok()) return status;
  absl::StatusOr<V1_2::Model> model = FromSchema(reader.getModel());
  if (!model.ok()) return model.status();
  if (!model->pools.empty()) {
    return absl::InvalidArgumentError("the model has pools by value; expected descriptors");
  }
  const auto lifetimes = reader.getLifetimes();
  if (lifetimes.size() != 0 && lifetimes.size() != model->operands.size()) {
    return absl::InvalidArgumentError(absl::StrCat("the model has ", model->operands.size(),
                                                   " operands and ", lifetimes.size(),
                                                   " lifetimes"));
  }
  for (unsigned i = 0; i < lifetimes.size(); ++i) {
    model->operands[i].lifetime = static_cast<V1_2::OperandLifeTime>(lifetimes[i]);
  }
  absl::StatusOr<std::vector<Memory>> pools = Read(reader.getPools());
  if (!pools.ok()) return pools.status();
  model->pools = *std::move(pools);
  return model;
}

absl::StatusOr<V1_2::CacheToken> ReadToken(capnp::Data::Reader reader) {
  V1_2::CacheToken token;
  if (reader.size() != token.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the cache token has ", reader.size(), " bytes; expected ", token.size()));
  }
  std::copy(reader.begin(), reader.end(), token.begin());
  return token;
}

V1_0::PerformanceInfo Read(wire::PerformanceInfo::Reader reader) {
  return {.execTime = reader.getExecTime(), .powerUsage = reader.getPowerUsage()};
}

absl::StatusOr<V1_2::ExecuteSynchronouslyResult> Read(wire::ExecutionResult::Reader reader) {
  V1_2::ExecuteSynchronouslyResult result;
  const absl::StatusOr<V1_0::ErrorStatus> status = ReadErrorStatus(reader.getStatus());
  if (!status.ok()) return status.status();
  result.status = *status;
  const auto shapes = reader.getOutputShapes();
  if (absl::Status count = CheckCount("output shapes", shapes); !count.ok()) return count;
  for (const auto shape : shapes) {
    result.outputShapes.push_back({.dimensions = ToVector<uint32_t>(shape.getDimensions()),
                                   .isSufficient = shape.getIsSufficient()});
  }
  if (!reader.hasTiming()) return absl::InvalidArgumentError("the result has no timing");
  const auto timing = reader.getTiming();
  result.timing = {.timeOnDevice = timing.getTimeOnDevice(),
                   .timeInDriver = timing.getTimeInDriver()};
  return result;
}

absl::StatusOr<V1_0::ErrorStatus> ReadErrorStatus(int32_t value) {
  if (value < static_cast<int32_t>(V1_0::ErrorStatus::NONE) ||
      value > static_cast<int32_t>(V1_0::ErrorStatus::INVALID_ARGUMENT)) {
    return absl::InvalidArgumentError(absl::StrCat("there is no ErrorStatus ", value));
  }
  return static_cast<V1_0::ErrorStatus>(value);
}

absl::StatusOr<V1_0::DeviceStatus> ReadDeviceStatus(int32_t value) {
  if (value < static_cast<int32_t>(V1_0::DeviceStatus::AVAILABLE) ||
      value > static_cast<int32_t>(V1_0::DeviceStatus::UNKNOWN)) {
    return absl::InvalidArgumentError(absl::StrCat("there is no DeviceStatus ", value));
  }
  return static_cast<V1_0::DeviceStatus>(value);
}

absl::StatusOr<V1_2::DeviceType> ReadDeviceType(int32_t value) {
  if (value < static_cast<int32_t>(V1_2::DeviceType::OTHER) ||
      value > static_cast<int32_t>(V1_2::DeviceType::ACCELERATOR)) {
    return absl::InvalidArgumentError(absl::StrCat("there is no DeviceType ", value));
  }
  return static_cast<V1_2::DeviceType>(value);
}

absl::StatusOr<HalVersion> ReadVersion(wire::HalVersion version) {
  switch (version) {
    case wire::HalVersion::V10:
      return HalVersion::V1_0;
    case wire::HalVersion::V11:
      return HalVersion::V1_1;
    case wire::HalVersion::V12:
      return HalVersion::V1_2;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("the version of the device is of the unknown kind ", static_cast<int>(version)));
}

wire::HalVersion ToWire(HalVersion version) {
  switch (version) {
    case HalVersion::V1_0:
      return wire::HalVersion::V10;
    case HalVersion::V1_1:
      return wire::HalVersion::V11;
    case HalVersion::V1_2:
      return wire::HalVersion::V12;
  }
  return wire::HalVersion::V10;
}

}  // namespace nncert::hal::transport
