#include <iostream>
#include <string>
#include <vector>

#include "codelets/core/base/error.hh"
#include "driver/commands/command.hh"
#include "driver/commands/stop_signals.hh"
#include "driver/mpi/communicator.hh"
#include "driver/mpi/ranked_rdf.hh"
#include "driver/report/abort_message.hh"

namespace starhist::driver {
namespace {

constexpr const char* usage =
    "usage: starhist-mpi rdf TRAJ... -o OUT.h5 [options]\n\nDistributes the work of "
    "starhist rdf over all ranks of an MPI job; the result is\nidentical to a "
    "single-process run. For the options, see starhist help rdf. For\nall other "
    "commands, use starhist.\n\nexamples:\n  four ranks on four nodes, each with all "
    "cores of its node:\n    mpirun -n 4 --map-by node --bind-to none \\\n      "
    "starhist-mpi rdf water.h5 -o rdf.h5\n  one rank per node in a Slurm job:\n    "
    "srun --ntasks-per-node=1 --cpu-bind=none --kill-on-bad-exit=1 \\\n      "
    "starhist-mpi rdf water.h5 -o rdf.h5\n\nexit codes:\n  0 success, 1 invalid usage "
    "or input, 2 run-time failure, 3 finished but frames\n  were left out, 4 stopped "
    "by a signal (continue with --resume)\n\nenvironment:\n  STARHIST_RANK_TIMEOUT is "
    "the number of seconds after which a rank that does not\n  respond is considered "
    "lost (default: 120).\n";

/// True, on rank 0, for commands that need no other rank.
bool is_for_one(const std::vector<std::string>& arguments) {
  for (const std::string& word : arguments) {
    if (word == "--help" || word == "-h") {
      return true;
    }
  }
  return arguments[0] != "rdf";
}

/// Runs on rank 0; the others do nothing.
ExitCode run_for_one(const Communicator& ranks,
                     const std::vector<std::string>& arguments) {
  if (ranks.rank() != 0) {
    return ExitCode::done;
  }
  if (arguments.empty() || arguments[0] == "--help" || arguments[0] == "-h" ||
      arguments[0] == "help") {
    std::cout << usage;
    return arguments.empty() ? ExitCode::bad_input : ExitCode::done;
  }
  if (arguments[0] == "--version" || arguments[0] == "-V" ||
      arguments[0] == "version") {
    return run_version({});
  }
  if (arguments[0] != "rdf") {
    const bool has_parts = arguments[0] == "coordination";
    throw InputError("starhist-mpi has only the command rdf (use starhist " +
                     arguments[0] +
                     (has_parts ? ", on several nodes with --part I/N in each, and "
                                  "starhist merge)"
                                : ")"));
  }
  return run_rdf({arguments.begin() + 1, arguments.end()});
}

int run(int count, char** words) {
  const AbortMessage last_words(
      "the program was aborted (memory may have run out: see the lines above)");
  const std::vector<std::string> arguments(words + 1, words + count);
  return static_cast<int>(run_program(arguments, [&](const std::vector<std::string>&
                                                         all) {
    if (all.empty() || is_for_one(all)) {
      const Communicator ranks(count, words);
      return run_for_one(ranks, all);
    }
    StopSignals signals(SecondSignal::stops);  // set up before MPI starts
    signals.set_last_words(
        [] { std::cerr << "starhist-mpi: stopped while MPI started" << std::endl; });
    Communicator ranks(count, words);
    const ExitCode code = run_ranked_rdf(ranks, signals, {all.begin() + 1, all.end()});
    // Launchers may send TERM to the last ranks to leave MPI.
    signals.stop_listening();
    return code;
  }));
}

}  // namespace
}  // namespace starhist::driver

int main(int argc, char** argv) {
  starhist::driver::keep_freed_memory();
  return starhist::driver::run(argc, argv);
}
