#include "io/files/child_process.hh"

#include <cerrno>
#include <csignal>
#include <system_error>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "codelets/core/base/error.hh"

namespace starhist::io {
namespace {

/// Descriptors and signals of a new process.
class Setup {
 public:
  Setup(const std::vector<int>& descriptors, SignalsOfJob signals) {
    ::posix_spawn_file_actions_init(&actions_);
    ::posix_spawn_file_actions_addopen(&actions_, 0, "/dev/null", O_RDONLY, 0);
    int next = 1;
    for (const int descriptor : descriptors) {
      ::posix_spawn_file_actions_adddup2(&actions_, descriptor, next++);
    }
    ::posix_spawn_file_actions_addclosefrom_np(&actions_, next);
    ::posix_spawnattr_init(&attributes_);
    if (signals == SignalsOfJob::blocked) {
      block_signals();
    }
  }
  ~Setup() {
    ::posix_spawn_file_actions_destroy(&actions_);
    ::posix_spawnattr_destroy(&attributes_);
  }
  Setup(const Setup&) = delete;
  Setup& operator=(const Setup&) = delete;

  /// posix_spawn() with this setup: 0 or an error code.
  int spawn(pid_t* process, char** words, char** environment) const {
    return ::posix_spawn(process, words[0], &actions_, &attributes_, words,
                         environment);
  }

 private:
  void block_signals() {
    sigset_t blocked;
    sigset_t usual;
    ::sigemptyset(&blocked);
    ::sigfillset(&usual);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGQUIT, SIGTSTP}) {
      ::sigaddset(&blocked, signal);
    }
    ::posix_spawnattr_setsigmask(&attributes_, &blocked);
    ::posix_spawnattr_setsigdefault(&attributes_, &usual);
    ::posix_spawnattr_setflags(&attributes_,
                               POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }

  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> list;
  for (std::string& text : texts) {
    list.push_back(text.data());
  }
  list.push_back(nullptr);
  return list;
}

}  // namespace

pid_t start_process(std::vector<std::string> words, const std::vector<int>& descriptors,
                    SignalsOfJob signals, std::vector<std::string>* environment) {
  const Setup setup(descriptors, signals);
  pid_t process = -1;
  const int code =
      setup.spawn(&process, pointers(words).data(),
                  environment == nullptr ? environ : pointers(*environment).data());
  if (code != 0) {
    throw RunError(words[0] + " cannot be started (" +
                   std::generic_category().message(code) + ")");
  }
  return process;
}

int wait_for_process(pid_t process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) {
      return 0;
    }
  }
  return status;
}

}  // namespace starhist::io
