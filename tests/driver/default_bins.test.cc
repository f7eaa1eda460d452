#include "driver/options/default_bins.hh"

#include <cmath>

#include "codelets/core/base/error.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"

namespace starhist {
namespace {

using driver::BinTexts;
using driver::choose_bins;
using testing::error_text;
using testing::missing;

using Options = std::vector<std::string>;

/// A frame in a cuboid whose shortest edge is `edge`.
Frame frame_in_box(double edge) {
  Frame frame;
  frame.box =
      Box::from_lengths_and_angles({2.0 * edge, edge, edge}, {90.0, 90.0, 90.0});
  return frame;
}

TEST_CASE("default bins are 0.002 nm wide, up to 99 % of half the shortest edge") {
  const auto nm = choose_bins({}, frame_in_box(3.0), "nm");
  CHECK(nm.bins.count == 742);
  CHECK(nm.bins.r_max == 1.484);
  CHECK(nm.defaults == Options{"--r-max", "--bin-width"});
  const auto angstroms = choose_bins({}, frame_in_box(30.0), "A");
  CHECK(angstroms.bins.count == 742);
  CHECK(angstroms.bins.r_max == 14.84);
  // 0.99 is 495 bins, although 0.99 * 1.0 / 0.002 is less in floating point.
  CHECK(choose_bins({}, frame_in_box(2.0), "nm").bins.count == 495);
}

TEST_CASE("default bins of a triclinic cell end at half its shortest lattice vector") {
  Frame frame;
  // |a + b|^2 = 13 - 12 cos(30 degrees) = 2.61.
  frame.box = Box::from_lengths_and_angles({3.0, 2.0, 9.0}, {90.0, 90.0, 150.0});
  const double inscribed = 0.5 * std::sqrt(13.0 - 6.0 * std::sqrt(3.0));
  const auto chosen = choose_bins({}, frame, "nm");
  CHECK(chosen.bins.r_max <= 0.99 * inscribed * (1.0 + 1e-9));
  CHECK(chosen.bins.r_max > 0.99 * inscribed - 0.002);
}

TEST_CASE("default bins of a planar box end below half its shortest lattice vector") {
  Frame frame;
  frame.box = Box::in_plane({Vec3{3, 0, 0}, {0, 4, 0}, {0, 0, 0.1}}, Plane::xy);
  CHECK(choose_bins({}, frame, "nm").bins.r_max == 1.484);
}

TEST_CASE(
    "particles in a plane need --plane or --r-max if the box is thin or open there") {
  const std::vector<double> flat{0.1, 0.2, 0.5, 1.4, 2.2, 0.5,
                                 2.5, 0.3, 0.5, 0.7, 0.9, 0.5};
  const auto refusal = [&](const Box& box, const std::vector<double>& positions) {
    Frame frame;
    frame.box = box;
    frame.positions = {positions};
    return error_text<InputError>([&] { choose_bins({}, frame, "nm"); });
  };
  const std::array<Vec3, 3> thin{Vec3{3, 0, 0}, {0, 4, 0}, {0, 0, 0.26}};
  const Box periodic(thin, {true, true, true});
  const Box open(thin, {true, true, false});
  const Box thick({thin[0], thin[1], Vec3{0, 0, 5}}, {true, true, true});
  CHECK(missing(refusal(periodic, flat), {"lie in a plane", "--plane xy"}) == "");
  CHECK(missing(refusal(open, flat), {"lie in a plane", "--plane xy"}) == "");
  CHECK(refusal(thick, flat).empty());
  CHECK(refusal(periodic, {flat.begin(), flat.end() - 3}).empty());  // by chance
  std::vector<double> rough = flat;
  rough[2] = 0.51;
  CHECK(refusal(periodic, rough).empty());
  CHECK(missing(refusal(open, rough), {"--r-max is missing"}) == "");
}

TEST_CASE("in units unsuitable for atoms there are 500 bins") {
  for (const char* unit : {"", "sigma", "0.1 nm"}) {
    const auto chosen = choose_bins({}, frame_in_box(8.3333), unit);
    CHECK(chosen.bins.count == 500);
    CHECK(chosen.bins.r_max == 4.12);  // 0.99 * 4.16665 = 4.124...
    CHECK(choose_bins({"", "2.5", "", ""}, frame_in_box(8.0), unit).bins.count == 500);
  }
  // Grains, not atoms: 0.002 nm would be 2e9 bins. A box of 4 um has them.
  CHECK(choose_bins({}, frame_in_box(8.0), "mm").bins.count == 500);
  CHECK(choose_bins({}, frame_in_box(4.0), "um").bins.count == 990000);
  CHECK(choose_bins({}, frame_in_box(5.0), "um").bins.count == 500);
  // 0.002 nm is wider than the box.
  CHECK(choose_bins({}, frame_in_box(0.001), "nm").bins.count == 500);
}

TEST_CASE("given bin options are kept, and the rest fits") {
  const Frame frame = frame_in_box(3.0);
  const auto wide = choose_bins({"", "", "", "0.01"}, frame, "nm");
  CHECK(wide.bins.count == 148);
  CHECK(wide.bins.r_max == 1.48);
  CHECK(wide.defaults == Options{"--r-max"});
  const auto counted = choose_bins({"", "", "100", ""}, frame, "nm");
  CHECK(counted.bins.count == 100);
  CHECK(counted.bins.r_max == 1.48);
  CHECK(counted.defaults == Options{"--r-max"});
  const auto near = choose_bins({"", "1.2", "", ""}, frame, "nm");
  CHECK(near.bins.count == 600);
  CHECK(near.bins.r_max == 1.2);
  CHECK(near.defaults == Options{"--bin-width"});
  // No width of 0.002 divides it: 701 bins are a little narrower.
  const auto odd = choose_bins({"", "1.401", "", ""}, frame, "nm");
  CHECK(odd.bins.count == 701);
  CHECK(odd.bins.r_max == 1.401);
  const auto later = choose_bins({"0.4", "", "", ""}, frame, "nm");
  CHECK(later.bins.below == 200);
  CHECK(later.bins.count == 542);
  CHECK(later.bins.r_max == 1.484);
}

TEST_CASE("r_max is required if the box does not determine it") {
  const auto problem = [](const BinTexts& given, const Frame& frame) {
    return error_text<InputError>([&] { choose_bins(given, frame, "nm"); });
  };
  Frame open;
  open.index = FrameIndex(7);
  CHECK(missing(problem({}, open),
                {"--r-max is missing", "frame 7", "give --r-max", "--box"}) == "");
  Frame slab;
  slab.box = Box({Vec3{3, 0, 0}, {0, 3, 0}, {0, 0, 3}}, {true, true, false});
  CHECK(missing(problem({}, slab), {"--r-max is missing"}) == "");
  CHECK(choose_bins({"", "2", "", ""}, open, "nm").bins.count == 1000);
  CHECK(missing(problem({"", "", "", "2"}, frame_in_box(3.0)),
                {"--bin-width 2", "1.485", "give --r-max"}) == "");
}

TEST_CASE("with --box none the default r_max covers every pair of the frame") {
  BinTexts none;
  none.no_box = true;
  Frame frame;
  frame.positions = {{0, 0, 0, 3, 1, 0}, {1, 4, 12}};  // in a cuboid of 3, 4, 12
  const auto chosen = choose_bins(none, frame, "nm");
  CHECK(chosen.bins.r_max == 13.002);  // the next whole bin behind 13
  CHECK(chosen.bins.count == 6501);
  CHECK(chosen.defaults == Options{"--r-max", "--bin-width"});
  CHECK(choose_bins(none, frame, "").bins.r_max == 13.1);
  none.bins = "50";
  CHECK(choose_bins(none, frame, "nm").bins.r_max == 13.1);
  none.bins.clear();
  none.bin_width = "20";
  CHECK(choose_bins(none, frame, "nm").bins.r_max == 20);

  Frame one;
  one.positions = {{1, 2, 3}, {}};
  CHECK(missing(error_text<InputError>([&] { choose_bins(none, one, "nm"); }),
                {"--r-max is missing"}) == "");
}

}  // namespace
}  // namespace starhist
