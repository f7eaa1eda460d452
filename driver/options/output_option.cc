#include "driver/options/output_option.hh"

#include "driver/run/run_checks.hh"

namespace starhist::driver {

void check_output(const std::string& output, const std::vector<std::string>& inputs,
                  Problems& problems) {
  if (output.empty()) {
    problems.add("--output is missing (-o OUT.h5)");
    return;
  }
  const std::string problem = output_problem(output, inputs);
  if (!problem.empty()) {
    problems.add(problem);
  }
}

}  // namespace starhist::driver
