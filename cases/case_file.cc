// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "cases/case_file.h"

#include <capnp/any.h>
#include <capnp/message.h>
#include <capnp/serialize.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "hal/flat_message.h"
#include "hal/handle.h"
#include "hal/schema_conversion.h"
#include "hal/schema_values.h"
#include "hal/version.h"
#include "system/processor.h"
#include "system/threads.h"
#include "system/whole_file.h"

namespace nncert {
namespace {

using hal::About;
using hal::CopyList;
using hal::HalVersion;
using hal::ToBytes;
using hal::ToData;
using hal::ToText;
using hal::ToVector;
using hal::WithoutExceptions;

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
  if (absl::Status status = hal::ToSchema(test_case.model, builder.initModel()); !status.ok()) {
    return status;
  }
  auto examples = builder.initExamples(static_cast<unsigned>(test_case.examples.size()));
  for (size_t i = 0; i < test_case.examples.size(); ++i) {
    WriteExample(test_case.examples[i], examples[static_cast<unsigned>(i)]);
  }
  builder.setMultinomialDistributionTolerance(test_case.multinomialDistributionTolerance);
  builder.setQuantizedTolerance(test_case.quantizedTolerance);
  builder.setDeviation(test_case.deviation);
  builder.setExpectFailure(test_case.expectFailure);
  builder.setLine(test_case.line.number);
  return absl::OkStatus();
}

absl::StatusOr<TestCase> ReadTestCase(schema::TestCase::Reader reader) {
  TestCase test_case;
  test_case.name = ToText(reader.getName());
  test_case.dynamicOutputShapeName = ToText(reader.getDynamicOutputShapeName());
  for (const auto& [version, result] :
       {std::pair(reader.getMinimumVersion(), &test_case.minimumVersion),
        std::pair(reader.getSpecVersion(), &test_case.specVersion)}) {
    if (absl::Status status = ReadVersion(version, *result); !status.ok()) return status;
  }
  absl::StatusOr<hal::V1_2::Model> model = hal::FromSchema(reader.getModel());
  if (!model.ok()) return model.status();
  test_case.model = *std::move(model);
  for (const auto example : reader.getExamples()) {
    test_case.examples.push_back(ReadExample(example));
  }
  test_case.multinomialDistributionTolerance = reader.getMultinomialDistributionTolerance();
  test_case.quantizedTolerance = reader.getQuantizedTolerance();
  test_case.deviation = reader.getDeviation();
  test_case.expectFailure = reader.getExpectFailure();
  test_case.line.number = reader.getLine();
  return test_case;
}

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

// The checksum of a file and where it is: the first data of the message's root.
struct FileChecksum {
  uint32_t stored;
  uint32_t computed;
  size_t offset;  // in bytes
};

// Nothing for a file whose root has no room for it, which thus has none.
std::optional<FileChecksum> ChecksumOf(kj::ArrayPtr<const capnp::word> words) {
  capnp::FlatArrayMessageReader message(words);
  const capnp::Data::Reader data = message.getRoot<capnp::AnyStruct>().getDataSection();
  FileChecksum checksum = {};
  if (data.size() < sizeof(checksum.stored)) return std::nullopt;
  const auto bytes = words.asBytes();
  checksum.offset = static_cast<size_t>(data.begin() - bytes.begin());
  std::memcpy(&checksum.stored, data.begin(), sizeof(checksum.stored));
  constexpr std::array<uint8_t, sizeof(checksum.stored)> kZero = {};
  const size_t behind = checksum.offset + kZero.size();
  uLong sum = crc32_z(0, bytes.begin(), checksum.offset);
  sum = crc32_z(sum, kZero.data(), kZero.size());
  checksum.computed =
      static_cast<uint32_t>(crc32_z(sum, bytes.begin() + behind, bytes.size() - behind));
  return checksum;
}

absl::Status CheckChecksum(kj::ArrayPtr<const capnp::word> words) {
  const std::optional<FileChecksum> checksum = ChecksumOf(words);
  if (!checksum.has_value() || checksum->stored == 0 || checksum->stored == checksum->computed) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrFormat("the file is damaged: its checksum says %08x, and its bytes come to %08x",
                      checksum->stored, checksum->computed));
}

// Reads what a file says of itself, and makes room for its cases.
absl::Status ReadHead(capnp::MessageReader& message, kj::ArrayPtr<const capnp::word> words,
                      CaseFile& file) {
  const auto reader = message.getRoot<schema::CaseFile>();
  file.origin = ToText(reader.getOrigin());
  // A list of structures without any content takes no room in a message, and much in memory.
  if (reader.getCases().size() > words.size()) {
    return absl::InvalidArgumentError(absl::StrCat("the file says that it has ",
                                                   reader.getCases().size(), " cases; it has ",
                                                   words.size() * sizeof(capnp::word), " bytes"));
  }
  file.cases.resize(reader.getCases().size());
  return absl::OkStatus();
}

// Reads the cases with the numbers from `begin` to `end`.
absl::Status ReadCases(capnp::MessageReader& message, size_t begin, size_t end,
                       std::vector<TestCase>& cases) {
  const auto list = message.getRoot<schema::CaseFile>().getCases();
  for (size_t i = begin; i < end; ++i) {
    absl::StatusOr<TestCase> read = ReadTestCase(list[static_cast<unsigned>(i)]);
    if (!read.ok()) return About(absl::StrCat("case ", i), read.status());
    cases[i] = *std::move(read);
  }
  return absl::OkStatus();
}

absl::Status ReadMessage(absl::Span<const uint8_t> bytes,
                         absl::FunctionRef<absl::Status(capnp::MessageReader& message,
                                                        kj::ArrayPtr<const capnp::word> words)>
                             read) {
  return hal::ReadFlatMessage(bytes, "the file", read);
}

// The threads that read a file of so many bytes: small ones are read sooner than a thread begins.
size_t ThreadsFor(size_t bytes) {
  constexpr size_t kMostThreads = 4;
  constexpr size_t kBytesOfThread = size_t{4} << 20;
  return std::min({kMostThreads, AllowedProcessors().size(), 1 + bytes / kBytesOfThread});
}

}  // namespace

absl::Status ToSchema(const TestCase& test_case, schema::TestCase::Builder builder) {
  return WithoutExceptions([&] { return WriteTestCase(test_case, builder); });
}

absl::StatusOr<TestCase> FromSchema(schema::TestCase::Reader reader) {
  return WithoutExceptions([&] { return ReadTestCase(reader); });
}

absl::StatusOr<std::vector<uint8_t>> SerializeCaseFile(const std::string& origin,
                                                       absl::Span<const TestCase> cases) {
  return WithoutExceptions([&]() -> absl::StatusOr<std::vector<uint8_t>> {
    capnp::MallocMessageBuilder message;
    if (absl::Status status = BuildCaseFile(origin, cases, message); !status.ok()) return status;
    kj::Array<capnp::word> words = capnp::messageToFlatArray(message);
    auto bytes = words.asBytes();
    const FileChecksum checksum = ChecksumOf(words).value();
    std::memcpy(bytes.begin() + checksum.offset, &checksum.computed, sizeof(checksum.computed));
    return std::vector<uint8_t>(bytes.begin(), bytes.end());
  });
}

absl::StatusOr<CaseFile> ParseCaseFile(absl::Span<const uint8_t> bytes) {
  CaseFile file;
  // A head that cannot be read may be so for damage, which says more.
  absl::Status whole;
  const absl::Status head =
      ReadMessage(bytes, [&](capnp::MessageReader& message, kj::ArrayPtr<const capnp::word> words) {
        absl::Status status = WithoutExceptions([&] { return ReadHead(message, words, file); });
        if (!status.ok()) whole = CheckChecksum(words);
        return status;
      });
  if (!head.ok()) return whole.ok() ? head : whole;
  // Each thread reads a share of the cases, and the first of them the checksum as well.
  const size_t threads = ThreadsFor(bytes.size());
  std::vector<absl::Status> read(threads);
  RunOnThreads(threads, [&](size_t number) {
    const size_t count = file.cases.size();
    read[number] = ReadMessage(
        bytes, [&](capnp::MessageReader& message, kj::ArrayPtr<const capnp::word> words) {
          if (number == 0) whole = CheckChecksum(words);
          return ReadCases(message, count * number / threads, count * (number + 1) / threads,
                           file.cases);
        });
  });
  if (!whole.ok()) return whole;
  for (absl::Status& of_thread : read) {
    if (!of_thread.ok()) return std::move(of_thread);
  }
  return file;
}

absl::StatusOr<CaseFile> LoadCaseFile(const std::string& path) {
  const hal::FileDescriptor file =
      hal::FileDescriptor::Adopt(open(path.c_str(), O_RDONLY | O_CLOEXEC));
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

}  // namespace nncert
