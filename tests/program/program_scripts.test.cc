#include <filesystem>
#include <fstream>

#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/run_program.hh"
#include "tests/support/temporary_directory.hh"
#include "tests/support/test_location.hh"

namespace starhist::testing {
namespace {

constexpr const char* system_python = "/usr/bin/python3";

/// A shell script in place of Python.
class FakePython {
 public:
  explicit FakePython(const std::string& body) {
    std::ofstream(path()) << "#!/bin/sh\n" << body << '\n';
    std::filesystem::permissions(path(), std::filesystem::perms::owner_all);
  }
  std::string path() const { return folder_.file("python"); }

  ProgramRun run(const std::vector<std::string>& arguments) const {
    ProgramSetting setting;
    setting.environment = {{"STARHIST_PYTHON", path()}};
    return run_program(arguments, setting);
  }

 private:
  TemporaryDirectory folder_;
};

TEST_CASE("commands that are scripts pass on arguments and the program's path") {
  const FakePython python(
      "for word; do echo \"<$word>\"; done; echo \"program $STARHIST_PROGRAM\"");
  const std::vector<std::pair<std::string, std::string>> scripts{
      {"plot", "plot_rdf.py"},
      {"peaks", "peaks.py"},
      {"compare", "compare.py"},
      {"report", "report.py"},
      {"compare-schedulers", "compare_schedulers.py"}};
  const std::string program =
      std::filesystem::canonical(place("STARHIST_PROGRAM", STARHIST_PROGRAM));
  for (const auto& [command, script] : scripts) {
    const ProgramRun run =
        python.run({command, "a file.h5", "--", "-o", "*", "", "--help"});
    CHECK(run.exit_code == 0);
    CHECK(run.err == "");
    CHECK(missing(run.out, {("/" + script +
                             ">\n<a file.h5>\n<-->\n<-o>\n<*>\n<>\n<--help>\n"
                             "program " +
                             program + "\n")
                                .c_str()}) == "");
  }
}

TEST_CASE("the exit code of a script becomes its command's") {
  CHECK(FakePython("exit 7").run({"plot"}).exit_code == 7);
  CHECK(FakePython("kill -TERM $$").run({"report"}).signal == 15);
}

TEST_CASE("a Python that cannot be run causes a message") {
  ProgramSetting setting;
  setting.environment = {{"STARHIST_PYTHON", "/no/python"}};
  const ProgramRun run = run_program({"plot", "rdf.h5"}, setting);
  CHECK(run.exit_code == 1);
  CHECK(missing(run.err,
                {"STARHIST_PYTHON names '/no/python', which is not a program"}) == "");
}

TEST_CASE("a folder without the scripts causes a message") {
  const TemporaryDirectory folder;
  ProgramSetting setting;
  setting.environment = {{"STARHIST_SCRIPTS", folder.file("")}};
  const ProgramRun run = run_program({"report", "rdf.h5"}, setting);
  CHECK(run.exit_code == 1);
  CHECK(missing(run.err, {"report.py was not found in", folder.file("").c_str(),
                          "STARHIST_SCRIPTS"}) == "");
  setting.environment = {{"STARHIST_SCRIPTS", folder.file("")},
                         {"STARHIST_PYTHON", "/bin/cat"}};
  std::ofstream(folder.file("report.py")) << "my own report\n";
  CHECK(run_program({"report"}, setting).out == "my own report\n");
}

TEST_CASE("missing packages of Python are named") {
  if (!std::filesystem::exists(system_python)) {
    return;
  }
  // -S omits the folder of the system's packages.
  const FakePython python("exec " + std::string(system_python) + " -E -S \"$@\"");
  const TemporaryDirectory folder;
  const std::string page = folder.file("page.html");
  const ProgramRun report = python.run({"report", "rdf.h5", "-o", page});
  CHECK(report.exit_code == 2);
  CHECK(missing(report.err, {"starhist report: needs numpy", "install python3-numpy",
                             "pip install numpy", "STARHIST_PYTHON"}) == "");
  CHECK_FALSE(std::filesystem::exists(page));
  const ProgramRun plot = python.run({"plot", "rdf.h5", "--peaks"});
  CHECK(plot.exit_code == 2);
  CHECK(missing(plot.err, {"starhist plot: needs", "python3-matplotlib"}) == "");
  const ProgramRun comparison =
      python.run({"compare-schedulers", "water.h5", "--r-max", "1", "--bins", "10"});
  CHECK(comparison.exit_code == 1);  // 2 is for different counts
  CHECK(missing(comparison.err,
                {"starhist compare-schedulers: needs", "python3-matplotlib"}) == "");
  for (const std::string command : {"plot", "report", "compare-schedulers"}) {
    const ProgramRun help = python.run({"help", command});  // needs no packages
    CHECK(help.exit_code == 0);
    CHECK(missing(help.out, {("usage: starhist " + command).c_str()}) == "");
  }
}

}  // namespace
}  // namespace starhist::testing
