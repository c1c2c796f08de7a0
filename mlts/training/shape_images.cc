// Copyright 2026 The nncert Authors
// SPDX-License-Identifier: Apache-2.0

#include "mlts/training/shape_images.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace nncert {
namespace {

constexpr uint64_t kSeed = 0x53484150'45530000;

// Places are in 1/64 of a pixel; sines and cosines in 1/16384; places within a shape in 1/1024 of
// its radius.
constexpr int32_t kPixel = 64;
constexpr int32_t kImage = static_cast<int32_t>(kShapeImageSide) * kPixel;
constexpr int32_t kUnit = 16384;
constexpr int32_t kRadius = 1024;

// A place, or a direction.
struct Point {
  int32_t x;
  int32_t y;
};

int32_t Dot(Point a, Point b) { return a.x * b.x + a.y * b.y; }

// How many of the half planes with these normals, of length kRadius, hold a point: those whose edge
// is `distance` from the origin.
template <size_t kEdges>
int HalfPlanesWith(Point point, const std::array<Point, kEdges>& normals, int32_t distance) {
  return static_cast<int>(std::count_if(normals.begin(), normals.end(), [&](Point normal) {
    return Dot(point, normal) <= distance * kRadius;
  }));
}

constexpr std::array<Point, 3> kTriangle = {{{0, -1024}, {887, 512}, {-887, 512}}};
constexpr std::array<Point, 5> kPentagon = {
    {{0, 1024}, {974, 316}, {602, -828}, {-602, -828}, {-974, 316}}};

bool IsInDisc(Point point, int32_t radius) { return Dot(point, point) <= radius * radius; }

// Each of these says whether a point is in the shape, which fits into a circle of kRadius.

bool IsInDisc(Point point) { return IsInDisc(point, 900); }

bool IsInRing(Point point) { return IsInDisc(point, 960) && !IsInDisc(point, 560); }

bool IsInSquare(Point point) {
  constexpr int32_t kHalfSide = 760;
  return std::abs(point.x) <= kHalfSide && std::abs(point.y) <= kHalfSide;
}

bool IsInTriangle(Point point) { return HalfPlanesWith(point, kTriangle, 512) == 3; }

bool IsInBar(Point point) { return std::abs(point.x) <= 920 && std::abs(point.y) <= 340; }

// Each of the points of a star lies beyond one edge of the pentagon in its middle.
bool IsInStar(Point point) { return HalfPlanesWith(point, kPentagon, 340) >= 4; }

bool IsInCross(Point point) {
  constexpr int32_t kHalfWidth = 270;
  return (std::abs(point.x) <= kHalfWidth && std::abs(point.y) <= 950) ||
         (std::abs(point.y) <= kHalfWidth && std::abs(point.x) <= 950);
}

bool IsInCrescent(Point point) {
  return IsInDisc(point, 980) && !IsInDisc({point.x - 480, point.y}, 830);
}

bool IsInStripes(Point point) { return IsInDisc(point, 960) && (point.y + 4224) / 384 % 2 == 0; }

bool IsInCheckers(Point point) {
  return IsInDisc(point, 960) && ((point.x + 4224) / 512 + (point.y + 4224) / 512) % 2 == 0;
}

struct Shape {
  std::string_view name;
  bool (*contains)(Point point);
};

constexpr std::array<Shape, kShapeCount> kShapes = {{{"disc", IsInDisc},
                                                     {"ring", IsInRing},
                                                     {"square", IsInSquare},
                                                     {"triangle", IsInTriangle},
                                                     {"bar", IsInBar},
                                                     {"star", IsInStar},
                                                     {"cross", IsInCross},
                                                     {"crescent", IsInCrescent},
                                                     {"stripes", IsInStripes},
                                                     {"checkers", IsInCheckers}}};

using Color = std::array<int32_t, kShapeImageDepth>;

Color AnyColor(SplitMix64& random) {
  Color color = {};
  for (int32_t& channel : color) channel = random.Between(0, 255);
  return color;
}

int32_t Difference(const Color& a, const Color& b) {
  int32_t sum = 0;
  for (size_t c = 0; c < a.size(); ++c) sum += std::abs(a[c] - b[c]);
  return sum;
}

// Cosine and sine of a direction of chance, in 1/kUnit. The double of the angle of a point has both
// as quotients of integers: no function that libraries compute differently.
Point AnyDirection(SplitMix64& random) {
  Point half = {};
  int32_t square = 0;
  do {
    half = {random.Between(-64, 64), random.Between(-64, 64)};
    square = Dot(half, half);
  } while (square < 64 || square > 4096);
  return {(half.x * half.x - half.y * half.y) * kUnit / square,
          2 * half.x * half.y * kUnit / square};
}

class Canvas {
 public:
  Canvas() : pixels_(kShapeImageSide * kShapeImageSide) {}

  // Goes from one color to the other along a direction.
  void FillWithGradient(const Color& from, const Color& to, Point direction) {
    // How far along a pixel may lie from the middle of the image, in pixels * kUnit.
    const int32_t reach = kImage / kPixel / 2 * (std::abs(direction.x) + std::abs(direction.y)) + 1;
    ForEachPixel([&](int32_t x, int32_t y, Color& color) {
      const Point place = {x - kImage / kPixel / 2, y - kImage / kPixel / 2};
      const int32_t share = (Dot(place, direction) + reach) / (reach / 512 + 1);  // of 1024
      for (size_t c = 0; c < color.size(); ++c) {
        color[c] = from[c] + (to[c] - from[c]) * std::clamp(share, 0, 1024) / 1024;
      }
    });
  }

  // Paints the points, in 1/kPixel, of which `contains` is true; pixels that have some of each are
  // mixed.
  template <class Contains>
  void Paint(const Color& paint, Contains contains) {
    ForEachPixel([&](int32_t x, int32_t y, Color& color) {
      int32_t covered = 0;
      for (const int32_t dy : {kPixel / 4, kPixel * 3 / 4}) {
        for (const int32_t dx : {kPixel / 4, kPixel * 3 / 4}) {
          covered += contains(Point{x * kPixel + dx, y * kPixel + dy}) ? 1 : 0;
        }
      }
      for (size_t c = 0; c < color.size(); ++c) color[c] += (paint[c] - color[c]) * covered / 4;
    });
  }

  // Adds up to `amplitude` to each channel of each pixel, or subtracts it.
  void AddNoise(SplitMix64& random, int32_t amplitude) {
    ForEachPixel([&](int32_t /*x*/, int32_t /*y*/, Color& color) {
      for (int32_t& channel : color) channel += random.Between(-amplitude, amplitude);
    });
  }

  std::vector<uint8_t> Pixels() const {
    std::vector<uint8_t> bytes;
    bytes.reserve(pixels_.size() * kShapeImageDepth);
    for (const Color& color : pixels_) {
      for (const int32_t channel : color) {
        bytes.push_back(static_cast<uint8_t>(std::clamp(channel, 0, 255)));
      }
    }
    return bytes;
  }

 private:
  template <class Function>
  void ForEachPixel(Function function) {
    constexpr auto kSide = static_cast<int32_t>(kShapeImageSide);
    for (int32_t y = 0; y < kSide; ++y) {
      for (int32_t x = 0; x < kSide; ++x) {
        const int32_t pixel = y * kSide + x;
        function(x, y, pixels_[static_cast<size_t>(pixel)]);
      }
    }
  }

  std::vector<Color> pixels_;
};

void PaintShape(Canvas& canvas, SplitMix64& random, const Shape& shape, const Color& paint) {
  const int32_t radius = random.Between(9 * kPixel, 14 * kPixel);
  const int32_t margin = radius * 7 / 8;
  const Point center = {random.Between(margin, kImage - margin),
                        random.Between(margin, kImage - margin)};
  const Point direction = AnyDirection(random);
  canvas.Paint(paint, [&](Point point) {
    const Point place = {point.x - center.x, point.y - center.y};
    if (!IsInDisc(place, radius)) return false;
    const Point turned = {Dot(place, direction) / kUnit,
                          Dot(place, {-direction.y, direction.x}) / kUnit};
    return shape.contains({turned.x * kRadius / radius, turned.y * kRadius / radius});
  });
}

void PaintSpot(Canvas& canvas, SplitMix64& random) {
  const Point center = {random.Between(0, kImage), random.Between(0, kImage)};
  const int32_t radius = random.Between(kPixel, 5 * kPixel / 2);
  canvas.Paint(AnyColor(random), [&](Point point) {
    return IsInDisc({point.x - center.x, point.y - center.y}, radius);
  });
}

void PaintLine(Canvas& canvas, SplitMix64& random) {
  const Point through = {random.Between(0, kImage), random.Between(0, kImage)};
  const Point normal = AnyDirection(random);
  const int32_t half_width = random.Between(kPixel / 4, kPixel * 3 / 4);
  canvas.Paint(AnyColor(random), [&](Point point) {
    return std::abs(Dot({point.x - through.x, point.y - through.y}, normal) / kUnit) <= half_width;
  });
}

}  // namespace

std::string_view ShapeName(uint32_t label) { return kShapes[label].name; }

ShapeImage DrawShape(DataSplit split, uint64_t index) {
  SplitMix64 random = RandomOfSample(kSeed, split, index);
  const auto label = static_cast<uint32_t>(index % kShapeCount);
  const Color from = AnyColor(random);
  Color to = AnyColor(random);
  // Half of what it might be: a gradient, and no picture of its own.
  for (size_t c = 0; c < to.size(); ++c) to[c] = (from[c] + to[c]) / 2;
  constexpr int32_t kLeastContrast = 200;
  Color paint = AnyColor(random);
  while (Difference(paint, from) < kLeastContrast || Difference(paint, to) < kLeastContrast) {
    paint = AnyColor(random);
  }
  Canvas canvas;
  canvas.FillWithGradient(from, to, AnyDirection(random));
  PaintShape(canvas, random, kShapes[label], paint);
  for (uint64_t spots = random.Below(2); spots > 0; --spots) PaintSpot(canvas, random);
  for (uint64_t lines = random.OneIn(4) ? 1 : 0; lines > 0; --lines) PaintLine(canvas, random);
  canvas.AddNoise(random, random.Between(4, 24));
  return {.label = label, .pixels = canvas.Pixels()};
}

}  // namespace nncert
