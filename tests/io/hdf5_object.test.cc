#include "io/hdf5/hdf5_object.hh"

#include <thread>

#include "codelets/core/base/error.hh"
#include "io/hdf5/hdf5_file.hh"
#include "io/hdf5/hdf5_read.hh"
#include "io/hdf5/hdf5_write.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/h5md_file.hh"
#include "tests/support/temporary_directory.hh"

namespace starhist {
namespace {

using testing::error_text;
using testing::HdfFile;
using testing::missing;
using testing::StringType;

io::Hdf5Object create_file(const std::string& path) {
  return {H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose};
}

TEST_CASE("an identifier is closed once, by its last owner") {
  const testing::TemporaryDirectory folder;
  io::Hdf5Object file = create_file(folder.file("a.h5"));
  REQUIRE(file);
  const hid_t id = file.get();
  {
    io::Hdf5Object other = std::move(file);
    CHECK(other.get() == id);
    CHECK(H5Iis_valid(id) > 0);
    io::Hdf5Object third;
    third = std::move(other);
    CHECK(third.get() == id);
  }
  CHECK(H5Iis_valid(id) == 0);
  CHECK(!file);
  CHECK(file.close() == 0);
}

TEST_CASE("closing returns HDF5's status") {
  const testing::TemporaryDirectory folder;
  io::Hdf5Object file = create_file(folder.file("a.h5"));
  CHECK(file.close() >= 0);
  io::Hdf5Object wrong(H5Screate(H5S_SCALAR), H5Fclose);
  const hid_t space = wrong.get();
  CHECK(wrong.close() < 0);
  CHECK(H5Sclose(space) >= 0);
}

TEST_CASE("a failure is reported with file, path and HDF5's reason, in every thread") {
  const testing::TemporaryDirectory folder;
  const std::string path = folder.file("a.h5");
  HdfFile(path).group("g");
  const io::Hdf5Object file = io::open_hdf5_file(path);
  std::string text;
  std::thread([&] {
    text = error_text<InputError>([&] { io::open_hdf5_dataset(file.get(), "g/none"); });
  }).join();
  CHECK(missing(text, {path.c_str(), ": /g/none", "cannot be opened", "'none'"}) == "");
}

TEST_CASE("hdf5_exists follows the whole path, but not a dangling link") {
  const testing::TemporaryDirectory folder;
  const std::string path = folder.file("a.h5");
  {
    HdfFile file(path);
    file.numbers("a/b/c", {}, {1.0});
  }
  const io::Hdf5Object file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
  REQUIRE(H5Lcreate_soft("/nowhere", file.get(), "dangling", H5P_DEFAULT,
                         H5P_DEFAULT) >= 0);
  CHECK(io::hdf5_exists(file.get(), "a"));
  CHECK(io::hdf5_exists(file.get(), "a/b/c"));
  CHECK_FALSE(io::hdf5_exists(file.get(), "a/x/c"));
  CHECK_FALSE(io::hdf5_exists(file.get(), "a/b/c/d"));
  CHECK_FALSE(io::hdf5_exists(file.get(), "dangling"));
  CHECK(io::hdf5_is_group(file.get(), "a/b"));
  CHECK_FALSE(io::hdf5_is_group(file.get(), "a/b/c"));
  CHECK(io::hdf5_names(file.get()) == std::vector<std::string>{"a", "dangling"});
}

TEST_CASE("a failed check of existence is an error") {
  const testing::TemporaryDirectory folder;
  const std::string path = folder.file("a.h5");
  { HdfFile(path).group("g"); }
  const io::Hdf5Object file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
  REQUIRE(H5Lcreate_soft("/loop", file.get(), "loop", H5P_DEFAULT, H5P_DEFAULT) >= 0);
  CHECK(missing(error_text<InputError>([&] { io::hdf5_exists(file.get(), "loop"); }),
                {path.c_str(), "/loop", "cannot be read"}) == "");
  hid_t closed = H5Gopen2(file.get(), "g", H5P_DEFAULT);
  H5Gclose(closed);
  CHECK_THROWS_AS(io::hdf5_exists(closed, "x"), InputError);
  CHECK_THROWS_AS(io::hdf5_has_attribute(closed, "x"), InputError);
  CHECK_FALSE(io::hdf5_has_attribute(file.get(), "x"));
}

TEST_CASE("all kinds of strings are read") {
  const testing::TemporaryDirectory folder;
  const std::string path = folder.file("a.h5");
  const auto type =
      GENERATE(StringType::fixed, StringType::blank_padded, StringType::variable);
  const std::vector<std::string> words{"periodic", "none", ""};
  {
    HdfFile file(path);
    file.text("list", {3}, words, type);
    file.text("one", {}, {"nm"}, type);
    file.text_attribute("list", "list", {3}, words, type);
    file.text_attribute("list", "one", {}, {"nm"}, type);
  }
  const io::Hdf5Object file = io::open_hdf5_file(path);
  const io::Hdf5Object list = io::open_hdf5_dataset(file.get(), "list");
  const io::Hdf5Object one = io::open_hdf5_dataset(file.get(), "one");
  CHECK(io::read_hdf5_strings(list.get()) == words);
  CHECK(io::read_hdf5_strings(one.get()) == std::vector<std::string>{"nm"});
  CHECK(io::read_hdf5_strings(list.get(), "list") == words);
  CHECK(io::read_hdf5_strings(list.get(), "one") == std::vector<std::string>{"nm"});
  CHECK(
      missing(error_text<InputError>([&] { io::read_hdf5_numbers<double>(one.get()); }),
              {path.c_str(), "/one", "does not contain numbers"}) == "");
}

TEST_CASE("numbers and strings are read back") {
  const testing::TemporaryDirectory folder;
  const std::string path = folder.file("a.h5");
  const std::vector<std::uint64_t> counts{0, 1, 1ULL << 63U, ~0ULL};
  const std::vector<std::string> words{"H", "Na\xe2\x81\xba", ""};
  {
    const io::Hdf5Object file = create_file(path);
    io::write_hdf5_numbers<std::uint64_t>(file.get(), "a/b/counts", counts, {2, 2});
    io::write_hdf5_strings(file.get(), "a/words", words);
    io::write_hdf5_numbers<double>(file.get(), "scalar", {0.1}, {});
    const io::Hdf5Object group = io::create_hdf5_group(file.get(), "g/h");
    io::write_hdf5_attribute(group.get(), "unit", "nm");
    io::write_hdf5_attribute(group.get(), "unit", "Angstrom");
    io::write_hdf5_attribute<std::int32_t>(group.get(), "version", {1, 1});
  }
  const io::Hdf5Object file = io::open_hdf5_file(path);
  const io::Hdf5Object dataset = io::open_hdf5_dataset(file.get(), "a/b/counts");
  CHECK(io::read_hdf5_numbers<std::uint64_t>(dataset.get()) == counts);
  CHECK(io::hdf5_shape(dataset.get()) == std::vector<hsize_t>{2, 2});
  CHECK(io::read_hdf5_strings(io::open_hdf5_dataset(file.get(), "a/words").get()) ==
        words);
  const io::Hdf5Object scalar = io::open_hdf5_dataset(file.get(), "scalar");
  CHECK(io::hdf5_shape(scalar.get()).empty());
  CHECK(io::read_hdf5_numbers<double>(scalar.get()) == std::vector<double>{0.1});
  const io::Hdf5Object group = io::open_hdf5_group(file.get(), "g/h");
  CHECK(io::read_hdf5_strings(group.get(), "unit") ==
        std::vector<std::string>{"Angstrom"});
  CHECK(io::read_hdf5_numbers<std::int32_t>(group.get(), "version") ==
        std::vector<std::int32_t>{1, 1});
}

TEST_CASE("writing without permission is a RunError") {
  const testing::TemporaryDirectory folder;
  const std::string path = folder.file("a.h5");
  HdfFile(path).group("g");
  const io::Hdf5Object file = io::open_hdf5_file(path);
  const auto text = error_text<RunError>(
      [&] { io::write_hdf5_numbers<double>(file.get(), "g/x", {1.0}, {1}); });
  CHECK(missing(text, {path.c_str(), "/g/x", "cannot be written"}) == "");
  CHECK_THROWS_AS(io::write_hdf5_numbers<double>(file.get(), "g/x", {1.0}, {2}),
                  InternalError);
}

}  // namespace
}  // namespace starhist
