#include "io/trajectory/joined_trajectory.hh"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <limits>
#include <utility>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/known_words.hh"
#include "codelets/core/base/text.hh"
#include "codelets/core/base/units.hh"
#include "io/files/file_identity.hh"
#include "io/particles/element_of_species.hh"
#include "io/particles/species_order.hh"
#include "io/text/text_index.hh"
#include "io/trajectory/source_defaults.hh"

namespace starhist::io {
namespace {

void check_same_unit(const char* kind, const std::string& path, const std::string& unit,
                     const std::string& first_path, const std::string& first_unit) {
  if (unit != first_unit) {
    const auto quoted = [](const std::string& name) {
      return name.empty() ? "no unit" : "\"" + name + "\"";
    };
    throw InputError(
        path + ": has " + kind + " in " + quoted(unit) + ", but " + first_path +
        " in " + quoted(first_unit) + " (files of one trajectory must agree" +
        (unit.empty() || first_unit.empty()
             ? std::string("; ") +
                   (std::string(kind) == "lengths" ? "--unit" : "--time-unit") +
                   " is for files without a unit)"
             : ")"));
  }
}

/// Throws InputError if only one of the file and its structure has reduced units,
/// because they cannot belong to the same run. Differences between other units are
/// allowed, because programs convert them.
void check_structure_units(const std::string& path, const std::string& unit,
                           const Structure& structure) {
  const std::string& other = structure.length_unit;
  if (unit.empty() || other.empty() || unit == other ||
      (angstroms_per(unit) && angstroms_per(other))) {
    return;
  }
  throw InputError(path + ": has lengths in " + unit + ", but the structure " +
                   structure.path + " is from a run in " + other +
                   " (give the one of the same simulation; LAMMPS' text dumps and DCD "
                   "keep the units of a run, XTC does not)");
}

/// Returns a fingerprint of the file's content: its size and sampled bytes; "" if it
/// cannot be read.
std::string bytes_of(const std::string& path) {
  std::error_code failure;
  const auto size = std::filesystem::file_size(path, failure);
  return failure ? "" : std::to_string(size) + " " + sampled_bytes_text(path);
}

/// Particle ids of a frame, sorted; empty if the file does not have any.
std::vector<std::int64_t> ids_of(TrajectoryReader& reader, std::uint64_t index) {
  Frame frame;
  reader.read(FrameIndex(index), frame);
  std::vector<std::int64_t> ids;
  for (const FileOrder& order : frame.order) {
    ids.insert(ids.end(), order.id.begin(), order.id.end());
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}

/// Adds messages about one file, at most a few and the number of the others.
void add_few(const std::string& path, const std::vector<std::string>& messages,
             std::vector<std::string>& all) {
  constexpr std::size_t most = 3;
  const std::size_t shown = std::min(most, messages.size());
  all.insert(all.end(), messages.begin(),
             messages.begin() + static_cast<std::ptrdiff_t>(shown));
  if (messages.size() > most) {
    all.push_back(path + ": " + grouped(messages.size() - most) +
                  " more of its parts cause such messages");
  }
}

}  // namespace

JoinedTrajectory::JoinedTrajectory(const std::vector<std::string>& paths, OpenFile open,
                                   const Units& units, RepeatedFrames repeated,
                                   SharedStructure structure, OpenFile open_with_order)
    : open_(std::move(open)),
      open_with_order_(std::move(open_with_order)),
      repeated_(repeated),
      structure_(std::move(structure)),
      several_(paths.size() > 1) {
  if (paths.empty()) {
    throw InputError("no trajectory given");
  }
  for (const std::string& path : paths) {
    add(path, units);
  }
  if (info_.species.empty()) {
    info_.species = {std::string(any_species)};  // all frames are empty
  }
  for (Part& part : parts_) {
    for (const std::string& name : part.species) {
      const auto found = std::find(info_.species.begin(), info_.species.end(), name);
      part.position.push_back(static_cast<std::size_t>(found - info_.species.begin()));
    }
  }
  if (several_) {
    current_.reset();
    current_path_.clear();
  }
}

JoinedTrajectory::Units JoinedTrajectory::units_of(const std::string& path,
                                                   const Units& given) const {
  const Units own{current_->info().length_unit, current_->info().time_unit};
  if (structure_) {
    check_structure_units(path, own.length, *structure_);
  }
  const bool structure_says_length = own.length.empty() && structure_;
  const bool structure_says_time = own.time.empty() && structure_;
  return {
      structure_says_length
          ? settled_length_unit(structure_->path, structure_->length_unit, given.length)
          : settled_length_unit(path, own.length, given.length),
      structure_says_time
          ? settled_time_unit(structure_->path, structure_->time_unit, given.time)
          : settled_time_unit(path, own.time, given.time)};
}

void JoinedTrajectory::add(const std::string& path, const Units& units) {
  current_ = open_(path);
  current_path_ = path;
  const TrajectoryInfo& file = current_->info();
  const Units own = units_of(path, units);
  if (parts_.empty()) {
    info_ = file;
    info_.paths.clear();
    info_.from = {};
    info_.truncation.clear();
    info_.external_files.clear();
    info_.frame_count = 0;
    info_.length_unit = own.length;
    info_.time_unit = own.time;
  }
  const std::string first = parts_.empty() ? path : parts_.front().path;
  check_same_unit("lengths", path, own.length, first, info_.length_unit);
  check_same_unit("times", path, own.time, first, info_.time_unit);
  check_whole_frames(path, 0);
  check_same_particles(file.particles, path, info_.particles, first);
  add_parts(path);
  info_.paths.push_back(path);
  add_read_from(complete_read_from(file, structure_.get(), own.length), info_.from);
  passes_on_ = passes_on_ || current_->passes_on();
  info_.lists_moments = info_.lists_moments && file.lists_moments;
  info_.sequential_only = info_.sequential_only || file.sequential_only;
  info_.has_alternate_locations =
      info_.has_alternate_locations || file.has_alternate_locations;
  info_.decompresses = info_.decompresses || file.decompresses;
  info_.truncation.insert(info_.truncation.end(), file.truncation.begin(),
                          file.truncation.end());
  info_.external_files.insert(info_.external_files.end(), file.external_files.begin(),
                              file.external_files.end());
  info_.species.insert(info_.species.end(), file.species.begin(), file.species.end());
  sort_species(info_.species);
  info_.elements.clear();
  for (std::size_t s = 0; s < file.species.size(); ++s) {
    const SpeciesElement element =
        file.elements.empty() ? SpeciesElement() : file.elements[s];
    const auto [known, is_new] = elements_.emplace(file.species[s], element);
    known->second = united({known->second, element});
  }
  for (const std::string& name : info_.species) {
    info_.elements.push_back(elements_[name]);
  }
}

void JoinedTrajectory::add_parts(const std::string& path) {
  const TrajectoryInfo& file = current_->info();
  std::vector<std::uint64_t> begins{0};
  TrajectoryInfo messages;
  if (repeated_ != RepeatedFrames::keep) {
    const TimeOrder order(*current_);
    begins.insert(begins.end(), order.begins().begin(), order.begins().end());
    if (order.unordered() > 0) {
      messages.remarks.push_back(unordered_text(path, order));
    }
  }
  for (std::size_t k = 0; k < begins.size(); ++k) {
    Part part{path, info_.frame_count, begins[k], file.species};
    part.frames =
        (k + 1 < begins.size() ? begins[k + 1] : file.frame_count) - begins[k];
    const PartFrames range = range_of(*current_, part);
    if (k > 0) {
      check_whole_frames(path, part.begin);
    }
    const bool compared = several_ || begins.size() > 1;
    if (compared) {
      part.first = first_moment(range);
      check_same_system(part);
    }
    if (compared && repeated_ != RepeatedFrames::keep) {
      part.last = last_moment(range);
      set_clock(part);
      part.left_out = repeated_at_begin(part, messages);
    }
    info_.frame_count += part.frames - part.left_out;
    parts_.push_back(std::move(part));
  }
  add_few(path, messages.remarks, info_.remarks);
  add_few(path, messages.truncation, info_.truncation);
}

std::string JoinedTrajectory::unordered_text(const std::string& path,
                                             const TimeOrder& order) const {
  std::string text =
      path + ": " + grouped(order.unordered()) + " of its " +
      grouped(current_->info().frame_count) +
      " frames are not later than the frame before, so it is taken as a set of frames "
      "in any order, which all count";
  if (order.repeated() == 0) {
    return text;
  }
  const std::string repeated =
      text + "; " + grouped(order.repeated()) + " have step and time of an earlier one";
  if (repeated_ == RepeatedFrames::fail) {
    throw InputError(repeated + ", and --repeated is fail");
  }
  return repeated +
         " (if these are the same frames, they count twice: write each once)";
}

std::string JoinedTrajectory::Part::name() const {
  return begin == 0 ? path : path + " from frame " + std::to_string(begin) + " on";
}

void JoinedTrajectory::check_same_system(const Part& next) const {
  if (parts_.empty() || !next.first || !parts_.front().first) {
    return;
  }
  const Part& front = parts_.front();
  const bool both_have_particles =
      next.first->particles > 0 && front.first->particles > 0;
  if (both_have_particles && next.species != front.species &&
      next.first->particles != front.first->particles) {
    const auto shown = [](const Part& part) {
      return std::to_string(part.first->particles) + " particles (" +
             (part.species.empty() ? "no species" : listed(part.species)) + ")";
    };
    throw InputError(next.path + ": is of another system than " + front.path +
                     ": its first frame has " + shown(next) + ", instead of " +
                     shown(front) + "; count each file separately");
  }
}

void JoinedTrajectory::check_whole_frames(const std::string& path,
                                          std::uint64_t begin) {
  if (parts_.empty() || !parts_.front().first || !open_with_order_ ||
      repeated_ == RepeatedFrames::keep) {
    return;
  }
  const Moment& first = *parts_.front().first;
  const auto next = PartFrames{*current_, begin, 1, Clock::recorded}.moment(0);
  if (!next || next->step != first.step || !same_time(*next, first) ||
      first.box != next->box) {
    return;
  }
  const std::string& front = parts_.front().path;
  const std::vector<std::int64_t> ids = ids_of(*open_with_order_(path), begin);
  const std::vector<std::int64_t> others = ids_of(*open_with_order_(front), 0);
  std::vector<std::int64_t> common;
  std::set_intersection(ids.begin(), ids.end(), others.begin(), others.end(),
                        std::back_inserter(common));
  if (!ids.empty() && !others.empty() && common.empty()) {
    throw InputError(
        path + ": frame " + std::to_string(begin) + " (" +
        moment_text(*next, info_.time_unit) + ") has other particles than frame 0 of " +
        front +
        ", so both are parts of one frame (LAMMPS writes a part per file for a name "
        "with %: write one file, or join the atoms of each frame first; --repeated "
        "keep "
        "counts the parts as frames)");
  }
}

JoinedTrajectory::Opened JoinedTrajectory::opened(const std::string& path) {
  return path == current_path_ ? Opened(Opened(), current_.get()) : Opened(open_(path));
}

bool JoinedTrajectory::is_same_part(const Part& earlier, const Part& next) {
  if (earlier.frames != next.frames || earlier.species != next.species ||
      !is_same_frame(earlier.first, next.first) ||
      !is_same_frame(earlier.last, next.last)) {
    return false;
  }
  if (!has_moment(next.last->step, next.last->time)) {
    // Frames at an unknown time may agree by chance; the bytes of files do not.
    const std::string bytes = bytes_of(next.path);
    return !bytes.empty() && bytes == bytes_of(earlier.path);
  }
  const std::uint64_t middle = next.frames / 2;
  const Opened other = opened(earlier.path);
  return is_same_frame(range_of(*other, earlier).moment(middle),
                       range_of(*current_, next).moment(middle));
}

void JoinedTrajectory::set_clock(Part& part) {
  if (part.first && part.last && (part.first->timed || part.last->timed)) {
    part.clock = Clock::time;
    part.first->timed = !std::isnan(part.first->time);
    part.last->timed = !std::isnan(part.last->time);
  }
}

std::optional<JoinedTrajectory::Part> JoinedTrajectory::by_steps(const Part& part) {
  if (!part.first || !part.last || part.last->step == 0 ||
      (part.frames > 1 && part.last->step <= part.first->step)) {
    return std::nullopt;
  }
  Part other = part;
  other.clock = Clock::step;
  for (Moment* moment : {&*other.first, &*other.last}) {
    moment->time = no_time;
    moment->timed = false;
  }
  return other;
}

bool JoinedTrajectory::join_at_one_frame(const Part& before, const Part& next) {
  if (before.frames < 2 || has_moment(before.last->step, before.last->time) ||
      has_moment(next.first->step, next.first->time) ||
      !is_same_frame(before.last, next.first)) {
    return false;
  }
  // Particles at rest have the same positions in all frames.
  const Opened other = opened(before.path);
  const auto earlier = range_of(*other, before).moment(before.frames - 2);
  return earlier && earlier->checksum != before.last->checksum;
}

JoinedTrajectory::Repeats JoinedTrajectory::compare_begin(const Part& before,
                                                          const Part& next) {
  using Kind = Repeats::Kind;
  if (!is_not_later(*next.first, *before.last)) {
    return join_at_one_frame(before, next) ? Repeats{&before, Kind::same_run, 1}
                                           : Repeats{&before, Kind::none, 0};
  }
  // The part belongs to another run if it starts later by its step number, which many
  // programs continue, or with a different first frame at the same time.
  const bool begins_later = is_later(*next.first, *before.first);
  if (is_later_by_steps(next, before) ||
      (!begins_later && !is_same_frame(before.first, next.first))) {
    return {&before, Kind::other_run, 0};
  }
  const PartFrames frames = range_of(*current_, next);
  const std::uint64_t count = count_not_later(frames, *before.last);
  const Opened other = opened(before.path);
  const PartFrames earlier = range_of(*other, before);
  Repeats repeats{&before, Kind::same_run, count};
  if (begins_later) {
    repeats.kind =
        has_same_frame(earlier, *next.first) ? Kind::same_run : Kind::same_times;
  } else {  // two runs may have the same first frame
    const std::uint64_t last = std::min(count, before.frames) - 1;
    if (!is_same_frame(earlier.moment(last), frames.moment(last))) {
      return {&before, Kind::other_run, 0};
    }
  }
  if (const auto absent = first_absent(earlier, frames, count)) {
    repeats.kind = Kind::gaps;
    repeats.absent = *absent;
  }
  return repeats;
}

JoinedTrajectory::Repeats JoinedTrajectory::repeats_of(const Part& next) {
  for (const Part& part : parts_) {
    if (is_same_part(part, next)) {
      return {&part, Repeats::Kind::same_run, next.frames};
    }
  }
  // Skip parts whose frames were all left out: they end before the previous part does.
  const Part& before =
      *std::find_if(parts_.rbegin(), parts_.rend(),
                    [](const Part& part) { return part.left_out < part.frames; });
  using Kind = Repeats::Kind;
  if (!next.first || !before.last) {
    return {&before, Kind::unknown, 0};
  }
  const Repeats by_times = compare_begin(before, next);
  const auto before_by_steps = by_steps(before);
  const auto next_by_steps = by_steps(next);
  if (by_times.kind == Kind::other_run && before_by_steps && next_by_steps) {
    Repeats repeats = compare_begin(*before_by_steps, *next_by_steps);
    if (repeats.kind == Kind::same_run) {
      repeats.of = &before;
      return repeats;
    }
  }
  return by_times;
}

bool JoinedTrajectory::share_a_frame(const Part& earlier, const Part& next) {
  const bool overlap = earlier.first && earlier.last && next.first && next.last &&
                       !is_later(*next.first, *earlier.last) &&
                       !is_later(*earlier.first, *next.last);
  if (!overlap) {
    return false;
  }
  const auto earlier_by_steps = by_steps(earlier);
  const auto next_by_steps = by_steps(next);
  return share_a_frame_by_clock(earlier, next) ||
         (earlier_by_steps && next_by_steps &&
          share_a_frame_by_clock(*earlier_by_steps, *next_by_steps));
}

bool JoinedTrajectory::share_a_frame_by_clock(const Part& earlier, const Part& next) {
  if (!has_moment(earlier.last->step, earlier.last->time) ||
      !has_moment(next.last->step, next.last->time) ||
      is_later(*next.first, *earlier.last) || is_later(*earlier.first, *next.last) ||
      is_later_by_steps(next, earlier)) {
    return false;
  }
  const auto next_has = [&](const Moment& wanted) {
    return has_same_frame(range_of(*current_, next), wanted);
  };
  const auto earlier_has = [&](const Moment& wanted) {
    const Opened other = opened(earlier.path);
    return has_same_frame(range_of(*other, earlier), wanted);
  };
  if (is_later(*earlier.first, *next.first)) {
    return next_has(*earlier.first);
  }
  if (is_later(*next.first, *earlier.first)) {
    return earlier_has(*next.first);
  }
  // Runs that begin with different frames at the same time have no frame in common.
  if (!is_same_frame(earlier.first, next.first)) {
    return false;
  }
  if (is_later(*next.last, *earlier.last)) {
    return next_has(*earlier.last);
  }
  return is_later(*earlier.last, *next.last) ? earlier_has(*next.last)
                                             : is_same_frame(earlier.last, next.last);
}

void JoinedTrajectory::check_gaps(const Part& next, const Repeats& repeats,
                                  TrajectoryInfo& messages) {
  if (repeats.kind != Repeats::Kind::gaps) {
    return;
  }
  Frame scratch;
  const bool same_file = repeats.of->path == next.path;
  const std::string sentence =
      next.name() + ": begins before the end of " +
      (same_file ? "an earlier part of the file" : repeats.of->path) +
      ", which lacks some of its frames (the first: " +
      moment_text(
          current_->read_moment(FrameIndex(next.begin + repeats.absent), scratch),
          info_.time_unit) +
      "): " + (same_file ? "its parts" : "the files") +
      " are not in the order of their times, or the interval between frames changed "
      "(write each frame once, in the order of the times; --repeated keep counts all "
      "frames)";
  if (repeated_ != RepeatedFrames::describe) {
    throw InputError(sentence);
  }
  messages.remarks.push_back(sentence);
}

void JoinedTrajectory::check_order(const Part& next, const Repeats& repeats,
                                   TrajectoryInfo& messages) {
  if (repeats.count == next.frames) {
    return;
  }
  const bool drops = repeats.count > 0;  // all frames up to the end of *repeats.of
  const auto twice = std::find_if(parts_.begin(), parts_.end(), [&](const Part& part) {
    const bool relevant = drops ? part.last && is_later(*part.last, *repeats.of->last)
                                : part.left_out < part.frames;
    return relevant && share_a_frame(part, next);
  });
  if (twice == parts_.end()) {
    return;
  }
  const bool same_file = twice->path == next.path;
  const std::string sentence =
      next.name() + ": frames that " +
      (same_file ? "an earlier part of the file" : twice->path) +
      " also contains would count twice, because the times do not rise from " +
      (same_file ? "part to part" : "file to file") + " (" +
      (same_file ? "write each frame once, in the order of their times"
                 : "give the files in the order of their times") +
      "; --repeated keep counts them twice)";
  if (repeated_ != RepeatedFrames::describe) {
    throw InputError(sentence);
  }
  messages.remarks.push_back(sentence);
}

std::uint64_t JoinedTrajectory::repeated_at_begin(const Part& next,
                                                  TrajectoryInfo& messages) {
  if (parts_.empty()) {
    return 0;
  }
  const Repeats repeats = repeats_of(next);
  check_gaps(next, repeats, messages);
  check_order(next, repeats, messages);
  using Kind = Repeats::Kind;
  if (repeats.kind == Kind::none) {
    return 0;
  }
  const std::string of =
      repeats.of->path == next.path ? "an earlier part" : repeats.of->path;
  if (repeats.kind == Kind::unknown) {
    messages.remarks.push_back(next.name() + ": whether it repeats frames of " + of +
                               " is unknown, because these cannot be read");
    return 0;
  }
  const std::string from =
      next.first ? moment_text(*next.first, info_.time_unit) : "its first frame";
  if (repeats.kind == Kind::other_run) {
    messages.remarks.push_back(
        next.name() + ": its times go back to " + from + ", before the end of " + of +
        ", and all of its frames are counted (give the parts of a "
        "run in the order of their times)");
    return 0;
  }
  const std::uint64_t count = repeats.count;
  const std::string sentence =
      next.name() +
      (count == next.frames ? ": only repeats frames of " + of
       : count == 1 && (is_repeated(*repeats.of->last, *next.first) ||
                        is_same_frame(repeats.of->last, next.first))
           ? ": its first frame repeats the last one of " + of
       : count == 1
           ? ": its first frame repeats one of " + of
           : ": its first " + std::to_string(count) + " frames repeat times of " + of) +
      (has_moment(next.first->step, next.first->time)
           ? " (" + std::string(count == 1 ? "" : "from ") + from + ")"
           : "");
  if (repeated_ == RepeatedFrames::fail) {
    throw InputError(sentence + ", and --repeated is fail");
  }
  const std::string them = count == 1 ? "it" : "them";
  if (repeats.kind == Kind::same_times) {
    messages.truncation.push_back(
        sentence +
        ", with different positions: left out, as from a run that was continued from "
        "before its end (--repeated keep counts " +
        them + ", as from another run)");
  } else {
    messages.remarks.push_back(sentence + (count == 1 ? " and is" : ": these are") +
                               " left out (--repeated keep counts " + them + " twice)");
  }
  return count;
}

const JoinedTrajectory::Part& JoinedTrajectory::part_of(std::uint64_t frame) {
  const auto after = std::upper_bound(
      parts_.begin(), parts_.end(), frame,
      [](std::uint64_t index, const Part& part) { return index < part.first_frame; });
  const Part& part = *std::prev(after);
  if (current_path_ != part.path) {
    current_path_.clear();
    current_ = open_(part.path);
    if (current_->info().species != part.species) {
      throw InputError(part.path + ": has changed since it was opened");
    }
    check_same_particles(current_->info().particles, part.path, info_.particles,
                         parts_.front().path);
    current_path_ = part.path;
  }
  return part;
}

StepAndTime JoinedTrajectory::read_moment(FrameIndex index, Frame& /*scratch*/) {
  const Part& part = part_of(index.get());
  return current_->read_moment(part.in_file(index), scratch_);
}

PassedOn JoinedTrajectory::passed_on(FrameIndex index) {
  try {
    const Part& part = part_of(index.get());
    return current_->passed_on(part.in_file(index));
  } catch (const InputError& error) {
    throw InputError("frame " + std::to_string(index.get()) + ": " + error.what());
  }
}

void JoinedTrajectory::read(FrameIndex index, Frame& frame) {
  if (index.get() >= info_.frame_count) {
    throw InternalError("frame " + std::to_string(index.get()) + " of " +
                        std::to_string(info_.frame_count) + " was requested");
  }
  try {
    const Part& part = part_of(index.get());
    // Swap the vectors to reuse their memory.
    frame.positions.resize(info_.species.size());
    scratch_.positions.resize(part.species.size());
    for (std::size_t i = 0; i < part.position.size(); ++i) {
      scratch_.positions[i].swap(frame.positions[part.position[i]]);
    }
    for (auto& absent : frame.positions) {
      absent.clear();
    }
    scratch_.coordinate_bound = std::numeric_limits<double>::infinity();
    current_->read(part.in_file(index), scratch_);
    for (std::size_t i = 0; i < part.position.size(); ++i) {
      scratch_.positions[i].swap(frame.positions[part.position[i]]);
    }
    if (!scratch_.order.empty()) {
      frame.order.resize(info_.species.size());
      for (FileOrder& absent : frame.order) {
        absent.row.clear();
        absent.id.clear();
      }
      for (std::size_t i = 0; i < part.position.size(); ++i) {
        std::swap(scratch_.order[i], frame.order[part.position[i]]);
      }
    }
  } catch (const InputError& error) {
    throw InputError("frame " + std::to_string(index.get()) + ": " + error.what());
  }
  frame.index = index;
  frame.step = scratch_.step;
  frame.time = scratch_.time;
  frame.box = scratch_.box;
  frame.coordinate_bound = scratch_.coordinate_bound;
}

}  // namespace starhist::io
