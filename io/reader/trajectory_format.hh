#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "io/particles/structure.hh"
#include "io/reader/trajectory_reader.hh"

namespace starhist::io {

class ProbedFile;

/// Fields that a format's reader delivers: cells, in Markdown, of the second table of
/// formats in the documents. "no": the format lacks the field, or it is not read.
struct DeliveredFields {
  std::string box;    ///< matrix, or lengths and angles; periodic axes
  std::string names;  ///< names and types of atoms
  /// properties that identify residues: number, name, chain or segment
  std::string residues;
  std::string elements;   ///< elements and masses
  std::string molecules;  ///< molecule numbers, or their derivation
  std::string bonds;      ///< use of bonds
  std::string times;      ///< times and steps
  std::string units;      ///< length unit
};

/// Description of a format. Format detection, messages, --help and the table of formats
/// in the documents derive from the list of these records (io/trajectory/formats.hh).
struct TrajectoryFormat {
  /// Part of the file that the probe examines. Formats are probed in this order.
  enum class Contents {
    bytes,  ///< the first 512 bytes of any file
    text,   ///< lines; probed only if the file may be text
    hdf5    ///< groups; probed only in HDF5 files
  };
  /// Source of atom names.
  enum class Names {
    file,                   ///< the file only; --structure is refused
    file_unless_structure,  ///< the file, unless --structure is given
    structure               ///< only --structure
  };

  std::string name;  ///< name in lists: "XTC"
  /// without dot, in lower case; the usual one first
  std::vector<std::string> extensions{};
  Contents contents = Contents::bytes;
  Names names = Names::file;
  bool packed = false;  ///< compressed files are read as well: compressed_endings()
  bool by_libgromacs = false;  ///< read only by a starhist built with libgromacs
  /// Python package that reads the format in a separate process; "": not needed. Such
  /// files are detected by their extension if their lines fit no other format.
  std::string python_package{};
  /// Text files with one of the extensions have this format, whatever their lines are.
  bool by_name = false;
  /// Files may be named like an extension, with an optional prefix or suffix: CONFIG,
  /// HISTORY_2.
  bool bare_name = false;

  /// Whether a file has this format; null if it is detected only by its name. Throws
  /// InputError for damaged HDF5.
  bool (*probe)(ProbedFile& file) = nullptr;
  /// Opens a file of this format. Null if such files contain no frames. `structure` is
  /// null without --structure. Throws InputError.
  std::function<std::unique_ptr<TrajectoryReader>(
      ProbedFile& file, const ReadOptions& options, const SharedStructure& structure)>
      open = nullptr;
  /// Prefix of the address of a running simulation: "imd://"; "": the format is a file
  /// format. Streams are opened by open_stream() instead of `open`.
  std::string scheme{};
  std::function<std::unique_ptr<TrajectoryReader>(const std::string& address,
                                                  const ReadOptions& options,
                                                  const SharedStructure& structure)>
      open_stream = nullptr;
  /// Reads the atoms of a --structure file. Null if the format does not qualify. Throws
  /// InputError.
  std::function<SharedStructure(const std::string& path)> read_structure = nullptr;

  /// Reason why a file is not a trajectory, if `open` is null: "is ..., which has no
  /// frames".
  std::string refusal{};

  // Cells of the table in the documents, in Markdown.
  std::string known_by{};  ///< how a file of this format is recognized
  /// compression of the files; "": none, except as `packed` allows
  std::string compression{};
  std::string species{};     ///< definition of its species
  DeliveredFields fields{};  ///< all set if the format has a reader
};

/// Whether the file name has one of the format's extensions, in any case, optionally
/// followed by a compression's extension if the format allows it.
bool has_extension(const TrajectoryFormat& format, const std::string& path);

}  // namespace starhist::io
