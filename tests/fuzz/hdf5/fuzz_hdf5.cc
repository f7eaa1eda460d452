// Tries HDF5 files: H5MD, CADISHI, results. The HDF5 library crashes on some damaged
// files, but starhist-inspect keeps such crashes away from starhist. Therefore an
// abnormal end is a finding only if the inspection has passed the file before.
//
//   fuzz_hdf5 FILE_OR_FOLDER...
//       Inspects each file with starhist-inspect and reads those that pass, each in
//       a separate process. Exit status 1 for a finding.
//   fuzz_hdf5 --runs N [--seconds T] [--seed S] [--findings FOLDER] FILE_OR_FOLDER...
//       Does the same with N damaged copies of the files, faster: one process inspects
//       and reads many. If it ends abnormally, its last file is tried again as above.
//       Starts no further files after T seconds; 0: no limit.

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "codelets/core/base/error.hh"
#include "io/files/own_program.hh"
#include "io/hdf5/inspection/inspected_file.hh"
#include "io/hdf5/inspection/inspection_process.hh"
#include "tests/fuzz/hdf5/reading.hh"
#include "tests/fuzz/mutation.hh"
#include "tests/support/temporary_directory.hh"

namespace {

using namespace starhist;
namespace fs = std::filesystem;

/// CPU time for a file with the sanitizers, because other processes may share the
/// machine. starhist-inspect allows 1 s or more; a usual file needs some milliseconds.
constexpr std::chrono::milliseconds longest_inspection{200};
constexpr std::chrono::milliseconds longest_reading{20000};
/// Number of files per process: limits the memory that HDF5 leaks after errors.
constexpr std::uint64_t files_per_process = 500;

/// Progress of a process, in memory shared with its parent.
struct Progress {
  volatile std::uint64_t file = 0;    ///< number of the file
  volatile bool inspected = false;    ///< whether the inspection has passed it
  volatile std::uint64_t passed = 0;  ///< files that it has passed so far
};

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_file(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

std::vector<fs::path> files_of(const std::vector<std::string>& places) {
  std::vector<fs::path> files;
  for (const fs::path place : places) {
    if (!fs::is_directory(place)) {
      files.push_back(place);
      continue;
    }
    for (const auto& entry : fs::recursive_directory_iterator(place)) {
      if (entry.is_regular_file()) {
        files.push_back(entry.path());
      }
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// A process that does some work with its standard error in a file.
class Process {
 public:
  Process(const std::function<void()>& work, const fs::path& log) : process_(::fork()) {
    if (process_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      const int file = ::open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
      ::dup2(file, STDERR_FILENO);
      try {
        work();
      } catch (const std::exception& error) {
        std::fprintf(stderr, "uncaught: %s\n", error.what());
        std::abort();
      }
      ::_exit(0);
    }
  }

  /// True if it has ended. `status` is set by waitpid().
  bool ended(int& status) const { return ::waitpid(process_, &status, WNOHANG) != 0; }
  /// CPU time that it has used.
  std::chrono::nanoseconds cpu_time() const {
    clockid_t clock = 0;
    timespec time{};
    if (::clock_getcpuclockid(process_, &clock) == 0) {
      ::clock_gettime(clock, &time);
    }
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
  }
  void kill() const {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }

 private:
  pid_t process_;
};

/// Inspects a file like starhist, and reads it if it passes, in a separate process.
/// Returns the problem; "" if there is none.
std::string try_alone(const fs::path& path, const std::string& inspect,
                      const fs::path& log) {
  const Process process(
      [&] {
        try {
          io::inspect_hdf5_file(inspect, path, io::ExternalFiles::refused,
                                io::inspection_limits(fs::file_size(path)));
        } catch (const InputError&) {
          return;
        } catch (const RunError&) {
          return;
        }
        fuzz::read_hdf5(path);
      },
      log);
  const auto deadline = std::chrono::steady_clock::now() + 4 * longest_reading;
  int status = 0;
  while (!process.ended(status)) {
    if (std::chrono::steady_clock::now() > deadline) {
      process.kill();
      return "does not end";
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return status == 0
             ? ""
             : "ends with status " + std::to_string(status) + "\n" + contents(log);
}

/// True if a sanitizer's report is about code of starhist, not of the HDF5 library: its
/// innermost functions, including the sanitizer's, are all of this program.
bool is_ours(const std::string& report) {
  if (report.find("runtime error") != std::string::npos) {
    return true;
  }
  // A heap that was overwritten earlier, by HDF5, which has no sanitizer. Our own
  // writes are reported where they happen.
  if (report.find("CHECK failed: asan_allocator") != std::string::npos) {
    return false;
  }
  const std::size_t begin = report.find("#0 ");
  const std::size_t end = report.find("#4 ", begin);
  return begin != std::string::npos &&
         report.substr(begin, end - begin).find("/lib") == std::string::npos;
}

class Campaign {
 public:
  Campaign(fuzz::Mutation mutation, std::string inspect, fs::path findings)
      : mutation_(std::move(mutation)),
        inspect_(std::move(inspect)),
        findings_folder_(std::move(findings)),
        progress_(new (::mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE,
                              MAP_SHARED | MAP_ANONYMOUS, -1, 0)) Progress) {}

  /// Number of files.
  std::uint64_t run(std::uint64_t first, std::uint64_t count,
                    std::chrono::seconds longest) {
    const auto start = std::chrono::steady_clock::now();
    std::uint64_t next = first;
    while (
        next < first + count &&
        (longest.count() == 0 || std::chrono::steady_clock::now() - start < longest)) {
      const std::uint64_t end = std::min(next + files_per_process, first + count);
      next = run_process(next, end);
    }
    return next - first;
  }

  void report(double seconds, std::uint64_t count) const {
    std::printf(
        "%llu files in %.0f s (%.0f per second), %llu passed the inspection, %llu "
        "ended "
        "it, %llu ended a reader but not again, %llu findings\n",
        static_cast<unsigned long long>(count), seconds,
        static_cast<double>(count) / seconds,
        static_cast<unsigned long long>(progress_->passed),
        static_cast<unsigned long long>(ended_inspection_),
        static_cast<unsigned long long>(not_again_),
        static_cast<unsigned long long>(findings_));
  }

  std::uint64_t findings() const { return findings_; }

 private:
  /// Lets a process work on files from `next` on. Returns one past its last file.
  std::uint64_t run_process(std::uint64_t next, std::uint64_t end) {
    progress_->file = next;
    const Process process([&] { work(next, end); }, log_);
    std::uint64_t at = next;
    auto since = process.cpu_time();
    int status = 0;
    while (!process.ended(status)) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      if (progress_->file != at) {
        at = progress_->file;
        since = process.cpu_time();
      } else if (process.cpu_time() - since >
                 (progress_->inspected ? longest_reading : longest_inspection)) {
        process.kill();
        status = SIGKILL;
        break;
      }
    }
    if (status == 0) {
      return end;
    }
    if (status == SIGKILL && !progress_->inspected) {
      ++ended_inspection_;  // like the limit of starhist-inspect
    } else {
      look_at_end(progress_->file);
    }
    return progress_->file + 1;
  }

  void work(std::uint64_t next, std::uint64_t end) {
    for (; next < end; ++next) {
      // A new name, because inspections are remembered by name, size and time.
      const fs::path path = folder_.file(std::to_string(next) + ".h5");
      write_file(path, mutation_.file(next));
      progress_->inspected = false;
      progress_->file = next;
      try {
        io::external_files_of(path, io::ExternalFiles::refused);
        progress_->inspected = true;
        progress_->passed = progress_->passed + 1;
      } catch (const InputError&) {
      } catch (const RunError&) {
      }
      if (progress_->inspected) {
        fuzz::read_hdf5(path);
      }
      fs::remove(path);
    }
  }

  /// Examines an abnormal end of a process at this file.
  void look_at_end(std::uint64_t number) {
    const std::string first = contents(log_);
    const fs::path path = folder_.file(std::to_string(number) + ".h5");
    write_file(path, mutation_.file(number));
    std::string problem = try_alone(path, inspect_, folder_.file("log2"));
    if (problem.empty() && is_ours(first)) {
      problem = first;
    }
    if (!problem.empty()) {
      ++findings_;
      std::error_code ignored;
      fs::copy_file(path, findings_folder_ / (std::to_string(number) + ".h5"), ignored);
      std::printf("file %llu: %s\n", static_cast<unsigned long long>(number),
                  problem.c_str());
    } else if (progress_->inspected) {
      ++not_again_;
      std::error_code ignored;
      fs::copy_file(path,
                    findings_folder_ / ("not-again-" + std::to_string(number) + ".h5"),
                    ignored);
    } else {
      ++ended_inspection_;
    }
    fs::remove(path);
  }

  fuzz::Mutation mutation_;
  std::string inspect_;
  fs::path findings_folder_;
  testing::TemporaryDirectory folder_;
  fs::path log_ = folder_.file("log");
  Progress* progress_;
  std::uint64_t findings_ = 0;
  std::uint64_t ended_inspection_ = 0;
  std::uint64_t not_again_ = 0;
};

/// Value of an option before the files.
std::string take_option(std::vector<std::string>& words, const std::string& name,
                        const std::string& fallback) {
  for (std::size_t k = 0; k + 1 < words.size(); ++k) {
    if (words[k] == name) {
      const std::string value = words[k + 1];
      words.erase(words.begin() + static_cast<std::ptrdiff_t>(k),
                  words.begin() + static_cast<std::ptrdiff_t>(k) + 2);
      return value;
    }
  }
  return fallback;
}

int replay(const std::vector<fs::path>& files, const std::string& inspect) {
  const testing::TemporaryDirectory folder;
  int findings = 0;
  for (const fs::path& file : files) {
    const std::string problem = try_alone(file, inspect, folder.file("log"));
    if (!problem.empty()) {
      std::printf("%s: %s\n", file.c_str(), problem.c_str());
      ++findings;
    }
  }
  std::printf("%zu files, %d findings\n", files.size(), findings);
  return files.empty() || findings > 0 ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  const std::uint64_t runs = std::stoull(take_option(words, "--runs", "0"));
  const std::uint64_t seconds = std::stoull(take_option(words, "--seconds", "0"));
  const std::uint64_t seed = std::stoull(take_option(words, "--seed", "1"));
  const fs::path findings = take_option(words, "--findings", ".");
  const std::vector<fs::path> files = files_of(words);
  // Outside this program's folder: starhist would not find it there, so that a process
  // of the campaign inspects in-process.
  const std::string inspect =
      (io::own_program().parent_path().parent_path() / "starhist-inspect").string();
  if (runs == 0 || files.empty()) {
    return replay(files, inspect);
  }
  if (!io::inspection_program().empty()) {
    std::fprintf(stderr, "there is another %s\n", io::inspection_program().c_str());
    return 2;
  }
  std::vector<std::string> originals;
  for (const fs::path& file : files) {
    originals.push_back(contents(file));
  }
  Campaign campaign(fuzz::Mutation(originals), inspect, findings);
  const auto start = std::chrono::steady_clock::now();
  const std::uint64_t count =
      campaign.run(seed << 32U, runs, std::chrono::seconds(seconds));
  const std::chrono::duration<double> elapsed =
      std::chrono::steady_clock::now() - start;
  campaign.report(elapsed.count(), count);
  return campaign.findings() > 0 ? 1 : 0;
}
