#include "io/trajectory/joined/joined_trajectory.hh"

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
#include "io/reader/source_defaults.hh"
#include "io/text/text_index.hh"

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
    const PartFrames range = part.range_in(*current_);
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
      part.set_clock();
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

PartComparison::Opened JoinedTrajectory::opened(const std::string& path) {
  using Opened = PartComparison::Opened;
  return path == current_path_ ? Opened(Opened(), current_.get()) : Opened(open_(path));
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
    return relevant && comparison().share_a_frame(part, next);
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
  const Repeats repeats = comparison().repeats_of(next);
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
