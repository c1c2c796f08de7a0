// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "system/digest.h"

#include <fcntl.h>
#include <openssl/evp.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <new>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "hal/handle.h"

namespace nncert {

void Digest::Add(absl::Span<const uint8_t> bytes) {
  const uint64_t size = bytes.size();
  for (int shift = 0; shift < 64; shift += 8) AddByte(static_cast<uint8_t>(size >> shift));
  for (const uint8_t byte : bytes) AddByte(byte);
}

void Digest::Add(std::string_view text) {
  Add(absl::MakeSpan(reinterpret_cast<const uint8_t*>(text.data()), text.size()));
}

absl::StatusOr<uint64_t> DigestFile(const std::string& path) {
  const auto file =
      hal::FileDescriptor::Adopt(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.valid()) return absl::ErrnoToStatus(errno, absl::StrCat(path, ": cannot be opened"));
  std::vector<uint8_t> content;
  std::array<uint8_t, 65536> buffer;
  while (true) {
    const ssize_t count = read(file.get(), buffer.data(), buffer.size());
    if (count == 0) {
      Digest digest;
      digest.Add(content);
      return digest.value();
    }
    if (count > 0) {
      content.insert(content.end(), buffer.begin(), buffer.begin() + count);
    } else if (errno != EINTR) {
      return absl::ErrnoToStatus(errno, absl::StrCat(path, ": cannot be read"));
    }
  }
}

std::string Sha256(std::string_view text) {
  std::array<uint8_t, EVP_MAX_MD_SIZE> digest;
  unsigned size = 0;
  // It fails for want of memory alone, as operator new would.
  if (EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1) {
    throw std::bad_alloc();
  }
  return absl::BytesToHexString({reinterpret_cast<const char*>(digest.data()), size});
}

}  // namespace nncert
