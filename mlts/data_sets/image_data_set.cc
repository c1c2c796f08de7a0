// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/data_sets/image_data_set.h"

#include <cstddef>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "mlts/data_sets/image.h"
#include "mlts/tensor_format.h"

namespace nncert {
namespace {

class ImageDataSet : public DataSet {
 public:
  ImageDataSet(std::shared_ptr<const std::vector<LabelledImage>> images,
               const ImageTransform& transform, TensorFormat input)
      : images_(std::move(images)), transform_(transform), input_(std::move(input)) {}

  size_t size() const override { return images_->size(); }

  absl::StatusOr<Sequence> Read(size_t index) const override {
    const LabelledImage& labelled = (*images_)[index];
    if (!labelled.label.ok()) return labelled.label.status();
    const absl::StatusOr<Image> image = ReadImage(labelled.path);
    if (!image.ok()) return image.status();
    absl::StatusOr<TensorBytes> bytes = InputOf(*image, transform_, input_);
    if (!bytes.ok()) {
      return absl::Status(bytes.status().code(),
                          absl::StrCat(labelled.path, ": ", bytes.status().message()));
    }
    Sequence sequence;
    sequence.name = labelled.name;
    sequence.inputs.push_back({*std::move(bytes)});
    sequence.label = *labelled.label;
    return sequence;
  }

 private:
  const std::shared_ptr<const std::vector<LabelledImage>> images_;
  const ImageTransform transform_;
  const TensorFormat input_;
};

}  // namespace

absl::StatusOr<std::shared_ptr<const DataSet>> OpenImages(
    std::shared_ptr<const std::vector<LabelledImage>> images, const ImageTransform& transform,
    const Network& network) {
  const absl::StatusOr<std::vector<TensorFormat>> inputs = InputFormatsOf(network);
  if (!inputs.ok()) return inputs.status();
  if (inputs->size() != 1 || !network.states.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        network.name, ": images are for a network of one input and no states; this one has ",
        inputs->size(), " inputs and ", network.states.size(), " states"));
  }
  if (absl::Status status = CheckTakesImages((*inputs)[0]); !status.ok()) {
    return absl::Status(status.code(), absl::StrCat(network.name, ": ", status.message()));
  }
  return std::make_shared<ImageDataSet>(std::move(images), transform, (*inputs)[0]);
}

}  // namespace nncert
