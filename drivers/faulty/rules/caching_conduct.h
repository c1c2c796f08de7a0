// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// What a rule can have a device do with compilation caches.

#ifndef NNCERT_DRIVERS_FAULTY_RULES_CACHING_CONDUCT_H_
#define NNCERT_DRIVERS_FAULTY_RULES_CACHING_CONDUCT_H_

namespace nncert::faulty {

/// What is wrong with a cache that a client gives, in comparison with what the device has saved.
enum class CacheDefect {
  kNone,
  // Of the handles.
  kNoFiles,      ///< there are none
  kHandles,      ///< more or fewer than asked for
  kDescriptors,  ///< other than one descriptor in a handle
  kAccess,       ///< not open for reading and writing
  kOneFile,      ///< the same file for several handles
  // Of the files.
  kToken,          ///< one cache, saved under another token
  kModelToken,     ///< the model cache alone was saved under a token with another second half
  kDataToken,      ///< the data cache alone was
  kStale,          ///< saved under the same token, but not together
  kExchanged,      ///< the model cache is a data cache, and the other way round
  kModelBit,       ///< one bit of the model cache differs
  kDataBit,        ///< one bit of the data cache does
  kModelLength,    ///< the model cache was cut or extended
  kDataLength,     ///< the data cache was
  kAnotherDriver,  ///< another driver has saved it
  kGarbage,        ///< no driver has
  kOther,
};

/// What a device does with caches. By default it does as it should.
struct CachingConduct {
  /// A cache with this defect is accepted, and gives a prepared model that executes nothing.
  CacheDefect accepts = CacheDefect::kNone;
  /// A model is not prepared when it is to be saved to such a cache. (Of files, there is only what
  /// is wrong with handles.)
  CacheDefect keeps_from_preparing = CacheDefect::kNone;
  /// The process is aborted when a model is to be prepared from such a cache.
  CacheDefect crashes_on = CacheDefect::kNone;
  /// How many data cache files are asked for in addition, and in addition whenever that is asked
  /// twice in a row.
  int more_files = 0;
  int more_files_next = 0;
  /// Every token counts as a file: without files, nothing is prepared for a token.
  bool wants_files_for_token = false;
  /// No cache is accepted; no cache whose descriptors are not at the beginning; none that the
  /// device itself has not saved.
  bool refuses = false;
  bool refuses_at_offset = false;
  bool refuses_of_another = false;
  /// Every cache gives a prepared model that executes nothing.
  bool gives_useless = false;
  /// A cache is destroyed when it is retrieved.
  bool destroys = false;
  /// What was behind the end of what is written stays there.
  bool leaves_old_contents = false;
  /// Nothing is written to files that hold a cache of the token.
  bool keeps_old_cache = false;
  /// What has been saved, or looked at, is read once more, and is not looked at again.
  bool trusts_saved = false;
  bool trusts_looked_at = false;
};

}  // namespace nncert::faulty

#endif  // NNCERT_DRIVERS_FAULTY_RULES_CACHING_CONDUCT_H_
