// The C library returns exactly the counts of the defining function, of an independent
// program and of `starhist rdf`.
#include <string>
#include <vector>

#include "io/reader/trajectory_reader.hh"
#include "io/result/result_reader.hh"
#include "tests/capi/c_library.hh"
#include "tests/capi/particle_arrays.hh"
#include "tests/support/boxes.hh"
#include "tests/support/catch.hh"
#include "tests/support/reference_counts.hh"
#include "tests/support/run_program.hh"
#include "tests/support/temporary_directory.hh"
#include "tests/tasks/trajectories.hh"

namespace starhist::testing {
namespace {

constexpr std::uint64_t all = STARHIST_ALL_BLOCKS;

starhist_status add(const TestHistogram& histogram,
                    const ParticleArrays<double>& arrays, const double* box) {
  return starhist_add_frame(histogram.get(), arrays.particles, arrays.positions(),
                            arrays.particle_stride, arrays.component_stride, box);
}

starhist_status add(const TestHistogram& histogram, const ParticleArrays<float>& arrays,
                    const double* box) {
  return starhist_add_frame_float(histogram.get(), arrays.particles, arrays.positions(),
                                  arrays.particle_stride, arrays.component_stride, box);
}

template <class Real>
void add_shuffled(const TestHistogram& histogram, const Frame& frame,
                  Arrangement arrangement, Random& random) {
  const auto arrays = arrays_of<Real>(frame, arrangement, random);
  must(
      starhist_set_labels(histogram.get(), arrays.labels.size(), arrays.labels.data()));
  const std::array<double, 9> matrix = matrix_of(frame.box);
  must(add(histogram, arrays, matrix.data()));
}

/// Counts of every fifth frame.
template <class Real>
void check_reference(const TestContext& context, const ReferenceCounts& reference,
                     Arrangement arrangement) {
  INFO(reference.trajectory << ", r_max " << reference.r_max);
  const auto reader = io::open_trajectory({reference.trajectory}, {});
  const TestHistogram histogram(context, std::stod(reference.r_max),
                                std::stoull(reference.bins), STARHIST_BOX_MATRIX);
  histogram.set_species(reader->info().species);
  Random random(1);
  Frame frame;
  for (std::uint64_t k = 0; k < reader->info().frame_count; k += 5) {
    reader->read(FrameIndex(k), frame);
    add_shuffled<Real>(histogram, frame, arrangement, random);
  }
  std::uint64_t frames = 0;
  std::size_t pairs = 0;
  must(starhist_get_numbers(histogram.get(), &frames, nullptr, nullptr, &pairs,
                            nullptr));
  CHECK(frames == reference.frames);
  REQUIRE(pairs == reference.pairs.size());
  for (std::size_t p = 0; p < pairs; ++p) {
    const ReferencePair& expected = reference.pairs[p];
    CHECK((histogram.counts(all, p) == TestHistogram::Counts{expected.counts,
                                                             expected.out_of_range,
                                                             expected.total}));
  }
}

TEST_CASE(
    "real trajectories, cubic and triclinic at constant pressure, have the "
    "counts of an independent program") {
  const TestContext context;
  const std::vector<ReferenceCounts> references = all_reference_counts();
  CHECK(references.size() >= 4);
  for (const ReferenceCounts& reference : references) {
    check_reference<double>(context, reference, Arrangement::compact);
    check_reference<float>(context, reference, Arrangement::with_gaps);
  }
  check_reference<double>(context, references.front(), Arrangement::by_column);
  check_reference<double>(context, references.front(), Arrangement::backwards);
  check_reference<float>(context, references.front(), Arrangement::compact);
}

void check_against_program(const std::string& name, const std::string& r_max,
                           const std::string& bins) {
  const TemporaryDirectory folder;
  const std::string path = folder.file("out.h5");
  const ProgramRun run = run_program({"rdf", data_file(name), "-o", path, "--r-max",
                                      r_max, "--bins", bins, "--block", "7"});
  REQUIRE(run.exit_code == 0);
  const io::ResultFile result = io::read_result(path);

  const TestContext context;
  const TestHistogram histogram(context, std::stod(r_max), std::stoull(bins),
                                STARHIST_BOX_MATRIX);
  const auto reader = io::open_trajectory({data_file(name)}, {});
  histogram.set_species(reader->info().species);
  must(starhist_set_frames_per_block(histogram.get(), 7));
  Frame frame;
  for (std::uint64_t k = 0; k < reader->info().frame_count; ++k) {
    reader->read(FrameIndex(k), frame);
    std::vector<double> positions;
    std::vector<std::uint64_t> numbers;
    for (const std::vector<double>& of_species : frame.positions) {
      positions.insert(positions.end(), of_species.begin(), of_species.end());
      numbers.push_back(of_species.size() / 3);
    }
    must(starhist_set_species_counts(histogram.get(), numbers.size(), numbers.data()));
    must(starhist_add_frame(histogram.get(), positions.size() / 3, positions.data(), 0,
                            0, matrix_of(frame.box).data()));
  }
  REQUIRE(histogram.block_count() == result.blocks.size());
  for (std::size_t b = 0; b < result.blocks.size(); ++b) {
    CHECK(block_difference(histogram, b, result.blocks[b]) == "");
  }
  for (std::size_t p = 0; p < result.layout.pairs.size(); ++p) {
    const char* text = nullptr;
    must(starhist_get_pair_name(histogram.get(), p, &text));
    CHECK(text == pair_name(result.layout.pairs[p], result.layout.species));
  }
}

TEST_CASE("every block has the counts of the program: cubic box") {
  check_against_program("water.h5", "1.3", "450");
}

TEST_CASE("every block has the counts of the program: triclinic, constant pressure") {
  check_against_program("nacl-triclinic-npt.h5", "2.1", "1000");
}

/// Frames with boxes that are periodic along all axes, or along none.
Trajectory frames_with(bool periodic) {
  Trajectory all_frames = random_trajectory(17, 60);
  Trajectory trajectory{all_frames.layout, {}};
  for (Frame& frame : all_frames.frames) {
    if (frame.box.has_volume() == periodic &&
        (periodic || frame.box.kind() == BoxKind::open)) {
      frame.index = FrameIndex(trajectory.frames.size());
      trajectory.frames.push_back(frame);
    }
  }
  return trajectory;
}

TEST_CASE(
    "particle numbers, labels and box shapes may change, with results in between") {
  const TestContext context;
  const Trajectory trajectory = frames_with(true);
  REQUIRE(trajectory.frames.size() > 20);
  for (const std::uint32_t frames_per_block : {1U, 3U, 100U}) {
    const auto expected = expected_blocks(trajectory, frames_per_block);
    for (const std::size_t results_every : {1U, 4U, 1000U}) {
      INFO(frames_per_block << " per block, results every " << results_every);
      const TestHistogram histogram(context, trajectory.layout.bins.r_max,
                                    trajectory.layout.bins.count, STARHIST_BOX_MATRIX);
      histogram.set_species(trajectory.layout.species);
      must(starhist_set_frames_per_block(histogram.get(), frames_per_block));
      Random random(5);
      for (std::size_t k = 0; k < trajectory.frames.size(); ++k) {
        add_shuffled<double>(histogram, trajectory.frames[k],
                             static_cast<Arrangement>(k % 4), random);
        if (k % results_every == 0) {
          CHECK(histogram.block_count() == k / frames_per_block + 1);
        }
      }
      REQUIRE(histogram.block_count() == expected.size());
      for (std::size_t b = 0; b < expected.size(); ++b) {
        CHECK(block_difference(histogram, b, expected[b]) == "");
      }
      CHECK(block_difference(histogram, all, total(expected)) == "");
    }
  }
}

TEST_CASE("an open box has no periodic images") {
  const TestContext context;
  const Trajectory trajectory = frames_with(false);
  REQUIRE(!trajectory.frames.empty());
  const TestHistogram histogram(context, trajectory.layout.bins.r_max,
                                trajectory.layout.bins.count, STARHIST_BOX_NONE);
  histogram.set_species(trajectory.layout.species);
  Random random(6);
  for (const Frame& frame : trajectory.frames) {
    const auto arrays = arrays_of<double>(frame, Arrangement::compact, random);
    must(starhist_set_labels(histogram.get(), arrays.labels.size(),
                             arrays.labels.data()));
    must(add(histogram, arrays, nullptr));
  }
  CHECK(block_difference(histogram, 0, expected_blocks(trajectory, 100).front()) == "");
}

/// Counts of one frame of one species.
TestHistogram::Counts counts_of(const TestContext& context, starhist_box_kind kind,
                                const double* box, const std::vector<double>& positions,
                                std::array<int, 3> periodic = {1, 1, 1}) {
  const TestHistogram histogram(context, 0.8, 200, kind);
  if (kind != STARHIST_BOX_NONE) {
    must(starhist_set_periodic(histogram.get(), periodic[0], periodic[1], periodic[2]));
  }
  must(starhist_add_frame(histogram.get(), positions.size() / 3, positions.data(), 0, 0,
                          box));
  return histogram.counts(0, 0);
}

TEST_CASE("a box as lengths, lengths and angles, or matrix is the same box") {
  const TestContext context;
  Random random(7);
  const std::vector<double> positions = random_positions(random, cubic_box(2.0), 200);
  const double lengths[3] = {1.0, 1.5, 1.2};
  const double right_angles[6] = {1.0, 1.5, 1.2, 90.0, 90.0, 90.0};
  const double matrix[9] = {1.0, 0.0, 0.0, 0.0, 1.5, 0.0, 0.0, 0.0, 1.2};
  const auto expected = counts_of(context, STARHIST_BOX_MATRIX, matrix, positions);
  CHECK(counts_of(context, STARHIST_BOX_LENGTHS, lengths, positions) == expected);
  CHECK(counts_of(context, STARHIST_BOX_ANGLES, right_angles, positions) == expected);

  const double angles[6] = {1.0, 1.5, 1.2, 80.0, 75.0, 100.0};
  const Box oblique = Box::from_lengths_and_angles({1.0, 1.5, 1.2}, {80, 75, 100});
  CHECK(counts_of(context, STARHIST_BOX_ANGLES, angles, positions) ==
        counts_of(context, STARHIST_BOX_MATRIX, matrix_of(oblique).data(), positions));

  // Edges of axes without periodicity are ignored.
  const double slab[3] = {1.0, 1.5, 0.0};
  double other_slab[9];
  std::copy(matrix, matrix + 9, other_slab);
  other_slab[8] = -7.0;
  const auto of_slab =
      counts_of(context, STARHIST_BOX_LENGTHS, slab, positions, {1, 1, 0});
  CHECK(of_slab ==
        counts_of(context, STARHIST_BOX_MATRIX, other_slab, positions, {1, 1, 0}));
  CHECK(of_slab != expected);
  CHECK(counts_of(context, STARHIST_BOX_LENGTHS, slab, positions, {0, 0, 0}) ==
        counts_of(context, STARHIST_BOX_NONE, nullptr, positions));
}

TEST_CASE("only the requested pairs are counted, without particles of label -1") {
  const TestContext context;
  Trajectory trajectory = frames_with(true);
  const TestHistogram histogram(context, trajectory.layout.bins.r_max,
                                trajectory.layout.bins.count, STARHIST_BOX_MATRIX);
  histogram.set_species({"A", "B"});
  must(starhist_set_pairs(histogram.get(), "B-A,B-B"));
  std::size_t pair = 7;
  must(starhist_find_pair(histogram.get(), "B-A", &pair));
  CHECK(pair == 0);
  must(starhist_find_pair(histogram.get(), "A-B", &pair));
  CHECK(pair == 0);
  must(starhist_find_pair(histogram.get(), "B-B", &pair));
  CHECK(pair == 1);
  CHECK(outcome(starhist_find_pair(histogram.get(), "A-A", &pair))
            .starts_with("STARHIST_UNKNOWN_PAIR"));
  Random random(8);
  for (const Frame& frame : trajectory.frames) {
    auto arrays = arrays_of<double>(frame, Arrangement::compact, random);
    for (std::int32_t& label : arrays.labels) {
      label = label == 2 ? -1 : label;
    }
    must(starhist_set_labels(histogram.get(), arrays.labels.size(),
                             arrays.labels.data()));
    must(add(histogram, arrays, matrix_of(frame.box).data()));
  }
  const BlockCounts expected = total(expected_blocks(trajectory, 1));
  const auto counts_of_expected = [&](std::size_t p) {
    return TestHistogram::Counts{expected.counts[p], expected.out_of_range[p],
                                 expected.pairs[p]};
  };
  CHECK(histogram.counts(all, 0) == counts_of_expected(1));  // A-B of all six
  CHECK(histogram.counts(all, 1) == counts_of_expected(3));  // B-B
}

TEST_CASE("two histograms of one context, one of them reset") {
  const TestContext context;
  Random random(9);
  const std::vector<double> positions = random_positions(random, cubic_box(1.0), 300);
  const double box[3] = {1.0, 1.0, 1.0};
  const TestHistogram narrow(context, 0.5, 100, STARHIST_BOX_LENGTHS);
  const TestHistogram wide(context, 0.5, 50, STARHIST_BOX_LENGTHS);
  const auto add_to = [&](const TestHistogram& histogram) {
    must(starhist_add_frame(histogram.get(), 300, positions.data(), 0, 0, box));
  };
  add_to(narrow);
  add_to(wide);
  add_to(narrow);
  add_to(wide);
  const auto fine = narrow.counts(all, 0);
  const auto coarse = wide.counts(all, 0);
  CHECK(fine.pairs == 2 * 300 * 299 / 2);
  CHECK(fine.out_of_range == coarse.out_of_range);
  for (std::size_t k = 0; k < 50; ++k) {
    CHECK(coarse.bins[k] == fine.bins[2 * k] + fine.bins[2 * k + 1]);
  }
  must(starhist_reset(narrow.get()));
  CHECK(narrow.block_count() == 0);
  add_to(narrow);
  CHECK(narrow.counts(all, 0).pairs == 300 * 299 / 2);
  CHECK(2 * narrow.counts(all, 0).out_of_range == fine.out_of_range);
  double edges[101];
  must(starhist_get_edges(narrow.get(), 101, edges));
  CHECK(edges[0] == 0.0);
  CHECK(edges[1] == 1 * 0.5 / 100);
  CHECK(edges[100] == 0.5);
}

}  // namespace
}  // namespace starhist::testing
