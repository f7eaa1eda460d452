// mmCIF: atoms and cell, and refused files.
#include "io/trajectory/formats.hh"
#include "tests/support/text_trajectory.hh"

namespace starhist::testing {
namespace {

using Names = std::vector<std::string>;

const std::string cell =
    "_cell.length_a 10\n_cell.length_b 20.5(2)\n_cell.length_c 30\n"
    "_cell.angle_alpha 90\n_cell.angle_beta 90\n_cell.angle_gamma 90\n";

/// Returns a file with these rows: element, name, altloc, residue, label chain, auth
/// chain, number, insertion code, x, y, z, model.
std::string file_of(const std::string& rows, const std::string& before = cell) {
  return "data_a\n" + before +
         "loop_\n_atom_site.type_symbol\n_atom_site.label_atom_id\n"
         "_atom_site.label_alt_id\n_atom_site.label_comp_id\n_atom_site.label_asym_id\n"
         "_atom_site.auth_asym_id\n_atom_site.auth_seq_id\n"
         "_atom_site.pdbx_PDB_ins_code\n_atom_site.Cartn_x\n_atom_site.Cartn_y\n"
         "_atom_site.Cartn_z\n_atom_site.pdbx_PDB_model_num\n" +
         rows;
}

const std::string two_atoms =
    "C  CA . LIG A X 52 ? 1.001 2 3 1\nCL \"CL'\" . LIG B X 52 A 4 5.5 -6 1\n";

WholeTrajectory read_cif(const std::string& text, const io::ReadOptions& options = {}) {
  return read_all({TextTrajectory(text, "a.cif").path}, options);
}

std::string refusal_of_mmcif(const std::string& text) {
  const TextTrajectory file(text, "a.cif");
  return read_error(file.path);
}

TEST_CASE("mmCIF: atoms, residues, chains and cell") {
  io::ReadOptions per_particle;
  per_particle.per_particle = true;
  const WholeTrajectory all = read_cif(file_of(two_atoms), per_particle);
  const io::ParticleTable& table = all.info.particles;
  CHECK(table.name == Names{"CA", "CL'"});
  CHECK(table.element == Names{"C", "Cl"});
  CHECK(table.residue_name == Names{"LIG", "LIG"});
  CHECK(table.chain == Names{"X", "X"});
  CHECK(table.segment == Names{"A", "B"});
  CHECK(table.insertion_code == Names{"", "A"});
  CHECK(table.residue == std::vector<std::int64_t>{52, 52});
  REQUIRE(all.frames.size() == 1);
  CHECK(all.frames[0].positions[0] == std::vector<double>{1.001, 2, 3, 4, 5.5, -6});
  CHECK(all.frames[0].box ==
        Box({Vec3{10, 0, 0}, {0, 20.5, 0}, {0, 0, 30}}, {true, true, true}));
  CHECK(all.info.length_unit == "A");
}

TEST_CASE("mmCIF: placeholder cells, and models") {
  const std::string one =
      "_cell.length_a 1\n_cell.length_b 1\n_cell.length_c 1\n_cell.angle_alpha 90\n"
      "_cell.angle_beta 90\n_cell.angle_gamma 90\n";
  for (const std::string& none :
       {std::string(), one, std::string("_cell.length_a ?\n")}) {
    CHECK(read_cif(file_of(two_atoms, none)).frames.at(0).box == Box());
  }
  const WholeTrajectory models =
      read_cif(file_of(two_atoms + "C CA . LIG A X 52 ? 7 8 9 2\n"));
  REQUIRE(models.frames.size() == 2);
  CHECK(models.info.species == Names{"CA", "CL'"});
  CHECK(models.frames[1].positions[0] == std::vector<double>{7, 8, 9});
  CHECK(models.frames[1].positions[1].empty());
  CHECK(missing(models.info.remarks.back(),
                {"has one _cell, for all 2 frames", "--box FILE"}) == "");
  CHECK(read_cif(file_of(two_atoms)).info.remarks.empty());
}

TEST_CASE("mmCIF: alternate locations") {
  const std::string rows =
      "C CA A LIG A X 1 ? 1 1 1 1\nC CA B LIG A X 1 ? 2 2 2 1\nC CB . LIG A X 1 ? 3 3 "
      "3 "
      "1\n";
  const auto positions = [&](const std::string& altloc) {
    io::ReadOptions options;
    options.altloc = altloc;
    options.per_particle = true;
    return read_cif(file_of(rows), options).frames.at(0).positions.at(0);
  };
  CHECK(positions("first") == std::vector<double>{1, 1, 1, 3, 3, 3});
  CHECK(positions("B") == std::vector<double>{2, 2, 2, 3, 3, 3});
  CHECK(positions("all").size() == 9);
}

TEST_CASE("mmCIF: files that cannot be interpreted safely are refused") {
  CHECK(missing(refusal_of_mmcif(
                    "data_a\nloop_\n_atom_site_label\n_atom_site_fract_x\nC1 0.5\n"),
                {"a.cif", "fractional"}) == "");
  CHECK(missing(refusal_of_mmcif("data_a\n_cell.length_a 1\n"),
                {"a.cif", "no atoms"}) == "");
  CHECK(missing(refusal_of_mmcif("data_a\nloop_\n_b.c\n_b.d\n1 2 3\n"),
                {"a.cif", "not a CIF file"}) == "");
  CHECK(missing(refusal_of_mmcif(file_of("C CA . LIG A X 1 ? 1 1 ? 1\n")),
                {"a.cif", "atom 1 has no position"}) == "");
  CHECK(missing(refusal_of_mmcif(file_of("C CA . LIG A X x1 ? 1 1 1 1\n")),
                {"a.cif", "residue number 'x1'"}) == "");
  CHECK(missing(refusal_of_mmcif(
                    file_of("C CA . LIG A X 1 ? 1 1 1 1\nC CA . LIG A X 1 ? 1 1 1 2\n"
                            "C CA . LIG A X 1 ? 1 1 1 1\n")),
                {"a.cif", "model 1", "one after the other"}) == "");
  CHECK(missing(refusal_of_mmcif(file_of(two_atoms) +
                                 file_of(two_atoms).replace(0, 6, "data_b")),
                {"a.cif", "both have atoms"}) == "");
  CHECK(missing(refusal_of_mmcif(file_of(two_atoms, "_cell.length_a 10\n")),
                {"a.cif", "_cell.length_a", "--box"}) == "");
  CHECK(missing(refusal_of_mmcif(file_of(
                    two_atoms, cell + "_atom_sites.fract_transf_matrix[1][1] 0\n"
                                      "_atom_sites.fract_transf_matrix[1][2] .1\n"
                                      "_atom_sites.fract_transf_matrix[1][3] 0\n"
                                      "_atom_sites.fract_transf_matrix[2][1] .05\n"
                                      "_atom_sites.fract_transf_matrix[2][2] 0\n"
                                      "_atom_sites.fract_transf_matrix[2][3] 0\n"
                                      "_atom_sites.fract_transf_matrix[3][1] 0\n"
                                      "_atom_sites.fract_transf_matrix[3][2] 0\n"
                                      "_atom_sites.fract_transf_matrix[3][3] .03\n")),
                {"a.cif", "fract_transf_matrix", "--box"}) == "");
}

}  // namespace
}  // namespace starhist::testing
