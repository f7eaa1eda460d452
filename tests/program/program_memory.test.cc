#include <algorithm>
#include <random>

#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"
#include "tests/support/h5md_file.hh"

// Memory does not grow with the length of a trajectory.

namespace starhist::testing {
namespace {

/// `frame_count` frames of 300 random particles of two species.
SmallTrajectory many_frames(std::size_t frame_count) {
  SmallTrajectory trajectory;
  trajectory.species.clear();
  for (int particle = 0; particle < 300; ++particle) {
    trajectory.species.emplace_back(1, particle % 3 == 0 ? 'A' : 'B');
  }
  std::mt19937 random(1);
  std::uniform_real_distribution<double> coordinate(0.0, 3.0);
  for (std::size_t frame = 0; frame < frame_count; ++frame) {
    trajectory.positions.emplace_back(900);
    std::generate(trajectory.positions.back().begin(),
                  trajectory.positions.back().end(),
                  [&] { return coordinate(random); });
  }
  return trajectory;
}

/// Run over the first `frame_count` frames of the file.
[[maybe_unused]] ProgramRun counted(const RdfRunner& rdf, const std::string& path,
                                    std::size_t frame_count) {
  const ProgramRun run =
      rdf.run({path, "--r-max", "1.5", "--bins", "300", "--block", "10", "--force",
               "--last", std::to_string(frame_count - 1)});
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  CHECK(total(rdf.result().blocks).frames == frame_count);
  return run;
}

/// Resident memory of a program without work, with its libraries.
[[maybe_unused]] constexpr double program_kib = 48.0 * 1024;

TEST_CASE("memory allowed is for all copies of many bins") {
  const RdfRunner rdf;
  const std::string path = rdf.file("few.h5");
  write_h5md(path, many_frames(12));
  const auto run_with = [&](const char* gibibytes) {
    return rdf.run({path, "--r-max", "1.5", "--bins", "1000000", "--block", "3",
                    "--checkpoint", "0.05", "--memory", gibibytes});
  };
  // Counts of a block take 24 MB.
  const ProgramRun refused = run_with("0.12");
  CHECK(refused.exit_code == 1);
  CHECK(missing(refused.err,
                {"needs at least", "--memory allows 0.12", "fewer bins"}) == "");
  const ProgramRun run = run_with("0.28");
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
#ifndef __SANITIZE_ADDRESS__
  CHECK(static_cast<double>(run.resident_kib) < 0.28 * 1024 * 1024 + program_kib);
#endif
}

TEST_CASE("allowed memory includes the pairs of many species") {
  constexpr int species = 120;
  SmallTrajectory trajectory = many_frames(2);
  for (int particle = 0; particle < 300; ++particle) {
    trajectory.species[static_cast<std::size_t>(particle)] =
        "S" + std::to_string(particle % species);
  }
  const RdfRunner rdf;
  const std::string path = rdf.file("many.h5");
  write_h5md(path, trajectory);
  const auto run_with = [&](const char* gibibytes) {
    return rdf.run({path, "--r-max", "1.5", "--bins", "5", "--all-pairs", "--labels",
                    "off", "--memory", gibibytes});
  };
  const ProgramRun refused = run_with("0.15");
  CHECK(refused.exit_code == 1);
  CHECK(missing(refused.err, {"needs at least", "--memory allows 0.15"}) == "");
  const ProgramRun run = run_with("0.25");
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
#ifndef __SANITIZE_ADDRESS__
  CHECK(static_cast<double>(run.resident_kib) < 0.25 * 1024 * 1024 + program_kib);
#endif
}

TEST_CASE("memory is constant from 1000 frames on, and close to that of 10", "[slow]") {
#ifdef __SANITIZE_ADDRESS__
  WARN("not tested: the address sanitizer keeps memory that was freed");
#else
  const RdfRunner rdf;
  const std::string path = rdf.file("long.h5");
  write_h5md(path, many_frames(10'000));
  // The number of frames in flight depends on the load of the machine, so the least of
  // several tries counts. Memory that grows does so in all of them.
  const auto resident = [&](std::size_t frames) {
    return static_cast<double>(counted(rdf, path, frames).resident_kib);
  };
  const double few = resident(10);
  const double many = resident(1'000);
  double most = resident(10'000);
  const double bound = std::min(1.1 * many, few + 8 * 1024);
  for (int attempt = 1; attempt < 5 && most >= bound; ++attempt) {
    most = std::min(most, resident(10'000));
  }
  WARN("resident KiB: " << few << " for 10 frames, " << many << " for 1000, " << most
                        << " for 10 000");
  CHECK(most < 1.1 * many);
  // Frames that wait to be counted: 10 frames do not fill the queue, the positions take
  // 72 MB.
  CHECK(most < few + 8 * 1024);
#endif
}

}  // namespace
}  // namespace starhist::testing
