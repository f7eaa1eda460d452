// TNG and TPR, and libgromacs' output when it gives up.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "io/decoder/decoder_process.hh"
#include "io/trajectory/formats.hh"
#include "tests/support/catch.hh"
#include "tests/support/gromacs_files.hh"
#include "tests/support/temporary_directory.hh"
#include "tests/support/test_location.hh"
#include "tests/support/text_trajectory.hh"

namespace starhist::testing {
namespace {

TEST_CASE("TPR: names, types, residues, molecules and masses of all atoms") {
  if (!has_libgromacs()) {
    return;
  }
  const auto structure = io::read_structure(data_file("spc.tpr"));
  CHECK(structure->pbc == io::Pbc::xyz);
  const io::ParticleTable& table = structure->particles;
  REQUIRE(table.count == 648);
  for (const std::size_t k : {0, 1, 2, 645, 647}) {
    const bool oxygen = k % 3 == 0;
    CHECK(table.name.at(k) == (oxygen ? "OW" : k % 3 == 1 ? "HW1" : "HW2"));
    CHECK(table.type.at(k) == (oxygen ? "opls_116" : "opls_117"));
    CHECK(table.element.at(k) == (oxygen ? "O" : "H"));
    CHECK(table.mass.at(k) == (oxygen ? 15.9994F : 1.008F));
    CHECK(table.residue_name.at(k) == "SOL");
    CHECK(table.residue.at(k) == static_cast<std::int64_t>(k / 3 + 1));
    CHECK(table.molecule.at(k) == static_cast<std::int64_t>(k / 3));
  }
}

TEST_CASE("TPR of gmx convert-tpr has residues and lacks molecules") {
  if (!has_libgromacs()) {
    return;
  }
  const io::ParticleTable table =
      io::read_structure(data_file("spc-part.tpr"))->particles;
  REQUIRE(table.count == 9);
  CHECK(table.residue == std::vector<std::int64_t>{1, 1, 1, 2, 2, 2, 3, 3, 3});
  CHECK(table.molecule.empty());
}

TEST_CASE("a damaged TNG that keeps libgromacs busy is refused") {
  if (!has_libgromacs()) {
    return;
  }
  // libgromacs 2022 computes endlessly, 2023 crashes.
  const std::string error = read_error(data_file("endless.tng"));
  CHECK(error.find("endless.tng") != std::string::npos);
  CHECK((error.find("did not finish reading it: it is damaged") != std::string::npos ||
         error.find("crashed when reading it: it is damaged") != std::string::npos));
}

TEST_CASE("TNG: frames of the same run, also backwards, and a truncated one") {
  if (!has_libgromacs()) {
    return;
  }
  const WholeTrajectory xtc = read_all({data_file("spc.xtc")});
  const auto reader = io::open_trajectory({data_file("spc.tng")}, {});
  CHECK(reader->info().format == "GROMACS TNG");
  REQUIRE(reader->info().frame_count == 3);
  for (const std::uint64_t index : {2, 0, 1, 1}) {
    Frame frame;
    reader->read(FrameIndex(index), frame);
    CHECK(frame.step == xtc.frames[index].step);
    CHECK(frame.time == Approx(xtc.frames[index].time));
    CHECK(frame.box == in_floats(xtc.frames[index].box));
    const std::vector<double>& expected = xtc.frames[index].positions[0];
    REQUIRE(frame.positions[0].size() == expected.size());
    double largest = 0.0;
    for (std::size_t k = 0; k < expected.size(); ++k) {
      largest = std::max(largest, std::abs(frame.positions[0][k] - expected[k]));
    }
    CHECK(largest < 0.0011);
  }
  const std::string bytes = read_bytes(data_file("spc.tng"));
  const TextTrajectory cut(bytes.substr(0, bytes.size() / 4), "a.tng");
  CHECK(missing(read_error(cut.path), {"a.tng: has no whole frame"}) == "");
}

TEST_CASE("other files can be read after libgromacs gave up, without leftovers") {
  if (!has_libgromacs()) {
    return;
  }
  for (int k = 0; k < 3; ++k) {
    const TextTrajectory nonsense("nonsense", "a.tpr");
    const std::string message =
        error_text<InputError>([&] { io::read_structure(nonsense.path); });
    CHECK(missing(message, {"a.tpr: libgromacs "}) == "");
    CHECK(message.find("starhist-gromacs-") == std::string::npos);
    CHECK(io::read_structure(data_file("spc.tpr"))->particles.count == 648);
  }
}

TEST_CASE("a crash of a library suggests that it may be too old for the file") {
  io::decoder::Process process({.command = {"/bin/sh", "-c", "kill -s SEGV $$"},
                                .name = "sh",
                                .library = "libshell"});
  CHECK(
      error_text<InputError>([&] { process.ask(io::decoder::Request::version, ""); }) ==
      "libshell crashed when reading it: it is damaged, or of a later version than "
      "libshell "
      "supports");
}

TEST_CASE("a process that is stopped is ended") {
  const TemporaryDirectory folder;
  const std::string started = folder.file("started");
  const io::decoder::Program program{
      .command = {"/bin/sh", "-c", "echo $$ $0 > " + started + "; kill -s STOP $$"},
      .name = "sh",
      .library = "libshell",
      .stopped_seconds = 1};
  SECTION("when it is asked for more than a socket holds") {
    io::decoder::Process process(program);
    const std::string error = error_text<RunError>([&] {
      process.ask(io::decoder::Request::frame, "", std::string(1U << 22U, 'x'));
    });
    CHECK(missing(error, {"sh does not answer", "SIGSTOP", "1 s"}) == "");
  }
  SECTION("when its answer is waited for") {
    io::decoder::Process process(program);
    CHECK(error_text<RunError>([&] {
            process.ask(io::decoder::Request::version, "");
          }).find("SIGSTOP") != std::string::npos);
  }
  SECTION("when it is no longer needed") {
    const io::decoder::Process process(program);
    while (!std::filesystem::exists(started)) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }
  std::ifstream file(started);
  pid_t process = 0;
  std::string its_folder;
  file >> process >> its_folder;
  CHECK(::kill(process, 0) != 0);
  CHECK(its_folder.find("sh-") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(its_folder));
}

TEST_CASE("the reason is extracted from libgromacs' output") {
  using io::decoder::reason_in;
  CHECK(reason_in("", "/tmp/x") == "");
  CHECK(reason_in("Reading frame 0\rReading frame 1\nlast words\n\n", "/tmp/x") ==
        "last words");
  CHECK(reason_in("Reading file\n---------\nProgram: x\n\nFatal error:\n"
                  "Cannot open /tmp/x/file.tng\nfor reading.\n\nFor more information\n",
                  "/tmp/x") == "Cannot open the file for reading.");
  const std::string line =
      reason_in("Fatal error:\n\x01" + std::string(999, 'a'), "/x");
  CHECK(line.size() < 300);
  CHECK(line.front() == '?');
}

}  // namespace
}  // namespace starhist::testing
