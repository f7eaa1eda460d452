// GRO, PDB and G96: frames, names, cells, errors.
#include <zlib.h>

#include "io/trajectory/formats.hh"
#include "tests/support/catch.hh"
#include "tests/support/gromacs_files.hh"
#include "tests/support/text_trajectory.hh"

namespace starhist::testing {
namespace {

using Words = std::vector<std::string>;

const std::string gro_frame =
    "two, t= 1.5 step= 30\n    2\n"
    "    1SOL     OW    1   0.500   1.250   2.000\n"
    "    9CL      CL    2   0.250   0.125   0.750\n"
    "   4.00000   5.00000   6.00000\n";

std::string pdb_atom_line(int number, const char* name, const char* residue,
                          const std::string& positions, const char* element) {
  char line[100];
  std::snprintf(line, sizeof line,
                "ATOM  %5d %-4s %3s A%4d    %s  1.00  0.00          %2s\n", number,
                name, residue, number, positions.c_str(), element);
  return line;
}

const std::string pdb_cell =
    "CRYST1   40.000   50.000   60.000  90.00  90.00  90.00 P 1           1\n";
const std::string pdb_atoms =
    pdb_atom_line(1, " CA", "ALA", "   5.000  12.500  20.000", "C") +
    pdb_atom_line(2, "CA", "CA", "   2.500   1.250   7.500", "CA");

std::vector<double> doubles(std::initializer_list<float> values) {
  return {values.begin(), values.end()};
}

Box box(float a, float b, float c) {
  return Box({Vec3{a, 0, 0}, {0, b, 0}, {0, 0, c}}, {true, true, true});
}

TEST_CASE("GRO: frames in order, names, time, float as read by libgromacs") {
  const TextTrajectory file(gro_frame + gro_frame + "\n", "a.gro");
  const WholeTrajectory all = read_all({file.path});
  CHECK(all.info.format == "GROMACS GRO");
  CHECK(all.info.species == Words{"CL", "OW"});
  CHECK(all.info.truncation.empty());
  REQUIRE(all.frames.size() == 2);
  for (const Frame& frame : all.frames) {
    CHECK(frame.positions[0] == doubles({0.25F, 0.125F, 0.75F}));
    CHECK(frame.positions[1] == doubles({0.5F, 1.25F, 2.0F}));
    CHECK(frame.box == box(4, 5, 6));
    CHECK(frame.time == 1.5);
    CHECK(frame.step == 30);
  }
  // Recognized by its second line, not by its name.
  CHECK(read_all({TextTrajectory(gro_frame).path}).info.format == "GROMACS GRO");

  std::string open = gro_frame;
  open.replace(open.rfind("   4.0"), 30, "   0.00000   0.00000   0.00000");
  CHECK(read_all({TextTrajectory(open, "a.gro").path}).frames[0].box == Box());
  // CRYST1 of 1 Angstrom, of a PDB without a cell, as gmx editconf copies it
  open.replace(open.rfind("   0.00000   0.00000   0.00000"), 30,
               "   0.10000   0.10000   0.10000");
  CHECK(read_all({TextTrajectory(open, "a.gro").path}).frames[0].box == Box());
  for (const std::string end : {"\n", "\n\n", " \n\n  \n"}) {
    const WholeTrajectory two =
        read_all({TextTrajectory(gro_frame + gro_frame + end, "a.gro").path});
    CHECK(two.frames.size() == 2);
    CHECK(two.info.truncation.empty());
  }

  io::ReadOptions per_particle;
  per_particle.per_particle = true;
  const io::ParticleTable table = read_all({file.path}, per_particle).info.particles;
  CHECK(table.name == Words{"OW", "CL"});
  CHECK(table.residue_name == Words{"SOL", "CL"});
  CHECK(table.residue == std::vector<std::int64_t>{1, 9});
  CHECK(table.molecule.empty());
  CHECK(table.mass.empty());
}

TEST_CASE("GRO compressed by gzip, and truncated anywhere") {
  for (const std::size_t left_out : {0, 1}) {  // the newline
    const TextTrajectory packed("", "a.gro.gz");
    gzFile file = gzopen(packed.path.c_str(), "wb");
    gzwrite(file, gro_frame.data(), static_cast<unsigned>(gro_frame.size() - left_out));
    gzclose(file);
    CHECK(read_all({packed.path}).frames.at(0).box == box(4, 5, 6));
  }

  const std::string text = gro_frame + gro_frame;
  for (std::size_t size = gro_frame.size() - 2; size < text.size(); ++size) {
    const TextTrajectory cut(text.substr(0, size), "a.gro");
    INFO(size << " bytes");
    if (size + 1 < gro_frame.size()) {
      CHECK(missing(read_error(cut.path), {"a.gro", "cut off"}) == "");
      continue;
    }
    const WholeTrajectory all = read_all({cut.path});
    const bool second = size + 1 == text.size();
    CHECK(all.frames.size() == (second ? 2 : 1));
    CHECK(all.frames.back().box == box(4, 5, 6));
    CHECK(all.info.truncation.size() == (second || size <= gro_frame.size() ? 0 : 1));
  }
}

TEST_CASE("PDB: a note if several models have one CRYST1") {
  const std::string model = "MODEL        1\n" + pdb_atoms + "ENDMDL\n";
  const auto remarks = [](const std::string& text,
                          const io::ReadOptions& options = {}) {
    return read_all({TextTrajectory(text, "a.pdb").path}, options).info.remarks;
  };
  const std::vector<std::string> noted = remarks(pdb_cell + model + model);
  REQUIRE(noted.size() == 1);
  CHECK(missing(noted[0], {"has one CRYST1, for all 2 frames", "--box FILE"}) == "");
  CHECK(remarks(pdb_cell + model + pdb_cell + model).empty());
  CHECK(missing(remarks(pdb_cell + model + model + pdb_cell + model + model).at(0),
                {"has 2 CRYST1, for all 4 frames", "--box FILE"}) == "");
  CHECK(remarks(pdb_cell + model).empty());
  CHECK(remarks(model + model).empty());
  const std::string placeholder =
      "CRYST1    1.000    1.000    1.000  90.00  90.00  90.00 P 1           1\n";
  CHECK(remarks(placeholder + model + model).empty());
  io::ReadOptions given;
  given.box = Box();
  CHECK(remarks(pdb_cell + model + model, given).empty());
}

TEST_CASE("PDB without a final newline: END, or a line as wide as the others") {
  const std::string model = "MODEL        1\n" + pdb_atoms + "ENDMDL\n";
  const auto read = [](const std::string& text) {
    return read_all({TextTrajectory(text, "a.pdb").path});
  };
  for (const std::string end : {"END", "END   ", "END\r", "TER", "CONECT    1    2"}) {
    INFO(end);
    for (const std::string& text :
         {pdb_cell + model + end, pdb_cell + pdb_atoms + end}) {
      const WholeTrajectory all = read(text);
      CHECK(all.frames.size() == 1);
      CHECK(all.info.truncation.empty());
      CHECK(all.frames[0].positions[0].size() == 6);
    }
  }
  CHECK(read(model + model.substr(0, model.size() - 1)).frames.size() == 2);
  CHECK(read(model + "\n   ").info.truncation.empty());  // blanks are not a frame

  // Truncates the last line after each character: the atom is complete up to its
  // element.
  const std::string& text = pdb_atoms;
  const std::size_t width = 78;
  REQUIRE(text.size() == 2 * (width + 1));
  io::ReadOptions per_particle;
  per_particle.per_particle = true;
  for (std::size_t size = width + 2; size < text.size(); ++size) {
    INFO(size << " bytes");
    const TextTrajectory file(text.substr(0, size), "a.pdb");
    if (size + 1 < text.size()) {
      CHECK(missing(read_error(file.path), {"a.pdb", "cut off in line 2"}) == "");
    } else {
      CHECK(read_all({file.path}, per_particle).info.particles.element ==
            Words{"C", "Ca"});
    }
  }
  // Two atoms without elements, and a truncated frame after a complete one.
  const std::string narrow = text.substr(0, 66) + "\n" + text.substr(width + 1, 66);
  CHECK(read(narrow).frames.at(0).positions[0].size() == 6);
  CHECK(missing(read_error(TextTrajectory(narrow.substr(0, 132), "a.pdb").path),
                {"cut off"}) == "");
  const WholeTrajectory cut = read(model + "MODEL        2\n" + text + "TER");
  CHECK(cut.frames.size() == 1);
  CHECK(cut.info.truncation.size() == 1);
  // A structure, whose elements are read without libgromacs.
  const TextTrajectory structure(text.substr(0, text.size() - 1), "s.pdb");
  CHECK(io::read_structure(structure.path)->particles.element == Words{"C", "Ca"});
}

TEST_CASE("PDB: models, a common CRYST1, a placeholder cell of 1 A, no END") {
  const std::string model = "MODEL        1\n" + pdb_atoms + "TER\nENDMDL\n";
  const WholeTrajectory all = read_all(
      {TextTrajectory("TITLE     x\n" + pdb_cell + model + model + "END\n", "a.pdb")
           .path});
  CHECK(all.info.format == "PDB");
  CHECK(all.info.length_unit == "A");
  CHECK(all.info.species == Words{"CA"});
  CHECK(all.info.truncation.empty());
  REQUIRE(all.frames.size() == 2);
  for (const Frame& frame : all.frames) {
    CHECK(frame.positions[0] == std::vector<double>{5.0, 12.5, 20.0, 2.5, 1.25, 7.5});
    CHECK(frame.box == box(40, 50, 60));
  }
  io::ReadOptions per_particle;
  per_particle.per_particle = true;
  const WholeTrajectory single =
      read_all({TextTrajectory(pdb_atoms).path}, per_particle);
  CHECK(single.frames.at(0).box == Box());
  CHECK(single.info.particles.element == Words{"C", "Ca"});
  CHECK(single.info.particles.residue_name == Words{"ALA", "CA"});

  const std::string placeholder =
      "CRYST1    1.000    1.000    1.000  90.00  90.00  90.00 P 1           1\n";
  CHECK(read_all({TextTrajectory(placeholder + pdb_atoms).path}).frames[0].box ==
        Box());
  const WholeTrajectory cut =
      read_all({TextTrajectory(model + "MODEL        2\n" + pdb_atoms).path});
  CHECK(cut.frames.size() == 1);
  REQUIRE(cut.info.truncation.size() == 1);
  CHECK(missing(cut.info.truncation[0], {"frame 1 is cut off"}) == "");
}

TEST_CASE("PDB of i-PI: steps are read, units other than Angstrom are refused") {
  const auto frame = [](const std::string& units) {
    return "TITLE   Step:           70  Bead:       0 " + units + "\n" + pdb_cell +
           pdb_atoms + "END\n";
  };
  const std::string angstrom = frame("positions{angstrom}  cell{angstrom}");
  CHECK(read_all({TextTrajectory(angstrom, "a.pdb").path}).frames.at(0).step == 70);
  for (const std::string units : {"positions{atomic_unit}  cell{angstrom}",
                                  "positions{angstrom}  cell{atomic_unit}"}) {
    CHECK(missing(read_error(TextTrajectory(frame(units), "a.pdb").path),
                  {"frame 0", "line 1", "angstrom"}) == "");
  }
}

TEST_CASE("PDB of CP2K: a frame that a restart repeats counts once") {
  const auto frame = [](const std::string& step, const std::string& atoms) {
    return "REMARK    " + step + ", time = 2.500, E = -17.1234567890\n" + pdb_cell +
           atoms + "END\n";
  };
  std::string moved = pdb_atoms;
  moved.replace(moved.find("  12.500"), 8, "  13.500");
  const std::string first =
      frame("Step       10", pdb_atoms) + frame("Step       20", moved);
  const std::string restart =
      frame("Step       20", moved) + frame("Step       30", pdb_atoms);
  const WholeTrajectory all = read_all({TextTrajectory(first + restart, "a.pdb").path});
  REQUIRE(all.frames.size() == 3);
  CHECK(all.frames.at(2).step == 30);
}

TEST_CASE("invalid GRO and PDB are refused") {
  const auto error_of = [](const std::string& text, const std::string& name) {
    return read_error(TextTrajectory(text, name).path);
  };
  const auto replaced = [](std::string text, const std::string& what,
                           const std::string& by) {
    return text.replace(text.rfind(what), what.size(), by);
  };
  CHECK(missing(error_of("a\nb\nc\n", "a.gro"), {"line 2", "number of atoms ('b')"}) ==
        "");
  CHECK(missing(error_of(gro_frame + replaced(gro_frame, "1.250", "1.2x0"), "a.gro"),
                {"frame 1", "line 8 has no position"}) == "");
  const TextTrajectory longer(gro_frame + replaced(gro_frame, "    2\n", "    3\n"),
                              "a.gro");
  const WholeTrajectory before = read_all({longer.path});
  REQUIRE(before.info.truncation.size() == 1);
  CHECK(missing(before.info.truncation[0], {"frame 1 is cut off"}) == "");
  CHECK(missing(error_of(pdb_cell + replaced(pdb_atoms, "1.250", "1.2 0"), "a.pdb"),
                {"frame 0", "line 3 has no position"}) == "");
  const std::string other =
      pdb_atom_line(1, " CA", "ALA", "   5.000  12.500  20.000", "C");
  const TextTrajectory fewer(pdb_atoms + "END\n" + other + "END\n", "a.pdb");
  const WholeTrajectory changing = read_all({fewer.path});
  REQUIRE(changing.frames.size() == 2);
  const auto atoms_of = [&](std::size_t frame) {
    std::size_t atoms = 0;
    for (const auto& positions : changing.frames[frame].positions) {
      atoms += positions.size() / 3;
    }
    return atoms;
  };
  CHECK(atoms_of(0) == 2);
  CHECK(atoms_of(1) == 1);
  CHECK(missing(error_of("REMARK nothing\n", "a.pdb"), {"has no whole frame"}) == "");
  const std::string model = "MODEL        1\n" + pdb_atoms + "ENDMDL\n";
  CHECK(missing(error_of(model + "MODEL        2\nENDMDL\n" + model, "a.pdb"),
                {"frame 1", "line 6 ends a model without atoms"}) == "");
}

TEST_CASE("GRO and G96: frames with other atoms than the first are refused") {
  const auto refusal_of = [](const std::string& text, const std::string& name) {
    return read_error(TextTrajectory(text, name).path);
  };
  const auto gro = [](const char* residue, const char* name, const char* number) {
    return std::string("x\n2\n    1NA      NA    1   0.000   0.000   0.000\n    ") +
           number + residue + name +
           "    2   1.000   0.000   0.000\n   5.00000   5.00000   5.00000\n";
  };
  const std::string first = gro("NA   ", "   NA", "2");
  CHECK(missing(refusal_of(first + gro("CL   ", "   CL", "2"), "a.gro"),
                {"frame 1", "line 9: atom 2 is 'CL      CL'", "'NA      NA'",
                 "split the file"}) == "");
  const TextTrajectory same(first + gro("NA   ", "   NA", "7"), "a.gro");
  CHECK(read_all({same.path}).frames.size() == 2);
  if (!has_libgromacs()) {
    return;
  }
  const auto g96 = [](const char* names) {
    return std::string("POSITION\n    1 ") + names +
           "      1    0.500000000    1.250000000    2.000000000\nEND\nBOX\n"
           "    4.0    5.0    6.0\nEND\n";
  };
  CHECK(missing(refusal_of("TITLE\nx\nEND\n" + g96("NA    NA   ") + g96("CL    CL   "),
                           "a.g96"),
                {"a.g96, line 11", "atom 1 is 'CL    CL   '", "'NA    NA   '"}) == "");
}

TEST_CASE("G96 with names, and without") {
  if (!has_libgromacs()) {
    return;
  }
  const std::string box_block = "BOX\n    4.0    5.0    6.0\nEND\n";
  const std::string atoms =
      "TITLE\nx\nEND\nPOSITION\n"
      "    1 SOL   OW         1    0.500000000    1.250000000    2.000000000\n"
      "    2 CL    CL         2    0.250000000    0.125000000    0.750000000\nEND\n";
  const TextTrajectory named(atoms + box_block, "a.g96");
  CHECK(read_all(
            {TextTrajectory(atoms + "BOX\n    0.1    0.1    0.1\nEND\n", "c.g96").path})
            .frames[0]
            .box == Box());  // of a PDB without a cell
  const WholeTrajectory all = read_all({named.path});
  CHECK(all.info.species == Words{"CL", "OW"});
  REQUIRE(all.frames.size() == 1);
  CHECK(all.frames[0].positions[1] == doubles({0.5F, 1.25F, 2.0F}));
  CHECK(all.frames[0].box == box(4, 5, 6));

  const TextTrajectory bare(
      "TITLE\nx\nEND\nTIMESTEP\n              0       0.000000\nEND\nPOSITIONRED\n"
      "    0.500000000    1.250000000    2.000000000\n"
      "    0.250000000    0.125000000    0.750000000\nEND\n" +
          box_block,
      "b.g96");
  CHECK(read_all({bare.path}).info.species == Words{"all"});
  io::ReadOptions options;
  options.structure = bare.path;
  CHECK(missing(read_error(named.path, options), {"b.g96", "no atom names"}) == "");

  const TextTrajectory turned(
      "x\n2\n    1CL      CL    1   0.250   0.125   0.750\n"
      "    2SOL     OW    2   0.500   1.250   2.000\n 4 5 6\n",
      "turned.gro");
  options.structure = turned.path;
  CHECK(missing(read_error(named.path, options),
                {"a.g96: names atom 1 'OW', which is CL in the structure"}) == "");
}

TEST_CASE("truncated G96: complete frames are read, also without the newline") {
  if (!has_libgromacs()) {
    return;
  }
  const std::string title = "TITLE\nx\nEND\n";
  const std::string frame =
      "TIMESTEP\n              0       0.000000\nEND\nPOSITIONRED\n"
      "    0.500000000    1.250000000    2.000000000\n"
      "    0.250000000    0.125000000    0.750000000\nEND\n"
      "BOX\n    4.000000000    5.000000000    6.000000000\nEND\n";
  const std::string text = title + frame + frame;
  const std::size_t one = title.size() + frame.size();
  const std::size_t box_end = 4;  // "END\n"; the box is complete without it
  for (std::size_t size = one - box_end - 1; size <= text.size(); ++size) {
    INFO(size << " bytes");
    const TextTrajectory cut(text.substr(0, size), "a.g96");
    const auto ends_at = [size](std::size_t end) {
      return size == end || size + 1 == end || size + box_end == end;
    };
    if (size < one && !ends_at(one)) {
      CHECK(missing(read_error(cut.path), {"a.g96: has no whole frame"}) == "");
      continue;
    }
    const WholeTrajectory all = read_all({cut.path});
    CHECK(all.frames.size() == (ends_at(text.size()) ? 2 : 1));
    CHECK(all.frames.back().box == box(4, 5, 6));
    CHECK(all.info.truncation.size() == (ends_at(one) || ends_at(text.size()) ? 0 : 1));
    if (!all.info.truncation.empty()) {
      CHECK(missing(all.info.truncation[0], {"a.g96: frame 1 "}) == "");
    }
  }
  // If another frame follows the cut, libgromacs finds neither.
  for (std::size_t size = one; size < text.size() - box_end; ++size) {
    if (text[size] != '\n' || size + 1 == one + frame.find("POSITIONRED")) {
      continue;  // or only a time is lost
    }
    INFO("cut behind " << size << " bytes");
    const TextTrajectory cut(text.substr(0, size + 1) + title + frame, "a.g96");
    const WholeTrajectory all = read_all({cut.path});
    CHECK(all.frames.size() == 1);
    REQUIRE(all.info.truncation.size() == 1);
    CHECK(missing(all.info.truncation[0],
                  {"frame 1 is cut off", "another frame begins"}) == "");
  }
}

}  // namespace
}  // namespace starhist::testing
