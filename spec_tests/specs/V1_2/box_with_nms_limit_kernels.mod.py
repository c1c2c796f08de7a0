# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# BOX_WITH_NMS_LIMIT with each kernel. Outputs are in order of class and score; the documentation
# leaves the order within an image open.

# With the square, the corner has an intersection over union of 81 / 119, the half one of 50 / 100;
# corner and half 36 / 114.
SQUARE = [0, 0, 10, 10]
CORNER = [1, 1, 11, 11]
HALF = [0, 0, 10, 5]
AWAY = [20, 20, 30, 40]
POINT = [0, 0, 0, 0]

LINEAR, GAUSSIAN = 1, 2
SIGMA = 0.5
THRESHOLD = 0.6


def lowered(kernel, score, overlap):
    """The score of a box after a better one."""
    if kernel == GAUSSIAN:
        return score * math.exp(-overlap * overlap / SIGMA)
    if overlap < THRESHOLD:
        return score
    return score * (1 - overlap) if kernel == LINEAR else 0.0


for name, kernel in [("hard", 0), ("linear", LINEAR), ("gaussian", GAUSSIAN)]:
    boxes = [  # of the background, of class 1, of class 2
        [POINT, CORNER, POINT],
        [POINT, HALF, AWAY],
        [POINT, SQUARE, POINT],
    ]
    likely = [[0.1, 0.8, 0.1], [0.0, 0.7, 0.95], [0.1, 0.9, 0.1]]

    # The square comes first. The half is then better than the corner, whatever the kernel.
    half = lowered(kernel, 0.7, 50 / 100)
    corner = lowered(kernel, lowered(kernel, 0.8, 81 / 119), 36 / 114)
    assert half > lowered(kernel, 0.8, 81 / 119)
    detections = [(0.9, SQUARE, 1), (half, HALF, 1), (corner, CORNER, 1), (0.95, AWAY, 2)]
    detections = [detection for detection in detections if detection[0] >= 0.2]
    assert len(detections) == (3 if name == "hard" else 4)

    count = len(detections)
    scores = Input("scores", ("TENSOR_FLOAT32", [3, 3]))
    rois = Input("rois", ("TENSOR_FLOAT32", [3, 12]))
    batches = Input("batches", ("TENSOR_INT32", [3]))
    out_scores = Output("outScores", ("TENSOR_FLOAT32", [count]))
    out_rois = Output("outRois", ("TENSOR_FLOAT32", [count, 4]))
    out_classes = Output("outClasses", ("TENSOR_INT32", [count]))
    out_batches = Output("outBatches", ("TENSOR_INT32", [count]))
    model = Model(name).Operation(
        "BOX_WITH_NMS_LIMIT", scores, rois, batches, 0.2, -1, kernel, THRESHOLD, SIGMA, 0.2
    )
    model.To(out_scores, out_rois, out_classes, out_batches)
    quant8 = DataTypeConverter().Identify(
        {
            scores: ("TENSOR_QUANT8_ASYMM", 0.01, 20),
            rois: ("TENSOR_QUANT16_ASYMM", 0.125, 0),
            out_scores: ("TENSOR_QUANT8_ASYMM", 0.01, 20),
            out_rois: ("TENSOR_QUANT16_ASYMM", 0.125, 0),
        }
    )
    Example(
        {
            scores: sum(likely, []),
            rois: [edge for row in boxes for box in row for edge in box],
            batches: [4, 4, 4],
            out_scores: [score for score, _, _ in detections],
            out_rois: [edge for _, box, _ in detections for edge in box],
            out_classes: [c for _, _, c in detections],
            out_batches: [4] * count,
        }
    ).AddVariations("relaxed", "float16", quant8)
