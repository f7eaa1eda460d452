#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/particles/particle_field.hh"
#include "io/particles/particle_list.hh"

namespace starhist::io {

/// A value that a selection term compares with a field: a word or a pattern for text, a
/// range for numbers.
struct SelectionValue {
  std::string text;        ///< as written by the user
  bool pattern = false;    ///< *, ? and [..] in `text` are wildcards
  std::int64_t first = 0;  ///< numbers from first to last (inclusive) match
  std::int64_t last = 0;
  /// Text fields: `text` is also a range of numbers, used if all particles have numbers
  /// in the field, as LAMMPS types.
  bool range = false;
};

/// Sets first and last from "7", "1-100", or LAMMPS ranges "1*3", "*3", "2*" and "*";
/// open ends become the limits of std::int64_t. False if the text has another form.
bool set_range(const std::string& text, SelectionValue& value);

/// A selection of particles: a term such as "name OW", or a combination of selections.
struct Selection {
  enum class Kind {
    all,   ///< all particles
    term,  ///< particles whose field has one of the values
    /// particles of the groups named in `values`, until list_groups() resolves them
    group,
    listed,    ///< particles in `list`
    every,     ///< "and" of `parts`
    any,       ///< "or" of `parts`
    opposite,  ///< "not" of the only part
    compare,   ///< particles whose `quantity` compares with `number`
    within,    ///< particles up to the distance `number` from one of the only part
    beyond,    ///< the other particles
    same,      ///< particles of the residues, molecules or chains of the only part
    keyword    ///< the keyword in `values`: is_selection_keyword()
  };
  /// Coordinates are compared as stored in the file, not wrapped into the box.
  enum class Quantity { x, y, z, mass, charge };
  enum class Comparison { less, at_most, more, at_least, equal, different };
  enum class Same { residue, molecule, chain };
  Kind kind = Kind::all;
  ParticleField field = ParticleField::index;  ///< for `term`
  std::vector<SelectionValue> values;  ///< for `term`; names of groups for `group`
  SharedParticleList list;             ///< for `listed`
  std::vector<Selection> parts;        ///< for kinds with parts
  Quantity quantity = Quantity::x;     ///< for `compare`
  Comparison comparison = Comparison::less;  ///< for `compare`
  /// for `compare`; for `within` and `beyond` [file's length unit, > 0]
  double number = 0.0;
  Same same_by = Same::residue;  ///< for `same`
};

/// Whether the selection depends on positions, so that it may change between frames.
bool changes(const Selection& selection);

/// Whether value `comparison` number holds.
bool compares(double value, Selection::Comparison comparison, double number);

/// Number of the residue, molecule or chain of each particle, from 0; equal chains have
/// the same identifier. Throws InputError if the table lacks them.
std::vector<std::uint32_t> numbers_of(Selection::Same same_by,
                                      const ParticleTable& table);

/// Replaces the groups in a selection by lists. `find(name)` returns the list of a
/// group.
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

/// Returns one entry per particle: 1 if it is selected, otherwise 0. For selections
/// that do not change between frames. Throws InputError when the table lacks a property
/// that the selection needs, when a value matches no particle, when a list contains a
/// particle beyond the table, and for an unresolved group.
std::vector<char> select(const Selection& selection, const ParticleTable& table);

}  // namespace starhist::io
