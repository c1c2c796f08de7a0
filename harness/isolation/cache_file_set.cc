// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "harness/isolation/cache_file_set.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"

namespace nncert {
namespace {

using hal::CompilationCache;
using hal::FileDescriptor;
using hal::Handle;

absl::Status ErrorOf(const char* what) { return absl::ErrnoToStatus(errno, what); }

absl::Status WriteWhole(const FileDescriptor& file, absl::Span<const uint8_t> bytes) {
  if (ftruncate(file.get(), 0) != 0) return ErrorOf("cannot truncate a cache file");
  return WriteOver(file, bytes);
}

absl::StatusOr<std::vector<uint8_t>> ReadWhole(const FileDescriptor& file) {
  struct stat status;
  if (fstat(file.get(), &status) != 0) return ErrorOf("cannot see the size of a cache file");
  std::vector<uint8_t> bytes(static_cast<size_t>(status.st_size));
  for (size_t done = 0; done < bytes.size();) {
    const ssize_t count =
        pread(file.get(), bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
    if (count < 0 && errno != EINTR) return ErrorOf("cannot read a cache file");
    if (count == 0) bytes.resize(done);
    if (count > 0) done += static_cast<size_t>(count);
  }
  return bytes;
}

absl::StatusOr<std::vector<FileDescriptor>> MakeFiles(size_t count) {
  std::vector<FileDescriptor> files;
  for (size_t i = 0; i < count; ++i) {
    files.push_back(FileDescriptor::Adopt(memfd_create("cache", MFD_CLOEXEC)));
    if (!files.back().valid()) return ErrorOf("cannot make a cache file");
  }
  return files;
}

absl::StatusOr<std::vector<Handle>> OpenFiles(const std::vector<FileDescriptor>& files, int flags,
                                              off_t offset) {
  std::vector<Handle> handles;
  for (const FileDescriptor& file : files) {
    // A duplicate would share the offset and the access mode.
    const std::string path = absl::StrCat("/proc/self/fd/", file.get());
    FileDescriptor opened = FileDescriptor::Adopt(open(path.c_str(), flags | O_CLOEXEC));
    if (!opened.valid()) return ErrorOf("cannot open a cache file");
    if (lseek(opened.get(), offset, SEEK_SET) < 0) return ErrorOf("cannot seek in a cache file");
    handles.push_back({.descriptors = {std::move(opened)}, .integers = {}});
  }
  return handles;
}

}  // namespace

absl::Status WriteOver(const FileDescriptor& file, absl::Span<const uint8_t> bytes) {
  for (size_t done = 0; done < bytes.size();) {
    const ssize_t count =
        pwrite(file.get(), bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
    if (count < 0 && errno != EINTR) return ErrorOf("cannot write a cache file");
    if (count > 0) done += static_cast<size_t>(count);
  }
  return absl::OkStatus();
}

absl::StatusOr<CacheFileSet> CacheFileSet::Create(const CompilationCache& contents) {
  CacheFileSet files;
  absl::StatusOr<std::vector<FileDescriptor>> model = MakeFiles(contents.model.size());
  if (!model.ok()) return model.status();
  absl::StatusOr<std::vector<FileDescriptor>> data = MakeFiles(contents.data.size());
  if (!data.ok()) return data.status();
  files.model_ = *std::move(model);
  files.data_ = *std::move(data);
  if (absl::Status status = files.Write(contents); !status.ok()) return status;
  return files;
}

absl::Status CacheFileSet::Write(const CompilationCache& contents) const {
  for (size_t i = 0; i < model_.size(); ++i) {
    if (absl::Status status = WriteWhole(model_[i], contents.model[i]); !status.ok()) return status;
  }
  for (size_t i = 0; i < data_.size(); ++i) {
    if (absl::Status status = WriteWhole(data_[i], contents.data[i]); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::StatusOr<CompilationCache> CacheFileSet::Read() const {
  CompilationCache contents;
  for (const auto& [files, bytes] :
       {std::pair(&model_, &contents.model), std::pair(&data_, &contents.data)}) {
    for (const FileDescriptor& file : *files) {
      absl::StatusOr<std::vector<uint8_t>> content = ReadWhole(file);
      if (!content.ok()) return content.status();
      bytes->push_back(*std::move(content));
    }
  }
  return contents;
}

absl::StatusOr<CacheFiles> CacheFileSet::Open(const hal::V1_2::CacheToken& token, int flags,
                                              off_t offset) const {
  absl::StatusOr<std::vector<Handle>> model = OpenFiles(model_, flags, offset);
  if (!model.ok()) return model.status();
  absl::StatusOr<std::vector<Handle>> data = OpenFiles(data_, flags, offset);
  if (!data.ok()) return data.status();
  return CacheFiles{
      .model_cache = *std::move(model), .data_cache = *std::move(data), .token = token};
}

}  // namespace nncert
