// The list of formats: detection of a file's format, and the texts derived from the
// list.
#include "io/trajectory/formats.hh"

#include <algorithm>
#include <sstream>

#include <zlib.h>

#include "io/hdf5/hdf5_file.hh"
#include "io/output/result_writer.hh"
#include "io/reader/probed_file.hh"
#include "io/trajectory/format_texts.hh"
#include "tests/support/catch.hh"
#include "tests/support/sample_result.hh"
#include "tests/support/test_location.hh"
#include "tests/support/text_trajectory.hh"

namespace starhist::testing {
namespace {

using namespace std::string_literals;
using Contents = io::TrajectoryFormat::Contents;

const std::string gro_text =
    "title\n1\n    1SOL     OW    1   0.500   1.250   2.000\n 4 5 6\n";
const std::string pdb_text =
    "ATOM      1  OW  SOL A   1       5.000  12.500  20.000  1.00  0.00\nEND\n";
const std::string xyz_text = "1\nframe\nO 0 0 0\n";
const std::string dump_text =
    "ITEM: TIMESTEP\n50\nITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS pp pp pp\n"
    "0 9\n0 9\n0 9\nITEM: ATOMS element x y z\nO 0 0 0\n";

std::string format_name(const std::string& path) {
  io::ProbedFile file(path);
  const io::TrajectoryFormat* format = io::format_of(file);
  return format == nullptr ? "none" : format->name;
}

std::string name_of_text(const std::string& text, const std::string& name) {
  return format_name(TextTrajectory(text, name).path);
}

void write_gzip(const std::string& path, const std::string& text) {
  gzFile file = gzopen(path.c_str(), "wb");
  gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
  gzclose(file);
}

TEST_CASE("every trajectory in tests/data is accepted by one probe, of its format") {
  const auto [name, format] =
      GENERATE(table<const char*, const char*>({{"water.h5", "H5MD"},
                                                {"nacl-triclinic-npt.h5", "H5MD"},
                                                {"cadishi-lzf.h5", "CADISHI HDF5"},
                                                {"spc.xtc", "XTC"},
                                                {"spc.trr", "TRR"},
                                                {"spc.tng", "TNG"},
                                                {"spc.tpr", "TPR"},
                                                {"water.r1.4.b280.txt", "none"}}));
  INFO(name);
  CHECK(format_name(data_file(name)) == format);
  int holding = 0;
  for (const io::TrajectoryFormat& each : io::trajectory_formats()) {
    io::ProbedFile file(data_file(name));
    const bool asked = each.contents == Contents::bytes ||
                       (each.contents == Contents::text && file.may_be_text()) ||
                       (each.contents == Contents::hdf5 && file.hdf5());
    holding += asked && each.probe != nullptr && each.probe(file) ? 1 : 0;
  }
  CHECK(holding == (format == "none"s ? 0 : 1));
}

TEST_CASE("files of DL_POLY are recognized by name, with prefix or suffix") {
  const std::string text = "of potassium chloride\n  2  3  216\ntimestep 1 216\n";
  for (const char* name : {"HISTORY", "history", "HISTORY_2", "run-HISTORY",
                           "HISTORY.01", "a.HISTORY", "WIN_HISTORY.gz"}) {
    INFO(name);
    CHECK(name_of_text(text, name) == "DL_POLY HISTORY");
  }
  for (const char* name :
       {"PREHISTORY", "HISTORYS", "HISTORY.md", "HISTORY.", "a.txt"}) {
    INFO(name);
    CHECK(name_of_text(text, name) == "none");
  }
  CHECK(name_of_text(text, "CONFIG-start") == "DL_POLY CONFIG");
  CHECK(name_of_text(gro_text, "HISTORY_2") == "GRO");
}

TEST_CASE("GRO, PDB and G96 are recognized by extension, other text by its lines") {
  CHECK(name_of_text(gro_text, "a.txt") == "GRO");
  CHECK(name_of_text(pdb_text, "a.txt") == "PDB");
  CHECK(name_of_text(xyz_text, "a.txt") == "XYZ");
  CHECK(name_of_text(dump_text, "a.txt") == "LAMMPS text dump");
  CHECK(name_of_text(xyz_text, "a.GRO") == "GRO");
  CHECK(name_of_text(gro_text, "a.pdb") == "PDB");
  CHECK(name_of_text(gro_text, "a.Ent") == "PDB");
  CHECK(name_of_text(gro_text, "a.g96") == "G96");
  CHECK(name_of_text(pdb_text, "a.xyz") == "PDB");
  CHECK(name_of_text(gro_text, "gro") == "GRO");
  CHECK(name_of_text("5\n1\n    1SOL     OW    1   0.500   1.250   2.000\n", "a") ==
        "XYZ");
  CHECK(name_of_text("TITLE \n1\n    1SOL     OW    1   0.500   1.250   2.000\n",
                     "a") == "PDB");
  CHECK(name_of_text("a\nb\nc\n", "a.txt") == "none");
  CHECK(name_of_text("\x01 binary", "a.gro") == "none");  // not text
}

TEST_CASE("gzip-compressed text is recognized by extension and by its lines") {
  const TextTrajectory file("", "a.gro.gz");
  write_gzip(file.path, "no lines of GRO");
  CHECK(format_name(file.path) == "GRO");
  const TextTrajectory other("", "a");
  for (const auto& [text, format] :
       {std::pair(gro_text, "GRO"), std::pair(pdb_text, "PDB"),
        std::pair(xyz_text, "XYZ"), std::pair(dump_text, "LAMMPS text dump")}) {
    write_gzip(other.path, text);
    CHECK(format_name(other.path) == format);
  }
}

TEST_CASE("HDF5 after a block of text is HDF5") {
  const std::string block = "no format\n" + std::string(502, ' ');
  const TextTrajectory file(block + read_bytes(data_file("water.h5")), "a.h5");
  CHECK(format_name(file.path) == "H5MD");
  CHECK(read_all({file.path}).info.frame_count == 51);
}

TEST_CASE("format names agree with the names in readers") {
  const auto call = [](const std::string& path) {
    return io::open_trajectory({path}, {})->info().format;
  };
  for (const auto& [path, text] :
       {std::pair("a.gro"s, gro_text), std::pair("a.pdb"s, pdb_text),
        std::pair("a.xyz"s, xyz_text), std::pair("a.dump"s, dump_text)}) {
    const TextTrajectory file(text, path);
    CHECK(missing(call(file.path), {format_name(file.path).c_str()}) == "");
  }
  for (const char* name : {"water.h5", "cadishi-lzf.h5", "spc.trr"}) {
    CHECK(missing(call(data_file(name)), {format_name(data_file(name)).c_str()}) == "");
  }
}

TEST_CASE(
    "option --help, the message about unknown files and the table list all formats") {
  const std::string help = io::formats_help();
  const std::string table = io::format_table();
  const TextTrajectory unknown("hello\n");
  const std::string message = read_error(unknown.path);
  CHECK(missing(message,
                {"has an unknown format and looks like text that begins with \"hello\"",
                 "starhist reads H5MD, "}) == "");
  const TextTrajectory renamed("hello\n", "a.xtc");
  CHECK(missing(read_error(renamed.path), {"is not XTC, in spite of its name",
                                           "looks like text", "rename it"}) == "");
  int rows = 0;
  for (const io::TrajectoryFormat& format : io::trajectory_formats()) {
    INFO(format.name);
    const bool listed = format.python_package.empty();
    if (format.open != nullptr && listed) {
      CHECK(missing(help, {format.name.c_str()}) == "");
      CHECK(missing(message, {format.name.c_str()}) == "");
    }
    if (format.open_stream != nullptr) {
      ++rows;
      CHECK(missing(table,
                    {("\n| " + format.name + " | | `" + format.scheme).c_str()}) == "");
      CHECK(io::stream_format_of(format.scheme + "host:1") == &format);
      CHECK(format.species != "");
      continue;
    }
    CHECK(io::stream_format_of("a." + format.name) == nullptr);
    CHECK((format.open != nullptr || format.refusal != ""));
    if (format.open != nullptr || format.read_structure != nullptr) {
      ++rows;
      CHECK(missing(table, {("\n| " + format.name + " | `.").c_str()}) == "");
      CHECK(format.known_by != "");
      CHECK(format.species != "");
      CHECK_FALSE(format.extensions.empty());
    }
    CHECK((format.read_structure == nullptr || !listed ||
           missing(io::structure_help(), {format.name.c_str()}) == ""));
  }
  CHECK(missing(help, {"DCD", "MDAnalysis"}) == "");
  CHECK(missing(message, {"DCD", "MDAnalysis"}) == "");
  CHECK(std::count(table.begin(), table.end(), '\n') == rows + 2);
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) {
    CHECK(line.size() <= 80);
  }
}

TEST_CASE("every reader describes its delivered fields") {
  const std::string table = io::field_table();
  for (const io::TrajectoryFormat& format : io::trajectory_formats()) {
    INFO(format.name);
    if (format.open == nullptr && format.open_stream == nullptr &&
        format.read_structure == nullptr) {
      continue;
    }
    const io::DeliveredFields& fields = format.fields;
    for (const std::string& cell :
         {fields.box, fields.names, fields.residues, fields.elements, fields.molecules,
          fields.bonds, fields.times, fields.units}) {
      CHECK(cell != "");
      CHECK(cell.find_first_of("|\n") == std::string::npos);
    }
    CHECK(missing(table, {("\n| " + format.name + " | " + fields.box).c_str()}) == "");
  }
}

TEST_CASE("an uncompressed file with a compressed extension is reported") {
  const TextTrajectory junk(std::string("\x01\x02\xff\0\x80", 5), "a.pdb.gz");
  CHECK(missing(read_error(junk.path), {"a.pdb.gz: is named .gz, but is not compressed",
                                        "copy it again"}) == "");
}

TEST_CASE(
    "option --structure accepts GRO and PDB, also compressed, without libgromacs") {
  const TextTrajectory pdb(pdb_text, "s.pdb");
  CHECK(io::read_structure(pdb.path)->particles.name == std::vector<std::string>{"OW"});
  const TextTrajectory gro("", "s.gro.gz");
  write_gzip(gro.path, gro_text);
  const io::SharedStructure structure = io::read_structure(gro.path);
  CHECK(structure->path == gro.path);
  CHECK(structure->particles.residue_name == std::vector<std::string>{"SOL"});
  const TextTrajectory none(dump_text, "s.dump");
  CHECK(
      missing(error_text<InputError>([&] { io::read_structure(none.path); }),
              {"s.dump: is not a structure", "(files of --structure are recognized by",
               "XYZ, PDB, GRO, G96", "MDAnalysis installed also PSF"}) == "");
  io::ReadOptions options;
  options.structure = pdb.path;
  CHECK(missing(read_error(data_file("cadishi-lzf.h5"), options),
                {"cadishi-lzf.h5: names its particles itself", "XTC", "XYZ"}) == "");
}

TEST_CASE("results and files without frames are reported by format") {
  const TemporaryDirectory folder;
  const std::string path = folder.file("r.h5");
  const auto layout = sample_layout();
  io::ResultWriter writer(path, layout, {{"version", "0"}}, false);
  writer.append(sample_block(layout, 0));
  writer.finish({});
  CHECK(format_name(path) == "result of starhist");
  CHECK(io::describe_unless_hdf5(data_file("spc.xtc")) == "a file of the format XTC");
  CHECK(io::describe_unless_hdf5(path) == "");
  CHECK(io::describe_unless_hdf5(TextTrajectory("hello\n", "a").path) ==
        "something that looks like text that begins with \"hello\"");
}

}  // namespace
}  // namespace starhist::testing
