// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/data_sets/mlts_folder.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "hal/to_string.h"
#include "mlts/data_sets/golden_data_set.h"
#include "mlts/data_sets/image_data_set.h"
#include "mlts/data_sets/image_transform.h"
#include "mlts/data_sets/json_cursor.h"
#include "mlts/data_sets/labels.h"
#include "mlts/data_sets/network_description.h"
#include "mlts/data_sets/output_statistics.h"
#include "mlts/tensor_format.h"
#include "system/file_content.h"

namespace nncert {
namespace {

using std::filesystem::path;

bool Exists(const std::string& file) {
  std::error_code error;
  return std::filesystem::exists(file, error);
}

// The photos of a data set, and how many there should be.
struct Photos {
  std::shared_ptr<const std::vector<LabelledImage>> images;
  size_t described = 0;
  size_t repeated_classes = 0;
};

// Reads the lists of one folder of assets.
class Reader {
 public:
  Reader(std::string assets, const BenchmarkFolderOptions& options)
      : assets_(std::move(assets)), options_(options) {}

  void ReadList(const std::string& list) {
    const absl::StatusOr<JsonCursor> document = JsonCursor::Open(list);
    if (!document.ok()) return AddProblem(document.status());
    const std::vector<JsonCursor> models = (*document)["models"].Elements();
    if (!document->status().ok()) return AddProblem(document->status());
    for (const JsonCursor& model : models) {
      const JsonCursor cursor = model.WithOwnErrors();
      BenchmarkEntry entry = ReadEntry(cursor);
      if (!cursor.status().ok()) {
        AddProblem(cursor.status());
      } else if (!names_.insert(entry.name).second) {
        folder_.problems.push_back(
            absl::StrCat(cursor.where(), " has the name of an earlier one, ", entry.name));
      } else {
        folder_.entries.push_back(std::move(entry));
      }
    }
  }

  BenchmarkFolder Take() { return std::move(folder_); }

 private:
  void AddProblem(const absl::Status& status) { folder_.problems.emplace_back(status.message()); }

  std::string Asset(const std::string& name) const { return (path(assets_) / name).string(); }

  BenchmarkEntry ReadEntry(const JsonCursor& model) {
    BenchmarkEntry entry;
    entry.name = model["name"].String();
    const std::string file = model.Has("modelFile") ? model["modelFile"].String() : entry.name;
    entry.model_file = Asset(absl::StrCat(file, ".tflite"));
    entry.is_missing = !Exists(entry.model_file);
    for (const JsonCursor& dimension : model["inputSize"].Elements()) {
      entry.input_shape.push_back(dimension.Integer(1));
    }
    if (entry.input_shape.empty()) model["inputSize"].Fail("has no dimensions");
    entry.data_size = model["dataSize"].Integer(0);
    if (entry.data_size != 1 && entry.data_size != 4) {
      model["dataSize"].Fail("is neither 1 nor 4");
    }
    if (model.Has("evaluator")) ReadEvaluator(model["evaluator"], entry);
    if (model.Has("inputOutputs") == model.Has("dataset")) {
      model.Fail("must have one of \"inputOutputs\" and \"dataset\"");
    } else if (model.Has("dataset")) {
      ReadPhotos(model, entry);
    } else {
      ReadGoldenFiles(model["inputOutputs"], entry);
    }
    return entry;
  }

  void ReadEvaluator(const JsonCursor& evaluator, BenchmarkEntry& entry) const {
    const std::string name = evaluator["className"].String();
    const std::optional<Evaluator> found = EvaluatorOf(name);
    if (!found || *found == Evaluator::NONE) {
      evaluator["className"].Fail(
          absl::StrCat("is \"", name, "\"; there are TopK, MelCepLogF0 and PhoneErrorRate"));
      return;
    }
    entry.evaluator = *found;
    if (evaluator.Has("expectedTop1")) {
      entry.expected_top_1 = evaluator["expectedTop1"].Number();
      if (!(*entry.expected_top_1 >= 0 && *entry.expected_top_1 <= 1)) {
        evaluator["expectedTop1"].Fail("is no share from 0 to 1");
      }
    }
    // Of a network that is not there, neither is this.
    if (evaluator.Has("outputMeanStdDev") && !entry.is_missing) {
      absl::StatusOr<OutputStatistics> statistics =
          ReadOutputStatistics(Asset(evaluator["outputMeanStdDev"].String()));
      if (statistics.ok()) {
        entry.output_mean = std::move(statistics->mean);
        entry.output_deviation = std::move(statistics->deviation);
      } else {
        evaluator["outputMeanStdDev"].Fail(absl::StrCat(": ", statistics.status().message()));
      }
    }
  }

  void ReadGoldenFiles(const JsonCursor& pairs, BenchmarkEntry& entry) const {
    std::vector<GoldenFiles> sequences;
    std::set<std::string> replaced;
    for (const JsonCursor& pair : pairs.Elements()) {
      GoldenFiles& files = sequences.emplace_back();
      const std::string input = pair["input"].String();
      files.name = path(input).stem().string();
      files.inputs = {Asset(input)};
      if (pair.Has("output") == pair.Has("outputs")) {
        pair.Fail("must have one of \"output\" and \"outputs\"");
      } else if (pair.Has("output")) {
        files.outputs = {GoldenOutput(entry.name, pair["output"].String(), replaced)};
      } else {
        for (const JsonCursor& output : pair["outputs"].Elements()) {
          files.outputs.push_back(GoldenOutput(entry.name, output.String(), replaced));
        }
      }
    }
    if (sequences.empty()) pairs.Fail("has no pairs");
    entry.data = absl::StrCat(sequences.size(), " golden pairs");
    for (const std::string& note : replaced) entry.notes.push_back(note);
    entry.open = [sequences, shape = entry.input_shape, data_size = entry.data_size](
                     const Network& network) -> absl::StatusOr<std::shared_ptr<const DataSet>> {
      if (absl::Status status = CheckShape(shape, network); !status.ok()) return status;
      return OpenGoldenFiles(sequences, data_size, network);
    };
  }

  // The path of a golden output, or of the one that is meant.
  std::string GoldenOutput(const std::string& model, const std::string& output,
                           std::set<std::string>& replaced) const {
    constexpr char kSecondVersion[] = "mobilenet_v2_";
    const path named(output);
    const std::string file = named.filename().string();
    const size_t end_of_first_word = file.find('_');
    if (options_.golden_files_as_mlts_names_them || model.rfind(kSecondVersion, 0) != 0 ||
        file.find("_v2_") != std::string::npos || end_of_first_word == std::string::npos) {
      return Asset(output);
    }
    const path meant = named.parent_path() /
                       (file.substr(0, end_of_first_word) + "_v2" + file.substr(end_of_first_word));
    if (!Exists(Asset(meant.string()))) return Asset(output);
    replaced.insert(absl::StrCat("golden outputs are those of ", meant.string(),
                                 ", where the list names those of the first version, ", output));
    return Asset(meant.string());
  }

  static absl::Status CheckShape(const std::vector<uint32_t>& shape, const Network& network) {
    const absl::StatusOr<std::vector<TensorFormat>> inputs = InputFormatsOf(network);
    if (!inputs.ok()) return inputs.status();
    if (inputs->size() == 1 && (*inputs)[0].dimensions == shape) return absl::OkStatus();
    return absl::InvalidArgumentError(absl::StrCat(
        network.name, ": the list of models says that there is one input, ",
        hal::dimensionsToString(shape), "; the network has ", inputs->size(),
        inputs->empty()
            ? std::string()
            : absl::StrCat(", the first ", hal::dimensionsToString((*inputs)[0].dimensions))));
  }

  void ReadPhotos(const JsonCursor& model, BenchmarkEntry& entry) {
    const JsonCursor data = model["dataset"];
    const std::vector<uint32_t>& shape = entry.input_shape;
    if (shape.size() != 4 || shape[0] != 1 || shape[1] != shape[2] || shape[3] != 3) {
      model["inputSize"].Fail("is not [1, SIDE, SIDE, 3], as photos want it");
    }
    if (data["preprocessor"].String() != "Inception") {
      data["preprocessor"].Fail("is not Inception, the only one there is");
    }
    ImageTransform transform = InceptionTransform();
    if (entry.data_size == 1) {
      MltsQuantization& quantization = transform.mlts_quantization.emplace();
      quantization.scale = static_cast<float>(model["inputScale"].Number());
      quantization.zero_point = static_cast<float>(model["inputZeroPoint"].Number());
      quantization.wraps_around = options_.preprocessing == Preprocessing::MLTS;
      if (!(quantization.scale > 0)) model["inputScale"].Fail("is not above 0");
      if (!quantization.wraps_around && entry.expected_top_1) {
        entry.notes.emplace_back(
            "MLTS's expectedTop1 was found with bytes that wrap around; here they saturate, which "
            "gives about two points more");
      }
    }
    const std::string input = data["inputPath"].String();
    const std::string ground_truth = data["groundTruth"].String();
    const std::string labels = data["labels"].String();
    if (!data.status().ok()) return;
    const absl::StatusOr<Photos>& photos = PhotosOf(input, ground_truth, labels);
    if (!photos.ok()) {
      data.Fail(absl::StrCat("cannot be read: ", photos.status().message()));
      return;
    }
    entry.data = absl::StrCat(photos->images->size(), " photos");
    if (photos->images->size() < photos->described) {
      entry.notes.push_back(
          absl::StrCat(photos->images->size(), " of the ", photos->described, " photos are there"));
    }
    if (photos->repeated_classes > 0) {
      entry.notes.push_back(absl::StrCat(photos->repeated_classes, " lines of ", labels,
                                         " are like earlier ones; the last of each counts"));
    }
    entry.open = [images = photos->images, transform,
                  shape](const Network& network) -> absl::StatusOr<std::shared_ptr<const DataSet>> {
      if (absl::Status status = CheckShape(shape, network); !status.ok()) return status;
      return OpenImages(images, transform, network);
    };
  }

  const absl::StatusOr<Photos>& PhotosOf(const std::string& input, const std::string& ground_truth,
                                         const std::string& labels) {
    const auto key = std::make_tuple(input, ground_truth, labels);
    const auto found = photos_.find(key);
    if (found != photos_.end()) return found->second;
    return photos_.emplace(key, FindPhotos(input, ground_truth, labels)).first->second;
  }

  absl::StatusOr<Photos> FindPhotos(const std::string& input, const std::string& ground_truth,
                                    const std::string& labels) {
    const absl::StatusOr<ClassNames> classes = ClassNames::Read(Asset(labels));
    if (!classes.ok()) return classes.status();
    const std::string truth_path = Asset(ground_truth);
    const absl::StatusOr<std::vector<std::string>> truth = ReadFileLines(truth_path);
    if (!truth.ok()) return truth.status();
    const absl::StatusOr<std::vector<std::string>> files = ListFolder(Asset(input));
    if (!files.ok()) return files.status();
    std::vector<std::pair<uint32_t, LabelledImage>> numbered;
    for (const std::string& file : *files) {
      if (!IsImageName(file, false)) continue;
      const std::optional<uint32_t> number = NumberInName(file);
      if (!number) {
        folder_.problems.push_back(
            absl::StrCat(file, ": has no number before its extension, as image-17.jpeg has"));
        continue;
      }
      numbered.emplace_back(*number,
                            LabelledImage{path(file).stem().string(), file,
                                          LabelOf(*number, file, truth_path, *truth, *classes)});
    }
    if (numbered.empty()) {
      return absl::InvalidArgumentError(absl::StrCat(Asset(input), ": there is no photo"));
    }
    std::sort(numbered.begin(), numbered.end(), [](const auto& one, const auto& other) {
      return std::tie(one.first, one.second.path) < std::tie(other.first, other.second.path);
    });
    std::vector<LabelledImage> images;
    for (auto& [number, image] : numbered) images.push_back(std::move(image));
    Photos photos;
    photos.images = std::make_shared<const std::vector<LabelledImage>>(std::move(images));
    photos.described = truth->size();
    photos.repeated_classes = classes->repeated();
    return photos;
  }

  static absl::StatusOr<std::optional<uint32_t>> LabelOf(uint32_t number, const std::string& photo,
                                                         const std::string& truth_path,
                                                         const std::vector<std::string>& truth,
                                                         const ClassNames& classes) {
    if (number >= truth.size()) {
      return absl::NotFoundError(absl::StrCat(photo, ": has no label, for ", truth_path,
                                              " has no line ", number, " counted from 0 but ",
                                              truth.size(), " lines"));
    }
    const absl::StatusOr<uint32_t> label = classes.ClassOf(truth[number]);
    if (!label.ok()) {
      return absl::NotFoundError(absl::StrCat(photo, ": has no label: line ", number,
                                              " counted from 0 of ", truth_path, ", ",
                                              label.status().message()));
    }
    return std::optional<uint32_t>(*label);
  }

  const std::string assets_;
  const BenchmarkFolderOptions& options_;
  BenchmarkFolder folder_;
  std::set<std::string> names_;
  std::map<std::tuple<std::string, std::string, std::string>, absl::StatusOr<Photos>> photos_;
};

}  // namespace

std::optional<std::string> MltsAssetsOf(const std::string& folder) {
  for (const path& assets : {path(folder), path(folder) / "assets"}) {
    std::error_code error;
    if (std::filesystem::is_directory(assets / "models_list", error)) return assets.string();
  }
  return std::nullopt;
}

absl::StatusOr<BenchmarkFolder> ReadMltsFolder(const std::string& assets,
                                               const BenchmarkFolderOptions& options) {
  const std::string folder = (path(assets) / "models_list").string();
  absl::StatusOr<std::vector<std::string>> lists = ListFolder(folder);
  if (!lists.ok()) return lists.status();
  std::erase_if(*lists, [](const std::string& file) { return path(file).extension() != ".json"; });
  if (lists->empty()) return absl::InvalidArgumentError(absl::StrCat(folder, ": has no *.json"));
  Reader reader(assets, options);
  for (const std::string& list : *lists) reader.ReadList(list);
  return reader.Take();
}

}  // namespace nncert
