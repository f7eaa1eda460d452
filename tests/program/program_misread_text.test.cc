// Text files that were once misread, or refused though their frames are whole.
#include "tests/program/misread.hh"
#include "tests/support/catch.hh"
#include "tests/support/file_bytes.hh"

namespace starhist::testing {
namespace {

std::string misread_text(const std::string& name) {
  return read_bytes(data_file("misread/" + name));
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

/// "" if `text` under this name gives the counts of `counts_of`, and the exit code.
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
    CHECK(counts_of_text(replaced(text, second, same), "a.xyz", name) == "");
  }
}

TEST_CASE("extended XYZ: names in whatever column holds them") {
  const std::string name = "Z-only.xyz";
  CHECK(misread_problem(name) == "");
  const std::string text = misread_text(name);
  for (const char* column :
       {"numbers:I:1", "atomic_numbers:I:1", "symbols:S:1", "element:S:1",
        "Elements:S:1", "name:S:1", "atom_types:S:1", "type:I:1", "label:S:1"}) {
    INFO(column);
    CHECK(counts_of_text(replaced(text, "Z:I:1", column), "a.xyz", name) == "");
  }
}

TEST_CASE("a dump whose heading is not LAMMPS' own is refused by its words") {
  const RdfRunner rdf;
  const std::string path = data_file("misread/flags-first.dump");
  CHECK(refusal_problem(
            rdf, rdf.run({path, "--r-max", "4"}),
            {path.c_str(), "line 5", "'BOX BOUNDS pp pp pp xy xz yz'", "--box"}) == "");
  CHECK(counts_of_text(replaced(misread_text("flags-first.dump"), "pp pp pp xy xz yz",
                                "xy xz yz pp pp pp"),
                       "a.dump", "flags-first.dump") == "");
}

TEST_CASE(
    "a frame that is cut in the middle of a dump is left out, the others counted") {
  const std::string name = "cut-middle.dump";
  const std::string text = misread_text(name);
  CHECK(counts_of_text(text, "a.dump", name, 3) == "");
  // Without the end of the line that was cut.
  CHECK(counts_of_text(replaced(text, "9.42587 2\n", "9.42587 2"), "a.dump", name, 3) ==
        "");
  const RdfRunner rdf;
  const ProgramRun run =
      rdf.run({data_file("misread/" + name), "--r-max", "4.4", "--bins", "44"});
  CHECK(refusal_problem(rdf, run,
                        {"frame 1", "cut-middle.dump, line 59", "'ITEM: TIMESTEP'",
                         "from line 40 on", "--skip-bad-frames"}) == "");
}

}  // namespace
}  // namespace starhist::testing
