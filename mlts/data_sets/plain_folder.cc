// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/data_sets/plain_folder.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "mlts/data_sets/golden_data_set.h"
#include "mlts/data_sets/image_data_set.h"
#include "mlts/data_sets/json_cursor.h"
#include "mlts/data_sets/labels.h"
#include "mlts/data_sets/network_description.h"
#include "mlts/data_sets/output_statistics.h"
#include "mlts/data_sets/random_data_set.h"
#include "system/file_content.h"

namespace nncert {
namespace {

using std::filesystem::path;

// How many folders deep networks are looked for.
constexpr int kDepth = 4;

// The seed of random inputs.
constexpr uint64_t kSeed = 1;

bool IsFolder(const std::string& file) {
  std::error_code error;
  return std::filesystem::is_directory(file, error);
}

bool IsFile(const std::string& file) {
  std::error_code error;
  return std::filesystem::is_regular_file(file, error);
}

bool IsNetwork(const std::string& file) {
  return path(file).extension() == ".tflite" && IsFile(file);
}

// An image with the part of its path that is below the folder of data.
struct FoundImage {
  std::string file;
  std::string folder;  // of the class; empty if it is in none
};

// The files of a folder of data.
struct FoundData {
  std::vector<FoundImage> images;
  std::vector<GoldenFiles> golden;
};

// Files such as X.input or X.input1 by X and the number, 0 when there is none.
using NumberedFiles = std::map<std::string, std::map<uint32_t, std::string>>;

// Whether it is such a file, which then is among them.
bool AddNumbered(const std::string& file, const std::string& kind, NumberedFiles& files) {
  const std::string extension = path(file).extension().string();
  if (extension.rfind(kind, 0) != 0) return false;
  const std::string number = extension.substr(kind.size());
  const std::optional<uint32_t> index = number.empty() ? 0 : WholeNumber(number);
  if (!index) return false;
  files[path(file).stem().string()][*index] = file;
  return true;
}

// The files in the order of their numbers, which must be 0, 1 and so on.
absl::StatusOr<std::vector<std::string>> InOrder(const std::map<uint32_t, std::string>& files) {
  std::vector<std::string> ordered;
  for (const auto& [number, file] : files) {
    if (number != ordered.size()) {
      return absl::InvalidArgumentError(
          absl::StrCat(file, ": there is no number ", ordered.size(), " before it"));
    }
    ordered.push_back(file);
  }
  return ordered;
}

// Reads a folder and those below.
class Reader {
 public:
  explicit Reader(std::string root) : root_(std::move(root)) {}

  // Reads the file of descriptions.
  absl::Status ReadDescriptions(const std::string& file) {
    const absl::StatusOr<JsonCursor> document = JsonCursor::Open(file);
    if (!document.ok()) return document.status();
    for (const std::string& name : document->Names()) {
      descriptions_[name] = ReadDescription((*document)[name]);
    }
    return document->status();
  }

  void ReadFolder(const std::string& folder, int depth) {
    const absl::StatusOr<std::vector<std::string>> files = ListFolder(folder);
    if (!files.ok()) return AddProblem(files.status());
    std::vector<std::string> networks;
    std::copy_if(files->begin(), files->end(), std::back_inserter(networks), &IsNetwork);
    for (const std::string& network : networks) ReadNetwork(network, networks.size() == 1);
    if (depth == 0) return;
    for (const std::string& file : *files) {
      if (IsFolder(file)) ReadFolder(file, depth - 1);
    }
  }

  // Tells of descriptions of no network.
  absl::StatusOr<BenchmarkFolder> Take(const std::string& descriptions) && {
    if (names_.empty()) {
      return absl::InvalidArgumentError(absl::StrCat(root_, ": has no *.tflite"));
    }
    for (const auto& [name, description] : descriptions_) {
      if (!names_.contains(name)) {
        folder_.problems.push_back(
            absl::StrCat(descriptions, ": ", name, " is the name of no network in ", root_));
      }
    }
    return std::move(folder_);
  }

 private:
  void AddProblem(const absl::Status& status) { folder_.problems.emplace_back(status.message()); }

  void ReadNetwork(const std::string& file, bool is_only_one) {
    std::string name = path(file).stem().string();
    if (names_.contains(name)) {
      name = path(file).lexically_relative(root_).replace_extension().generic_string();
    }
    names_.insert(name);
    const absl::StatusOr<NetworkDescription> description = DescriptionOf(name, file);
    if (!description.ok()) return AddProblem(description.status());
    BenchmarkEntry entry;
    entry.name = name;
    entry.model_file = file;
    entry.evaluator = description->evaluator.value_or(Evaluator::NONE);
    entry.expected_top_1 = description->expected_top_1;
    const std::string beside = path(file).parent_path().string();
    if (description->output_statistics) {
      absl::StatusOr<OutputStatistics> statistics =
          ReadOutputStatistics((path(beside) / *description->output_statistics).string());
      if (!statistics.ok()) return AddProblem(statistics.status());
      entry.output_mean = std::move(statistics->mean);
      entry.output_deviation = std::move(statistics->deviation);
    }

    const std::optional<std::string> data_folder = DataFolderOf(file, *description, is_only_one);
    FoundData data;
    if (data_folder) {
      absl::StatusOr<FoundData> found = FindData(*data_folder);
      if (!found.ok()) return AddProblem(found.status());
      data = *std::move(found);
    }
    const bool has_both = !data.images.empty() && !data.golden.empty();
    if (!data.golden.empty()) {
      BenchmarkEntry golden = entry;
      if (has_both) golden.name += "_golden";
      golden.data = absl::StrCat(data.golden.size(), " golden pairs");
      golden.open = [sequences = data.golden](const Network& network) {
        return OpenGoldenFiles(sequences, 0, network);
      };
      folder_.entries.push_back(std::move(golden));
    }
    if (!data.images.empty()) {
      if (has_both) entry.name += "_images";
      return AddImages(std::move(entry), *data_folder, data.images, *description);
    }
    if (!data.golden.empty()) return;
    if (data_folder) {
      folder_.problems.push_back(absl::StrCat(
          *data_folder, ": has neither golden files nor images; ", name, " gets random inputs"));
    }
    entry.data = "random";
    entry.open = [count = description->samples](const Network& network) {
      return OpenRandomInputs(count, kSeed, network);
    };
    folder_.entries.push_back(std::move(entry));
  }

  absl::StatusOr<NetworkDescription> DescriptionOf(const std::string& name,
                                                   const std::string& file) const {
    const auto found = descriptions_.find(name);
    if (found != descriptions_.end()) return found->second;
    const std::string beside = path(file).replace_extension(".json").string();
    if (!IsFile(beside)) return DefaultDescription();
    const absl::StatusOr<JsonCursor> document = JsonCursor::Open(beside);
    if (!document.ok()) return document.status();
    NetworkDescription description = ReadDescription(*document);
    if (!document->status().ok()) return document->status();
    return description;
  }

  static std::optional<std::string> DataFolderOf(const std::string& file,
                                                 const NetworkDescription& description,
                                                 bool is_only_one) {
    const path beside = path(file).parent_path();
    if (description.data) return (beside / *description.data).string();
    const std::string own = (beside / path(file).stem()).string();
    if (IsFolder(own)) return own;
    const std::string samples = (beside / "samples").string();
    if (is_only_one && IsFolder(samples)) return samples;
    return std::nullopt;
  }

  absl::StatusOr<FoundData> FindData(const std::string& folder) {
    const absl::StatusOr<std::vector<std::string>> files = ListFolder(folder);
    if (!files.ok()) return files.status();
    FoundData data;
    NumberedFiles inputs;
    NumberedFiles outputs;
    for (const std::string& file : *files) {
      if (IsFolder(file)) {
        const absl::StatusOr<std::vector<std::string>> of_class = ListFolder(file);
        if (!of_class.ok()) return of_class.status();
        for (const std::string& image : *of_class) {
          if (IsImageName(image, true)) {
            data.images.push_back({image, path(file).filename().string()});
          }
        }
      } else if (IsImageName(file, true)) {
        data.images.push_back({file, ""});
      } else if (!AddNumbered(file, ".input", inputs)) {
        AddNumbered(file, ".output", outputs);
      }
    }
    for (const auto& [name, numbered] : inputs) {
      const absl::StatusOr<std::vector<std::string>> of_inputs = InOrder(numbered);
      const absl::StatusOr<std::vector<std::string>> of_outputs = InOrder(outputs[name]);
      outputs.erase(name);
      if (!of_inputs.ok() || !of_outputs.ok()) {
        AddProblem(of_inputs.ok() ? of_outputs.status() : of_inputs.status());
        continue;
      }
      data.golden.push_back({name, *of_inputs, *of_outputs});
    }
    for (const auto& [name, numbered] : outputs) {
      folder_.problems.push_back(
          absl::StrCat(numbered.begin()->second, ": there is no ", name, ".input for it"));
    }
    return data;
  }

  void AddImages(BenchmarkEntry entry, const std::string& data_folder,
                 const std::vector<FoundImage>& found, const NetworkDescription& description) {
    const std::string names_file = (path(data_folder) / "labels.txt").string();
    ClassNames classes;
    if (IsFile(names_file)) {
      absl::StatusOr<ClassNames> read = ClassNames::Read(names_file);
      if (!read.ok()) return AddProblem(read.status());
      classes = *std::move(read);
    }
    const LabelSource source =
        description.labels ? *description.labels : LabelSourceOf(data_folder, found);
    std::map<std::string, std::string> ground_truth;
    if (source == LabelSource::CSV) {
      absl::StatusOr<std::map<std::string, std::string>> read = ReadGroundTruth(data_folder);
      if (!read.ok()) return AddProblem(read.status());
      ground_truth = *std::move(read);
    }
    std::vector<LabelledImage> images;
    for (const FoundImage& image : found) {
      const std::string name = path(image.file).lexically_relative(data_folder).generic_string();
      images.push_back({name, image.file, LabelOf(image, name, source, classes, ground_truth)});
    }
    if (source != LabelSource::NONE && !description.evaluator) entry.evaluator = Evaluator::TOP_K;
    entry.data = absl::StrCat(images.size(), " images",
                              source == LabelSource::NONE ? " without labels" : "");
    entry.open = [images = std::make_shared<const std::vector<LabelledImage>>(std::move(images)),
                  transform = description.transform](const Network& network) {
      return OpenImages(images, transform, network);
    };
    folder_.entries.push_back(std::move(entry));
  }

  static LabelSource LabelSourceOf(const std::string& data_folder,
                                   const std::vector<FoundImage>& images) {
    if (IsFile((path(data_folder) / "ground_truth.csv").string())) return LabelSource::CSV;
    const bool has_folders = std::any_of(images.begin(), images.end(),
                                         [](const auto& image) { return !image.folder.empty(); });
    if (has_folders) return LabelSource::FOLDER;
    const bool are_numbered = std::all_of(images.begin(), images.end(), [](const auto& image) {
      const std::string stem = path(image.file).stem().string();
      return stem.rfind("sample", 0) == 0 && WholeNumber(stem.substr(6)).has_value();
    });
    return are_numbered ? LabelSource::NUMBER : LabelSource::NONE;
  }

  // The texts of labels by the names of files.
  absl::StatusOr<std::map<std::string, std::string>> ReadGroundTruth(
      const std::string& data_folder) {
    const std::string file = (path(data_folder) / "ground_truth.csv").string();
    const absl::StatusOr<std::vector<std::string>> lines = ReadFileLines(file);
    if (!lines.ok()) return lines.status();
    std::map<std::string, std::string> labels;
    for (size_t i = 0; i < lines->size(); ++i) {
      const std::string& line = (*lines)[i];
      if (line.empty()) continue;
      const size_t comma = line.find(',');
      if (comma == std::string::npos || comma == 0 || comma + 1 == line.size()) {
        folder_.problems.push_back(
            absl::StrCat(file, ": line ", i + 1, " is \"", line, "\", not FILE,LABEL"));
        continue;
      }
      const std::string image = line.substr(0, comma);
      if (!IsFile((path(data_folder) / image).string())) {
        folder_.problems.push_back(
            absl::StrCat(file, ": line ", i + 1, " names ", image, ", which is not there"));
        continue;
      }
      labels[image] = line.substr(comma + 1);
    }
    return labels;
  }

  static absl::StatusOr<std::optional<uint32_t>> LabelOf(
      const FoundImage& image, const std::string& name, LabelSource source,
      const ClassNames& classes, const std::map<std::string, std::string>& ground_truth) {
    std::string text;
    switch (source) {
      case LabelSource::NONE:
        return std::optional<uint32_t>();
      case LabelSource::NUMBER: {
        const std::optional<uint32_t> number = NumberInName(image.file);
        if (number) return number;
        return absl::NotFoundError(
            absl::StrCat(image.file, ": has no label, for no number ends its name"));
      }
      case LabelSource::FOLDER:
        if (image.folder.empty()) {
          return absl::NotFoundError(
              absl::StrCat(image.file, ": has no label, for it is in no folder of a class"));
        }
        text = image.folder;
        break;
      case LabelSource::CSV: {
        const auto found = ground_truth.find(name);
        if (found == ground_truth.end()) {
          return absl::NotFoundError(
              absl::StrCat(image.file, ": has no label, for it is not in ground_truth.csv"));
        }
        text = found->second;
        break;
      }
    }
    const absl::StatusOr<uint32_t> label = classes.ClassOf(text);
    if (label.ok()) return std::optional<uint32_t>(*label);
    return absl::NotFoundError(
        absl::StrCat(image.file, ": has no label: ", label.status().message()));
  }

  const std::string root_;
  std::map<std::string, NetworkDescription> descriptions_;
  std::set<std::string> names_;
  BenchmarkFolder folder_;
};

}  // namespace

absl::StatusOr<BenchmarkFolder> ReadPlainFolder(const std::string& folder,
                                                const BenchmarkFolderOptions& options) {
  if (!IsFolder(folder)) {
    return absl::NotFoundError(absl::StrCat(folder, ": there is no such folder"));
  }
  Reader reader(folder);
  if (!options.descriptions.empty()) {
    if (absl::Status status = reader.ReadDescriptions(options.descriptions); !status.ok()) {
      return status;
    }
  }
  reader.ReadFolder(folder, kDepth);
  return std::move(reader).Take(options.descriptions);
}

}  // namespace nncert
