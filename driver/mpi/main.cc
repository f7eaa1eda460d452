#include <algorithm>
#include <array>
#include <iostream>
#include <string>
#include <vector>

#include "codelets/core/base/error.hh"
#include "driver/commands/command.hh"
#include "driver/commands/stop_signals.hh"
#include "driver/mpi/communicator.hh"
#include "driver/mpi/ranked_program.hh"
#include "driver/report/abort_message.hh"

namespace starhist::driver {
namespace {

constexpr const char* usage =
    R"(usage: starhist-mpi COMMAND TRAJ... -o OUT.h5 [options]

Distributes the work of starhist rdf, vanhove or coordination over all ranks of
an MPI job; the result is identical to a single-process run. For the options,
see starhist help COMMAND. For all other commands, use starhist.

examples:
  four ranks on four nodes, each with all cores of its node:
    mpirun -n 4 --map-by node --bind-to none \
      starhist-mpi rdf water.h5 -o rdf.h5
  one rank per node in a Slurm job:
    srun --ntasks-per-node=1 --cpu-bind=none --kill-on-bad-exit=1 \
      starhist-mpi vanhove water.h5 -o vh.h5

exit codes:
  0 success, 1 invalid usage or input, 2 run-time failure, 3 finished but frames
  were left out, 4 stopped by a signal (continue with --resume)

environment:
  STARHIST_RANK_TIMEOUT is the number of seconds after which a rank that does not
  respond is considered lost (default: 120).
)";

using RankedRunner = ExitCode (*)(Communicator&, StopSignals&,
                                  const std::vector<std::string>& arguments);

struct RankedCommand {
  const char* name;
  RankedRunner run;  ///< on all ranks
  ExitCode (*help)(
      const std::vector<std::string>& arguments);  ///< the same of starhist
};

constexpr std::array ranked_commands{
    RankedCommand{"rdf", run_ranked_rdf, run_rdf},
    RankedCommand{"vanhove", run_ranked_vanhove, run_vanhove},
    RankedCommand{"coordination", run_ranked_coordination, run_coordination}};

/// Null for a command that is not distributed.
const RankedCommand* find_ranked(const std::string& name) {
  const auto found =
      std::find_if(ranked_commands.begin(), ranked_commands.end(),
                   [&](const RankedCommand& command) { return command.name == name; });
  return found == ranked_commands.end() ? nullptr : &*found;
}

/// True, on rank 0, for commands that need no other rank.
bool is_for_one(const std::vector<std::string>& arguments) {
  for (const std::string& word : arguments) {
    if (word == "--help" || word == "-h") {
      return true;
    }
  }
  return find_ranked(arguments[0]) == nullptr;
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
  const RankedCommand* const command = find_ranked(arguments[0]);
  if (command == nullptr) {
    throw InputError(
        "starhist-mpi has only the commands rdf, vanhove and coordination (use "
        "starhist " +
        arguments[0] + ")");
  }
  return command->help({arguments.begin() + 1, arguments.end()});
}

int run(int count, char** words) {
  const AbortMessage last_words(
      "the program was aborted (memory may have run out: see the lines above)");
  const std::vector<std::string> arguments(words + 1, words + count);
  return static_cast<int>(
      run_program(arguments, [&](const std::vector<std::string>& all) {
        if (all.empty() || is_for_one(all)) {
          const Communicator ranks(count, words);
          return run_for_one(ranks, all);
        }
        StopSignals signals(SecondSignal::stops);  // set up before MPI starts
        signals.set_last_words([] {
          std::cerr << "starhist-mpi: stopped while MPI started" << std::endl;
        });
        Communicator ranks(count, words);
        const ExitCode code =
            find_ranked(all[0])->run(ranks, signals, {all.begin() + 1, all.end()});
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
