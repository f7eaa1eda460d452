#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace starhist::driver {

/// A number of a result that differs from the recount, or a frame that has changed.
struct Difference {
  std::optional<std::uint64_t> block;  ///< empty: of the whole result
  std::string subject;   ///< "pair H-O, bin 57 (0.285 to 0.29 nm)", "frame 12"
  std::string recorded;  ///< in the result
  std::string recounted;
  std::string source = "the trajectory gives";  ///< of the recounted number
};

/// Differences of a result. Only the first ones are kept, all are counted.
class Differences {
 public:
  void add(Difference difference);
  const std::vector<Difference>& first() const { return first_; }
  std::uint64_t count() const { return count_; }
  const std::set<std::uint64_t>& blocks() const { return blocks_; }

 private:
  std::vector<Difference> first_;
  std::uint64_t count_ = 0;
  std::set<std::uint64_t> blocks_;
};

/// The checks of `starhist verify`, and their outcome.
struct Verification {
  std::string result;                   ///< path
  std::string id;                       ///< "result id"; "" for merged results
  std::vector<std::string> counted_by;  ///< version and kernels of each run
  bool partial = false;                 ///< the result of an unfinished run
  std::uint64_t blocks = 0;             ///< of the result
  std::uint64_t frames = 0;             ///< of the result
  std::string contents;                 ///< of the result: "3 species pairs"
  std::string sum_rule;                 ///< relation between its numbers
  /// Path and state of each trajectory file.
  std::vector<std::pair<std::string, std::string>> trajectories;
  std::string method;                     ///< "the definition (...)"
  std::uint64_t seed = 0;                 ///< of the sample
  std::set<std::uint64_t> sample;         ///< blocks that were recounted
  std::uint64_t frames_read = 0;          ///< frames of these blocks
  std::uint64_t without_checksum = 0;     ///< of them, frames not identified
  std::uint64_t pairs = 0;                ///< particle pairs of these blocks
  std::uint64_t numbers = 0;              ///< compared numbers
  std::uint64_t distribution_values = 0;  ///< values of g(r) compared with counts
  std::string sums;  ///< sums over all blocks, and whether they were compared; or ""
  double seconds = 0.0;  ///< of reading and counting [s]
  Differences differences;

  bool equal() const { return differences.count() == 0; }
};

/// The verdict as a sentence: "all 14 501 compared numbers are equal".
std::string verdict(const Verification& verification);

/// Table of names and values for a terminal, and the first differences.
std::string verification_text(const Verification& verification);

/// Formats of reports, which are also their extensions: "html", "htm", "md", "json".
const std::vector<std::string>& report_formats();

/// A report in one of these formats. Throws InternalError for another one.
std::string verification_report(const Verification& verification,
                                const std::string& format);

}  // namespace starhist::driver
