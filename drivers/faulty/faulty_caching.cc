// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "drivers/faulty/faulty_caching.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "drivers/faulty/rule_executor.h"
#include "hal/vlog.h"

namespace nncert::faulty {
namespace {

using hal::CompilationCache;
using hal::Handle;
using hal::V1_0::ErrorStatus;
using hal::V1_2::IPreparedModel;
using hal::V1_2::IPreparedModelCallback;

// How often a driver that looks twice looks meanwhile whether there is something else in the files.
constexpr int kLooks = 50;

std::vector<uint8_t> ReadFile(const Handle& handle) {
  const int file = handle.descriptors.front().get();
  struct stat status;
  if (fstat(file, &status) != 0) return {};
  std::vector<uint8_t> bytes(static_cast<size_t>(status.st_size));
  const ssize_t count = pread(file, bytes.data(), bytes.size(), 0);
  bytes.resize(count < 0 ? 0 : static_cast<size_t>(count));
  return bytes;
}

// All bytes of files whose handles are right.
CompilationCache ReadFiles(const CacheArguments& cache) {
  CompilationCache files;
  for (const Handle& handle : cache.model) files.model.push_back(ReadFile(handle));
  for (const Handle& handle : cache.data) files.data.push_back(ReadFile(handle));
  return files;
}

// What the honest driver says of a cache.
absl::Status Load(const CacheArguments& cache) {
  return hal::loadCompilationCache({.version = kRuleExecutorVersion, .key = {}}, cache.token,
                                   cache.model, cache.data, 1, 1)
      .status();
}

bool IsOneFile(const CacheArguments& cache) {
  struct stat model;
  struct stat data;
  return fstat(cache.model.front().descriptors.front().get(), &model) == 0 &&
         fstat(cache.data.front().descriptors.front().get(), &data) == 0 &&
         model.st_ino == data.st_ino && model.st_dev == data.st_dev;
}

// What is wrong with the handles of a cache of one model and one data file.
CacheDefect DefectOfHandles(const CacheArguments& cache) {
  if (cache.model.empty() && cache.data.empty()) return CacheDefect::kNoFiles;
  if (cache.model.size() != 1 || cache.data.size() != 1) return CacheDefect::kHandles;
  for (const Handle& handle : {cache.model.front(), cache.data.front()}) {
    if (handle.descriptors.size() != 1) return CacheDefect::kDescriptors;
  }
  for (const Handle& handle : {cache.model.front(), cache.data.front()}) {
    const int flags = fcntl(handle.descriptors.front().get(), F_GETFL);
    if ((flags & O_ACCMODE) != O_RDWR) return CacheDefect::kAccess;
  }
  return IsOneFile(cache) ? CacheDefect::kOneFile : CacheDefect::kNone;
}

// Logs that a file of a client could not be changed, which leaves the driver a good one.
void LogFailure(ssize_t result) {
  if (result < 0) NNVLOG(DRIVER) << "a cache file cannot be changed: " << std::strerror(errno);
}

// What the first descriptor of the first handle of each kind gives: what a driver reads that looks
// no further.
CacheArguments FirstOf(const CacheArguments& cache) {
  CacheArguments first = {.model = {}, .data = {}, .token = cache.token};
  for (const auto& [from, to] :
       {std::pair(&cache.model, &first.model), std::pair(&cache.data, &first.data)}) {
    if (from->empty() || from->front().descriptors.empty()) continue;
    to->push_back({.descriptors = {from->front().descriptors.front()}, .integers = {}});
  }
  return first;
}

bool IsReadOnly(const Handle& handle) {
  return (fcntl(handle.descriptors.front().get(), F_GETFL) & O_ACCMODE) == O_RDONLY;
}

// Whether two files differ in one bit.
bool DifferInOneBit(const std::vector<uint8_t>& a, const std::vector<uint8_t>& b) {
  if (a.size() != b.size()) return false;
  int bits = 0;
  for (size_t i = 0; i < a.size(); ++i) bits += std::popcount(static_cast<uint8_t>(a[i] ^ b[i]));
  return bits == 1;
}

// Whether one of two files is the beginning of the other.
bool DifferInLength(const std::vector<uint8_t>& a, const std::vector<uint8_t>& b) {
  return a.size() != b.size() &&
         std::equal(a.begin(), a.begin() + std::min(a.size(), b.size()), b.begin());
}

bool IsAtOffset(const CacheArguments& cache) {
  for (const std::vector<Handle>* const handles : {&cache.model, &cache.data}) {
    for (const Handle& handle : *handles) {
      for (const hal::FileDescriptor& descriptor : handle.descriptors) {
        if (lseek(descriptor.get(), 0, SEEK_CUR) > 0) return true;
      }
    }
  }
  return false;
}

// Waits a while for somebody to change files that hold a cache; whether somebody has.
bool IsChangedMeanwhile(const CacheArguments& cache) {
  for (int i = 0; i < kLooks; ++i) {
    if (!Load(cache).ok()) return true;
    sched_yield();
  }
  return false;
}

ErrorStatus EndWith(const std::shared_ptr<IPreparedModelCallback>& callback, ErrorStatus status) {
  callback->notify_1_2(status, status == ErrorStatus::NONE ? MakeUselessPreparedModel() : nullptr);
  return status;
}

}  // namespace

// Hears of a model that has been saved before its client does.
class FaultyCaching::SavingCallback : public IPreparedModelCallback {
 public:
  // `before` is what was in the files.
  SavingCallback(std::shared_ptr<FaultyCaching> caching, CacheArguments cache,
                 CompilationCache before, std::shared_ptr<IPreparedModelCallback> client)
      : client_(std::move(client)),
        cache_(std::move(cache)),
        before_(std::move(before)),
        caching_(std::move(caching)) {}

  void notify(ErrorStatus status,
              const std::shared_ptr<hal::V1_0::IPreparedModel>& preparedModel) override {
    notify_1_2(status, std::dynamic_pointer_cast<IPreparedModel>(preparedModel));
  }

  void notify_1_2(ErrorStatus status,
                  const std::shared_ptr<IPreparedModel>& preparedModel) override {
    const CompilationCache files = ReadFiles(cache_);
    // Unless somebody else writes to the files as well.
    if (Load(cache_).ok() && ReadFiles(cache_) == files) caching_->Remember({cache_.token, files});
    if (caching_->conduct_.leaves_old_contents) PutBack();
    if (caching_->conduct_.trusts_saved && status == ErrorStatus::NONE &&
        IsChangedMeanwhile(cache_)) {
      client_->notify_1_2(status, MakeUselessPreparedModel());
      return;
    }
    client_->notify_1_2(status, preparedModel);
  }

 private:
  // Puts what was in the files back behind what is in them now.
  void PutBack() const {
    const auto put_back = [](const Handle& handle, const std::vector<uint8_t>& old) {
      const size_t size = ReadFile(handle).size();
      if (old.size() <= size) return;
      LogFailure(pwrite(handle.descriptors.front().get(), old.data() + size, old.size() - size,
                        static_cast<off_t>(size)));
    };
    put_back(cache_.model.front(), before_.model.front());
    put_back(cache_.data.front(), before_.data.front());
  }

  // The client's callback goes last, so that the client can wait for the end of the rest.
  const std::shared_ptr<IPreparedModelCallback> client_;
  const CacheArguments cache_;
  const CompilationCache before_;
  const std::shared_ptr<FaultyCaching> caching_;
};

FaultyCaching::FaultyCaching(std::shared_ptr<hal::V1_2::IDevice> honest,
                             const CachingConduct* conduct)
    : honest_(std::move(honest)),
      is_wrong_(conduct != nullptr),
      conduct_(is_wrong_ ? *conduct : CachingConduct()) {}

hal::V1_2::GetNumberOfCacheFilesNeededResult FaultyCaching::CountFiles() {
  const std::lock_guard<std::mutex> lock(mutex_);
  hal::V1_2::GetNumberOfCacheFilesNeededResult result = honest_->getNumberOfCacheFilesNeeded();
  result.numDataCache += static_cast<uint32_t>(conduct_.more_files);
  if (asked_++ > 0) result.numDataCache += static_cast<uint32_t>(conduct_.more_files_next);
  return result;
}

ErrorStatus FaultyCaching::Prepare(const hal::V1_2::Model& model,
                                   hal::V1_2::ExecutionPreference preference,
                                   const CacheArguments& cache,
                                   const std::shared_ptr<IPreparedModelCallback>& callback) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    asked_ = 0;
  }
  const auto prepare = [&](const CacheArguments& files,
                           const std::shared_ptr<IPreparedModelCallback>& notified) {
    return honest_->prepareModel_1_2(model, preference, files.model, files.data, files.token,
                                     notified);
  };
  // The honest driver refuses a callback that is null.
  if (!is_wrong_ || callback == nullptr) return prepare(cache, callback);
  const CacheDefect defect = DefectOfHandles(cache);
  if (defect == CacheDefect::kNoFiles) {
    const bool has_token =
        std::any_of(cache.token.begin(), cache.token.end(), [](uint8_t byte) { return byte != 0; });
    if (conduct_.wants_files_for_token && has_token) {
      return EndWith(callback, ErrorStatus::GENERAL_FAILURE);
    }
    return prepare(cache, callback);
  }
  if (defect != CacheDefect::kNone) {
    if (defect == conduct_.keeps_from_preparing) {
      return EndWith(callback, ErrorStatus::GENERAL_FAILURE);
    }
    return prepare(cache, callback);
  }
  if (conduct_.keeps_old_cache && Load(cache).ok()) return prepare({}, callback);
  return prepare(cache, std::make_shared<SavingCallback>(shared_from_this(), cache,
                                                         ReadFiles(cache), callback));
}

void FaultyCaching::Remember(Saved saved) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const bool is_known = std::any_of(saves_.begin(), saves_.end(),
                                    [&](const Saved& known) { return known.files == saved.files; });
  if (!is_known) saves_.push_back(std::move(saved));
}

CacheDefect FaultyCaching::Diagnose(const CacheArguments& cache) const {
  const CacheDefect defect = DefectOfHandles(cache);
  // Where nothing was saved to wrong handles, nothing can be read from them.
  if (defect == CacheDefect::kHandles || defect == CacheDefect::kDescriptors) {
    return Load(FirstOf(cache)).ok() ? defect : CacheDefect::kOther;
  }
  if (defect == CacheDefect::kAccess) {
    const bool is_read_only = IsReadOnly(cache.model.front()) || IsReadOnly(cache.data.front());
    return is_read_only ? CacheDefect::kOther : defect;
  }
  if (defect == CacheDefect::kNoFiles) return defect;
  const CompilationCache files = ReadFiles(cache);
  const std::vector<uint8_t>& model = files.model.front();
  const std::vector<uint8_t>& data = files.data.front();
  const std::lock_guard<std::mutex> lock(mutex_);
  if (defect == CacheDefect::kOneFile) {
    const bool is_model = std::any_of(saves_.begin(), saves_.end(), [&](const Saved& saved) {
      return saved.files.model.front() == model;
    });
    return is_model ? defect : CacheDefect::kOther;
  }
  const Saved* of_model = nullptr;
  const Saved* of_data = nullptr;
  for (const Saved& saved : saves_) {
    if (saved.files == files) {
      return saved.token == cache.token ? CacheDefect::kNone : CacheDefect::kToken;
    }
    if (saved.files.model.front() == model) of_model = &saved;
    if (saved.files.data.front() == data) of_data = &saved;
    if (saved.files.model.front() == data && saved.files.data.front() == model) {
      return CacheDefect::kExchanged;
    }
  }
  if (of_model != nullptr && of_data != nullptr) {
    if (of_model->token == of_data->token) return CacheDefect::kStale;
    if (of_model->token == cache.token) return CacheDefect::kDataToken;
    const size_t half = cache.token.size() / 2;
    return std::equal(cache.token.begin(), cache.token.begin() + half, of_model->token.begin())
               ? CacheDefect::kModelToken
               : CacheDefect::kOther;
  }
  if (of_data != nullptr) {
    if (DifferInOneBit(model, of_data->files.model.front())) return CacheDefect::kModelBit;
    if (DifferInLength(model, of_data->files.model.front())) return CacheDefect::kModelLength;
  }
  if (of_model != nullptr) {
    if (DifferInOneBit(data, of_model->files.data.front())) return CacheDefect::kDataBit;
    if (DifferInLength(data, of_model->files.data.front())) return CacheDefect::kDataLength;
  }
  const std::string error(Load(cache).message());
  if (absl::StrContains(error, "not a compilation cache")) return CacheDefect::kGarbage;
  if (absl::StrContains(error, "saved by another driver")) return CacheDefect::kAnotherDriver;
  return CacheDefect::kOther;
}

ErrorStatus FaultyCaching::PrepareFromCache(
    const CacheArguments& cache, const std::shared_ptr<IPreparedModelCallback>& callback) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    asked_ = 0;
  }
  const auto prepare = [&] {
    return honest_->prepareModelFromCache(cache.model, cache.data, cache.token, callback);
  };
  // The honest driver refuses a callback that is null.
  if (!is_wrong_ || callback == nullptr) return prepare();
  if (conduct_.refuses || (conduct_.refuses_at_offset && IsAtOffset(cache))) {
    return EndWith(callback, ErrorStatus::GENERAL_FAILURE);
  }
  const bool compares = conduct_.accepts != CacheDefect::kNone ||
                        conduct_.crashes_on != CacheDefect::kNone || conduct_.refuses_of_another;
  const CacheDefect defect = compares ? Diagnose(cache) : CacheDefect::kNone;
  if (defect != CacheDefect::kNone) {
    if (defect == conduct_.crashes_on) std::abort();
    if (defect == conduct_.accepts) return EndWith(callback, ErrorStatus::NONE);
    if (conduct_.refuses_of_another) return EndWith(callback, ErrorStatus::GENERAL_FAILURE);
  }
  const bool is_whole = Load(cache).ok();
  if (is_whole &&
      (conduct_.gives_useless || (conduct_.trusts_looked_at && IsChangedMeanwhile(cache)))) {
    return EndWith(callback, ErrorStatus::NONE);
  }
  const ErrorStatus status = prepare();
  // The honest driver has read the files by now.
  if (is_whole && conduct_.destroys) {
    LogFailure(ftruncate(cache.model.front().descriptors.front().get(), 0));
  }
  return status;
}

}  // namespace nncert::faulty
