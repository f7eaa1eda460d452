#include "io/formats/h5md/h5md_particles.hh"

#include <algorithm>
#include <numeric>

#include "codelets/core/base/error.hh"
#include "io/formats/h5md/h5md_column_writer.hh"
#include "io/hdf5/hdf5_read.hh"
#include "io/particles/elements.hh"
#include "io/particles/particle_field.hh"

namespace starhist::io {
namespace {

constexpr const char* advice = " (selections need the same particles in every frame)";

/// Fields that H5MD does not define, but that a file may have as datasets.
constexpr ParticleField further_fields[] = {
    ParticleField::name,         ParticleField::type,    ParticleField::element,
    ParticleField::residue_name, ParticleField::residue, ParticleField::insertion_code,
    ParticleField::chain,        ParticleField::segment, ParticleField::molecule};

[[noreturn]] void refuse_size(hid_t dataset, std::size_t values, std::uint64_t count) {
  throw InputError(hdf5_location(dataset) + ": has " + std::to_string(values) +
                   " values for " + std::to_string(count) + " particles");
}

template <class Value>
std::vector<Value> at_rows(const std::vector<Value>& values, hid_t dataset,
                           std::uint64_t particle_count,
                           const std::vector<std::uint32_t>& rows,
                           const std::vector<std::uint32_t>& order) {
  if (values.size() != particle_count) {
    refuse_size(dataset, values.size(), particle_count);
  }
  std::vector<Value> column;
  column.reserve(rows.size());
  for (const std::uint32_t place : order) {
    column.push_back(values[rows[place]]);
  }
  return column;
}

bool holds_text(hid_t dataset) {
  const Hdf5Object type =
      own_hdf5<InputError>(H5Dget_type(dataset), H5Tclose, dataset, "", "has no type");
  return H5Tget_class(type.get()) == H5T_STRING;
}

/// Converts numbers to words of selections: type numbers, and elements from atomic
/// numbers.
std::vector<std::string> number_words(hid_t dataset, ParticleField field) {
  std::vector<std::string> words;
  for (const std::int64_t number : read_hdf5_whole_numbers(dataset)) {
    words.push_back(field == ParticleField::element ? element_of_number(number)
                                                    : std::to_string(number));
  }
  return words;
}

}  // namespace

H5mdParticles::H5mdParticles(hid_t particle_group, const H5mdSampling& frames,
                             std::uint64_t particle_count, bool nan_filled,
                             const std::function<std::uint64_t(bool)>& first_end)
    : labels_(particle_group, frames, particle_count, nan_filled),
      presence_(particle_group, frames, particle_count, H5mdPresence::OtherIds::unread),
      particle_count_(particle_count),
      place_(hdf5_location(particle_group)) {
  if (hdf5_exists(particle_group, "id")) {
    id_.emplace(particle_group, "id", frames, H5mdMatch::Rule::same_step,
                particle_count);
  }
  go_to(0);
  presence_.end_at(first_end(tell_absent()));
  find_rows();
  table_.count = rows_.size();
  const bool told = hdf5_exists(particle_group, "species") ||
                    hdf5_exists(particle_group, "species_label");
  for (const std::uint32_t place : order_) {
    const std::uint32_t row = rows_[place];
    const std::string name = name_of(row);
    table_.species.push_back(name);
    if (told) {
      (labels_.have_names() ? table_.name : table_.type).push_back(name);
    }
    if (id_) {
      table_.id.push_back(id_->values()[row]);
    }
  }
  const auto twice = std::adjacent_find(table_.id.begin(), table_.id.end());
  if (twice != table_.id.end()) {
    throw InputError(place_ + ": two particles of frame 0 have the id " +
                     std::to_string(*twice));
  }
  read_columns(particle_group, particle_count);
}

std::string H5mdParticles::name_of(std::uint32_t row) const {
  try {
    return labels_.name(labels_.values()[row]);
  } catch (const InputError& error) {
    throw InputError(place_ + "/species: particle " + std::to_string(row) + ": " +
                     error.what());
  }
}

bool H5mdParticles::go_to(std::uint64_t frame) {
  const bool labels = labels_.read(frame);
  const bool presence = presence_.read(frame);
  const bool ids = id_ && id_->read(frame);
  return labels || presence || ids;
}

void H5mdParticles::find_rows() {
  rows_.clear();
  without_species_.clear();
  for (std::uint32_t row = 0; row < particle_count_; ++row) {
    if (!presence_.present(row)) {
      continue;
    }
    (labels_.absent(labels_.values()[row]) ? without_species_ : rows_).push_back(row);
  }
  order_.resize(rows_.size());
  std::iota(order_.begin(), order_.end(), std::uint32_t{0});
  if (id_) {
    const std::vector<std::int64_t>& ids = id_->values();
    std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
      return ids[rows_[a]] < ids[rows_[b]];
    });
  }
  sorted_ = std::is_sorted(order_.begin(), order_.end());
}

void H5mdParticles::read_columns(hid_t particle_group, std::uint64_t particle_count) {
  const auto is_column = [&](const std::string& name) {
    return hdf5_exists(particle_group, name) && !hdf5_is_group(particle_group, name);
  };
  for (const ParticleField field : further_fields) {
    if (!is_column(word_of(field))) {
      continue;
    }
    const Hdf5Object dataset = open_hdf5_dataset(particle_group, word_of(field));
    const bool text = holds_text(dataset.get());
    if (text && is_number(field)) {
      throw InputError(hdf5_location(dataset.get()) + ": contains text, but \"" +
                       word_of(field) + "\" is a number (rename it, or write numbers)");
    }
    if (is_number(field)) {
      number_column(table_, field) =
          at_rows(read_hdf5_whole_numbers(dataset.get()), dataset.get(), particle_count,
                  rows_, order_);
      table_.molecule_zero_is_none = table_.molecule_zero_is_none ||
                                     (field == ParticleField::molecule &&
                                      H5Aexists(dataset.get(), h5md_zero_is_none) > 0);
    } else {
      text_column(table_, field) = at_rows(
          text ? read_hdf5_strings(dataset.get()) : number_words(dataset.get(), field),
          dataset.get(), particle_count, rows_, order_);
    }
  }
  if (is_column(h5md_residue_index)) {
    const Hdf5Object dataset = open_hdf5_dataset(particle_group, h5md_residue_index);
    const std::vector<std::int64_t> residues =
        at_rows(read_hdf5_whole_numbers(dataset.get()), dataset.get(), particle_count,
                rows_, order_);
    table_.part.assign(residues.begin(), residues.end());
    table_.molecule_divides_residues = false;
  }
  const auto read_reals = [&](const char* name, std::vector<double>& column) {
    if (hdf5_exists(particle_group, name)) {
      H5mdElement element(particle_group, name);
      if (element.values().count() == 0) {
        return;  // created by the writer, but never written
      }
      std::vector<double> values(element.values().row_size());
      element.values().read(0, H5T_NATIVE_DOUBLE, values.data());
      column =
          at_rows(values, element.values().dataset(), particle_count, rows_, order_);
    }
  };
  read_reals("mass", table_.mass);
  read_reals("charge", table_.charge);
}

const std::vector<std::uint32_t>& H5mdParticles::rows(std::uint64_t frame,
                                                      std::uint64_t end) {
  const bool moved = go_to(frame);
  if (presence_.end_at(end) || moved || !valid_) {
    valid_ = false;  // until the read has succeeded
    find_rows();
    check_same();
    valid_ = true;
  }
  return rows_;
}

void H5mdParticles::check_same() const {
  if (rows_.size() != table_.count) {
    throw InputError(place_ + ": has " + std::to_string(rows_.size()) +
                     " particles, but in the first frame " +
                     std::to_string(table_.count) + advice);
  }
  for (std::size_t k = 0; k < order_.size(); ++k) {
    const std::uint32_t row = rows_[order_[k]];
    if (id_ && id_->values()[row] != table_.id[k]) {
      throw InputError(
          place_ + ": has a particle of id " + std::to_string(id_->values()[row]) +
          " where the first frame has " + std::to_string(table_.id[k]) + advice);
    }
    const std::string name = name_of(row);
    if (name != table_.species[k]) {
      throw InputError(place_ + ": particle " + std::to_string(k + 1) +
                       " is of species " + name + ", but in the first frame " +
                       table_.species[k] + advice);
    }
  }
}

void H5mdParticles::sort(std::vector<double>& positions) {
  if (sorted_) {
    return;
  }
  scratch_.resize(positions.size());
  for (std::size_t k = 0; k < order_.size(); ++k) {
    std::copy_n(&positions[3 * std::size_t{order_[k]}], 3, &scratch_[3 * k]);
  }
  positions.swap(scratch_);
}

}  // namespace starhist::io
