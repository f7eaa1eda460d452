// Invalid input returns a status and a message, and leaves the histogram unchanged.
#include <cmath>
#include <limits>
#include <thread>

#include "tests/capi/c_library.hh"
#include "tests/support/boxes.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/random.hh"
#include "tests/support/special_numbers.hh"

namespace starhist::testing {
namespace {

constexpr double unit_cube[3] = {1.0, 1.0, 1.0};

/// The first word of the command line, or of files, in a message; "" without one.
std::string words_of_the_program(const std::string& text) {
  for (const char* words : {"--", "the file"}) {
    if (text.find(words) != std::string::npos) {
      return words;
    }
  }
  return "";
}

TEST_CASE("unknown units are refused") {
  const TestContext context;
  const TestHistogram histogram(context, 0.5, 10, STARHIST_BOX_LENGTHS);
  const auto set = [&](const char* length, const char* time) {
    return starhist_set_units(histogram.get(), length, time);
  };
  CHECK(set("parsec", "ps") == STARHIST_BAD_ARGUMENT);
  CHECK(missing(starhist_last_error(),
                {"length 'parsec' is not a known unit of length (choose A, nm"}) == "");
  CHECK(set("nm", "nm") == STARHIST_BAD_ARGUMENT);
  CHECK(missing(starhist_last_error(), {"time 'nm'", "(choose ps, fs"}) == "");
  CHECK(set(" ", "ps") == STARHIST_BAD_ARGUMENT);
  CHECK(set("", "") == STARHIST_OK);
}

TEST_CASE("strides of which only one is 0 are refused") {
  const TestContext context;
  const TestHistogram histogram(context, 0.5, 10, STARHIST_BOX_LENGTHS);
  const double positions[6] = {0.1, 0.1, 0.1, 0.2, 0.2, 0.2};
  const auto add = [&](std::size_t particles, std::ptrdiff_t of_particles,
                       std::ptrdiff_t of_components) {
    return starhist_add_frame(histogram.get(), particles, positions, of_particles,
                              of_components, unit_cube);
  };
  CHECK(add(2, 24, 0) == STARHIST_BAD_ARGUMENT);
  CHECK(add(2, 0, 8) == STARHIST_BAD_ARGUMENT);
  CHECK(missing(starhist_last_error(), {"only one of the strides is 0", "0 and 0"}) ==
        "");
  CHECK(add(1, 0, 8) == STARHIST_OK);  // as NumPy's x[None, :]
  CHECK(add(2, 0, 0) == STARHIST_OK);
}

TEST_CASE("trailing blanks of names are removed") {
  const TestContext context;
  const TestHistogram histogram(context, 0.5, 10, STARHIST_BOX_LENGTHS);
  const char* const padded[] = {"O ", "Cl"};
  CHECK(starhist_set_species(histogram.get(), 2, padded) == STARHIST_OK);
  std::size_t pair = 0;
  CHECK(starhist_find_pair(histogram.get(), "O-Cl", &pair) == STARHIST_OK);
  const char* const alike[] = {"O ", "O"};
  CHECK(starhist_set_species(histogram.get(), 2, alike) == STARHIST_BAD_ARGUMENT);
  const char* const blank[] = {"  "};
  CHECK(starhist_set_species(histogram.get(), 1, blank) == STARHIST_BAD_ARGUMENT);
}

TEST_CASE("NULL is refused wherever a pointer is needed") {
  const auto refused = [](starhist_status status) {
    return outcome(status).starts_with("STARHIST_NULL_POINTER: ");
  };
  CHECK(refused(starhist_context_create(1, 0, nullptr, 0, nullptr)));
  CHECK(refused(starhist_context_workers(nullptr, nullptr, nullptr, nullptr)));
  CHECK(refused(starhist_context_pause(nullptr)));
  CHECK(refused(starhist_context_resume(nullptr)));
  starhist_context_destroy(nullptr);
  starhist_histogram_destroy(nullptr);

  const TestContext context;
  starhist_histogram* none = nullptr;
  CHECK(refused(starhist_histogram_create(nullptr, 1.0, 10, 0, &none)));
  CHECK(refused(starhist_histogram_create(context.get(), 1.0, 10, 0, nullptr)));
  CHECK(none == nullptr);
  CHECK(refused(starhist_add_frame(nullptr, 0, nullptr, 0, 0, nullptr)));
  CHECK(refused(starhist_add_frame_float(nullptr, 0, nullptr, 0, 0, nullptr)));
  CHECK(refused(starhist_add_gpu_frame(nullptr, 0, nullptr, 0, 0, nullptr, nullptr)));
  CHECK(refused(
      starhist_add_gpu_frame_float(nullptr, 0, nullptr, 0, 0, nullptr, nullptr)));
  CHECK(refused(starhist_reset(nullptr)));
  CHECK(refused(starhist_get_g(nullptr, 0, 0, 0, nullptr, nullptr)));

  const TestHistogram histogram(context, 0.5, 10, STARHIST_BOX_LENGTHS);
  starhist_histogram* h = histogram.get();
  const char* const names[2] = {"A", nullptr};
  CHECK(refused(starhist_set_species(h, 1, nullptr)));
  CHECK(refused(starhist_set_species(h, 2, names)));
  CHECK(refused(starhist_set_pairs(h, nullptr)));
  CHECK(refused(starhist_set_units(h, nullptr, "ps")));
  CHECK(refused(starhist_set_units(h, "nm", nullptr)));
  CHECK(refused(starhist_set_labels(h, 3, nullptr)));
  CHECK(refused(starhist_set_species_counts(h, 1, nullptr)));
  CHECK(refused(starhist_add_frame(h, 3, nullptr, 0, 0, unit_cube)));
  CHECK(refused(starhist_add_gpu_frame(h, 3, nullptr, 0, 0, nullptr, unit_cube)));
  CHECK(refused(starhist_get_edges(h, 11, nullptr)));
  CHECK(refused(starhist_get_pair_name(h, 0, nullptr)));
  CHECK(refused(starhist_get_species_name(h, 0, nullptr)));
  CHECK(refused(starhist_find_pair(h, nullptr, nullptr)));
  CHECK(refused(starhist_get_block(h, 0, nullptr)));
  CHECK(refused(starhist_get_particles(h, 0, 0, nullptr)));
  CHECK(refused(starhist_get_pairs_over_volume(h, 0, 0, nullptr)));
  must(starhist_get_numbers(h, nullptr, nullptr, nullptr, nullptr, nullptr));
  must(starhist_get_settings(h, nullptr, nullptr, nullptr, nullptr));
}

TEST_CASE("invalid settings are refused, with valid ones in the message") {
  const TestContext context;
  const auto created = [&](double r_max, std::uint64_t bins, int kind) {
    starhist_histogram* none = nullptr;
    const std::string text =
        outcome(starhist_histogram_create(context.get(), r_max, bins, kind, &none));
    CHECK(none == nullptr);
    return text;
  };
  for (const double r_max : {0.0, -1.0, not_a_number, infinity, 1e308}) {
    CHECK(missing(created(r_max, 10, 0), {"STARHIST_BAD_ARGUMENT", "r_max"}) == "");
  }
  for (const std::uint64_t bins : {std::uint64_t{0}, std::uint64_t{1} << 31U}) {
    CHECK(missing(created(1.0, bins, 0), {"STARHIST_BAD_ARGUMENT", "bin count"}) == "");
  }
  for (const int kind : {-1, 4, 1 << 30}) {
    CHECK(missing(created(1.0, 10, kind), {"STARHIST_BAD_ARGUMENT", "box kind"}) == "");
  }

  const TestHistogram histogram(context, 0.5, 10, STARHIST_BOX_LENGTHS);
  starhist_histogram* h = histogram.get();
  const char* const twice[2] = {"A", "A"};
  const char* const unnamed[2] = {"A", ""};
  CHECK(missing(outcome(starhist_set_species(h, 2, twice)),
                {"STARHIST_BAD_ARGUMENT", "'A'"}) == "");
  CHECK(missing(outcome(starhist_set_species(h, 2, unnamed)),
                {"STARHIST_BAD_ARGUMENT", "species 1", "no name"}) == "");
  CHECK(missing(outcome(starhist_set_species(h, 0, twice)),
                {"STARHIST_BAD_ARGUMENT", "no species"}) == "");
  CHECK(missing(outcome(starhist_set_frames_per_block(h, 0)),
                {"STARHIST_BAD_ARGUMENT"}) == "");
  CHECK(missing(outcome(starhist_set_memory(h, 0)), {"STARHIST_BAD_ARGUMENT"}) == "");
  histogram.set_species({"O", "H"});
  for (const char* pairs : {"O-X", "", "O", "all"}) {
    CHECK(missing(outcome(starhist_set_pairs(h, pairs)),
                  {"STARHIST_UNKNOWN_PAIR", "O, H"}) == "");
    CHECK(words_of_the_program(starhist_last_error()) == "");
  }
  for (const int number : {-1, 2}) {
    for (const int axis : {0, 1, 2}) {
      std::array<int, 3> periodic{1, 1, 1};
      periodic[static_cast<std::size_t>(axis)] = number;
      CHECK(missing(outcome(starhist_set_periodic(h, periodic[0], periodic[1],
                                                  periodic[2])),
                    {"STARHIST_BAD_ARGUMENT", "periodic", "give 1 or 0"}) == "");
    }
  }
  const TestHistogram open(context, 0.5, 10, STARHIST_BOX_NONE);
  CHECK(missing(outcome(starhist_set_periodic(open.get(), 1, 1, 1)),
                {"STARHIST_WRONG_STATE", "no box"}) == "");
}

TEST_CASE("invalid frames are refused, and the next one is counted") {
  const TestContext context;
  Random random(2);
  const std::vector<double> good = random_positions(random, cubic_box(1.0), 40);
  const TestHistogram histogram(context, 0.5, 10, STARHIST_BOX_LENGTHS);
  starhist_histogram* h = histogram.get();
  histogram.set_species({"O", "H"});
  const auto add = [&](const std::vector<double>& positions, const double* box) {
    return outcome(
        starhist_add_frame(h, positions.size() / 3, positions.data(), 0, 0, box));
  };
  CHECK(missing(add(good, unit_cube), {"STARHIST_BAD_COUNT", "starhist_set_labels"}) ==
        "");
  std::vector<std::int32_t> labels(40, 1);
  for (const std::int32_t wrong : {2, -2, INT32_MIN, INT32_MAX}) {
    labels[17] = wrong;
    CHECK(missing(outcome(starhist_set_labels(h, 40, labels.data())),
                  {"STARHIST_BAD_LABEL", "particle 17", "2 species"}) == "");
  }
  labels[17] = 0;
  must(starhist_set_labels(h, 40, labels.data()));
  const std::vector<double> fewer(good.begin(), good.end() - 3);
  CHECK(missing(add(fewer, unit_cube), {"STARHIST_BAD_COUNT", "39", "40"}) == "");
  const std::uint64_t sizes[3] = {10, 31, UINT64_MAX};
  CHECK(missing(outcome(starhist_set_species_counts(h, 3, sizes)),
                {"STARHIST_BAD_SIZE", "3", "2 species"}) == "");
  CHECK(missing(outcome(starhist_set_species_counts(h, 2, sizes + 1)),
                {"STARHIST_BAD_COUNT", "too many"}) == "");

  for (const double wrong : {not_a_number, infinity, -infinity, 1e300, 1e10}) {
    std::vector<double> bad = good;
    bad[3 * 17 + 1] = wrong;
    CHECK(missing(add(bad, unit_cube),
                  {"STARHIST_BAD_POSITION", "particle 17 ", "position ("}) == "");
  }
  const double boxes[6][3] = {{1, 1, 0},   {1, -1, 1},       {not_a_number, 1, 1},
                              {1, 1, 1e9}, {1, infinity, 1}, {1e-70, 1, 1}};
  for (const auto& box : boxes) {
    if (box[2] != 1e9) {  // which is a box
      CHECK(missing(add(good, box), {"STARHIST_BAD_BOX"}) == "");
    }
  }
  CHECK(missing(add(good, nullptr), {"STARHIST_BAD_BOX", "NULL"}) == "");
  const double tiny[3] = {0.1, 0.1, 0.1};
  CHECK(missing(add(good, tiny), {"STARHIST_BAD_BOX", "same unit"}) == "");

  CHECK(histogram.block_count() == 0);
  CHECK(add(good, unit_cube) == "STARHIST_OK");
  CHECK(histogram.counts(0, 0).pairs == 0);        // O-O of one O
  CHECK(histogram.counts(0, 1).pairs == 39);       // O-H
  CHECK(histogram.counts(0, 2).pairs == 39 * 19);  // H-H

  CHECK(missing(outcome(starhist_set_pairs(h, "O-O")), {"STARHIST_WRONG_STATE"}) == "");
  CHECK(missing(outcome(starhist_set_memory(h, 1)), {"STARHIST_WRONG_STATE"}) == "");
}

TEST_CASE("invalid matrices are refused, and boxes in histograms without boxes") {
  const TestContext context;
  const TestHistogram histogram(context, 0.5, 10, STARHIST_BOX_MATRIX);
  const std::vector<double> positions(6, 0.25);
  const auto add = [&](const std::array<double, 9>& m) {
    return outcome(
        starhist_add_frame(histogram.get(), 2, positions.data(), 0, 0, m.data()));
  };
  CHECK(missing(add({1, 0, 0, 0, 1, 0, 0, 0, 0}), {"STARHIST_BAD_BOX", "zero"}) == "");
  CHECK(missing(add({1, 0, 0, 2, 0, 0, 0, 0, 1}), {"STARHIST_BAD_BOX", "flat"}) == "");
  CHECK(missing(add({1, 0, not_a_number, 0, 1, 0, 0, 0, 1}),
                {"STARHIST_BAD_BOX", "not finite"}) == "");

  const TestHistogram angles(context, 0.5, 10, STARHIST_BOX_ANGLES);
  const double sums[6] = {1, 1, 1, 60, 60, 130};
  CHECK(missing(
            outcome(starhist_add_frame(angles.get(), 2, positions.data(), 0, 0, sums)),
            {"STARHIST_BAD_BOX", "do not close"}) == "");
  const TestHistogram open(context, 0.5, 10, STARHIST_BOX_NONE);
  CHECK(missing(outcome(starhist_add_frame(open.get(), 2, positions.data(), 0, 0,
                                           unit_cube)),
                {"STARHIST_BAD_BOX", "STARHIST_BOX_NONE"}) == "");
}

TEST_CASE("results that do not exist are refused") {
  const TestContext context;
  const TestHistogram histogram(context, 0.5, 10, STARHIST_BOX_LENGTHS);
  starhist_histogram* h = histogram.get();
  std::uint64_t counts[10] = {7};
  CHECK(missing(outcome(starhist_get_counts(h, STARHIST_ALL_BLOCKS, 0, 10, counts,
                                            nullptr, nullptr)),
                {"STARHIST_NO_FRAMES"}) == "");
  starhist_block sums;
  CHECK(missing(outcome(starhist_get_block(h, 0, &sums)), {"STARHIST_NO_FRAMES"}) ==
        "");
  must(starhist_add_frame(h, 0, nullptr, 0, 0, unit_cube));  // without particles
  CHECK(missing(outcome(starhist_get_counts(h, 1, 0, 10, counts, nullptr, nullptr)),
                {"STARHIST_NO_FRAMES", "no block has the number 1"}) == "");
  CHECK(missing(outcome(starhist_get_counts(h, 0, 1, 10, counts, nullptr, nullptr)),
                {"STARHIST_UNKNOWN_PAIR", "no pair has the number 1"}) == "");
  CHECK(missing(outcome(starhist_get_counts(h, 0, 0, 11, counts, nullptr, nullptr)),
                {"STARHIST_BAD_SIZE"}) == "");
  CHECK(missing(outcome(starhist_get_edges(h, 10, nullptr)),
                {"STARHIST_NULL_POINTER"}) == "");
  double edges[10];
  CHECK(missing(outcome(starhist_get_edges(h, 10, edges)), {"STARHIST_BAD_SIZE"}) ==
        "");
  CHECK(counts[0] == 7);
  must(starhist_get_counts(h, 0, 0, 10, counts, nullptr, nullptr));
  CHECK(counts[0] == 0);
  double n[10] = {7};
  for (const int reverse : {-1, 2}) {
    CHECK(missing(outcome(starhist_get_coordination(h, 0, reverse, 10, n, nullptr)),
                  {"STARHIST_BAD_ARGUMENT", "reverse is", "give 0, or 1"}) == "");
  }
  CHECK(n[0] == 7);
  std::uint64_t particles = 1;
  CHECK(missing(outcome(starhist_get_particles(h, 0, 1, &particles)),
                {"STARHIST_BAD_ARGUMENT", "no species has the number 1"}) == "");
}

TEST_CASE("too little memory breaks a histogram until it is reset") {
  const TestContext context;
  const TestHistogram histogram(context, 0.5, 1'000'000, STARHIST_BOX_LENGTHS);
  starhist_histogram* h = histogram.get();
  must(starhist_set_memory(h, 1000));
  const std::vector<double> positions(6, 0.25);
  const auto add = [&] {
    return outcome(starhist_add_frame(h, 2, positions.data(), 0, 0, unit_cube));
  };
  CHECK(missing(add(), {"STARHIST_OUT_OF_MEMORY", "starhist_set_memory"}) == "");
  CHECK(words_of_the_program(starhist_last_error()) == "");
  CHECK(missing(add(), {"STARHIST_BROKEN"}) == "");
  CHECK(missing(outcome(starhist_get_counts(h, 0, 0, 0, nullptr, nullptr, nullptr)),
                {"STARHIST_BROKEN"}) == "");
  must(starhist_reset(h));
  must(starhist_set_memory(h, std::uint64_t{1} << 30U));
  CHECK(add() == "STARHIST_OK");
  CHECK(histogram.counts(0, 0).bins[0] == 1);
}

TEST_CASE("counts by second axis that do not fit into memory name the call") {
  const TestContext context;
  const TestHistogram histogram(context, 0.5, 1'000'000, STARHIST_BOX_LENGTHS);
  starhist_histogram* h = histogram.get();
  must(starhist_set_second_axis(h, STARHIST_COSINE_Z, 1000, 0.0));
  const std::vector<double> positions(6, 0.25);
  const auto add = [&] {
    return outcome(starhist_add_frame(h, 2, positions.data(), 0, 0, unit_cube));
  };
  CHECK(missing(add(), {"MB", "fewer", "starhist_set_memory"}) == "");
  CHECK(words_of_the_program(starhist_last_error()) == "");
}

TEST_CASE("the last error belongs to a thread, and statuses have names") {
  static_cast<void>(starhist_reset(nullptr));
  const std::string ours = starhist_last_error();
  CHECK(missing(ours, {"histogram is NULL"}) == "");
  std::string theirs = "?";
  std::thread([&theirs] { theirs = starhist_last_error(); }).join();
  CHECK(theirs.empty());
  CHECK(starhist_last_error() == ours);
  CHECK(starhist_status_name(5) == std::string("STARHIST_BAD_BOX"));
  CHECK(starhist_status_name(-1) == std::string("unknown status"));
  for (int status = 0; status <= STARHIST_NO_GPU; ++status) {
    CHECK(missing(starhist_status_name(status), {"STARHIST_"}) == "");
  }
}

TEST_CASE(
    "positions in main memory passed as GPU positions are refused, with a remedy") {
  const TestContext context;
  const TestHistogram histogram(context, 0.5, 10, STARHIST_BOX_LENGTHS);
  const double two[6] = {0.1, 0.1, 0.1, 0.2, 0.1, 0.1};
  const float single[6] = {0.1F, 0.1F, 0.1F, 0.2F, 0.1F, 0.1F};
#ifdef STARHIST_CUDA
  const auto words = {"STARHIST_BAD_ARGUMENT", "GPU memory"};
#else
  const auto words = {"STARHIST_NO_GPU", "counts on CPUs", "copy in main memory"};
#endif
  CHECK(missing(outcome(starhist_add_gpu_frame(histogram.get(), 2, two, 0, 0, nullptr,
                                               unit_cube)),
                words) == "");
  CHECK(missing(outcome(starhist_add_gpu_frame_float(histogram.get(), 2, single, 0, 0,
                                                     nullptr, unit_cube)),
                words) == "");
  CHECK(outcome(starhist_add_gpu_frame(histogram.get(), 2, two, 0, 0, nullptr, nullptr))
            .starts_with("STARHIST_BAD_BOX: "));
  CHECK(outcome(starhist_add_gpu_frame(histogram.get(), 0, nullptr, 0, 0, nullptr,
                                       unit_cube)) == "STARHIST_OK");
  must(starhist_add_frame(histogram.get(), 2, two, 0, 0, unit_cube));
  CHECK(histogram.counts(STARHIST_ALL_BLOCKS, 0).pairs == 1);
}

}  // namespace
}  // namespace starhist::testing
