#pragma once

#include <functional>
#include <string>

#include "driver/commands/command.hh"
#include "driver/mpi/communicator.hh"

namespace starhist::driver {

/// The program ends in order, on all ranks: rank 0 has said why, or will by an
/// exception of its own.
struct AgreedEnd {
  ExitCode code = ExitCode::done;
};

/// Does a step of a run on all ranks. Where it throws on one of them, rank 0 throws
/// InputError or RunError with the message, which names ranks unless rank 0 has the
/// problem too, and the others throw AgreedEnd.
void agree(Communicator& ranks, const std::function<void()>& step);

/// Compares a text of all ranks with that of rank 0, line by line. Throws, as agree(),
/// InputError about the first line that differs: `what` ("the version of starhist"),
/// both lines, and `remedy`.
void agree_on(Communicator& ranks, const std::string& text, const std::string& what,
              const std::string& remedy);

}  // namespace starhist::driver
