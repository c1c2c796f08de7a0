// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/schema_conversion.h"

#include <capnp/message.h>
#include <capnp/serialize.h>
#include <fcntl.h>
#include <kj/exception.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <optional>
#include <utility>
#include <variant>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/str_cat.h"
#include "hal/handle.h"
#include "hal/memory.h"
#include "hal/whole_file.h"

namespace nncert::hal {
namespace {

#define NNCERT_RETURN_IF_ERROR(expression) \
  if (absl::Status error = (expression); !error.ok()) return error

// Runs `function`, which gives a Status or StatusOr, and turns what Cap'n Proto throws into one.
template <typename Function>
auto WithoutExceptions(Function function) -> decltype(function()) {
  try {
    return function();
  } catch (const kj::Exception& exception) {
    return absl::InvalidArgumentError(
        absl::StrCat("the Cap'n Proto message is corrupt: ", exception.getDescription().cStr()));
  } catch (const std::exception& exception) {
    return absl::ResourceExhaustedError(
        absl::StrCat("cannot hold the Cap'n Proto message: ", exception.what()));
  }
}

// The status, with what it is about before its message.
absl::Status About(const std::string& what, const absl::Status& status) {
  return absl::Status(status.code(), absl::StrCat(what, ": ", status.message()));
}

// --- Lists and blobs ---

template <typename Value, typename Builder>
void CopyList(const std::vector<Value>& from, Builder to) {
  for (size_t i = 0; i < from.size(); ++i) to.set(static_cast<unsigned>(i), from[i]);
}

template <typename Value, typename Reader>
std::vector<Value> ToVector(const Reader& list) {
  std::vector<Value> values(list.size());
  for (unsigned i = 0; i < list.size(); ++i) values[i] = list[i];
  return values;
}

capnp::Data::Reader ToData(absl::Span<const uint8_t> bytes) { return {bytes.data(), bytes.size()}; }

std::vector<uint8_t> ToBytes(const capnp::Data::Reader& data) {
  return std::vector<uint8_t>(data.begin(), data.end());
}

std::string ToText(const capnp::Text::Reader& text) {
  return std::string(text.begin(), text.end());
}

// --- The parts of models and requests ---

void WriteLocation(const V1_2::DataLocation& location, schema::DataLocation::Builder builder) {
  builder.setPoolIndex(location.poolIndex);
  builder.setOffset(location.offset);
  builder.setLength(location.length);
}

V1_2::DataLocation ReadLocation(schema::DataLocation::Reader reader) {
  return {.poolIndex = reader.getPoolIndex(),
          .offset = reader.getOffset(),
          .length = reader.getLength()};
}

absl::Status WriteOperand(const V1_2::Operand& operand, schema::Operand::Builder builder) {
  const auto lifetime = static_cast<int32_t>(operand.lifetime);
  if (lifetime < 0 || lifetime > UINT16_MAX) {
    return absl::InvalidArgumentError(
        absl::StrCat("the lifetime ", lifetime, " cannot be written; expected [0, 65535]"));
  }
  builder.setType(static_cast<uint32_t>(operand.type));
  CopyList(operand.dimensions,
           builder.initDimensions(static_cast<unsigned>(operand.dimensions.size())));
  builder.setNumberOfConsumers(operand.numberOfConsumers);
  builder.setScale(operand.scale);
  builder.setZeroPoint(operand.zeroPoint);
  builder.setLifetime(static_cast<schema::OperandLifeTime>(lifetime));
  if (operand.location != V1_2::DataLocation{}) {
    WriteLocation(operand.location, builder.initLocation());
  }
  if (const auto* params = std::get_if<V1_2::SymmPerChannelQuantParams>(&operand.extraParams)) {
    auto channel_quant = builder.initExtraParams().initChannelQuant();
    CopyList(params->scales,
             channel_quant.initScales(static_cast<unsigned>(params->scales.size())));
    channel_quant.setChannelDim(params->channelDim);
  } else if (const auto* extension = std::get_if<std::vector<uint8_t>>(&operand.extraParams)) {
    builder.initExtraParams().setExtension(ToData(*extension));
  }
  return absl::OkStatus();
}

absl::StatusOr<V1_2::Operand> ReadOperand(schema::Operand::Reader reader) {
  V1_2::Operand operand;
  operand.type = static_cast<V1_2::OperandType>(reader.getType());
  operand.dimensions = ToVector<uint32_t>(reader.getDimensions());
  operand.numberOfConsumers = reader.getNumberOfConsumers();
  operand.scale = reader.getScale();
  operand.zeroPoint = reader.getZeroPoint();
  operand.lifetime = static_cast<V1_2::OperandLifeTime>(reader.getLifetime());
  operand.location = ReadLocation(reader.getLocation());
  const auto extra_params = reader.getExtraParams();
  switch (extra_params.which()) {
    case schema::Operand::ExtraParams::NONE:
      return operand;
    case schema::Operand::ExtraParams::CHANNEL_QUANT: {
      const auto channel_quant = extra_params.getChannelQuant();
      operand.extraParams =
          V1_2::SymmPerChannelQuantParams{.scales = ToVector<float>(channel_quant.getScales()),
                                          .channelDim = channel_quant.getChannelDim()};
      return operand;
    }
    case schema::Operand::ExtraParams::EXTENSION:
      operand.extraParams = ToBytes(extra_params.getExtension());
      return operand;
  }
  return absl::InvalidArgumentError(absl::StrCat("the extra parameters are of the unknown kind ",
                                                 static_cast<int>(extra_params.which())));
}

absl::Status WritePools(const std::vector<Memory>& pools,
                        capnp::List<schema::MemoryPool>::Builder builder) {
  for (size_t i = 0; i < pools.size(); ++i) {
    const absl::StatusOr<Mapping> mapping = pools[i].Map(MemoryAccess::READ_ONLY);
    if (!mapping.ok()) return About(absl::StrCat("pool ", i), mapping.status());
    auto pool = builder[static_cast<unsigned>(i)];
    pool.setName(pools[i].name());
    pool.setContent(ToData(mapping->bytes()));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Memory>> ReadPools(capnp::List<schema::MemoryPool>::Reader reader) {
  std::vector<Memory> pools;
  for (const auto pool : reader) {
    const std::string name = ToText(pool.getName());
    const capnp::Data::Reader content = pool.getContent();
    absl::StatusOr<Memory> memory =
        Memory::AllocateCopy(absl::MakeSpan(content.begin(), content.size()),
                             name.empty() ? kAshmem : std::string_view(name));
    if (!memory.ok()) return memory.status();
    pools.push_back(*std::move(memory));
  }
  return pools;
}

void WriteArguments(const std::vector<V1_2::RequestArgument>& arguments,
                    capnp::List<schema::RequestArgument>::Builder builder) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    auto argument = builder[static_cast<unsigned>(i)];
    argument.setHasNoValue(arguments[i].hasNoValue);
    WriteLocation(arguments[i].location, argument.initLocation());
    CopyList(arguments[i].dimensions,
             argument.initDimensions(static_cast<unsigned>(arguments[i].dimensions.size())));
  }
}

std::vector<V1_2::RequestArgument> ReadArguments(
    capnp::List<schema::RequestArgument>::Reader reader) {
  std::vector<V1_2::RequestArgument> arguments;
  for (const auto argument : reader) {
    arguments.push_back({.hasNoValue = argument.getHasNoValue(),
                         .location = ReadLocation(argument.getLocation()),
                         .dimensions = ToVector<uint32_t>(argument.getDimensions())});
  }
  return arguments;
}

absl::Status WriteModel(const V1_2::Model& model, schema::Model::Builder builder) {
  auto operands = builder.initOperands(static_cast<unsigned>(model.operands.size()));
  for (size_t i = 0; i < model.operands.size(); ++i) {
    NNCERT_RETURN_IF_ERROR(WriteOperand(model.operands[i], operands[static_cast<unsigned>(i)]));
  }
  auto operations = builder.initOperations(static_cast<unsigned>(model.operations.size()));
  for (size_t i = 0; i < model.operations.size(); ++i) {
    const V1_2::Operation& from = model.operations[i];
    auto operation = operations[static_cast<unsigned>(i)];
    operation.setType(static_cast<uint32_t>(from.type));
    CopyList(from.inputs, operation.initInputs(static_cast<unsigned>(from.inputs.size())));
    CopyList(from.outputs, operation.initOutputs(static_cast<unsigned>(from.outputs.size())));
  }
  CopyList(model.inputIndexes,
           builder.initInputIndexes(static_cast<unsigned>(model.inputIndexes.size())));
  CopyList(model.outputIndexes,
           builder.initOutputIndexes(static_cast<unsigned>(model.outputIndexes.size())));
  builder.setOperandValues(ToData(model.operandValues));
  NNCERT_RETURN_IF_ERROR(
      WritePools(model.pools, builder.initPools(static_cast<unsigned>(model.pools.size()))));
  builder.setRelaxComputationFloat32toFloat16(model.relaxComputationFloat32toFloat16);
  auto extensions =
      builder.initExtensionNameToPrefix(static_cast<unsigned>(model.extensionNameToPrefix.size()));
  for (size_t i = 0; i < model.extensionNameToPrefix.size(); ++i) {
    auto extension = extensions[static_cast<unsigned>(i)];
    extension.setName(model.extensionNameToPrefix[i].name);
    extension.setPrefix(model.extensionNameToPrefix[i].prefix);
  }
  return absl::OkStatus();
}

absl::StatusOr<V1_2::Model> ReadModel(schema::Model::Reader reader) {
  V1_2::Model model;
  for (const auto from : reader.getOperands()) {
    absl::StatusOr<V1_2::Operand> operand = ReadOperand(from);
    if (!operand.ok()) return operand.status();
    model.operands.push_back(*std::move(operand));
  }
  for (const auto operation : reader.getOperations()) {
    model.operations.push_back({.type = static_cast<V1_2::OperationType>(operation.getType()),
                                .inputs = ToVector<uint32_t>(operation.getInputs()),
                                .outputs = ToVector<uint32_t>(operation.getOutputs())});
  }
  model.inputIndexes = ToVector<uint32_t>(reader.getInputIndexes());
  model.outputIndexes = ToVector<uint32_t>(reader.getOutputIndexes());
  model.operandValues = ToBytes(reader.getOperandValues());
  absl::StatusOr<std::vector<Memory>> pools = ReadPools(reader.getPools());
  if (!pools.ok()) return pools.status();
  model.pools = *std::move(pools);
  model.relaxComputationFloat32toFloat16 = reader.getRelaxComputationFloat32toFloat16();
  for (const auto extension : reader.getExtensionNameToPrefix()) {
    model.extensionNameToPrefix.push_back(
        {.name = ToText(extension.getName()), .prefix = extension.getPrefix()});
  }
  return model;
}

// --- Test cases ---

schema::HalVersion ToSchemaVersion(std::optional<HalVersion> version) {
  if (!version.has_value()) return schema::HalVersion::UNSPECIFIED;
  switch (*version) {
    case HalVersion::V1_0:
      return schema::HalVersion::V10;
    case HalVersion::V1_1:
      return schema::HalVersion::V11;
    case HalVersion::V1_2:
      return schema::HalVersion::V12;
  }
  return schema::HalVersion::UNSPECIFIED;
}

absl::Status ReadVersion(schema::HalVersion version, std::optional<HalVersion>& result) {
  switch (version) {
    case schema::HalVersion::UNSPECIFIED:
      result = std::nullopt;
      return absl::OkStatus();
    case schema::HalVersion::V10:
      result = HalVersion::V1_0;
      return absl::OkStatus();
    case schema::HalVersion::V11:
      result = HalVersion::V1_1;
      return absl::OkStatus();
    case schema::HalVersion::V12:
      result = HalVersion::V1_2;
      return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("the HAL version is of the unknown kind ", static_cast<int>(version)));
}

void WriteExample(const Example& example, schema::Example::Builder builder) {
  auto inputs = builder.initInputs(static_cast<unsigned>(example.inputs.size()));
  for (size_t i = 0; i < example.inputs.size(); ++i) {
    const InputValue& from = example.inputs[i];
    auto input = inputs[static_cast<unsigned>(i)];
    input.setHasNoValue(from.hasNoValue);
    CopyList(from.dimensions, input.initDimensions(static_cast<unsigned>(from.dimensions.size())));
    input.setData(ToData(from.data));
  }
  auto outputs = builder.initOutputs(static_cast<unsigned>(example.outputs.size()));
  for (size_t i = 0; i < example.outputs.size(); ++i) {
    const ExpectedOutput& from = example.outputs[i];
    auto output = outputs[static_cast<unsigned>(i)];
    output.setIgnored(from.ignored);
    CopyList(from.dimensions, output.initDimensions(static_cast<unsigned>(from.dimensions.size())));
    output.setData(ToData(from.data));
  }
}

Example ReadExample(schema::Example::Reader reader) {
  Example example;
  for (const auto input : reader.getInputs()) {
    example.inputs.push_back({.hasNoValue = input.getHasNoValue(),
                              .dimensions = ToVector<uint32_t>(input.getDimensions()),
                              .data = ToBytes(input.getData())});
  }
  for (const auto output : reader.getOutputs()) {
    example.outputs.push_back({.ignored = output.getIgnored(),
                               .dimensions = ToVector<uint32_t>(output.getDimensions()),
                               .data = ToBytes(output.getData())});
  }
  return example;
}

absl::Status WriteTestCase(const TestCase& test_case, schema::TestCase::Builder builder) {
  builder.setName(test_case.name);
  builder.setDynamicOutputShapeName(test_case.dynamicOutputShapeName);
  builder.setMinimumVersion(ToSchemaVersion(test_case.minimumVersion));
  builder.setSpecVersion(ToSchemaVersion(test_case.specVersion));
  NNCERT_RETURN_IF_ERROR(WriteModel(test_case.model, builder.initModel()));
  auto examples = builder.initExamples(static_cast<unsigned>(test_case.examples.size()));
  for (size_t i = 0; i < test_case.examples.size(); ++i) {
    WriteExample(test_case.examples[i], examples[static_cast<unsigned>(i)]);
  }
  builder.setMultinomialDistributionTolerance(test_case.multinomialDistributionTolerance);
  builder.setQuantizedTolerance(test_case.quantizedTolerance);
  builder.setDeviation(test_case.deviation);
  builder.setExpectFailure(test_case.expectFailure);
  return absl::OkStatus();
}

absl::StatusOr<TestCase> ReadTestCase(schema::TestCase::Reader reader) {
  TestCase test_case;
  test_case.name = ToText(reader.getName());
  test_case.dynamicOutputShapeName = ToText(reader.getDynamicOutputShapeName());
  NNCERT_RETURN_IF_ERROR(ReadVersion(reader.getMinimumVersion(), test_case.minimumVersion));
  NNCERT_RETURN_IF_ERROR(ReadVersion(reader.getSpecVersion(), test_case.specVersion));
  absl::StatusOr<V1_2::Model> model = ReadModel(reader.getModel());
  if (!model.ok()) return model.status();
  test_case.model = *std::move(model);
  for (const auto example : reader.getExamples()) {
    test_case.examples.push_back(ReadExample(example));
  }
  test_case.multinomialDistributionTolerance = reader.getMultinomialDistributionTolerance();
  test_case.quantizedTolerance = reader.getQuantizedTolerance();
  test_case.deviation = reader.getDeviation();
  test_case.expectFailure = reader.getExpectFailure();
  return test_case;
}

// --- Files ---

absl::Status BuildCaseFile(const std::string& origin, absl::Span<const TestCase> cases,
                           capnp::MessageBuilder& message) {
  auto file = message.initRoot<schema::CaseFile>();
  file.setOrigin(origin);
  auto list = file.initCases(static_cast<unsigned>(cases.size()));
  for (size_t i = 0; i < cases.size(); ++i) {
    if (absl::Status status = WriteTestCase(cases[i], list[static_cast<unsigned>(i)]);
        !status.ok()) {
      return About(absl::StrCat("case ", i, " (", cases[i].name, ")"), status);
    }
  }
  return absl::OkStatus();
}

// Words that may be read out of the smallest of files: 1 MiB.
constexpr uint64_t kLeastTraversalLimit = (uint64_t{1} << 20) / sizeof(capnp::word);

absl::StatusOr<CaseFile> ParseWords(kj::ArrayPtr<const capnp::word> words) {
  capnp::ReaderOptions options;
  // Every part of a case is read once, so a few times the size of the file is plenty, and bounds
  // what a message that refers to the same part again and again can make of itself.
  options.traversalLimitInWords = std::max<uint64_t>(kLeastTraversalLimit, words.size() * 4);
  capnp::FlatArrayMessageReader message(words, options);
  if (message.getEnd() != words.end()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the file goes on for ", (words.end() - message.getEnd()) * sizeof(capnp::word),
        " bytes behind its message"));
  }
  const auto reader = message.getRoot<schema::CaseFile>();
  CaseFile file;
  file.origin = ToText(reader.getOrigin());
  // A list of structures without any content takes no room in a message, and much in memory.
  if (reader.getCases().size() > words.size()) {
    return absl::InvalidArgumentError(absl::StrCat("the file says that it has ",
                                                   reader.getCases().size(), " cases; it has ",
                                                   words.size() * sizeof(capnp::word), " bytes"));
  }
  size_t index = 0;
  for (const auto test_case : reader.getCases()) {
    absl::StatusOr<TestCase> read = ReadTestCase(test_case);
    if (!read.ok()) return About(absl::StrCat("case ", index), read.status());
    file.cases.push_back(*std::move(read));
    ++index;
  }
  return file;
}

}  // namespace

absl::Status ToSchema(const V1_2::Model& model, schema::Model::Builder builder) {
  return WithoutExceptions([&] { return WriteModel(model, builder); });
}

absl::Status ToSchema(const V1_2::Request& request, schema::Request::Builder builder) {
  return WithoutExceptions([&]() -> absl::Status {
    WriteArguments(request.inputs,
                   builder.initInputs(static_cast<unsigned>(request.inputs.size())));
    WriteArguments(request.outputs,
                   builder.initOutputs(static_cast<unsigned>(request.outputs.size())));
    return WritePools(request.pools,
                      builder.initPools(static_cast<unsigned>(request.pools.size())));
  });
}

absl::Status ToSchema(const TestCase& test_case, schema::TestCase::Builder builder) {
  return WithoutExceptions([&] { return WriteTestCase(test_case, builder); });
}

absl::StatusOr<V1_2::Model> FromSchema(schema::Model::Reader reader) {
  return WithoutExceptions([&] { return ReadModel(reader); });
}

absl::StatusOr<V1_2::Request> FromSchema(schema::Request::Reader reader) {
  return WithoutExceptions([&]() -> absl::StatusOr<V1_2::Request> {
    V1_2::Request request;
    request.inputs = ReadArguments(reader.getInputs());
    request.outputs = ReadArguments(reader.getOutputs());
    absl::StatusOr<std::vector<Memory>> pools = ReadPools(reader.getPools());
    if (!pools.ok()) return pools.status();
    request.pools = *std::move(pools);
    return request;
  });
}

absl::StatusOr<TestCase> FromSchema(schema::TestCase::Reader reader) {
  return WithoutExceptions([&] { return ReadTestCase(reader); });
}

absl::StatusOr<std::vector<uint8_t>> SerializeCaseFile(const std::string& origin,
                                                       absl::Span<const TestCase> cases) {
  return WithoutExceptions([&]() -> absl::StatusOr<std::vector<uint8_t>> {
    capnp::MallocMessageBuilder message;
    NNCERT_RETURN_IF_ERROR(BuildCaseFile(origin, cases, message));
    const kj::Array<capnp::word> words = capnp::messageToFlatArray(message);
    const auto bytes = words.asBytes();
    return std::vector<uint8_t>(bytes.begin(), bytes.end());
  });
}

absl::StatusOr<CaseFile> ParseCaseFile(absl::Span<const uint8_t> bytes) {
  if (bytes.empty()) return absl::InvalidArgumentError("the file is empty");
  if (bytes.size() % sizeof(capnp::word) != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("the file has ", bytes.size(),
                     " bytes, which is not a multiple of 8: it is truncated or no case file"));
  }
  const size_t size = bytes.size() / sizeof(capnp::word);
  return WithoutExceptions([&]() -> absl::StatusOr<CaseFile> {
    if (reinterpret_cast<uintptr_t>(bytes.data()) % alignof(capnp::word) == 0) {
      return ParseWords({reinterpret_cast<const capnp::word*>(bytes.data()), size});
    }
    kj::Array<capnp::word> aligned = kj::heapArray<capnp::word>(size);
    std::memcpy(static_cast<void*>(aligned.begin()), bytes.data(), bytes.size());
    return ParseWords(aligned);
  });
}

absl::StatusOr<CaseFile> LoadCaseFile(const std::string& path) {
  const FileDescriptor file = FileDescriptor::Adopt(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid())
    return absl::ErrnoToStatus(errno, absl::StrCat(path, ": cannot open the file"));
  struct stat status;
  if (fstat(file.get(), &status) != 0) {
    return absl::ErrnoToStatus(errno, absl::StrCat(path, ": cannot read the file"));
  }
  if (!S_ISREG(status.st_mode)) {
    return absl::InvalidArgumentError(absl::StrCat(path, ": not a regular file"));
  }
  const auto size = static_cast<size_t>(status.st_size);
  absl::StatusOr<CaseFile> result = absl::InvalidArgumentError("the file is empty");
  if (size > 0) {
    void* const start = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
    if (start == MAP_FAILED) {
      return absl::ErrnoToStatus(errno, absl::StrCat(path, ": cannot map the file"));
    }
    const absl::Cleanup unmap = [&] { munmap(start, size); };
    result = ParseCaseFile(absl::MakeSpan(static_cast<const uint8_t*>(start), size));
  }
  if (!result.ok()) return About(path, result.status());
  return result;
}

absl::StatusOr<std::vector<TestCase>> ReadCaseFile(const std::string& path) {
  absl::StatusOr<CaseFile> file = LoadCaseFile(path);
  if (!file.ok()) return file.status();
  return std::move(file->cases);
}

absl::Status WriteCaseFile(const std::string& path, const std::string& origin,
                           absl::Span<const TestCase> cases) {
  const absl::StatusOr<std::vector<uint8_t>> bytes = SerializeCaseFile(origin, cases);
  if (!bytes.ok()) return About(path, bytes.status());
  return WriteWholeFile(path, *bytes);
}

#undef NNCERT_RETURN_IF_ERROR

}  // namespace nncert::hal
