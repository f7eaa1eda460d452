#include "io/trajectory/formats.hh"

#include <algorithm>
#include <array>
#include <utility>

#include "codelets/core/base/error.hh"
#include "io/formats/records.hh"
#include "io/hdf5/hdf5_read.hh"
#include "io/particles/alternate_locations.hh"
#include "io/reader/probed_file.hh"
#include "io/trajectory/format_texts.hh"

namespace starhist::io {
namespace {

using Contents = TrajectoryFormat::Contents;

// Kinds of files that users may mistake for trajectories.

TrajectoryFormat starhist_result() {
  return {.name = "result of starhist",
          .contents = Contents::hdf5,
          .probe =
              [](ProbedFile& file) {
                constexpr std::array counts{"observables/pair_distance_histogram",
                                            "observables/van_hove",
                                            "observables/coordination"};
                return std::ranges::any_of(counts, [&](const char* name) {
                  return hdf5_exists(file.hdf5().get(), name);
                });
              },
          .refusal =
              "is a starhist result, not a trajectory (read it with starhist info or "
              "starhist export)"};
}

/// Returns the first format whose probe accepts the file, among those that examine
/// `contents`; null if all reject it.
const TrajectoryFormat* probed(ProbedFile& file, Contents contents) {
  for (const TrajectoryFormat& format : trajectory_formats()) {
    if (format.contents == contents && format.probe != nullptr && format.probe(file)) {
      return &format;
    }
  }
  return nullptr;
}

const TrajectoryFormat* text_format(ProbedFile& file) {
  for (const TrajectoryFormat& format : trajectory_formats()) {
    if (format.by_name && has_extension(format, file.path())) {
      return &format;
    }
  }
  return probed(file, Contents::text);
}

/// Returns the format without a probe that matches the extension of the file, or null.
const TrajectoryFormat* named(const ProbedFile& file) {
  for (const TrajectoryFormat& format : trajectory_formats()) {
    if (format.probe == nullptr && has_extension(format, file.path())) {
      return &format;
    }
  }
  return nullptr;
}

}  // namespace

const std::vector<TrajectoryFormat>& trajectory_formats() {
  static const std::vector<TrajectoryFormat> formats = [] {
    std::vector<TrajectoryFormat> all{
        starhist_result(),    h5md_format(), cadishi_format(), lammps_format(),
        lammps_data_format(), xyz_format(),  pdb_format(),     gro_format(),
        g96_format(),         xtc_format(),  trr_format(),     tng_format(),
        tpr_format(),
    };
#ifdef STARHIST_GEMMI
    all.push_back(mmcif_format());
#endif
    for (TrajectoryFormat& format : python_formats()) {
      all.push_back(std::move(format));
    }
    return all;
  }();
  return formats;
}

const TrajectoryFormat* format_of(ProbedFile& file) {
  const TrajectoryFormat* format = probed(file, Contents::bytes);
  if (format == nullptr && file.may_be_text()) {
    format = text_format(file);
  }
  if (format == nullptr && file.hdf5()) {
    format = probed(file, Contents::hdf5);
  }
  return format == nullptr ? named(file) : format;
}

const TrajectoryFormat* format_by_lines(ProbedFile& file) {
  return file.may_be_text() ? probed(file, Contents::text) : nullptr;
}

const TrajectoryFormat* stream_format_of(const std::string& address) {
  for (const TrajectoryFormat& format : trajectory_formats()) {
    if (!format.scheme.empty() && address.starts_with(format.scheme)) {
      return &format;
    }
  }
  return nullptr;
}

std::string describe_unless_hdf5(const std::string& path, ExternalFiles external) {
  ProbedFile file(path, external);
  if (file.hdf5()) {
    return "";
  }
  const TrajectoryFormat* format = format_of(file);
  return format == nullptr ? "something that looks like " + file.description()
                           : "a file of the format " + format->name;
}

namespace {

/// Reads the structure with all alternate locations.
SharedStructure read_whole_structure(const std::string& path) {
  check_is_file(path);
  std::string refusals;
  for (const TrajectoryFormat& format : trajectory_formats()) {
    if (format.read_structure != nullptr && has_extension(format, path)) {
      try {
        return format.read_structure(path);
      } catch (const InputError& error) {
        const std::string name = path + ": ";
        const std::string text = error.what();
        const bool is_named = text.starts_with(name);
        refusals +=
            refusals.empty() || !is_named ? text : "; " + text.substr(name.size());
      }
    }
  }
  if (!refusals.empty()) {
    throw InputError(refusals);
  }
  ProbedFile file(path);
  const TrajectoryFormat* format = format_of(file);
  if (format != nullptr && format->read_structure != nullptr) {
    return format->read_structure(path);
  }
  throw InputError(
      path +
      ": is not a structure (files of --structure are recognized by their extension: " +
      structure_format_names() + ")");
}

}  // namespace

SharedStructure read_structure(const std::string& path, const std::string& altloc) {
  SharedStructure whole = read_whole_structure(path);
  if (whole->particles.alternate_location.empty()) {
    return whole;
  }
  auto chosen = std::make_shared<Structure>(*whole);
  try {
    const std::string remark = keep_chosen(choose_locations(whole->particles, altloc),
                                           altloc, chosen->particles);
    if (!remark.empty()) {
      chosen->remarks.push_back(path + ": " + remark);
    }
  } catch (const InputError& error) {
    throw InputError(path + ": " + error.what());
  }
  return chosen;
}

}  // namespace starhist::io
