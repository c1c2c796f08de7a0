# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# DETECTION_POSTPROCESSING: two anchors that overlap by a half, and one elsewhere. The documentation
# leaves the order of detections open; here it is by score. What is behind them means nothing.


def detect(name, is_regular, limits, threshold, has_background, golden):
    """limits: detections, classes of an anchor, detections of a class."""
    rows = limits[0]
    scores = Input("scores", ("TENSOR_FLOAT32", [1, 3, 3]))
    deltas = Input("deltas", ("TENSOR_FLOAT32", [1, 3, 5]))
    anchors = Input("anchors", ("TENSOR_FLOAT32", [3, 4]))
    out_scores = Output("outScores", ("TENSOR_FLOAT32", [1, rows]))
    out_boxes = Output("outBoxes", ("TENSOR_FLOAT32", [1, rows, 4]))
    out_classes = Output("outClasses", ("TENSOR_INT32", [1, rows]))
    out_counts = Output("outCounts", ("TENSOR_INT32", [1]))
    Model(name).Operation(
        "DETECTION_POSTPROCESSING",
        scores,
        deltas,
        anchors,
        10.0,
        8.0,
        4.0,
        2.0,
        is_regular,
        *limits,
        threshold,
        0.375,
        has_background,
    ).To(out_scores, out_boxes, out_classes, out_counts)
    filled = golden + [(0, [0, 0, 0, 0], 0)] * (rows - len(golden))
    Example(
        {
            scores: [0.9, 0.8125, 0.3125, 0.9, 0.75, 0.625, 0.9, 0.1875, 0.5],
            # The last anchor moves by (4 * 0.5, -6 * 0.25).
            deltas: [0, 0, 0, 0, 9] * 2 + [5, -2, 0, 0, -9],
            anchors: [4, 4, 8, 8, 2, 4, 4, 8, 22, 23, 4, 6],
            out_scores: [score for score, _, _ in filled],
            out_boxes: sum([box for _, box, _ in filled], []),
            out_classes: [c for _, _, c in filled],
            out_counts: [len(golden)],
        }
    ).AddVariations("relaxed", "float16")


SQUARE = [0, 0, 8, 8]
HALF = [0, 0, 4, 8]
AWAY = [22, 18.5, 26, 24.5]
REGULAR = [(0.8125, SQUARE, 0), (0.625, HALF, 1), (0.5, AWAY, 1), (0.1875, AWAY, 0)]
detect("regular", True, [5, 1, 5], 0.125, False, REGULAR)
detect("few", True, [3, 1, 5], 0.125, False, REGULAR[:3])
detect("one_each", True, [4, 1, 1], 0.125, False, REGULAR[:2])
detect("threshold", True, [4, 1, 5], 0.375, False, REGULAR[:3])
detect("background", True, [4, 1, 5], 0.125, True, [(s, box, c + 1) for s, box, c in REGULAR])
# By the best class of each anchor, the half is left out.
FAST = [(0.8125, SQUARE, 0), (0.5, AWAY, 1)]
detect("fast", False, [3, 1, 5], 0.125, False, FAST)
detect(
    "fast_classes",
    False,
    [4, 2, 5],
    0.125,
    False,
    FAST + [(0.3125, SQUARE, 1), (0.1875, AWAY, 0)],
)
