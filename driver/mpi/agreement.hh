#pragma once

#include <functional>
#include <string>

#include "driver/commands/command.hh"
#include "driver/mpi/communicator.hh"

namespace starhist::driver {

/// Orderly end of the program on all ranks: rank 0 reports the reason, or throws it.
struct AgreedEnd {
  ExitCode code = ExitCode::done;
};

/// Executes a step on all ranks. If it throws on one of them, rank 0 throws InputError
/// or RunError with the message, which names ranks unless rank 0 has the problem too,
/// and the others throw AgreedEnd.
void agree(Communicator& ranks, const std::function<void()>& step);

/// Compares a text of all ranks with rank 0's, line by line. Throws, like agree(),
/// InputError about the first different line: `what` ("the version of starhist"), both
/// lines, and `remedy`.
void agree_on(Communicator& ranks, const std::string& text, const std::string& what,
              const std::string& remedy);

}  // namespace starhist::driver
