#include "io/result/result_header.hh"

#include <algorithm>

#include "codelets/core/base/error.hh"
#include "codelets/core/counting/bin_position.hh"
#include "io/hdf5/h5md_root.hh"
#include "io/hdf5/hdf5_read.hh"
#include "io/hdf5/hdf5_write.hh"
#include "io/result/result_layout.hh"
#include "io/result/result_rows.hh"

namespace starhist::io {
namespace {

using Version = std::vector<std::int32_t>;

void write_h5md(hid_t file, const HistogramLayout& layout,
                const result_layout::KindOfResult& kind) {
  write_h5md_root(file, layout.length_unit);
  const Hdf5Object module = create_hdf5_group(file, kind.module);
  const std::int32_t version = result_layout::version_of(
      kind, layout.bins.uniform(), layout.plane, layout.region.shape);
  write_hdf5_attribute(
      module.get(), "version",
      Version{version, version == kind.version ? kind.minor_version : 0});
}

void write_parameters(hid_t file, const HistogramLayout& layout, double edge_shift) {
  const Hdf5Object group = create_hdf5_group(file, result_layout::parameters);
  const Hdf5Object r_max =
      write_hdf5_numbers<double>(group.get(), "r_max", {layout.bins.r_max}, {});
  write_hdf5_unit(r_max.get(), layout.length_unit);
  // starhist reads these attributes rather than `unit`, a variable-length string. It
  // lies in a heap, and HDF5 (1.10 to 1.14) hangs if the file is damaged there.
  write_hdf5_attribute(group.get(), result_layout::length_unit, layout.length_unit);
  write_hdf5_attribute(group.get(), result_layout::time_unit, layout.time_unit);
  write_hdf5_numbers<std::uint32_t>(group.get(), "bin_count", {layout.bins.count}, {});
  const Hdf5Object r_min =
      write_hdf5_numbers<double>(group.get(), "r_min", {layout.bins.r_min()}, {});
  write_hdf5_unit(r_min.get(), layout.length_unit);
  write_hdf5_numbers<std::uint32_t>(group.get(), "bins_below", {layout.bins.below}, {});
  if (layout.bins.uniform()) {
    write_hdf5_numbers<double>(group.get(), result_layout::edge_shift, {edge_shift},
                               {});
  } else {
    write_hdf5_attribute(group.get(), result_layout::bins,
                         std::string(result_layout::between_edges));
  }
  write_hdf5_attribute(group.get(), result_layout::exclusion,
                       to_string(layout.exclusion));
  if (layout.plane != Plane::none) {
    write_hdf5_attribute(group.get(), result_layout::plane, to_string(layout.plane));
  }
  if (layout.region.shape != Region::Shape::box) {
    write_hdf5_attribute(group.get(), result_layout::geometry,
                         to_string(layout.region.shape));
    const Hdf5Object extent = write_hdf5_numbers<double>(
        group.get(), result_layout::extent, {layout.region.size}, {});
    write_hdf5_unit(extent.get(),
                    scale_power(layout.length_unit, size_dimension(layout.region)));
  }
}

/// Writes the element datasets, which older results, and results without known
/// elements, lack.
void write_elements(hid_t histogram, const std::vector<SpeciesElement>& elements) {
  std::vector<std::string> symbols;
  std::vector<std::string> sources;
  for (const SpeciesElement& species : elements) {
    symbols.push_back(species.element);
    sources.push_back(species.source);
  }
  if (std::any_of(symbols.begin(), symbols.end(),
                  [](const std::string& symbol) { return !symbol.empty(); })) {
    write_hdf5_strings(histogram, result_layout::element, symbols);
    write_hdf5_strings(histogram, result_layout::element_source, sources);
  }
}

/// Creates a group that tracks the creation order of its attributes.
Hdf5Object create_ordered_group(hid_t file, const std::string& path) {
  constexpr const char* problem = "cannot be created";
  const Hdf5Object creation =
      own_hdf5<RunError>(H5Pcreate(H5P_GROUP_CREATE), H5Pclose, file, path, problem);
  check_hdf5<RunError>(
      H5Pset_attr_creation_order(creation.get(),
                                 H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED),
      file, path, problem);
  return own_hdf5<RunError>(
      H5Gcreate2(file, path.c_str(), H5P_DEFAULT, creation.get(), H5P_DEFAULT),
      H5Gclose, file, path, problem);
}

}  // namespace

void write_result_header(hid_t file, const HistogramLayout& layout, double edge_shift,
                         const result_layout::KindOfResult& kind) {
  write_h5md(file, layout, kind);
  write_parameters(file, layout, edge_shift);
  const Hdf5Object group = create_hdf5_group(file, kind.counts);
  write_hdf5_strings(group.get(), "species", layout.species);
  write_elements(group.get(), layout.elements);
  if (!layout.selections.empty()) {
    write_hdf5_strings(group.get(), result_layout::selection, layout.selections);
  }
  std::vector<std::int32_t> pair_species;
  for (const SpeciesPair& pair : layout.pairs) {
    pair_species.push_back(static_cast<std::int32_t>(pair.first.get()));
    pair_species.push_back(static_cast<std::int32_t>(pair.second.get()));
  }
  write_hdf5_numbers(group.get(), "pair_species", pair_species,
                     {layout.pairs.size(), 2});
  const Hdf5Object edges =
      write_hdf5_numbers(group.get(), "bin_edges", bin_edges(layout.bins),
                         {layout.bins.count + hsize_t{1}});
  write_hdf5_unit(edges.get(), layout.length_unit);
}

double read_edge_shift(hid_t file) {
  const Hdf5Object group = open_hdf5_group(file, result_layout::parameters);
  if (!hdf5_exists(group.get(), result_layout::edge_shift)) {
    const bool explicit_edges = hdf5_has_attribute(group.get(), result_layout::bins);
    return explicit_edges ? starhist::edge_shift : 0.0;
  }
  const Hdf5Object dataset = open_hdf5_dataset(group.get(), result_layout::edge_shift);
  const bool scalar = hdf5_shape(dataset.get()).empty();
  const double shift = scalar ? read_hdf5_numbers<double>(dataset.get()).at(0) : -1.0;
  if (shift != 0.0 && shift != starhist::edge_shift) {
    throw InputError(hdf5_location(group.get(), result_layout::edge_shift) +
                     ": these edges of bins are unknown (the file was written by a "
                     "newer starhist, or it is damaged): update starhist");
  }
  return shift;
}

void write_run_record(hid_t file, const RunRecord& record) {
  if (hdf5_exists(file, result_layout::provenance)) {
    check_hdf5<RunError>(H5Ldelete(file, result_layout::provenance, H5P_DEFAULT), file,
                         result_layout::provenance, "cannot be replaced");
  }
  const Hdf5Object group = create_ordered_group(file, result_layout::provenance);
  std::string version = "unknown";
  for (const auto& [name, value] : record) {
    write_hdf5_attribute(group.get(), name, value);
    version = name == "version" ? value : version;
  }
  const Hdf5Object creator = open_hdf5_group(file, "h5md/creator");
  write_hdf5_attribute(creator.get(), "version", version);
}

RunRecord merged(RunRecord first, const RunRecord& second) {
  for (const auto& entry : second) {
    const auto known = std::find_if(
        first.begin(), first.end(),
        [&entry](const auto& other) { return other.first == entry.first; });
    if (known == first.end()) {
      first.push_back(entry);
    } else {
      known->second = entry.second;
    }
  }
  return first;
}

}  // namespace starhist::io
