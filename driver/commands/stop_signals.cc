#include "driver/commands/stop_signals.hh"

#include <cerrno>
#include <csignal>
#include <utility>

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "codelets/core/base/error.hh"
#include "driver/commands/command.hh"

namespace starhist::driver {
namespace {

bool is_ignored(int signal) {
  struct sigaction action {};
  return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

sigset_t set_of(const std::vector<int>& signals) {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : signals) {
    sigaddset(&set, signal);
  }
  return set;
}

/// Ends the process through the signal's default action.
[[noreturn]] void die_of(int signal) {
  std::signal(signal, SIG_DFL);
  const sigset_t set = set_of({signal});
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  ::raise(signal);
  ::_exit(128 + signal);
}

}  // namespace

StopSignals::StopSignals(SecondSignal second) : second_(second) {
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1, SIGXCPU, SIGHUP}) {
    if (!is_ignored(signal)) {
      signals_.push_back(signal);
    }
  }
  const sigset_t set = set_of(signals_);
  signal_file_ = ::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
  end_file_ = ::eventfd(0, EFD_CLOEXEC);
  if (signal_file_ < 0 || end_file_ < 0) {
    throw RunError("signals cannot be waited for (too many open files?)");
  }
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  thread_ = std::thread([this] { wait(); });
}

StopSignals::~StopSignals() {
  stop_listening();
  ::close(signal_file_);
  ::close(end_file_);
}

void StopSignals::stop_listening() {
  if (!thread_.joinable()) {
    return;
  }
  const std::uint64_t one = 1;
  if (::write(end_file_, &one, sizeof one) == sizeof one) {
    thread_.join();
  } else {
    thread_.detach();
  }
}

void StopSignals::set_last_words(std::function<void()> last_words) {
  const std::lock_guard lock(mutex_);
  last_words_ = std::move(last_words);
}

void StopSignals::end_as_stopped() {
  const std::lock_guard lock(mutex_);
  if (last_words_) {
    last_words_();
  }
  ::_exit(static_cast<int>(ExitCode::stopped));
}

void StopSignals::wait() {
  using Clock = std::chrono::steady_clock;
  Clock::time_point first;
  pollfd files[2] = {{signal_file_, POLLIN, 0}, {end_file_, POLLIN, 0}};
  while (true) {
    const bool waiting = signal_ != 0 && armed_;
    const int ready = ::poll(files, 2, waiting ? 1000 * patience_seconds : -1);
    if (ready == 0 && armed_) {
      end_as_stopped();
    }
    if (files[1].revents != 0) {
      return;
    }
    signalfd_siginfo info{};
    if (ready > 0 && files[0].revents != 0 &&
        ::read(signal_file_, &info, sizeof info) == sizeof info) {
      const int signal = static_cast<int>(info.ssi_signo);
      if (signal_ == 0) {
        first = Clock::now();
        signal_ = signal;
        stop_.request_stop();
      } else if (signal != signal_ || Clock::now() - first >= repeat_time) {
        if (second_ == SecondSignal::stops) {
          end_as_stopped();
        }
        die_of(signal);
      }
    }
  }
}

}  // namespace starhist::driver
