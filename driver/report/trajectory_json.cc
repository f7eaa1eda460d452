#include "driver/report/trajectory_json.hh"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "codelets/core/base/error.hh"
#include "driver/run/version.hh"
#include "io/files/json_text.hh"
#include "io/particles/particle_compounds.hh"
#include "io/particles/particle_field.hh"

namespace starhist::driver {
namespace {

using Json = nlohmann::ordered_json;

Json text_or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

Json box_json(const Box& box) {
  Json matrix = Json::array();
  for (const Vec3& edge : box.edges()) {
    matrix.push_back({edge.x, edge.y, edge.z});
  }
  return {{"kind", to_string(box.kind())},
          {"periodic", box.periodic()},
          {"matrix", matrix}};
}

Json frame_json(const Frame& frame) {
  return {{"index", frame.index.get()},
          {"step", frame.step},
          {"time", std::isnan(frame.time) ? Json(nullptr) : Json(frame.time)},
          {"particles", frame.particle_count()},
          {"box", box_json(frame.box)}};
}

/// The table's columns, and the index from 0 of each particle's residue and molecule.
Json columns_json(const io::ParticleTable& table,
                  const io::ParticleCompounds& compounds) {
  Json columns = Json::object();
  for (std::size_t k = 0; k < io::column_fields; ++k) {
    const io::ParticleField field = io::column_field(k);
    if (!io::has_field(table, field)) {
      continue;
    }
    if (io::is_number(field)) {
      columns[io::word_of(field)] = io::number_column(table, field);
    } else {
      columns[io::word_of(field)] = io::text_column(table, field);
    }
  }
  if (!table.mass.empty()) {
    columns["mass"] = table.mass;
  }
  if (!table.charge.empty()) {
    columns["charge"] = table.charge;
  }
  if (!compounds.residue.empty()) {
    columns["residue_index"] = compounds.residue;
  }
  if (!compounds.molecule.empty()) {
    columns["molecule_index"] = compounds.molecule;
  }
  return columns;
}

std::size_t count_of(const std::vector<std::uint32_t>& compounds) {
  std::size_t count = 0;
  for (const std::uint32_t compound : compounds) {
    count = std::max<std::size_t>(count, compound + std::size_t{1});
  }
  return count;
}

/// Sources of the parts of the trajectory.
Json from_json(const io::ReadFrom& from) {
  return {{"box", from.box},
          {"periodic", from.periodic},
          {"names", from.names},
          {"elements", from.elements},
          {"elements_by_rule", text_or_null(from.elements_by_rule)},
          {"residues", from.residues},
          {"times", from.times},
          {"units", from.units},
          {"assumptions", from.assumptions}};
}

/// Adds the properties of single particles, or the reason why they are unknown.
void add_particles(Json& json, const std::string& path, io::ReadOptions reading,
                   bool columns) {
  reading.species.clear();
  reading.per_particle = true;
  try {
    const auto reader = io::open_trajectory({path}, reading);
    const io::ParticleTable& table = reader->info().particles;
    const io::ParticleCompounds compounds(table);
    const Json all = columns_json(table, compounds);
    Json fields = Json::array();
    for (const auto& item : all.items()) {
      fields.push_back(item.key());
    }
    json["fields"] = fields;
    json["residues"] =
        compounds.residue.empty() ? Json(nullptr) : Json(count_of(compounds.residue));
    json["molecules"] =
        compounds.molecule.empty() ? Json(nullptr) : Json(count_of(compounds.molecule));
    if (columns) {
      json["particles"] = all;
    }
  } catch (const InputError& error) {
    json["fields"] = Json::array();
    json["no_fields_because"] = error.what();
  }
}

}  // namespace

std::string trajectory_json(io::TrajectoryReader& reader,
                            const io::ReadOptions& reading,
                            const JsonContents& contents) {
  const io::TrajectoryInfo& info = reader.info();
  Json json{{"starhist", version()},
            {"files", info.paths},
            {"format", info.format},
            {"group", text_or_null(info.group)},
            {"frame_count", info.stream ? Json(nullptr) : Json(info.frame_count)},
            {"length_unit", text_or_null(info.length_unit)},
            {"time_unit", text_or_null(info.time_unit)}};
  const std::uint64_t count = contents.all_frames ? info.frame_count : 1;
  Json frames = Json::array();
  Json species = Json::array();
  Frame frame;
  bool any_box = false;
  bool any_time = false;
  for (std::uint64_t k = 0; k < count; ++k) {
    reader.read(FrameIndex(k), frame);
    frames.push_back(frame_json(frame));
    any_box = any_box || frame.box.kind() != BoxKind::open;
    any_time = any_time || !std::isnan(frame.time);
    for (std::uint32_t s = 0; k == 0 && s < info.species.size(); ++s) {
      const SpeciesElement element =
          info.elements.empty() ? SpeciesElement() : info.elements[s];
      species.push_back({{"name", info.species[s]},
                         {"particles", frame.particle_count(SpeciesId(s))},
                         {"element", text_or_null(element.element)},
                         {"element_source", text_or_null(element.source)}});
    }
  }
  json["species"] = species;
  json["frames"] = frames;
  if (!info.stream) {  // a stream cannot be opened again
    add_particles(json, info.paths.front(), reading, contents.particles);
  }
  json["from"] = from_json(io::seen_in_frames(info.from, any_box, any_time));
  json["remarks"] = info.remarks;
  json["truncation"] = info.truncation;
  return io::json_text(json) + "\n";
}

}  // namespace starhist::driver
