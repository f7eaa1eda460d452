#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "codelets/core/base/error.hh"
#include "codelets/core/counting/frame.hh"
#include "io/text/text_file.hh"

namespace starhist::io {

/// The positions of the frames of a text trajectory, and the species in its complete
/// frames.
struct TextIndex {
  std::vector<TextFile::Position> frames;
  std::vector<StepAndTime> moments;  ///< of these frames; unknown if damaged
  /// Truncated or damaged frames that are followed by others: frame number -> message
  /// for check().
  std::map<std::uint64_t, std::string> damaged;
  std::vector<std::string> species;  ///< sorted
  /// LAMMPS unit style such as "real"; "" if the file does not specify it
  std::string units;
  /// Description of an incomplete frame at the end of the file: "frame 12 is cut off in
  /// line 3071"; "" if the last frame is complete.
  std::string damage;
  /// The last line is complete though it lacks a newline: readers have to call
  /// TextFile::take_rest_as_line().
  bool rest_is_line = false;

  /// Returns the messages for TrajectoryInfo::truncation.
  std::vector<std::string> truncation_sentences(const std::string& path) const;

  /// Throws InputError if the frame is damaged.
  void check(std::uint64_t frame) const;
  /// Step and time of a frame. Throws InputError if it is damaged.
  StepAndTime moment(std::uint64_t frame) const;
  /// Returns the position of the first undamaged frame.
  const TextFile::Position& first_whole() const;
};

/// Finds species numbers by name, fast if most atoms have the same species as the
/// previous atom.
class SpeciesNumbers {
 public:
  explicit SpeciesNumbers(const std::vector<std::string>& names);

  /// Throws InputError for an unknown name.
  std::size_t of(std::string_view name);

 private:
  std::unordered_map<std::string, std::size_t> numbers_;
  std::string last_name_;
  std::size_t last_ = 0;
};

/// The species of all atoms in files without species.
inline constexpr std::string_view any_species = "all";

/// Collects distinct species names.
class SpeciesSeen {
 public:
  /// Adds a name; false if it is known already.
  bool add(std::string_view name);

  std::size_t count() const { return names_.size(); }
  /// Removes all names except the first `count`.
  void keep(std::size_t count) {
    names_.resize(count);
    last_ = 0;
  }

  std::vector<std::string> sorted_names() const;

 private:
  std::vector<std::string> names_;
  std::size_t last_ = 0;
};

/// Result of scanning one frame for its species.
struct FrameSkip {
  bool whole = false;
  bool begun = false;  ///< the file ends within the frame
  StepAndTime moment = {};
};

struct AtomColumns;

/// Checks the line of an atom; throws InputError without the line number.
using CheckAtom = std::function<void(std::string_view line)>;

/// Scans the lines of `atoms` atoms, whose species are in field `column`. Passes to
/// `check` each line with a new species, and the last one. `above`: the last line of
/// the previous frame (or "") on entry, and of this frame on return; the last line of a
/// file without a final newline is compared with the lines above it (last_line.hh).
/// Throws InputError with the line number for a line that does not describe an atom.
FrameSkip skip_atoms(TextFile& file, std::uint64_t atoms,
                     std::optional<std::size_t> column, const AtomColumns& columns,
                     std::string& above, SpeciesSeen& seen, const CheckAtom& check);

/// Completes the index after the last frame; `begun`: the file ends within a frame,
/// which is described. Throws InputError unless there is a complete frame.
void finish_index(const TextFile& file, bool begun, const SpeciesSeen& seen,
                  TextIndex& index);

/// Thrown if a line where a frame must start is not the first line of a frame: this
/// frame or the one before it is damaged.
class NoFrameBegins : public InputError {
 public:
  using InputError::InputError;
};

/// Indexes a text trajectory with damaged frames between complete ones, as in a file
/// that a restarted run was appended to.
class TextIndexer {
 public:
  explicit TextIndexer(TextFile& file) : file_(file) {}

  /// `skip_frame`: see index_text(). `find_next(file, begin)` moves the file from
  /// `begin` to the beginning of the next frame; false at the end of the file. Throws
  /// InputError if all frames are damaged.
  template <class SkipFrame, class FindNext>
  TextIndex index(SkipFrame skip_frame, FindNext find_next) {
    for (;;) {
      const TextFile::Position position = file_.position();
      seen_before_.push_back(seen_.count());
      try {
        const FrameSkip skip = skip_frame(file_, seen_);
        if (!skip.whole) {
          return finish(skip.begun);
        }
        index_.frames.push_back(position);
        index_.moments.push_back(skip.moment);
      } catch (const NoFrameBegins& error) {
        blame_frame_before(position, error);
      } catch (const InputError& error) {
        add_damaged(position, error);
      }
      if (is_damaged() && !find_next(file_, index_.frames.back())) {
        return finish(false);
      }
    }
  }

 private:
  bool is_damaged() const { return index_.damaged.contains(index_.frames.size() - 1); }
  void blame_frame_before(const TextFile::Position& position, const InputError& error);
  void add_damaged(const TextFile::Position& position, const InputError& error);
  TextIndex finish(bool begun);

  TextFile& file_;
  TextIndex index_;
  SpeciesSeen seen_;
  std::vector<std::size_t> seen_before_;  ///< number of known species before each frame
  std::string first_problem_;
};

/// Indexes a text trajectory. `skip_frame(file, seen)` scans a frame and adds the
/// species of its atoms to `seen`. Throws InputError unless there is a complete frame.
template <class SkipFrame>
TextIndex index_text(TextFile& file, SkipFrame skip_frame) {
  TextIndex index;
  SpeciesSeen seen;
  for (;;) {
    const TextFile::Position position = file.position();
    const std::size_t species = seen.count();
    const FrameSkip skip = skip_frame(file, seen);
    if (!skip.whole) {
      seen.keep(species);
      finish_index(file, skip.begun, seen, index);
      return index;
    }
    index.frames.push_back(position);
    index.moments.push_back(skip.moment);
  }
}

/// Clears a frame for `species` species; `tell_order`: also prepare Frame::order.
void start_frame(FrameIndex index, std::size_t species, bool tell_order, Frame& frame);

/// Adds an atom to a frame. `row`: index of its line in the frame, from 0; `id`: a
/// field of the line, or empty. Throws InputError for an id that is not a number.
void add_atom(std::size_t species, const Vec3& position, std::uint32_t row,
              std::string_view id, Frame& frame);

/// Calls `read_atom` with each line of `atoms` atoms. Adds the line number to its
/// InputError.
template <class ReadAtom>
void read_atoms(TextFile& file, std::uint64_t atoms, ReadAtom read_atom) {
  std::string_view line;
  try {
    for (std::uint64_t atom = 0; atom < atoms; ++atom) {
      if (!file.next(line)) {
        throw InputError("the file has become shorter since it was opened");
      }
      read_atom(line);
    }
  } catch (const InputError& error) {
    throw InputError(file.at_last_line(error.what()));
  }
}

}  // namespace starhist::io
