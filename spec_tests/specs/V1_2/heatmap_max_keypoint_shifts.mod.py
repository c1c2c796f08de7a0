# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# HEATMAP_MAX_KEYPOINT: two maps of 4 x 4 for each of two boxes.

layout = BoolScalar("layout", False)

# Slopes 1 and -1, second differences -10 and -8: the maximum is (1/10, -1/8) beside the middle of
# row 1, column 2, and (1/10 + 1/8) / 2 higher.
BETWEEN = [0, 0, 5, 0, 0, 2, 8, 4, 0, 0, 3, 0, 0, 0, 0, 0]
# In a corner, the neighbours are mirrored: no slope, no shift.
CORNER = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6, 1, 0, 0]
# At the right edge, a slope of 1 and a second difference of 1 - 12 + 3 = -8 along y.
EDGE = [0, 0, 0, 1, 0, 0, 0, 6, 0, 0, 0, 3, 0, 0, 0, 0]
# Slopes 1 and 2, second differences -3, -5 and 3.75: (12.5, 9.75) / 0.9375 is scaled back to 1.5.
FAR = [-9, -9, -9, -9, -9, 3.5, -0.5, -4, -9, 1.5, 4, 3.5, -9, -4, 3.5, 3.5]

heatmaps = Input("heatmaps", ("TENSOR_FLOAT32", [2, 4, 4, 2]))
boxes = Input("boxes", ("TENSOR_FLOAT32", [2, 4]))
scores = Output("scores", ("TENSOR_FLOAT32", [2, 2]))
keypoints = Output("keypoints", ("TENSOR_FLOAT32", [2, 2, 2]))
Model().Operation("HEATMAP_MAX_KEYPOINT", heatmaps, boxes, layout).To(scores, keypoints)

quant8 = DataTypeConverter().Identify(
    {
        heatmaps: ("TENSOR_QUANT8_ASYMM", 0.5, 100),
        boxes: ("TENSOR_QUANT16_ASYMM", 0.125, 0),
        scores: ("TENSOR_QUANT8_ASYMM", 0.0625, 10),
        keypoints: ("TENSOR_QUANT16_ASYMM", 0.125, 0),
    }
)
dx, dy = 1.5, 1.5 * 9.75 / 12.5
Example(
    {
        heatmaps: [e for pair in zip(BETWEEN, CORNER) for e in pair]
        + [e for pair in zip(EDGE, FAR) for e in pair],
        # Pixels of 2 x 4 and of 1 x 1.
        boxes: [10, 20, 18, 36, 0, 8, 4, 12],
        scores: [
            8.1125,
            6,
            6 + 1 / 16,
            4 + dx + 2 * dy - 1.5 * dx * dx - 2.5 * dy * dy + 3.75 * dx * dy,
        ],
        keypoints: [
            10 + 2 * 2.6,
            20 + 4 * 1.375,
            10 + 2 * 0.5,
            20 + 4 * 3.5,
            3.5,
            8 + 1.5 + 1 / 8,
            2.5 + dx,
            8 + 2.5 + dy,
        ],
    }
).AddNchw(heatmaps, layout).AddVariations("relaxed", "float16", quant8)
