// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal_tests/caching/cache_files.h"

#include <sched.h>

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "hal/deadline.h"
#include "random/split_mix.h"
#include "system/processor.h"

namespace nncert {
namespace {

using hal::CompilationCache;
using hal::Handle;

// How long a racer writes without a rest, and how long it rests between contents from then on. A
// driver that takes longer is met all the same, and the racer takes no processor while it waits.
constexpr absl::Duration kSprint = absl::Milliseconds(1);
constexpr absl::Duration kRest = absl::Microseconds(200);

std::vector<std::vector<uint8_t>>& ContentsOf(CompilationCache& cache, CacheKind kind) {
  return kind == CacheKind::kModel ? cache.model : cache.data;
}

std::string NameOfFile(CacheKind kind, size_t index) {
  return absl::StrCat(kind == CacheKind::kModel ? "model" : "data", " cache file ", index);
}

// Where a bit is flipped in a file of `size` bytes.
std::set<size_t> PlacesIn(size_t size, size_t places) {
  std::set<size_t> chosen;
  for (const size_t place : {0, 1, 2, 3, 4, 7, 8, 12, 15, 16, 24, 31, 32, 48, 63, 64, 127, 128}) {
    chosen.insert(place);
  }
  for (const size_t behind : {1, 2, 4, 8, 32}) chosen.insert(size - behind);
  for (size_t i = 0; i < places; ++i) chosen.insert(size / places * i + i % 8);
  std::erase_if(chosen, [size](size_t place) { return place >= size; });
  return chosen;
}

}  // namespace

CacheRacer::CacheRacer(const CacheFileSet& files, std::vector<CompilationCache> contents)
    : thread_([this, model = files.model(), contents = std::move(contents)] {
        // Not in turns with the driver.
        RunOnAnyProcessor();
        const hal::Deadline sprint(kSprint);
        while (!is_ending_) {
          for (const CompilationCache& content : contents) {
            for (size_t i = 0; i < model.size(); ++i) {
              // What cannot be written is no race, and is noticed by nobody.
              WriteOver(model[i], content.model[i]).IgnoreError();
            }
            ++written_;
            written_.notify_one();
            if (sprint.HasPassed()) {
              absl::SleepFor(kRest);
            } else {
              sched_yield();
            }
          }
        }
      }) {
  written_.wait(0);
}

CacheRacer::~CacheRacer() {
  is_ending_ = true;
  thread_.join();
}

std::vector<uint8_t> RandomBytes(size_t size, uint64_t seed) {
  SplitMix64 random(seed);
  std::vector<uint8_t> bytes(size);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random.Bits());
  return bytes;
}

CompilationCache RandomContents(size_t model, size_t data, size_t size, uint64_t seed) {
  CompilationCache contents;
  for (size_t i = 0; i < model; ++i) contents.model.push_back(RandomBytes(size, seed++));
  for (size_t i = 0; i < data; ++i) contents.data.push_back(RandomBytes(size, seed++));
  return contents;
}

void ForEachFlippedBit(const CompilationCache& cache, CacheKind kind, size_t places,
                       TryContents try_contents) {
  CompilationCache changed = cache;
  std::vector<std::vector<uint8_t>>& files = ContentsOf(changed, kind);
  for (size_t i = 0; i < files.size(); ++i) {
    for (const size_t place : PlacesIn(files[i].size(), places)) {
      const auto bit = static_cast<uint8_t>(1U << (place * 5 % 8));
      files[i][place] ^= bit;
      const bool goes_on =
          try_contents(absl::StrCat("bit ", place * 5 % 8, " of byte ", place, " of the ",
                                    files[i].size(), " bytes of ", NameOfFile(kind, i), " flipped"),
                       changed);
      files[i][place] ^= bit;
      if (!goes_on) return;
    }
  }
}

void ForEachWrongLength(const CompilationCache& cache, CacheKind kind, TryContents try_contents) {
  CompilationCache changed = cache;
  std::vector<std::vector<uint8_t>>& files = ContentsOf(changed, kind);
  for (size_t i = 0; i < files.size(); ++i) {
    const std::vector<uint8_t> whole = files[i];
    std::set<size_t> sizes = {0, 1, 16, 64, 128, 1024, whole.size() / 2, whole.size() - 1};
    std::erase_if(sizes, [&](size_t size) { return size >= whole.size(); });
    for (const size_t more : {1, 2, 256, 4096}) sizes.insert(whole.size() + more);
    for (const size_t size : sizes) {
      files[i] = RandomBytes(size, size);
      std::copy_n(whole.begin(), std::min(size, whole.size()), files[i].begin());
      const bool goes_on = try_contents(
          absl::StrCat(NameOfFile(kind, i), ", ", whole.size(), " bytes long, ",
                       size < whole.size() ? "cut" : "extended", " to ", size, " bytes"),
          changed);
      if (!goes_on) return;
    }
    files[i] = whole;
  }
}

void ForEachGarbage(const CompilationCache& cache, TryContents try_contents) {
  uint64_t seed = 1;
  const auto try_with = [&](const std::string& what, auto fill) {
    CompilationCache garbage = cache;
    for (auto* const files : {&garbage.model, &garbage.data}) {
      for (std::vector<uint8_t>& file : *files) file = fill(file.size());
    }
    return try_contents(absl::StrCat("all files filled with ", what), garbage);
  };
  const auto filled_with = [](uint8_t byte) {
    return [byte](size_t size) { return std::vector<uint8_t>(size, byte); };
  };
  if (!try_with("zeros", filled_with(0))) return;
  if (!try_with("ones", filled_with(0xff))) return;
  if (!try_with("text", filled_with('a'))) return;
  for (int i = 0; i < 8; ++i) {
    if (!try_with("random bytes", [&](size_t size) { return RandomBytes(size, seed++); })) return;
  }
}

std::vector<WrongHandles> WrongNumbersOfHandles(const CacheFiles& files, const Handle& more) {
  std::vector<WrongHandles> all;
  for (const bool is_model : {true, false}) {
    const std::string kind = is_model ? "model" : "data";
    const auto handles_of = [is_model](CacheFiles& changed) -> std::vector<Handle>& {
      return is_model ? changed.model_cache : changed.data_cache;
    };
    WrongHandles one_more = {absl::StrCat("one handle of the ", kind, " cache too many"), files};
    handles_of(one_more.files).push_back(more);
    all.push_back(one_more);
    WrongHandles one_fewer = {absl::StrCat("one handle of the ", kind, " cache too few"), files};
    if (handles_of(one_fewer.files).empty()) continue;
    handles_of(one_fewer.files).pop_back();
    // Without any handle there is nothing wrong.
    if (one_fewer.files.model_cache.empty() && one_fewer.files.data_cache.empty()) continue;
    all.push_back(one_fewer);
  }
  return all;
}

std::vector<WrongHandles> WrongNumbersOfDescriptors(const CacheFiles& files, const Handle& more) {
  std::vector<WrongHandles> all;
  for (const bool is_model : {true, false}) {
    const std::string kind = is_model ? "model" : "data";
    for (const bool is_empty : {false, true}) {
      WrongHandles wrong = {absl::StrCat("a handle of the ", kind, " cache with ",
                                         is_empty ? "no descriptor" : "two descriptors"),
                            files};
      std::vector<Handle>& handles = is_model ? wrong.files.model_cache : wrong.files.data_cache;
      if (handles.empty()) continue;
      if (is_empty) {
        handles.back().descriptors.clear();
      } else {
        handles.back().descriptors.push_back(more.descriptors.front());
      }
      all.push_back(std::move(wrong));
    }
  }
  return all;
}

}  // namespace nncert
