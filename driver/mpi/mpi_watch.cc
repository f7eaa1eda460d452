#include "driver/mpi/mpi_watch.hh"

#include <condition_variable>
#include <iostream>
#include <mutex>
#include <system_error>

#include <unistd.h>

#include "driver/commands/command.hh"

namespace starhist::driver {

MpiWatch::MpiWatch(const std::string& host, const std::string& problem,
                   std::chrono::seconds patience) {
  const auto watch = [host, problem, patience](const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any changed;
    std::unique_lock lock(mutex);
    const auto is_over = [&stop] { return stop.stop_requested(); };
    for (auto left = patience; left.count() > 0; --left) {
      if (changed.wait_for(lock, stop, std::chrono::seconds(1), is_over)) {
        return;
      }
    }
    std::cerr
        << "starhist-mpi: " << host << ": " << problem << " within " << patience.count()
        << " s (the process or the host of another rank is stopped, or the "
           "network is down): start the job again, unless the summary was printed "
           "and the result is complete; STARHIST_RANK_TIMEOUT is the number of "
           "seconds to wait"
        << std::endl;
    ::_exit(static_cast<int>(ExitCode::failure));
  };
  try {
    thread_ = std::jthread(watch);
  } catch (const std::system_error&) {
    // Without a thread there is no watch, and MPI starts or ends all the same.
  }
}

}  // namespace starhist::driver
