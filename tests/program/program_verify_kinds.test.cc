// starhist verify: results of vanhove, coordination and --axis2 are recounted, and each
// flipped bit is found.
#include <cmath>
#include <cstring>
#include <random>

#include <hdf5.h>

#include "codelets/core/base/text.hh"
#include "driver/options/neighbours/coordination_options.hh"
#include "driver/options/vanhove_options.hh"
#include "io/hdf5/hdf5_read.hh"
#include "io/hdf5/hdf5_write.hh"
#include "tests/program/json_value.hh"
#include "tests/program/molecules_dump.hh"
#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"
#include "tests/support/file_bytes.hh"

namespace starhist::testing {
namespace {

using Words = RdfRunner::Words;

/// A command, its options, and the groups of its counts.
struct KindOfCount {
  Words words;
  std::vector<std::string> groups;
};

const Words bins{"--r-max", "4", "--bins", "20", "--block", "2"};

const std::vector<KindOfCount>& kinds_of_counts() {
  static const std::vector<KindOfCount> kinds{
      {with({"vanhove", "--lags", "0,1,3", "--r-min", "2"}, bins),
       {"observables/van_hove"}},
      {{"coordination", "--cutoff", "2.5", "--block", "2"},
       {"observables/coordination"}},
      {{"coordination", "--cutoff", "3", "--block", "2", "--per-frame",
        "--per-particle"},
       {"observables/coordination"}},
      {with({"rdf", "--axis2", "dz", "--axis2-bins", "5"}, bins),
       {"observables/pair_distance_histogram", "observables/second_axis"}},
      {with({"rdf", "--axis2", "dz", "--axis2-max", "3", "--axis2-bins", "4", "--plane",
             "xy"},
            bins),
       {"observables/pair_distance_histogram", "observables/second_axis"}}};
  return kinds;
}

/// A trajectory and its results, in one folder.
class CountedKinds {
 public:
  CountedKinds() {
    std::string text = molecules_dump(3);
    double time = 0.0;
    for (std::size_t at = 0; (at = text.find("ITEM: TIMESTEP", at)) < text.size();
         at += 30) {
      text.insert(at, "ITEM: TIME\n" + std::to_string(time) + "\n");
      time += 10.0;
    }
    write_bytes(trajectory(), text);
  }

  std::string file(const std::string& name) const { return folder_.file(name); }
  std::string trajectory() const { return file("t.dump"); }

  /// Counts with a command and its options.
  std::string count(Words words, const std::string& name = "result.h5") const {
    words.insert(words.begin() + 1, trajectory());
    const ProgramRun run =
        run_program(with(words, {"-o", file(name), "--force", "-q"}));
    INFO(join(words, " ") << ": " << run.err);
    REQUIRE(run.exit_code == 0);
    return file(name);
  }

 private:
  TemporaryDirectory folder_;
};

ProgramRun verify(const std::string& result, const Words& more = {"--blocks", "all"}) {
  return run_program(with({"verify", result}, more));
}

/// A dataset of a file in memory, which it writes back.
class EditedDataset {
 public:
  EditedDataset(const std::string& path, const std::string& name)
      : file_(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose),
        dataset_(io::open_hdf5_dataset(file_.get(), name)),
        type_(H5Dget_type(dataset_.get()), H5Tclose),
        shape_(io::hdf5_shape(dataset_.get())) {
    std::size_t count = is_integer() || is_real() ? 1 : 0;  // no text
    for (const hsize_t extent : shape_) {
      count *= extent;
    }
    bytes_.resize(count * width());
    if (count > 0) {
      REQUIRE(H5Dread(dataset_.get(), type_.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT,
                      bytes_.data()) >= 0);
    }
  }

  std::size_t width() const { return H5Tget_size(type_.get()); }
  std::size_t count() const { return bytes_.size() / width(); }
  const std::vector<hsize_t>& shape() const { return shape_; }
  bool is_integer() const { return H5Tget_class(type_.get()) == H5T_INTEGER; }
  bool is_real() const {
    return H5Tget_class(type_.get()) == H5T_FLOAT && width() == sizeof(double);
  }
  double real(std::size_t k) const {
    double value = 0.0;
    std::memcpy(&value, &bytes_[k * width()], sizeof value);
    return value;
  }
  std::uint64_t integer(std::size_t k) const {
    std::uint64_t value = 0;
    std::memcpy(&value, &bytes_[k * width()], width());
    return value;
  }
  void set(std::size_t k, std::uint64_t value) {
    std::memcpy(&bytes_[k * width()], &value, width());
  }
  void flip(std::size_t k, unsigned bit) {
    set(k, integer(k) ^ (std::uint64_t{1} << bit));
  }
  void write() {
    REQUIRE(H5Dwrite(dataset_.get(), type_.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT,
                     bytes_.data()) >= 0);
  }

 private:
  io::Hdf5Object file_;
  io::Hdf5Object dataset_;
  io::Hdf5Object type_;
  std::vector<hsize_t> shape_;
  std::vector<unsigned char> bytes_;
};

/// Adds the paths of all datasets below a group.
void add_datasets(hid_t file, const std::string& group, std::vector<std::string>& all) {
  for (const std::string& name :
       io::hdf5_names(io::open_hdf5_group(file, group).get())) {
    const std::string path = group + "/" + name;
    if (io::hdf5_is_group(file, path)) {
      add_datasets(file, path, all);
    } else {
      all.push_back(path);
    }
  }
}

/// Paths of all datasets of numbers below a group of a file.
std::vector<std::string> datasets_of(const std::string& path,
                                     const std::string& group) {
  std::vector<std::string> all;
  add_datasets(
      io::Hdf5Object(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose)
          .get(),
      group, all);
  std::erase_if(all, [&](const std::string& name) {
    const EditedDataset dataset(path, name);
    return dataset.count() == 0;
  });
  return all;
}

/// Flips a bit of a random number; a bit of a real number only if verify compares it.
/// Returns false if the dataset has no such number.
bool flip_any(const std::string& path, const std::string& name, std::mt19937& random) {
  EditedDataset dataset(path, name);
  std::vector<std::size_t> places;
  for (std::size_t k = 0; k < dataset.count(); ++k) {
    if (dataset.is_integer() || std::abs(dataset.real(k)) > 0.0) {  // not NaN
      places.push_back(k);
    }
  }
  if (places.empty()) {
    return false;
  }
  constexpr unsigned compared = 16;  // a relative change of 2^-36 or more
  const unsigned first = dataset.is_integer() ? 0 : compared;
  const auto bits = static_cast<unsigned>(8 * dataset.width());
  dataset.flip(places[random() % places.size()],
               first + static_cast<unsigned>(random() % (bits - first)));
  dataset.write();
  return true;
}

/// Flips a low bit of a random count, and changes another one of its row of `width`
/// counts (0: of the last dimension) so that their sum remains. Returns the block.
std::uint64_t flip_count(const std::string& path, const std::string& name,
                         std::size_t width, std::mt19937& random) {
  EditedDataset dataset(path, name);
  width = width == 0 ? dataset.shape().back() : width;
  const std::size_t rows = dataset.count() / width;
  for (;;) {
    const std::size_t row = random() % rows;
    const std::size_t k = row * width + random() % width;
    const std::size_t other = row * width + random() % width;
    const std::uint64_t before = dataset.integer(k);
    const std::uint64_t after = before ^ (std::uint64_t{1} << random() % 4);
    const std::uint64_t rest = dataset.integer(other) + before - after;
    if (other == k || rest > dataset.integer(other) + before) {
      continue;
    }
    dataset.set(k, after);
    dataset.set(other, rest);
    dataset.write();
    return row / (rows / dataset.shape().front());
  }
}

}  // namespace

TEST_CASE("verify: counts between frames equal their recounts") {
  const CountedKinds counted;
  const std::vector<Words> runs{
      {"--lags", "0,1,3"},
      {"--lags", "1,2,5", "--every-origin", "3"},
      {"--lags", "0,2", "--unwrapped"},
      {"--lags", "5", "--unwrapped", "--r-min", "2"},
      {"--lags", "0,1", "--first", "1", "--step", "2"},
      {"--lags", "20:40:10", "--lag-unit", "time", "--begin", "10"},
      {"--lags", "0,1", "--species", "A=type 1; B=type 1 2", "--pairs", "B-A,A-A"},
      {"--lags", "0,1", "--species", "M=mol_cog of type 2", "--box", "none"}};
  for (const Words& options : runs) {
    const std::string result = counted.count(with(with({"vanhove"}, bins), options));
    for (const std::string method : {"reference", "cpu"}) {
      const ProgramRun run = verify(result, {"--blocks", "all", "--with", method});
      INFO(join(options, " ") << ", " << method << ": " << run.out << run.err);
      CHECK(run.exit_code == 0);
      CHECK(missing(run.out, {"compared numbers are equal", " lag", "displacements",
                              "each matches its recorded checksum"}) == "");
    }
  }
}

TEST_CASE("verify: numbers of neighbours equal their recounts") {
  const CountedKinds counted;
  const std::vector<Words> runs{
      {"--cutoff", "2.5"},
      {"--cutoff", "1-2=2,2-1=2.4", "--r-max", "4", "--bins", "20"},
      {"--cutoff", "3", "--exclude-same", "molecule", "--per-particle"},
      {"--cutoff", "3", "--only-same", "molecule", "--per-frame"},
      {"--cutoff", "3", "--per-particle", "--species", "A=type 1; B=type 1 2"},
      {"--cutoff", "2", "--species", "A=type 1 and within 2 of type 2; B=type 1"},
      {"--cutoff", "3", "--box", "none", "--first", "1", "--step", "2"}};
  for (const Words& options : runs) {
    const ProgramRun run =
        verify(counted.count(with({"coordination", "--block", "2"}, options)));
    INFO(join(options, " ") << ": " << run.out << run.err);
    CHECK(run.exit_code == 0);
    CHECK(missing(run.out, {"compared numbers are equal",
                            "the definition of the counts"}) == "");
    const bool per_particle = options.back() == "--per-particle" ||
                              (options.size() > 2 && options[2] == "--per-particle");
    CHECK((run.out.find("each particle, compared") != std::string::npos) ==
          per_particle);
  }
  const std::string part = counted.count(
      {"coordination", "--cutoff", "3", "--per-particle", "--block", "2"});
  const ProgramRun some = verify(part, {"--blocks", "2"});
  CHECK(some.exit_code == 0);
  CHECK(missing(some.out, {"2 of 4 blocks", "not compared (--blocks all)"}) == "");
  const ProgramRun refused = verify(part, {"--with", "cpu"});
  CHECK(refused.exit_code == 1);
  CHECK(missing(refused.err, {"--with cpu", "only the definition", "omit"}) == "");
}

TEST_CASE("verify: counts by second axis equal their recounts") {
  const CountedKinds counted;
  const std::vector<Words> runs{
      {"--axis2", "cos(z)"},
      {"--axis2", "cos(x)", "--exclude-same", "molecule", "--axis2-bins", "7"},
      {"--axis2", "dy", "--only-same", "molecule"},
      {"--axis2", "cos(y)", "--species", "A=type 1; B=type 1 2"},
      {"--axis2", "dz", "--plane", "xy"},
      {"--axis2", "dz", "--plane", "xy", "--axis2-max", "2", "--species",
       "A=type 1; B=type 1 2"}};
  for (const Words& options : runs) {
    const std::string result = counted.count(with(with({"rdf"}, bins), options));
    for (const std::string method : {"reference", "cpu"}) {
      const ProgramRun run = verify(result, {"--blocks", "all", "--with", method});
      INFO(join(options, " ") << ", " << method << ": " << run.out << run.err);
      CHECK(run.exit_code == 0);
    }
  }
}

TEST_CASE("verify: merged parts of counts between frames and of neighbours") {
  const CountedKinds counted;
  for (const std::size_t kind : {std::size_t{0}, std::size_t{2}}) {
    const Words& words = kinds_of_counts()[kind].words;
    Words merge{"merge"};
    for (const std::string part : {"1", "2"}) {
      merge.push_back(
          counted.count(with(words, {"--part", part + "/2"}), "part" + part + ".h5"));
      CHECK(verify(merge.back()).exit_code == 0);
    }
    const std::string merged = counted.file(words.front() + ".h5");
    REQUIRE(run_program(with(merge, {"-o", merged})).exit_code == 0);
    const ProgramRun run = verify(merged);
    INFO(words.front() << ": " << run.out << run.err);
    CHECK(run.exit_code == 0);
    CHECK(missing(run.out, {"4 of 4 blocks", "8 frames read"}) == "");
  }
}

TEST_CASE("verify: frames that a run left out are no origins") {
  const CountedKinds counted;
  std::string text = read_bytes(counted.trajectory());
  const std::size_t third = text.find("ITEM: TIMESTEP\n20");
  text.replace(text.find("\n1 1 1 ", third) + 7, 1, "x");
  write_bytes(counted.trajectory(), text);
  const std::string result = counted.file("result.h5");
  REQUIRE(run_program(with({"vanhove", counted.trajectory(), "-o", result, "-q",
                            "--lags", "0,1,2", "--skip-bad-frames"},
                           bins))
              .exit_code == 3);
  const ProgramRun run = verify(result);
  INFO(run.out << run.err);
  CHECK(run.exit_code == 0);
  CHECK(missing(run.out, {"7 frames read"}) == "");
}

TEST_CASE("verify: a flipped bit in any dataset of any kind is found") {
  std::mt19937 random(1);
  for (const KindOfCount& kind : kinds_of_counts()) {
    const CountedKinds counted;
    const std::string result = counted.count(kind.words);
    const std::string unspoiled = read_bytes(result);
    CHECK(verify(result).exit_code == 0);
    int flipped = 0;
    for (const std::string& group : kind.groups) {
      for (const std::string& name : datasets_of(result, group)) {
        write_bytes(result, unspoiled);
        if (!flip_any(result, name, random)) {
          continue;
        }
        ++flipped;
        const ProgramRun run = verify(result);
        INFO(join(kind.words, " ") << ", " << name << ": " << run.out << run.err);
        CHECK((run.exit_code == 1 || run.exit_code == 2));
      }
    }
    CHECK(flipped > 0);
  }
}

TEST_CASE("verify: 120 flipped bits of counts whose sums hold are found") {
  std::mt19937 random(2);
  struct Rows {
    std::size_t kind;
    const char* name;
    std::size_t width;
  };
  const std::vector<Rows> counts{{0, "observables/van_hove/value", 0},
                                 {0, "observables/van_hove/self_value", 0},
                                 {1, "observables/coordination/value", 0},
                                 {3, "observables/second_axis/value", 5},
                                 {4, "observables/second_axis/value", 5}};
  constexpr int faults_of_kind = 24;
  for (const auto& [kind, name, width] : counts) {
    const CountedKinds counted;
    const std::string result = counted.count(kinds_of_counts()[kind].words);
    const std::string unspoiled = read_bytes(result);
    for (int fault = 0; fault < faults_of_kind; ++fault) {
      write_bytes(result, unspoiled);
      const std::uint64_t block = flip_count(result, name, width, random);
      const bool all = fault % 4 != 0;
      const ProgramRun run =
          all ? verify(result)
              : verify(result, {"--blocks", "2", "--seed", std::to_string(fault),
                                "--report", counted.file("report.json")});
      INFO(name << ", fault " << fault << ", block " << block << ": " << run.out
                << run.err);
      const bool looked = all || json_value(counted.file("report.json"),
                                            std::to_string(block) +
                                                " in d['recounted_blocks']") == "True";
      CHECK(run.exit_code == (looked ? 2 : 0));
      const std::string where = "in 1 block: " + std::to_string(block) + " (";
      CHECK((run.err.find(where) != std::string::npos) == looked);
    }
  }
}

TEST_CASE("verify: a changed position of an earlier frame is found") {
  const CountedKinds counted;
  const std::string text = read_bytes(counted.trajectory());
  for (const std::string unwrapped : {"", "--unwrapped"}) {
    Words words = with({"vanhove", "--lags", "0,4"}, bins);
    if (!unwrapped.empty()) {
      words.push_back(unwrapped);
    }
    write_bytes(counted.trajectory(), text);
    const std::string result = counted.count(words);
    std::string changed = text;
    const std::size_t frame = text.find("ITEM: ATOMS", text.find("TIMESTEP\n20"));
    const std::size_t digit = text.find('.', frame) + 6;  // the last one
    changed[digit] = static_cast<char>(changed[digit] ^ 1);
    write_bytes(counted.trajectory(), changed);
    // Frame 2 is in block 1, and the origin of frame 6 in block 3.
    int looked_at = 0;
    for (int seed = 1; seed <= 12; ++seed) {
      const ProgramRun run =
          verify(result, {"--blocks", "1", "--seed", std::to_string(seed)});
      const bool last = run.out.find("(3), seed") != std::string::npos;
      const bool own = run.out.find("(1), seed") != std::string::npos;
      INFO(unwrapped << run.out << run.err);
      if (last || own) {
        ++looked_at;
        CHECK(run.exit_code == 2);
        CHECK(missing(run.out, {last ? "block 3, earlier frame 2: the result has"
                                     : "block 1, frame 2: the result has"}) == "");
      }
    }
    CHECK(looked_at > 0);
  }
}

TEST_CASE("verify: reports and time limits of all kinds of results") {
  const CountedKinds counted;
  for (const KindOfCount& kind : kinds_of_counts()) {
    const std::string result = counted.count(kind.words);
    const std::string report = counted.file("r.json");
    const ProgramRun run = verify(result, {"--time", "1e-9", "--report", report});
    INFO(join(kind.words, " ") << ": " << run.out << run.err);
    CHECK(run.exit_code == 0);
    CHECK(missing(run.out, {"1 of 4 blocks", "2 frames read"}) == "");
    CHECK(json_value(report,
                     "d['equal'], d['complete'], d['blocks'], d['frames'], "
                     "len(d['recounted_blocks']), d['recounted_frames'], "
                     "d['recounted_pairs'] > 0, d['compared_numbers'] > 0, "
                     "d['differences']") == "True True 4 8 1 2 True True []");
  }
}

TEST_CASE("verify: each option of vanhove and coordination is known in a record") {
  const CountedKinds counted;
  const std::pair<std::size_t, driver::Manual> commands[] = {
      {0, driver::vanhove_manual()}, {1, driver::coordination_manual()}};
  for (const auto& [kind, manual] : commands) {
    const std::string result = counted.count(kinds_of_counts()[kind].words);
    {
      const io::Hdf5Object file(H5Fopen(result.c_str(), H5F_ACC_RDWR, H5P_DEFAULT),
                                H5Fclose);
      const io::Hdf5Object record =
          io::open_hdf5_group(file.get(), "parameters/provenance");
      for (const driver::OptionSpec& option : manual.options) {
        const std::string name =
            "option --" + option.name.substr(0, option.name.find(','));
        if (!io::hdf5_has_attribute(record.get(), name)) {
          io::write_hdf5_attribute(record.get(), name, std::string("x"));
        }
      }
    }
    const ProgramRun run = verify(result);
    CHECK(run.exit_code == 1);
    CHECK(missing(run.err, {"its recorded options are invalid"}) == "");
  }
}

}  // namespace starhist::testing
