#include "driver/commands/coordination/first_minima.hh"

#include <cerrno>
#include <sstream>
#include <system_error>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "codelets/core/base/error.hh"
#include "io/files/child_process.hh"
#include "io/files/descriptor.hh"
#include "io/files/own_program.hh"
#include "io/files/python.hh"

namespace starhist::driver {
namespace {

/// A file in memory for the output of a process.
class OutputFile {
 public:
  OutputFile() : file_(::memfd_create("first_minima.py", MFD_CLOEXEC)) {
    if (file_.get() < 0) {
      throw RunError("no file for the minima of g(r) can be created (" +
                     std::generic_category().message(errno) + ")");
    }
  }
  int descriptor() const { return file_.get(); }

  std::string contents() const {
    std::string text;
    char part[4096];
    for (off_t offset = 0;;) {
      const ssize_t count = ::pread(file_.get(), part, sizeof part, offset);
      if (count <= 0) {
        return text;
      }
      text.append(part, static_cast<std::size_t>(count));
      offset += count;
    }
  }

 private:
  io::Descriptor file_;
};

/// The path of starhist, which the script runs: this program, or a program in the
/// folder of starhist-mpi.
std::filesystem::path starhist_program() {
  const std::filesystem::path own = io::own_program();
  return own.filename() == "starhist-mpi" ? own.parent_path() / "starhist" : own;
}

}  // namespace

std::string find_first_minima(const std::string& result,
                              const std::vector<std::string>& pairs) {
  const std::filesystem::path program = starhist_program();
  std::vector<std::string> words{io::chosen_python("h5py"),
                                 io::find_script("first_minima.py", program)};
  for (const std::string& pair : pairs) {
    words.push_back("--pair=" + pair);
  }
  words.insert(words.end(), {"--", result});
  ::setenv("STARHIST_PROGRAM", program.c_str(), /*overwrite=*/1);
  const OutputFile out;
  const OutputFile err;
  const int status = io::wait_for_process(io::start_process(
      words, {out.descriptor(), err.descriptor()}, io::SignalsOfJob::received));
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    std::string problem = err.contents();
    while (!problem.empty() && problem.back() == '\n') {
      problem.pop_back();
    }
    throw InputError(problem.empty() ? "the search for minima of g(r) ended early"
                                     : problem);
  }
  return out.contents();
}

FirstMinima parse_first_minima(const std::string& text, std::size_t pairs) {
  std::istringstream lines(text);
  FirstMinima minima;
  std::getline(lines, minima.length_unit);
  double r_max = 0.0;
  std::uint64_t count = 0;
  for (std::uint32_t edge = 0; lines >> r_max >> count >> edge;) {
    if (edge < 1 || edge > count) {
      throw InternalError("first_minima.py printed bin edge " + std::to_string(edge) +
                          " of " + std::to_string(count) + " bins");
    }
    minima.cutoffs.push_back({make_bins(r_max, count), edge});
  }
  if (minima.cutoffs.size() != pairs) {
    throw InternalError("first_minima.py printed " +
                        std::to_string(minima.cutoffs.size()) + " cut-offs for " +
                        std::to_string(pairs) + " pairs");
  }
  return minima;
}

}  // namespace starhist::driver
