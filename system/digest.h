// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Tells whether something is what it was.

#ifndef NNCERT_SYSTEM_DIGEST_H_
#define NNCERT_SYSTEM_DIGEST_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace nncert {

/// A digest of 64 bits of parts that are added one after the other: the same on every machine, and
/// no defence against anybody who means to deceive. FNV-1a
/// (http://www.isthe.com/chongo/tech/comp/fnv/), with the length of each part before the part.
class Digest {
 public:
  /// Adds a part; the empty one counts, too.
  void Add(absl::Span<const uint8_t> bytes);
  void Add(std::string_view text);

  /// The digest of all parts so far.
  uint64_t value() const { return value_; }

 private:
  void AddByte(uint8_t byte) { value_ = (value_ ^ byte) * 0x00000100000001B3; }

  uint64_t value_ = 0xCBF29CE484222325;
};

/// The digest of the content of a regular file. Errors are those of ReadFileBytes
/// (system/file_content.h).
absl::StatusOr<uint64_t> DigestFile(const std::string& path);

/// The SHA-256 (FIPS 180-4) of a text, in 64 hexadecimal digits.
std::string Sha256(std::string_view text);

}  // namespace nncert

#endif  // NNCERT_SYSTEM_DIGEST_H_
