#include "driver/commands/command.hh"
#include "io/trajectory/format_texts.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/run_program.hh"

namespace starhist::testing {
namespace {

const std::vector<std::string> command_names{"rdf",   "info",     "export",
                                             "merge", "selftest", "bench"};

TEST_CASE("option --help of the program lists all commands") {
  for (const std::string word : {"--help", "-h", "help"}) {
    const ProgramRun run = run_program({word});
    CHECK(run.exit_code == 0);
    CHECK(run.err == "");
    for (const std::string& name : command_names) {
      CHECK(missing(run.out, {("\n  " + name + " ").c_str()}) == "");
    }
  }
}

TEST_CASE("option --help of every command has examples") {
  for (const std::string& name : command_names) {
    for (const std::string word : {"--help", "-h"}) {
      const ProgramRun run = run_program({name, word});
      INFO(name << " " << word);
      CHECK(run.exit_code == 0);
      CHECK(run.err == "");
      CHECK(missing(run.out, {("usage: starhist " + name).c_str(), "example",
                              ("  starhist " + name).c_str(), "--help"}) == "");
    }
  }
}

TEST_CASE("help of rdf and of the option --structure names formats of the list") {
  for (const char* command : {"rdf", "info", "convert"}) {
    const std::string help = run_program({command, "--help"}).out;
    CHECK(missing(help, {"without names (XTC, TRR,", "DCD and others). FILE is",
                         "TPR"}) == "");
  }
  CHECK(missing(run_program({"rdf", "--help"}).out,
                {io::formats_help().c_str(), "TRAJ: H5MD, CADISHI HDF5, "}) == "");
}

TEST_CASE("help of rdf has its options in groups, expert options last") {
  const std::string help = run_program({"help", "rdf"}).out;
  std::size_t end = 0;
  for (const char* group :
       {"\n\ninput:\n", "\n\nspecies:\n", "\n\ncounting:\n", "\n\noutput:\n",
        "\n\nrunning:\n", "--help", "\n\nexpert:\n"}) {
    const std::size_t found = help.find(group, end);
    INFO(group);
    REQUIRE(found != std::string::npos);
    end = found;
  }
}

TEST_CASE("help of a command equals its option --help") {
  for (const driver::Command& command : driver::commands()) {
    const std::string& name = command.manual.command;
    const ProgramRun by_help = run_program({"help", name});
    const ProgramRun by_option = run_program({name, "--help"});
    INFO(name);
    CHECK(by_help.exit_code == 0);
    CHECK(by_help.err == "");
    CHECK(by_help.out == by_option.out);
    CHECK(missing(by_help.out, {("usage: starhist " + name).c_str(), "--help"}) == "");
  }
}

TEST_CASE("help of an unknown command, or of two, is bad usage") {
  const ProgramRun unknown = run_program({"help", "frobnicate"});
  CHECK(unknown.exit_code == 1);
  CHECK(missing(unknown.err, {"unknown command 'frobnicate'"}) == "");
  CHECK(run_program({"help", "rdf", "info"}).exit_code == 1);
}

TEST_CASE("option --version") {
  const ProgramRun run = run_program({"--version"});
  CHECK(run.exit_code == 0);
  CHECK(run.out.rfind("starhist ", 0) == 0);
  CHECK(run.out.find('.') != std::string::npos);
  CHECK(run_program({"-V"}).out == run.out);
  CHECK(run_program({"version"}).out == run.out);
  CHECK(run_program({"version", "rdf"}).exit_code == 1);
}

TEST_CASE("no command and unknown commands are bad usage") {
  const ProgramRun none = run_program({});
  CHECK(none.exit_code == 1);
  CHECK(missing(none.out, {"usage: starhist COMMAND"}) == "");
  const ProgramRun unknown = run_program({"frobnicate", "--help"});
  CHECK(unknown.exit_code == 1);
  CHECK(missing(unknown.err, {"starhist: unknown command 'frobnicate'", "--help"}) ==
        "");
  CHECK(unknown.out == "");
}

TEST_CASE("unknown options are bad usage in every command") {
  for (const std::string& name : command_names) {
    const ProgramRun run = run_program({name, "--frobnicate"});
    INFO(name);
    CHECK(run.exit_code == 1);
    CHECK(missing(run.err, {"unknown option '--frobnicate'"}) == "");
  }
}

/// Message about `option VALUE`. An additional unknown option keeps the program from
/// doing anything.
std::string refusal(const std::string& command, const std::string& option,
                    const std::string& value) {
  return run_program({command, "--" + option, value, "--frobnicate"}).err;
}

TEST_CASE("words and defaults in the tables of options are valid") {
  for (const driver::Command& command : driver::commands()) {
    const std::string& name = command.manual.command;
    for (const driver::OptionSpec& option : command.manual.options) {
      const std::string long_name = driver::long_name(option);
      const std::vector<std::string>& choices = option.value.choices;
      INFO(name << " --" << long_name);
      std::vector<std::string> allowed = choices;
      if (!option.value.fallback.empty()) {
        allowed.push_back(option.value.fallback);
      }
      for (const std::string& word : allowed) {
        const std::string text = refusal(name, long_name, word);
        CHECK(missing(text, {"'--frobnicate'"}) == "");
        CHECK(text.find("'" + word + "'") == std::string::npos);
      }
      if (!choices.empty()) {
        const std::string text = refusal(name, long_name, "nosuchword");
        CHECK(missing(text, {"'nosuchword'"}) == "");
        for (const std::string& word : choices) {
          CHECK(missing(text, {word.c_str()}) == "");
          CHECK((missing(driver::help_text(command.manual), {word.c_str()}) == ""));
        }
      }
    }
  }
}

TEST_CASE("commands without file arguments report it if one is given") {
  for (const std::string name : {"selftest", "bench"}) {
    const ProgramRun run = run_program({name, "water.h5"});
    CHECK(run.exit_code == 1);
    CHECK(missing(run.err, {"water.h5"}) == "");
  }
}

TEST_CASE("selftest finds every kernel equal to the definition") {
  const ProgramRun run = run_program({"selftest", "--particles", "60"});
  INFO(run.out << run.err);
  CHECK(run.exit_code == 0);
  CHECK(missing(run.out, {"baseline", "like", "unlike", "equal",
                          "all counts agree with the definition"}) == "");
  CHECK(run.out.find("DIFFERENT") == std::string::npos);
}

TEST_CASE("bench checks the counts that it times") {
  const ProgramRun run = run_program({"bench", "--particles", "200", "--bins", "100",
                                      "--variants", "baseline", "--repeat", "1"});
  INFO(run.out << run.err);
  CHECK(run.exit_code == 0);
  CHECK(missing(run.out, {"10^9 pairs/s per core", "baseline", "open", "orthorhombic",
                          "triclinic", "equal"}) == "");
}

TEST_CASE("bench of particles in spatial order") {
  const ProgramRun run =
      run_program({"bench", "--clusters", "--particles", "9000", "--bins", "10000",
                   "--boxes", "triclinic", "--repeat", "1"});
  INFO(run.out << run.err);
  CHECK(run.exit_code == 0);
  CHECK(missing(run.out, {"in clusters", "triclinic", "equal"}) == "");
}

TEST_CASE("bench and selftest refuse invalid sizes and names") {
  const auto refused = [](const std::vector<std::string>& arguments,
                          const char* value) {
    const ProgramRun run = run_program(arguments);
    return run.exit_code == 1 ? missing(run.err, {value})
                              : "exit code " + std::to_string(run.exit_code);
  };
  CHECK(refused({"bench", "--bins", "0"}, "0") == "");
  CHECK(refused({"bench", "--bins", "many"}, "many") == "");
  CHECK(refused({"bench", "--boxes", "round"}, "round") == "");
  CHECK(refused({"bench", "--variants", "sse9"}, "sse9") == "");
  CHECK(refused({"bench", "--particles", "-3"}, "-3") == "");
  CHECK(refused({"bench", "--particles", "0"}, "0") == "");
  CHECK(refused({"bench", "--repeat", "0"}, "0") == "");
  CHECK(refused({"bench", "--threads", "0"}, "0") == "");
  CHECK(refused({"selftest", "--particles", "x"}, "x") == "");
}

TEST_CASE("full standard output is a failure") {
  ProgramSetting full;
  full.standard_output = "/dev/full";
  const ProgramRun run = run_program({"--help"}, full);
  CHECK(run.exit_code == 2);
  CHECK(missing(run.err, {"standard output"}) == "");
}

}  // namespace
}  // namespace starhist::testing
