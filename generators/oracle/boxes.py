# Copyright 2026 The nncert Authors
# SPDX-License-Identifier: Apache-2.0
"""Operations on bounding boxes and regions of interest."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from .movement import from_nhwc, to_nhwc
from .operands import Array
from .registry import Comparison, Result, formula

# What coordinates are computed from is larger than what they come to; positions in an image.
_COORDINATE_MAGNITUDE = 1000.0


def _coordinates(values: Array) -> Result:
    return Result(values, np.maximum(_COORDINATE_MAGNITUDE, np.abs(values)))


def transformed(box: Array, deltas: Array, size: Sequence[float]) -> Array:
    """A box [x1, y1, x2, y2] moved by [dx, dy, dw, dh]: the centre by the first two in widths and
    heights, width and height by the exponentials of the others; clipped to an image of the size
    [height, width]."""
    x1, y1, x2, y2 = box
    width, height = x2 - x1, y2 - y1
    dx, dy, dw, dh = deltas
    centre_x = (x1 + x2) / 2 + dx * width
    centre_y = (y1 + y2) / 2 + dy * height
    width, height = width * math.exp(dw), height * math.exp(dh)
    corners = np.array(
        [
            centre_x - width / 2,
            centre_y - height / 2,
            centre_x + width / 2,
            centre_y + height / 2,
        ]
    )
    return np.clip(corners, 0, [size[1], size[0], size[1], size[0]])


@formula("AXIS_ALIGNED_BBOX_TRANSFORM")
def _bounding_box_transform(
    boxes: Array, deltas: Array, batches: Array, image_sizes: Array
) -> Result:
    classes = deltas.shape[1] // 4
    result = np.zeros(deltas.shape)
    for row, box in enumerate(boxes):
        for number in range(classes):
            columns = slice(4 * number, 4 * number + 4)
            size = image_sizes[int(batches[row])]
            result[row, columns] = transformed(box, deltas[row, columns], size)
    return _coordinates(result)


def overlap(a: Array, b: Array) -> float:
    """Intersection over union of two boxes [x1, y1, x2, y2], or with x and y swapped."""
    width = max(0.0, min(a[2], b[2]) - max(a[0], b[0]))
    height = max(0.0, min(a[3], b[3]) - max(a[1], b[1]))
    intersection = width * height
    areas = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1])
    return float(intersection / (areas - intersection))


def suppress(
    boxes: Array,
    scores: Array,
    candidates: Sequence[int],
    kernel: Callable[[float], float],
    threshold: float,
    limit: int,
) -> list[tuple[int, float]]:
    """Non-maximum suppression: the candidates that are selected, with their scores by then, in
    order. Each time the one with the greatest score is; the scores of the rest are multiplied by
    `kernel` of the overlap with it, and those below `threshold` drop out. A negative `limit` is
    none."""
    pending = {candidate: float(scores[candidate]) for candidate in candidates}
    selected: list[tuple[int, float]] = []
    while pending and (limit < 0 or len(selected) < limit):
        best = max(pending, key=pending.__getitem__)
        selected.append((best, pending.pop(best)))
        for other in list(pending):
            pending[other] *= kernel(overlap(boxes[best], boxes[other]))
            if pending[other] < threshold:
                del pending[other]
    return selected


def _hard(threshold: float) -> Callable[[float], float]:
    # What overlaps is lower than any threshold afterwards.
    return lambda iou: 1.0 if iou < threshold else -math.inf


@formula("BOX_WITH_NMS_LIMIT", comparison=Comparison.GROUPED_ROWS)
def _box_with_nms_limit(
    scores: Array,
    boxes: Array,
    batches: Array,
    score_threshold: float,
    limit: int,
    kernel_number: int,
    iou_threshold: float,
    sigma: float,
    nms_threshold: float,
) -> list[Array]:
    # The documentation does not say that class 0 is the background, which is never selected; it is
    # in Android, and the documentation of DETECTION_POSTPROCESSING says so of its classes.
    kernel = {
        0: lambda iou: 1.0 if iou < iou_threshold else 0.0,
        1: lambda iou: 1.0 if iou < iou_threshold else 1 - iou,
        2: lambda iou: math.exp(-iou * iou / sigma),
    }[kernel_number]
    rows: list[tuple[float, Array, int, float]] = []
    for batch in dict.fromkeys(batches):
        members = np.flatnonzero(batches == batch)
        found: list[tuple[float, Array, int, float]] = []
        for number in range(1, scores.shape[1]):
            own_boxes = boxes[:, 4 * number : 4 * number + 4]
            candidates = [row for row in members if scores[row, number] > score_threshold]
            for row, score in suppress(
                own_boxes, scores[:, number], candidates, kernel, nms_threshold, limit
            ):
                found.append((score, own_boxes[row], number, batch))
        found.sort(key=lambda row: -row[0])
        rows += found if limit < 0 else found[:limit]
    count = len(rows)
    return [
        np.array([row[0] for row in rows], np.float64),
        np.array([row[1] for row in rows], np.float64).reshape(count, 4),
        np.array([row[2] for row in rows], np.float64),
        np.array([row[3] for row in rows], np.float64),
    ]


@formula("GENERATE_PROPOSALS", comparison=Comparison.GROUPED_ROWS)
def _generate_proposals(
    scores: Array,
    deltas: Array,
    anchors: Array,
    image_sizes: Array,
    height_ratio: float,
    width_ratio: float,
    limit_before: int,
    limit_after: int,
    iou_threshold: float,
    least_size: float,
    is_nchw: bool,
) -> list[Result]:
    scores, deltas = to_nhwc(scores, is_nchw), to_nhwc(deltas, is_nchw)
    batches, height, width, anchor_count = scores.shape
    rows: list[tuple[float, Array, int]] = []
    for batch in range(batches):
        size = image_sizes[batch]
        boxes = []
        for i in range(height):
            for j in range(width):
                shift = np.array([j * width_ratio, i * height_ratio] * 2)
                for a in range(anchor_count):
                    delta = deltas[batch, i, j, 4 * a : 4 * a + 4]
                    boxes.append(transformed(anchors[a] + shift, delta, size))
        all_boxes, all_scores = np.array(boxes), scores[batch].ravel()
        candidates = [int(index) for index in np.argsort(-all_scores, kind="stable")]
        if limit_before > 0:
            candidates = candidates[:limit_before]
        # Android's implementation also drops boxes whose centre lies outside of the image. The
        # documentation does not; boxes are clipped to the image, so it makes no difference.
        candidates = [
            index
            for index in candidates
            if min(all_boxes[index][2:] - all_boxes[index][:2]) > least_size
        ]
        limit = limit_after if limit_after > 0 else -1
        for index, score in suppress(
            all_boxes, all_scores, candidates, _hard(iou_threshold), -1e300, limit
        ):
            rows.append((score, all_boxes[index], batch))
    count = len(rows)
    return [
        Result(np.array([row[0] for row in rows], np.float64)),
        _coordinates(np.array([row[1] for row in rows], np.float64).reshape(count, 4)),
        Result(np.array([row[2] for row in rows], np.float64)),
    ]


@formula("DETECTION_POSTPROCESSING")
def _detection_postprocessing(
    scores: Array,
    deltas: Array,
    anchors: Array,
    scale_y: float,
    scale_x: float,
    scale_h: float,
    scale_w: float,
    is_regular: bool,
    limit: int,
    classes_per_detection: int,
    limit_per_class: int,
    score_threshold: float,
    iou_threshold: float,
    has_background_label: bool,
) -> list[Result]:
    batches, anchor_count, classes = scores.shape
    scales = np.array([scale_y, scale_x, scale_h, scale_w])
    first_label = 1 if has_background_label else 0
    # In Android, where each box has several classes, there are limit * classes_per_detection rows;
    # as documented there are `limit`, and the lowest scores are discarded. The order of the rows is
    # open; by score, as a limit would have it, is what the reference says of itself.
    found: list[list[tuple[float, Array, int]]] = []
    for batch in range(batches):
        centres, sizes = anchors[:, :2], anchors[:, 2:]
        delta = deltas[batch, :, :4] / scales
        centres = centres + sizes * delta[:, :2]
        halves = sizes * np.exp(delta[:, 2:]) / 2
        boxes = np.concatenate([centres - halves, centres + halves], 1)
        foreground = scores[batch, :, 1:]
        rows: list[tuple[float, Array, int]] = []
        if is_regular:
            for label in range(classes - 1):
                own = foreground[:, label]
                candidates = [a for a in range(anchor_count) if own[a] > score_threshold]
                for a, score in suppress(
                    boxes, own, candidates, _hard(iou_threshold), -1e300, limit_per_class
                ):
                    rows.append((score, boxes[a], label))
        else:
            best = foreground.max(1)
            candidates = [a for a in range(anchor_count) if best[a] > score_threshold]
            for a, _ in suppress(boxes, best, candidates, _hard(iou_threshold), -1e300, limit):
                labels = np.argsort(-foreground[a], kind="stable")[:classes_per_detection]
                rows += [(foreground[a, label], boxes[a], int(label)) for label in labels]
        rows.sort(key=lambda row: -row[0])
        found.append(rows[:limit])
    # What is in rows without a detection is left open.
    score_values = np.zeros((batches, limit))
    box_values = np.zeros((batches, limit, 4))
    labels_values = np.zeros((batches, limit))
    is_open = np.full((batches, limit), np.inf)
    for batch, rows in enumerate(found):
        for place, (score, box, label) in enumerate(rows):
            score_values[batch, place] = score
            box_values[batch, place] = box
            labels_values[batch, place] = label + first_label
            is_open[batch, place] = 1.0
    return [
        Result(score_values, is_open),
        Result(box_values, np.repeat(is_open[:, :, None], 4, 2) * _COORDINATE_MAGNITUDE),
        Result(labels_values, is_open),
        Result(np.array([len(rows) for rows in found], np.float64)),
    ]


@formula("HEATMAP_MAX_KEYPOINT")
def _heatmap_max_keypoint(heatmaps: Array, boxes: Array, is_nchw: bool) -> list[Result]:
    images = to_nhwc(heatmaps, is_nchw)
    count, size, _, keypoints = images.shape
    scores = np.zeros((count, keypoints))
    places = np.zeros((count, keypoints, 2))
    for n in range(count):
        for k in range(keypoints):
            heatmap = images[n, :, :, k]
            row, column = divmod(int(np.argmax(heatmap)), size)
            # Beyond its borders the image goes on as in a mirror: Android's choice.
            grid = np.pad(heatmap, 1, mode="reflect")[row : row + 3, column : column + 3]
            delta, scores[n, k] = _maximum_of_taylor_expansion(grid)
            x1, y1, x2, y2 = boxes[n]
            places[n, k, 0] = x1 + (column + delta[0] + 0.5) / size * (x2 - x1)
            places[n, k, 1] = y1 + (row + delta[1] + 0.5) / size * (y2 - y1)
    magnitude = max(1.0, float(np.abs(heatmaps).max()))
    return [Result(scores, np.array(100 * magnitude)), _coordinates(places)]


def _maximum_of_taylor_expansion(grid: Array) -> tuple[Array, float]:
    """Where the quadratic function with the differences of a grid of 3 by 3 is greatest, as an
    offset [x, y] from the middle, and how great it is there.

    The documentation says no more. Android's implementation goes no farther than 1.5 in either
    direction, and stays in the middle where the matrix is as good as singular.
    """
    gradient = np.array([grid[1, 2] - grid[1, 0], grid[2, 1] - grid[0, 1]]) / 2
    mixed = (grid[2, 2] - grid[2, 0] - grid[0, 2] + grid[0, 0]) / 4
    hessian = np.array(
        [
            [grid[1, 0] - 2 * grid[1, 1] + grid[1, 2], mixed],
            [mixed, grid[0, 1] - 2 * grid[1, 1] + grid[2, 1]],
        ]
    )
    determinant = hessian[0, 0] * hessian[1, 1] - mixed * mixed
    if abs(determinant) < 1e-5 * (1 + hessian[0, 0] * hessian[1, 1]):
        return np.zeros(2), float(grid[1, 1])
    delta = -np.linalg.solve(hessian, gradient)
    delta = delta * min(1.0, 1.5 / max(1e-300, float(np.abs(delta).max())))
    value = grid[1, 1] + gradient @ delta + delta @ hessian @ delta / 2
    return delta, float(value)


def _interpolated(image: Array, y: float, x: float) -> Array:
    """The image, of [height, width, depth], at a place between its pixels; beyond the last pixels
    there are the last pixels."""
    height, width = image.shape[:2]

    def neighbours(place: float, size: int) -> tuple[int, int, float]:
        low = math.floor(place)
        if low >= size - 1:
            return size - 1, size - 1, 0.0
        return low, low + 1, place - low

    top, bottom, dy = neighbours(y, height)
    left, right, dx = neighbours(x, width)
    upper = (1 - dx) * image[top, left] + dx * image[top, right]
    lower = (1 - dx) * image[bottom, left] + dx * image[bottom, right]
    return np.asarray((1 - dy) * upper + dy * lower)


@formula("ROI_ALIGN")
def _roi_align(
    values: Array,
    regions: Array,
    batches: Array,
    output_height: int,
    output_width: int,
    height_ratio: float,
    width_ratio: float,
    height_samples: int,
    width_samples: int,
    is_nchw: bool,
) -> Result:
    images = to_nhwc(values, is_nchw)
    result = np.zeros((len(regions), output_height, output_width, images.shape[3]))
    magnitudes = np.zeros(result.shape)
    for n, (x1, y1, x2, y2) in enumerate(regions):
        image = images[int(batches[n])]
        left, top = x1 / width_ratio, y1 / height_ratio
        # Regions are at least one pixel wide and high: Android's choice.
        width = max(x2 / width_ratio - left, 1.0)
        height = max(y2 / height_ratio - top, 1.0)
        rows = height_samples or math.ceil(height / output_height)
        columns = width_samples or math.ceil(width / output_width)
        for i in range(output_height):
            for j in range(output_width):
                # The middles of rows * columns equal parts of the bin.
                ys = [top + height / output_height * (i + (r + 0.5) / rows) for r in range(rows)]
                xs = [
                    left + width / output_width * (j + (c + 0.5) / columns) for c in range(columns)
                ]
                samples = np.array([_interpolated(image, y, x) for y in ys for x in xs])
                result[n, i, j] = samples.mean(0)
                magnitudes[n, i, j] = np.abs(image).max((0, 1)) * 10
    return Result(from_nhwc(result, is_nchw), from_nhwc(magnitudes, is_nchw))


@formula("ROI_POOLING")
def _roi_pooling(
    values: Array,
    regions: Array,
    batches: Array,
    output_height: int,
    output_width: int,
    height_ratio: float,
    width_ratio: float,
    is_nchw: bool,
) -> Array:
    # Which way the documentation's rounding goes it does not say. In Android, borders of regions go
    # to the nearest pixel, which still belongs to the region, and bins to whole pixels outwards.
    images = to_nhwc(values, is_nchw)
    size_height, size_width, depth = images.shape[1], images.shape[2], images.shape[3]
    result = np.zeros((len(regions), output_height, output_width, depth))

    def line(first: float, last: float, ratio: float) -> tuple[int, int]:
        start, end = (math.floor(place / ratio + 0.5) for place in (first, last))
        return start, max(end - start + 1, 1)

    def bin_of(start: int, length: int, number: int, count: int, size: int) -> slice:
        first = start + number * length // count
        last = start - (-(number + 1) * length // count)
        return slice(min(first, size), min(last, size))

    for n, (x1, y1, x2, y2) in enumerate(regions):
        image = images[int(batches[n])]
        left, width = line(x1, x2, width_ratio)
        top, height = line(y1, y2, height_ratio)
        for i in range(output_height):
            for j in range(output_width):
                rows = bin_of(top, height, i, output_height, size_height)
                columns = bin_of(left, width, j, output_width, size_width)
                window = np.asarray(image[rows, columns])
                if window.size:
                    result[n, i, j] = window.max((0, 1))
    return from_nhwc(result, is_nchw)
