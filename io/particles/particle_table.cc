#include "io/particles/particle_table.hh"

#include <algorithm>

#include "codelets/core/base/error.hh"
#include "io/particles/particle_field.hh"

namespace starhist::io {
namespace {

constexpr const char* advice =
    " (files of one trajectory need the same particles: count each file separately, "
    "and "
    "combine the results with starhist merge)";

template <class Value>
[[noreturn]] void refuse(const std::string& path, std::size_t particle,
                         ParticleField field, const Value& value,
                         const std::string& first_path, const Value& first) {
  throw InputError(path + ": particle " + std::to_string(particle + 1) + " has " +
                   word_of(field) + " " + value + ", but in " + first_path + " " +
                   first + advice);
}

void check_column(ParticleField field, const ParticleTable& table,
                  const std::string& path, const ParticleTable& first,
                  const std::string& first_path) {
  if (has_field(table, field) != has_field(first, field)) {
    const bool here = has_field(table, field);
    throw InputError((here ? first_path : path) + ": does not specify " +
                     word_of(field) + " of its particles, but " +
                     (here ? path : first_path) +
                     " does (files of one trajectory must agree)");
  }
  const auto compare = [&](const auto& column, const auto& first_column,
                           const auto& text) {
    const auto difference =
        std::mismatch(column.begin(), column.end(), first_column.begin());
    if (difference.first != column.end()) {
      refuse(path, static_cast<std::size_t>(difference.first - column.begin()), field,
             text(*difference.first), first_path, text(*difference.second));
    }
  };
  if (is_number(field)) {
    compare(number_column(table, field), number_column(first, field),
            [](std::int64_t number) { return std::to_string(number); });
  } else {
    compare(text_column(table, field), text_column(first, field),
            [](const std::string& word) { return "'" + word + "'"; });
  }
}

}  // namespace

void fill_species(ParticleTable& table) {
  if (!table.species.empty()) {
    return;
  }
  for (const auto* column : {&table.name, &table.type, &table.element}) {
    if (!column->empty()) {
      table.species = *column;
      std::replace(table.species.begin(), table.species.end(), std::string(),
                   std::string("unnamed"));
      return;
    }
  }
  table.species.assign(table.count, "all");
}

void check_same_particles(const ParticleTable& table, const std::string& path,
                          const ParticleTable& first, const std::string& first_path) {
  if ((table.count == 0) != (first.count == 0)) {
    throw InputError(path + " and " + first_path +
                     " are of formats that describe species and particles in different "
                     "ways; to read both, define species with --species and rules that "
                     "select particles, such as \"A=name OW; ...\"");
  }
  if (table.count != first.count) {
    throw InputError(path + ": has " + std::to_string(table.count) +
                     " particles, but " + first_path + " " +
                     std::to_string(first.count) + advice);
  }
  for (std::size_t k = 0; k < column_fields; ++k) {
    check_column(column_field(k), table, path, first, first_path);
  }
}

}  // namespace starhist::io
