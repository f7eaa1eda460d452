#include <algorithm>

#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"
#include "tests/support/external_data.hh"

// HDF5 files that make the HDF5 library crash, loop or exhaust memory, and files that
// lead to others.

namespace starhist::testing {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> damaged_files() {
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(data_file("damaged"))) {
    if (entry.path().extension() == ".h5") {
      files.push_back(entry.path().string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

TEST_CASE("damaged HDF5 files cause a message, soon, with little memory") {
  const std::vector<std::string> files = damaged_files();
  REQUIRE(files.size() == 11);
  for (const std::string& path : files) {
    INFO(path);
    const RdfRunner rdf;
    const ProgramRun info = run_program({"info", path});
    const ProgramRun run = rdf.run({path, "--r-max", "1", "--bins", "50"});
    for (const ProgramRun& one : {info, run}) {
      INFO(one.err);
      // Another version of the library may be able to read some.
      CHECK((one.exit_code == 0 || one.exit_code == 1));
      CHECK((one.exit_code == 0 || missing(one.err, {path.c_str()}) == ""));
      CHECK(one.cpu_seconds < 30.0);
      CHECK(one.resident_kib < 1024 * 1024);
    }
  }
}

TEST_CASE("rdf, convert and info follow data in other files with --allow-external") {
  for (const ExternalData way :
       {ExternalData::link, ExternalData::virtual_dataset, ExternalData::storage}) {
    const RdfRunner rdf;
    const std::string path = write_external(rdf.file(""), way);
    const RdfRunner::Words arguments{path, "--r-max", "1", "--bins", "50"};
    CHECK(refusal_problem(rdf, rdf.run(arguments),
                          {"--allow-external", "other-traj"}) == "");
    RdfRunner::Words allowed = arguments;
    allowed.emplace_back("--allow-external");
    REQUIRE(rdf.run(allowed).exit_code == 0);
    const io::RunRecord record = rdf.result().record;
    const std::string named = io::value_of(record, "external 1").value_or("");
    CHECK(missing(named, {"other-traj"}) == "");

    CHECK(run_program({"info", path}).exit_code == 1);
    const ProgramRun info = run_program({"info", path, "--allow-external"});
    CHECK(info.exit_code == 0);
    CHECK(missing(info.out, {"data in", "other-traj"}) == "");

    const std::string converted = rdf.file("converted.h5");
    CHECK(run_program({"convert", path, "-o", converted}).exit_code == 1);
    CHECK(
        run_program({"convert", path, "-o", converted, "--allow-external"}).exit_code ==
        0);
    // The same counts as from the copy that contains its data.
    const RdfRunner own;
    REQUIRE(own.run({converted, "--r-max", "1", "--bins", "50"}).exit_code == 0);
    CHECK(summed_counts(own.result()) == summed_counts(rdf.result()));
  }
}

TEST_CASE("results with data in other files are read with --allow-external") {
  const RdfRunner rdf;
  const std::string traj = rdf.file("traj.h5");
  write_h5md(traj, small_trajectory());
  REQUIRE(rdf.run({traj, "--r-max", "1", "--bins", "50"}).exit_code == 0);
  const std::string path = rdf.file("linked.h5");
  fs::copy_file(rdf.output(), path);
  {
    const io::Hdf5Object file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT),
                              H5Fclose);
    REQUIRE(H5Ldelete(file.get(), "observables", H5P_DEFAULT) >= 0);
    REQUIRE(H5Lcreate_external("out.h5", "/observables", file.get(), "observables",
                               H5P_DEFAULT, H5P_DEFAULT) >= 0);
  }
  const std::vector<RdfRunner::Words> commands{
      {"info", path},
      {"export", path},
      {"analyze", path, "--quantity", "kirkwood-buff"},
      {"merge", path, rdf.output(), "-o", rdf.file("merged.h5")}};
  for (RdfRunner::Words command : commands) {
    INFO(command.front());
    const ProgramRun refused = run_program(command);
    CHECK(refused.exit_code == 1);
    CHECK(missing(refused.err, {"out.h5", "external link", "--allow-external"}) == "");
    command.emplace_back("--allow-external");
    const ProgramRun followed = run_program(command);
    INFO(followed.err);
    // Both results count the same frames, which merge refuses later.
    CHECK(followed.exit_code == (command.front() == "merge" ? 1 : 0));
    CHECK(followed.err.find("--allow-external") == std::string::npos);
  }
}

}  // namespace
}  // namespace starhist::testing
