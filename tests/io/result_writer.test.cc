#include "io/output/result_writer.hh"

#include <filesystem>
#include <fstream>
#include <limits>

#include <sys/stat.h>
#include <unistd.h>

#include "codelets/core/analysis/radial_distribution.hh"
#include "codelets/core/base/error.hh"
#include "io/hdf5/hdf5_file.hh"
#include "io/hdf5/hdf5_read.hh"
#include "io/hdf5/hdf5_write.hh"
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
using testing::sample_blocks;
using testing::sample_layout;

const io::RunRecord start_record{
    {"version", "0.1.0"}, {"scheduler", "lws"}, {"input", "w.h5"}};

void write_result(const std::string& path, const HistogramLayout& layout,
                  const std::vector<BlockCounts>& blocks,
                  const io::RunRecord& last = {}) {
  io::ResultWriter writer(path, layout, start_record, false);
  for (const BlockCounts& block : blocks) {
    writer.append(block);
  }
  writer.finish(last);
}

void check_equal(const BlockCounts& read, const BlockCounts& written) {
  CHECK(read.index == written.index);
  CHECK(read.frames == written.frames);
  CHECK(read.first_frame == written.first_frame);
  CHECK(read.last_frame == written.last_frame);
  CHECK(read.last_step == written.last_step);
  CHECK(read.last_time == written.last_time);
  CHECK(read.volume == written.volume);
  CHECK(read.inverse_volume == written.inverse_volume);
  CHECK(read.inscribed_radius == written.inscribed_radius);
  CHECK(read.particle_number == written.particle_number);
  CHECK(read.counts == written.counts);
  CHECK(read.out_of_range == written.out_of_range);
  CHECK(read.pairs == written.pairs);
  CHECK(read.pairs_over_volume == written.pairs_over_volume);
}

TEST_CASE("the frames of blocks are read back, also if a block lists no frames") {
  const testing::TemporaryDirectory folder;
  const HistogramLayout layout = sample_layout();
  std::vector<BlockCounts> blocks = sample_blocks(layout, 20);
  for (std::size_t b = 0; b < blocks.size(); b += b == 3 ? 2 : 1) {
    for (std::uint64_t k = 0; k < blocks[b].frames; ++k) {
      blocks[b].counted.push_back(
          {FrameIndex(blocks[b].first_frame.get() + k), 1000 * b + k});
    }
  }
  const std::string path = folder.file("r.h5");
  write_result(path, layout, blocks);
  const io::ResultFile read = io::read_result(path);
  REQUIRE(read.blocks.size() == blocks.size());
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    CHECK(read.blocks[b].counted == blocks[b].counted);
  }
  CHECK(read.blocks[4].counted.empty());
}

TEST_CASE("results are read back bit for bit") {
  const testing::TemporaryDirectory folder;
  const std::string path = folder.file("out.h5");
  const HistogramLayout layout = sample_layout();
  auto blocks = sample_blocks(layout, 3);
  blocks[1].counts[2][7] += 1ULL << 60U;  // beyond the exact integers of a double
  blocks[1].pairs[2] += 1ULL << 60U;
  blocks[1].particle_number.assign(layout.species.size(), 1ULL << 31U);

  write_result(path, layout, blocks, {{"scheduler", "dmdas"}, {"seconds", "1.5"}});

  CHECK_FALSE(std::filesystem::exists(path + ".partial"));
  CHECK(io::is_result(path));
  const io::ResultFile result = io::read_result(path);
  CHECK(result.path == path);
  CHECK(result.state == io::ResultState::complete);
  CHECK_FALSE(result.damaged);
  CHECK(result.layout.species == layout.species);
  CHECK(result.layout.pairs == layout.pairs);
  CHECK(result.layout.bins.r_max == layout.bins.r_max);
  CHECK(result.layout.bins.count == layout.bins.count);
  CHECK(result.layout.bins.inverse_width == layout.bins.inverse_width);
  CHECK(result.edge_shift == 0x1p-30);
  CHECK(result.layout.length_unit == "nm");
  CHECK(result.layout.time_unit == "ps");
  CHECK(result.record == io::RunRecord{{"version", "0.1.0"},
                                       {"scheduler", "dmdas"},
                                       {"input", "w.h5"},
                                       {"seconds", "1.5"}});
  REQUIRE(result.blocks.size() == 3);
  for (std::size_t b = 0; b < 3; ++b) {
    check_equal(result.blocks[b], blocks[b]);
  }
}

TEST_CASE("the edges of the counts are kept, and unknown ones are refused") {
  const testing::TemporaryDirectory folder;
  const HistogramLayout layout = sample_layout();
  const auto written = [&](const char* name, double shift) {
    io::ResultWriter writer(folder.file(name), layout, start_record, false, shift);
    writer.append(sample_block(layout, 0));
    writer.finish({});
    return folder.file(name);
  };
  const io::ResultFile old = io::read_result(written("old.h5", 0.0));
  CHECK(old.edge_shift == 0.0);
  CHECK(old.blocks.size() == 1);
  const std::string other = written("other.h5", 0.5);
  CHECK(missing(error_text<InputError>([&] { io::read_result(other); }),
                {"other.h5", "edge_shift", "newer starhist"}) == "");
}

TEST_CASE("counts larger than a chunk, many blocks, long records and names are kept") {
  const testing::TemporaryDirectory folder;
  HistogramLayout layout = sample_layout(200'000);
  layout.species = {"water/H", std::string(300, 'O')};
  layout.length_unit = "0.1 nm";
  layout.time_unit = "";
  const io::RunRecord record{{"inputs", std::string(200'000, 'x')}, {"empty", ""}};
  write_result(folder.file("wide.h5"), layout, sample_blocks(layout, 2), record);
  const io::ResultFile wide = io::read_result(folder.file("wide.h5"));
  CHECK(wide.layout.species == layout.species);
  CHECK(wide.layout.length_unit == "0.1 nm");
  CHECK(wide.layout.time_unit.empty());
  REQUIRE(wide.record.size() == 5);
  CHECK(wide.record[3].second == std::string(200'000, 'x'));
  CHECK(wide.record[4] == std::pair<std::string, std::string>("empty", ""));
  REQUIRE(wide.blocks.size() == 2);
  check_equal(wide.blocks[1], sample_block(sample_layout(200'000), 1));

  const HistogramLayout narrow = sample_layout(5);
  write_result(folder.file("long.h5"), narrow, sample_blocks(narrow, 150));
  const io::ResultFile many = io::read_result(folder.file("long.h5"));
  REQUIRE(many.blocks.size() == 150);
  for (std::size_t b = 0; b < 150; ++b) {
    check_equal(many.blocks[b], sample_block(narrow, b));
  }
}

TEST_CASE("a result without blocks can be finished and read") {
  const testing::TemporaryDirectory folder;
  write_result(folder.file("none.h5"), sample_layout(), {});
  CHECK(io::read_result(folder.file("none.h5")).blocks.empty());
}

/// Returns the block with open boxes: no volume, no limit of r.
BlockCounts without_volume(BlockCounts block) {
  block.volume = 0.0;
  block.inverse_volume = 0.0;
  block.inscribed_radius = std::numeric_limits<double>::infinity();
  block.pairs_over_volume.assign(block.pairs.size(), 0.0);
  return block;
}

std::vector<double> read_doubles(hid_t file, const std::string& path) {
  return io::read_hdf5_numbers<double>(io::open_hdf5_dataset(file, path).get());
}

TEST_CASE("finish() adds g(r) for the bins in which it is defined") {
  const testing::TemporaryDirectory folder;
  const std::string path = folder.file("out.h5");
  const HistogramLayout layout = sample_layout(10);
  auto blocks = sample_blocks(layout, 2);
  blocks[1].inscribed_radius = 0.65;
  blocks[0].pairs[2] = blocks[1].pairs[2] = 0;  // as if there were only one O
  for (auto& block : blocks) {
    block.counts[2].assign(10, 0);
    block.out_of_range[2] = 0;
    block.pairs_over_volume[2] = 0.0;
  }
  write_result(path, layout, blocks);

  const io::Hdf5Object file = io::open_hdf5_file(path);
  const io::Hdf5Object all =
      io::open_hdf5_group(file.get(), "observables/radial_distribution_functions");
  CHECK(io::hdf5_names(all.get()) == std::vector<std::string>{"H-H", "H-O"});
  const io::Hdf5Object group = io::open_hdf5_group(all.get(), "H-O");
  CHECK(io::read_hdf5_strings(group.get(), "type") ==
        std::vector<std::string>{"ensemble_average"});
  CHECK(io::read_hdf5_strings(io::open_hdf5_dataset(group.get(), "label").get()) ==
        std::vector<std::string>{"H-O"});
  const auto bins = read_doubles(group.get(), "bins");
  REQUIRE(bins.size() == 6);
  CHECK(bins[2] == 0.25);
  CHECK(io::read_hdf5_strings(io::open_hdf5_dataset(group.get(), "bins").get(),
                              "unit") == std::vector<std::string>{"nm"});
  auto g = analysis::radial_distribution(layout, {total(blocks)}, PairId(1),
                                         analysis::Normalization::pairs_over_volume);
  g.resize(6);
  CHECK(read_doubles(group.get(), "value") == g);
  CHECK(read_doubles(group.get(), "n_bins") == std::vector<double>{6});
  CHECK(read_doubles(group.get(), "frame_start") == std::vector<double>{0});
  CHECK(read_doubles(group.get(), "frame_end") == std::vector<double>{19});
}

TEST_CASE("data common to all pairs are stored once") {
  const testing::TemporaryDirectory folder;
  const std::string path = folder.file("out.h5");
  const HistogramLayout layout = sample_layout(10);
  write_result(path, layout, sample_blocks(layout, 1));
  {
    const io::Hdf5Object file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT),
                              H5Fclose);
    const io::Hdf5Object bins = io::open_hdf5_dataset(
        file.get(), "observables/radial_distribution_functions/H-H/bins");
    io::write_hdf5_attribute(bins.get(), "mark", std::string("seen"));
  }
  const io::Hdf5Object file = io::open_hdf5_file(path);
  for (const char* pair : {"H-O", "O-O"}) {
    const io::Hdf5Object bins =
        io::open_hdf5_dataset(file.get(), "observables/radial_distribution_functions/" +
                                              std::string(pair) + "/bins");
    CHECK(io::read_hdf5_strings(bins.get(), "mark") ==
          std::vector<std::string>{"seen"});
  }
}

TEST_CASE("g(r) of more than a thousand pairs are rows of a table") {
  const testing::TemporaryDirectory folder;
  const std::string path = folder.file("out.h5");
  HistogramLayout layout = sample_layout(10);
  layout.species.clear();
  for (int s = 0; s < 45; ++s) {
    layout.species.push_back("S" + std::to_string(s));
  }
  layout.pairs = all_pairs(45);
  const std::size_t pairs = layout.pairs.size();
  REQUIRE(pairs == 1035);
  BlockCounts block = empty_block(layout, BlockIndex(0));
  block.frames = 1;
  block.volume = 8.0;
  block.inverse_volume = 1.0 / 8.0;
  block.inscribed_radius = 10.0;
  block.particle_number.assign(45, 50);
  for (std::size_t p = 0; p < pairs; ++p) {
    block.counts[p][p % 10] = p;
    block.counts[p][5] += 1;
    block.pairs[p] = p + 1;
    block.pairs_over_volume[p] = static_cast<double>(p + 1) / 8.0;
  }
  block.counts[7].assign(10, 0);  // the pair occurs in no frame
  block.pairs[7] = 0;
  block.pairs_over_volume[7] = 0.0;
  write_result(path, layout, {block});

  check_equal(io::read_result(path).blocks.at(0), block);
  const io::Hdf5Object file = io::open_hdf5_file(path);
  const io::Hdf5Object all =
      io::open_hdf5_group(file.get(), "observables/radial_distribution_functions");
  REQUIRE(io::hdf5_names(all.get()) == std::vector<std::string>{"pairs"});
  const io::Hdf5Object table = io::open_hdf5_group(all.get(), "pairs");
  CHECK(io::read_hdf5_strings(table.get(), "normalization") ==
        std::vector<std::string>{"pairs-over-volume"});
  CHECK(read_doubles(table.get(), "bins").size() == 10);
  const auto labels =
      io::read_hdf5_strings(io::open_hdf5_dataset(table.get(), "label").get());
  const auto values = read_doubles(table.get(), "value");
  REQUIRE(labels.size() == pairs - 1);
  REQUIRE(values.size() == 10 * (pairs - 1));
  std::size_t row = 0;
  for (std::uint32_t p = 0; p < pairs; ++p) {
    if (p == 7) {
      continue;
    }
    const auto g = analysis::radial_distribution(
        layout, {block}, PairId(p), analysis::Normalization::pairs_over_volume);
    CHECK(labels[row] == pair_name(layout.pairs[p], layout.species));
    CHECK(std::equal(g.begin(), g.end(), values.begin() + 10 * std::ptrdiff_t(row)));
    ++row;
  }
}

TEST_CASE("g(r) is missing if a block has no volume or no bin is defined") {
  const testing::TemporaryDirectory folder;
  const HistogramLayout layout = sample_layout(10);
  write_result(folder.file("open.h5"), layout,
               {sample_block(layout, 0), without_volume(sample_block(layout, 1))});
  auto thin = sample_block(layout, 0);
  thin.inscribed_radius = 0.05;
  write_result(folder.file("thin.h5"), layout, {thin});
  for (const char* name : {"open.h5", "thin.h5"}) {
    const io::Hdf5Object file = io::open_hdf5_file(folder.file(name));
    CHECK_FALSE(
        io::hdf5_exists(file.get(), "observables/radial_distribution_functions"));
  }
  const io::ResultFile open = io::read_result(folder.file("open.h5"));
  check_equal(open.blocks.at(1), without_volume(sample_block(layout, 1)));
}

TEST_CASE("pairs whose names clash or look like paths keep separate g(r)") {
  const testing::TemporaryDirectory folder;
  HistogramLayout layout = sample_layout(4);
  layout.species = {"A/B", "A_B"};
  write_result(folder.file("out.h5"), layout, sample_blocks(layout, 1));
  const io::Hdf5Object file = io::open_hdf5_file(folder.file("out.h5"));
  const io::Hdf5Object all =
      io::open_hdf5_group(file.get(), "observables/radial_distribution_functions");
  CHECK(io::hdf5_names(all.get()) ==
        std::vector<std::string>{"A_B-A_B", "A_B-A_B_", "A_B-A_B__"});
  CHECK(
      io::read_hdf5_strings(io::open_hdf5_dataset(all.get(), "A_B-A_B_/label").get()) ==
      std::vector<std::string>{"A/B-A_B"});
}

TEST_CASE("the SI units module is written only for SI units") {
  const testing::TemporaryDirectory folder;
  for (const std::string unit : {"nm", "0.1 nm", "A", "sigma", ""}) {
    HistogramLayout layout = sample_layout();
    layout.length_unit = unit;
    const std::string path = folder.file("out-" + unit + ".h5");
    write_result(path, layout, {});
    const bool si = unit == "nm" || unit == "0.1 nm";
    CHECK(io::hdf5_exists(io::open_hdf5_file(path).get(), "h5md/modules/units") == si);
    CHECK(io::read_result(path).layout.length_unit == unit);
  }
}

TEST_CASE("the file describes itself: H5MD, module, creator, units") {
  const testing::TemporaryDirectory folder;
  write_result(folder.file("out.h5"), sample_layout(), {});
  const io::Hdf5Object file = io::open_hdf5_file(folder.file("out.h5"));
  const auto version_of = [&](const char* path) {
    return io::read_hdf5_numbers<std::int32_t>(
        io::open_hdf5_group(file.get(), path).get(), "version");
  };
  CHECK(version_of("h5md") == std::vector<std::int32_t>{1, 1});
  CHECK(version_of("h5md/modules/pair_histogram") == std::vector<std::int32_t>{0, 2});
  CHECK(version_of("h5md/modules/units") == std::vector<std::int32_t>{1, 0});
  const io::Hdf5Object creator = io::open_hdf5_group(file.get(), "h5md/creator");
  CHECK(io::read_hdf5_strings(creator.get(), "name") ==
        std::vector<std::string>{"starhist"});
  CHECK(io::read_hdf5_strings(creator.get(), "version") ==
        std::vector<std::string>{"0.1.0"});
  const io::Hdf5Object volume =
      io::open_hdf5_dataset(file.get(), "observables/pair_distance_histogram/volume");
  CHECK(io::read_hdf5_strings(volume.get(), "unit") ==
        std::vector<std::string>{"nm+3"});
}

std::string refusal_to_write(const std::string& path, bool overwrite = false) {
  return error_text<InputError>(
      [&] { io::ResultWriter(path, sample_layout(), start_record, overwrite); });
}

TEST_CASE("an existing file is never replaced unless requested") {
  const testing::TemporaryDirectory folder;
  const std::string path = folder.file("out.h5");
  std::ofstream(path) << "precious";
  CHECK(missing(refusal_to_write(path), {path.c_str(), "exists", "--force"}) == "");
  CHECK_FALSE(std::filesystem::exists(path + ".partial"));

  io::ResultWriter writer(path, sample_layout(), {}, true);
  writer.append(sample_block(sample_layout(), 0));
  CHECK(std::filesystem::file_size(path) == 8);  // until the new one is complete
  writer.finish({});
  CHECK(io::read_result(path).blocks.size() == 1);
}

TEST_CASE("a file that appears during the run is not replaced") {
  const testing::TemporaryDirectory folder;
  const std::string path = folder.file("out.h5");
  {
    io::ResultWriter writer(path, sample_layout(), {}, false);
    writer.append(sample_block(sample_layout(), 0));
    std::ofstream(path) << "precious";
    const std::string text = error_text<RunError>([&] { writer.finish({}); });
    CHECK(missing(text, {path.c_str(), ".partial"}) == "");
  }
  CHECK(std::filesystem::file_size(path) == 8);
  CHECK(io::read_result(path + ".partial").state == io::ResultState::complete);
}

TEST_CASE("impossible output paths are refused before any work") {
  const testing::TemporaryDirectory folder;
  const std::string lost = folder.file("nowhere/out.h5");
  CHECK(missing(refusal_to_write(lost), {lost.c_str(), "does not exist"}) == "");
  const std::string directory = folder.file("");
  CHECK(missing(refusal_to_write(directory), {directory.c_str()}) == "");
  const std::string bare = directory.substr(0, directory.size() - 1);
  CHECK(missing(refusal_to_write(bare, true), {bare.c_str(), "is a directory"}) == "");
  const std::string pipe = folder.file("pipe");
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(missing(refusal_to_write(pipe, true),
                {pipe.c_str(), "is a device, pipe or socket"}) == "");
  // The device comes before its folder, /dev, which most users cannot write.
  CHECK(missing(refusal_to_write("/dev/null", true),
                {"/dev/null", "is a device, pipe or socket"}) == "");
  CHECK(missing(refusal_to_write(""), {"''"}) == "");
}

TEST_CASE("two runs do not write to the same output") {
  const testing::TemporaryDirectory folder;
  const std::string path = folder.file("out.h5");
  io::ResultWriter first(path, sample_layout(), {}, false);
  CHECK(missing(refusal_to_write(path), {path.c_str(), "another run"}) == "");
  first.append(sample_block(sample_layout(), 0));
  first.finish({});
  CHECK(io::read_result(path).blocks.size() == 1);
}

TEST_CASE("a run that ends early keeps its blocks, if it has any") {
  const testing::TemporaryDirectory folder;
  const std::string path = folder.file("out.h5");
  const std::string partial = path + ".partial";
  { io::ResultWriter writer(path, sample_layout(), {}, false); }
  CHECK_FALSE(std::filesystem::exists(partial));
  {
    io::ResultWriter writer(path, sample_layout(), {}, false);
    writer.append(sample_block(sample_layout(), 0));
  }
  CHECK_FALSE(std::filesystem::exists(path));
  const io::ResultFile kept = io::read_result(partial);
  CHECK(kept.state == io::ResultState::partial);
  CHECK_FALSE(kept.damaged);
  REQUIRE(kept.blocks.size() == 1);
  check_equal(kept.blocks[0], sample_block(sample_layout(), 0));

  io::ResultWriter writer(path, sample_layout(), {},
                          true);  // replaces the old .partial
  writer.append(sample_block(sample_layout(), 0));
  writer.discard();
  CHECK_FALSE(std::filesystem::exists(partial));
  CHECK_THROWS_AS(writer.append(sample_block(sample_layout(), 1)), InternalError);
  CHECK_THROWS_AS(writer.finish({}), InternalError);
}

TEST_CASE("a block that violates the sum rule is never written") {
  const testing::TemporaryDirectory folder;
  io::ResultWriter writer(folder.file("out.h5"), sample_layout(), {}, false);
  BlockCounts wrong = sample_block(sample_layout(), 0);
  ++wrong.counts[1][0];
  CHECK_THROWS_AS(writer.append(wrong), InternalError);
  writer.append(sample_block(sample_layout(), 0));
  writer.finish({});
  CHECK(io::read_result(folder.file("out.h5")).blocks.size() == 1);
}

}  // namespace
}  // namespace starhist
