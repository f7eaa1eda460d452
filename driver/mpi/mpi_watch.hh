#pragma once

#include <chrono>
#include <string>
#include <thread>

namespace starhist::driver {

/// Ends the process with a message and ExitCode::failure unless it is destroyed within
/// `patience`. MPI_Init and MPI_Finalize wait forever for a rank that is stopped; the
/// launcher ends all ranks when one has failed.
class MpiWatch {
 public:
  /// `problem`: "MPI has not started". Time for which this process is stopped does not
  /// count. Does nothing if no thread can be started.
  MpiWatch(const std::string& host, const std::string& problem,
           std::chrono::seconds patience);
  MpiWatch(const MpiWatch&) = delete;
  MpiWatch& operator=(const MpiWatch&) = delete;

 private:
  std::jthread thread_;
};

}  // namespace starhist::driver
