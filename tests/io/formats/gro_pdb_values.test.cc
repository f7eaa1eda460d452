// Numbers of GRO and PDB, compared with libgromacs.
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "io/formats/gromacs/decoder/gromacs_decoder.hh"
#include "tests/support/catch.hh"
#include "tests/support/gromacs_files.hh"
#include "tests/support/text_trajectory.hh"

namespace starhist::testing {
namespace {

using Words = std::vector<std::string>;

template <class... Values>
std::string column_line(const char* format, Values... values) {
  char text[400];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

/// One frame as read by starhist: all atoms in file order.
struct ReadFrame {
  Frame frame;
  io::ParticleTable particles;
};

ReadFrame read_one(const std::string& text, const std::string& name) {
  io::ReadOptions per_particle;
  per_particle.per_particle = true;
  WholeTrajectory all = read_all({TextTrajectory(text, name).path}, per_particle);
  REQUIRE(all.frames.size() == 1);
  return {all.frames[0], all.info.particles};
}

/// Returns the position of one atom, read from a GRO frame with these coordinates in
/// fields of this width.
std::vector<double> gro_position(const Words& coordinates, int width) {
  std::string atom = "    1SOL     OW    1";
  for (const std::string& coordinate : coordinates) {
    atom += column_line("%*s", width, coordinate.c_str());
  }
  return read_one("one\n1\n" + atom + "\n 1 1 1\n", "a.gro").frame.positions[0];
}

std::vector<double> pdb_position(const std::string& coordinates) {
  return read_one("ATOM      1 OW   SOL     1    " + coordinates + "\nEND\n", "a.pdb")
      .frame.positions[0];
}

TEST_CASE("GRO: positions are correctly rounded, at any precision") {
  CHECK(gro_position({"0.001", "-0.300", "12.345"}, 8) ==
        std::vector<double>{0.001, -0.3, 12.345});
  CHECK(gro_position({"0.1234567", "-.5000000", "5.0000000"}, 12) ==
        std::vector<double>{0.1234567, -0.5, 5.0});
  // Just above the midpoint of two doubles.
  const std::string above_middle =
      "1.00000000000000011102230246251565404236316680908203126";
  CHECK(gro_position({above_middle, above_middle, above_middle}, 60) ==
        std::vector<double>{0x1.0000000000001p+0, 0x1.0000000000001p+0,
                            0x1.0000000000001p+0});
}

TEST_CASE("PDB: positions are correctly rounded, in Angstrom") {
  CHECK(pdb_position("   0.001  -0.0079999.123") ==
        std::vector<double>{0.001, -0.007, 9999.123});
}

const std::string gro_atoms =
    "    1SOL     OW    1   0.500   1.250   2.000\n"
    "    1SOL    HW1    2   0.600   1.250   2.000\n";

std::string gro_error(const std::string& atoms, const std::string& box,
                      const io::ReadOptions& options = {}) {
  return read_error(TextTrajectory("t\n2\n" + atoms + box + "\n", "a.gro").path,
                    options);
}

TEST_CASE("GRO: a box has three or nine numbers, and --box replaces an invalid one") {
  const ReadFrame nine =
      read_one("t\n2\n" + gro_atoms + " 4 5 6 0 0 1 0 2 3\n", "a.gro");
  CHECK(nine.frame.box ==
        Box({Vec3{4, 0, 0}, {1, 5, 0}, {2, 3, 6}}, {true, true, true}));
  for (const char* box : {"", "4 5", "4 5 6 0", "4 5 6 0 0 1 0 2", "4 5 x"}) {
    INFO(box);
    CHECK(missing(gro_error(gro_atoms, box), {"a.gro: ", "box"}) == "");
    io::ReadOptions open;
    open.box = Box();
    CHECK(gro_error(gro_atoms, box, open) == "");
  }
}

TEST_CASE(
    "GRO: a frame that is truncated within the file is left out, later ones are not") {
  const std::string frame =
      "water t= 1.0\n2\n" + gro_atoms + " 4.00000 5.00000 6.00000\n";
  const std::string other =
      "water t= 2.0\n2\n" + gro_atoms + " 4.00000 5.00000 7.00000\n";
  const std::string last =
      "water t= 3.0\n2\n" + gro_atoms + " 4.00000 5.00000 6.00000\n";
  for (std::size_t size = 14; size + 1 < frame.size(); ++size) {
    for (const char* end : {"", "\n"}) {
      if (*end == '\n' && size + 8 > frame.size()) {
        continue;  // 6.00 is a valid number, too
      }
      const std::string text = frame + frame.substr(0, size) + end + other + last;
      INFO(text);
      const TextTrajectory file(text, "a.gro");
      const auto reader = io::open_trajectory({file.path}, {});
      std::vector<double> heights;
      for (std::uint64_t k = 0; k < reader->info().frame_count; ++k) {
        Frame read;
        if (error_text<InputError>([&] {
              reader->read(FrameIndex(k), read);
            }).empty()) {
          heights.push_back(read.box.edges()[2].z);
        }
      }
      CHECK(heights == std::vector<double>{6, 7, 6});
    }
  }
}

TEST_CASE("GRO: box numbers without blanks have as many decimals as the last one") {
  const auto box_of = [](const std::string& line) {
    return read_one("t\n2\n" + gro_atoms + line + "\n", "a.gro").frame.box;
  };
  const std::array<bool, 3> all{true, true, true};
  CHECK(box_of("40000.0000050000.0000060000.00000") ==
        Box({Vec3{40000, 0, 0}, {0, 50000, 0}, {0, 0, 60000}}, all));
  CHECK(box_of("   4.00000  50.0000060000.00000  ") ==
        Box({Vec3{4, 0, 0}, {0, 50, 0}, {0, 0, 60000}}, all));
  CHECK(box_of("40000.0000050000.0000060000.00000   0.00000   0.00000   1.00000   "
               "0.00000-1000.50000   3.00000") ==
        Box({Vec3{40000, 0, 0}, {1, 50000, 0}, {-1000.5, 3, 60000}}, all));
  // The numbers could end anywhere.
  CHECK(missing(gro_error(gro_atoms, "4.05.06.00"), {"box"}) == "");
  CHECK(missing(gro_error(gro_atoms, "4.000005.0000"), {"box"}) == "");
}

TEST_CASE("GRO: an atom without three numbers in its columns is refused") {
  for (const char* atom :
       {"    1SOL    HW1    2   0.600", "    1SOL    HW1    2   0.600   1.250     2",
        "    1SOL    HW1    2   0.600   1.2x0   2.000",
        "    1SOL    HW1    2   0.600   1.2 0   2.000",
        "    1SOL    HW1    2   0.600   1.250       .",
        "    1SOL    HW1    2  10.60001000.250   2.000"}) {
    INFO(atom);
    const std::string first = gro_atoms.substr(0, gro_atoms.find('\n') + 1);
    CHECK(gro_error(first + atom + "\n", "1 1 1") != "");
  }
  // Unequal distances of decimal points in the first line leave the field width
  // unknown.
  CHECK(
      missing(gro_error("    1SOL     OW    1   0.500   1.250     2.000\n" + gro_atoms,
                        "1 1 1"),
              {"line 3 has no position"}) == "");
}

const std::string pdb_atom = "ATOM      1 OW   SOL     1       1.000   1.000   1.000\n";

TEST_CASE("PDB: CRYST1 is read by words, or by columns if its numbers touch") {
  const auto box_of = [](const std::string& cryst1) {
    return read_one(cryst1 + "\n" + pdb_atom, "a.pdb").frame.box;
  };
  const auto box = [](double a, double b, double c) {
    return Box({Vec3{a, 0, 0}, {0, b, 0}, {0, 0, c}}, {true, true, true});
  };
  CHECK(box_of("CRYST1 40 40.0 40.001 90 90 90") == box(40, 40, 40.001));
  CHECK(box_of("CRYST1   40.000   50.000   60.000  90.00  90.00  90.00 P 1") ==
        box(40, 50, 60));
  CHECK(box_of("CRYST112345.00054321.25023457.501  90.00  90.00  90.00 P 1") ==
        box(12345, 54321.25, 23457.501));
  CHECK(box_of("CRYST1    0.000    0.000    0.000  90.00  90.00  90.00") == Box());
  CHECK(box_of("CRYST1   20.000   30.000   40.000  80.00  70.00  60.00") ==
        Box::from_lengths_and_angles({20, 30, 40}, {80, 70, 60}));
}

TEST_CASE(
    "PDB: a CRYST1 without a cell or with a screw is refused unless --box is given") {
  io::ReadOptions open;
  open.box = Box();
  for (const char* cryst1 :
       {"CRYST1", "CRYST1   40.000   50.000   60.000", "CRYST1 a b c d e f",
        "CRYST1   40.000   50.000   60.000  90.00  90.00 180.00",
        "CRYST1   40.000   50.000   60.000  90.00  20.00  30.00",
        "CRYST1   40.000   50.000   60.000  90.00  90.00  90.00 P 21 1 1    1"}) {
    INFO(cryst1);
    const TextTrajectory file(std::string(cryst1) + "\n" + pdb_atom, "a.pdb");
    CHECK(missing(read_error(file.path), {"frame 0", "a.pdb: ", "CRYST1"}) == "");
    CHECK(read_error(file.path, open) == "");
  }
}

/// Random numbers, reproducible.
class DrawnNumbers {
 public:
  double between(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  int up_to(int most) { return std::uniform_int_distribution<int>(0, most)(random_); }
  std::string word(int longest) {
    std::string text;
    for (int k = up_to(longest - 1); k >= 0; --k) {
      text += "ABCHNO123'*+"[up_to(11)];
    }
    return text;
  }

 private:
  std::mt19937_64 random_{20261124};
};

std::string random_gro(DrawnNumbers& numbers) {
  const int decimals = 2 + numbers.up_to(7);
  const int width = decimals + 5;
  const bool velocities = numbers.up_to(1) == 1;
  const int atoms = 1 + numbers.up_to(20);
  std::string text =
      column_line("random t= %.5f step= %d\n%5d\n", numbers.between(0, 1e4),
                  numbers.up_to(1000000), atoms);
  for (int k = 0; k < atoms; ++k) {
    text += column_line("%5d%-5s%5s%5d", 1 + numbers.up_to(99998),
                        numbers.word(5).c_str(), numbers.word(5).c_str(), k + 1);
    const double largest = numbers.up_to(3) == 0 ? 999.0 : 10.0;
    for (int axis = 0; axis < 3; ++axis) {
      text += column_line("%*.*f", width, decimals,
                          numbers.between(-largest / 10, largest));
    }
    for (int axis = 0; velocities && axis < 3; ++axis) {
      text += column_line("%*.*f", width, decimals + 1, numbers.between(-2, 2));
    }
    text += "\n";
  }
  for (int k = 0; k < 3; ++k) {
    text += column_line("%10.5f", numbers.between(5, 20));
  }
  for (int k = 0; numbers.up_to(1) == 0 && k < 6; k += 6) {
    // xy and xz are zero in GROMACS' boxes.
    text += column_line("%10.5f%10.5f%10.5f%10.5f%10.5f%10.5f", 0.0, 0.0,
                        numbers.between(-2, 2), 0.0, numbers.between(-2, 2),
                        numbers.between(-2, 2));
  }
  return text + "\n";
}

std::string random_pdb(DrawnNumbers& numbers) {
  const auto angle = [&] {
    return numbers.up_to(2) == 0 ? 90.0 : numbers.between(70.0, 110.0);
  };
  std::string text = column_line("TITLE     random t= %.5f step= %d\n",
                                 numbers.between(0, 1e4), numbers.up_to(1000000));
  text += column_line("CRYST1%9.3f%9.3f%9.3f%7.2f%7.2f%7.2f P 1           1\n",
                      numbers.between(10, 999), numbers.between(10, 999),
                      numbers.between(10, 999), angle(), angle(), angle());
  const int atoms = 1 + numbers.up_to(20);
  for (int k = 0; k < atoms; ++k) {
    text += column_line(
        "%-6s%5d %-4s %-4s%c%4d    %8.3f%8.3f%8.3f%6.2f%6.2f          %2s\n",
        numbers.up_to(1) == 0 ? "ATOM" : "HETATM", k + 1, numbers.word(4).c_str(),
        numbers.word(4).c_str(), 'A', numbers.up_to(9999), numbers.between(-999, 9999),
        numbers.between(-10, 100), numbers.between(-1, 1), 1.0, 0.0,
        numbers.up_to(1) == 0 ? "C" : "CL");
  }
  return text + "END\n";
}

/// Returns the atom names read by libgromacs.
io::ParticleTable names_by_libgromacs(const std::string& text, const char* ending) {
  using namespace io::decoder;
  Packer packer;
  packer.add_source({.kind = Source::Kind::bytes, .format = ending, .content = text});
  Process process(io::gromacs::program());
  process.ask(Request::particles_and_pbc, packer.bytes());
  Unpacker unpacker(process.content());
  unpacker.take<io::Pbc>();
  return unpacker.take_particles();
}

/// The frame of `text` as read by starhist and by libgromacs.
struct ReadTwice {
  Frame frame;
  io::gromacs::DecodedFrame expected;
};

ReadTwice read_twice(const std::string& text, const char* ending,
                     io::gromacs::Decoder& decoder) {
  ReadTwice read;
  decoder.decode(ending, text, read.expected);
  read.frame = read_one(text, std::string("a.") + ending).frame;
  CHECK(read.frame.step == read.expected.moment.step);
  // libgromacs keeps times in float.
  CHECK(static_cast<float>(read.frame.time) ==
        static_cast<float>(read.expected.moment.time));
  return read;
}

void check_gro(const std::string& text, io::gromacs::Decoder& decoder) {
  INFO(text);
  const auto [frame, expected] = read_twice(text, "gro", decoder);
  const auto in_float = [](const std::vector<double>& values) {
    return std::vector<float>(values.begin(), values.end());
  };
  CHECK(in_float(frame.positions[0]) ==
        in_float({expected.positions.begin(), expected.positions.end()}));
  std::vector<double> edges;
  for (const Vec3 edge : frame.box.edges()) {
    edges.insert(edges.end(), {edge.x, edge.y, edge.z});
  }
  CHECK(in_float(edges) ==
        in_float({std::begin(expected.edges), std::end(expected.edges)}));
}

/// libgromacs returns PDB in nm: 0.1 times Angstrom in double, rounded to float.
void check_pdb(const std::string& text, io::gromacs::Decoder& decoder) {
  INFO(text);
  const auto [frame, expected] = read_twice(text, "pdb", decoder);
  const std::vector<double>& positions = frame.positions[0];
  REQUIRE(positions.size() == expected.positions.size());
  for (std::size_t k = 0; k < positions.size(); ++k) {
    CHECK(static_cast<float>(0.1 * positions[k]) == expected.positions[k]);
  }
  const auto& edges = frame.box.edges();
  for (std::size_t row = 0; row < 3; ++row) {
    const Vec3 edge = edges[row];
    const double* e = expected.edges + 3 * row;
    // Each component is rounded to float; the z component is the root of a difference
    // of such numbers, at least half of the edge for these angles.
    const double bound = 8.0 * std::numeric_limits<float>::epsilon() * length(edge);
    CHECK(std::abs(edge.x - 10.0 * e[0]) < bound);
    CHECK(std::abs(edge.y - 10.0 * e[1]) < bound);
    CHECK(std::abs(edge.z - 10.0 * e[2]) < bound);
  }
}

TEST_CASE("GRO and PDB at random: positions and boxes agree with libgromacs") {
  if (!has_libgromacs()) {
    return;
  }
  DrawnNumbers numbers;
  io::gromacs::Decoder decoder;
  for (int k = 0; k < 400; ++k) {
    check_gro(random_gro(numbers), decoder);
    check_pdb(random_pdb(numbers), decoder);
  }
}

TEST_CASE("GRO and PDB at random: names and residues agree with libgromacs") {
  if (!has_libgromacs()) {
    return;
  }
  DrawnNumbers numbers;
  for (int k = 0; k < 10; ++k) {
    for (const char* ending : {"gro", "pdb"}) {
      const std::string text =
          std::string("gro") == ending ? random_gro(numbers) : random_pdb(numbers);
      INFO(text);
      const io::ParticleTable expected = names_by_libgromacs(text, ending);
      const io::ParticleTable found =
          read_one(text, std::string("a.") + ending).particles;
      CHECK(found.name == expected.name);
      CHECK(found.residue_name == expected.residue_name);
      CHECK(found.residue == expected.residue);
      CHECK(found.type == expected.type);
      CHECK(found.molecule == expected.molecule);
      CHECK(found.mass == expected.mass);
    }
  }
}

TEST_CASE("random changes of bytes in GRO and PDB give an error or finite positions",
          "[corruption]") {
  DrawnNumbers numbers;
  for (int k = 0; k < 500; ++k) {
    const bool gro = k % 2 == 0;
    std::string text = gro ? random_gro(numbers) + random_gro(numbers)
                           : random_pdb(numbers) + random_pdb(numbers);
    for (int changed = numbers.up_to(5); changed >= 0; --changed) {
      const auto index =
          static_cast<std::size_t>(numbers.up_to(static_cast<int>(text.size()) - 1));
      text[index] = " .0-\nE9\x01"[numbers.up_to(7)];
    }
    INFO(text);
    const TextTrajectory file(text, gro ? "a.gro" : "a.pdb");
    const std::string error = error_text<InputError>([&] {
      for (const Frame& frame : read_all({file.path}).frames) {
        for (const auto& positions : frame.positions) {
          CHECK(std::all_of(positions.begin(), positions.end(),
                            [](double x) { return std::isfinite(x); }));
        }
      }
    });
    INFO(error);
    CHECK((error.empty() || missing(error, {file.path.c_str()}) == ""));
  }
}

}  // namespace
}  // namespace starhist::testing
