#include "driver/run/resume_point.hh"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "codelets/core/base/divide_up.hh"
#include "codelets/core/base/error.hh"
#include "codelets/core/base/known_words.hh"
#include "codelets/core/counting/bin_position.hh"
#include "codelets/core/counting/layout_text.hh"
#include "codelets/core/geometry/region.hh"
#include "driver/run/provenance.hh"
#include "io/output/checkpoint.hh"
#include "io/particles/element_of_species.hh"
#include "io/result/result_reader.hh"

namespace starhist::driver {
namespace {

/// 0 if the number is missing.
std::uint64_t number(const io::RunRecord& record, const std::string& name) {
  const std::string text = io::value_of(record, name).value_or("");
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

[[noreturn]] void refuse(const std::string& partial, const std::string& what) {
  throw InputError(
      partial + " cannot be resumed: " + what +
      " (use the files and options of the earlier run, choose another -o, or replace "
      "the file with --force)");
}

/// True for options that may differ between runs because they change no counts.
bool may_change(const std::string& option) {
  static constexpr const char* options[] = {
      "--output",     "--force",   "--resume",   "--checkpoint", "--quiet",
      "--json",       "--trace",   "--clusters", "--tiles",      "--memory",
      "--cpu-mode",   "--variant", "--explain",  "--last",       "--skip-bad-frames",
      "--task-pairs", "--end",     "--labels",   "--verbose"};
  return std::any_of(std::begin(options), std::end(options), [&](const char* name) {
    return option == std::string("option ") + name;
  });
}

void check_options(const std::string& partial, const io::RunRecord& before,
                   const io::RunRecord& now) {
  const std::string option = "option ";
  const auto is_compared = [&](const std::string& name) {
    return (name.starts_with(option) && !may_change(name)) ||
           name.starts_with(file_entry) || name == part_entry ||
           name == first_box_entry ||
           // otherwise it is the earlier run's
           (name == frames_per_block_entry && io::value_of(now, "option --blocks"));
  };
  for (const auto* record : {&before, &now}) {
    for (const auto& [name, value] : *record) {
      if (is_compared(name) && io::value_of(before, name) != io::value_of(now, name)) {
        const auto text = [](const std::optional<std::string>& given) {
          return given ? "'" + *given + "'" : std::string("not given");
        };
        refuse(partial, (name.starts_with(option) ? name.substr(option.size()) : name) +
                            " was " + text(io::value_of(before, name)) + " and is " +
                            text(io::value_of(now, name)) + " now");
      }
    }
  }
}

/// Change of a trajectory's files, found without reading frames.
enum class FileChange { none, grown, other };

FileChange change_of_files(const std::string& partial, const io::RunRecord& before,
                           const io::RunRecord& now) {
  FileChange change = FileChange::none;
  for (std::size_t k = 1;; ++k) {
    const std::string name = "input " + std::to_string(k);
    const bool is_there = io::value_of(now, name).has_value();
    if (is_there != io::value_of(before, name).has_value()) {
      refuse(partial, "the number of trajectory files has changed");
    }
    if (!is_there) {
      return change;
    }
    const bool last = !io::value_of(now, "input " + std::to_string(k + 1));
    const auto same = [&](const std::string& entry) {
      return io::value_of(before, name + entry) == io::value_of(now, name + entry);
    };
    if (last && number(now, name + " bytes") > number(before, name + " bytes")) {
      change = std::max(change, FileChange::grown);
    } else if (!same(" bytes") || !same(" modified (unix time)") ||
               !same(" first bytes")) {
      change = FileChange::other;
    }
  }
}

/// The frames of a block and their boxes, as far as the result holds them.
struct CountedBlock {
  explicit CountedBlock(BlockCounts&& block)
      : box(block.box), volume(block.volume), frames(std::move(block.counted)) {}

  std::optional<Box> box;  ///< of all frames; empty if it changes or has no volume
  double volume;           ///< sum over the frames
  std::vector<CountedFrame> frames;
};

/// Throws InputError if a counted frame has changed since. `record`: of the earlier
/// run.
void check_frames(const std::string& partial, const std::vector<CountedBlock>& blocks,
                  const Region& region, FileChange change, const FrameLookup& lookup,
                  const io::RunRecord& record) {
  // Blocks of coordination contain neither boxes nor volumes.
  const bool hold_boxes =
      !io::value_of(record, first_box_entry) ||
      std::any_of(blocks.begin(), blocks.end(),
                  [](const CountedBlock& block) { return block.volume > 0.0; });
  std::vector<std::pair<const CountedBlock*, CountedFrame>> counted;
  for (const CountedBlock& block : blocks) {
    for (const CountedFrame& frame : block.frames) {
      counted.emplace_back(&block, frame);
    }
  }
  const auto refuse_frame = [&](FrameIndex index, const std::string& what) {
    refuse(partial, "the trajectory has changed: frame " + std::to_string(index.get()) +
                        ", which was counted, has " + what);
  };
  // A few frames suffice for unchanged files.
  constexpr std::size_t looks = 2;
  constexpr std::size_t most_of_grown = 100;
  const std::size_t last = change == FileChange::none    ? looks
                           : change == FileChange::grown ? most_of_grown
                                                         : counted.size();
  const std::size_t rest = counted.size() - std::min(last, counted.size());
  const std::size_t stride =
      change == FileChange::none ? rest : divide_up(rest, most_of_grown);
  for (std::size_t k = 0; k < counted.size();
       k += k < rest ? std::min(std::max<std::size_t>(stride, 1), rest - k) : 1) {
    const auto& [block, before] = counted[k];
    if (before.checksum == 0) {
      refuse(partial, "an older version of starhist counted its frames");
    }
    const std::optional<Frame> now = lookup(before.index);
    if (!now || now->checksum != before.checksum) {
      refuse_frame(before.index,
                   "different positions or a different time, or cannot be read");
    }
    const bool had_volume = block->volume > 0.0;
    const bool has_volume = region_volume(region, now->box) > 0.0;
    if (hold_boxes && (had_volume != has_volume ||
                       (block->box && now->box.edges() != block->box->edges()))) {
      refuse_frame(before.index, "a different box");
    }
  }
  const bool sums_volumes = change != FileChange::none && !counted.empty() &&
                            counted.back().first->volume > 0.0 &&
                            !counted.back().first->box;
  if (sums_volumes) {
    const CountedBlock& block = *counted.back().first;
    double volume = 0.0;  // in the order of add_frame()
    for (const CountedFrame& frame : block.frames) {
      const std::optional<Frame> now = lookup(frame.index);
      volume += now ? region_volume(region, now->box) : 0.0;
    }
    if (volume != block.volume) {
      refuse_frame(block.frames.back().index,
                   "a different box, or another frame of its block has");
    }
  }
}

/// Throws InputError unless the finished result has the currently selected frames.
void check_all_counted(const std::string& output, std::uint64_t before,
                       std::uint64_t now) {
  if (before != now) {
    throw InputError(
        output + " is finished with " + std::to_string(before) + " frames, and " +
        std::to_string(now) +
        " are selected now (count the new ones with --first or --begin into a separate "
        "result and combine them with starhist merge, or recount all with --force)");
  }
}

void check_layout(const std::string& partial, const HistogramLayout& before,
                  const HistogramLayout& now) {
  if (before.species != now.species || before.pairs != now.pairs) {
    refuse(partial, "it has the pairs " + listed(pair_names(before)) +
                        ", this run has " + listed(pair_names(now)));
  }
  if (!(before.bins == now.bins)) {
    refuse(partial, "it has " + bins_text(before.bins) + ", this run has " +
                        bins_text(now.bins));
  }
  if (before.plane != now.plane) {
    refuse(partial, "it has " + plane_text(before.plane) + ", this run has " +
                        plane_text(now.plane));
  }
  if (before.second != now.second) {
    refuse(partial, "it has " + second_axis_text(before.second) + ", this run has " +
                        second_axis_text(now.second));
  }
  if (!(before.region == now.region)) {
    refuse(partial, "it has " + region_text(before.region) + ", this run has " +
                        region_text(now.region));
  }
  if (before.exclusion != now.exclusion || before.length_unit != now.length_unit ||
      before.time_unit != now.time_unit) {
    refuse(partial, "its units or exclusions differ");
  }
  for (std::size_t s = 0; s < before.elements.size(); ++s) {  // not in older results
    const std::string& element = before.elements[s].element;
    const std::string now_element = io::element_of(now, s).element;
    if (element != now_element) {
      refuse(partial, "the element of " + before.species[s] + " was '" + element +
                          "' and is '" + now_element + "' now");
    }
  }
}

void check_edges(const std::string& partial, double shift_before) {
  if (shift_before != edge_shift) {
    throw InputError(
        partial +
        " cannot be resumed: it was counted by an older version, which assigned "
        "distances up to a billionth of a bin below an edge to the lower bin (finish "
        "it with that version, or recount all frames with --force)");
  }
}

}  // namespace

std::uint32_t resumed_block_length(const std::string& output, bool overwrite) {
  std::error_code ignored;
  const bool partial = std::filesystem::exists(output + ".partial", ignored);
  if (!partial && (overwrite || !std::filesystem::exists(output, ignored))) {
    return 0;
  }
  io::RunRecord record;
  try {
    record = io::read_run_record(partial ? output + ".partial" : output);
  } catch (const InputError&) {
    return 0;  // find_resume_point() reports it
  }
  std::uint64_t length = 0;
  for (const char* entry : {"option --block", frames_per_block_entry}) {
    if (const std::uint64_t recorded = number(record, entry); recorded > 0) {
      length = recorded;
    }
  }
  return static_cast<std::uint32_t>(
      std::min<std::uint64_t>(length, std::numeric_limits<std::uint32_t>::max()));
}

std::optional<ResumePoint> find_resume_point(
    const std::string& output, const HistogramLayout& layout,
    const FrameSelection& frames, std::uint32_t frames_per_block,
    const io::RunRecord& now, const FrameLookup& lookup, const EarlierReader& read) {
  std::error_code ignored;
  const bool finished = !std::filesystem::exists(output + ".partial", ignored);
  const std::string partial = finished ? output : output + ".partial";
  if (!std::filesystem::exists(partial, ignored)) {
    return std::nullopt;
  }
  ResumePoint point;
  point.finished = finished;
  std::vector<CountedBlock> blocks_before;
  std::uint64_t counted = 0;              // number of frames in the blocks
  std::uint64_t last_frames = 0;          // number of frames in the last one
  std::vector<std::uint64_t> last_empty;  // BlockCounts::empty_frames of the last one
  FrameIndex last_frame;
  const auto add = [&](BlockCounts&& block) {
    ++point.blocks;
    last_frames = block.frames;
    counted += block.frames;
    last_frame = block.last_frame;
    point.inscribed_radius = std::min(point.inscribed_radius, block.inscribed_radius);
    point.boxes_change =
        point.boxes_change ||
        (layout.region.shape == Region::Shape::box && block.volume > 0.0 && !block.box);
    last_empty = std::move(block.empty_frames);
    point.empty_frames.resize(last_empty.size());
    std::transform(last_empty.begin(), last_empty.end(), point.empty_frames.begin(),
                   point.empty_frames.begin(), std::plus<>());
    blocks_before.emplace_back(std::move(block));
  };
  const io::ResultFile before =
      read ? read(partial, layout, add) : io::read_result_blocks(partial, add);
  const std::optional<std::string> id = io::value_of(before.record, io::result_id);
  if (!id) {
    refuse(partial,
           "it was written by a version of starhist that could not resume runs");
  }
  check_layout(partial, before.layout, layout);
  check_edges(partial, before.edge_shift);
  check_options(partial, before.record, now);
  const FileChange change = change_of_files(partial, before.record, now);
  point.record = before.record;
  if (point.blocks > 0) {
    const std::uint64_t last = frames.number_of(last_frame.get());
    const std::uint64_t end = (last / frames_per_block + 1) * frames_per_block;
    point.next_number = end;
    const std::uint64_t selected = number(before.record, "frames selected");
    if (end > selected && selected == number(now, "frames selected")) {
      point.next_number = selected;
    } else if (end > selected) {
      // The trajectory ended within this block, and has grown since.
      --point.blocks;
      counted -= last_frames;
      for (std::size_t s = 0; s < last_empty.size(); ++s) {
        point.empty_frames[s] -= last_empty[s];
      }
      point.next_number = end - frames_per_block;
    }
  }
  if (finished) {
    check_frames(partial, blocks_before, layout.region, change, lookup, before.record);
    check_all_counted(output, number(before.record, "frames selected"),
                      number(now, "frames selected"));
    point.frames = counted;
    return point;
  }
  if (std::optional<io::Checkpoint> checkpoint = io::read_checkpoint(output, *id);
      checkpoint && checkpoint->blocks_before == point.blocks &&
      checkpoint->next_number > point.next_number) {
    point.begun = std::move(checkpoint->block);
    point.next_number = checkpoint->next_number;
    counted += point.begun->frames;
    blocks_before.emplace_back(BlockCounts(*point.begun));
  }
  const std::uint64_t selected = number(now, "frames selected");  // 0: a stream
  if (selected > 0 && point.next_number > selected) {
    refuse(partial, "it has " + std::to_string(point.next_number) +
                        " frames, of which this run selects " +
                        std::to_string(selected));
  }
  check_frames(partial, blocks_before, layout.region, change, lookup, before.record);
  point.frames = counted;
  return point;
}

}  // namespace starhist::driver
