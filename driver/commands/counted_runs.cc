#include "driver/commands/counted_runs.hh"

#include <algorithm>
#include <charconv>
#include <sstream>

#include "driver/run/provenance.hh"

namespace starhist::driver {
namespace {

std::uint64_t number_in(const std::string& digits, int base = 10) {
  std::uint64_t number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number, base);
  return number;
}

/// The entries whose names start with `begin`, with that prefix removed.
io::RunRecord entries_below(const io::RunRecord& record, const std::string& begin) {
  io::RunRecord below;
  for (const auto& [name, value] : record) {
    if (name.starts_with(begin)) {
      below.emplace_back(name.substr(begin.size()), value);
    }
  }
  return below;
}

/// Adds the runs with blocks from `begin` up to `end`. Returns false if a merged result
/// does not record its blocks.
bool add_runs(const io::ResultFile& result, const io::RunRecord& record,
              std::uint64_t begin, std::uint64_t end, std::vector<CountedRun>& runs) {
  if (!io::value_of(record, "result 1")) {
    runs.push_back({&result, record, begin, end});
    return true;
  }
  std::uint64_t next = begin;
  for (std::size_t k = 1;; ++k) {
    const std::string name = "result " + std::to_string(k);
    if (!io::value_of(record, name)) {
      return next == end;
    }
    const auto blocks = io::value_of(record, name + merged_blocks);
    const std::uint64_t count = number_in(blocks.value_or(""));
    if (!blocks || count > end - next ||
        !add_runs(result, entries_below(record, name + " "), next, next + count,
                  runs)) {
      return false;
    }
    next += count;
  }
}

/// Checksums of the trajectory's first frames: the recorded ones, or those of frames 0
/// and 1 if they were counted.
std::vector<std::uint64_t> first_frames_of(const CountedRun& run) {
  std::vector<std::uint64_t> checksums;
  std::istringstream words(run.recorded(first_frames_entry));
  for (std::string word; words >> word;) {
    checksums.push_back(number_in(word, 16));
  }
  const bool is_recorded = !checksums.empty();
  for (std::uint64_t b = run.begin; b < run.end && !is_recorded; ++b) {
    for (const CountedFrame& frame : run.result->blocks[b].counted) {
      if (checksums.size() == 2 || frame.index.get() != checksums.size()) {
        return checksums;
      }
      checksums.push_back(frame.checksum);
    }
  }
  return checksums;
}

bool have_checksums(const CountedRun& run) {
  return std::all_of(
      run.result->blocks.begin() + static_cast<std::ptrdiff_t>(run.begin),
      run.result->blocks.begin() + static_cast<std::ptrdiff_t>(run.end),
      [](const BlockCounts& block) {
        return !block.counted.empty() &&
               std::all_of(block.counted.begin(), block.counted.end(),
                           [](const CountedFrame& f) { return f.checksum != 0; });
      });
}

/// True if both are of the same trajectory, as far as both know its first frames;
/// otherwise, if both read the same file.
bool same_trajectory(const CountedRun& a, const CountedRun& b) {
  const std::size_t both = std::min(a.first_frames.size(), b.first_frames.size());
  const auto known = [both](const CountedRun& run) {
    return both > 0 &&
           std::all_of(run.first_frames.begin(),
                       run.first_frames.begin() + static_cast<std::ptrdiff_t>(both),
                       [](std::uint64_t sum) { return sum != 0; });
  };
  return known(a) && known(b)
             ? std::equal(a.first_frames.begin(),
                          a.first_frames.begin() + static_cast<std::ptrdiff_t>(both),
                          b.first_frames.begin())
             : read_same_file(a, b);
}

/// Adds the runs of a result to the runs of earlier results.
void add_result(const io::ResultFile& result, std::vector<CountedRun>& runs) {
  std::vector<CountedRun> of_result;
  const std::uint64_t blocks = result.blocks.size();
  if (!add_runs(result, result.record, 0, blocks, of_result)) {
    of_result = {{&result, {}, 0, blocks}};
  }
  for (CountedRun& run : of_result) {
    run.has_checksums = have_checksums(run);
    run.first_frames = first_frames_of(run);
    run.trajectory = runs.size();
    for (const CountedRun& other : runs) {
      if (same_trajectory(run, other)) {
        run.trajectory = other.trajectory;
        break;
      }
    }
    runs.push_back(std::move(run));
  }
}

}  // namespace

std::string CountedRun::recorded(const std::string& name) const {
  return io::value_of(record, name).value_or("");
}

std::string CountedRun::trajectory_path() const {
  return io::value_of(record, "input 1").value_or("the trajectory");
}

std::uint64_t CountedRun::recorded_step() const {
  const std::string by_time = recorded("frame step");
  return std::max<std::uint64_t>(
      1, number_in(by_time.empty() ? recorded("option --step") : by_time));
}

std::vector<std::uint64_t> CountedRun::frame_numbers() const {
  const std::uint64_t step = recorded_step();
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t b = begin; b < end; ++b) {
    const BlockCounts& block = result->blocks[b];
    for (const CountedFrame& frame : block.counted) {
      numbers.push_back(frame.index.get());
    }
    const std::uint64_t last = block.last_frame.get();
    for (std::uint64_t k = block.first_frame.get(); block.counted.empty() && k <= last;
         k += step) {
      numbers.push_back(k);
    }
  }
  return numbers;
}

bool begin_differently(const CountedRun& a, const CountedRun& b) {
  const std::size_t both = std::min(a.first_frames.size(), b.first_frames.size());
  for (std::size_t k = 0; k < both; ++k) {
    const bool known = a.first_frames[k] != 0 && b.first_frames[k] != 0;
    if (known && a.first_frames[k] != b.first_frames[k]) {
      return true;
    }
  }
  return false;
}

std::vector<CountedRun> counted_runs(const io::ResultFile& result) {
  std::vector<CountedRun> runs;
  add_result(result, runs);
  return runs;
}

std::vector<CountedRun> counted_runs(const std::vector<io::ResultFile>& results) {
  std::vector<CountedRun> runs;
  for (const io::ResultFile& result : results) {
    add_result(result, runs);
  }
  return runs;
}

bool read_same_file(const CountedRun& a, const CountedRun& b) {
  const auto same = [&](const std::string& entry) {
    const std::string of_a = a.recorded("input 1" + entry);
    return !of_a.empty() && of_a == b.recorded("input 1" + entry);
  };
  const auto both_have = [&](const std::string& entry) {
    return !a.recorded("input 1" + entry).empty() &&
           !b.recorded("input 1" + entry).empty();
  };
  const std::string modified = " modified (unix time)";  // all that version 0.2 records
  return same(" bytes") && (both_have(sampled_bytes)    ? same(sampled_bytes)
                            : both_have(" first bytes") ? same(" first bytes")
                                                        : same(modified));
}

}  // namespace starhist::driver
