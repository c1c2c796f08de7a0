# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# BOX_WITH_NMS_LIMIT without a result: every score is below the threshold, or none is wanted.

for name, threshold, limit in [("low", 0.9, -1), ("unwanted", 0.1, 0)]:
    scores = Input("scores", ("TENSOR_FLOAT32", [2, 2]))
    rois = Input("rois", ("TENSOR_FLOAT32", [2, 8]))
    batches = Input("batches", ("TENSOR_INT32", [2]))
    out_scores = Output("outScores", ("TENSOR_FLOAT32", [0]))
    out_rois = Output("outRois", ("TENSOR_FLOAT32", [0, 4]))
    out_classes = Output("outClasses", ("TENSOR_INT32", [0]))
    out_batches = Output("outBatches", ("TENSOR_INT32", [0]))
    model = Model(name).Operation(
        "BOX_WITH_NMS_LIMIT", scores, rois, batches, threshold, limit, 1, 0.4, 1.0, 0.3
    )
    model.To(out_scores, out_rois, out_classes, out_batches)
    Example(
        {
            scores: [0.95, 0.5, 0.95, 0.75],
            rois: [0, 0, 10, 10, 0, 0, 10, 10, 5, 5, 9, 9, 5, 5, 9, 9],
            batches: [0, 1],
            out_scores: [],
            out_rois: [],
            out_classes: [],
            out_batches: [],
        }
    ).AddVariations("relaxed", "float16")
