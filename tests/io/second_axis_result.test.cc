// Damaged groups of counts by distance and second axis in result files.
#include <functional>
#include <limits>

#include "codelets/core/base/error.hh"
#include "io/hdf5/hdf5_object.hh"
#include "io/hdf5/hdf5_read.hh"
#include "io/hdf5/hdf5_write.hh"
#include "io/output/result_writer.hh"
#include "io/result/result_reader.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/sample_result.hh"
#include "tests/support/temporary_directory.hh"

namespace starhist {
namespace {

using testing::missing;
using testing::sample_block;
using testing::sample_layout;

const std::string axis_group = "observables/second_axis/";

/// A result of two blocks with a second axis, to be damaged by a test.
class AxisFile {
 public:
  explicit AxisFile(Plane plane) : path_(folder_.file("out.h5")) {
    HistogramLayout layout = sample_layout();
    layout.plane = plane;
    layout.second = SecondAxis{
        plane == Plane::none ? SecondAxis::Kind::cosine : SecondAxis::Kind::component,
        2,
        "",
        "",
        4,
        plane == Plane::none ? 0.0 : 2.5};
    io::ResultWriter writer(path_, layout, {{"version", "0.1.0"}}, false);
    for (std::uint64_t b = 0; b < 2; ++b) {
      BlockCounts block = sample_block(layout, b);
      block.second = empty_block(layout, BlockIndex(b)).second;
      for (std::size_t p = 0; p < block.counts.size(); ++p) {
        const std::uint64_t orders = layout.second->orders(layout.pairs[p].like());
        for (std::size_t k = 0; k < block.counts[p].size(); ++k) {
          block.second[p][k * layout.second->columns()] = orders * block.counts[p][k];
        }
      }
      if (plane != Plane::none) {
        block.half_period = 2.5;
        block.pairs_over_space.clear();
        for (const double sum : block.pairs_over_volume) {
          block.pairs_over_space.push_back(sum / 5.0);
        }
      }
      writer.append(block);
    }
    writer.finish({});
  }

  const std::string& path() const { return path_; }

  template <class Change>
  void change(const Change& apply) const {
    const io::Hdf5Object file(H5Fopen(path_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT),
                              H5Fclose);
    REQUIRE(file);
    apply(file.get());
  }
  void remove(const std::string& name) const {
    change([&](hid_t file) {
      REQUIRE(H5Ldelete(file, (axis_group + name).c_str(), H5P_DEFAULT) >= 0);
    });
  }
  template <class Number>
  void replace(const std::string& name, const std::vector<Number>& values,
               const std::vector<hsize_t>& shape) const {
    remove(name);
    change([&](hid_t file) {
      io::write_hdf5_numbers(file, axis_group + name, values, shape);
    });
  }
  /// Sets all values of a dataset.
  template <class Number>
  void fill(const std::string& name, Number value) const {
    change([&](hid_t file) {
      const io::Hdf5Object dataset = io::open_hdf5_dataset(file, axis_group + name);
      std::size_t count = 1;
      for (const hsize_t extent : io::hdf5_shape(dataset.get())) {
        count *= extent;
      }
      const std::vector<Number> values(count, value);
      REQUIRE(H5Dwrite(dataset.get(), io::hdf5_type<Number>(), H5S_ALL, H5S_ALL,
                       H5P_DEFAULT, values.data()) >= 0);
    });
  }
  /// Sets an attribute of the group.
  template <class Value>
  void set_attribute(const std::string& name, const Value& value) const {
    change([&](hid_t file) {
      const io::Hdf5Object group = io::open_hdf5_group(file, axis_group);
      REQUIRE(H5Adelete(group.get(), name.c_str()) >= 0);
      io::write_hdf5_attribute(group.get(), name, value);
    });
  }

 private:
  testing::TemporaryDirectory folder_;
  std::string path_;
};

/// "" if a file that is damaged in this way is refused with these words.
std::string damage_problem(Plane plane, const std::function<void(AxisFile&)>& damage,
                           std::initializer_list<const char*> words) {
  AxisFile file(plane);
  if (!io::read_result(file.path()).layout.second) {
    return "the file has no second axis";
  }
  damage(file);
  const std::string problem =
      testing::error_text<InputError>([&] { io::read_result(file.path()); });
  return problem.empty() ? "it was read" : missing(problem, words);
}

TEST_CASE("a damaged second axis is refused") {
  using Text = std::string;
  using Version = std::vector<std::int32_t>;
  const auto unknown = {"second_axis", "newer starhist"};
  for (const Plane plane : {Plane::none, Plane::xy}) {
    const auto refused = [&](const std::function<void(AxisFile&)>& damage,
                             std::initializer_list<const char*> words) {
      return damage_problem(plane, damage, words);
    };
    INFO(to_string(plane));
    CHECK(refused(
              [](auto& f) {
                f.set_attribute("version", Version{9, 0});
              },
              unknown) == "");
    // The version of the other kind of result.
    const Version other{plane == Plane::none ? 2 : 1, 0};
    CHECK(refused([&](auto& f) { f.set_attribute("version", other); }, unknown) == "");
    CHECK(refused([](auto& f) { f.set_attribute("second_axis", Text("phi")); },
                  {"second_axis", "'phi'", "damaged"}) == "");
    CHECK(refused([](auto& f) { f.remove("edges"); }, {"edges"}) == "");
    CHECK(refused([](auto& f) { f.template replace<double>("edges", {0.0}, {1}); },
                  {"edges", "unexpected shape", "damaged"}) == "");
    CHECK(refused([](auto& f) { f.template fill<double>("edges", 0.5); },
                  {"second_axis", "damaged"}) == "");
    CHECK(refused(
              [](auto& f) {
                f.template replace<double>("edges", {0, 1, 2.5}, {3});
              },
              {"second_axis", "damaged"}) == "");
    CHECK(refused([](auto& f) { f.remove("value"); }, {"second_axis/value"}) == "");
    CHECK(refused(
              [](auto& f) {
                f.template replace<std::uint64_t>("value", {1, 2}, {2, 1});
              },
              {"second_axis/value"}) == "");
    CHECK(refused([](auto& f) { f.template fill<std::uint64_t>("value", 3); },
                  {"block 0", "second axis do not add up", "damaged"}) == "");
  }
}

TEST_CASE("a damaged second axis along the normal of a plane is refused") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const auto refused = [](const std::function<void(AxisFile&)>& damage,
                          std::initializer_list<const char*> words) {
    return damage_problem(Plane::xy, damage, words);
  };
  for (const char* text : {"dx", "cos(z)"}) {
    CHECK(refused([&](auto& f) { f.set_attribute("second_axis", std::string(text)); },
                  {"does not fit the plane", "damaged"}) == "");
  }
  for (const char* name : {"pairs_over_volume", "half_period"}) {
    CHECK(refused([&](auto& f) { f.remove(name); }, {name}) == "");
  }
  for (const double value : {nan, infinity, -1.0}) {
    CHECK(refused([&](auto& f) { f.fill("half_period", value); },
                  {"block 0", "half period", "damaged"}) == "");
  }
  // Half a period of 3 means a larger volume than the sums have.
  CHECK(refused([](auto& f) { f.fill("half_period", 3.0); },
                {"block 0", "volume in space", "damaged"}) == "");
  for (const double value : {nan, -1.0, 0.0, 1e9}) {
    CHECK(refused([&](auto& f) { f.fill("pairs_over_volume", value); },
                  {"block 0", "volume in space", "damaged"}) == "");
  }
}

}  // namespace
}  // namespace starhist
