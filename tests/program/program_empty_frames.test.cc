#include <array>
#include <cstdint>

#include "codelets/core/base/text.hh"
#include "tests/program/json_value.hh"
#include "tests/program/rdf_runner.hh"
#include "tests/support/brute_force.hh"
#include "tests/support/catch.hh"
#include "tests/support/h5md_file.hh"
#include "tests/support/random.hh"
#include "tests/support/text_trajectory.hh"
#include "tests/support/xyz_text.hh"

// Frames without particles count as a frame and a volume without pairs.

namespace starhist::testing {
namespace {

using Words = RdfRunner::Words;

constexpr double cube_edge = 3.0;
constexpr double largest_r = 2.0;
constexpr std::size_t bin_count = 40;
const std::vector<Vec3> cube_edges{
    {cube_edge, 0, 0}, {0, cube_edge, 0}, {0, 0, cube_edge}};

/// Numbers of particles of species A and B in each frame.
using PairNumbers = std::vector<std::pair<std::size_t, std::size_t>>;

const PairNumbers only_empty{{0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}};
const PairNumbers empty_between{{9, 7}, {0, 0}, {8, 7}, {0, 0}, {0, 0}, {0, 0}, {9, 0}};
const PairNumbers empty_first{{0, 0}, {0, 0}, {0, 0}, {30, 40}, {31, 0}, {0, 0}};
const PairNumbers species_later{{12, 0}, {0, 0}, {12, 5}, {0, 11}, {1, 0}, {0, 1}};

/// A trajectory and its pairs, counted by brute force: counts[frame][A-A, A-B,
/// B-B][bin], the last bin for those out of range.
struct Example {
  std::string text;
  std::vector<std::array<std::vector<std::uint64_t>, 3>> counts;
};

Example make_example(const PairNumbers& numbers) {
  Random random(5);
  const BruteForce lattice(
      Box({cube_edges[0], cube_edges[1], cube_edges[2]}, {true, true, true}));
  Example example;
  for (const auto& [a, b] : numbers) {
    std::vector<Atom> atoms;
    for (std::size_t k = 0; k < a + b; ++k) {
      const Vec3 p{random.uniform(0, cube_edge), random.uniform(0, cube_edge),
                   random.uniform(0, cube_edge)};
      atoms.push_back({k < a ? "A" : "B", p});
    }
    example.text += xyz_frame(cube_edges, atoms);
    auto& counts = example.counts.emplace_back();
    counts.fill(std::vector<std::uint64_t>(bin_count + 1));
    for (std::size_t i = 0; i < atoms.size(); ++i) {
      for (std::size_t j = i + 1; j < atoms.size(); ++j) {
        const double r = lattice.distance(atoms[i].position, atoms[j].position);
        const std::size_t pair = (i < a ? 0U : 1U) + (j < a ? 0U : 1U);
        ++counts[pair][std::min(
            static_cast<std::size_t>(r / largest_r * bin_count + 0x1p-30), bin_count)];
      }
    }
  }
  return example;
}

Words counted_up_to_r_max(const std::string& path) {
  return {path, "--r-max", number_text(largest_r), "--bins", std::to_string(bin_count)};
}

/// Pairs A-A, A-B and B-B: indices in a result that may lack a species.
std::vector<std::size_t> pairs_of_blocks(const io::ResultFile& result) {
  std::vector<std::size_t> kinds;
  for (const SpeciesPair& pair : result.layout.pairs) {
    const auto is_b = [&](SpeciesId species) {
      return result.layout.species[species.index()] == "B" ? 1U : 0U;
    };
    kinds.push_back(is_b(pair.first) + is_b(pair.second));
  }
  return kinds;
}

void check_counts(const io::ResultFile& result, const PairNumbers& numbers,
                  const Example& example, std::size_t frames_per_block) {
  const std::size_t blocks = (numbers.size() + frames_per_block - 1) / frames_per_block;
  REQUIRE(result.blocks.size() == blocks);
  const std::vector<std::size_t> kinds = pairs_of_blocks(result);
  for (std::size_t b = 0; b < blocks; ++b) {
    const BlockCounts& block = result.blocks[b];
    const std::size_t first = b * frames_per_block;
    const std::size_t end = std::min(first + frames_per_block, numbers.size());
    CHECK(block.frames == end - first);
    CHECK(block.first_frame.get() == first);
    CHECK(block.last_frame.get() == end - 1);
    CHECK(block.volume ==
          static_cast<double>(end - first) * cube_edge * cube_edge * cube_edge);
    std::uint64_t particles = 0;
    std::uint64_t expected_particles = 0;
    for (std::size_t f = first; f < end; ++f) {
      expected_particles += numbers[f].first + numbers[f].second;
    }
    for (const std::uint64_t number : block.particle_number) {
      particles += number;
    }
    CHECK(particles == expected_particles);
    for (std::size_t p = 0; p < kinds.size(); ++p) {
      std::vector<std::uint64_t> expected(bin_count + 1);
      for (std::size_t f = first; f < end; ++f) {
        for (std::size_t k = 0; k <= bin_count; ++k) {
          expected[k] += example.counts[f][kinds[p]][k];
        }
      }
      CHECK(block.out_of_range[p] == expected.back());
      expected.pop_back();
      CHECK(block.counts[p] == expected);
    }
  }
}

TEST_CASE("frames without particles, anywhere, in blocks of any length") {
  const auto numbers = GENERATE(only_empty, empty_between, empty_first, species_later);
  const Example example = make_example(numbers);
  const TextTrajectory xyz(example.text, "a.xyz");
  for (const std::size_t frames_per_block : {1U, 2U, 3U, 100U}) {
    for (const std::string clusters : {"off", "on"}) {
      INFO(frames_per_block << " frames per block, tiles " << clusters);
      const RdfRunner rdf;
      const ProgramRun run = rdf.run(
          with(counted_up_to_r_max(xyz.path),
               {"--block", std::to_string(frames_per_block), "--clusters", clusters}));
      INFO(run.err);
      REQUIRE(run.exit_code == 0);
      check_counts(rdf.result(), numbers, example, frames_per_block);
    }
  }
}

TEST_CASE("a file without any particle has one species, and counts its frames") {
  const RdfRunner rdf;
  const std::string xyz = rdf.file("z.xyz");
  write_bytes(xyz, "0\nc\n");
  const std::string dump = rdf.file("z.dump");
  const std::string header =
      "ITEM: NUMBER OF ATOMS\n0\nITEM: BOX BOUNDS pp pp pp\n0 3\n0 3\n0 3\n"
      "ITEM: ATOMS id type x y z\n";
  write_bytes(dump, "ITEM: TIMESTEP\n0\n" + header + "ITEM: TIMESTEP\n5\n" + header);
  const std::string h5md = rdf.file("z.h5");
  write_h5md(h5md, small_trajectory());
  {
    HdfFile file(h5md, HdfFile::Mode::edit);
    file.numbers("particles/all/position/value", {3, 0, 3}, {});
    file.numbers("particles/all/species", {0}, {}, {NumberType::i32});
  }
  const std::string cadishi = rdf.file("c.h5");
  HdfFile(cadishi).group("1/coordinates");
  for (const auto& [path, frames] : std::vector<std::pair<std::string, std::uint32_t>>{
           {xyz, 1}, {dump, 2}, {h5md, 3}, {cadishi, 1}}) {
    INFO(path);
    const Words words = with(counted_up_to_r_max(path), {"--force"});
    const ProgramRun run = rdf.run(words);
    INFO(run.err);
    REQUIRE(run.exit_code == 0);
    const io::ResultFile result = rdf.result();
    CHECK(result.layout.species == std::vector<std::string>{"all"});
    REQUIRE(result.blocks.size() == 1);
    CHECK(result.blocks[0].frames == frames);
    CHECK(result.blocks[0].pairs == std::vector<std::uint64_t>{0});
    CHECK(result.blocks[0].particle_number == std::vector<std::uint64_t>{0});

    const ProgramRun info = run_program({"info", path});
    CHECK(info.exit_code == 0);
    CHECK(missing(info.out, {"all: 0", "the first frame has no particles"}) == "");
    const ProgramRun explained = run_program(with(with({"rdf"}, words), {"--explain"}));
    CHECK(explained.exit_code == 0);
    CHECK(missing(explained.out, {"no selected frame has a pair"}) == "");

    const std::string converted = rdf.file("converted.h5");
    const ProgramRun conversion =
        run_program({"convert", path, "-o", converted, "--force"});
    INFO(conversion.err);
    CHECK(conversion.exit_code == 0);
    CHECK(rdf.run(with(counted_up_to_r_max(converted), {"--force"})).exit_code == 0);
    CHECK(rdf.result().blocks[0].frames == frames);
    CHECK(rdf.result().blocks[0].volume == result.blocks[0].volume);
  }
}

TEST_CASE("a part without particles has the species of the others") {
  const RdfRunner rdf;
  const std::string empty = rdf.file("empty.xyz");
  write_bytes(empty, make_example(only_empty).text);
  const std::string other = rdf.file("other.xyz");
  write_bytes(other, make_example(empty_between).text);
  const ProgramRun run =
      rdf.run(with({empty}, with(counted_up_to_r_max(other), {"--quiet"})));
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  CHECK(rdf.result().layout.species == std::vector<std::string>{"A", "B"});
  CHECK(rdf.result().blocks[0].frames == only_empty.size() + empty_between.size());
}

TEST_CASE("explain uses the first frame that has pairs") {
  const RdfRunner rdf;
  const std::string xyz = rdf.file("a.xyz");
  write_bytes(xyz, make_example(empty_first).text);
  const ProgramRun run =
      run_program(with(with({"rdf"}, counted_up_to_r_max(xyz)), {"--explain"}));
  INFO(run.err);
  CHECK(run.exit_code == 0);
  CHECK(missing(run.out, {"frame 3 (", "2 415"}) == "");  // 70 particles
}

TEST_CASE("selections from a first frame without particles are refused") {
  const RdfRunner rdf;
  const std::string xyz = rdf.file("a.xyz");
  write_bytes(xyz, make_example(empty_first).text);
  for (const Words& more :
       {Words{"--species", "X=name A"}, Words{"--exclude-same", "molecule"}}) {
    const ProgramRun run = rdf.run(with(counted_up_to_r_max(xyz), more));
    CHECK(run.exit_code == 1);
    CHECK(missing(run.err, {"no particles in its first frame"}) == "");
  }
  const ProgramRun grouped =
      rdf.run(with(counted_up_to_r_max(xyz), {"--species", "X=A B", "--quiet"}));
  CHECK(grouped.exit_code == 0);
  CHECK(rdf.result().blocks[0].pairs ==
        std::vector<std::uint64_t>{70 * 69 / 2 + 31 * 30 / 2});
}

/// Checks that `command` succeeds on a result in every format, and writes numbers or
/// empty values.
void check_defined(const Words& command) {
  const TemporaryDirectory folder;
  const std::string output = folder.file("table");
  for (const char* format : {"csv", "xvg", "json"}) {
    INFO(command[0] << " " << command.back() << " " << format);
    const ProgramRun run =
        run_program(with(command, {"--format", format, "-o", output}));
    INFO(run.err);
    CHECK(run.exit_code == 0);
    const std::string text = read_bytes(output);
    for (const char* word : {"nan", "NaN", "inf,", "inf\n", "Infinity"}) {
      CHECK(text.find(word) == std::string::npos);
    }
  }
  CHECK(json_value(output, "len(d['curves']) > 0") == "True");
}

TEST_CASE("output from such results is a number or empty, never NaN") {
  for (const PairNumbers& numbers : {only_empty, empty_between, species_later}) {
    const RdfRunner rdf;
    const std::string xyz = rdf.file("a.xyz");
    write_bytes(xyz, make_example(numbers).text);
    REQUIRE(
        rdf.run({xyz, "--r-max", "1.5", "--bins", "30", "--block", "1", "--unit", "A"})
            .exit_code == 0);
    for (const char* quantity : {"counts", "g", "coordination"}) {
      check_defined({"export", rdf.output(), "--quantity", quantity});
    }
    for (const char* normalization :
         {"pairs-over-volume", "mean-volume", "per-frame"}) {
      check_defined(
          {"export", rdf.output(), "--errors", "--normalization", normalization});
    }
    check_defined({"export", rdf.output(), "--errors", "--quantity", "coordination"});
    for (const char* quantity : {"sq", "kirkwood-buff"}) {
      check_defined({"analyze", rdf.output(), "--errors", "--quantity", quantity});
    }
    Words factors{"analyze",   rdf.output(), "--errors",
                  "--element", "A=O,B=H",    "--quantity"};
    if (rdf.result().layout.species.size() == 1) {
      factors[4] = "all=O";
    }
    check_defined(with(factors, {"xray"}));
    check_defined(with(factors, {"neutron"}));
    CHECK(run_program({"info", rdf.output()}).exit_code == 0);
    CHECK(run_program({"export", rdf.output(), "--cadishi", "-o", rdf.file("c.h5")})
              .exit_code == 0);
  }
}

TEST_CASE("block lengths of a result without pairs are undefined, others are not") {
  const RdfRunner rdf;
  const std::string xyz = rdf.file("a.xyz");
  const Words block{"--r-max", "1.5", "--bins", "30", "--block", "1", "--force"};
  write_bytes(xyz, make_example(only_empty).text);
  REQUIRE(rdf.run(with({xyz}, block)).exit_code == 0);
  const ProgramRun refused =
      run_program({"analyze", rdf.output(), "--quantity", "blocks"});
  CHECK(refused.exit_code == 1);
  CHECK(missing(refused.err, {rdf.output().c_str(), "no frame contains such a pair"}) ==
        "");
  write_bytes(xyz, make_example(empty_between).text);
  REQUIRE(rdf.run(with({xyz}, block)).exit_code == 0);
  check_defined({"analyze", rdf.output(), "--quantity", "blocks"});
}

TEST_CASE("results without pairs are merged like others") {
  const RdfRunner rdf;
  const std::string xyz = rdf.file("a.xyz");
  write_bytes(xyz, make_example(empty_first).text);
  const std::string first = rdf.file("first.h5");
  const std::string second = rdf.file("second.h5");
  const Words words = with({"rdf"}, counted_up_to_r_max(xyz));
  REQUIRE(run_program(with(words, {"--last", "2", "-o", first})).exit_code == 0);
  REQUIRE(run_program(with(words, {"--first", "3", "-o", second})).exit_code == 0);
  const ProgramRun run = run_program({"merge", first, second, "-o", rdf.output()});
  INFO(run.err);
  CHECK(run.exit_code == 0);
  const BlockCounts sum = total(rdf.result().blocks);
  CHECK(sum.frames == empty_first.size());
  CHECK(sum.pairs[0] == 30 * 29 / 2 + 31 * 30 / 2);
  CHECK(sum.volume == 6 * cube_edge * cube_edge * cube_edge);
}

}  // namespace
}  // namespace starhist::testing
