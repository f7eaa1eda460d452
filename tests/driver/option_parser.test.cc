#include "driver/options/option_parser.hh"

#include <algorithm>
#include <sstream>

#include "driver/options/foreign_options.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"

namespace starhist {
namespace {

using driver::OptionGroup;
using testing::error_text;
using testing::missing;

const std::vector<driver::OptionSpec> specs{
    {OptionGroup::output, "output,o", "FILE", "result file"},
    {OptionGroup::output, "r-max", "R", "largest distance"},
    {OptionGroup::output, "first", "I", "first frame", {}, "begin"},
    {OptionGroup::output, "quiet,q", "", "no progress"},
};

/// Problems reported for `arguments`; "" if there are none.
std::string problems_with(const std::vector<std::string>& arguments) {
  driver::Problems problems;
  driver::parse_options(specs, arguments, problems);
  return error_text<InputError>([&] { problems.throw_if_any("rdf"); });
}

driver::ParsedOptions parse(const std::vector<std::string>& arguments) {
  driver::Problems problems;
  driver::ParsedOptions parsed = driver::parse_options(specs, arguments, problems);
  problems.throw_if_any("rdf");
  return parsed;
}

using Words = std::vector<std::string>;

TEST_CASE("options and positional arguments may alternate") {
  const driver::ParsedOptions parsed =
      parse({"a.h5", "--r-max", "1.5", "b.h5", "-q", "-o", "out.h5", "c.h5"});
  CHECK(parsed.positional == Words{"a.h5", "b.h5", "c.h5"});
  CHECK(parsed.get("r-max") == "1.5");
  CHECK(parsed.get("output") == "out.h5");
  CHECK(parsed.has("quiet"));
  CHECK_FALSE(parsed.has("first"));
  CHECK(parsed.get("first", "7") == "7");
  CHECK(parse({}).positional.empty());
}

TEST_CASE("a value may follow '=' or a short option, or start with '-'") {
  CHECK(parse({"--r-max=2"}).get("r-max") == "2");
  CHECK(parse({"-oout.h5"}).get("output") == "out.h5");
  CHECK(parse({"-o=out.h5"}).get("output") == "out.h5");
  CHECK(problems_with({"-o="}) == "option -o= needs a value (FILE)");
  CHECK(problems_with({"-q=3"}) == "option -q takes no value ('-q=3')");
  CHECK(parse({"-qo", "out.h5"}).get("output") == "out.h5");
  CHECK(parse({"--r-max", "-1"}).get("r-max") == "-1");
  CHECK(parse({"--r-max=a=b"}).get("r-max") == "a=b");
}

TEST_CASE("an option may be given by its alias, once") {
  CHECK(parse({"--begin", "3"}).get("first") == "3");
  CHECK(parse({"--begin=3"}).get("first") == "3");
  CHECK(parse({"--", "--begin"}).positional == Words{"--begin"});
  CHECK(missing(problems_with({"--begin", "3", "--first", "4"}),
                {"--first is given twice"}) == "");
}

TEST_CASE("arguments after -- are not options") {
  CHECK(parse({"--", "-o", "--quiet=3"}).positional == Words{"-o", "--quiet=3"});
}

TEST_CASE("every command has --help") {
  CHECK(parse({"--help"}).has("help"));
  CHECK(parse({"-h"}).has("help"));
}

TEST_CASE("abbreviated names are refused, with the nearest one") {
  CHECK(problems_with({"--rmax", "1"}) ==
        "unknown option '--rmax': did you mean --r-max?");
  CHECK(problems_with({"--r_max=1"}) ==
        "unknown option '--r_max=1': did you mean --r-max?");
  CHECK(problems_with({"--out", "a.h5"}) ==
        "unknown option '--out': did you mean --output?");
  CHECK(problems_with({"--Quiet"}) ==
        "unknown option '--Quiet': did you mean --quiet?");
  CHECK(problems_with({"--hepl"}) == "unknown option '--hepl': did you mean --help?");
  CHECK(problems_with({"-first", "3"}) ==
        "unknown option '-first': did you mean --first?");
  CHECK(problems_with({"--bins", "3"}) ==
        "unknown option '--bins': --help lists the options");
  CHECK(missing(problems_with({"--r", "1"}), {"unknown option '--r'"}) == "");
  CHECK(missing(problems_with({"--foo=3"}), {"unknown option '--foo=3'"}) == "");
  CHECK(missing(problems_with({"-z"}), {"unknown option '-z'"}) == "");
  CHECK(missing(problems_with({"-qz"}), {"unknown option '-qz'"}) == "");
}

TEST_CASE("for an option of another program, the message names the counterpart") {
  CHECK(problems_with({"-x", "a.dat"}) ==
        "unknown option '-x': use -o FILE for the output");
  CHECK(problems_with({"--cutoff=1"}) ==
        "unknown option '--cutoff=1': use --r-max R for the largest distance; starhist "
        "coordination --cutoff counts the neighbours of each particle");
  CHECK(problems_with({"-b", "3"}) ==
        "unknown option '-b': --help lists the options");  // has no --begin
}

TEST_CASE("a trajectory after -f is refused, because -f means --force") {
  std::vector<driver::OptionSpec> with_force = specs;
  with_force.push_back({OptionGroup::output, "force,f", "", "replace the output"});
  const auto problem = [&](const Words& arguments) {
    driver::Problems problems;
    driver::parse_options(with_force, arguments, problems);
    return error_text<InputError>([&] { problems.throw_if_any("rdf"); });
  };
  CHECK(missing(problem({"-f", "md.xtc", "-o", "a.h5"}),
                {"-f md.xtc: -f means --force", "leave out -f", "write --force"}) ==
        "");
  CHECK(missing(problem({"-o", "a.h5", "-f", "run/MD.TRR"}), {"-f run/MD.TRR"}) == "");
  CHECK(missing(problem({"--overwrite"}), {"'--overwrite': use --force"}) == "");
  CHECK(problem({"--force", "md.xtc"}) == "");
  CHECK(problem({"md.xtc", "-f"}) == "");
  CHECK(problem({"md.xtc", "-f", "-o", "a.h5"}) == "");
  CHECK(problem({"-f", "a.h5"}) == "");
  // Boost keeps no argument for letters after the first one.
  CHECK(missing(problem({"-qf", "md.xtc"}), {"-f md.xtc: -f means --force"}) == "");
  CHECK(problem({"-qf", "-o", "a.h5"}) == "");
  CHECK(problem({"-qfx"}) == "unknown option '-qfx': --help lists the options");
}

TEST_CASE("a missing value is reported, and the next option is not used for it") {
  CHECK(problems_with({"--r-max"}) == "option --r-max needs a value (R)");
  CHECK(problems_with({"-o"}) == "option -o needs a value (FILE)");
  CHECK(problems_with({"--r-max="}) == "option --r-max= needs a value (R)");
  CHECK(problems_with({"--r-max", ""}) == "option --r-max needs a value (R), not ''");
  CHECK(problems_with({"-o", "", "-q"}) == "option -o needs a value (FILE), not ''");
  CHECK(problems_with({""}) ==
        "an argument is '' (a variable of the shell that is not set?)");
  CHECK(problems_with({"-o", "--quiet"}) == "option -o needs a value (FILE)");
  CHECK(problems_with({"-o", "--first=1"}) == "option -o needs a value (FILE)");
  CHECK(problems_with({"-o", "-q"}) == "option -o needs a value (FILE)");
}

TEST_CASE("a switch takes no value") {
  CHECK(problems_with({"--quiet=3"}) == "option --quiet takes no value ('--quiet=3')");
}

TEST_CASE("an option given twice is a problem, whichever way it is spelt") {
  CHECK(problems_with({"--r-max", "1", "--r-max=2"}) ==
        "option --r-max is given twice");
  CHECK(problems_with({"-o", "a", "--output", "b"}) ==
        "option --output is given twice");
  CHECK(problems_with({"-q", "-q"}) == "option --quiet is given twice");
}

TEST_CASE("all problems are reported, and the rest is still parsed") {
  driver::Problems problems;
  const driver::ParsedOptions parsed = driver::parse_options(
      specs, {"--foo", "--first", "--quiet=1", "a.h5", "--r-max", "3", "-o"}, problems);
  CHECK(parsed.positional == Words{"a.h5"});
  CHECK(parsed.get("r-max") == "3");
  problems.add("one more");
  problems.collect([] { throw InputError("collected"); });
  problems.collect([] {});
  const std::string text =
      error_text<InputError>([&] { problems.throw_if_any("rdf"); });
  CHECK(missing(text, {"6 problems:", "* unknown option '--foo'", "--first needs",
                       "--quiet takes no value", "-o needs a value", "* one more",
                       "* collected", "starhist rdf --help"}) == "");
}

TEST_CASE("the table of options has every name, placeholder and help text") {
  CHECK(missing(driver::option_table(specs, 100),
                {"-o [ --output ] FILE", "result file", "--r-max R", "--first I",
                 "-q [ --quiet ]", "no progress", "-h [ --help ]"}) == "");
}

TEST_CASE("an option that is not given has the default of the table") {
  const std::vector<driver::OptionSpec> with_default{
      {OptionGroup::input, "step", "N", "every N-th frame", {.fallback = "1"}}};
  driver::Problems problems;
  const auto value = [&](const Words& words) {
    return driver::parse_options(with_default, words, problems).get("step");
  };
  CHECK(value({}) == "1");
  CHECK(value({"--step", "5"}) == "5");
  CHECK_FALSE(driver::parse_options(with_default, {}, problems).has("step"));
}

TEST_CASE("the table of options has defaults, and groups under their titles") {
  const std::string table = driver::option_table(
      {{OptionGroup::input, "step", "N", "every N-th frame", {.fallback = "1"}},
       {OptionGroup::expert, "trace", "FILE", "times of tasks"},
       {OptionGroup::output, "force,f", "", "replace FILE"},
       {OptionGroup::input,
        "last",
        "I",
        "last frame",
        {.otherwise = "the last of the trajectory"}},
       {OptionGroup::running, "quiet,q", "", "no progress"}},
      100);
  const std::size_t input = table.find("input:\n  --step N");
  const std::size_t output = table.find("\n\noutput:\n  -f [ --force ]");
  const std::size_t running = table.find("\n\nrunning:\n  -q [ --quiet ]");
  CHECK(input == 0);
  CHECK(output != std::string::npos);
  CHECK(running != std::string::npos);
  CHECK(table.find("every N-th frame (default 1)\n") < output);
  CHECK(table.find("last frame (default: the last of the trajectory)\n") < output);
  CHECK(output < running);
  const std::size_t expert = table.find("\n\nexpert:\n  --trace FILE");
  CHECK(expert != std::string::npos);
  CHECK(running < expert);
  CHECK(table.find("-h [ --help ]") > running);
  CHECK(table.find("-h [ --help ]") < expert);
  CHECK(table.find(" \n") == std::string::npos);
}

TEST_CASE("lines of the table of options have the requested length") {
  const std::vector<driver::OptionSpec> wordy{
      {OptionGroup::input, "checkpoint", "SECONDS",
       "what is counted in so many seconds is the most that a killed run loses, or "
       "what is counted of one frame, if that takes longer"}};
  for (const unsigned columns : {40U, 60U, 80U, 100U}) {
    std::istringstream lines(driver::option_table(wordy, columns));
    std::size_t longest = 0;
    for (std::string line; std::getline(lines, line);) {
      longest = std::max(longest, line.size());
    }
    CHECK(longest <= columns);
    CHECK(longest > columns / 2);
  }
}

TEST_CASE("options of one group have no title") {
  const std::string table = driver::option_table(specs, 100);
  CHECK(table.find("output:") == std::string::npos);
  CHECK(table.rfind("  -o [ --output ]", 0) == 0);
}

}  // namespace
TEST_CASE("a value outside the choices is reported, with the nearest choice") {
  const std::vector<driver::OptionSpec> choosing{
      {OptionGroup::output, "format", "F", "form", {.choices = {"csv", "json"}}},
      {OptionGroup::output, "boxes", "B,...", "boxes", {.choices = {"cube", "slab"}}}};
  const auto problems = [&](const std::vector<std::string>& arguments) {
    driver::Problems found;
    const auto parsed = driver::parse_options(choosing, arguments, found);
    CHECK_FALSE(parsed.has("format"));
    return error_text<InputError>([&] { found.throw_if_any("export"); });
  };
  CHECK(problems({"--format", "cvs"}) ==
        "--format 'cvs' is not one of csv, json: did you mean csv?");
  CHECK(problems({"--format", "xls"}) == "--format 'xls' is not one of csv, json");
  CHECK(problems({"--boxes", "slab,cub"}) ==
        "--boxes 'cub' is not one of cube, slab: did you mean cube?");
  CHECK(problems({"--boxes", "slab,cube"}) == "");
  // Words of other programs.
  CHECK(driver::choice_hint("CN", {"g", "coordination"}) ==
        ": did you mean coordination?");
  CHECK(driver::choice_hint("rdf", {"g", "coordination"}) == ": did you mean g?");
  CHECK(driver::choice_hint("cn", {"sq", "pdf"}) == "");
  CHECK(driver::choice_hint("gromacs", {"gmx", "vmd"}) == ": did you mean gmx?");
}

TEST_CASE("options of other commands are reported, with the alternative") {
  driver::Problems problems;
  driver::parse_options(specs, {"--out-unit", "A"}, problems,
                        {{"out-unit", "export has it"}});
  CHECK(error_text<InputError>([&] { problems.throw_if_any("rdf"); }) ==
        "unknown option '--out-unit': export has it");
}

}  // namespace starhist
