// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "reference/driver/cached_model.h"

#include <capnp/message.h>
#include <capnp/serialize.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "hal/flat_message.h"
#include "hal/schema/model.capnp.h"
#include "hal/schema_conversion.h"
#include "hal/schema_values.h"

namespace nncert {
namespace {

using hal::V1_2::Model;

absl::StatusOr<std::vector<uint8_t>> Serialize(const Model& model) {
  return hal::WithoutExceptions([&]() -> absl::StatusOr<std::vector<uint8_t>> {
    capnp::MallocMessageBuilder message;
    absl::Status status = hal::ToSchema(model, message.initRoot<schema::Model>());
    if (!status.ok()) return status;
    const kj::Array<capnp::word> words = capnp::messageToFlatArray(message);
    return hal::ToBytes(words.asBytes());
  });
}

absl::StatusOr<Model> Parse(const std::vector<uint8_t>& bytes, const std::string& what) {
  absl::StatusOr<Model> model = absl::InvalidArgumentError("nothing was read");
  const absl::Status status = hal::ReadFlatMessage(
      bytes, what, [&](capnp::MessageReader& message, kj::ArrayPtr<const capnp::word> /*words*/) {
        model = hal::FromSchema(message.getRoot<schema::Model>());
        return model.status();
      });
  if (!status.ok()) return status;
  return model;
}

}  // namespace

absl::StatusOr<hal::CompilationCache> ToCache(const Model& model) {
  Model graph = model;
  Model constants;
  constants.operandValues = std::exchange(graph.operandValues, {});
  constants.pools = std::exchange(graph.pools, {});
  absl::StatusOr<std::vector<uint8_t>> model_content = Serialize(graph);
  if (!model_content.ok()) return model_content.status();
  absl::StatusOr<std::vector<uint8_t>> data_content = Serialize(constants);
  if (!data_content.ok()) return data_content.status();
  return hal::CompilationCache{.model = {*std::move(model_content)},
                               .data = {*std::move(data_content)}};
}

absl::StatusOr<Model> FromCache(const hal::CompilationCache& cache) {
  if (cache.model.size() != kModelCacheFiles || cache.data.size() != kDataCacheFiles) {
    return absl::InvalidArgumentError(
        absl::StrCat("there are ", cache.model.size(), " contents of model caches and ",
                     cache.data.size(), " of data caches; expected 1 of each"));
  }
  absl::StatusOr<Model> model = Parse(cache.model[0], "the model cache");
  if (!model.ok()) return model;
  absl::StatusOr<Model> constants = Parse(cache.data[0], "the data cache");
  if (!constants.ok()) return constants;
  model->operandValues = std::move(constants->operandValues);
  model->pools = std::move(constants->pools);
  return model;
}

}  // namespace nncert
