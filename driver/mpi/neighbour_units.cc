#include "driver/mpi/neighbour_units.hh"

#include <chrono>
#include <deque>
#include <map>
#include <utility>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/seconds_since.hh"
#include "driver/ranks/packed_block.hh"

namespace starhist::driver {

template <class Archive>
void fields(Archive& archive, io::FrameNeighbours& frames) {
  auto& [centres, neighbours] = frames;
  archive(centres, neighbours);
}

template <class Archive>
void fields(Archive& archive, CoordinationBlock& block) {
  auto& [number, counted, counts, times, frames, particles] = block;
  archive(number, counted, counts, times, frames, particles);
}

namespace {

using std::chrono::milliseconds;

/// Counts the units of one rank. Frames of several units may be counted together.
class NeighbourUnits {
 public:
  NeighbourUnits(const NeighbourRun& run, RankLink& link)
      : run_(run),
        link_(link),
        counter_(*run.run, *run.spec,
                 [this](CoordinationBlock&& block, const std::vector<FileOrder>&) {
                   blocks_.emplace(block.number, std::move(block));
                 }) {
    counter_.follow(*run.first);
  }

  RankWork count() {
    const auto start = std::chrono::steady_clock::now();
    while (count_batch()) {
    }
    work_.result.count_seconds = seconds_since(start);
    return std::move(work_);
  }

 private:
  /// Returns false after the last unit.
  bool count_batch() {
    if (run_.stop.stop_requested() && !std::exchange(told_, true)) {
      link_.send(StopRequest{run_.signal()});
    }
    const auto start = std::chrono::steady_clock::now();
    const bool idle = units_.empty();
    receive(milliseconds(idle ? 1 : 0));
    work_.waited_for_work += idle ? seconds_since(start) : 0.0;
    if (stopped_ || units_.empty()) {
      return !stopped_ && !no_more_;
    }
    const std::uint64_t first = units_.front().number;
    std::uint64_t bad = first;  // unit of `problem`
    std::string problem;
    try {
      read_frames();
    } catch (const InputError& error) {  // the frames before it are counted first
      problem = error.what();
      bad = units_.front().number;
    }
    try {
      counter_.count([this](Frame&& frame) { run_.frames->recycle(std::move(frame)); });
      send_read_units();
    } catch (const InputError& error) {
      problem = error.what();
      bad = first;
    }
    if (!problem.empty()) {
      link_.send(BadFrame{bad, problem});
      units_.clear();
      reported_ = true;
      no_more_ = true;
    }
    return true;
  }

  void receive(milliseconds time) {
    while (std::optional<ToRank> message = link_.receive(time)) {
      time = milliseconds(0);
      if (const auto* unit = std::get_if<WorkUnit>(&*message); unit && !reported_) {
        run_.frames->append(unit->begin, unit->end);
        units_.push_back(*unit);
        if (units_.size() == 1) {
          begin_unit();
        }
      }
      no_more_ = no_more_ || std::holds_alternative<NoMoreUnits>(*message);
      stopped_ = stopped_ || std::holds_alternative<StopNow>(*message);
    }
  }

  void begin_unit() {
    current_ = UnitCounts();
    current_.unit = units_.front();
    current_.end = current_.unit.begin;
    frames_in_unit_ = 0;
  }

  /// Reads frames for a batch. Moves units that have been read to read_.
  void read_frames() {
    while (!units_.empty() && !counter_.is_full()) {
      read_frame();
      if (current_.end == current_.unit.end) {
        read_.push_back(std::move(current_));
        units_.pop_front();
        if (!units_.empty()) {
          begin_unit();
        }
      }
    }
  }

  void read_frame() {
    std::optional<Frame> frame;
    try {
      frame = run_.frames->next();
    } catch (const InputError& error) {
      if (run_.run->spec().bad_frames == BadFrames::fail) {
        throw;
      }
      current_.left_out.push_back({current_.end++, error.what()});
      run_.frames->leave_out();
      return;
    }
    counter_.add(*std::move(frame));
    ++current_.end;
    ++frames_in_unit_;
  }

  /// Sends the units in read_, whose frames are counted.
  void send_read_units() {
    if (units_.empty() ||
        frames_in_unit_ == 0) {  // otherwise these have ended the block
      counter_.finish_block();
    }
    for (UnitCounts& counts : read_) {
      const auto block =
          blocks_.find(counts.unit.begin / run_.run->spec().counting.frames_per_block);
      if (block != blocks_.end()) {
        work_.result.frames += block->second.block.frames;
        counts.block = packed_block(std::move(block->second));
        blocks_.erase(block);
      }
      ++work_.units;
      link_.send(std::move(counts));
    }
    read_.clear();
  }

  const NeighbourRun& run_;
  RankLink& link_;
  RankWork work_;
  std::deque<WorkUnit> units_;        // in hand; the first one is being read
  UnitCounts current_;                // of the first unit
  std::uint64_t frames_in_unit_ = 0;  // of the first unit
  std::deque<UnitCounts> read_;       // their frames are being counted
  std::map<std::uint64_t, CoordinationBlock> blocks_;  // counted, by number
  bool no_more_ = false;
  bool stopped_ = false;
  bool told_ = false;
  bool reported_ = false;  // true after an unusable frame
  NeighbourCounter counter_;
};

}  // namespace

RankWork count_neighbour_units(const NeighbourRun& run, RankLink& link) {
  return NeighbourUnits(run, link).count();
}

CoordinationBlock unpacked_neighbours(const std::vector<char>& bytes) {
  return unpacked_block<CoordinationBlock>(bytes);
}

}  // namespace starhist::driver
