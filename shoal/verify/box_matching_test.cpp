#include "shoal/verify/box_matching.h"

#include <gtest/gtest.h>

#include <random>

namespace shoal {
namespace SHOAL_THIS_FILE {

struct Scene {
  size_t width = 0;
  std::vector<std::vector<PositionSpan>> spans;
  std::vector<std::vector<uint32_t>> positions;
  std::vector<uint64_t> box_rows, point_rows;

  bool inside(size_t box, size_t point) const {
    for (size_t j = 0; j < width; ++j) {
      if (!spans[box][j].contains(positions[point][j])) return false;
    }
    return true;
  }
  MatchingAnswer answer(uint64_t work, const std::function<bool(size_t, size_t)>& really = {}) const {
    std::vector<MatchingBox> boxes;
    std::vector<MatchingPoint> points;
    for (size_t b = 0; b < spans.size(); ++b) boxes.push_back({spans[b], box_rows[b]});
    for (size_t p = 0; p < positions.size(); ++p) points.push_back({positions[p], point_rows[p]});
    return match_boxes(boxes, points, work, really);
  }
};

// The plain way: every row of a box looks for a row of a point, one after another (Kuhn).
class PlainMatching {
 public:
  PlainMatching(const Scene& scene, const std::function<bool(size_t, size_t)>& really) {
    for (size_t b = 0; b < scene.spans.size(); ++b) {
      for (uint64_t i = 0; i < scene.box_rows[b]; ++i) {
        edges_.emplace_back();
        size_t row = 0;
        for (size_t p = 0; p < scene.positions.size(); ++p) {
          for (uint64_t k = 0; k < scene.point_rows[p]; ++k, ++row) {
            if (scene.inside(b, p) && (!really || really(b, p))) edges_.back().push_back(row);
          }
        }
        rows_ = row;
      }
    }
  }
  bool possible() {
    owner_.assign(rows_, -1);
    for (size_t row = 0; row < edges_.size(); ++row) {
      seen_.assign(rows_, false);
      if (!find(row)) return false;
    }
    return true;
  }

 private:
  bool find(size_t row) {
    for (size_t point : edges_[row]) {
      if (seen_[point]) continue;
      seen_[point] = true;
      if (owner_[point] < 0 || find(static_cast<size_t>(owner_[point]))) {
        owner_[point] = static_cast<int>(row);
        return true;
      }
    }
    return false;
  }
  std::vector<std::vector<size_t>> edges_;
  std::vector<int> owner_;
  std::vector<bool> seen_;
  size_t rows_ = 0;
};

Scene random_scene(std::mt19937_64& random) {
  auto draw = [&](uint64_t below) { return static_cast<uint32_t>(random() % below); };
  Scene scene;
  scene.width = 1 + draw(3);
  const uint32_t side = 1 + draw(8);
  const size_t points = 1 + draw(30);
  uint64_t rows = 0;
  for (size_t p = 0; p < points; ++p) {
    scene.positions.emplace_back();
    for (size_t j = 0; j < scene.width; ++j) scene.positions.back().push_back(draw(side));
    scene.point_rows.push_back(1 + draw(3));
    rows += scene.point_rows.back();
  }
  // About as many rows as there are points for: the interesting case.
  while (rows > 0) {
    scene.spans.emplace_back();
    for (size_t j = 0; j < scene.width; ++j) {
      const uint32_t at = scene.positions[draw(points)][j];
      const uint32_t lower = draw(3), higher = draw(3);
      scene.spans.back().push_back({at - std::min(at, lower), at + higher});
    }
    scene.box_rows.push_back(1 + draw(std::min<uint64_t>(rows, 4)));
    rows -= std::min(rows, scene.box_rows.back());
    if (draw(4) == 0) rows -= std::min<uint64_t>(rows, 3);
  }
  return scene;
}

TEST(BoxMatching, AgreesWithThePlainWay) {
  std::mt19937_64 random(1);
  size_t possible = 0, impossible = 0;
  for (int round = 0; round < 6000; ++round) {
    const Scene scene = random_scene(random);
    std::function<bool(size_t, size_t)> really;
    if (round % 3 == 0) really = [](size_t box, size_t point) { return (box * 7 + point * 5) % 4 != 0; };
    const MatchingAnswer answer = scene.answer(1'000'000, really);
    const bool expected = PlainMatching(scene, really).possible();
    ASSERT_NE(answer.kind, MatchingAnswer::Kind::too_much_work);
    ASSERT_EQ(answer.kind == MatchingAnswer::Kind::matched, expected) << "round " << round;
    ++(expected ? possible : impossible);
  }
  EXPECT_GT(possible, 300u);
  EXPECT_GT(impossible, 300u);
}

TEST(BoxMatching, SaysSoWhenItIsTooMuchWork) {
  Scene scene;
  scene.width = 1;
  for (uint32_t i = 0; i < 100; ++i) {
    scene.positions.push_back({i});
    scene.point_rows.push_back(1);
    scene.spans.push_back({{0, 99}});
    scene.box_rows.push_back(1);
  }
  EXPECT_EQ(scene.answer(50).kind, MatchingAnswer::Kind::too_much_work);
  EXPECT_EQ(scene.answer(100'000).kind, MatchingAnswer::Kind::matched);
}

}  // namespace SHOAL_THIS_FILE
}  // namespace shoal
