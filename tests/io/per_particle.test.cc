// Individual particles from every reader: the same order in each frame, or an error.
#include "tests/support/catch.hh"
#include "tests/support/h5md_file.hh"
#include "tests/support/read_all.hh"
#include "tests/support/text_trajectory.hh"

namespace starhist::testing {
namespace {

using Names = std::vector<std::string>;
using Ids = std::vector<std::int64_t>;

io::ReadOptions per_particle() {
  io::ReadOptions options;
  options.per_particle = true;
  return options;
}

std::string dump_frame(const std::string& atoms, int count = 3) {
  return "ITEM: TIMESTEP\n1\nITEM: NUMBER OF ATOMS\n" + std::to_string(count) +
         "\nITEM: BOX BOUNDS pp pp pp\n0 10\n0 10\n0 10\n"
         "ITEM: ATOMS id mol type element mass x y z\n" +
         atoms;
}

const std::string first =
    dump_frame("7 2 3 Na 23 7 7 7\n2 1 1 O 16 2 2 2\n5 1 2 H 1 5 5 5\n");

TEST_CASE("per particle, LAMMPS dump: by id in each frame, columns by their names") {
  const TextTrajectory file(
      first + dump_frame("2 1 1 O 16 2 2 3\n7 2 3 Na 23 7 7 8\n5 1 2 H 1 5 5 6\n"));
  const WholeTrajectory all = read_all({file.path}, per_particle());
  const io::ParticleTable& table = all.info.particles;
  CHECK(all.info.species == Names{"all"});
  CHECK(table.count == 3);
  CHECK(table.id == Ids{2, 5, 7});
  CHECK(table.molecule == Ids{1, 1, 2});
  CHECK(table.type == Names{"1", "2", "3"});
  CHECK(table.element == Names{"O", "H", "Na"});
  CHECK(table.species == table.element);
  CHECK(table.mass == std::vector<double>{16, 1, 23});
  CHECK(table.name.empty());
  CHECK(all.frames[0].positions[0] == std::vector<double>{2, 2, 2, 5, 5, 5, 7, 7, 7});
  CHECK(all.frames[1].positions[0] == std::vector<double>{2, 2, 3, 5, 5, 6, 7, 7, 8});
}

TEST_CASE("per particle, LAMMPS dump: particles that differ between frames") {
  const auto problem = [](const std::string& second) {
    const TextTrajectory file(first + second);
    return read_error(file.path, per_particle());
  };
  CHECK(missing(problem(dump_frame("2 1 1 O 16 2 2 3\n7 2 3 Na 23 7 7 8\n", 2)),
                {"frame 1: ", "line 21", "2 particles, but the first frame 3"}) == "");
  CHECK(missing(problem(dump_frame(
                    "2 1 1 O 16 2 2 3\n8 2 3 Na 23 7 7 8\n5 1 2 H 1 5 5 6\n")),
                {"frame 1: ", "line 23", "id 8 is not in the first frame"}) == "");
  CHECK(missing(
            problem(dump_frame("2 1 1 O 16 2 2 3\n5 1 2 H 1 7 7 8\n5 1 2 H 1 5 5 6\n")),
            {"the id 5 stands twice"}) == "");
  CHECK(
      missing(
          problem(dump_frame("2 1 1 O 16 2 2 3\n7 1 3 Na 23 7 7 8\n5 1 2 H 1 5 5 6\n")),
          {"particle 3 has molecule 1, but another one in the first frame"}) == "");
  CHECK(missing(problem(dump_frame(
                    "2 1 1 O 16 2 2 3\n7 2 1 Na 23 7 7 8\n5 1 2 H 1 5 5 6\n")),
                {"particle 3 has type 1"}) == "");
  std::string other_columns =
      dump_frame("2 1 1 O 16 2 2 3\n7 2 3 Na 23 7 7 8\n5 1 2 H 1 5 5 6\n");
  other_columns.replace(other_columns.find("mol"), 3, "moo");
  CHECK(missing(problem(other_columns),
                {"no column for molecule, which the first frame has"}) == "");
  other_columns.replace(other_columns.find("id moo"), 6, "ib mol");
  CHECK(missing(problem(other_columns), {"no column for id"}) == "");
  const TextTrajectory twice(
      dump_frame("2 1 1 O 16 2 2 3\n2 1 3 Na 23 7 7 8\n5 1 2 H 1 5 5 6\n"));
  CHECK(missing(read_error(twice.path, per_particle()), {"the id 2 stands twice"}) ==
        "");
}

TEST_CASE("per particle, XYZ: names without Properties, the columns of ASE and OVITO") {
  const TextTrajectory plain("2\n\nOW 1 2 3\nHW 4 5 6\n2\n\nOW 1 2 4\nHW 4 5 7\n");
  const WholeTrajectory all = read_all({plain.path}, per_particle());
  CHECK(all.info.particles.name == Names{"OW", "HW"});
  CHECK(all.info.particles.element.empty());
  CHECK(all.frames[1].positions[0] == std::vector<double>{1, 2, 4, 4, 5, 7});

  const TextTrajectory rich(
      "2\nProperties=id:I:1:pos:R:3:species:S:1:type:S:1:residuenames:S:1:"
      "residuenumbers:I:1:molecule:I:1:masses:R:1:element:S:1:atomtypes:S:1\n"
      "9 1 2 3 OW t1 SOL 4 8 16 O O1\n3 4 5 6 HW t2 LIG 5 8 1 H H1\n");
  const WholeTrajectory few = read_all({rich.path}, per_particle());
  const io::ParticleTable& table = few.info.particles;
  CHECK(table.id == Ids{3, 9});
  CHECK(table.species == Names{"HW", "OW"});
  CHECK(table.name == Names{"H1", "O1"});
  CHECK(table.type == Names{"t2", "t1"});
  CHECK(table.element == Names{"H", "O"});
  CHECK(table.residue_name == Names{"LIG", "SOL"});
  CHECK(table.residue == Ids{5, 4});
  CHECK(table.molecule == Ids{8, 8});
  CHECK(table.mass == std::vector<double>{1, 16});
  CHECK(few.frames[0].positions[0] == std::vector<double>{4, 5, 6, 1, 2, 3});

  const TextTrajectory swapped("2\n\nO 1 2 3\nH 4 5 6\n2\n\nH 1 2 4\nO 4 5 7\n");
  CHECK(missing(read_error(swapped.path, per_particle()),
                {"frame 1: ", "line 7", "particle 1 has species H"}) == "");
}

TEST_CASE("per particle, several files: the same particles, or the first difference") {
  const TextTrajectory a("2\n\nO 1 2 3\nH 4 5 6\n");
  const TextTrajectory b("2\n\nO 3 2 1\nH 6 5 4\n");
  const WholeTrajectory both = read_all({a.path, b.path}, per_particle());
  REQUIRE(both.frames.size() == 2);
  CHECK(both.frames[1].positions[0] == std::vector<double>{3, 2, 1, 6, 5, 4});
  const auto problem = [&](const TextTrajectory& other) {
    return error_text<InputError>([&] {
      read_all({a.path, other.path}, per_particle());
    });
  };
  const TextTrajectory type("2\n\nO 1 2 3\nS 4 5 6\n");
  CHECK(missing(problem(type), {type.path.c_str(), "particle 2 has species 'S'",
                                a.path.c_str(), "'H'"}) == "");
  const TextTrajectory more("3\n\nO 1 2 3\nH 4 5 6\nH 4 5 6\n");
  CHECK(missing(problem(more), {"has 3 particles", "2 (", "starhist merge"}) == "");
  const TextTrajectory column(
      "2\nProperties=species:S:1:pos:R:3:resid:I:1\nO 1 2 3 1\nH 4 5 6 1\n");
  CHECK(missing(problem(column), {"does not specify resid", column.path.c_str()}) ==
        "");
}

TEST_CASE("per particle, H5MD: names, masses, and order by id") {
  const TemporaryDirectory folder;
  const std::string path = folder.file("a.h5");
  const SmallTrajectory small = small_trajectory(2);
  write_h5md(path, small);
  {
    const WholeTrajectory plain = read_all({path}, per_particle());
    CHECK(plain.info.particles.name == small.species);
    CHECK(plain.frames[1].positions[0] == small.positions[1]);
  }
  HdfFile(path, HdfFile::Mode::edit)
      .numbers("particles/all/mass", {5}, {16, 1, 1, 16, 1});
  HdfFile(path, HdfFile::Mode::edit)
      .numbers("particles/all/resid", {5}, {1, 1, 1, 2, 2}, {NumberType::i32});
  HdfFile(path, HdfFile::Mode::edit)
      .text("particles/all/resname", {5}, {"A", "A", "A", "B", "B"});
  HdfFile(path, HdfFile::Mode::edit)
      .numbers("particles/all/id", {5}, {5, 4, 3, 2, 1}, {NumberType::i32});
  const WholeTrajectory all = read_all({path}, per_particle());
  const io::ParticleTable& table = all.info.particles;
  CHECK(table.id == Ids{1, 2, 3, 4, 5});
  CHECK(table.name == Names{"H", "O", "H", "H", "O"});
  CHECK(table.species == table.name);
  CHECK(table.mass == std::vector<double>{1, 16, 1, 1, 16});
  CHECK(table.residue == Ids{2, 2, 1, 1, 1});
  CHECK(table.residue_name == Names{"B", "B", "A", "A", "A"});
  for (std::size_t k = 0; k < 15; ++k) {
    CHECK(all.frames[1].positions[0][k] == small.positions[1][3 * (4 - k / 3) + k % 3]);
  }
}

TEST_CASE("per particle, H5MD: ids and species that change with time") {
  const TemporaryDirectory folder;
  const std::string path = folder.file("a.h5");
  const SmallTrajectory small = small_trajectory(2);
  write_h5md(path, small);
  const auto set = [&](const std::string& name, const std::vector<double>& values) {
    HdfFile file(path, HdfFile::Mode::edit);
    file.remove("particles/all/species");
    file.numbers("particles/all/species/value", {2, 5}, {1, 2, 2, 1, 2, 2, 1, 1, 2, 2},
                 {NumberType::i32, {1, 5}});
    file.numbers("particles/all/species/step", {2}, {0, 10}, {NumberType::i64});
    file.numbers("particles/all/id/value", {2, 5}, values,
                 {NumberType::i32, {1, 5}, -1.0});
    file.numbers("particles/all/id/step", {2}, {0, 10}, {NumberType::i64});
    INFO(name);
  };
  SECTION("in another order") {
    set("order", {1, 2, 3, 4, 5, 2, 1, 4, 3, 5});
    const WholeTrajectory all = read_all({path}, per_particle());
    CHECK(all.info.particles.type == Names{"1", "2", "2", "1", "2"});
    CHECK(all.info.particles.name.empty());
    CHECK(all.frames[0].positions[0] == small.positions[0]);
    const std::size_t row[] = {1, 0, 3, 2, 4};
    for (std::size_t k = 0; k < 15; ++k) {
      CHECK(all.frames[1].positions[0][k] ==
            small.positions[1][3 * row[k / 3] + k % 3]);
    }
  }
  SECTION("another species for the same id") {
    set("species", {1, 2, 3, 4, 5, 1, 2, 3, 4, 5});
    CHECK(missing(read_error(path, per_particle()),
                  {"frame 1: ",
                   "particle 1 is of species 2, but in the first frame 1"}) == "");
  }
  SECTION("another id") {
    set("id", {1, 2, 3, 4, 5, 2, 1, 4, 3, 6});
    CHECK(missing(read_error(path, per_particle()),
                  {"id 6 where the first frame has 5"}) == "");
  }
  SECTION("one is absent") {
    set("absent", {1, 2, 3, 4, 5, 2, 1, 4, 3, -1});
    CHECK(missing(read_error(path, per_particle()),
                  {"has 4 particles, but in the first frame 5"}) == "");
  }
  SECTION("a duplicate id") {
    set("twice", {1, 2, 3, 4, 4, 2, 1, 4, 3, 5});
    CHECK(missing(read_error(path, per_particle()), {"have the id 4"}) == "");
  }
}

TEST_CASE("per particle, H5MD: unusable columns") {
  const TemporaryDirectory folder;
  const std::string path = folder.file("a.h5");
  write_h5md(path, small_trajectory(2));
  SECTION("a species without a name") {
    HdfFile(path, HdfFile::Mode::edit)
        .enumeration("particles/all/species", {5}, {0, 1, 9, 0, 1}, {"H", "O"});
    CHECK(missing(read_error(path, per_particle()),
                  {"particles/all/species: particle 2: its species 9"}) == "");
  }
  SECTION("masses of other particles") {
    HdfFile(path, HdfFile::Mode::edit).numbers("particles/all/mass", {3}, {1, 2, 3});
    CHECK(missing(read_error(path, per_particle()),
                  {"particles/all/mass: has 3 values for 5 particles"}) == "");
  }
  SECTION("names of other particles") {
    HdfFile(path, HdfFile::Mode::edit).text("particles/all/name", {2}, {"A", "B"});
    CHECK(missing(read_error(path, per_particle()),
                  {"particles/all/name: has 2 values for 5 particles"}) == "");
  }
}

TEST_CASE("selections from a first frame without particles are refused") {
  const TextTrajectory xyz("0\n\n1\n\nA 1 2 3\n");
  io::ReadOptions options;
  options.species = io::parse_species_groups("A=all");
  CHECK(missing(read_error(xyz.path, options),
                {xyz.path.c_str(), "no particles in its first frame"}) == "");
  options.species.clear();
  options.with_membership = true;
  CHECK(missing(read_error(xyz.path, options), {"no particles in its first frame"}) ==
        "");
}

TEST_CASE("per particle, CADISHI: species after species") {
  const TemporaryDirectory folder;
  const std::string path = folder.file("a.h5");
  {
    HdfFile file(path);
    file.numbers("1/coordinates/O", {1, 3}, {1, 2, 3});
    file.numbers("1/coordinates/H", {2, 3}, {4, 5, 6, 7, 8, 9});
    file.numbers("2/coordinates/O", {1, 3}, {1, 2, 4});
    file.numbers("2/coordinates/H", {2, 3}, {4, 5, 7, 7, 8, 10});
  }
  const WholeTrajectory all = read_all({path}, per_particle());
  CHECK(all.info.particles.name == Names{"H", "H", "O"});
  CHECK(all.info.particles.species == all.info.particles.name);
  CHECK(all.frames[1].positions[0] == std::vector<double>{4, 5, 7, 7, 8, 10, 1, 2, 4});
  HdfFile(path, HdfFile::Mode::edit).remove("2/coordinates/O");
  CHECK(missing(read_error(path, per_particle()),
                {"frame 1: ", "has 0 particles of species O, but the first frame 1"}) ==
        "");
}

}  // namespace
}  // namespace starhist::testing
