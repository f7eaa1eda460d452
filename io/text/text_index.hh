#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "codelets/core/base/error.hh"
#include "codelets/core/counting/frame.hh"
#include "io/text/text_file.hh"

namespace starhist::io {

/// Where the whole frames of a text trajectory begin, and which species occur in them.
struct TextIndex {
  std::vector<TextFile::Position> frames;
  std::vector<std::string> species;  ///< sorted
  std::string length_unit;           ///< "" when the file does not say
  std::string time_unit;             ///< "" when the file does not say
  /// What is wrong with the frame behind the last one, if the file ends within it:
  /// "frame 12 is cut off in line 3071".
  std::string damage;
  /// Readers have to call TextFile::take_rest_as_line(): it is whole.
  bool rest_is_line = false;

  /// For TrajectoryInfo::truncation.
  std::vector<std::string> truncation_sentences(const std::string& path) const;
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
  void add(std::string_view name);

  std::size_t count() const { return names_.size(); }
  /// Forgets all names but the first `count`.
  void keep(std::size_t count) { names_.resize(count); }

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

/// Goes through the lines of `atoms` atoms, whose species are in field `column`.
/// `above` is the last atom's line of the frame before ("" for none), then that of this
/// frame: the last line of a file without an end is compared with the one above
/// (last_line.hh). Throws InputError, with its number, for a line without a species.
FrameSkip skip_atoms(TextFile& file, std::uint64_t atoms,
                     std::optional<std::size_t> column, const AtomColumns& columns,
                     std::string& above, SpeciesSeen& seen);

/// Throws InputError when there is no whole frame; describes the one that is cut off.
void finish_index(const TextFile& file, bool begun, const SpeciesSeen& seen,
                  TextIndex& index);

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
