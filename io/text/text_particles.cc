#include "io/text/text_particles.hh"

#include <algorithm>
#include <numeric>
#include <string>
#include <unordered_map>

#include "codelets/core/base/error.hh"
#include "io/particles/elements.hh"

namespace starhist::io {
namespace {

constexpr const char* advice =
    " (--structure and rules of --species need the same particles in every frame: "
    "without them the number may change, and --unit replaces the unit of a structure; "
    "otherwise --last ends before it, --skip-bad-frames leaves it out)";

template <class Value>
void reorder(std::vector<Value>& column, const std::vector<std::size_t>& order) {
  if (column.empty()) {
    return;
  }
  std::vector<Value> sorted;
  sorted.reserve(order.size());
  for (const std::size_t from : order) {
    sorted.push_back(std::move(column[from]));
  }
  column.swap(sorted);
}

[[noreturn]] void refuse_other(std::size_t place, ParticleField field,
                               std::string_view text) {
  throw InputError("particle " + std::to_string(place + 1) + " has " + word_of(field) +
                   " " + std::string(text) + ", but another one in the first frame" +
                   advice);
}

std::string element_of_field(std::string_view atomic_number) {
  const std::int64_t number = whole_field(atomic_number, "atomic number");
  std::string element = element_of_number(number);
  if (element.empty() && number != 0) {  // 0: a site without an atom
    throw InputError("'" + std::string(atomic_number) + "' is not an atomic number");
  }
  return element;
}

}  // namespace

void TextParticles::add(const ParticleColumns& columns,
                        const std::vector<std::string_view>& fields) {
  for (std::size_t k = 0; k < column_fields; ++k) {
    if (!columns.field[k]) {
      continue;
    }
    const ParticleField field = column_field(k);
    const std::string_view text = fields[*columns.field[k]];
    if (is_number(field)) {
      number_column(table_, field).push_back(whole_field(text, word_of(field).c_str()));
    } else {
      text_column(table_, field).emplace_back(text);
    }
  }
  if (columns.atomic_number) {
    table_.element.push_back(element_of_field(fields[*columns.atomic_number]));
  }
  if (columns.mass) {
    table_.mass.push_back(real_field(fields[*columns.mass], "mass"));
  }
  if (columns.charge) {
    table_.charge.push_back(real_field(fields[*columns.charge], "charge"));
  }
  ++table_.count;
}

const ParticleTable& TextParticles::finish() {
  table_.molecule_zero_is_none = true;
  fill_species(table_);
  if (!table_.id.empty()) {
    std::vector<std::size_t> order(table_.count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
      return table_.id[a] < table_.id[b];
    });
    for (std::size_t k = 0; k < column_fields; ++k) {
      const ParticleField field = column_field(k);
      is_number(field) ? reorder(number_column(table_, field), order)
                       : reorder(text_column(table_, field), order);
    }
    reorder(table_.mass, order);
    reorder(table_.charge, order);
    const auto twice = std::adjacent_find(table_.id.begin(), table_.id.end());
    if (twice != table_.id.end()) {
      throw InputError("the id " + std::to_string(*twice) + " stands twice in a frame");
    }
  }
  expect_table();
  return table_;
}

void TextParticles::expect_table() {
  std::unordered_map<std::string, std::uint32_t> first;
  std::string texts;
  expected_.resize(table_.count);
  for (std::uint32_t particle = 0; particle < table_.count; ++particle) {
    texts.clear();
    for (std::size_t k = 0; k < column_fields; ++k) {
      const ParticleField field = column_field(k);
      if (!is_number(field) && has_field(table_, field)) {
        texts += text_column(table_, field)[particle] + ' ';  // texts have no blanks
      }
    }
    const auto entry = [particle](const std::vector<std::int64_t>& column) {
      return column.empty() ? 0 : column[particle];
    };
    expected_[particle] = {entry(table_.id), entry(table_.residue),
                           entry(table_.molecule),
                           first.emplace(texts, particle).first->second, 0};
  }
}

void TextParticles::start_frame(const TextFile& file, std::uint64_t count) {
  if (count != table_.count) {
    throw InputError(file.last_line_position() + ": the frame has " +
                     std::to_string(count) + " particles, but the first frame " +
                     std::to_string(table_.count) + advice);
  }
  ++frame_;
  lines_ = 0;
}

std::size_t TextParticles::index_of_id(std::int64_t id) const {
  // Ids usually are consecutive.
  const auto guess =
      static_cast<std::uint64_t>(id) - static_cast<std::uint64_t>(table_.id.front());
  if (guess < expected_.size() && expected_[guess].id == id) {
    return guess;
  }
  const auto found = std::lower_bound(table_.id.begin(), table_.id.end(), id);
  if (found == table_.id.end() || *found != id) {
    throw InputError("the particle of id " + std::to_string(id) +
                     " is not in the first frame" + advice);
  }
  return static_cast<std::size_t>(found - table_.id.begin());
}

std::size_t TextParticles::place(const ParticleColumns& columns,
                                 const std::vector<std::string_view>& fields) {
  std::size_t place = lines_++;
  const auto& id = columns.field[static_cast<std::size_t>(ParticleField::id)];
  if (id && !table_.id.empty()) {
    const std::int64_t number = whole_field(fields[*id], "id");
    // Most files are sorted.
    place = expected_[place].id == number ? place : index_of_id(number);
    if (expected_[place].frame == frame_) {
      throw InputError("the id " + std::to_string(number) + " stands twice in a frame");
    }
    expected_[place].frame = frame_;
  }
  check_same(place, columns, fields);
  return place;
}

void TextParticles::check_same(std::size_t place, const ParticleColumns& columns,
                               const std::vector<std::string_view>& fields) const {
  for (std::size_t k = 0; k < column_fields; ++k) {
    const ParticleField field = column_field(k);
    if (!has_field(table_, field)) {
      continue;
    }
    if (!columns.field[k]) {
      if (field == ParticleField::species) {
        continue;  // not a column of the file but a default
      }
      if (field == ParticleField::element && columns.atomic_number) {
        check_same_element(place, columns, fields);
        continue;
      }
      throw InputError("it has no column for " + word_of(field) +
                       ", which the first frame has");
    }
    if (field == ParticleField::id) {
      continue;  // place() checks ids
    }
    const std::string_view text = fields[*columns.field[k]];
    const Expected& expected = expected_[place];
    const bool same = field == ParticleField::residue
                          ? whole_field(text, "residue") == expected.residue
                      : field == ParticleField::molecule
                          ? whole_field(text, "molecule") == expected.molecule
                          : text == text_column(table_, field)[expected.alike];
    if (!same) {
      refuse_other(place, field, text);
    }
  }
}

void TextParticles::check_same_element(
    std::size_t place, const ParticleColumns& columns,
    const std::vector<std::string_view>& fields) const {
  const std::string element = element_of_field(fields[*columns.atomic_number]);
  if (element != table_.element[expected_[place].alike]) {
    refuse_other(place, ParticleField::element, element);
  }
}

}  // namespace starhist::io
