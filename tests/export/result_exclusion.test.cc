// Excluded pairs and r_min in result files, and older files without them.
#include <algorithm>
#include <sstream>

#include "codelets/core/base/error.hh"
#include "io/export/export.hh"
#include "io/hdf5/hdf5_object.hh"
#include "io/hdf5/hdf5_write.hh"
#include "io/output/result_writer.hh"
#include "io/result/result_layout.hh"
#include "io/result/result_reader.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/sample_result.hh"
#include "tests/support/temporary_directory.hh"

namespace starhist {
namespace {

using testing::error_text;
using testing::missing;
using testing::sample_block;
using testing::sample_layout;

const std::string histogram_path = "observables/pair_distance_histogram/";

/// A result of one block with bins from r_min, and excluded pairs.
class ExclusionFile {
 public:
  ExclusionFile() : path_(folder_.file("out.h5")), layout_(sample_layout(6)) {
    layout_.bins = make_bins(layout_.bins.r_max, 4, 2);
    layout_.exclusion = Exclusion::same_residue;
    block_ = sample_block(sample_layout(6), 0);
    for (std::size_t p = 0; p < layout_.pairs.size(); ++p) {
      std::vector<std::uint64_t>& counts = block_.counts[p];
      block_.underflow[p] = counts[0] + counts[1];
      counts.erase(counts.begin(), counts.begin() + 2);
      block_.excluded[p] = 11 * p;
    }
    io::ResultWriter writer(path_, layout_, {{"version", "0.1.0"}}, false);
    writer.append(block_);
    writer.finish({});
  }

  template <class Change>
  void change(const Change& apply) const {
    const io::Hdf5Object file(H5Fopen(path_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT),
                              H5Fclose);
    REQUIRE(file);
    apply(file.get());
  }
  void remove(const std::string& name) const {
    change(
        [&](hid_t file) { REQUIRE(H5Ldelete(file, name.c_str(), H5P_DEFAULT) >= 0); });
  }
  void remove_exclusion() const {
    change([](hid_t file) {
      REQUIRE(H5Adelete_by_name(file, io::result_layout::parameters,
                                io::result_layout::exclusion, H5P_DEFAULT) >= 0);
    });
  }

  const std::string& path() const { return path_; }
  const HistogramLayout& layout() const { return layout_; }
  const BlockCounts& block() const { return block_; }
  std::string read_error() const {
    return error_text<InputError>([this] { io::read_result(path_); });
  }

 private:
  testing::TemporaryDirectory folder_;
  std::string path_;
  HistogramLayout layout_;
  BlockCounts block_;
};

TEST_CASE("exclusion, excluded pairs, r_min and underflow are read back") {
  const ExclusionFile file;
  const io::ResultFile result = io::read_result(file.path());
  CHECK(result.layout.exclusion == Exclusion::same_residue);
  CHECK(result.layout.bins.below == 2);
  CHECK(result.layout.bins.count == 4);
  CHECK(result.layout.bins.r_min() == file.layout().bins.r_min());
  CHECK(result.blocks[0].underflow == file.block().underflow);
  CHECK(result.blocks[0].excluded == file.block().excluded);
  CHECK(result.blocks[0].counts == file.block().counts);
  CHECK(file.block().underflow != std::vector<std::uint64_t>(3));
}

TEST_CASE("results without exclusion and r_min are still read") {
  const testing::TemporaryDirectory folder;
  const std::string path = folder.file("old.h5");
  {
    io::ResultWriter writer(path, sample_layout(6), {{"version", "0.1.0"}}, false);
    writer.append(sample_block(sample_layout(6), 0));
    writer.finish({});
  }
  const io::Hdf5Object file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
  for (const std::string& name :
       {histogram_path + "underflow", histogram_path + "excluded_pairs",
        std::string("parameters/pair_histogram/r_min"),
        std::string("parameters/pair_histogram/bins_below")}) {
    REQUIRE(H5Ldelete(file.get(), name.c_str(), H5P_DEFAULT) >= 0);
  }
  REQUIRE(H5Adelete_by_name(file.get(), io::result_layout::parameters,
                            io::result_layout::exclusion, H5P_DEFAULT) >= 0);
  const io::ResultFile result = io::read_result(path);
  CHECK(result.layout.exclusion == Exclusion::none);
  CHECK(result.layout.bins.below == 0);
  CHECK(result.blocks[0].counts == sample_block(sample_layout(6), 0).counts);
  CHECK(result.blocks[0].underflow == std::vector<std::uint64_t>(3));
}

TEST_CASE("contradictory values are refused with their place") {
  {
    const ExclusionFile file;
    file.remove(histogram_path + "underflow");
    CHECK(missing(file.read_error(), {"do not add up"}) == "");
  }
  {
    const ExclusionFile file;
    file.remove("parameters/pair_histogram/bins_below");
    CHECK(missing(file.read_error(), {"bin_edges"}) == "");
  }
  {
    const ExclusionFile file;
    file.remove_exclusion();
    file.change([](hid_t h5) {
      const io::Hdf5Object group(
          H5Gopen2(h5, io::result_layout::parameters, H5P_DEFAULT), H5Gclose);
      io::write_hdf5_attribute(group.get(), io::result_layout::exclusion,
                               std::string("same chain"));
    });
    CHECK(missing(file.read_error(), {"'same chain' is unknown", "damaged"}) == "");
  }
}

TEST_CASE("exported counts begin at r_min and list the excluded pairs") {
  const ExclusionFile file;
  std::ostringstream text;
  io::write_export(text, io::read_result(file.path()),
                   {io::Quantity::counts, io::ExportFormat::csv, {}, {}});
  CHECK(missing(text.str(), {"# r_min: ", "# excluded: same residue",
                             "excluded_pairs: 11\n", "underflow: "}) == "");
}

}  // namespace
}  // namespace starhist
