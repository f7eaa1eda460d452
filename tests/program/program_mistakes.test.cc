// Typical mistakes of new users: the message suggests the intended word or a remedy.
#include <filesystem>

#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"
#include "tests/support/text_trajectory.hh"

namespace starhist::testing {
namespace {

using Words = RdfRunner::Words;
using Expected = std::initializer_list<const char*>;

/// Two frames of four atoms, and names with two letters.
const std::string water_file =
    "4\nLattice=\"5 0 0 0 5 0 0 0 5\"\nOW 0 0 0\nHW 1 0 0\nHW 0 1 0\nNa+ 3 3 3\n"
    "4\nLattice=\"5 0 0 0 5 0 0 0 5\"\nOW 0 0 0\nHW 1 0 0\nHW 0 1 0\nNa+ 3 3 2\n";

/// "" if rdf of these atoms with additional options is refused with all the words.
std::string mistake_refusal(const Words& more, Expected expected) {
  const TextTrajectory file(water_file, "w.xyz");
  const RdfRunner rdf;
  Words words{file.path, "--r-max", "2", "--bins", "10"};
  words.insert(words.end(), more.begin(), more.end());
  return refusal_problem(rdf, rdf.run(words), expected);
}

TEST_CASE("options of rdf are named as such in commands that lack them") {
  for (const char* command : {"vanhove", "coordination"}) {
    const auto refusal = [&](const Words& options) {
      Words words{command, data_file("water.h5"), "-o", "no.h5"};
      words.insert(words.end(), options.begin(), options.end());
      const ProgramRun run = run_program(words);
      CHECK(run.exit_code == 1);
      return run.err;
    };
    CHECK(missing(refusal({"--explain"}), {"unknown option '--explain': only runs of "
                                           "starhist rdf can be predicted"}) == "");
    CHECK(missing(refusal({"--volume", "3"}),
                  {"unknown option '--volume': starhist rdf has it, but starhist ",
                   command}) == "");
  }
}

TEST_CASE("numbers that are too large, or not in digits, are refused as such") {
  const auto refusal = [](const char* option, const char* value) {
    return run_program({"rdf", data_file("water.h5"), "-o", "no.h5", option, value})
        .err;
  };
  CHECK(missing(refusal("--checkpoint", "1e9"),
                {"--checkpoint 1e9 is not usable", "at most 1000000"}) == "");
  CHECK(missing(refusal("--memory", "1e9"), {"--memory 1e9", "at most 1000000"}) == "");
  CHECK(missing(refusal("--block", "1e3"), {"'1e3' is not in digits (write 1000)"}) ==
        "");
  CHECK(missing(refusal("--last", "99999999999999999999"),
                {"is too large (at most 18446744073709551615)"}) == "");
  CHECK(missing(refusal("--last", "1.5"), {"is not a whole number"}) == "");
  CHECK(missing(refusal("--last", "-1"), {"is not a whole number"}) == "");
}

TEST_CASE("a run without a pair in its bins is reported") {
  const auto messages = [](const char* r_max) {
    const RdfRunner rdf;
    const ProgramRun run =
        rdf.run({data_file("water.h5"), "--r-max", r_max, "--last", "0"});
    CHECK(run.exit_code == 0);
    return run.err;
  };
  CHECK(missing(messages("0.01"), {"all pairs lie outside the bins", "--r-max 0.01 nm",
                                   "give a larger --r-max"}) == "");
  CHECK(messages("0.3").find("outside the bins") == std::string::npos);
}

TEST_CASE("mistakes: the intended command is suggested") {
  for (const auto& [typed, meant] : {std::pair{"rfd", "rdf"},
                                     {"anlayze", "analyze"},
                                     {"INFO", "info"},
                                     {"compare-scheduler", "compare-schedulers"}}) {
    const std::string told = std::string("did you mean ") + meant + "?";
    CHECK(missing(run_program({typed}).err, {told.c_str(), "lists the commands"}) ==
          "");
    CHECK(missing(run_program({"help", typed}).err, {told.c_str()}) == "");
  }
  CHECK(run_program({"simulate"}).err.find("did you mean") == std::string::npos);
}

TEST_CASE("mistakes: molecules cut by the boundary are reported for an open box") {
  const std::string text =
      "CRYST1   10.000   10.000   10.000  90.00  90.00  90.00 P 1           1\n"
      "ATOM      1  OW  SOL A   1       9.500   5.000   5.000  1.00  0.00\n"
      "ATOM      2  HW1 SOL A   1       0.300   5.000   5.000  1.00  0.00\n"
      "END\n";
  std::string without_box = text;
  without_box.erase(0, text.find("ATOM"));
  const auto notes = [](const std::string& content, const Words& more) {
    const TextTrajectory file(content, "a.pdb");
    const RdfRunner rdf;
    Words words{file.path, "--r-max", "12", "--bins", "12", "-q"};
    words.insert(words.end(), more.begin(), more.end());
    const ProgramRun run = rdf.run(words);
    CHECK(run.exit_code == 0);
    return run.err;
  };
  CHECK(missing(notes(text, {"--box", "none"}),
                {"cut 1 residue of 1", "-pbc mol", "unwrap"}) == "");
  CHECK(missing(notes(text, {"--open", "x,y,z"}), {"cut 1 residue of 1"}) == "");
  CHECK(notes(text, {}) == "");
  CHECK(notes(without_box, {"--box", "none"}) == "");
}

TEST_CASE("mistakes: copies started by mpirun are reported once") {
  const TextTrajectory file(water_file, "w.xyz");
  const auto notes = [&](const Words& more,
                         const std::map<std::string, std::string>& environment) {
    const RdfRunner rdf;
    Words words{file.path, "--r-max", "2", "--bins", "10", "-q"};
    words.insert(words.end(), more.begin(), more.end());
    ProgramSetting setting;
    setting.environment = environment;
    const ProgramRun run = rdf.run(words, setting);
    CHECK(run.exit_code == 0);
    return run.err;
  };
  CHECK(
      missing(notes({}, {{"OMPI_COMM_WORLD_SIZE", "4"}, {"OMPI_COMM_WORLD_RANK", "0"}}),
              {"4 copies", "starhist-mpi rdf", "--part"}) == "");
  CHECK(missing(notes({}, {{"PMI_SIZE", "2"}, {"PMI_RANK", "0"}}), {"2 copies"}) == "");
  CHECK(notes({}, {{"PMI_SIZE", "2"}, {"PMI_RANK", "1"}}) == "");
  CHECK(notes({}, {{"PMI_SIZE", "1"}, {"PMI_RANK", "0"}}) == "");
  CHECK(notes({"--part", "1/2"}, {{"PMI_SIZE", "2"}, {"PMI_RANK", "0"}}) == "");
}

TEST_CASE("mistakes: the intended option is suggested") {
  CHECK(mistake_refusal({"--rmin", "1"},
                        {"unknown option '--rmin': did you mean --r-min?"}) == "");
  CHECK(mistake_refusal({"-pairs", "OW-OW"}, {"did you mean --pairs?"}) == "");
  CHECK(missing(run_program({"info", "--specise", "x", "y"}).err,
                {"did you mean --species?"}) == "");
}

TEST_CASE("mistakes: options of gmx, VMD, cpptraj and MDAnalysis have a counterpart") {
  for (const auto& [option, ours] : {std::pair{"-s", "--structure FILE"},
                                     {"-b", "--begin T"},
                                     {"-e", "--end T"},
                                     {"-dt", "--every T"},
                                     {"--dt", "--every T"},
                                     {"-n", "--index FILE"},
                                     {"-bin", "--bin-width W"},
                                     {"-rmax", "--r-max"},
                                     {"--cutoff", "--r-max R"},
                                     {"--ref", "--species"},
                                     {"-sel", "--species"},
                                     {"--stop", "--last I"},
                                     {"--xy", "--plane xy"},
                                     {"--surf", "between particles"},
                                     {"-y", "without an option"},
                                     {"--norm", "starhist export"},
                                     {"-cn", "--quantity coordination"},
                                     {"-nt", "STARPU_NCPU"},
                                     {"-cut", "--r-min R0"},
                                     {"--nopbc", "--box none"},
                                     {"-com", "mol_com"},
                                     {"--stride", "--step N"}}) {
    INFO(option);
    CHECK(mistake_refusal({option, "1"}, {"unknown option", option, ours}) == "");
  }
}

TEST_CASE("mistakes: terms of other programs and missing names in --species") {
  for (const auto& [rule, remedy] :
       {std::pair{"W=resnam SOL", "did you mean the term resname?"},
        {"X=within 0.3 of resnam SOL", "did you mean the term resname?"},
        {"H=HW,OW", "separate names by blanks: HW OW"},
        {"H=name HW,OW", "separate names by blanks: HW OW"},
        {"A=serial 1", "the term for 'serial' is 'id 1-100'"},
        {"A=:WAT@O", "resname WAT and name O"},
        {"A=within", "within 0.35 of TERM"},
        {"A=Protein", "did you mean protein?"},
        {"A=name OW; B=within 3 of A", "cannot refer to the rule 'A'"},
        {"A=z", "z < 2"},
        {"A=index 1:3", "write 1-3"},
        {"name OW; name HW", "name the species, as in A=name OW"},
        {"within 3 of OW", "name the species, as in A=within 3 of OW"}}) {
    INFO(rule);
    CHECK(mistake_refusal({"--species", rule}, {"--species: ", remedy}) == "");
  }
}

TEST_CASE("mistakes: names that only a structure has") {
  const RdfRunner rdf;
  for (const Words& more : {Words{"--pairs", "OW-OW"}, {"--species", "OW=name OW"}}) {
    Words words{data_file("spc.xtc"), "--r-max", "0.5", "--bins", "10"};
    words.insert(words.end(), more.begin(), more.end());
    CHECK(refusal_problem(rdf, rdf.run(words), {"--structure FILE"}) == "");
  }
}

TEST_CASE("mistakes: the intended species, pair and element are suggested") {
  CHECK(mistake_refusal({"--pairs", "Ow-hw"}, {"did you mean OW-HW?"}) == "");
  CHECK(mistake_refusal({"--pairs", "OW-NA+"}, {"did you mean OW-Na+?"}) == "");
  CHECK(mistake_refusal({"--species", "O=ow; H=HW"},
                        {"unknown species 'ow'", "HW", "did you mean OW?"}) == "");
  CHECK(mistake_refusal({"--species", "O=1-3"},
                        {"unknown species '1-3'", "is written 1*3"}) == "");
  CHECK(mistake_refusal({"--species", "O=name Ow"},
                        {"no particle has name 'Ow'", "did you mean OW?"}) == "");
  const TextTrajectory file(water_file, "w.xyz");
  const RdfRunner rdf;
  REQUIRE(rdf.run({file.path, "--r-max", "2", "--bins", "10"}).exit_code == 0);
  CHECK(missing(run_program({"export", rdf.output(), "--pairs", "ow-ow"}).err,
                {"did you mean OW-OW?"}) == "");
  CHECK(missing(run_program({"analyze", rdf.output(), "--quantity", "xray", "--element",
                             "Ow=O"})
                    .err,
                {"unknown species Ow", "did you mean OW?"}) == "");
}

TEST_CASE("mistakes: a message lists some of many species") {
  std::string text = "300\nLattice=\"9 0 0 0 9 0 0 0 9\"\n";
  for (int k = 0; k < 300; ++k) {
    text += "A" + std::to_string(k) + " 0 0 " + std::to_string(0.02 * k) + "\n";
  }
  const TextTrajectory file(text, "many.xyz");
  const RdfRunner rdf;
  for (const Words& more : {Words{"--pairs", "A7-B7"}, {"--species", "X=B7"}}) {
    Words words{file.path, "--r-max", "2", "--bins", "10"};
    words.insert(words.end(), more.begin(), more.end());
    const ProgramRun run = rdf.run(words);
    CHECK(refusal_problem(rdf, run, {"B7", "... (300 in all)"}) == "");
    CHECK(run.err.size() < 400);
  }
}

TEST_CASE("mistakes: doubled particles, no pair, and the wrong plane") {
  const RdfRunner rdf;
  const auto messages = [&](const std::string& name, int particles, double height,
                            const Words& options) {
    std::string text = std::to_string(particles) + "\nLattice=\"9 0 0 0 9 0 0 0 9\"\n";
    for (int k = 0; k < particles; ++k) {
      text += "A " + std::to_string(2 * (k % 4)) + " " + std::to_string(2 * (k / 4)) +
              " " + std::to_string(k % 3 * height) + "\n";
    }
    std::ofstream(rdf.file(name)) << text;
    Words words{rdf.file(name), "--r-max", "4", "--bins", "100", "--force"};
    words.insert(words.end(), options.begin(), options.end());
    return rdf.run(words).err;
  };
  const std::string apart = messages("apart.xyz", 16, 0.5, {});
  CHECK(apart.find("doubled") == std::string::npos);
  CHECK(apart.find("no pair") == std::string::npos);
  // In a box of 6, the particles at y = 6 lie on those at y = 0.
  CHECK(missing(messages("doubled.xyz", 16, 0.5, {"--box", "9,6,9"}),
                {"4 pairs are closer than 0.04", "are particles doubled"}) == "");
  CHECK(missing(messages("one.xyz", 1, 0.5, {}), {"no pair was counted"}) == "");
  const ProgramRun displaced =
      run_program({"vanhove", rdf.file("one.xyz"), "-o", rdf.file("one.h5"), "--lags",
                   "0", "--r-max", "4", "--bins", "10"});
  CHECK(displaced.exit_code == 0);
  CHECK(displaced.err.find("no pair") == std::string::npos);
  CHECK(missing(messages("flat.xyz", 16, 0.0, {"--plane", "xz"}),
                {"lie in the plane xy, which --plane xz sees as a line",
                 "count with --plane xy"}) == "");
  CHECK(messages("flat.xyz", 16, 0.0, {"--plane", "xy"}).find("sees as a line") ==
        std::string::npos);
}

TEST_CASE("mistakes: numbers with a unit or a decimal comma") {
  CHECK(mistake_refusal({"--r-min", "1,5"}, {"--r-min '1,5'", "write 1.5"}) == "");
  CHECK(mistake_refusal({"--r-min", "1.5nm"}, {"--r-min '1.5nm'", "without a unit"}) ==
        "");
}

TEST_CASE("mistakes: an HDF5 file with another format's extension") {
  const RdfRunner rdf;
  for (const char* name : {"rdf.csv", "rdf.XVG", "rdf.svg", "rdf.xyz", "rdf.gro.gz"}) {
    const std::string path = rdf.file(name);
    INFO(name);
    for (const std::string command : {"rdf", "convert"}) {
      Words words{command, data_file("water.h5"), "-o", path};
      if (command == "rdf") {
        words.insert(words.end(), {"--r-max", "1", "--bins", "5"});
      }
      const ProgramRun run = run_program(words);
      CHECK(run.exit_code == 1);
      CHECK(missing(run.err,
                    {path.c_str(), "HDF5", "has the extension of another format", ".h5",
                     command == "rdf" ? "starhist export" : "convert"}) == "");
      CHECK_FALSE(std::filesystem::exists(path));
      CHECK_FALSE(std::filesystem::exists(path + ".partial"));
    }
    const ProgramRun merge = run_program({"merge", "a.h5", "b.h5", "-o", path});
    CHECK(merge.exit_code == 1);
    CHECK(missing(merge.err, {path.c_str(), "has the extension of another format"}) ==
          "");
  }
  for (const char* name :
       {"rdf.h5", "rdf.hdf5", "rdf.H5MD", "rdf", "rdf.out", "v1.2"}) {
    INFO(name);
    CHECK(run_program({"rdf", data_file("water.h5"), "-o", rdf.file(name), "--r-max",
                       "1", "--bins", "5", "--last", "1"})
              .exit_code == 0);
    CHECK(std::filesystem::exists(rdf.file(name)));
  }
}

TEST_CASE("mistakes: missing and surplus files") {
  for (const char* command : {"export", "analyze"}) {
    const std::string usage = std::string("starhist ") + command + " RESULT.h5";
    CHECK(missing(run_program({command}).err,
                  {"no result file is given", usage.c_str()}) == "");
    CHECK(missing(run_program({command, "a.h5", "b.h5"}).err,
                  {"one result file, not 2 (a.h5, b.h5)"}) == "");
    const std::string unknown = run_program({command, "a.h5", "--colour", "77"}).err;
    CHECK(missing(unknown, {"unknown option '--colour'"}) == "");
    CHECK(unknown.find("one result file") == std::string::npos);
  }
  CHECK(missing(run_program({"rdf"}).err, {"no trajectory", "starhist rdf TRAJ..."}) ==
        "");
  CHECK(missing(run_program({"convert"}).err, {"starhist convert TRAJ..."}) == "");
  CHECK(missing(run_program({"info"}).err, {"starhist info FILE..."}) == "");
  CHECK(missing(run_program({"merge", "a.h5"}).err, {"starhist merge RESULT.h5"}) ==
        "");
}

TEST_CASE("mistakes: a repeated file causes a warning, and counts once") {
  const RdfRunner rdf;
  const std::string path = data_file("water.h5");
  const ProgramRun once = rdf.run({path, "--r-max", "1", "--bins", "5"});
  CHECK(once.err.find("repeats") == std::string::npos);
  const Words twice{path, path, path, "--r-max", "1", "--bins", "5", "-f"};
  CHECK(missing(rdf.run(twice).err,
                {"water.h5: only repeats frames of", "51 frames"}) == "");
  Words meant = twice;
  meant.insert(meant.end(), {"--repeated", "keep"});
  CHECK(missing(rdf.run(meant).err, {"153 frames"}) == "");
  Words refused = twice;
  refused.insert(refused.end(), {"--repeated", "fail"});
  CHECK(rdf.run(refused).exit_code == 1);
  const ProgramRun converted =
      run_program({"convert", path, path, "-o", rdf.file("converted.h5")});
  CHECK(converted.exit_code == 0);
  CHECK(missing(converted.err, {"water.h5: only repeats frames of", "51 frames"}) ==
        "");
}

}  // namespace
}  // namespace starhist::testing
