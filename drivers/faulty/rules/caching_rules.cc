// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// Rules about compilation caches. Each breaks what one check of the suite in hal_tests/caching.h
// looks for.

#include <array>

#include "drivers/faulty/rules/rule.h"

namespace nncert::faulty {
namespace {

constexpr CachingConduct Accepts(CacheDefect defect) { return {.accepts = defect}; }

constexpr CachingConduct KeptFromPreparingBy(CacheDefect defect) {
  return {.keeps_from_preparing = defect};
}

// A rule with its conduct, as no rule of another kind needs it.
struct CachingRule {
  std::string_view name;
  std::string_view breaks;
  CachingConduct conduct;
};

constexpr auto kCachingRules = std::to_array<CachingRule>({
    {"cache_33_files", "Asks for 33 data cache files.", {.more_files = 32}},
    {"cache_more_files_next",
     "Asks for one data cache file more when it is asked twice in a row.",
     {.more_files_next = 1}},
    {"cache_token_alone",
     "Prepares no model that comes with a token and without cache files.",
     {.wants_files_for_token = true}},
    {"cache_of_no_files", "Prepares something from no cache files.",
     Accepts(CacheDefect::kNoFiles)},
    {"cache_refused", "Refuses every cache.", {.refuses = true}},
    {"cache_useless",
     "Gives a prepared model that executes nothing for every cache.",
     {.gives_useless = true}},
    {"cache_at_offset",
     "Refuses caches whose descriptors are not at the beginning.",
     {.refuses_at_offset = true}},
    {"cache_once", "Destroys a cache when it is retrieved.", {.destroys = true}},
    {"cache_of_own_process",
     "Refuses caches that another process, or device, of the driver has saved.",
     {.refuses_of_another = true}},
    {"cache_not_truncated",
     "Leaves what was in a file behind the end of what it saves there.",
     {.leaves_old_contents = true}},
    {"cache_never_replaced",
     "Saves nothing to files that hold a cache of the token.",
     {.keeps_old_cache = true}},
    {"cache_wrong_handles_fail",
     "Prepares no model that comes with too many or too few cache files.",
     KeptFromPreparingBy(CacheDefect::kHandles)},
    {"cache_wrong_descriptors_fail",
     "Prepares no model that comes with a cache handle of no or two descriptors.",
     KeptFromPreparingBy(CacheDefect::kDescriptors)},
    {"cache_read_only_fails",
     "Prepares no model that comes with a cache file that cannot be written.",
     KeptFromPreparingBy(CacheDefect::kAccess)},
    {"cache_one_file_fails",
     "Prepares no model that comes with one file for several cache handles.",
     KeptFromPreparingBy(CacheDefect::kOneFile)},
    {"cache_any_handles", "Prepares from more or fewer cache files than it asks for.",
     Accepts(CacheDefect::kHandles)},
    {"cache_any_descriptors", "Prepares from cache handles of no or two descriptors.",
     Accepts(CacheDefect::kDescriptors)},
    {"cache_any_access", "Prepares from cache files that it cannot read.",
     Accepts(CacheDefect::kAccess)},
    {"cache_one_file", "Prepares from one file in the place of all.",
     Accepts(CacheDefect::kOneFile)},
    {"cache_trusts_saved",
     "Prepares the model from the cache files that it has saved, without looking at them.",
     {.trusts_saved = true}},
    {"cache_read_twice",
     "Looks at cache files, and then prepares from what is in them now.",
     {.trusts_looked_at = true}},
    {"cache_foreign_model",
     "Compares only the first half of the token that a model cache was saved under.",
     Accepts(CacheDefect::kModelToken)},
    {"cache_foreign_data", "Prepares from a data cache that was saved under another token.",
     Accepts(CacheDefect::kDataToken)},
    {"cache_stale", "Prepares from files that were not saved together.",
     Accepts(CacheDefect::kStale)},
    {"cache_exchanged", "Prepares from a data cache in the place of a model cache.",
     Accepts(CacheDefect::kExchanged)},
    {"cache_model_bit", "Prepares from a model cache with a bit that differs.",
     Accepts(CacheDefect::kModelBit)},
    {"cache_data_bit", "Prepares from a data cache with a bit that differs.",
     Accepts(CacheDefect::kDataBit)},
    {"cache_model_length", "Prepares from a model cache that was cut or extended.",
     Accepts(CacheDefect::kModelLength)},
    {"cache_data_length", "Prepares from a data cache that was cut or extended.",
     Accepts(CacheDefect::kDataLength)},
    {"cache_any_token", "Prepares from a cache that was saved under another token.",
     Accepts(CacheDefect::kToken)},
    {"cache_garbage", "Prepares from cache files that no driver has written.",
     Accepts(CacheDefect::kGarbage)},
    {"cache_garbage_crashes",
     "Crashes (SIGABRT) on cache files that no driver has written.",
     {.crashes_on = CacheDefect::kGarbage}},
    {"cache_of_another_driver", "Prepares from cache files that another driver has written.",
     Accepts(CacheDefect::kAnotherDriver)},
});

constexpr std::array<Rule, kCachingRules.size()> MakeRules() {
  std::array<Rule, kCachingRules.size()> rules = {};
  for (size_t i = 0; i < rules.size(); ++i) {
    rules[i].name = kCachingRules[i].name;
    rules[i].fault_class = FaultClass::kCaching;
    rules[i].breaks = kCachingRules[i].breaks;
    rules[i].caching = &kCachingRules[i].conduct;
    // Cases are run without caches.
    rules[i].passes = true;
  }
  return rules;
}

constexpr std::array<Rule, kCachingRules.size()> kRules = MakeRules();

}  // namespace

absl::Span<const Rule> CachingRules() { return kRules; }

}  // namespace nncert::faulty
