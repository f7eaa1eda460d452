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

/// The beginnings of the frames of a text trajectory, and the species of whole ones.
struct TextIndex {
  std::vector<TextFile::Position> frames;
  /// By number: frames that are cut off or damaged though others follow, each with a
  /// message for check().
  std::map<std::uint64_t, std::string> damaged;
  std::vector<std::string> species;  ///< sorted
  std::string units;                 ///< of LAMMPS: "real"; "" when it does not say
  /// What is wrong with the frame behind the last one, if the file ends within it:
  /// "frame 12 is cut off in line 3071".
  std::string damage;
  /// Readers have to call TextFile::take_rest_as_line(): it is whole.
  bool rest_is_line = false;

  /// For TrajectoryInfo::truncation.
  std::vector<std::string> truncation_sentences(const std::string& path) const;

  /// Throws InputError for a frame that is damaged.
  void check(std::uint64_t frame) const;
  /// The beginning of the first frame that is not damaged.
  const TextFile::Position& first_whole() const;
};

/// Species by name; most atoms are of the species of the atom before.
class SpeciesNumbers {
 public:
  explicit SpeciesNumbers(const std::vector<std::string>& names);

  /// Throws InputError for a name that is not there.
  std::size_t of(std::string_view name);

 private:
  std::unordered_map<std::string, std::size_t> numbers_;
  std::string last_name_;
  std::size_t last_ = 0;
};

/// The species of atoms whose file does not tell them apart.
inline constexpr std::string_view any_species = "all";

/// The names that were seen.
class SpeciesSeen {
 public:
  /// False for a name that was seen before.
  bool add(std::string_view name);

  std::size_t count() const { return names_.size(); }
  /// Forgets all names but the first `count`.
  void keep(std::size_t count) {
    names_.resize(count);
    last_ = 0;
  }

  std::vector<std::string> sorted_names() const;

 private:
  std::vector<std::string> names_;
  std::size_t last_ = 0;
};

/// What became of a frame that was gone through for its species.
struct FrameSkip {
  bool whole = false;
  bool begun = false;  ///< the file ends in it
};

struct AtomColumns;

/// Checks the line of an atom: throws InputError, without the line's number.
using CheckAtom = std::function<void(std::string_view line)>;

/// Goes through the lines of `atoms` atoms, whose species are in field `column`, and
/// checks each line that brings a new species, and the last one. `above` is the last
/// atom's line of the frame before ("" for none), then that of this frame: the last
/// line of a file without an end is compared with those above (last_line.hh). Throws
/// InputError, with its number, for a line that is not an atom.
FrameSkip skip_atoms(TextFile& file, std::uint64_t atoms,
                     std::optional<std::size_t> column, const AtomColumns& columns,
                     std::string& above, SpeciesSeen& seen, const CheckAtom& check);

/// Throws InputError when there is no whole frame; describes the one that is cut off.
void finish_index(const TextFile& file, bool begun, const SpeciesSeen& seen,
                  TextIndex& index);

/// The line found where a frame must start is not a frame's first line: this frame or
/// the one before it is damaged.
class NoFrameBegins : public InputError {
 public:
  using InputError::InputError;
};

/// Index of a text trajectory in which damaged frames may stand between whole ones, as
/// in a file that a restarted run was appended to.
class TextIndexer {
 public:
  explicit TextIndexer(TextFile& file) : file_(file) {}

  /// `skip_frame`: index_text(). `find_next(file, begin)` goes to the next beginning of
  /// a frame behind `begin`, the place of the file; false where there is none. Throws
  /// InputError if no frame is whole.
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
  std::vector<std::size_t> seen_before_;  ///< species before each frame
  std::string first_problem_;
};

/// Goes through a text trajectory. `skip_frame(file, seen)` reads a frame and adds the
/// species of its atoms to `seen`. Throws InputError when there is no whole frame.
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
  }
}

/// An empty frame with the number of species, also in its order if that is told.
void start_frame(FrameIndex index, std::size_t species, bool tell_order, Frame& frame);

/// Adds an atom to a frame: the `row`-th of its lines, counted from 0. `id` is a field
/// of the line, or empty. Throws InputError for an id that is no number.
void add_atom(std::size_t species, const Vec3& position, std::uint32_t row,
              std::string_view id, Frame& frame);

/// Hands the lines of `atoms` atoms to `read_atom`. Adds the line's number to its
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
