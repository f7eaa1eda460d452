#pragma once

#include <cmath>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <vector>

#include "io/output/result_writer.hh"
#include "io/result/result_reader.hh"
#include "tests/support/error_text.hh"
#include "tests/support/run_program.hh"
#include "tests/support/temporary_directory.hh"
#include "tests/support/test_location.hh"

namespace starhist::testing {

/// Words, followed by more.
inline std::vector<std::string> with(std::vector<std::string> words,
                                     const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// A folder with an output file, and `starhist rdf` that writes it.
class RdfRunner {
 public:
  using Words = std::vector<std::string>;

  /// starhist rdf ARGUMENTS -o <the output>.
  ProgramRun run(const Words& arguments, const ProgramSetting& setting = {}) const {
    return run_program(command(arguments), setting);
  }
  Words command(const Words& arguments) const {
    Words words{"rdf"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    words.insert(words.end(), {"-o", output()});
    return words;
  }

  std::string file(const std::string& name) const { return directory_.file(name); }
  std::string output() const { return file("out.h5"); }
  std::string partial() const { return output() + ".partial"; }
  bool has_output() const { return std::filesystem::exists(output()); }
  bool has_partial() const { return std::filesystem::exists(partial()); }
  /// True if there is neither a result nor anything that could be mistaken for a part
  /// of one.
  bool nothing_left() const { return !has_output() && !has_partial() && !has_lock(); }
  bool has_lock() const { return std::filesystem::exists(output() + ".lock"); }

  io::ResultFile result() const { return io::read_result(output()); }
  /// Replaces the output by the partial file of a run that was killed after its last
  /// block.
  void unfinish() const {
    const io::ResultFile whole = result();
    std::filesystem::remove(output());
    io::ResultWriter writer(output(), whole.layout, whole.record, false);
    for (const BlockCounts& block : whole.blocks) {
      writer.append(block);
    }
  }

 private:
  TemporaryDirectory directory_;
};

/// "" if `run` was refused as bad input, its message has all `words` and it left no
/// file at `rdf`'s output; otherwise the difference.
inline std::string refusal_problem(const RdfRunner& rdf, const ProgramRun& run,
                                   std::initializer_list<const char*> words) {
  if (run.exit_code != 1) {
    return "exit code " + std::to_string(run.exit_code) + ", signal " +
           std::to_string(run.signal) + ": " + run.err;
  }
  if (!rdf.nothing_left()) {
    return "files are left: " + run.err;
  }
  return missing(run.err, words);
}

/// Counts per pair, summed over all blocks.
inline std::vector<std::vector<std::uint64_t>> summed_counts(
    const io::ResultFile& result) {
  return total(result.blocks).counts;
}

inline double relative_error(double value, double expected) {
  return std::abs(value - expected) / std::abs(expected);
}

}  // namespace starhist::testing
