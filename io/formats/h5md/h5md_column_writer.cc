#include "io/formats/h5md/h5md_column_writer.hh"

#include <string>
#include <utility>

#include "io/hdf5/hdf5_write.hh"
#include "io/particles/particle_compounds.hh"
#include "io/particles/particle_field.hh"

namespace starhist::io {
namespace {

template <class Value>
std::vector<Value> at_places(const std::vector<Value>& values,
                             const std::vector<std::uint32_t>& places) {
  std::vector<Value> rows;
  rows.reserve(places.size());
  for (const std::uint32_t place : places) {
    rows.push_back(values[place]);
  }
  return rows;
}

void write_column(hid_t group, const ParticleTable& table, ParticleField field,
                  const std::vector<std::uint32_t>& places) {
  const std::string name = word_of(field);
  if (!is_number(field)) {
    write_hdf5_strings(group, name, at_places(text_column(table, field), places));
    return;
  }
  const Hdf5Object dataset = write_hdf5_numbers(
      group, name, at_places(number_column(table, field), places), {places.size()});
  if (field == ParticleField::molecule && table.molecule_zero_is_none) {
    write_hdf5_attribute(dataset.get(), h5md_zero_is_none, std::int32_t{1});
  }
}

/// Whether residues derived from the columns in the file could differ from the table's:
/// for example, residues of equal numbers are neighbours if atoms between are left out.
bool needs_residue_index(const ParticleTable& table,
                         const std::vector<std::uint32_t>& places) {
  return !table.residue.empty() &&
         (places.size() != table.count || !table.part.empty() ||
          (!table.molecule_divides_residues && !table.molecule.empty()));
}

}  // namespace

void write_h5md_columns(hid_t particle_group, const ParticleTable& table,
                        const std::vector<std::uint32_t>& places, bool with_id) {
  for (std::size_t k = 0; k < column_fields; ++k) {
    const ParticleField field = column_field(k);
    const bool written = field == ParticleField::species ||  // as an enumeration
                         (field == ParticleField::id && !with_id);
    if (!written && has_field(table, field)) {
      write_column(particle_group, table, field, places);
    }
  }
  if (needs_residue_index(table, places)) {
    write_hdf5_numbers(particle_group, h5md_residue_index,
                       at_places(ParticleCompounds(table).residue, places),
                       {places.size()});
  }
  for (const auto& [name, column] :
       {std::pair("mass", &table.mass), std::pair("charge", &table.charge)}) {
    if (!column->empty()) {
      write_hdf5_numbers(particle_group, name, at_places(*column, places),
                         {places.size()});
    }
  }
}

}  // namespace starhist::io
