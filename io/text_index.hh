#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "io/text_file.hh"

namespace starhist {

/// Where the whole frames of a text trajectory begin, and which species occur in them.
struct TextIndex {
  std::vector<TextFile::Place> frames;
  std::vector<std::string> species;  ///< sorted
  /// What is wrong with the frame behind the last one, if the file ends within it:
  /// "frame 12 is cut off in line 3071".
  std::string damage;

  /// For TrajectoryInfo::cut_off.
  std::vector<std::string> cut_off_sentences(const std::string& path) const;
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

/// The names that were seen, sorted.
class SpeciesSeen {
 public:
  void add(std::string_view name);
  std::vector<std::string> names() const;

 private:
  std::vector<std::string> names_;
  std::size_t last_ = 0;
};

/// Reads a text trajectory from its begin to its end. `skip_frame(file, seen)` reads a
/// frame, adds the species of its atoms to `seen` and returns true, or returns false
/// where the file ends, within the frame or before it; `begun` tells which. Throws
/// InputError when there is no whole frame.
struct FrameSkip {
  bool whole = false;
  bool begun = false;
};
template <class SkipFrame>
TextIndex index_text(TextFile& file, SkipFrame skip_frame);

/// Throws InputError when there is no whole frame; describes the one that is cut off.
void finish_index(const TextFile& file, bool begun, const SpeciesSeen& seen,
                  TextIndex& index);

template <class SkipFrame>
TextIndex index_text(TextFile& file, SkipFrame skip_frame) {
  TextIndex index;
  SpeciesSeen seen;
  for (;;) {
    const TextFile::Place place = file.place();
    SpeciesSeen with_this = seen;
    const FrameSkip skip = skip_frame(file, with_this);
    if (!skip.whole) {
      finish_index(file, skip.begun, seen, index);
      return index;
    }
    seen = with_this;
    index.frames.push_back(place);
  }
}

}  // namespace starhist
