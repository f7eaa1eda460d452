// Files that were once misread, or rejected although their frames are whole.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "tests/program/misread.hh"
#include "tests/support/catch.hh"
#include "tests/support/file_bytes.hh"
#include "tests/support/gromacs_files.hh"

namespace starhist::testing {
namespace {

std::string misread_text(const std::string& name) {
  return read_bytes(data_file("misread/" + name));
}

std::string with_replaced(std::string text, const std::string& from,
                          const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

/// "" if `text` under this name gives the counts of `counts_of`, and this exit code.
std::string counts_of_text(const std::string& text, const std::string& name,
                           const std::string& counts_of, int exit_code = 0) {
  const MisreadCounts expected = misread_counts(counts_of);
  const RdfRunner rdf;
  write_bytes(rdf.file(name), text);
  RdfRunner::Words words{rdf.file(name)};
  words.insert(words.end(), expected.options.begin(), expected.options.end());
  const ProgramRun run = rdf.run(words);
  if (run.exit_code != exit_code) {
    return "exit code " + std::to_string(run.exit_code) + ": " + run.err;
  }
  return counts_problem(rdf.result(), expected);
}

TEST_CASE("extended XYZ: blanks around '=', and other forms of the same line") {
  const std::string name = "blanks-at-equals.xyz";
  CHECK(misread_problem(name) == "");
  const std::string text = misread_text(name);
  const std::string second =
      "Lattice = \"10 0 0 2 11 0 1 -1.5 12\" Properties = species:S:1:pos:R:3 pbc = "
      "\"T T F\"";
  for (const char* same :
       {"Lattice= \"10 0 0 2 11 0 1 -1.5 12\" Properties =species:S:1:pos:R:3 pbc={T T "
        "F}",
        "pbc=[T, true,FALSE] Properties=\"species:S:1:pos:R:3\" Lattice=[10, 0, 0, 2, "
        "11, 0, 1, -1.5, 12]",
        "Lattice=[[10, 2, 1], [0, 11, -1.5], [0, 0, 12]] pbc='True True False' "
        "Properties=species:S:1:pos:R:3 title=\"a \\\" pbc=\\\"F F F\\\" b\"",
        "\"Lattice\"={1d1 0 0 2 1.1D+1 0 1 -1.5 12} properties=species:S:1:pos:R:3 "
        "PBC=\"1 1 0\" energy=-1.5 virial=[[1,2,3],[4,5,6],[7,8,9]] done",
        "Lattice=\"10 0 0 2 11 0 1 -1.5 12\" pbc=\"T T F\""}) {
    INFO(same);
    CHECK(counts_of_text(with_replaced(text, second, same), "a.xyz", name) == "");
  }
}

TEST_CASE("extended XYZ: names in any column") {
  const std::string name = "Z-only.xyz";
  CHECK(misread_problem(name) == "");
  const std::string text = misread_text(name);
  for (const char* column :
       {"numbers:I:1", "atomic_numbers:I:1", "symbols:S:1", "element:S:1",
        "Elements:S:1", "name:S:1", "atom_types:S:1", "type:I:1", "label:S:1"}) {
    INFO(column);
    CHECK(counts_of_text(with_replaced(text, "Z:I:1", column), "a.xyz", name) == "");
  }
}

TEST_CASE("a dump with another heading than LAMMPS' is refused by its words") {
  const RdfRunner rdf;
  const std::string path = data_file("misread/flags-first.dump");
  CHECK(refusal_problem(
            rdf, rdf.run({path, "--r-max", "4"}),
            {path.c_str(), "line 5", "'BOX BOUNDS pp pp pp xy xz yz'", "--box"}) == "");
  std::string text = misread_text("flags-first.dump");
  const std::string heading = "pp pp pp xy xz yz";
  while (text.find(heading) != std::string::npos) {
    text = with_replaced(text, heading, "xy xz yz pp pp pp");
  }
  CHECK(counts_of_text(text, "a.dump", "flags-first.dump") == "");
}

TEST_CASE("a frame cut in the middle of a dump is left out, the others counted") {
  const std::string name = "cut-middle.dump";
  const std::string text = misread_text(name);
  CHECK(counts_of_text(text, "a.dump", name, 3) == "");
  // Without the end of the truncated line.
  CHECK(counts_of_text(with_replaced(text, "9.42587 2\n", "9.42587 2"), "a.dump", name,
                       3) == "");
  const RdfRunner rdf;
  const ProgramRun run =
      rdf.run({data_file("misread/" + name), "--r-max", "4.4", "--bins", "44"});
  CHECK(refusal_problem(rdf, run,
                        {"frame 1", "cut-middle.dump, line 59", "'ITEM: TIMESTEP'",
                         "from line 40 on", "--skip-bad-frames"}) == "");
}

/// A frame of ten atoms in some format: its box, and the third atom's z.
struct FrameText {
  std::string box;
  std::string z;
  int missing = 0;     ///< number of missing atom lines at the end
  bool zeros = false;  ///< true if all positions are zero
};

std::string atom_numbers(const FrameText& frame, int k, int width) {
  std::string text;
  for (const std::string& number :
       {frame.zeros ? "0.000" : std::to_string(k) + ".125",
        frame.zeros ? "0.000" : std::to_string(k * k % 7) + ".500",
        frame.zeros ? "0.000"
        : k == 2    ? frame.z
                    : std::string("1.250")}) {
    text += std::string(number.size() < static_cast<std::size_t>(width)
                            ? static_cast<std::size_t>(width) - number.size()
                            : 0,
                        ' ') +
            number;
  }
  return text;
}

std::string frame_of(const std::string& format, const FrameText& frame) {
  if (format == "pdb") {
    std::string text = frame.box + "\nMODEL\n";
    for (int k = 0; k < 10 - frame.missing; ++k) {
      text += "ATOM      1  OW  SOL A   1    " + atom_numbers(frame, k, 8) +
              "  1.00  0.00           O\n";
    }
    return text + (frame.missing > 0 ? "" : "ENDMDL\n");
  }
  std::string text =
      format == "xyz" ? "10\nLattice=\"" + frame.box + "\"\n"
      : format == "gro"
          ? "water t= 1.0\n10\n"
          : "ITEM: TIMESTEP\n1\nITEM: NUMBER OF ATOMS\n10\nITEM: BOX BOUNDS "
            "pp pp pp\n" +
                frame.box + "\nITEM: ATOMS type x y z\n";
  for (int k = 0; k < 10 - frame.missing; ++k) {
    text += (format == "xyz"   ? "A "
             : format == "gro" ? "    1SOL     OW    1"
                               : "1 ") +
            atom_numbers(frame, k, 8) + "\n";
  }
  return text + (format == "gro" ? frame.box + "\n" : "");
}

/// Checks that frame 1 of three in the file `name` of these bytes is refused with its
/// number, and left out by --skip-bad-frames, which gives the counts of `others`.
void check_bad_frame(const std::string& name, const std::string& bytes,
                     const std::string& r_max, const io::ResultFile& others) {
  const RdfRunner rdf;
  write_bytes(rdf.file(name), bytes);
  const RdfRunner::Words words{rdf.file(name), "--r-max",    r_max, "--bins",
                               "50",           "--repeated", "keep"};
  CHECK(refusal_problem(rdf, rdf.run(words), {"frame 1", name.c_str()}) == "");
  RdfRunner::Words skipping = words;
  skipping.emplace_back("--skip-bad-frames");
  const ProgramRun run = rdf.run(skipping);
  CHECK(missing(run.err, {"left out: frame 1"}) == "");
  REQUIRE(run.exit_code == 3);
  CHECK(summed_counts(rdf.result()) == summed_counts(others));
}

TEST_CASE("equal defects of each text format are left out by --skip-bad-frames") {
  struct Format {
    std::string name;
    std::string box;
    std::vector<std::string> bad_boxes;
  };
  const std::vector<Format> formats{
      {"xyz",
       "12 0 0 0 12 0 0 0 12",
       {"12 0 0 0 12 0 12 12 0", "12 0 0 0 nan 0 0 0 12", "12 0 0 0 12 0 0 0", "",
        "12 0 0 0 0 0 0 0 12"}},
      {"gro",
       "  12.00000  12.00000  12.00000",
       {"12 12 12 0 0 0 0 12 -12x", "12 nan 12", "12 12", "", "12 0 12", "12 -12 12"}},
      {"dump",
       "0 12\n0 12\n0 12",
       {"0 12\n0 nan\n0 12", "0 12\n0 12\n0", "0 12\n0 12", "0 12\n0 0\n0 12",
        "0 12\n12 0\n0 12", "0 12 1\n0 12 0\n0 12 0"}},
      {"pdb",
       "CRYST1   12.000   12.000   12.000  90.00  90.00  90.00",
       {"CRYST1   12.000      nan   12.000  90.00  90.00  90.00",
        "CRYST1   12.000    0.000   12.000  90.00  90.00  90.00",
        "CRYST1   12.000  -12.000   12.000  90.00  90.00  90.00",
        "CRYST1   12.000   12.000   12.000  90.00  90.00 190.00", "CRYST1   12.000"}}};
  for (const Format& format : formats) {
    const FrameText good{format.box, "1.250"};
    std::vector<FrameText> defects{{format.box, "nan"},
                                   {format.box, "1.2x5"},
                                   {format.box, "1.250", 3},
                                   {format.box, "1.250", 0, true},
                                   {format.box, "9999999999999.250"}};
    for (const std::string& box : format.bad_boxes) {
      defects.push_back({box, "1.250"});
    }
    const std::string frame = frame_of(format.name, good);
    const RdfRunner whole;
    const std::string name = "a." + format.name;
    write_bytes(whole.file(name), frame + frame);
    REQUIRE(whole.run({whole.file(name), "--r-max", "5", "--bins", "50"}).exit_code ==
            0);
    for (const FrameText& defect : defects) {
      const std::string text = frame + frame_of(format.name, defect) + frame;
      INFO(text);
      check_bad_frame(name, text, "5", whole.result());
    }
  }
}

TEST_CASE("equal defects of XTC and TRR are left out by --skip-bad-frames") {
  std::vector<double> good(3 * 9);
  std::iota(good.begin(), good.end(), 1.0);
  std::vector<std::vector<double>> defects(6, good);
  defects[0][4] = std::nan("");
  defects[1][4] = std::numeric_limits<double>::infinity();
  defects[2].assign(good.size(), 0.0);
  std::fill_n(defects[3].begin(), 3 * 8, 0.0);
  defects[4][4] = 1e12;
  defects[5].resize(3 * 7);
  for (const std::string name : {"a.xtc", "a.trr"}) {
    const auto frame_of = [&name](const std::vector<double>& positions) {
      return name == "a.trr" ? trr_frame<double>(positions, 1, 1.0)
                             : xtc_frame({positions.begin(), positions.end()}, 1, 1.0F);
    };
    const RdfRunner whole;
    write_bytes(whole.file(name), frame_of(good) + frame_of(good));
    REQUIRE(whole.run({whole.file(name), "--r-max", "2", "--bins", "50"}).exit_code ==
            0);
    for (const std::vector<double>& defect : defects) {
      INFO(name << ": " << defect.size() << " numbers, the fifth is " << defect[4]);
      check_bad_frame(name, frame_of(good) + frame_of(defect) + frame_of(good), "2",
                      whole.result());
    }
  }
}

TEST_CASE("info lists unusable frames, and describes the others") {
  const FrameText good{"12 0 0 0 12 0 0 0 12", "1.250"};
  const FrameText cut{good.box, "1.250", 3};
  const std::string frame = frame_of("xyz", good);
  const RdfRunner rdf;
  const std::string path = rdf.file("a.xyz");
  write_bytes(path, frame + frame_of("xyz", cut) + frame);
  const ProgramRun run = run_program({"info", path});
  CHECK(run.exit_code == 3);
  CHECK(missing(run.out,
                {"frames       3", "unusable     1 of these frames, the first: frame 1",
                 "species      A: 10", "volume       1728"}) == "");
  write_bytes(path, frame_of("xyz", {good.box, "nan"}));
  const ProgramRun none = run_program({"info", path});
  CHECK(none.exit_code == 1);
  CHECK(missing(none.err, {"frame 0", "not a finite number"}) == "");
}

TEST_CASE("a left-handed cell has the counts of its mirror image") {
  const auto run = [](const std::string& lattice, double sign) {
    std::string text = "60\nLattice=\"" + lattice + "\"\n";
    std::uint32_t state = 7;
    for (int k = 0; k < 60; ++k) {
      double p[3];
      for (double& x : p) {
        state = state * 1664525U + 1013904223U;
        x = 10.0 * state / 4294967296.0;
      }
      text += "A " + std::to_string(p[0]) + " " + std::to_string(p[1]) + " " +
              std::to_string(sign * p[2]) + "\n";
    }
    const RdfRunner rdf;
    write_bytes(rdf.file("a.xyz"), text);
    const ProgramRun program =
        rdf.run({rdf.file("a.xyz"), "--r-max", "4", "--bins", "80"});
    INFO(program.err);
    REQUIRE(program.exit_code == 0);
    const io::ResultFile result = rdf.result();
    CHECK(relative_error(total(result.blocks).volume, 990.0) < 1e-12);
    return summed_counts(result);
  };
  const auto right = run("10 0 0 3 9 0 -2 1 11", 1.0);
  CHECK(run("10 0 0 3 9 0 -2 1 -11", -1.0) == right);
  CHECK(run("3 9 0 10 0 0 -2 1 11", 1.0) == right);
}

}  // namespace
}  // namespace starhist::testing
