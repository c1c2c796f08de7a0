# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0

# A batch without any image goes through CONV_2D, AVERAGE_POOL_2D and FULLY_CONNECTED, as HAL 1.2
# has it, and the result has no rows. The batch is empty because a detection finds nothing: no box
# of class 1 scores above 0.3.

scores = Parameter("scores", ("TENSOR_FLOAT32", [1, 2]), [0.9, 0.1])
boxes = Parameter("boxes", ("TENSOR_FLOAT32", [1, 8]), [0, 0, 4, 4, 0, 0, 4, 4])
kept_scores = Output("keptScores", ("TENSOR_FLOAT32", [0]))
kept_boxes = Internal("keptBoxes", ("TENSOR_FLOAT32", [0, 4]))
kept_classes = Output("keptClasses", ("TENSOR_INT32", [0]))
kept_batches = Internal("keptBatches", ("TENSOR_INT32", [0]))
model = Model().Operation("BOX_WITH_NMS_LIMIT", scores, boxes, [0], 0.3, -1, 0, 0.4, 1.0, 0.3)
model.To(kept_scores, kept_boxes, kept_classes, kept_batches)

layout = BoolScalar("layout", False)
image = Input("image", ("TENSOR_FLOAT32", [1, 2, 2, 2]))
crops = Internal("crops", ("TENSOR_FLOAT32", [0, 4, 4, 2]))
model.Operation("ROI_ALIGN", image, kept_boxes, kept_batches, 4, 4, 2.0, 2.0, 0, 0, layout)
model.To(crops)

w = Parameter("w", ("TENSOR_FLOAT32", [3, 2, 2, 2]), list(range(24)))
b = Parameter("b", ("TENSOR_FLOAT32", [3]), [1, 2, 3])
features = Internal("features", ("TENSOR_FLOAT32", [0, 3, 3, 3]))
model.Operation("CONV_2D", crops, w, b, 0, 0, 0, 0, 1, 1, 0, layout).To(features)

pooled = Internal("pooled", ("TENSOR_FLOAT32", [0, 2, 2, 3]))
model.Operation("AVERAGE_POOL_2D", features, 2, 1, 1, 2, 2, 0, layout).To(pooled)

v = Parameter("v", ("TENSOR_FLOAT32", [2, 12]), list(range(24)))
c = Parameter("c", ("TENSOR_FLOAT32", [2]), [1, 2])
y = Output("y", ("TENSOR_FLOAT32", [0, 2]))
model.Operation("FULLY_CONNECTED", pooled, v, c, 0).To(y)

quant8 = DataTypeConverter().Identify(
    {
        scores: ("TENSOR_QUANT8_ASYMM", 0.1, 128),
        boxes: ("TENSOR_QUANT16_ASYMM", 0.125, 0),
        kept_scores: ("TENSOR_QUANT8_ASYMM", 0.1, 128),
        kept_boxes: ("TENSOR_QUANT16_ASYMM", 0.125, 0),
        image: ("TENSOR_QUANT8_ASYMM", 0.5, 100),
        crops: ("TENSOR_QUANT8_ASYMM", 0.5, 100),
        w: ("TENSOR_QUANT8_ASYMM", 0.25, 30),
        b: ("TENSOR_INT32", 0.125, 0),
        features: ("TENSOR_QUANT8_ASYMM", 0.5, 100),
        pooled: ("TENSOR_QUANT8_ASYMM", 0.5, 100),
        v: ("TENSOR_QUANT8_ASYMM", 0.25, 30),
        c: ("TENSOR_INT32", 0.125, 0),
        y: ("TENSOR_QUANT8_ASYMM", 0.5, 100),
    }
)

Example(
    {
        image: [1, 2, 3, 4, 5, 6, 7, 8],
        kept_scores: [],
        kept_classes: [],
        y: [],
    }
).AddNchw(
    image, crops, features, pooled, layout
).AddVariations("relaxed", "float16", quant8)
