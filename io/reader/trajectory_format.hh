#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "io/particles/structure.hh"
#include "io/reader/trajectory_reader.hh"

namespace starhist::io {

class ProbedFile;

/// Fields that the reader of a format delivers, one cell each for the second table of
/// the documents, in Markdown. "no": the format does not have the field, or it is not
/// read.
struct DeliveredFields {
  std::string box;        ///< matrix, or lengths and angles; which axes are periodic
  std::string names;      ///< names of atoms and their types
  std::string residues;   ///< identity of residues: number, name, chain or segment
  std::string elements;   ///< elements and masses
  std::string molecules;  ///< numbers of molecules, or how they are made
  std::string bonds;      ///< use that is made of bonds
  std::string times;      ///< times and steps
  std::string units;      ///< of lengths
};

/// The record of a format. Detection, messages, --help and the table of formats in the
/// documents are made from the list of these records (io/trajectory/formats.hh).
struct TrajectoryFormat {
  /// What the probe looks at. Formats of an earlier kind are probed first.
  enum class Contents {
    bytes,  ///< the first 512 bytes of any file
    text,   ///< lines; asked only for files that may be text
    hdf5    ///< groups; asked only for HDF5 files
  };
  /// What names the atoms.
  enum class Names {
    file,                   ///< the file alone; --structure is refused
    file_unless_structure,  ///< the file, where there is no --structure
    structure               ///< --structure alone
  };

  std::string name;                       ///< as lists have it: "XTC"
  std::vector<std::string> extensions{};  ///< "xtc", in lower case; the usual one first
  Contents contents = Contents::bytes;
  Names names = Names::file;
  bool packed = false;         ///< read when compressed, too: compressed_endings()
  bool by_libgromacs = false;  ///< read only where starhist was built with libgromacs
  /// Package of Python by which a process of its own reads the format; "": none. Files
  /// are known by the ending of their names where no other format fits their lines.
  std::string python_package{};
  /// Text with one of the extensions is of this format, whatever its lines are.
  bool by_name = false;
  /// Files may be called as an extension alone, or with a part of their own: CONFIG,
  /// HISTORY_2.
  bool bare_name = false;

  /// Whether a file is of this format; null where only the name tells it. Throws
  /// InputError for HDF5 that is damaged.
  bool (*probe)(ProbedFile& file) = nullptr;
  /// Opens a file of this format. Null where such files have no frames. `structure` is
  /// null where there is no --structure. Throws InputError.
  std::function<std::unique_ptr<TrajectoryReader>(
      ProbedFile& file, const ReadOptions& options, const SharedStructure& structure)>
      open = nullptr;
  /// What begins the address of a simulation that runs, "imd://"; "": the format is one
  /// of files. open_stream() opens it, in place of `open`.
  std::string scheme{};
  std::function<std::unique_ptr<TrajectoryReader>(const std::string& address,
                                                  const ReadOptions& options,
                                                  const SharedStructure& structure)>
      open_stream = nullptr;
  /// Reads the atoms of a file that is given as --structure. Null where files of this
  /// format cannot be given so. Throws InputError.
  std::function<SharedStructure(const std::string& path)> read_structure = nullptr;

  /// Where `open` is null, why a file is no trajectory: "is ..., which has no frames".
  std::string refusal{};

  // For the table of the documents, in Markdown.
  std::string known_by{};     ///< by what a file is known to be of the format
  std::string compression{};  ///< of its files; "": none but those of `packed`
  std::string species{};      ///< what its species are
  DeliveredFields fields{};   ///< none may be empty where there is a reader
};

/// Whether the file's name has one of the format's extensions, in any case of letters,
/// with that of a compression behind it where the format allows that.
bool has_extension(const TrajectoryFormat& format, const std::string& path);

}  // namespace starhist::io
