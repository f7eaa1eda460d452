// g(r), coordination numbers, errors and sums of the C library equal those of a result
// file that `starhist rdf` writes, and so does the file that it saves.
#include <cmath>
#include <cstring>
#include <limits>

#include <starhist_file.h>

#include "codelets/core/analysis/distribution_errors.hh"
#include "codelets/core/base/text.hh"
#include "io/reader/trajectory_reader.hh"
#include "io/result/result_reader.hh"
#include "tests/capi/c_library.hh"
#include "tests/support/boxes.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/random.hh"
#include "tests/support/run_program.hh"
#include "tests/support/temporary_directory.hh"
#include "tests/support/test_location.hh"
#include "tests/tasks/trajectories.hh"

namespace starhist::testing {
namespace {

constexpr std::uint64_t all_blocks = STARHIST_ALL_BLOCKS;

void add_positions(const TestHistogram& histogram, const std::vector<double>& positions,
                   const double* box) {
  must(starhist_add_frame(histogram.get(), positions.size() / 3, positions.data(), 0, 0,
                          box));
}

/// Compares bits, so that NaN equals NaN.
bool same(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

/// The frames of a file of tests/data, counted by the program and by the library.
struct Both {
  io::ResultFile expected;
  TestContext context;
  TestHistogram histogram;

  Both(const std::string& name, const std::string& r_max, const std::string& bins)
      : Both(name, "--r-max " + r_max + " --bins " + bins, std::stod(r_max),
             std::stoull(bins), [](starhist_histogram*) { return STARHIST_OK; }) {}

  /// `set`: settings of the histogram that correspond to the options of the program.
  template <class Settings>
  Both(const std::string& name, const std::string& options, double r_max,
       std::uint64_t bins, Settings set)
      : histogram(context, r_max, bins, STARHIST_BOX_MATRIX) {
    const TemporaryDirectory folder;
    const std::string path = folder.file("out.h5");
    std::vector<std::string> command{"rdf", data_file(name), "-o",
                                     path,  "--block",       "9"};
    for (const std::string& word : split(options, ' ')) {
      command.push_back(word);
    }
    REQUIRE(run_program(command).exit_code == 0);
    expected = io::read_result(path);
    must(set(histogram.get()));
    const auto reader = io::open_trajectory({data_file(name)}, {});
    histogram.set_species(reader->info().species);
    must(starhist_set_frames_per_block(histogram.get(), 9));
    Frame frame;
    for (std::uint64_t k = 0; k < reader->info().frame_count; ++k) {
      reader->read(FrameIndex(k), frame);
      std::vector<double> positions;
      std::vector<std::uint64_t> numbers;
      for (const std::vector<double>& of_species : frame.positions) {
        positions.insert(positions.end(), of_species.begin(), of_species.end());
        numbers.push_back(of_species.size() / 3);
      }
      must(
          starhist_set_species_counts(histogram.get(), numbers.size(), numbers.data()));
      must(starhist_set_time(histogram.get(), frame.step, frame.time));
      add_positions(histogram, positions, matrix_of(frame.box).data());
    }
  }

  void check_curves() const {
    const HistogramLayout& layout = expected.layout;
    for (std::size_t p = 0; p < layout.pairs.size(); ++p) {
      const PairId pair(static_cast<std::uint32_t>(p));
      std::vector<double> g(layout.bins.count);
      std::vector<double> errors(layout.bins.count);
      const analysis::ShellVolumes shells(layout, expected.blocks);
      for (const auto& [number, normalization] :
           {std::pair{STARHIST_PAIRS_OVER_VOLUME,
                      analysis::Normalization::pairs_over_volume},
            std::pair{STARHIST_MEAN_VOLUME, analysis::Normalization::mean_volume}}) {
        must(starhist_get_g(histogram.get(), p, number, g.size(), g.data(),
                            errors.data()));
        CHECK(same(g, analysis::radial_distribution(layout, expected.blocks, shells,
                                                    pair, normalization)));
        CHECK(same(errors, analysis::radial_distribution_errors(
                               layout, expected.blocks, shells, pair, normalization)));
      }
      for (const int reverse : {0, 1}) {
        must(starhist_get_coordination(histogram.get(), p, reverse, g.size(), g.data(),
                                       errors.data()));
        const auto numbers =
            analysis::coordination_numbers(layout, total(expected.blocks), pair);
        const std::size_t direction = layout.pairs[p].like() ? 0U : reverse;
        CHECK(same(g, numbers[direction].value));
        CHECK(same(errors, analysis::coordination_errors(layout, expected.blocks,
                                                         pair)[direction]));
      }
    }
  }

  void check_saved() const {
    const TemporaryDirectory folder;
    const std::string path = folder.file("saved.h5");
    must(starhist_save(histogram.get(), path.c_str(), 0));
    const io::ResultFile saved = io::read_result(path);
    CHECK(saved.layout.bins == expected.layout.bins);
    CHECK(saved.layout.plane == expected.layout.plane);
    CHECK(saved.layout.second == expected.layout.second);
    for (std::size_t b = 0; b < saved.blocks.size(); ++b) {
      CHECK(saved.blocks[b].box == expected.blocks[b].box);
    }
    CHECK(difference(saved.blocks, expected.blocks) == "");
  }

  void check_sums() const {
    for (std::size_t b = 0; b < expected.blocks.size(); ++b) {
      const BlockCounts& block = expected.blocks[b];
      starhist_block sums;
      must(starhist_get_block(histogram.get(), b, &sums));
      CHECK(sums.frames == block.frames);
      CHECK(sums.first_frame == block.first_frame.get());
      CHECK(sums.last_frame == block.last_frame.get());
      CHECK(sums.last_step == block.last_step);
      CHECK(sums.last_time == block.last_time);
      CHECK(sums.volume == block.volume);
      CHECK(sums.inverse_volume == block.inverse_volume);
      CHECK(sums.inscribed_radius == block.inscribed_radius);
      REQUIRE((sums.has_box == 1) == block.box.has_value());
      if (block.box) {
        const std::array<double, 9> matrix = matrix_of(*block.box);
        CHECK(std::equal(matrix.begin(), matrix.end(), sums.box));
      }
      for (std::size_t s = 0; s < expected.layout.species.size(); ++s) {
        std::uint64_t particles = 0;
        must(starhist_get_particles(histogram.get(), b, s, &particles));
        CHECK(particles == block.particle_number[s]);
      }
      for (std::size_t p = 0; p < expected.layout.pairs.size(); ++p) {
        double sum = 0.0;
        must(starhist_get_pairs_over_volume(histogram.get(), b, p, &sum));
        CHECK(sum == block.pairs_over_volume[p]);
      }
    }
    const BlockCounts sum = total(expected.blocks);
    starhist_block sums;
    must(starhist_get_block(histogram.get(), all_blocks, &sums));
    CHECK(sums.frames == sum.frames);
    CHECK(sums.last_frame == sum.last_frame.get());
    CHECK(sums.volume == sum.volume);
    CHECK((sums.has_box == 1) == sum.box.has_value());
  }
};

TEST_CASE("g(r) up to the corner of a constant box, with errors over blocks") {
  const Both both("water.h5", "2.5", "300");
  both.check_curves();
  both.check_sums();
}

TEST_CASE("g(r) of a triclinic box at constant pressure, with errors over blocks") {
  const Both both("nacl-triclinic-npt.h5", "1.2", "200");
  both.check_curves();
  both.check_sums();
}

TEST_CASE("g(r) between edges equals the program's") {
  const std::vector<double> edges{0.04, 0.12, 0.26, 0.35, 0.8, 1.2};
  const auto set = [&](starhist_histogram* histogram) {
    return starhist_set_edges(histogram, edges.size(), edges.data());
  };
  for (const char* name : {"water.h5", "nacl-triclinic-npt.h5"}) {
    const Both both(name, "--edges 0.04,0.12,0.26,0.35,0.8,1.2", 0.7, 50, set);
    both.check_curves();
    both.check_sums();
    both.check_saved();
  }
  // Edges of bins of equal width remain edges.
  const std::vector<double> equal{0.0, 0.25, 0.5};
  const Both both("water.h5", "--edges 0,0.25,0.5", 0.5, 2,
                  [&](starhist_histogram* histogram) {
                    return starhist_set_edges(histogram, equal.size(), equal.data());
                  });
  both.check_saved();
}

TEST_CASE("g(r) in a plane equals the program's, up to the corner of its cell") {
  for (const auto& [plane, name] :
       {std::pair{STARHIST_PLANE_XY, "xy"}, std::pair{STARHIST_PLANE_YZ, "yz"}}) {
    const Both both("water.h5", std::string("--r-max 2.1 --bins 300 --plane ") + name,
                    2.1, 300, [which = plane](starhist_histogram* histogram) {
                      return starhist_set_plane(histogram, which);
                    });
    both.check_curves();
    both.check_sums();
    both.check_saved();
  }
}

TEST_CASE("counts by second axis equal the program's, in all bins and planes") {
  struct Case {
    std::string options;
    int plane;
    int quantity;
    std::uint32_t bins;
    double limit;
  };
  for (const Case& c : std::vector<Case>{
           {"--axis2 cos(z) --axis2-bins 7", STARHIST_SPACE, STARHIST_COSINE_Z, 7, 0},
           {"--axis2 cos(x)", STARHIST_SPACE, STARHIST_COSINE_X, 0, 0},
           {"--axis2 dy", STARHIST_SPACE, STARHIST_SEPARATION_Y, 0, 0},
           {"--axis2 dz --plane xy", STARHIST_PLANE_XY, STARHIST_SEPARATION_Z, 0, 0},
           {"--axis2 dx --plane yz --axis2-bins 3 --axis2-max 0.4", STARHIST_PLANE_YZ,
            STARHIST_SEPARATION_X, 3, 0.4}}) {
    for (const bool edges : {false, true}) {
      INFO(c.options << (edges ? ", between edges" : ""));
      const std::vector<double> given{0.04, 0.12, 0.26, 0.35, 0.8};
      const Both both(
          "water.h5",
          (edges ? "--edges 0.04,0.12,0.26,0.35,0.8 " : "--r-max 0.7 --bins 20 ") +
              c.options,
          0.7, 20, [&](starhist_histogram* h) {
            must(starhist_set_plane(h, c.plane));
            must(starhist_set_edges(h, edges ? given.size() : 0, given.data()));
            return starhist_set_second_axis(h, c.quantity, c.bins, c.limit);
          });
      REQUIRE(both.expected.layout.second);
      both.check_curves();
      both.check_sums();
      both.check_saved();
    }
  }
  // The period along z changes from frame to frame.
  const Both both("nacl-triclinic-npt.h5", "--r-max 0.6 --bins 9 --axis2 cos(y)", 0.6,
                  9, [](starhist_histogram* h) {
                    return starhist_set_second_axis(h, STARHIST_COSINE_Y, 0, 0.0);
                  });
  both.check_saved();
}

TEST_CASE("g(r) needs a volume, two blocks for errors, and equal frames per frame") {
  const TestContext context;
  Random random(3);
  const std::vector<double> positions = random_positions(random, cubic_box(1.0), 50);
  const double box[3] = {1.0, 1.0, 1.0};
  double g[20];
  double errors[20];

  const TestHistogram open(context, 0.5, 20, STARHIST_BOX_NONE);
  CHECK(missing(outcome(starhist_get_g(open.get(), 0, 0, 20, g, nullptr)),
                {"STARHIST_NO_FRAMES"}) == "");
  add_positions(open, positions, nullptr);
  CHECK(missing(outcome(starhist_get_g(open.get(), 0, 0, 20, g, nullptr)),
                {"STARHIST_NO_VOLUME", "periodic"}) == "");
  must(starhist_get_coordination(open.get(), 0, 0, 20, g, nullptr));
  CHECK(g[19] > 0.0);

  const TestHistogram histogram(context, 0.5, 20, STARHIST_BOX_LENGTHS);
  add_positions(histogram, positions, box);
  must(starhist_get_g(histogram.get(), 0, STARHIST_PER_FRAME, 20, g, errors));
  CHECK(g[19] > 0.0);
  CHECK(std::isnan(errors[19]));
  const double larger[3] = {1.0, 1.0, 1.1};
  add_positions(histogram, positions, larger);
  CHECK(missing(outcome(starhist_get_g(histogram.get(), 0, STARHIST_PER_FRAME, 20, g,
                                       nullptr)),
                {"STARHIST_BAD_ARGUMENT", "starhist_set_frames_per_block"}) == "");
  CHECK(missing(outcome(starhist_get_g(histogram.get(), 0, 3, 20, g, nullptr)),
                {"STARHIST_BAD_ARGUMENT", "normalization 3"}) == "");
  CHECK(missing(outcome(starhist_get_g(histogram.get(), 0, 0, 19, g, nullptr)),
                {"STARHIST_BAD_SIZE", "19", "20 bins"}) == "");

  // NaN beyond half the box, because the boxes differ.
  const TestHistogram far(context, 0.8, 20, STARHIST_BOX_LENGTHS);
  add_positions(far, positions, box);
  add_positions(far, positions, larger);
  must(starhist_get_g(far.get(), 0, 0, 20, g, nullptr));
  CHECK(g[11] > 0.0);
  CHECK(std::isnan(g[13]));
}

TEST_CASE("standard errors from few or short blocks come with a warning") {
  const TestContext context;
  Random random(4);
  const double box[3] = {1.0, 1.0, 1.0};
  const char* text = nullptr;
  const TestHistogram few(context, 0.5, 20, STARHIST_BOX_LENGTHS);
  must(starhist_set_frames_per_block(few.get(), 1));
  CHECK(missing(outcome(starhist_get_error_warning(few.get(), &text)),
                {"STARHIST_NO_FRAMES"}) == "");
  for (const char* expected :
       {"",
        "standard errors from 2 blocks are uncertain by 71 % themselves (count more "
        "frames: 5 blocks or more)"}) {
    add_positions(few, random_positions(random, cubic_box(1.0), 50), box);
    must(starhist_get_error_warning(few.get(), &text));
    CHECK(text == std::string(expected));
  }

  // Each configuration stays for eight blocks of one frame.
  const TestHistogram slow(context, 0.5, 20, STARHIST_BOX_LENGTHS);
  must(starhist_set_frames_per_block(slow.get(), 1));
  for (int k = 0; k < 32; ++k) {
    const auto positions = random_positions(random, cubic_box(1.0), 50);
    for (int repeats = 0; repeats < 8; ++repeats) {
      add_positions(slow, positions, box);
    }
  }
  must(starhist_get_error_warning(slow.get(), &text));
  CHECK(missing(text, {"standard errors are too small, because blocks of 1 frame are",
                       "count again with starhist_set_frames_per_block 8"}) == "");
}

}  // namespace
}  // namespace starhist::testing
