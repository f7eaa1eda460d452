#include "driver/mpi/communicator.hh"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>
#include <unistd.h>

#include "driver/commands/command.hh"
#include "driver/report/error_text.hh"

namespace starhist::driver {
namespace {

using std::chrono::milliseconds;

/// Interval between polls for messages. MPI's blocking calls would occupy a core.
constexpr std::chrono::microseconds pause{200};

/// Lets the launcher read a message: MPICH's drops unread output at an abort.
constexpr milliseconds time_for_message{300};

std::int64_t now() {
  return std::chrono::duration_cast<milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

std::chrono::seconds patience_of_user() {
  constexpr std::chrono::seconds usual{120};
  const char* const text = std::getenv("STARHIST_RANK_TIMEOUT");
  if (text == nullptr) {
    return usual;
  }
  char* end = nullptr;
  const long number = std::strtol(text, &end, 10);
  if (end == text || *end != '\0' || number < 1) {
    throw InputError(std::string("STARHIST_RANK_TIMEOUT '") + text +
                     "' is not a number of seconds, 1 or more");
  }
  return std::chrono::seconds(number);
}

std::string name_of_host() {
  char name[256] = "";
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "unknown host";
}

/// Threads started during its lifetime block the signals that stop a run: their default
/// action would end the process.
class BlockedSignals {
 public:
  BlockedSignals() {
    sigset_t stops;
    sigemptyset(&stops);
    for (const int signal : {SIGINT, SIGTERM, SIGUSR1, SIGXCPU, SIGHUP}) {
      sigaddset(&stops, signal);
    }
    pthread_sigmask(SIG_BLOCK, &stops, &before_);
  }
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

 private:
  sigset_t before_{};
};

int tag_number(MessageTag tag) {
  return static_cast<int>(tag);
}

/// Throws LostRank with MPI's message if a call has failed.
void check(int code, const char* call) {
  if (code != MPI_SUCCESS) {
    char words[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Error_string(code, words, &length);
    throw LostRank(
        std::string(call) + " failed: " + words +
        " (see the launcher's messages; continue from the saved counts with --resume)");
  }
}

/// Returns once a message is sent or received. Calls `look` repeatedly.
template <class Look>
void wait_for(MPI_Request& request, const char* call, Look look) {
  // A large message proceeds in pieces when both ends call MPI, so do not sleep at
  // once.
  constexpr int looks_without_sleep = 1000;
  int done = 0;
  check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), call);
  for (int looks = 0; done == 0; ++looks) {
    if (looks < looks_without_sleep) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(pause);
      look();
    }
    check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), call);
  }
}

/// Ends the process with a message and ExitCode::failure unless it is destroyed within
/// `patience`. MPI_Init and MPI_Finalize wait forever for a rank that is stopped; the
/// launcher ends all ranks when one has failed.
class MpiWatch {
 public:
  /// `problem`: "MPI has not started". Time for which this process is stopped does not
  /// count. Does nothing if no thread can be started.
  MpiWatch(const std::string& host, const std::string& problem,
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
          << "starhist-mpi: " << host << ": " << problem << " within "
          << patience.count()
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
  MpiWatch(const MpiWatch&) = delete;
  MpiWatch& operator=(const MpiWatch&) = delete;

 private:
  std::jthread thread_;
};

}  // namespace

Communicator::Communicator(int& count, char**& words)
    : host_(name_of_host()), patience_(patience_of_user()) {
  const BlockedSignals blocked;
  const MpiWatch watch(host_, "MPI has not started", patience_);
  int threads = MPI_THREAD_SINGLE;
  check(MPI_Init_thread(&count, &words, MPI_THREAD_MULTIPLE, &threads),
        "MPI_Init_thread");
  check(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN),
        "MPI_Comm_set_errhandler");
  check(MPI_Comm_rank(MPI_COMM_WORLD, &rank_), "MPI_Comm_rank");
  check(MPI_Comm_size(MPI_COMM_WORLD, &size_), "MPI_Comm_size");
  if (threads < MPI_THREAD_MULTIPLE) {
    MPI_Finalize();
    throw RunError(
        "this MPI does not support calls from several threads (MPI_THREAD_MULTIPLE), "
        "which starhist-mpi needs: use another build of it, such as Debian's "
        "openmpi-bin, or count parts with starhist rdf --part and starhist merge");
  }
  try {
    meet_others();
  } catch (const std::exception& error) {
    abort(error_text(error), ExitCode::failure);
  }
}

void Communicator::meet_others() {
  MPI_Comm host = MPI_COMM_NULL;
  check(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL,
                            &host),
        "MPI_Comm_split_type");
  first_on_host_ = rank_;
  check(MPI_Bcast(&first_on_host_, 1, MPI_INT, 0, host), "MPI_Bcast");
  host_communicator_ = MPI_Comm_c2f(host);
  heard_ = std::vector<std::atomic<std::int64_t>>(as_index(size_));
  for (std::atomic<std::int64_t>& heard : heard_) {
    heard = now();
  }
  hosts_.resize(as_index(size_));
  early_texts_.resize(as_index(size_));
  if (size_ > 1) {
    alive_ = std::jthread([this](const std::stop_token& stop) { tell_alive(stop); });
  }
}

Communicator::~Communicator() {
  alive_ = {};
  int ended = 0;
  try {
    check(MPI_Finalized(&ended), "MPI_Finalized");
    if (ended == 0) {
      note_alive();
      const MpiWatch watch(host_, "MPI has not ended", patience_);
      check(MPI_Finalize(), "MPI_Finalize");
    }
  } catch (const LostRank& error) {
    std::cerr << "starhist-mpi: " << error.what() << '\n';
  }
}

std::string Communicator::name_of(int rank) const {
  const std::string& host = rank == rank_ ? host_ : hosts_[as_index(rank)];
  return "rank " + std::to_string(rank) + (host.empty() ? "" : " on " + host);
}

void Communicator::tell_alive(const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any stopped;
  std::unique_lock lock(mutex);
  const auto is_stopped = [&stop] { return stop.stop_requested(); };
  while (!stopped.wait_for(lock, stop, std::chrono::seconds(1), is_stopped)) {
    const int first = rank_ == 0 ? 1 : 0;
    const int end = rank_ == 0 ? size_ : 1;
    for (int other = first; other < end; ++other) {
      MPI_Request request = MPI_REQUEST_NULL;
      if (MPI_Isend(nullptr, 0, MPI_CHAR, other, tag_number(MessageTag::alive),
                    MPI_COMM_WORLD, &request) != MPI_SUCCESS ||
          MPI_Request_free(&request) != MPI_SUCCESS) {  // it is sent nevertheless
        return;                                         // the others notice the silence
      }
    }
  }
}

/// Receives all pending messages with which ranks report to be alive.
void Communicator::note_alive() {
  while (true) {
    int there = 0;
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status;
    check(MPI_Improbe(MPI_ANY_SOURCE, tag_number(MessageTag::alive), MPI_COMM_WORLD,
                      &there, &message, &status),
          "MPI_Improbe");
    if (there == 0) {
      return;
    }
    check(MPI_Mrecv(nullptr, 0, MPI_CHAR, &message, &status), "MPI_Mrecv");
    heard_[as_index(status.MPI_SOURCE)] = now();
  }
}

void Communicator::check_alive() {
  note_alive();
  const int first = rank_ == 0 ? 1 : 0;
  const int end = rank_ == 0 ? size_ : std::min(size_ - 1, 1);
  for (int other = first; other < end; ++other) {
    const std::int64_t silent = now() - heard_[as_index(other)];
    if (silent > milliseconds(patience_).count()) {
      throw LostRank(name_of(other) + " has not answered for " +
                     std::to_string(silent / 1000) +
                     " s: its process or its host is stopped, or the network is down "
                     "(STARHIST_RANK_TIMEOUT is the number of seconds to wait)");
    }
  }
}

void Communicator::forget(int rank) {
  heard_[as_index(rank)] = std::numeric_limits<std::int64_t>::max() / 2;
}

void Communicator::send(int rank, MessageTag tag, const std::vector<char>& bytes) {
  // Sent as 64-bit words, so that 16 GiB are possible; the last word is padded.
  const std::uint64_t size = bytes.size();
  std::vector<std::uint64_t> words(1 + (size + 7) / 8);
  if (words.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    throw RunError(
        "the counts of a work unit are more than MPI can send at once (use fewer bins "
        "or pairs)");
  }
  words[0] = size;
  std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(words.data() + 1));
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Isend(words.data(), static_cast<int>(words.size()), MPI_UINT64_T, rank,
                  tag_number(tag), MPI_COMM_WORLD, &request),
        "MPI_Isend");
  wait_for(request, "MPI_Isend", [this] { check_alive(); });
}

std::optional<Received> Communicator::poll(MessageTag tag) {
  int there = 0;
  MPI_Message message = MPI_MESSAGE_NULL;
  MPI_Status status;
  check(MPI_Improbe(MPI_ANY_SOURCE, tag_number(tag), MPI_COMM_WORLD, &there, &message,
                    &status),
        "MPI_Improbe");
  if (there == 0) {
    check_alive();
    return std::nullopt;
  }
  int count = 0;
  check(MPI_Get_count(&status, MPI_UINT64_T, &count), "MPI_Get_count");
  std::vector<std::uint64_t> words(static_cast<std::size_t>(count));
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Imrecv(words.data(), count, MPI_UINT64_T, &message, &request),
        "MPI_Imrecv");
  wait_for(request, "MPI_Imrecv", [this] { check_alive(); });
  heard_[as_index(status.MPI_SOURCE)] = now();
  if (words.empty() || words[0] > 8 * (words.size() - 1)) {
    throw InternalError("a message between ranks is too short");
  }
  const auto* first = reinterpret_cast<const char*>(words.data() + 1);
  return Received{status.MPI_SOURCE, {first, first + words[0]}};
}

/// Texts of one rank arrive in the order in which they were sent.
std::string Communicator::receive_text(int rank) {
  std::vector<std::string>& early = early_texts_[as_index(rank)];
  while (early.empty()) {
    if (std::optional<Received> text = poll(MessageTag::text)) {
      early_texts_[as_index(text->rank)].emplace_back(text->bytes.begin(),
                                                      text->bytes.end());
    } else {
      std::this_thread::sleep_for(pause);
    }
  }
  std::string text = std::move(early.front());
  early.erase(early.begin());
  return text;
}

std::vector<std::string> Communicator::gather(const std::string& text) {
  if (rank_ != 0) {
    send(0, MessageTag::text, {host_.begin(), host_.end()});
    send(0, MessageTag::text, {text.begin(), text.end()});
    return {};
  }
  std::vector<std::string> texts{text};
  hosts_[0] = host_;
  for (int other = 1; other < size_; ++other) {
    hosts_[as_index(other)] = receive_text(other);
    texts.push_back(receive_text(other));
  }
  return texts;
}

std::string Communicator::scatter(const std::vector<std::string>& texts) {
  if (rank_ != 0) {
    return receive_text(0);
  }
  for (int other = 1; other < size_; ++other) {
    const std::string& text = texts[as_index(other)];
    send(other, MessageTag::text, {text.begin(), text.end()});
  }
  return texts[0];
}

std::string Communicator::broadcast(const std::string& text) {
  return scatter(std::vector<std::string>(as_index(size_), text));
}

void Communicator::wait_for_host() {
  MPI_Request request = MPI_REQUEST_NULL;
  check(MPI_Ibarrier(MPI_Comm_f2c(host_communicator_), &request), "MPI_Ibarrier");
  wait_for(request, "MPI_Ibarrier", [this] { check_alive(); });
}

void Communicator::abort(const std::string& why, ExitCode code) {
  std::cerr << "starhist-mpi: " << name_of(rank_) << ": " << why
            << " (all ranks are terminated)" << std::endl;
  std::this_thread::sleep_for(time_for_message);
  MPI_Abort(MPI_COMM_WORLD, static_cast<int>(code));
  ::_exit(static_cast<int>(code));
}

}  // namespace starhist::driver
