#include "driver/commands/merge/same_settings.hh"

#include <algorithm>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/text.hh"
#include "driver/options/option_values.hh"
#include "driver/run/provenance.hh"

namespace starhist::driver {
namespace {

/// Options that select particles of a frame.
constexpr const char* selecting[] = {
    "option --species",   "option --by",      "option --index",
    "option --structure", "option --altloc",  "option --aliases",
    "option --group",     "option --pairs",   "option --guess-elements",
    "species by",         "option --exclude", "file of --index first bytes"};

/// The first of these entries in which two runs differ; "" if they agree.
template <std::size_t Count>
std::string different_entry(const char* const (&names)[Count], const CountedRun& a,
                            const CountedRun& b) {
  const auto* const found = std::find_if(
      std::begin(names), std::end(names),
      [&](const char* name) { return a.recorded(name) != b.recorded(name); });
  return found == std::end(names) ? "" : *found;
}

/// "a.h5 was counted with --box '3 3 3'", or "without --box". Entries that are not
/// options: "a.h5 has '3 3 3'".
std::string shown(const CountedRun& run, const std::string& entry) {
  const std::string value = run.recorded(entry);
  const std::string quoted = value.empty() ? "" : " '" + value + "'";
  const std::string option = "option ";
  return run.result->path +
         (!entry.starts_with(option) ? " has" + (value.empty() ? " none" : quoted)
          : value.empty()
              ? " was counted without " + entry.substr(option.size())
              : " was counted with " + entry.substr(option.size()) + quoted);
}

/// Whether two values of --box mean the same box; "" is a run without the option.
bool same_box(const std::string& a, const std::string& b) {
  if (a == b) {
    return true;
  }
  try {
    const BoxChoice box_of_a = parse_box_choice(a.empty() ? "file" : a);
    const BoxChoice box_of_b = parse_box_choice(b.empty() ? "file" : b);
    return box_of_a.box == box_of_b.box && box_of_a.file == box_of_b.file;
  } catch (const InputError&) {
    return false;  // a file of boxes that is no longer there
  }
}

/// The axes in the value of first_box_entry, such as "x, y"; "": open boundaries.
std::string periodic_axes(const std::string& box) {
  const std::size_t edges = box.find("; ");
  return edges == std::string::npos ? "" : box.substr(edges + 2);
}

void check_same_settings(const CountedRun& a, const CountedRun& b) {
  const auto refuse = [&](const std::string& what, const std::string& entry) {
    throw InputError(
        "results of one trajectory with different " + what + " cannot be merged" +
        (entry.empty()
             ? ": " + a.result->path + " and " + b.result->path
             : " (" + entry + "): " + shown(a, entry) + ", " + shown(b, entry)) +
        "; count both with the same settings");
  };
  // A file of boxes is compared by content, not by path.
  static constexpr const char* box_file = "file of --box first bytes";
  const bool both_files =
      !a.recorded(box_file).empty() && !b.recorded(box_file).empty();
  const std::string box = both_files ? box_file : "option --box";
  const bool differ = both_files ? a.recorded(box) != b.recorded(box)
                                 : !same_box(a.recorded(box), b.recorded(box));
  if (differ && a.trajectory == b.trajectory) {
    refuse("boxes", box);
  }
  static constexpr const char* open = "option --open";
  const auto axes = [](std::string list) {  // "z,x" is "x,z"
    std::sort(list.begin(), list.end());
    return list;
  };
  if (a.trajectory == b.trajectory &&
      axes(a.recorded(open)) != axes(b.recorded(open))) {
    refuse("open axes", open);
  }
  for (const char* option : {"--structure", "--index", "--aliases"}) {
    const std::string entry = file_entry + std::string(option) + all_bytes;
    const std::string name = std::string("option ") + option;
    // Files of two formats may describe the same particles, but rarely the same
    // residues and molecules.
    const bool matters = a.recorded(name) == b.recorded(name) ||
                         !a.recorded("option --exclude-same").empty() ||
                         !a.recorded("option --only-same").empty();
    if (matters && a.trajectory == b.trajectory && !a.recorded(entry).empty() &&
        !b.recorded(entry).empty() && a.recorded(entry) != b.recorded(entry)) {
      refuse(std::string("contents of ") + option, entry);
    }
  }
  const std::string box_of_a = a.recorded(first_box_entry);
  const std::string box_of_b = b.recorded(first_box_entry);
  if (a.trajectory == b.trajectory && !box_of_a.empty() && !box_of_b.empty() &&
      box_of_a != box_of_b) {
    refuse("boxes", first_box_entry);
  }
  if (!box_of_a.empty() && !box_of_b.empty() &&
      periodic_axes(box_of_a) != periodic_axes(box_of_b)) {
    throw InputError("results with different periodic axes cannot be merged: " +
                     shown(a, first_box_entry) + ", " + shown(b, first_box_entry) +
                     "; count both with the same --box and --open");
  }
  const auto unwrapped = [](const CountedRun& run) {  // an entry without a value
    return io::value_of(run.record, "option --unwrapped").has_value();
  };
  if (a.trajectory == b.trajectory && unwrapped(a) != unwrapped(b)) {
    refuse("displacements (one has --unwrapped)", "");
  }
  static constexpr const char* origins = "option --every-origin";
  if (a.trajectory == b.trajectory && a.recorded(origins) != b.recorded(origins)) {
    refuse("origins", origins);
  }
  const bool other_particles = !a.first_frames.empty() && !b.first_frames.empty() &&
                               a.first_frames[0] != 0 && b.first_frames[0] != 0 &&
                               a.first_frames[0] != b.first_frames[0];
  if (other_particles && read_same_file(a, b)) {
    refuse("selections of particles", different_entry(selecting, a, b));
  }
}

}  // namespace

void check_same_settings(const std::vector<CountedRun>& runs) {
  // Equivalent runs need not be compared with each other.
  std::vector<const CountedRun*> different;
  for (const CountedRun& run : runs) {
    for (const CountedRun* other : different) {
      check_same_settings(*other, run);
    }
    if (std::none_of(different.begin(), different.end(), [&](const CountedRun* other) {
          return other->trajectory == run.trajectory && read_same_file(*other, run);
        })) {
      different.push_back(&run);
    }
  }
}

}  // namespace starhist::driver
