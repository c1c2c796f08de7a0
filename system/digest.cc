// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "system/digest.h"

#include <openssl/evp.h>

#include <array>
#include <new>
#include <vector>

#include "absl/strings/escaping.h"
#include "system/file_content.h"

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
  const absl::StatusOr<std::vector<uint8_t>> content = ReadFileBytes(path);
  if (!content.ok()) return content.status();
  Digest digest;
  digest.Add(*content);
  return digest.value();
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
