// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/data_sets/network_description.h"

#include <cmath>
#include <map>
#include <vector>

#include "absl/strings/str_cat.h"

namespace nncert {
namespace {

void ReadValues(const JsonCursor& values, ImageTransform& transform) {
  if (values.IsString()) {
    if (values.String() != "bytes") values.Fail("is neither \"bytes\" nor a list of two numbers");
    return;
  }
  transform.keeps_bytes = false;
  const std::vector<JsonCursor> ends = values.Elements();
  if (ends.size() != 2) {
    values.Fail("is neither \"bytes\" nor a list of two numbers");
    return;
  }
  transform.lowest = static_cast<float>(ends[0].Number());
  transform.highest = static_cast<float>(ends[1].Number());
  if (!std::isfinite(transform.lowest) || !std::isfinite(transform.highest)) {
    values.Fail("is not finite");
  }
}

}  // namespace

NetworkDescription DefaultDescription() {
  NetworkDescription description;
  description.transform.keeps_bytes = true;
  return description;
}

NetworkDescription ReadDescription(const JsonCursor& object) {
  NetworkDescription description = DefaultDescription();
  object.AllowOnly({"crop", "data", "evaluator", "expectedTop1", "labels", "outputMeanStdDev",
                    "samples", "values"});
  if (object.Has("data")) description.data = object["data"].String();
  if (object.Has("labels")) {
    const std::map<std::string, LabelSource> sources = {{"csv", LabelSource::CSV},
                                                        {"folder", LabelSource::FOLDER},
                                                        {"number", LabelSource::NUMBER},
                                                        {"none", LabelSource::NONE}};
    const auto found = sources.find(object["labels"].String());
    if (found == sources.end()) {
      object["labels"].Fail("is none of \"csv\", \"folder\", \"number\", \"none\"");
    } else {
      description.labels = found->second;
    }
  }
  if (object.Has("values")) ReadValues(object["values"], description.transform);
  if (object.Has("crop")) {
    description.transform.crop_share = static_cast<float>(object["crop"].Number());
    if (!(description.transform.crop_share > 0 && description.transform.crop_share <= 1)) {
      object["crop"].Fail("is no share above 0 and up to 1");
    }
  }
  if (object.Has("evaluator")) {
    description.evaluator = EvaluatorOf(object["evaluator"].String());
    if (!description.evaluator) {
      object["evaluator"].Fail(
          "is none of \"TopK\", \"MelCepLogF0\", \"PhoneErrorRate\", \"none\"");
    }
  }
  if (object.Has("expectedTop1")) {
    description.expected_top_1 = object["expectedTop1"].Number();
    if (!(*description.expected_top_1 >= 0 && *description.expected_top_1 <= 1)) {
      object["expectedTop1"].Fail("is no share from 0 to 1");
    }
  }
  if (object.Has("outputMeanStdDev")) {
    description.output_statistics = object["outputMeanStdDev"].String();
  }
  if (object.Has("samples")) description.samples = object["samples"].Integer(1);
  return description;
}

std::optional<Evaluator> EvaluatorOf(const std::string& name) {
  if (name == "TopK") return Evaluator::TOP_K;
  if (name == "MelCepLogF0") return Evaluator::MEL_CEP_LOG_F0;
  if (name == "PhoneErrorRate") return Evaluator::PHONE_ERROR_RATE;
  if (name == "none") return Evaluator::NONE;
  return std::nullopt;
}

}  // namespace nncert
