#include "driver/run/frames/frame_selection.hh"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <limits>
#include <optional>
#include <sstream>
#include <string>
#include <utility>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"

namespace starhist::driver {
namespace {

/// Smallest interval between a time and the next larger one; infinite without one. NaNs
/// are skipped. Times that differ by at most a hundredth of the median interval and by
/// at most time_rounding() are equal, such as the last time of a file and the first of
/// the next.
double smallest_interval(const std::vector<double>& times) {
  struct Interval {
    double length;
    double size;  ///< magnitude of its times
  };
  std::vector<Interval> intervals;
  double before = std::numeric_limits<double>::quiet_NaN();
  for (const double time : times) {
    if (!std::isnan(time)) {
      if (time > before) {
        intervals.push_back(
            {time - before, std::max(std::abs(time), std::abs(before))});
      }
      before = time;
    }
  }
  double smallest = std::numeric_limits<double>::infinity();
  if (intervals.empty()) {
    return smallest;
  }
  const auto middle =
      intervals.begin() + static_cast<std::ptrdiff_t>(intervals.size() / 2);
  std::nth_element(
      intervals.begin(), middle, intervals.end(),
      [](const Interval& a, const Interval& b) { return a.length < b.length; });
  const double median = middle->length;
  for (const Interval& interval : intervals) {
    if (interval.length > std::min(time_rounding(interval.size), median / 100)) {
      smallest = std::min(smallest, interval.length);
    }
  }
  return smallest;
}

/// Selects frames by their times, in order.
class TimeFilter {
 public:
  /// `interval`: smallest_interval() of all frames [> 0].
  TimeFilter(const TimeSelection& times, double interval)
      : times_(times), interval_(interval), within_(!times.begin) {}

  /// True if the frame is between begin and end. NaN: its time cannot be read.
  bool is_within(double time) {
    if (!std::isnan(time)) {
      low_ = std::min(low_, time);
      high_ = std::max(high_, time);
      within_ =
          (!times_.begin || time >= *times_.begin - tolerance(time, *times_.begin)) &&
          (!times_.end || time <= *times_.end + tolerance(time, *times_.end));
    }
    return within_;
  }

  /// True if a frame between begin and end is at a multiple of `every`.
  bool is_due(double time) {
    if (!times_.every || std::isnan(time)) {
      return true;
    }
    if (std::isnan(first_)) {
      first_ = time;
    }
    const double passed = time - first_;
    const double multiples = std::round(passed / *times_.every);
    const double beside = std::fma(-multiples, *times_.every, passed);
    const bool due = std::abs(beside) <= tolerance(time, first_);
    const double equal = 2 * tolerance(time, first_);
    all_.add(time, equal);
    if (multiples != multiple_) {
      multiple_ = multiples;
      multiple_has_frame_ = false;
      ++multiples_;
    }
    if (due) {
      taken_.add(time, equal);
      multiples_with_frames_ += multiple_has_frame_ ? 0 : 1;
      multiple_has_frame_ = true;
    }
    return due;
  }

  /// Interval between neighbouring frames between begin and end, if `every` selects no
  /// two frames one `every` apart but skips others; empty if the selection is sound.
  std::optional<double> missed_interval() const {
    if (!times_.every || all_.frames < 2 || taken_.frames == all_.frames) {
      return std::nullopt;
    }
    const double most = *times_.every + tolerance(all_.last, *times_.every);
    const bool beyond = taken_.frames > 1 ? taken_.interval > most
                                          : all_.last - first_ >= *times_.every;
    return beyond ? std::optional(all_.interval) : std::nullopt;
  }

  /// True if multiples of `every` next to frames have no frame: any, if the frames are
  /// at regular intervals, otherwise most.
  bool misses_multiples() const {
    constexpr double regular = 1.1;
    // The last multiple may be after the last frame.
    const std::uint64_t due =
        multiples_ == 0 || multiple_has_frame_ ? multiples_ : multiples_ - 1;
    return all_.longest <= regular * all_.interval
               ? multiples_with_frames_ < due
               : 2 * multiples_with_frames_ < multiples_;
  }
  /// Smallest interval between neighbouring frames between begin and end.
  double interval() const { return all_.interval; }
  /// "3 of the 7 multiples that are next to frames"
  std::string hits() const {
    return std::to_string(multiples_with_frames_) + " of the " +
           std::to_string(multiples_) + " multiples near frames";
  }

  bool has_read_times() const { return low_ <= high_; }
  bool has_times() const { return has_read_times() && (low_ != 0.0 || high_ != 0.0); }
  std::string range() const { return number_text(low_) + " to " + number_text(high_); }

 private:
  /// Largest difference of equal times of magnitudes `a` and `b` (select_by_time()).
  double tolerance(double a, double b) const {
    const double size = std::max(std::abs(a), std::abs(b));
    return std::max(std::min(time_rounding(size), interval_ / 100),
                    std::min(0x1p-51 * size, interval_ / 3));
  }

  /// The times of successive frames.
  struct Sequence {
    std::uint64_t frames = 0;
    double last = 0.0;  ///< last time
    /// Smallest interval between a time and the next larger one.
    double interval = std::numeric_limits<double>::infinity();
    double longest = 0.0;  ///< the largest such interval

    /// `equal`: largest difference of equal times.
    void add(double time, double equal) {
      if (frames > 0 && time - last > equal) {
        interval = std::min(interval, time - last);
        longest = std::max(longest, time - last);
      }
      ++frames;
      last = time;
    }
  };

  const TimeSelection times_;
  const double interval_;
  Sequence all_;    ///< frames between begin and end
  Sequence taken_;  ///< selected frames
  /// Multiple of `every` next to the last frame of all_; NaN before the first.
  double multiple_ = std::numeric_limits<double>::quiet_NaN();
  bool multiple_has_frame_ = false;          ///< a frame at multiple_ was selected
  std::uint64_t multiples_ = 0;              ///< multiples next to successive frames
  std::uint64_t multiples_with_frames_ = 0;  ///< number of these with a frame
  double low_ = std::numeric_limits<double>::infinity();
  double high_ = -std::numeric_limits<double>::infinity();
  /// State after the last frame with a readable time.
  bool within_;
  /// Time of the first selected frame; NaN: none yet.
  double first_ = std::numeric_limits<double>::quiet_NaN();
};

/// Frame::time; NaN if it cannot be read.
double time_of(io::TrajectoryReader& reader, std::uint64_t index, Frame& scratch) {
  try {
    return reader.read_moment(FrameIndex(index), scratch).time;
  } catch (const InputError&) {
    return std::numeric_limits<double>::quiet_NaN();
  }
}

/// "--begin 5, --end 7"
std::string as_given(const TimeSelection& times) {
  std::vector<std::string> words;
  for (const auto& [name, value] :
       {std::pair{"--begin ", times.begin}, std::pair{"--end ", times.end},
        std::pair{"--every ", times.every}}) {
    if (value) {
      words.push_back(name + number_text(*value));
    }
  }
  return join(words, ", ");
}

/// Four digits, because differences of times in single precision have rounding errors
/// in the others.
std::string short_text(double time) {
  std::ostringstream text;
  text << std::setprecision(4) << time;
  return text.str();
}

[[noreturn]] void refuse(const TimeSelection& times, const TimeFilter& filter,
                         const io::TrajectoryInfo& info) {
  if (!filter.has_times()) {
    throw InputError(
        join(info.paths, ", ") + ": has no times (or all are 0), so " +
        as_given(times) +
        " cannot be used: give --first, --last and --step, which count frames");
  }
  throw InputError("no frames are selected (" + as_given(times) + "; the times are " +
                   filter.range() + unit_suffix(info.time_unit) + ")");
}

}  // namespace

std::uint64_t FrameSelection::count(std::uint64_t frame_count) const {
  const std::uint64_t all = among ? among->size() : frame_count;
  const std::uint64_t end = last && *last < all ? *last + 1 : all;
  if (first >= end) {
    throw InputError("no frames are selected (--first " + std::to_string(first) +
                     (last ? ", --last " + std::to_string(*last) : "") +
                     "; there are " + std::to_string(all) + ", counted from 0)");
  }
  return (end - first - 1) / step + 1;
}

std::uint64_t FrameSelection::index(std::uint64_t number) const {
  const std::uint64_t place = first + number * step;
  if (!among) {
    return place;
  }
  return place < among->size() ? (*among)[place] : among->back() + 1;
}

std::uint64_t FrameSelection::number_of(std::uint64_t index) const {
  std::uint64_t place = index;
  bool there = true;
  if (among) {
    const auto found = std::lower_bound(among->begin(), among->end(), index);
    there = found != among->end() && *found == index;
    place = static_cast<std::uint64_t>(found - among->begin());
  }
  if (!there || place < first || (place - first) % step != 0) {
    throw InputError("frame " + std::to_string(index) + " is not selected");
  }
  return (place - first) / step;
}

FrameSelection part_of(const FrameSelection& frames, const SelectionPart& part,
                       std::uint64_t frame_count, std::uint32_t frames_per_block) {
  if (part.count == 1) {
    return frames;
  }
  const std::uint64_t blocks = (frames.count(frame_count) - 1) / frames_per_block + 1;
  if (part.count > blocks) {
    throw InputError(
        "--part " + std::to_string(part.number) + "/" + std::to_string(part.count) +
        ": the frames make only " + counted(blocks, "block") + " of " +
        counted(frames_per_block, "frame") + " (use fewer parts or a smaller --block)");
  }
  // Number of blocks before a part, without a product that could overflow.
  const auto blocks_before = [&](std::uint64_t k) {
    return blocks / part.count * k + std::min(k, blocks % part.count);
  };
  FrameSelection result = frames;
  const std::uint64_t frames_before = blocks_before(part.number - 1) * frames_per_block;
  result.first = frames.first + frames_before * frames.step;
  if (part.number < part.count) {
    const std::uint64_t end = blocks_before(part.number) * frames_per_block;
    result.last = frames.first + (end - 1) * frames.step;
  }
  return result;
}

FrameSelection select_by_time(const FrameSelection& frames, const TimeSelection& times,
                              io::TrajectoryReader& reader) {
  if (!times.any()) {
    return frames;
  }
  const std::uint64_t count = reader.info().frame_count;
  FrameSelection in_file = frames;
  in_file.step = 1;
  const std::uint64_t end = frames.first + in_file.count(count);
  Frame scratch;
  std::vector<double> all;
  for (std::uint64_t k = frames.first; k < end; ++k) {
    all.push_back(time_of(reader, k, scratch));
  }
  TimeFilter filter(times, smallest_interval(all));
  auto among = std::make_shared<std::vector<std::uint64_t>>();
  bool ends_within = false;
  for (std::uint64_t k = frames.first; k < end; ++k) {
    const double time = all[k - frames.first];
    ends_within = filter.is_within(time);
    if (ends_within && filter.is_due(time)) {
      among->push_back(k);
    }
  }
  if (!filter.has_read_times()) {
    reader.read(FrameIndex(frames.first), scratch);  // throws the reader's error
  }
  if (among->empty() || !filter.has_times()) {
    refuse(times, filter, reader.info());
  }
  if (const auto interval = filter.missed_interval()) {
    const std::string& unit = reader.info().time_unit;
    throw InputError("--every " + number_text(*times.every) +
                     ": no two frames are exactly that far apart (the frames are " +
                     short_text(*interval) + unit_suffix(unit) +
                     " apart: use a multiple of that, or --step, which counts frames)");
  }
  if (filter.misses_multiples()) {
    throw InputError(
        "--every " + number_text(*times.every) + ": frames exist at only " +
        filter.hits() + " (intervals are " + short_text(filter.interval()) +
        " or more: give --every with more digits, use --step, which counts "
        "frames, or select a part with --begin and --end)");
  }
  FrameSelection selected;
  selected.step = frames.step;
  if (end < count || !ends_within) {
    selected.last = among->size() - 1;  // frames after it are not requested
  }
  selected.among = std::move(among);
  return selected;
}

std::optional<std::uint64_t> stride(const FrameSelection& frames) {
  if (!frames.among) {
    return frames.step;
  }
  std::optional<std::uint64_t> stride;
  for (std::uint64_t k = frames.first; k + frames.step < frames.among->size();
       k += frames.step) {
    const std::uint64_t here = (*frames.among)[k + frames.step] - (*frames.among)[k];
    if (stride && *stride != here) {
      return std::nullopt;
    }
    stride = here;
  }
  return stride.value_or(1);
}

}  // namespace starhist::driver
