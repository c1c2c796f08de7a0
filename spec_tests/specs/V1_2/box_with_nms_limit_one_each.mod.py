# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# BOX_WITH_NMS_LIMIT that leaves one box in each image, so that there is no order to choose: because
# it suppresses the others of its class, because the others score too low, and by the limit.

SQUARE = [0, 0, 10, 10]
CORNER = [1, 1, 11, 11]
AWAY = [20, 20, 30, 40]
FAR = [50, 60, 70, 80]

# Images in any order of their batch numbers. Class 0 is the background: it never counts.
ROWS = [  # batch, scores of classes 0 to 2, box of classes 1 and 2
    (7, [0.95, 0.55, 0.05], SQUARE),
    (7, [0.95, 0.75, 0.05], CORNER),
    (7, [0.95, 0.65, 0.05], SQUARE),
    (2, [0.25, 0.05, 0.85], AWAY),
    (2, [0.95, 0.25, 0.15], FAR),
    (5, [0.05, 0.65, 0.55], FAR),
    (5, [0.05, 0.75, 0.85], AWAY),
    (5, [0.05, 0.45, 0.35], SQUARE),
]
BEST = {
    "suppressed": (0.75, CORNER, 1, 7),
    "low": (0.85, AWAY, 2, 2),
    "limited": (0.85, AWAY, 2, 5),
}

for name, limit, rows, best in [
    ("suppressed", -1, ROWS[:3], ["suppressed"]),
    ("low", -1, ROWS[3:5], ["low"]),
    ("limited", 1, ROWS[5:], ["limited"]),
    ("all", 1, ROWS, ["suppressed", "low", "limited"]),
]:
    count, total = len(rows), len(best)
    scores = Input("scores", ("TENSOR_FLOAT32", [count, 3]))
    rois = Input("rois", ("TENSOR_FLOAT32", [count, 12]))
    batches = Input("batches", ("TENSOR_INT32", [count]))
    out_scores = Output("outScores", ("TENSOR_FLOAT32", [total]))
    out_rois = Output("outRois", ("TENSOR_FLOAT32", [total, 4]))
    out_classes = Output("outClasses", ("TENSOR_INT32", [total]))
    out_batches = Output("outBatches", ("TENSOR_INT32", [total]))
    model = Model(name).Operation(
        "BOX_WITH_NMS_LIMIT", scores, rois, batches, 0.3, limit, 0, 0.4, 1.0, 0.3
    )
    model.To(out_scores, out_rois, out_classes, out_batches)
    quant8 = DataTypeConverter().Identify(
        {
            scores: ("TENSOR_QUANT8_ASYMM", 0.01, 128),
            rois: ("TENSOR_QUANT16_ASYMM", 0.125, 0),
            out_scores: ("TENSOR_QUANT8_ASYMM", 0.01, 128),
            out_rois: ("TENSOR_QUANT16_ASYMM", 0.125, 0),
        }
    )
    Example(
        {
            scores: [score for _, likely, _ in rows for score in likely],
            rois: [edge for _, _, box in rows for edge in 3 * box],
            batches: [batch for batch, _, _ in rows],
            out_scores: [BEST[k][0] for k in best],
            out_rois: [edge for k in best for edge in BEST[k][1]],
            out_classes: [BEST[k][2] for k in best],
            out_batches: [BEST[k][3] for k in best],
        }
    ).AddVariations("relaxed", "float16", quant8)
