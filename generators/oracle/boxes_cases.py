# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Cases of the operations of boxes.py."""

from __future__ import annotations

import itertools
from typing import Final, Optional

import numpy as np

from .layouts import STATED_LAYOUTS
from .operands import (
    FLOAT16,
    FLOAT16_BESIDE_FLOAT32,
    FLOATS,
    FLOATS_AND_QUANT8,
    QUANT8,
    Array,
    Kind,
    Operand,
    Output,
    Quantization,
    Role,
    boolean,
    int32,
    int32s,
    quantization,
    tensor,
)
from .registry import Cases, cases

_WITH_SCALARS: Final = (*FLOATS_AND_QUANT8, FLOAT16_BESIDE_FLOAT32)
_COORDINATES: Final = quantization(0.125, 0)
_QUANT16: Final = "TENSOR_QUANT16_ASYMM"
_INT32: Final = Output("TENSOR_INT32")


def _boxes(made: Cases, count: int, height: float, width: float, least: float = 4.0) -> Array:
    """Boxes [x1, y1, x2, y2] in an image, in eighths of a pixel and of some size."""
    corners = []
    for limit in (width, height):
        ends = np.sort(made.uniform(0, limit - least, count, 2), 1)
        ends[:, 1] += least
        corners.append(np.round(ends * 8) / 8)
    x, y = corners
    return np.stack([x[:, 0], y[:, 0], x[:, 1], y[:, 1]], 1)


def _box_operand(kind: Kind, values: Array) -> Operand:
    if kind is QUANT8:
        return tensor(_QUANT16, values, _COORDINATES)
    return kind.make(values)


def _score_quantization(kind: Kind) -> Optional[Quantization]:
    return quantization(1 / 250, 3) if kind is QUANT8 else None


def _box_output(kind: Kind) -> Output:
    return Output(_QUANT16, _COORDINATES) if kind is QUANT8 else kind.output()


def _numbers(values: Array) -> Operand:
    return int32s(values, Role.INPUT)


@cases("AXIS_ALIGNED_BBOX_TRANSFORM")
def _bounding_box_transform(made: Cases) -> None:
    for kind in FLOATS_AND_QUANT8:
        for classes in (1, 3):
            sizes = np.array([[64.0, 128.0], [100.0, 50.0]])
            boxes = _boxes(made, 5, 64, 50)
            # Some leave the image.
            deltas = made.uniform(-1, 1, 5, 4 * classes)
            made.add(
                f"{kind.name}_classes{classes}",
                [
                    _box_operand(kind, boxes),
                    kind.make(deltas),
                    _numbers(np.array([0, 0, 1, 1, 1])),
                    _box_operand(kind, sizes),
                ],
                [_box_output(kind)],
            )
        made.add(
            f"{kind.name}_empty",
            [
                _box_operand(kind, np.zeros((0, 4))),
                kind.make(np.zeros((0, 8))),
                _numbers(np.zeros(0)),
                _box_operand(kind, np.array([[64.0, 128.0]])),
            ],
            [_box_output(kind)],
        )


@cases("BOX_WITH_NMS_LIMIT")
def _box_with_nms_limit(made: Cases) -> None:
    count, classes = 14, 4
    for kind, kernel, limit in itertools.product(_WITH_SCALARS, range(3), (-1, 2, 7)):
        # Few enough to be different in 8 bits; boxes large enough to overlap.
        scores = made.distinct(0.05, 0.99, count, classes)
        boxes = np.concatenate([_boxes(made, count, 30, 40, 15.0) for _ in range(classes)], 1)
        batches = np.repeat([0, 2], [8, 6])
        made.add(
            f"{kind.name}_kernel{kernel}_limit{limit}".replace("-", "minus"),
            [
                kind.make(scores, _score_quantization(kind)),
                _box_operand(kind, boxes),
                _numbers(batches),
                kind.real(0.2103),
                int32(limit),
                int32(kernel),
                kind.real(0.4017),
                kind.real(0.5),
                kind.real(0.1501),
            ],
            [
                kind.output(_score_quantization(kind)),
                _box_output(kind),
                _INT32,
                _INT32,
            ],
        )
    for kind in _WITH_SCALARS:
        made.add(
            f"{kind.name}_empty",
            [
                kind.make(np.zeros((0, 2)), _score_quantization(kind)),
                _box_operand(kind, np.zeros((0, 8))),
                _numbers(np.zeros(0)),
                kind.real(0.5),
                int32(-1),
                int32(0),
                *(kind.real(0.5) for _ in range(3)),
            ],
            [kind.output(_score_quantization(kind)), _box_output(kind), _INT32, _INT32],
        )


@cases("GENERATE_PROPOSALS")
def _generate_proposals(made: Cases) -> None:
    anchors = np.array([[-8.0, -8, 12, 12], [-16, -4, 16, 8], [-5, -20, 9, 20]])
    sizes = np.array([[48.0, 64.0], [40.0, 70.0]])
    limits = {"unlimited": (-1, -1), "before": (9, 0), "after": (0, 4), "both": (20, 5)}
    for kind, layout, (name, (before, after)) in itertools.product(
        _WITH_SCALARS, STATED_LAYOUTS, limits.items()
    ):
        scores = made.distinct(0.01, 0.99, 2, 3, 4, 3)
        deltas = made.uniform(-0.5, 0.5, 2, 3, 4, 12)
        anchor_operand = (
            tensor("TENSOR_QUANT16_SYMM", anchors, _COORDINATES)
            if kind is QUANT8
            else kind.make(anchors)
        )
        made.add(
            f"{kind.name}_{name}_{layout.name}",
            [
                kind.make(layout.image(scores), _score_quantization(kind)),
                kind.make(layout.image(deltas)),
                anchor_operand,
                _box_operand(kind, sizes),
                kind.real(16.0),
                kind.real(14.5),
                int32(before),
                int32(after),
                kind.real(0.4517),
                kind.real(6.3),
                *layout.operands,
            ],
            [kind.output(_score_quantization(kind)), _box_output(kind), _INT32],
        )


@cases("DETECTION_POSTPROCESSING")
def _detection_postprocessing(made: Cases) -> None:
    count, classes, encoding = 10, 4, 5
    for kind, is_regular, has_background, limit, best_classes in itertools.product(
        (*FLOATS, FLOAT16_BESIDE_FLOAT32), (False, True), (False, True), (3, 30), (1, 2)
    ):
        # The documentation has thresholds of the kind of the scores, and FLOAT32 for scales alone.
        of_thresholds = FLOAT16 if kind is FLOAT16_BESIDE_FLOAT32 else kind
        scores = made.distinct(0.02, 0.98, 2, count, classes)
        deltas = made.uniform(-1, 1, 2, count, encoding)
        centres = made.uniform(0.2, 0.8, count, 2)
        anchors = np.concatenate([centres, made.uniform(0.3, 0.6, count, 2)], 1)
        made.add(
            f"{kind.name}_{'regular' if is_regular else 'fast'}"
            f"{'_background' * has_background}_limit{limit}_classes{best_classes}",
            [
                kind.make(scores),
                kind.make(deltas),
                kind.make(anchors),
                *(kind.real(scale) for scale in (10.0, 8.0, 5.0, 4.0)),
                boolean(is_regular),
                int32(limit),
                int32(best_classes),
                int32(2),
                of_thresholds.real(0.3107),
                of_thresholds.real(0.4211),
                boolean(has_background),
            ],
            [kind.output(), kind.output(), _INT32, _INT32],
        )


@cases("HEATMAP_MAX_KEYPOINT")
def _heatmap_max_keypoint(made: Cases) -> None:
    for kind, layout, size in itertools.product(FLOATS_AND_QUANT8, STATED_LAYOUTS, (2, 3, 7)):
        count, keypoints = 3, 4
        # A hill with its top at a place between pixels, a little uneven.
        tops = made.uniform(-0.4, size - 0.6, count, keypoints, 2)
        rows, columns = np.mgrid[0:size, 0:size]
        distances = (rows[None, :, :, None] - tops[:, None, None, :, 0]) ** 2 + (
            columns[None, :, :, None] - tops[:, None, None, :, 1]
        ) ** 2
        heatmaps = 3 - 0.25 * distances + made.uniform(-0.02, 0.02, *distances.shape)
        parameters = None
        if kind is QUANT8:
            # As fine as the values allow, so that the top is not flat.
            heatmaps = np.maximum(heatmaps, 0.5)
            parameters = quantization(0.0125, 2)
        made.add(
            f"{kind.name}_size{size}_{layout.name}",
            [
                kind.make(layout.image(heatmaps), parameters),
                _box_operand(kind, _boxes(made, count, 60, 80)),
                *layout.operands,
            ],
            [kind.output(), _box_output(kind)],
        )


def _regions(made: Cases, kind: Kind) -> list[Operand]:
    """Regions in the images of two batches, of 8 times 6 pixels at the ratios 2 and 4."""
    boxes = np.concatenate(
        [
            _boxes(made, 4, 16, 24),
            # All of the image, and a region of less than a pixel.
            [[0.0, 0.0, 24.0, 16.0], [3.125, 2.125, 4.25, 2.25]],
        ]
    )
    return [_box_operand(kind, boxes), _numbers(np.array([0, 0, 0, 1, 1, 1]))]


@cases("ROI_ALIGN")
def _roi_align(made: Cases) -> None:
    samples = {"adaptive": (0, 0), "samples": (2, 3), "mixed": (0, 1)}
    for kind, layout, (name, numbers) in itertools.product(
        _WITH_SCALARS, STATED_LAYOUTS, samples.items()
    ):
        for height, width in ((2, 2), (3, 5)):
            image = layout.image(made.uniform(-4, 4, 2, 8, 6, 3))
            made.add(
                f"{kind.name}_{name}_{height}x{width}_{layout.name}",
                [
                    kind.make(image),
                    *_regions(made, kind),
                    int32(height),
                    int32(width),
                    kind.real(2.0),
                    kind.real(4.0),
                    *(int32(number) for number in numbers),
                    *layout.operands,
                ],
                [kind.output()],
            )
    for kind in _WITH_SCALARS:
        made.add(
            f"{kind.name}_empty",
            [
                kind.make(made.uniform(-4, 4, 1, 3, 3, 2)),
                _box_operand(kind, np.zeros((0, 4))),
                _numbers(np.zeros(0)),
                *(int32(2) for _ in range(2)),
                *(kind.real(2.0) for _ in range(2)),
                *(int32(0) for _ in range(2)),
                boolean(False),
            ],
            [kind.output()],
        )


@cases("ROI_POOLING")
def _roi_pooling(made: Cases) -> None:
    for kind, layout in itertools.product(_WITH_SCALARS, STATED_LAYOUTS):
        for height, width in ((1, 1), (2, 2), (3, 5), (7, 3)):
            stored = made.uniform(-4, 4, 2, 8, 6, 3)
            image = kind.make(layout.image(stored))
            made.add(
                f"{kind.name}_{height}x{width}_{layout.name}",
                [
                    image,
                    *_regions(made, kind),
                    int32(height),
                    int32(width),
                    kind.real(2.0),
                    kind.real(4.0),
                    *layout.operands,
                ],
                [kind.output(image.quantization if kind is QUANT8 else None)],
            )
