// Every scheduler of StarPU either counts or is refused at once.
#include <sstream>

#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/reference_counts.hh"

namespace starhist::testing {
namespace {

ProgramRun count_with(const RdfRunner& rdf, const std::string& scheduler) {
  ProgramSetting setting;
  setting.environment = {{"STARPU_SCHED", scheduler}, {"STARPU_NCPU", "2"}};
  return rdf.run({data_file("water.h5"), "--r-max", "0.5", "--bins", "10", "--last",
                  "0", "--force"},
                 setting);
}

TEST_CASE("each scheduler listed as such counts, graph_test is refused") {
  const RdfRunner rdf;
  const ProgramRun refused = count_with(rdf, "graph_test");
  CHECK(refused.exit_code == 1);
  CHECK(missing(refused.err, {"graph_test", "wait forever", "lws"}) == "");
  const std::string problem = count_with(rdf, "none-of-them").err;
  const std::size_t begin = problem.find('(') + 1;
  std::istringstream names(problem.substr(begin, problem.find(')') - begin));
  std::size_t counted = 0;
  for (std::string name; std::getline(names >> std::ws, name, ',');) {
    const ProgramRun run = count_with(rdf, name);
    INFO(name << ": " << run.err);
    CHECK(name != "graph_test");
    CHECK(run.exit_code == 0);
    ++counted;
  }
  CHECK(counted > 10);
}

}  // namespace
}  // namespace starhist::testing
