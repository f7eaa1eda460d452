#include "io/formats/pdb/pdb_frames.hh"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

#include "codelets/core/base/error.hh"
#include "codelets/core/base/known_words.hh"
#include "io/formats/pdb/pdb_records.hh"
#include "io/reader/model_trajectory.hh"
#include "io/reader/unit_cell.hh"
#include "io/text/fixed_columns.hh"
#include "io/text/last_line.hh"

namespace starhist::io {
namespace {

/// Returns the width of a line without trailing blanks.
std::size_t width_of(std::string_view line) {
  return line.find_last_not_of(' ') + 1;  // npos + 1 is 0
}

void add_names(const TextFile& file, std::string_view line, PdbResidueNumbers& numbers,
               ParticleTable& names) {
  try {
    add_pdb_names(line, numbers, names);
  } catch (const InputError& error) {
    throw InputError("line " + std::to_string(file.position().line - 1) + ": " +
                     error.what());
  }
}

/// Takes step and time from a title, if it has them.
void read_title(std::string_view line, StepAndTime& moment) {
  if (is_pdb_record(line, "TITLE") || is_pdb_record(line, "HEADER")) {
    moment.time = real_after(line, " t= ").value_or(moment.time);
    moment.step = whole_number_after(line, " step= ").value_or(moment.step);
    moment.step = whole_number_after(line, " Step:").value_or(moment.step);  // i-PI
  } else if (is_pdb_record(line, "REMARK") &&
             line.find(", E =") != std::string_view::npos) {
    // CP2K: "REMARK   Step 20, time = 5.000, E = -17.1"
    moment.step = whole_number_after(line, " Step ").value_or(moment.step);
  }
}

/// Whether a title of i-PI specifies another unit than Angstrom.
bool has_other_unit(std::string_view line) {
  const auto is_other = [line](std::string_view quantity) {
    const std::size_t at = line.find(quantity);
    return at != std::string_view::npos &&
           !line.substr(at + quantity.size()).starts_with("angstrom}");
  };
  return is_pdb_record(line, "TITLE") &&
         (is_other(" positions{") || is_other(" cell{") || is_other(" x_centroid{"));
}

/// Scans a PDB file, keeping the state of previous frames that later ones need.
class PdbFrames {
 public:
  PdbFrames(PdbIndex& index, bool fixed_box) : index_(index), fixed_box_(fixed_box) {}

  FrameSkip skip(TextFile& file) {
    model_ = {};
    boxes_ = box_behind_ ? 1 : 0;
    box_behind_.reset();
    std::string_view line;
    while (next_or_whole_rest(
        file, line, [this](std::string_view rest) { return is_whole(rest); })) {
      if (is_pdb_atom(line)) {
        add_atom(file, line);
      } else if (ends_frame(file, line)) {
        return whole();
      }
    }
    const bool begun = model_.atoms > 0 || !model_.problem.empty();
    return model_.atoms > 0 && may_end_here(file) ? whole() : FrameSkip{false, begun};
  }

  /// To be called after the last frame.
  void finish() {
    check_models_without_end();
    for (const std::string& group : groups_) {
      index_.remarks.push_back(symmetry_remark(group));
    }
    if (copies_) {
      index_.remarks.emplace_back(
          "has MTRIX records: only the atoms of the file are counted, no copies");
    }
    if (box_records_ > 0 && box_records_ < index_.models.size() && !fixed_box_ &&
        is_periodic(index_.cells.back())) {
      index_.remarks.push_back(
          few_boxes_remark(box_records_, "CRYST1", index_.models.size()));
    }
    if (!unknown_.empty()) {
      index_.remarks.push_back("ignores records that PDB does not define: " +
                               listed({unknown_.begin(), unknown_.end()}));
    }
  }

 private:
  static bool is_periodic(const PdbCell& cell) {
    double edges[9];
    try {
      read_pdb_cell(cell, edges);
    } catch (const InputError&) {
      return false;  // reported for each frame
    }
    return edges[0] != 0.0;
  }

  void add_atom(const TextFile& file, std::string_view line) {
    ++model_.atoms;
    mix(pdb_names_hash(line));
    model_.has_alternates = model_.has_alternates || has_alternate_location(line);
    atom_width_ = width_of(line);
    if (box_behind_) {
      set_problem(file,
                  "has an atom behind a CRYST1 that follows other atoms (the frame "
                  "before it is not ended: put END after each frame)");
    } else if (outside_ && model_.atoms == 1) {
      set_problem(file,
                  "has an atom outside of MODEL and ENDMDL (other atoms of the "
                  "file are within)");
    }
  }

  void mix(std::uint64_t value) {
    constexpr std::uint64_t multiplier = 0x9E3779B97F4A7C15;
    model_.names = (model_.names ^ value) * multiplier;
    model_.names ^= model_.names >> 29U;
  }

  /// Processes a record other than an atom. True if it ends a frame.
  bool ends_frame(const TextFile& file, std::string_view line) {
    switch (record_of(line)) {
      case PdbRecord::cell:
        set_box(file, line);
        return false;
      case PdbRecord::scale:
        cell_.scale[static_cast<std::size_t>(line[5] - '1')] = line;
        return false;
      case PdbRecord::model:
        return begins_model(file);
      case PdbRecord::end:
        return ends_model(file, line);
      case PdbRecord::chain_end:
        mix(1);
        return false;
      case PdbRecord::copies:
        copies_ = copies_ || text_in(line, 59, 1).empty();
        return false;
      case PdbRecord::unknown:
        if (unknown_.size() < most_unknown) {
          unknown_.emplace(record_name(line));
        }
        return false;
      case PdbRecord::pdbqt:
        set_problem(file, pdbqt_problem);
        return false;
      case PdbRecord::misread:
        set_problem(file, "has the record '" + std::string(record_name(line)) +
                              "' (PDB does not define it, but it may mean atoms, a box "
                              "or a model): correct its name");
        return false;
      default:
        if (has_other_unit(line)) {
          set_problem(
              file,
              "has a title that specifies another unit than angstrom, which PDB "
              "requires (let i-PI write angstrom, or XYZ)");
        }
        read_title(line, model_.moment);
        return false;
    }
  }

  void set_box(const TextFile& file, std::string_view line) {
    ++box_records_;
    const bool first = boxes_ == 0 && !box_behind_;
    const std::string& other = box_behind_ ? *box_behind_ : cell_.record;
    if (!first && !fixed_box_ && model_.atoms == 0 && other != line &&
        !is_same_cell(other, line)) {
      refuse_two_boxes(file);
    }
    if (model_.atoms > 0) {
      box_behind_ = line;
      return;
    }
    ++boxes_;
    take_box(line);
  }

  void refuse_two_boxes(const TextFile& file) {
    set_problem(file,
                "has a CRYST1 that differs from the one before, in the same frame "
                "(give the box with --box)");
  }

  void take_box(std::string_view line) {
    if (cell_.record == line) {
      return;
    }
    if (!is_same_cell(cell_.record, line)) {
      cell_.scale = {};
    }
    cell_.record = line;
    const std::string group = space_group_of(line);
    if (!group.empty() && groups_.size() < most_unknown) {
      groups_.insert(group);
    }
  }

  bool begins_model(const TextFile& file) {
    const bool ends = model_.atoms > 0;
    if (ends && !in_model_) {
      set_problem(file, "begins a model, but atoms before it are outside of models");
    } else if (ends) {
      without_end_.push_back(index_.models.size());
    } else if (in_model_) {
      set_problem(file, "begins a model in one without atoms");
    }
    in_model_ = any_model_ = true;
    outside_ = false;
    return ends;
  }

  bool ends_model(const TextFile& file, std::string_view line) {
    if (model_.atoms == 0) {
      if (is_pdb_record(line, "ENDMDL")) {
        set_problem(file, "ends a model without atoms");
        in_model_ = false;
      }
      return false;
    }
    take_box_behind(file);
    in_model_ = false;
    outside_ = any_model_;
    ended_by_record_ = ended_by_record_ == 0 ? model_.atoms : ended_by_record_;
    return true;
  }

  /// Assigns a CRYST1 after the atoms to their frame, unless another frame has started.
  void take_box_behind(const TextFile& file) {
    if (!box_behind_) {
      return;
    }
    if (boxes_ > 0 && !fixed_box_ && cell_.record != *box_behind_ &&
        !is_same_cell(cell_.record, *box_behind_)) {
      refuse_two_boxes(file);
    }
    take_box(*box_behind_);
    box_behind_.reset();
  }

  // Many files lack END. In a trajectory, a last frame with fewer atoms than the others
  // is truncated.
  bool may_end_here(const TextFile& file) {
    if (file.truncation()) {
      return false;
    }
    take_box_behind(file);
    const bool same = !index_.models.empty() && model_.atoms == atoms_;
    return in_model_ ? same && ended_by_record_ == 0 : index_.models.empty() || same;
  }

  /// Whether the last line of a file, which lacks a newline, is complete: an atom's
  /// record is, if it extends to the element in columns 77 and 78 or is as wide as the
  /// previous atom's; so are records whose content is not needed.
  bool is_whole(std::string_view line) const {
    line.remove_suffix(line.ends_with('\r') ? 1 : 0);
    constexpr std::size_t position_end = 54;
    constexpr std::size_t element_end = 78;
    if (is_pdb_atom(line)) {
      const std::size_t due = atom_width_ == 0 ? element_end : atom_width_;
      return width_of(line) >= std::clamp<std::size_t>(due, position_end, element_end);
    }
    constexpr std::array<std::string_view, 5> records{"END", "ENDMDL", "TER", "CONECT",
                                                      "MASTER"};
    return std::any_of(records.begin(), records.end(), [line](std::string_view name) {
      return is_pdb_record(line, name);
    });
  }

  FrameSkip whole() {
    atoms_ = model_.atoms;
    if (!(index_.cells.back() == cell_)) {
      index_.cells.push_back(cell_);
    }
    index_.cell_of.push_back(index_.cells.size() - 1);
    index_.models.push_back(std::move(model_));
    if (box_behind_) {
      take_box(*box_behind_);  // belongs to the model that has begun
    }
    return {true, true};
  }

  /// Models without ENDMDL are complete only if they have as many atoms as the others.
  void check_models_without_end() {
    for (const std::size_t k : without_end_) {
      const std::uint64_t due =
          ended_by_record_ > 0 ? ended_by_record_ : index_.models.front().atoms;
      AtomModel& model = index_.models[k];
      if (model.atoms != due && model.problem.empty()) {
        model.problem = "a model of " + std::to_string(model.atoms) +
                        " atoms has no ENDMDL, and others have " + std::to_string(due) +
                        " (it may be cut off: --skip-bad-frames leaves it out)";
      }
    }
  }

  void set_problem(const TextFile& file, const std::string& problem) {
    if (model_.problem.empty()) {
      model_.problem =
          "line " + std::to_string(file.position().line - 1) + " " + problem;
    }
  }

  static constexpr std::size_t most_unknown = 8;  ///< limit of names to list

  PdbIndex& index_;
  bool fixed_box_;   ///< the file's boxes are not used
  AtomModel model_;  ///< the current model
  PdbCell cell_;
  std::size_t box_records_ = 0;  ///< number of CRYST1 records in the file
  std::size_t boxes_ = 0;  ///< number of CRYST1 records in this frame, before its atoms
  std::optional<std::string> box_behind_;  ///< CRYST1 after the atoms of this frame
  bool in_model_ = false;
  bool any_model_ = false;
  bool outside_ = false;        ///< atoms outside of models, in a file with models
  std::size_t atom_width_ = 0;  ///< width of the last atom's line; 0 before the first
  std::uint64_t atoms_ = 0;     ///< number of atoms in the previous frame
  std::uint64_t ended_by_record_ =
      0;  ///< number of atoms in the first frame terminated by ENDMDL or END
  std::vector<std::size_t> without_end_;  ///< models terminated by the next MODEL
  std::set<std::string> groups_;          ///< space groups with symmetry
  bool copies_ = false;
  std::set<std::string> unknown_;  ///< names of unknown records
};

}  // namespace

PdbIndex index_pdb(TextFile& file, bool fixed_box) {
  PdbIndex index;
  index.cells.emplace_back();
  PdbFrames frames(index, fixed_box);
  index.frames = index_text(file, [&](TextFile& text, SpeciesSeen&) {
    const FrameSkip skip = frames.skip(text);
    if (skip.whole) {
      index.end = text.position();
    }
    return skip;
  });
  frames.finish();
  return index;
}

void read_pdb_frame(TextFile& file, std::uint64_t end, ModelAtoms& frame,
                    ParticleTable* names) {
  frame.moment = {};
  frame.positions.clear();
  PdbResidueNumbers numbers;
  std::uint32_t part = 0;
  std::string_view line;
  while (file.position().offset < end) {
    if (!file.next(line)) {
      throw InputError("has become shorter since it was opened");
    }
    if (is_pdb_atom(line)) {
      if (!add_pdb_position(line, frame.positions)) {
        refuse_position(file, line);
      }
      if (names != nullptr) {
        add_names(file, line, numbers, *names);
        names->part.push_back(part);
      }
    } else if (is_pdb_record(line, "TER")) {
      ++part;
    } else {
      read_title(line, frame.moment);
    }
  }
}

}  // namespace starhist::io
