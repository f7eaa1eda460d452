#include <string>
#include <string_view>

#include "codelets/core/base/error.hh"
#include "io/formats/python/python_decoder.hh"
#include "io/formats/python/python_fields.hh"
#include "io/formats/python/python_reader.hh"
#include "io/formats/records.hh"
#include "io/hdf5/hdf5_read.hh"
#include "io/reader/atom_trajectory.hh"
#include "io/reader/probed_file.hh"
#include "io/text/text_file.hh"

namespace starhist::io {
namespace {

const SharedStructure& required(const SharedStructure& structure,
                                const std::string& address) {
  if (!structure) {
    throw InputError(address +
                     ": does not provide the number of atoms and their names (give "
                     "--structure FILE)");
  }
  return structure;
}

/// Receives the frames of a running simulation with MDAnalysis' IMDReader (interactive
/// molecular dynamics, version 3). Never sends anything that changes the simulation.
class PythonStream : public AtomTrajectory {
 public:
  /// Connects to `address`, "imd://HOST:PORT", and waits for the first frame. Throws
  /// InputError, also without a structure, which is needed for the number of atoms.
  PythonStream(const std::string& address, const ReadOptions& options,
               const SharedStructure& structure)
      : AtomTrajectory(address, "IMD", options, required(structure, address)) {
    info_.stream = true;
    info_.sequential_only = true;
    info_.frame_count = most_stream_frames;
    try {
      decoder_.ask(decoder::Request::open, "IMD", address, structure);
    } catch (const InputError& error) {
      throw InputError(path() + ": " + error.what());
    }
    decoder::Unpacker unpacker(decoder_.content());
    unpacker.take<std::uint64_t>();  // skip the number of frames
    const auto count = unpacker.take<std::uint64_t>();
    const std::string& unit =
        options.length_unit.empty() ? structure->length_unit : options.length_unit;
    info_.length_unit = unit.empty() ? std::string(unpacker.take_text()) : unit;
    set_atoms(count);
    if (info_.length_unit != "A") {
      info_.time_unit.clear();  // the engine's units differ from the protocol's
    }
    if (unit.empty()) {
      info_.remarks.push_back(
          path() +
          ": lengths are assumed to be in Angstrom, as IMD requires "
          "(an engine with other units, such as LAMMPS with units "
          "lj, sends those: give the unit with --unit)");
    }
  }

  /// Waits for the frame, skipping earlier ones. Throws EndOfStream.
  void read(FrameIndex index, Frame& frame) override {
    try {
      if (!decoder_.ask_frame(index.get())) {
        throw EndOfStream(path() + ": frame " + std::to_string(index.get()) +
                          " and later frames: the simulation stopped sending (" +
                          std::string(decoder_.content()) + ")");
      }
      decoder_.take_frame(read_);
      if (!has_fixed_box()) {
        periodicity_.check(read_);
      }
      const decoder::FrameHead& head = read_.head;
      fill(index, {head.step, head.time}, read_.positions, head.box, frame,
           read_.periodic());
    } catch (const InputError& error) {
      throw InputError(path() + ": " + error.what());
    }
  }

 private:
  PythonDecoder decoder_;
  PythonFrame read_;
  PythonPeriodicity periodicity_;
};

using namespace std::string_view_literals;
using Names = TrajectoryFormat::Names;
using Contents = TrajectoryFormat::Contents;

/// Adds functions that open files whose format is called `key` in read_frames.py.
TrajectoryFormat with_frames(const std::string& key, TrajectoryFormat format) {
  format.fields = python_fields(key);
  format.open = [key, name = format.name](ProbedFile& file, const ReadOptions& options,
                                          const SharedStructure& structure) {
    return std::make_unique<PythonReader>(file.path(), name, key, options, structure);
  };
  return format;
}

TrajectoryFormat with_reader(const std::string& key,
                             SharedStructure (*read)(const std::string& path),
                             TrajectoryFormat format) {
  format.fields = python_fields(key);
  format.read_structure = read;
  return format;
}

/// Adds functions that read the atoms of such files.
TrajectoryFormat with_atoms(const std::string& key, TrajectoryFormat format) {
  format.fields = python_fields(key);
  format.read_structure = [key](const std::string& path) {
    return read_python_structure(path, key);
  };
  return format;
}

/// Reads the atoms of a TPR file that libgromacs cannot read.
SharedStructure read_tpr(const std::string& path) {
  try {
    auto structure = std::make_shared<Structure>(*read_python_structure(path, "TPR"));
    structure->remarks.push_back(
        path +
        ": is read by MDAnalysis, because libgromacs cannot read it; MDAnalysis does "
        "not report the pbc of the run, so boxes are periodic along all axes");
    return structure;
  } catch (const InputError& error) {
    const std::string what = error.what();
    if (what.find("EOFError") != std::string::npos) {
      throw InputError(what + ": the file is cut off, so copy it again");
    }
    throw InputError(
        what +
        ": copy a damaged file again; a file of a later GROMACS needs a later "
        "libgromacs, or a later MDAnalysis in the Python that STARHIST_PYTHON names; "
        "`gmx editconf -f a.tpr -o a.gro` makes a structure that needs neither");
  }
}

/// Whether a topology is from GROMACS, according to its first non-blank line: a
/// comment, a directive or a preprocessor line. Amber's begins with %VERSION.
bool is_gromacs_topology(const std::string& path) {
  TextFile file(path);
  std::string_view line;
  while (file.next(line)) {
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin != std::string_view::npos) {
      return ";[#"sv.find(line[begin]) != std::string_view::npos;
    }
  }
  return false;
}

SharedStructure read_top(const std::string& path) {
  return read_python_structure(path, is_gromacs_topology(path) ? "ITP" : "PRMTOP");
}

TrajectoryFormat with_both(const std::string& key, TrajectoryFormat format) {
  return with_frames(key, with_atoms(key, std::move(format)));
}

/// Returns a format with frames whose atoms are named by a structure.
TrajectoryFormat nameless(const char* name, std::vector<std::string> extensions) {
  return {.name = name,
          .extensions = std::move(extensions),
          .contents = Contents::text,
          .names = Names::structure,
          .python_package = "MDAnalysis",
          .known_by = "the ending of the name",
          .species = "atom names of `--structure`; without it all atoms are one"};
}

/// Returns a format with frames that contain atom names.
TrajectoryFormat with_names(const char* name, std::vector<std::string> extensions) {
  return {.name = name,
          .extensions = std::move(extensions),
          .contents = Contents::text,
          .names = Names::file_unless_structure,
          .python_package = "MDAnalysis",
          .known_by = "the ending of the name",
          .species = "atom names or types"};
}

/// Returns a format with atoms but without frames.
TrajectoryFormat topology(const char* name, std::vector<std::string> extensions) {
  return {.name = name,
          .extensions = std::move(extensions),
          .contents = Contents::text,
          .python_package = "MDAnalysis",
          .refusal = "has no frames (give it as --structure of a trajectory)",
          .known_by = "the ending of the name",
          .species = "no frames, only for `--structure`"};
}

TrajectoryFormat known_by_bytes(bool (*probe)(ProbedFile& file),
                                TrajectoryFormat format) {
  format.probe = probe;
  format.contents = Contents::bytes;
  format.known_by = "first bytes";
  return format;
}

TrajectoryFormat binary(TrajectoryFormat format) {
  format.contents = Contents::bytes;
  return format;
}

/// Marks a text format whose lines look like another format.
TrajectoryFormat by_name(TrajectoryFormat format) {
  format.by_name = true;
  return format;
}

TrajectoryFormat known_by_line(TrajectoryFormat format) {
  format.known_by = "the ending of the name; Amber's by `%VERSION` at its beginning";
  return format;
}

/// Marks a format whose files are called HISTORY rather than a.history.
TrajectoryFormat bare(TrajectoryFormat format) {
  format.bare_name = true;
  format.known_by = "the name: only the ending, or a prefix and the ending";
  return format;
}

#ifndef STARHIST_GEMMI
TrajectoryFormat mmcif_without_gemmi() {
  TrajectoryFormat format = with_names("mmCIF", {"cif", "mmcif", "pdbx"});
  format.python_package = "gemmi or MDAnalysis 2.10";
  return with_both("MMCIF", std::move(format));
}
#endif

bool is_netcdf(ProbedFile& file) {
  return file.has_bytes(0, "CDF\x01"sv) || file.has_bytes(0, "CDF\x02"sv) ||
         file.has_bytes(0, "CDF\x05"sv);
}

TrajectoryFormat mdtraj_format() {
  TrajectoryFormat format = with_names("mdtraj HDF5", {"h5"});
  format.contents = Contents::hdf5;
  format.python_package = "h5py";
  format.probe = [](ProbedFile& file) {
    return hdf5_exists(file.hdf5().get(), "coordinates") &&
           hdf5_exists(file.hdf5().get(), "topology");
  };
  format.known_by = "its groups";
  format.compression = "by HDF5";
  return with_frames("mdtraj HDF5", std::move(format));
}

/// Amber's convention in an HDF5 file, which only netCDF4 reads.
TrajectoryFormat amber_netcdf4_format() {
  return {.name = "Amber NetCDF-4",
          .contents = Contents::hdf5,
          .probe =
              [](ProbedFile& file) {
                return hdf5_exists(file.hdf5().get(), "coordinates") &&
                       !hdf5_exists(file.hdf5().get(), "topology");
              },
          .refusal =
              "is NetCDF-4, which is HDF5, but Amber's convention is read only from "
              "classic NetCDF (convert it with `nccopy -k nc3 IN OUT` or cpptraj)"};
}

/// Running simulations instead of files.
TrajectoryFormat imd_format() {
  return {
      .name = "IMD",
      .names = Names::structure,
      .python_package = "MDAnalysis 2.10, imdclient",
      .scheme = "imd://",
      .open_stream =
          [](const std::string& address, const ReadOptions& options,
             const SharedStructure& structure) -> std::unique_ptr<TrajectoryReader> {
        return std::make_unique<PythonStream>(address, options, structure);
      },
      .known_by = "`imd://HOST:PORT` in place of a file",
      .species = "atom names of `--structure`, which it needs",
      .fields = python_fields("IMD")};
}

}  // namespace

std::vector<TrajectoryFormat> python_formats() {
  return {
#ifndef STARHIST_GEMMI
      mmcif_without_gemmi(),
#endif
      mdtraj_format(),
      amber_netcdf4_format(),
      known_by_bytes(
          [](ProbedFile& file) {
            return file.has_bytes(4, "CORD") || file.has_bytes(8, "CORD");
          },
          with_frames("DCD", nameless("DCD", {"dcd"}))),
      known_by_bytes(is_netcdf, with_frames("NCDF", nameless("Amber NetCDF",
                                                             {"nc", "ncdf", "ncrst"}))),
      known_by_bytes(
          [](ProbedFile& file) {
            return file.has_bytes(0, "\xdf\x65\xdf\x65\xdf\x65\xdf\x65"sv);
          },
          with_both("GSD", with_names("GSD", {"gsd"}))),
      with_frames("TRJ", nameless("Amber text", {"mdcrd", "crdbox", "trj"})),
      with_frames("INPCRD", nameless("Amber restart", {"inpcrd", "restrt", "rst7"})),
      with_frames("COOR", binary(nameless("NAMD coordinates", {"coor", "namdbin"}))),
      with_frames("TRZ", binary(nameless("TRZ", {"trz"}))),
      with_frames("TRC", nameless("GROMOS11", {"trc"})),
      with_both("CRD", with_names("CHARMM coordinates", {"crd", "cor"})),
      with_both("CONFIG", bare(with_names("DL_POLY CONFIG", {"config", "revcon"}))),
      with_both("HISTORY", bare(with_names("DL_POLY HISTORY", {"history"}))),
      with_both("DMS", binary(with_names("Desmond DMS", {"dms"}))),
      with_both("FHIAIMS", with_names("FHI-aims", {"in", "next_step"})),
      with_both("GMS", with_names("GAMESS", {"gms"})),
      with_both("MMTF", binary(with_names("MMTF", {"mmtf", "mmtf.gz"}))),
      with_both("MOL2", with_names("MOL2", {"mol2"})),
      with_both("PQR", by_name(with_names("PQR", {"pqr"}))),
      with_both("TXYZ", by_name(with_names("Tinker", {"txyz", "arc"}))),
      with_both("XPDB", with_names("extended PDB", {"xpdb"})),
      with_atoms("PSF", topology("PSF", {"psf"})),
      with_atoms("PRMTOP", topology("Amber topology", {"prmtop", "parm7"})),
      with_reader("TOP", read_top,
                  known_by_line(topology("TOP of Amber or GROMACS", {"top"}))),
      with_reader("TPR", read_tpr, binary(topology("TPR of a later GROMACS", {"tpr"}))),
      with_atoms("XML", topology("HOOMD XML", {"xml"})),
      imd_format(),
      with_atoms("ITP", topology("GROMACS ITP", {"itp"})),
  };
}

}  // namespace starhist::io
