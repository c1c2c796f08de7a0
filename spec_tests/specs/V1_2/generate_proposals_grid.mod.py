# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# GENERATE_PROPOSALS: two places ten apart with two anchors, a square and its upper half, in two
# images. The order within an image is open; here it is by score.

layout = BoolScalar("layout", False)


def propose(name, limits, overlap, size, golden):
    count = len(golden)
    scores = Input("scores", ("TENSOR_FLOAT32", [2, 1, 2, 2]))
    deltas = Input("deltas", ("TENSOR_FLOAT32", [2, 1, 2, 8]))
    anchors = Input("anchors", ("TENSOR_FLOAT32", [2, 4]))
    sizes = Input("sizes", ("TENSOR_FLOAT32", [2, 2]))
    out_scores = Output("outScores", ("TENSOR_FLOAT32", [count]))
    out_boxes = Output("outBoxes", ("TENSOR_FLOAT32", [count, 4]))
    out_batches = Output("outBatches", ("TENSOR_INT32", [count]))
    Model(name).Operation(
        "GENERATE_PROPOSALS",
        scores,
        deltas,
        anchors,
        sizes,
        10.0,
        10.0,
        *limits,
        overlap,
        size,
        layout,
    ).To(out_scores, out_boxes, out_batches)
    quant8 = DataTypeConverter().Identify(
        {
            scores: ("TENSOR_QUANT8_ASYMM", 0.0625, 0),
            deltas: ("TENSOR_QUANT8_ASYMM", 0.125, 128),
            anchors: ("TENSOR_QUANT16_SYMM", 0.125, 0),
            sizes: ("TENSOR_QUANT16_ASYMM", 0.125, 0),
            out_scores: ("TENSOR_QUANT8_ASYMM", 0.0625, 0),
            out_boxes: ("TENSOR_QUANT16_ASYMM", 0.125, 0),
        }
    )
    Example(
        {
            scores: [0.5, 0.625, 0.8125, 0.75, 0.9375, 0.125, 0.3125, 0.4375],
            # The square at the first place of the second image moves four to the right.
            deltas: [0] * 16 + [0.5] + [0] * 15,
            anchors: [0, 0, 8, 8, 0, 0, 8, 4],
            sizes: [100, 100, 100, 14],
            out_scores: [score for score, _, _ in golden],
            out_boxes: sum([box for _, box, _ in golden], []),
            out_batches: [batch for _, _, batch in golden],
        }
    ).AddNchw(scores, deltas, layout).AddVariations("relaxed", "float16", quant8)


FIRST = [
    (0.8125, [10, 0, 18, 8], 0),
    (0.75, [10, 0, 18, 4], 0),
    (0.625, [0, 0, 8, 4], 0),
    (0.5, [0, 0, 8, 8], 0),
]
# The image is 14 wide. The square at [4, 12] overlaps the half at [0, 8] by 16 / 80, and what is
# left at the second place by 16 / 80 and 8 / 72.
SECOND = [
    (0.9375, [4, 0, 12, 8], 1),
    (0.4375, [10, 0, 14, 4], 1),
    (0.3125, [10, 0, 14, 8], 1),
    (0.125, [0, 0, 8, 4], 1),
]
propose("all", [-1, 0], 0.625, 1.0, FIRST + SECOND)
# Half and square at one place have an overlap of a half.
propose("overlap", [-1, -1], 0.375, 1.0, [FIRST[0], FIRST[2], SECOND[0], SECOND[1], SECOND[3]])
propose("before", [2, -1], 0.375, 1.0, [FIRST[0], SECOND[0], SECOND[1]])
propose("after", [0, 3], 0.625, 1.0, FIRST[:3] + SECOND[:3])
# Boxes of four pixels are too small.
propose("size", [0, 0], 0.625, 5.0, [FIRST[0], FIRST[3], SECOND[0]])
