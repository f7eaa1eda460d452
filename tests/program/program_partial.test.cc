#include <fstream>

#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"
#include "tests/support/file_bytes.hh"

// FILE.partial left by a killed run: commands replace it only on request.

namespace starhist::testing {
namespace {

namespace fs = std::filesystem;
using Words = RdfRunner::Words;

const Words water_rdf{data_file("water.h5"), "--r-max", "1", "--bins", "50"};

/// `path`.partial as left by a run whose frames 0 to 9 succeeded, in blocks of 5.
std::string leave_partial(const RdfRunner& rdf, const std::string& path) {
  const std::string copy = rdf.file("left.h5");
  REQUIRE(run_program(with(with({"rdf"}, water_rdf),
                           {"--last", "9", "--block", "5", "-o", copy}))
              .exit_code == 0);
  const std::string partial = path + ".partial";
  fs::rename(copy, partial);
  return partial;
}

/// "" if `command` is refused because of `path`.partial, which is unchanged, and
/// succeeds with --force.
std::string problem(const Words& command, const std::string& path) {
  const std::string partial = path + ".partial";
  const std::string before = read_bytes(partial);
  const ProgramRun refused = run_program(command);
  if (refused.exit_code != 1) {
    return "exit code " + std::to_string(refused.exit_code) + ": " + refused.err;
  }
  if (fs::exists(path) || !fs::exists(partial) || read_bytes(partial) != before) {
    return "files were changed: " + refused.err;
  }
  const std::string said =
      missing(refused.err, {partial.c_str(), "of an earlier run exists", "2 blocks",
                            "10 frames (0 to 9)", "last modified", "--force"});
  if (!said.empty()) {
    return said;
  }
  const ProgramRun forced = run_program(with(command, {"--force"}));
  if (forced.exit_code != 0) {
    return "with --force: " + forced.err;
  }
  return fs::exists(path) && !fs::exists(partial) ? "" : "nothing was written";
}

TEST_CASE("commands replace files of a killed run only with --force") {
  const RdfRunner rdf;
  const auto command = [](const Words& words, const std::string& output) {
    return with(words, {"-o", output});
  };
  const std::string counted = rdf.file("counted.h5");
  leave_partial(rdf, counted);
  CHECK(problem(command(with({"rdf"}, water_rdf), counted), counted) == "");

  const std::string other = rdf.file("other.h5");
  REQUIRE(run_program(command(with(with({"rdf"}, water_rdf), {"--first", "10"}), other))
              .exit_code == 0);
  const std::string first = rdf.file("first.h5");
  REQUIRE(run_program(command(with(with({"rdf"}, water_rdf), {"--last", "9"}), first))
              .exit_code == 0);

  const std::string merged = rdf.file("merged.h5");
  leave_partial(rdf, merged);
  CHECK(problem(command({"merge", first, other}, merged), merged) == "");

  const std::string converted = rdf.file("converted.h5");
  leave_partial(rdf, converted);
  CHECK(problem(command({"convert", data_file("water.h5"), "--last", "3"}, converted),
                converted) == "");

  const std::string exported = rdf.file("exported.h5");
  leave_partial(rdf, exported);
  CHECK(problem(command({"export", other, "--cadishi"}, exported), exported) == "");
}

TEST_CASE("blocks of a killed run are merged with the rest, but not into themselves") {
  const RdfRunner rdf;
  const std::string partial = leave_partial(rdf, rdf.output());
  const std::string rest = rdf.file("rest.h5");
  REQUIRE(run_program(with(with({"rdf"}, water_rdf), {"--first", "10", "-o", rest}))
              .exit_code == 0);
  for (const Words& force : {Words{}, Words{"--force"}}) {
    const ProgramRun run =
        run_program(with({"merge", partial, rest, "-o", rdf.output()}, force));
    CHECK(run.exit_code == 1);
    CHECK(missing(run.err, {partial.c_str(), "which is read"}) == "");
    CHECK(fs::exists(partial));
  }
  const std::string all = rdf.file("all.h5");
  const ProgramRun run = run_program({"merge", partial, rest, "-o", all});
  INFO(run.err);
  CHECK(run.exit_code == 0);
  CHECK(total(io::read_result(all).blocks).frames == 51);
}

TEST_CASE("export --cadishi does not replace the result that it reads") {
  const RdfRunner rdf;
  const std::string partial = leave_partial(rdf, rdf.output());
  const std::string before = read_bytes(partial);
  const ProgramRun run =
      run_program({"export", partial, "--cadishi", "-o", rdf.output(), "--force"});
  CHECK(run.exit_code == 1);
  CHECK(missing(run.err, {partial.c_str()}) == "");
  CHECK(read_bytes(partial) == before);
  const ProgramRun text = run_program({"export", partial, "--force"});
  CHECK(text.exit_code == 1);
  CHECK(missing(text.err, {"--force", "--cadishi"}) == "");
}

TEST_CASE("an unrelated file of that name is kept as well") {
  const RdfRunner rdf;
  for (const std::string& content : {std::string("my notes"), std::string()}) {
    write_bytes(rdf.partial(), content);
    const ProgramRun run = rdf.run(water_rdf);
    CHECK(run.exit_code == 1);
    CHECK(missing(run.err, {rdf.partial().c_str(), "cannot be read as a result",
                            (std::to_string(content.size()) + " bytes").c_str(),
                            "--force"}) == "");
    CHECK(read_bytes(rdf.partial()) == content);
  }
  CHECK(rdf.run(with(water_rdf, {"--force"})).exit_code == 0);
  CHECK_FALSE(rdf.has_partial());
}

}  // namespace
}  // namespace starhist::testing
