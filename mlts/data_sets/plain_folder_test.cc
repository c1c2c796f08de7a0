// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/data_sets/plain_folder.h"

#include <map>
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
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

using hal::testing::StatusIs;

BenchmarkFolder Read(const TestFolder& folder, const BenchmarkFolderOptions& options = {}) {
  absl::StatusOr<BenchmarkFolder> read = ReadBenchmarkFolder(folder.path(), options);
  if (!read.ok()) {
    ADD_FAILURE() << read.status();
    return {};
  }
  return *std::move(read);
}

// A PNG file of two by two grey pixels.
std::vector<uint8_t> Picture(uint8_t grey) {
  return PngFile(ImageOfColour(2, 2, grey, grey, grey));
}

// A network of small images.
Network PictureNetwork() {
  return NetworkOf({OperandOf(OperandType::TENSOR_FLOAT32, {1, 2, 2})}, {});
}

// The labels of an entry's sequences by their names, or the messages of their errors.
std::map<std::string, std::string> LabelsOf(const BenchmarkEntry& entry) {
  const auto data = entry.open(PictureNetwork());
  if (!data.ok()) {
    ADD_FAILURE() << data.status();
    return {};
  }
  std::map<std::string, std::string> labels;
  for (size_t i = 0; i < (*data)->size(); ++i) {
    const auto sequence = (*data)->Read(i);
    if (!sequence.ok()) {
      labels[absl::StrCat("error ", i)] = std::string(sequence.status().message());
    } else {
      labels[sequence->name] = sequence->label ? absl::StrCat(*sequence->label) : "none";
    }
  }
  return labels;
}

using Labels = std::map<std::string, std::string>;

TEST(PlainFolderTest, NetworksAreFoundInFolders) {
  const TestFolder folder;
  folder.Write("b.tflite", "");
  folder.Write("a/deep/c.tflite", "");
  folder.Write("a/b.tflite", "");
  folder.Write("readme.txt", "");
  const BenchmarkFolder read = Read(folder);
  EXPECT_THAT(read.problems, IsEmpty());
  std::vector<std::string> names;
  for (const BenchmarkEntry& entry : read.entries) {
    names.push_back(entry.name);
    EXPECT_EQ(entry.data, "random");
    EXPECT_FALSE(entry.is_missing);
  }
  EXPECT_THAT(names, ElementsAre("b", "a/b", "c"));
}

TEST(PlainFolderTest, WithoutDataInputsAreRandom) {
  const TestFolder folder;
  folder.Write("net.tflite", "");
  folder.Write("net.json", R"({"samples": 3})");
  const BenchmarkFolder read = Read(folder);
  ASSERT_THAT(read.entries, SizeIs(1));
  const auto data = read.entries[0].open(PictureNetwork());
  ASSERT_TRUE(data.ok()) << data.status();
  EXPECT_EQ((*data)->size(), 3);
  EXPECT_TRUE((*data)->Read(2).ok());
}

TEST(PlainFolderTest, GoldenFilesArePaired) {
  const TestFolder folder;
  folder.Write("net.tflite", "");
  folder.Write("net/a.input", BytesOfElements<float>({1, 2, 3, 4}));
  folder.Write("net/a.output", "");
  folder.Write("net/b.input0", BytesOfElements<float>({1, 2, 3, 4}));
  folder.Write("net/c.output", "");
  folder.Write("net/d.input1", "");
  const BenchmarkFolder read = Read(folder);
  EXPECT_THAT(read.problems,
              ElementsAre(absl::StrCat(folder / "net/d.input1", ": there is no number 0 before it"),
                          absl::StrCat(folder / "net/c.output", ": there is no c.input for it")));
  ASSERT_THAT(read.entries, SizeIs(1));
  EXPECT_EQ(read.entries[0].name, "net");
  EXPECT_EQ(read.entries[0].data, "2 golden pairs");
  const auto data = read.entries[0].open(PictureNetwork());
  ASSERT_TRUE(data.ok()) << data.status();
  EXPECT_THAT((*data)->Read(0),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("there are 1 golden files")));
  const auto sequence = (*data)->Read(1);
  ASSERT_TRUE(sequence.ok()) << sequence.status();
  EXPECT_EQ(sequence->name, "b");
  EXPECT_THAT(sequence->golden_outputs, IsEmpty());
}

TEST(PlainFolderTest, BothKindsMakeTwoBenchmarks) {
  const TestFolder folder;
  folder.Write("net.tflite", "");
  folder.Write("net/a.input", "");
  folder.Write("net/a.png", Picture(1));
  const BenchmarkFolder read = Read(folder);
  ASSERT_THAT(read.entries, SizeIs(2));
  EXPECT_EQ(read.entries[0].name, "net_golden");
  EXPECT_EQ(read.entries[1].name, "net_images");
}

TEST(PlainFolderTest, FoldersAreClasses) {
  const TestFolder folder;
  folder.Write("net.tflite", "");
  folder.Write("net/labels.txt", "cat\ndog\n");
  folder.Write("net/dog/a.png", Picture(1));
  folder.Write("net/cat/a.jpg", JpegFile(ImageOfColour(2, 2, 1, 2, 3)));
  folder.Write("net/cow/a.png", Picture(1));
  folder.Write("net/stray.png", Picture(1));
  const BenchmarkFolder read = Read(folder);
  EXPECT_THAT(read.problems, IsEmpty());
  ASSERT_THAT(read.entries, SizeIs(1));
  EXPECT_EQ(read.entries[0].evaluator, Evaluator::TOP_K);
  EXPECT_EQ(read.entries[0].data, "4 images");
  EXPECT_EQ(
      LabelsOf(read.entries[0]),
      (Labels{{"cat/a.jpg", "0"},
              {"dog/a.png", "1"},
              {"error 1",
               absl::StrCat(folder / "net/cow/a.png", ": has no label: \"cow\" is no line of ",
                            folder / "net/labels.txt")},
              {"error 3", absl::StrCat(folder / "net/stray.png",
                                       ": has no label, for it is in no folder of a class")}}));
}

TEST(PlainFolderTest, ClassesWithoutTextsAreNumbers) {
  const TestFolder folder;
  folder.Write("net.tflite", "");
  folder.Write("net/3/a.png", Picture(1));
  folder.Write("net/dog/b.png", Picture(1));
  const BenchmarkFolder read = Read(folder);
  ASSERT_THAT(read.entries, SizeIs(1));
  const Labels labels = LabelsOf(read.entries[0]);
  EXPECT_EQ(labels.at("3/a.png"), "3");
  EXPECT_THAT(labels.at("error 1"), HasSubstr("\"dog\" is no number of a class"));
}

TEST(PlainFolderTest, TableSaysTheClasses) {
  const TestFolder folder;
  folder.Write("net.tflite", "");
  folder.Write("net/labels.txt", "cat, small\ndog\n");
  folder.Write("net/ground_truth.csv", "a.png,dog\nx/b.png,cat, small\n\nwrong\nnone.png,dog\n");
  folder.Write("net/a.png", Picture(1));
  folder.Write("net/c.png", Picture(1));
  folder.Write("net/x/b.png", Picture(1));
  const BenchmarkFolder read = Read(folder);
  const std::string table = folder / "net/ground_truth.csv";
  EXPECT_THAT(read.problems, ElementsAre(table + ": line 4 is \"wrong\", not FILE,LABEL",
                                         table + ": line 5 names none.png, which is not there"));
  ASSERT_THAT(read.entries, SizeIs(1));
  EXPECT_EQ(
      LabelsOf(read.entries[0]),
      (Labels{{"a.png", "1"},
              {"x/b.png", "0"},
              {"error 1", absl::StrCat(folder / "net/c.png",
                                       ": has no label, for it is not in ground_truth.csv")}}));
}

TEST(PlainFolderTest, NumberedSamplesAreOfTheirClasses) {
  const TestFolder folder;
  folder.Write("digits/trained.tflite", "");
  folder.Write("digits/samples/sample7.png", Picture(255));
  folder.Write("digits/samples/sample0.png", Picture(0));
  const BenchmarkFolder read = Read(folder);
  EXPECT_THAT(read.problems, IsEmpty());
  ASSERT_THAT(read.entries, SizeIs(1));
  EXPECT_EQ(read.entries[0].name, "trained");
  EXPECT_EQ(read.entries[0].evaluator, Evaluator::TOP_K);
  EXPECT_EQ(LabelsOf(read.entries[0]), (Labels{{"sample0.png", "0"}, {"sample7.png", "7"}}));
  const auto data = read.entries[0].open(PictureNetwork());
  ASSERT_TRUE(data.ok()) << data.status();
  EXPECT_EQ((*data)->Read(1)->inputs[0][0], BytesOfElements<float>({1, 1, 1, 1}));
}

TEST(PlainFolderTest, OtherNamesSayNoClass) {
  const TestFolder folder;
  folder.Write("trained.tflite", "");
  folder.Write("samples/sample7.png", Picture(255));
  folder.Write("samples/picture8.png", Picture(255));
  const BenchmarkFolder read = Read(folder);
  ASSERT_THAT(read.entries, SizeIs(1));
  EXPECT_EQ(read.entries[0].evaluator, Evaluator::NONE);
  EXPECT_EQ(read.entries[0].data, "2 images without labels");
  EXPECT_EQ(LabelsOf(read.entries[0]), (Labels{{"picture8.png", "none"}, {"sample7.png", "none"}}));
}

TEST(PlainFolderTest, SamplesBelongToTheOnlyNetwork) {
  const TestFolder folder;
  folder.Write("a.tflite", "");
  folder.Write("b.tflite", "");
  folder.Write("samples/sample7.png", Picture(255));
  for (const BenchmarkEntry& entry : Read(folder).entries) EXPECT_EQ(entry.data, "random");
}

TEST(PlainFolderTest, DescriptionCounts) {
  const TestFolder folder;
  folder.Write("net.tflite", "");
  folder.Write("net.json", R"({"data": "pictures", "labels": "number", "values": [-1, 3],
    "evaluator": "none", "expectedTop1": 0.9, "outputMeanStdDev": "statistics"})");
  folder.Write("pictures/a5.png", Picture(255));
  folder.Write("pictures/b.png", Picture(255));
  folder.Write("statistics", BytesOfElements<float>({1, 2}));
  const BenchmarkFolder read = Read(folder);
  EXPECT_THAT(read.problems, IsEmpty());
  ASSERT_THAT(read.entries, SizeIs(1));
  const BenchmarkEntry& entry = read.entries[0];
  EXPECT_EQ(entry.evaluator, Evaluator::NONE);
  EXPECT_EQ(entry.expected_top_1, 0.9);
  EXPECT_THAT(entry.output_mean, ElementsAre(1));
  EXPECT_THAT(entry.output_deviation, ElementsAre(2));
  EXPECT_EQ(LabelsOf(entry),
            (Labels{{"a5.png", "5"},
                    {"error 1", absl::StrCat(folder / "pictures/b.png",
                                             ": has no label, for no number ends its name")}}));
  const auto data = entry.open(PictureNetwork());
  ASSERT_TRUE(data.ok()) << data.status();
  EXPECT_EQ((*data)->Read(0)->inputs[0][0], BytesOfElements<float>({3, 3, 3, 3}));
}

TEST(PlainFolderTest, QuantizedInputsGetBytesUnlessValuesAreSaid) {
  const TestFolder folder;
  folder.Write("net.tflite", "");
  folder.Write("net/sample1.png", Picture(100));
  const Network network =
      NetworkOf({OperandOf(OperandType::TENSOR_QUANT8_ASYMM, {1, 2, 2}, 1.0F / 51, 7)}, {});
  for (const auto& [json, byte] : std::map<std::string, uint8_t>{
           {"{}", 100}, {R"({"values": "bytes"})", 100}, {R"({"values": [0, 1]})", 27}}) {
    folder.Write("net.json", json);
    const auto data = Read(folder).entries.at(0).open(network);
    ASSERT_TRUE(data.ok()) << data.status();
    EXPECT_EQ((*data)->Read(0)->inputs[0][0], TensorBytes(4, byte)) << json;
  }
}

TEST(PlainFolderTest, FileOfDescriptionsCountsInstead) {
  const TestFolder folder;
  const TestFolder elsewhere;
  folder.Write("net.tflite", "");
  folder.Write("net.json", "not read");
  folder.Write("net/a5.png", Picture(255));
  BenchmarkFolderOptions options;
  options.descriptions =
      elsewhere.Write("all.json", R"({"net": {"labels": "number"}, "nett": {"crop": 0.5}})");
  const BenchmarkFolder read = Read(folder, options);
  EXPECT_THAT(read.problems,
              ElementsAre(absl::StrCat(options.descriptions, ": nett is the name of no network in ",
                                       folder.path())));
  ASSERT_THAT(read.entries, SizeIs(1));
  EXPECT_EQ(LabelsOf(read.entries[0]), (Labels{{"a5.png", "5"}}));
}

TEST(PlainFolderTest, WrongFileOfDescriptionsIsRefused) {
  const TestFolder folder;
  folder.Write("net.tflite", "");
  BenchmarkFolderOptions options;
  options.descriptions = folder.Write("all.json", R"({"net": {"labels": "guess"}})");
  EXPECT_THAT(ReadBenchmarkFolder(folder.path(), options),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       absl::StrCat(options.descriptions,
                                    ": net.labels is none of \"csv\", "
                                    "\"folder\", \"number\", \"none\"")));
  options.descriptions = folder / "none.json";
  EXPECT_THAT(ReadBenchmarkFolder(folder.path(), options),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("none.json")));
}

TEST(PlainFolderTest, MistakesInDescriptionsAreToldAndTheRestIsRead) {
  const std::map<std::string, std::string> mistakes = {
      {R"({"crop": 0})", "crop is no share above 0 and up to 1"},
      {R"({"crop": "all"})", "crop is string, not a number"},
      {R"({"corp": 1})",
       "has the unknown member \"corp\"; there are crop, data, evaluator, "
       "expectedTop1, labels, outputMeanStdDev, samples, values"},
      {R"({"values": [1]})", "values is neither \"bytes\" nor a list of two numbers"},
      {R"({"values": "raw"})", "values is neither \"bytes\" nor a list of two numbers"},
      {R"({"values": [0, 1e300]})", "values is not finite"},
      {R"({"evaluator": "BLEU"})",
       "evaluator is none of \"TopK\", \"MelCepLogF0\", \"PhoneErrorRate\", \"none\""},
      {R"({"expectedTop1": 2})", "expectedTop1 is no share from 0 to 1"},
      {R"({"samples": 0})", "samples is 0, not a whole number from 1"},
      {"[]", "is array, not an object"}};
  for (const auto& [json, error] : mistakes) {
    const TestFolder folder;
    folder.Write("net.tflite", "");
    folder.Write("other.tflite", "");
    folder.Write("net.json", json);
    const BenchmarkFolder read = Read(folder);
    EXPECT_THAT(read.problems, ElementsAre(absl::StrCat(folder / "net.json", ": ", error)));
    EXPECT_THAT(read.entries, SizeIs(1));
  }
}

TEST(PlainFolderTest, DataThatIsNotThereIsTold) {
  const TestFolder folder;
  folder.Write("net.tflite", "");
  folder.Write("net.json", R"({"data": "nowhere"})");
  EXPECT_THAT(Read(folder).problems,
              ElementsAre(absl::StrCat(folder / "nowhere", ": there is no such folder")));
  folder.Write("nowhere/readme", "");
  EXPECT_THAT(Read(folder).problems,
              ElementsAre(absl::StrCat(folder / "nowhere",
                                       ": has neither golden files nor images; "
                                       "net gets random inputs")));
}

TEST(PlainFolderTest, FoldersWithoutNetworksAreRefused) {
  const TestFolder folder;
  EXPECT_THAT(ReadBenchmarkFolder(folder.path(), {}),
              StatusIs(absl::StatusCode::kInvalidArgument, folder.path() + ": has no *.tflite"));
  EXPECT_THAT(
      ReadBenchmarkFolder(folder / "none", {}),
      StatusIs(absl::StatusCode::kNotFound, (folder / "none") + ": there is no such folder"));
}

}  // namespace
}  // namespace nncert
