#include <fstream>

#include "io/hdf5/hdf5_file.hh"
#include "io/hdf5/hdf5_read.hh"
#include "tests/program/json_value.hh"
#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"
#include "tests/support/file_bytes.hh"

// `starhist export --cadishi`. CADISHI's reader (1.1.4) and CAPRIQORN's g(r) have read
// such files; these tests check their requirements.

namespace starhist::testing {
namespace {

std::vector<double> numbers(const io::Hdf5Object& file, const std::string& path) {
  return io::read_hdf5_numbers<double>(io::open_hdf5_dataset(file.get(), path).get());
}

TEST_CASE(
    "export --cadishi: a group per block with CAPRIQORN's datasets, in Angstrom") {
  const RdfRunner rdf;
  REQUIRE(rdf.run({data_file("nacl-triclinic-npt.h5"), "--r-max", "1", "--bins", "50",
                   "--last", "7", "--block", "4"})
              .exit_code == 0);
  const io::ResultFile result = rdf.result();
  const std::string path = rdf.file("histograms.h5");
  const ProgramRun run = run_program({"export", rdf.output(), "--cadishi", "-o", path});
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  const io::Hdf5Object file = io::open_hdf5_file(path);
  // Only frame numbers at the top level: CADISHI converts all names to integers.
  CHECK(io::hdf5_names(file.get()) == std::vector<std::string>{"4", "8"});
  const auto radii = numbers(file, "4/histograms/radii");
  REQUIRE(radii.size() == 50);
  CHECK(radii[0] == Approx(0.1));  // dr (k + 1/2), dr = 0.2 A
  CHECK(radii[49] == Approx(9.9));
  for (const std::size_t b : {0, 1}) {
    const std::string group = b == 0 ? "4/" : "8/";
    for (std::size_t p = 0; p < result.layout.pairs.size(); ++p) {
      const std::string name = pair_name(result.layout.pairs[p], result.layout.species);
      std::string key = name;
      key.replace(name.find('-'), 1, ",");  // species are in alphabetical order
      const auto counts = numbers(file, group + "histograms/" + key);
      CHECK(counts == std::vector<double>(result.blocks[b].counts[p].begin(),
                                          result.blocks[b].counts[p].end()));
    }
    CHECK(numbers(file, group + "particle_numbers/Na") == std::vector<double>(4, 8.0));
    const auto volumes = numbers(file, group + "volumes/box");
    REQUIRE(volumes.size() == 4);
    CHECK(volumes[0] * result.blocks[b].inverse_volume / 4.0 == Approx(1000.0));
  }
}

TEST_CASE("export --cadishi replaces a file only with --force, and no other format") {
  const RdfRunner rdf;
  REQUIRE(
      rdf.run({data_file("water.h5"), "--r-max", "1", "--bins", "10", "--last", "1"})
          .exit_code == 0);
  const std::string path = rdf.file("trajectory.h5");
  write_bytes(path, "not to be lost");
  const std::vector<std::string> words{"export", rdf.output(), "--cadishi", "-o", path};
  const ProgramRun refused = run_program(words);
  CHECK(refused.exit_code == 1);
  CHECK(missing(refused.err, {"trajectory.h5 exists already", "--force"}) == "");
  CHECK(read_bytes(path) == "not to be lost");
  std::vector<std::string> forced = words;
  forced.emplace_back("--force");
  CHECK(run_program(forced).exit_code == 0);
  CHECK(io::hdf5_exists(io::open_hdf5_file(path).get(), "2/histograms"));
  const ProgramRun named =
      run_program({"export", rdf.output(), "--cadishi", "-o", rdf.file("md.xtc")});
  CHECK(named.exit_code == 1);
  CHECK(missing(named.err, {"md.xtc", "extension of another format", "md.h5"}) == "");
}

TEST_CASE("export --cadishi: the log contains dr and the number of summed frames") {
  const RdfRunner rdf;
  REQUIRE(rdf.run({data_file("water.h5"), "--r-max", "1", "--bins", "10", "--last", "6",
                   "--block", "3", "--box", "none"})
              .exit_code == 0);
  const std::string path = rdf.file("histograms.h5");
  REQUIRE(run_program({"export", rdf.output(), "--cadishi", "-o", path}).exit_code ==
          0);
  const io::Hdf5Object file = io::open_hdf5_file(path);
  // Blocks of 3, 3 and 1 frames: one group, because all must hold equally many.
  CHECK(io::hdf5_names(file.get()) == std::vector<std::string>{"7"});
  CHECK(numbers(file, "7/particle_numbers/O") == std::vector<double>(7, 884.0));
  CHECK_FALSE(io::hdf5_exists(file.get(), "7/volumes"));
  const io::Hdf5Object group = io::open_hdf5_group(file.get(), "7");
  const std::string log = rdf.file("log.json");
  std::ofstream(log) << io::read_hdf5_strings(group.get(), "log").at(0);
  CHECK(json_value(log, "d[-1]['histograms']['histogram']['dr']") == "1");
  CHECK(json_value(log, "d[-1]['histograms']['histogram']['sum']") == "7");
}

TEST_CASE("export --cadishi: missing values and irrelevant options are refused") {
  const RdfRunner rdf;
  REQUIRE(rdf.run({data_file("water.h5"), "--r-max", "1", "--bins", "10", "--last", "0",
                   "--species", "a,b=H; O=O"})
              .exit_code == 0);
  const auto refusal = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"export", rdf.output(), "--cadishi"});
    const ProgramRun run = run_program(options);
    return run.exit_code == 1 ? run.err : "exit code " + std::to_string(run.exit_code);
  };
  const std::string path = rdf.file("histograms.h5");
  CHECK(missing(refusal({}), {"-o histograms.h5"}) == "");
  CHECK(missing(refusal({"-o", path, "--errors", "--format", "csv"}),
                {"--errors", "--format"}) == "");
  CHECK(missing(refusal({"-o", rdf.output()}), {"is read"}) == "");
  CHECK(missing(refusal({"-o", path}), {"'a,b'", "--species"}) == "");
  CHECK_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace starhist::testing
