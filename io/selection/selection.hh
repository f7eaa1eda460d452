#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/particles/particle_field.hh"
#include "io/particles/particle_list.hh"

namespace starhist::io {

/// A value that a term of a selection compares a field with: a word or a pattern for
/// text, a range for numbers.
struct SelectionValue {
  std::string text;        ///< as it was written
  bool pattern = false;    ///< *, ? and [..] in `text` match other letters
  std::int64_t first = 0;  ///< numbers from first to last (inclusive) match
  std::int64_t last = 0;
  /// For text: `text` is also a range of numbers, which counts where all particles have
  /// numbers, as types of LAMMPS are.
  bool range = false;
};

/// Sets first and last from "7", "1-100", or as LAMMPS writes ranges: "1*3", "*3", "2*"
/// and "*", whose open ends are the least and the largest std::int64_t. False for what
/// is none of these.
bool set_range(const std::string& text, SelectionValue& value);

/// A selection of particles: a term such as "name OW", or other selections combined.
struct Selection {
  enum class Kind {
    all,      ///< all particles
    term,     ///< particles whose field has one of the values
    group,    ///< particles of the groups that are the values, before list_groups()
    listed,   ///< particles of the list
    every,    ///< "and" of the parts
    any,      ///< "or" of the parts
    opposite  ///< "not" of the one part
  };
  Kind kind = Kind::all;
  ParticleField field = ParticleField::index;  ///< of a term
  std::vector<SelectionValue> values;          ///< of a term, or names of groups
  SharedParticleList list;                     ///< of `listed`
  std::vector<Selection> parts;                ///< of `every`, `any` and `opposite`
};

/// Makes lists of the groups in a selection. `find(name)` returns the list of a group.
template <class Find>
void list_groups(Selection& selection, Find find) {
  for (Selection& part : selection.parts) {
    list_groups(part, find);
  }
  if (selection.kind == Selection::Kind::group) {
    selection.kind = Selection::Kind::any;
    for (const SelectionValue& value : selection.values) {
      Selection& part = selection.parts.emplace_back();
      part.kind = Selection::Kind::listed;
      part.list = find(value.text);
    }
  }
}

/// One entry per particle: 1 if it is selected, else 0. Throws InputError when the
/// table does not have a field of the selection, when no particle has one of its
/// values, when a list has a particle that is not in the table, and for a group.
std::vector<char> select(const Selection& selection, const ParticleTable& table);

}  // namespace starhist::io
