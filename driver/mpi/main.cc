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
    "starhist-mpi rdf counts as starhist rdf does, on all ranks of an MPI job:\n"
    "  mpirun -n 4 starhist-mpi rdf water.h5 -o rdf.h5\n"
    "  srun starhist-mpi rdf water.h5 -o rdf.h5\n"
    "Its options are those of starhist rdf. All other commands are those of "
    "starhist.\n";

/// Of rank 0 for what needs no other rank.
bool is_for_one(const std::vector<std::string>& arguments) {
  for (const std::string& word : arguments) {
    if (word == "--help" || word == "-h" || word == "--explain") {
      return true;
    }
  }
  return arguments[0] != "rdf";
}

/// For rank 0; the others do nothing.
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
    throw InputError("starhist-mpi has the command rdf alone (starhist " +
                     arguments[0] + " is of starhist)");
  }
  return run_rdf({arguments.begin() + 1, arguments.end()});
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
        StopSignals signals;  // from before the start of MPI until after its end
        signals.set_last_words([] {
          std::cerr << "starhist-mpi: stopped while MPI started" << std::endl;
        });
        Communicator ranks(count, words);
        return run_ranked_rdf(ranks, signals, {all.begin() + 1, all.end()});
      }));
}

}  // namespace
}  // namespace starhist::driver

int main(int argc, char** argv) {
  starhist::driver::keep_freed_memory();
  return starhist::driver::run(argc, argv);
}
