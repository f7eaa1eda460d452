#include <filesystem>
#include <fstream>
#include <optional>

#include "codelets/core/base/error.hh"
#include "io/hdf5/inspection/hdf5_walk.hh"
#include "io/hdf5/inspection/inspected_file.hh"
#include "io/hdf5/inspection/inspection_process.hh"
#include "io/hdf5/inspection/inspection_report.hh"
#include "io/reader/trajectory_reader.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/external_data.hh"
#include "tests/support/temporary_directory.hh"
#include "tests/support/test_location.hh"

namespace starhist {
namespace {

using io::ExternalFiles;
using testing::error_text;
using testing::ExternalData;
using testing::missing;

/// A program that replaces starhist-inspect.
struct Inspector {
  testing::TemporaryDirectory folder;
  std::string program = folder.file("inspector");

  explicit Inspector(const std::string& commands) {
    std::ofstream(program) << "#!/bin/sh\n" << commands << "\n";
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  }
  io::ExternalFileList inspect(unsigned wall_seconds = 60) const {
    return io::inspect_hdf5_file(program, "traj.h5", ExternalFiles::refused,
                                 {512U << 20U, 5, wall_seconds});
  }
};

std::string problem_of(const std::string& commands, unsigned wall_seconds = 60) {
  return error_text<InputError>(
      [&] { (void)Inspector(commands).inspect(wall_seconds); });
}

TEST_CASE("a crash of the inspection means a damaged file") {
  for (const char* signal : {"SEGV", "ABRT", "FPE", "BUS"}) {
    CHECK(missing(problem_of("kill -" + std::string(signal) + " $$"),
                  {"traj.h5", "damaged", "crashes when reading its metadata",
                   "copy it"}) == "");
  }
  CHECK(missing(problem_of("exit 1"), {"traj.h5", "crashes"}) == "");
  // A report without its last word may lack files.
  CHECK(missing(problem_of("printf 'external link\\000/a\\000b\\000'"), {"crashes"}) ==
        "");
}

TEST_CASE("an endless inspection means a damaged file") {
  CHECK(missing(problem_of("kill -XCPU $$"), {"did not finish within", "within 5 s"}) ==
        "");
  CHECK(missing(problem_of("exec sleep 100", 1),
                {"did not finish within", "within 1 s"}) == "");
}

TEST_CASE("an inspection that exceeds its memory means a damaged file") {
  CHECK(missing(problem_of("exit 3"), {"traj.h5", "512 MiB", "memory"}) == "");
}

TEST_CASE("an inspection killed by others implies nothing about the file") {
  CHECK(
      missing(error_text<RunError>([] { (void)Inspector("kill -KILL $$").inspect(); }),
              {"traj.h5", "was killed"}) == "");
  Inspector none("");
  none.program += "-absent";
  CHECK(missing(error_text<RunError>([&] { (void)none.inspect(); }),
                {"cannot be started"}) == "");
}

TEST_CASE("the report of an inspection is encoded and decoded") {
  const io::ExternalFileList files{{"external link", "/a", "b c\n.h5", "/d/b c\n.h5"},
                                   {"external storage", "/x", "y", ""}};
  const std::string text = io::inspection_report(files);
  CHECK(io::parse_inspection_report(text) == files);
  CHECK(io::parse_inspection_report(io::inspection_report({})) ==
        io::ExternalFileList());
  CHECK(io::parse_inspection_report("") == std::nullopt);
  CHECK(io::parse_inspection_report(text.substr(0, text.size() - 1)) == std::nullopt);
}

TEST_CASE("inspection limits grow with the file") {
  CHECK(io::inspection_limits(14000).cpu_seconds == 1);
  CHECK(io::inspection_limits(14000).address_space < (1U << 30U));
  CHECK(io::inspection_limits(1000000000).cpu_seconds == 101);
  CHECK(io::inspection_limits(std::uint64_t{1} << 50U).cpu_seconds == 600);
}

TEST_CASE("the inspection program is built") {
  CHECK(io::inspection_program() != "");
}

TEST_CASE("data in other files are refused, or followed and named") {
  const auto [way, kind] = GENERATE(table<ExternalData, std::string>(
      {{ExternalData::link, "external link"},
       {ExternalData::link_by_soft, "external link"},
       {ExternalData::virtual_dataset, "virtual dataset"},
       {ExternalData::storage, "external storage"}}));
  INFO(kind);
  const testing::TemporaryDirectory folder;
  const std::string path = testing::write_external(folder.file(""), way);
  CHECK(missing(error_text<InputError>([&] { (void)io::open_trajectory({path}, {}); }),
                {path.c_str(), "other-traj", kind.c_str(), "--allow-external"}) == "");
  io::ReadOptions options;
  options.external = ExternalFiles::followed;
  const auto reader = io::open_trajectory({path}, options);
  REQUIRE(reader->info().external_files.size() == 1);
  CHECK(reader->info().external_files[0].kind == kind);
  CHECK(reader->info().external_files[0].file.ends_with("other-traj"));
  Frame frame;
  reader->read(FrameIndex(2), frame);
  const auto expected = testing::small_trajectory();
  for (std::size_t s = 0; s < reader->info().species.size(); ++s) {
    CHECK(frame.positions[s] ==
          testing::positions_of(expected, 2, reader->info().species[s]));
  }
}

TEST_CASE("external links that readers do not follow are accepted") {
  const testing::TemporaryDirectory folder;
  const std::string path = folder.file("traj.h5");
  write_h5md(path, testing::small_trajectory());
  {
    const io::Hdf5Object file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT),
                              H5Fclose);
    for (const char* name : {"/particles/all/velocity", "/protocol"}) {
      REQUIRE(H5Lcreate_external("other.h5", "/v", file.get(), name, H5P_DEFAULT,
                                 H5P_DEFAULT) >= 0);
    }
  }
  CHECK(io::open_trajectory({path}, {})->info().external_files.empty());
}

TEST_CASE("a file is inspected again after it has changed") {
  const testing::TemporaryDirectory folder;
  const std::string path = folder.file("traj.h5");
  write_h5md(path, testing::small_trajectory());
  CHECK(io::external_files_of(path, ExternalFiles::refused).empty());
  testing::write_external(folder.file(""), ExternalData::link);
  CHECK(missing(error_text<InputError>(
                    [&] { (void)io::external_files_of(path, ExternalFiles::refused); }),
                {"external link"}) == "");
}

TEST_CASE("cyclic groups are walked once") {
  const testing::TemporaryDirectory folder;
  const std::string path = folder.file("traj.h5");
  write_h5md(path, testing::small_trajectory());
  {
    const io::Hdf5Object file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT),
                              H5Fclose);
    for (const char* name : {"/particles/a", "/particles/b", "/particles/c"}) {
      REQUIRE(H5Lcreate_hard(file.get(), "/particles", file.get(), name, H5P_DEFAULT,
                             H5P_DEFAULT) >= 0);
    }
  }
  CHECK(io::walk_hdf5_file(path, ExternalFiles::refused).empty());
}

TEST_CASE("a file of another kind is not inspected") {
  CHECK(io::external_files_of(testing::data_file("spc.xtc"), ExternalFiles::refused)
            .empty());
}

}  // namespace
}  // namespace starhist
