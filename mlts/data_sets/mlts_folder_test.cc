// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/data_sets/mlts_folder.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/testing/status_is.h"
#include "mlts/data_sets/benchmark_entry.h"
#include "mlts/data_sets/testing/test_data.h"

namespace nncert {
namespace {

using hal::V1_2::OperandType;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

using hal::testing::StatusIs;

// A list of one model.
std::string ListOf(const std::string& model) {
  return absl::StrCat(R"({"models": [)", model, "]}");
}

// A model with photos.
constexpr char kPhotos[] = R"({
  "name": "net_quant_topk", "modelFile": "net_quant", "baselineSec": 0.06,
  "evaluator": {"className": "TopK", "expectedTop1": 0.596},
  "inputSize": [1, 2, 2, 3], "dataSize": 1, "inputScale": 0.007812, "inputZeroPoint": 128.0,
  "dataset": {"inputPath": "photos", "groundTruth": "photos/truth.txt",
              "labels": "photos/labels.txt", "preprocessor": "Inception"}})";

// A model with a golden pair.
constexpr char kGolden[] = R"({
  "name": "net", "inputSize": [1, 2], "dataSize": 4,
  "inputOutputs": [{"input": "net/cup.input", "output": "net/cup.output"}]})";

// Three photos with labels in the folder "photos"; the last is number 10.
void WritePhotos(const TestFolder& folder) {
  folder.Write("photos/image-0.jpeg", JpegFile(ImageOfColour(4, 4, 255, 255, 255)));
  folder.Write("photos/image-2.JPG", JpegFile(ImageOfColour(4, 4, 0, 0, 0)));
  folder.Write("photos/image-10.jpeg", JpegFile(ImageOfColour(4, 4, 0, 0, 0)));
  folder.Write("photos/LICENSE", "");
  folder.Write("photos/truth.txt", "cup\ncup\nbanana\n4\n5\n6\n7\n8\n9\n10\nspoon\n");
  folder.Write("photos/labels.txt", "background\nbanana\ncup\n");
}

// A network for kPhotos.
Network PhotoNetwork() {
  return NetworkOf({OperandOf(OperandType::TENSOR_QUANT8_ASYMM, {1, 2, 2, 3}, 0.0078125F, 128)},
                   {});
}

BenchmarkFolder Read(const TestFolder& folder, const BenchmarkFolderOptions& options = {}) {
  absl::StatusOr<BenchmarkFolder> read = ReadBenchmarkFolder(folder.path(), options);
  if (!read.ok()) {
    ADD_FAILURE() << read.status();
    return {};
  }
  return *std::move(read);
}

TEST(MltsFolderTest, AssetsAreFoundFromAbove) {
  const TestFolder folder;
  EXPECT_EQ(MltsAssetsOf(folder.path()), std::nullopt);
  folder.Write("assets/models_list/a.json", ListOf(kGolden));
  EXPECT_EQ(MltsAssetsOf(folder.path()), folder / "assets");
  EXPECT_EQ(MltsAssetsOf(folder / "assets"), folder / "assets");
  EXPECT_THAT(Read(folder).entries, SizeIs(1));
}

TEST(MltsFolderTest, GoldenFilesAreRead) {
  const TestFolder folder;
  folder.Write("models_list/a.json", ListOf(kGolden));
  folder.Write("net.tflite", "network");
  folder.Write("net/cup.input", BytesOfElements<float>({1, 2, 3, 4}));
  folder.Write("net/cup.output", BytesOfElements<float>({5, 6}));
  const BenchmarkFolder read = Read(folder);
  EXPECT_THAT(read.problems, IsEmpty());
  ASSERT_THAT(read.entries, SizeIs(1));
  const BenchmarkEntry& entry = read.entries[0];
  EXPECT_EQ(entry.name, "net");
  EXPECT_EQ(entry.model_file, folder / "net.tflite");
  EXPECT_FALSE(entry.is_missing);
  EXPECT_THAT(entry.input_shape, ElementsAre(1, 2));
  EXPECT_EQ(entry.data_size, 4);
  EXPECT_EQ(entry.evaluator, Evaluator::NONE);
  EXPECT_EQ(entry.data, "1 golden pairs");
  EXPECT_THAT(entry.notes, IsEmpty());

  const auto benchmark =
      MakeBenchmark(entry, NetworkOf({OperandOf(OperandType::TENSOR_FLOAT32, {1, 2})},
                                     {OperandOf(OperandType::TENSOR_FLOAT32, {1, 1})}));
  ASSERT_TRUE(benchmark.ok()) << benchmark.status();
  EXPECT_EQ(benchmark->name, "net");
  // printf network | sha256sum
  EXPECT_EQ(benchmark->sha256, "3009be769fb8f956e8413ee9f3e0836e34968bc40457d0a10c549d2edcf00cc1");
  const auto sequence = benchmark->data->Read(0);
  ASSERT_TRUE(sequence.ok()) << sequence.status();
  EXPECT_EQ(sequence->name, "cup");
  EXPECT_THAT(sequence->inputs, SizeIs(2));
  EXPECT_THAT(sequence->golden_outputs[1], ElementsAre(BytesOfElements<float>({6})));
}

TEST(MltsFolderTest, NetworksThatAreNotThereAreToldApart) {
  const TestFolder folder;
  folder.Write("models_list/a.json", ListOf(kGolden));
  const BenchmarkFolder read = Read(folder);
  EXPECT_THAT(read.problems, IsEmpty());
  ASSERT_THAT(read.entries, SizeIs(1));
  EXPECT_TRUE(read.entries[0].is_missing);
  EXPECT_THAT(MakeBenchmark(read.entries[0], {}),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("net.tflite")));
}

TEST(MltsFolderTest, PhotosAreReadByTheirNumbers) {
  const TestFolder folder;
  WritePhotos(folder);
  folder.Write("models_list/a.json", ListOf(kPhotos));
  const BenchmarkFolder read = Read(folder);
  EXPECT_THAT(read.problems, IsEmpty());
  ASSERT_THAT(read.entries, SizeIs(1));
  const BenchmarkEntry& entry = read.entries[0];
  EXPECT_EQ(entry.name, "net_quant_topk");
  EXPECT_EQ(entry.model_file, folder / "net_quant.tflite");
  EXPECT_EQ(entry.evaluator, Evaluator::TOP_K);
  EXPECT_EQ(entry.expected_top_1, 0.596);
  EXPECT_EQ(entry.data, "3 photos");
  ASSERT_THAT(entry.notes, SizeIs(2));
  EXPECT_THAT(entry.notes[0], HasSubstr("saturate"));
  EXPECT_EQ(entry.notes[1], "3 of the 11 photos are there");

  const auto data = entry.open(PhotoNetwork());
  ASSERT_TRUE(data.ok()) << data.status();
  ASSERT_EQ((*data)->size(), 3);
  const auto white = (*data)->Read(0);
  ASSERT_TRUE(white.ok()) << white.status();
  EXPECT_EQ(white->name, "image-0");
  EXPECT_EQ(white->label, 2);
  EXPECT_THAT(white->inputs, ElementsAre(ElementsAre(TensorBytes(12, 255))));
  EXPECT_EQ((*data)->Read(1)->label, 1);
  EXPECT_THAT((*data)->Read(2),
              StatusIs(absl::StatusCode::kNotFound,
                       absl::StrCat(folder / "photos/image-10.jpeg",
                                    ": has no label: line 10 counted from 0 of ",
                                    folder / "photos/truth.txt", ", \"spoon\" is no line of ",
                                    folder / "photos/labels.txt")));
}

TEST(MltsFolderTest, MltsPreprocessingWrapsAround) {
  const TestFolder folder;
  WritePhotos(folder);
  folder.Write("models_list/a.json", ListOf(kPhotos));
  BenchmarkFolderOptions options;
  options.preprocessing = Preprocessing::MLTS;
  const BenchmarkFolder read = Read(folder, options);
  ASSERT_THAT(read.entries, SizeIs(1));
  EXPECT_THAT(read.entries[0].notes, SizeIs(1));
  const auto data = read.entries[0].open(PhotoNetwork());
  ASSERT_TRUE(data.ok()) << data.status();
  EXPECT_THAT((*data)->Read(0)->inputs, ElementsAre(ElementsAre(TensorBytes(12, 0))));
}

TEST(MltsFolderTest, PhotosWithoutALineOrANumberAreTold) {
  const TestFolder folder;
  WritePhotos(folder);
  folder.Write("photos/truth.txt", "cup\n");
  folder.Write("photos/cover.jpeg", "");
  folder.Write("models_list/a.json", ListOf(kPhotos));
  const BenchmarkFolder read = Read(folder);
  EXPECT_THAT(read.problems,
              ElementsAre(absl::StrCat(folder / "photos/cover.jpeg",
                                       ": has no number before its extension, as image-17.jpeg "
                                       "has")));
  ASSERT_THAT(read.entries, SizeIs(1));
  const auto data = read.entries[0].open(PhotoNetwork());
  ASSERT_TRUE(data.ok()) << data.status();
  EXPECT_TRUE((*data)->Read(0).ok());
  EXPECT_THAT((*data)->Read(1),
              StatusIs(absl::StatusCode::kNotFound,
                       AllOf(HasSubstr("image-2.JPG: has no label"), HasSubstr("has no line 2"))));
}

TEST(MltsFolderTest, BrokenPhotosFailAlone) {
  const TestFolder folder;
  WritePhotos(folder);
  folder.Write("photos/image-0.jpeg", "\xFF\xD8 no more");
  folder.Write("models_list/a.json", ListOf(kPhotos));
  const BenchmarkFolder read = Read(folder);
  ASSERT_THAT(read.entries, SizeIs(1));
  const auto data = read.entries[0].open(PhotoNetwork());
  ASSERT_TRUE(data.ok()) << data.status();
  EXPECT_THAT((*data)->Read(0), StatusIs(absl::StatusCode::kInvalidArgument,
                                         HasSubstr("image-0.jpeg: is no JPEG file")));
  EXPECT_TRUE((*data)->Read(1).ok());
}

TEST(MltsFolderTest, NetworksOfOtherShapesAreTold) {
  const TestFolder folder;
  WritePhotos(folder);
  folder.Write("models_list/a.json", ListOf(absl::StrCat(kPhotos, ",", kGolden)));
  const BenchmarkFolder read = Read(folder);
  ASSERT_THAT(read.entries, SizeIs(2));
  for (const BenchmarkEntry& entry : read.entries) {
    EXPECT_THAT(entry.open(NetworkOf({OperandOf(OperandType::TENSOR_FLOAT32, {1, 9})}, {})),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         AllOf(HasSubstr("the list of models says that there is one input, [1, 2"),
                               HasSubstr("the network has 1, the first [1, 9]"))));
  }
}

TEST(MltsFolderTest, SecondVersionGetsItsOwnGoldenFiles) {
  constexpr char kModel[] = R"({
    "name": "mobilenet_v2_1.0_224_quant", "inputSize": [1], "dataSize": 1,
    "inputOutputs": [{"input": "quant/cup_224.input", "output": "quant/cup_1.0_224.output"},
                     {"input": "quant/pot_224.input", "output": "quant/pot_1.0_224.output"}]})";
  const TestFolder folder;
  folder.Write("models_list/a.json", ListOf(kModel));
  folder.Write("quant/cup_224.input", "i");
  folder.Write("quant/pot_224.input", "i");
  folder.Write("quant/cup_1.0_224.output", "1");
  folder.Write("quant/cup_v2_1.0_224.output", "2");
  folder.Write("quant/pot_1.0_224.output", "3");
  const Network network = NetworkOf({OperandOf(OperandType::TENSOR_QUANT8_ASYMM, {1}, 1)},
                                    {OperandOf(OperandType::TENSOR_QUANT8_ASYMM, {1}, 1)});
  BenchmarkFolder read = Read(folder);
  ASSERT_THAT(read.entries, SizeIs(1));
  EXPECT_THAT(read.entries[0].notes,
              ElementsAre("golden outputs are those of quant/cup_v2_1.0_224.output, where the list "
                          "names those of the first version, quant/cup_1.0_224.output"));
  auto data = *read.entries[0].open(network);
  EXPECT_EQ(data->Read(0)->golden_outputs[0][0], TensorBytes{'2'});
  // There is no other.
  EXPECT_EQ(data->Read(1)->golden_outputs[0][0], TensorBytes{'3'});

  BenchmarkFolderOptions options;
  options.golden_files_as_mlts_names_them = true;
  read = Read(folder, options);
  ASSERT_THAT(read.entries, SizeIs(1));
  EXPECT_THAT(read.entries[0].notes, IsEmpty());
  data = *read.entries[0].open(network);
  EXPECT_EQ(data->Read(0)->golden_outputs[0][0], TensorBytes{'1'});
}

TEST(MltsFolderTest, SpeechHasItsStatistics) {
  constexpr char kModel[] = R"({
    "name": "tts", "inputSize": [1, 334], "dataSize": 4,
    "evaluator": {"className": "MelCepLogF0", "outputMeanStdDev": "tts.statistics"},
    "inputOutputs": [{"input": "a.input", "outputs": ["a.output0", "a.output1"]}]})";
  const TestFolder folder;
  folder.Write("models_list/a.json", ListOf(kModel));
  // Of a network that is not there, they are not asked for.
  EXPECT_THAT(Read(folder).problems, IsEmpty());
  folder.Write("tts.tflite", "");
  BenchmarkFolder read = Read(folder);
  EXPECT_THAT(read.entries, IsEmpty());
  EXPECT_THAT(read.problems,
              ElementsAre(AllOf(StartsWith(folder / "models_list/a.json"),
                                HasSubstr("models[0].evaluator.outputMeanStdDev"),
                                HasSubstr("tts.statistics: there is no such file"))));
  folder.Write("tts.statistics", BytesOfElements<float>({1, 2, 3, 4}));
  read = Read(folder);
  ASSERT_THAT(read.entries, SizeIs(1));
  EXPECT_EQ(read.entries[0].evaluator, Evaluator::MEL_CEP_LOG_F0);
  EXPECT_THAT(read.entries[0].output_mean, ElementsAre(1, 3));
  EXPECT_THAT(read.entries[0].output_deviation, ElementsAre(2, 4));
}

TEST(MltsFolderTest, ListsAreReadInOrderAndOneAnotherDoesNotStop) {
  const TestFolder folder;
  folder.Write("models_list/b.json", ListOf(R"({
    "name": "other", "inputSize": [1], "dataSize": 1,
    "inputOutputs": [{"input": "a", "output": "b"}]})"));
  folder.Write("models_list/a.json", "{\"models\": [}");
  folder.Write("models_list/c.json", ListOf(absl::StrCat(kGolden, ",", kGolden)));
  folder.Write("models_list/d.json", "{}");
  folder.Write("models_list/README", "");
  const BenchmarkFolder read = Read(folder);
  ASSERT_THAT(read.entries, SizeIs(2));
  EXPECT_EQ(read.entries[0].name, "other");
  EXPECT_EQ(read.entries[1].name, "net");
  EXPECT_THAT(read.problems,
              ElementsAre(AllOf(StartsWith(folder / "models_list/a.json"), HasSubstr("is no JSON")),
                          absl::StrCat(folder / "models_list/c.json",
                                       ": models[1] has the name of an earlier one, net"),
                          absl::StrCat(folder / "models_list/d.json", ": models is missing")));
}

// What is wrong with an entry, and the error.
struct Mistake {
  std::string model;
  std::string error;
};

TEST(MltsFolderTest, MistakesAreToldWithTheirPlaces) {
  const std::vector<Mistake> mistakes = {
      {R"({"inputSize": [1], "dataSize": 1, "inputOutputs": []})", "models[0].name is missing"},
      {R"(7)", "models[0] is number, not an object"},
      {R"({"name": "a", "inputSize": [1, 0], "dataSize": 1, "inputOutputs": []})",
       "models[0].inputSize[1] is 0, not a whole number from 1"},
      {R"({"name": "a", "inputSize": [], "dataSize": 1, "inputOutputs": []})",
       "models[0].inputSize has no dimensions"},
      {R"({"name": "a", "inputSize": [1], "dataSize": 2, "inputOutputs": []})",
       "models[0].dataSize is neither 1 nor 4"},
      {R"({"name": "a", "inputSize": [1], "dataSize": 1, "inputOutputs": []})",
       "models[0].inputOutputs has no pairs"},
      {R"({"name": "a", "inputSize": [1], "dataSize": 1})",
       R"(models[0] must have one of "inputOutputs" and "dataset")"},
      {R"({"name": "a", "inputSize": [1], "dataSize": 1, "inputOutputs": [{"input": "x"}]})",
       R"(models[0].inputOutputs[0] must have one of "output" and "outputs")"},
      {R"({"name": "a", "inputSize": [1], "dataSize": 1, "evaluator": {"className": "BLEU"},
           "inputOutputs": [{"input": "x", "output": "y"}]})",
       R"(models[0].evaluator.className is "BLEU"; there are TopK, MelCepLogF0 and )"
       "PhoneErrorRate"},
      {R"({"name": "a", "inputSize": [1], "dataSize": 1,
           "evaluator": {"className": "TopK", "expectedTop1": 61.7},
           "inputOutputs": [{"input": "x", "output": "y"}]})",
       "models[0].evaluator.expectedTop1 is no share from 0 to 1"},
      {R"({"name": "a", "inputSize": [1, 2, 3, 3], "dataSize": 4, "dataset": {}})",
       "models[0].inputSize is not [1, SIDE, SIDE, 3], as photos want it"},
      {R"({"name": "a", "inputSize": [1, 2, 2, 3], "dataSize": 4,
           "dataset": {"preprocessor": "ResNet"}})",
       "models[0].dataset.preprocessor is not Inception, the only one there is"},
      {R"({"name": "a", "inputSize": [1, 2, 2, 3], "dataSize": 1,
           "dataset": {"preprocessor": "Inception"}})",
       "models[0].inputScale is missing"}};
  for (const Mistake& mistake : mistakes) {
    const TestFolder folder;
    folder.Write("models_list/a.json", ListOf(absl::StrCat(mistake.model, ",", kGolden)));
    const BenchmarkFolder read = Read(folder);
    EXPECT_THAT(read.problems,
                ElementsAre(absl::StrCat(folder / "models_list/a.json", ": ", mistake.error)));
    EXPECT_THAT(read.entries, SizeIs(1)) << "the rest is read";
  }
}

TEST(MltsFolderTest, PhotosThatCannotBeReadAreTold) {
  const TestFolder folder;
  folder.Write("models_list/a.json", ListOf(kPhotos));
  EXPECT_THAT(Read(folder).problems, ElementsAre(HasSubstr("photos/labels.txt: there is no such")));
  folder.Write("photos/labels.txt", "cup\n");
  EXPECT_THAT(Read(folder).problems, ElementsAre(HasSubstr("photos/truth.txt: there is no such")));
  folder.Write("photos/truth.txt", "cup\n");
  EXPECT_THAT(Read(folder).problems, ElementsAre(HasSubstr("photos: there is no photo")));
}

TEST(MltsFolderTest, FolderWithoutListsIsRefused) {
  const TestFolder folder;
  folder.Write("models_list/README", "");
  EXPECT_THAT(ReadBenchmarkFolder(folder.path(), {}),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       absl::StrCat(folder / "models_list", ": has no *.json")));
}

}  // namespace
}  // namespace nncert
