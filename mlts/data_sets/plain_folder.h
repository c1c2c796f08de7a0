// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

// A simple layout for networks and data of one's own:
//
//   FOLDER/NAME.tflite         a network; also in folders below, up to four deep
//   FOLDER/NAME.json           what is to be known of it (optional)
//   FOLDER/NAME/               its data; or FOLDER/samples/ for the only network of a folder
//
// The data are golden files, images, or both, which makes two benchmarks, NAME_golden and
// NAME_images. A network without data gets random inputs.
//
//   X.input, X.output          golden files (see golden_data_set.h) of a sequence; X.input0,
//   X.input1
//                              and X.output0, X.output1 for several inputs and outputs; without any
//                              output nothing is known of the results
//   *.jpg, *.jpeg, *.png       images
//   LABEL/*.jpg, ...           images of the class that is called LABEL, in folders
//   labels.txt                 what classes are called, one a line, beginning with class 0; without
//                              it a class is called by its number
//   ground_truth.csv           lines FILE,LABEL for images, by their paths in the data's folder
//
// Which class an image is of, is known by ground_truth.csv if it is there, else by its folder if it
// is in one; else by the number in its name if all of them are called sampleN: sample7.png is of
// class 7. Images without any are compared with the baseline alone.
//
// NAME.json has any of these members:
//
//   "data": "samples"          the folder of the data, from that of the network
//   "labels": "number"         how classes are known: "csv", "folder", "number" (the one at the end
//                              of the name, whatever comes before) or "none"
//   "values": [-1, 1]          the real values that black and white become; [0, 1] without it
//   "values": "bytes"          for a quantized input, bytes as they are; so it is without "values"
//   "crop": 0.875              the share of the shorter side that is kept; 1 without it
//   "evaluator": "TopK"        or "MelCepLogF0", "PhoneErrorRate", "none"; TopK for labelled images
//   "expectedTop1": 0.9        the share that is expected
//   "outputMeanStdDev": FILE   as in MLTS, from the folder of the network
//   "samples": 8               how many random inputs
//
// A file that is named by BenchmarkFolderOptions::descriptions is an object of such objects by
// NAME, which count instead of NAME.json.

#ifndef NNCERT_MLTS_DATA_SETS_PLAIN_FOLDER_H_
#define NNCERT_MLTS_DATA_SETS_PLAIN_FOLDER_H_

#include <string>

#include "absl/status/statusor.h"
#include "mlts/data_sets/benchmark_entry.h"

namespace nncert {

/// The benchmarks of a folder and those below, in alphabetical order of their paths. A network is
/// called by its file's name; one whose name came before, by its path: "digits/lstm". What is wrong
/// with a network's data or its description is in BenchmarkFolder::problems. NotFound when the
/// folder is not there; InvalidArgument when it has no network, or the file of descriptions is
/// wrong.
absl::StatusOr<BenchmarkFolder> ReadPlainFolder(const std::string& folder,
                                                const BenchmarkFolderOptions& options);

}  // namespace nncert

#endif  // NNCERT_MLTS_DATA_SETS_PLAIN_FOLDER_H_
