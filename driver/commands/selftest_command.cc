#include <iomanip>
#include <iostream>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "codelets/gpu_trial.hh"
#include "driver/commands/command.hh"
#include "driver/options/manual.hh"
#include "driver/options/option_values.hh"
#include "driver/trials/kernel_trial.hh"

namespace starhist::driver {
namespace {

/// Compares a kernel with the reference in all cases. Returns the number of failures.
int test_kernel(const std::string& name, const KernelTrial::Count& count,
                std::uint64_t particles) {
  int failures = 0;
  for (const SampleBox& sample : sample_boxes()) {
    for (const std::uint32_t bins : {1U, 100U, 10'000U, 200'000U}) {
      for (const bool like : {true, false}) {
        const KernelTrial trial(sample, bins, particles, like);
        const bool equal = trial.equals_reference(count, particles);
        failures += equal ? 0 : 1;
        std::cout << std::left << std::setw(18) << name << std::setw(16) << sample.name
                  << std::right << std::setw(7) << bins << " bins  "
                  << (like ? "like    " : "unlike  ") << std::setw(10)
                  << grouped(trial.block().pair_count()) << " pairs  "
                  << (equal ? "equal" : "DIFFERENT") << '\n';
      }
    }
  }
  return failures;
}

}  // namespace

Manual selftest_manual() {
  return {.command = "selftest",
          .summary = "compare this machine's kernels with the definition",
          .synopsis = "[--particles N]",
          .description =
              R"(Compares every kernel that this machine can run, including GPU kernels,
with the definition, a double loop over particles in double precision, on random
particles: all kinds of box, like and unlike pairs, several numbers of bins. All
counts must be equal; otherwise the exit code is 2.)",
          .options = {{OptionGroup::counting,
                       "particles",
                       "N",
                       "particles of each species",
                       {.fallback = "1500"}}},
          .sections = {{"example", "  starhist selftest --particles 5000\n"}}};
}

ExitCode run_selftest(const std::vector<std::string>& arguments) {
  Problems problems;
  const auto parsed = parse_options_alone(selftest_manual(), arguments, problems);
  if (!parsed) {
    return ExitCode::done;
  }
  std::uint64_t particles = 0;
  problems.collect(
      [&] { particles = parse_count("--particles", parsed->get("particles")); });
  problems.throw_if_any("selftest");

  int failures = 0;
  for (const kernels::cpu::Variant& variant : kernels::cpu::variants()) {
    if (variant.supported) {
      failures += test_kernel(variant.name, count_with(variant), particles);
    } else {
      std::cout << variant.name << ": not supported by this processor, not tested\n";
    }
  }
  for (const codelets::GpuTrial& trial : codelets::gpu_trials()) {
    failures += test_kernel(trial.name, trial.count, particles);
  }
  if (failures > 0) {
    throw InternalError(std::to_string(failures) + " cases differ from the definition");
  }
  std::cout << "all counts agree with the definition; rdf will use "
            << kernels::cpu::selected_variant().name << '\n';
  return ExitCode::done;
}

}  // namespace starhist::driver
