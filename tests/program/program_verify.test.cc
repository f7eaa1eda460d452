// starhist verify: blocks of results of all kinds are recounted, and every change is
// found.
#include <filesystem>
#include <functional>
#include <numeric>

#include <hdf5.h>

#include "codelets/core/base/text.hh"
#include "driver/options/rdf_options.hh"
#include "io/hdf5/hdf5_read.hh"
#include "io/output/result_writer.hh"
#include "tests/program/json_value.hh"
#include "tests/program/molecules_dump.hh"
#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"
#include "tests/support/file_bytes.hh"

namespace starhist::testing {
namespace {

using Words = RdfRunner::Words;

/// A trajectory and its results, in one folder.
class VerifiedCounts {
 public:
  VerifiedCounts() { write_bytes(trajectory(), molecules_dump(1)); }

  std::string file(const std::string& name) const { return folder_.file(name); }
  std::string trajectory() const { return file("t.dump"); }
  std::string result() const { return file("rdf.h5"); }

  std::string count(const Words& more = {}, const std::string& name = "rdf.h5") const {
    Words words{"rdf",    trajectory(), "-o", file(name), "--r-max", "4",
                "--bins", "20",         "-q", "--block",  "2",       "--force"};
    words.insert(words.end(), more.begin(), more.end());
    const ProgramRun run = run_program(words);
    INFO(run.err);
    REQUIRE(run.exit_code == 0);
    return file(name);
  }

  ProgramRun verify(const Words& more = {}) const {
    Words words{"verify", result()};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(words);
  }

  /// Writes the result again with other contents.
  void change(const std::function<void(io::ResultFile&)>& edit) const {
    io::ResultFile contents = io::read_result(result());
    edit(contents);
    io::ResultWriter writer(result(), contents.layout, contents.record, true);
    for (const BlockCounts& block : contents.blocks) {
      writer.append(block);
    }
    writer.finish({});
  }

  /// "" if verify refuses with exit code 1 and a message with these words.
  std::string refusal(const Words& more,
                      std::initializer_list<const char*> words) const {
    const ProgramRun run = verify(more);
    return run.exit_code == 1
               ? missing(run.err, words)
               : "exit code " + std::to_string(run.exit_code) + run.out + run.err;
  }

 private:
  TemporaryDirectory folder_;
};

TEST_CASE("verify: results of all kinds of options equal their recounts") {
  const VerifiedCounts counted;
  const std::vector<Words> runs{
      {},
      {"--r-min", "2"},
      {"--exclude-same", "molecule", "--species", "H=1; O=2"},
      {"--only-same", "molecule"},
      {"--species", "A=type 1; B=type 1 2", "--pairs", "A-B,A-A"},
      {"--species", "near=type 1 and within 2 of type 2; all=type 1"},
      {"--species", "M=mol_cog of type 2"},
      {"--box", "none", "--first", "1", "--step", "2"},
      {"--box", "9,8,8,90,80,70", "--unit", "A", "--last", "4"},
      {"--by", "all"}};
  for (const Words& options : runs) {
    counted.count(options);
    for (const std::string with : {"reference", "cpu"}) {
      const ProgramRun run = counted.verify({"--blocks", "all", "--with", with});
      INFO(join(options, " ") << ", " << with << ": " << run.out << run.err);
      CHECK(run.exit_code == 0);
      CHECK(missing(run.out, {"compared numbers are equal",
                              "unchanged since it was counted: same size"}) == "");
    }
  }
}

TEST_CASE("verify: a result without the unit of the trajectory is refused") {
  const VerifiedCounts counted;
  counted.count({"--unit", "A"});
  counted.change([](io::ResultFile& result) { result.layout.length_unit.clear(); });
  CHECK(counted.refusal({}, {"the unit of lengths is A, but unknown in"}) == "");
}

TEST_CASE("verify: merged parts, and a trajectory that has moved") {
  const VerifiedCounts counted;
  Words merge{"merge"};
  for (const std::string part : {"1", "2"}) {
    merge.push_back(counted.count({"--part", part + "/2"}, "part" + part + ".h5"));
  }
  merge.insert(merge.end(), {"-o", counted.result()});
  REQUIRE(run_program(merge).exit_code == 0);
  const ProgramRun there = counted.verify({"--blocks", "all"});
  INFO(there.out << there.err);
  CHECK(there.exit_code == 0);
  CHECK(missing(there.out, {"4 of 4 blocks", "8 frames read"}) == "");

  const std::string moved = counted.file("other-name.dump");
  std::filesystem::rename(counted.trajectory(), moved);
  CHECK(counted.refusal({}, {"t.dump", "is not there", "--trajectory"}) == "");
  CHECK(counted.verify({"--trajectory", moved}).exit_code == 0);
}

TEST_CASE("verify: each changed number is reported with block, pair, bin and counts") {
  const VerifiedCounts counted;
  counted.count();
  const io::ResultFile before = io::read_result(counted.result());
  const std::uint64_t old_count = before.blocks[2].counts[1][15];
  const std::uint64_t old_beyond = before.blocks[2].out_of_range[1];
  counted.change([](io::ResultFile& result) {  // keeps the sum rule
    result.blocks[2].counts[1][15] ^= 8U;
    result.blocks[2].out_of_range[1] =
        result.blocks[2].pairs[1] - result.blocks[2].underflow[1] -
        std::accumulate(result.blocks[2].counts[1].begin(),
                        result.blocks[2].counts[1].end(), std::uint64_t{0});
  });
  for (const std::string with : {"reference", "cpu"}) {
    const ProgramRun run = counted.verify({"--blocks", "all", "--with", with});
    INFO(run.out << run.err);
    CHECK(run.exit_code == 2);
    CHECK(missing(run.out,
                  {"block 2, pair 1-2, bin 15 (3 to 3.2): the result has ",
                   (std::to_string(old_count ^ 8U) + ", the trajectory gives " +
                    std::to_string(old_count))
                       .c_str(),
                   ("the trajectory gives " + std::to_string(old_beyond)).c_str()}) ==
          "");
    CHECK(missing(run.err, {"2 differences, in 1 block: 2", "count again"}) == "");
  }
  // A sample without the block does not see it.
  std::size_t without = 0;
  for (const std::string seed : {"1", "2", "3", "4", "5", "6"}) {
    const ProgramRun run = counted.verify({"--blocks", "1", "--seed", seed});
    const bool looked = run.out.find("(2), seed " + seed) != std::string::npos;
    without += looked ? 0 : 1;
    CHECK(run.exit_code == (looked ? 2 : 0));
  }
  CHECK(without > 0);
  CHECK(without < 6);
}

TEST_CASE("verify: facts about frames are compared, too") {
  using Edit = std::function<void(BlockCounts&)>;
  const std::vector<std::pair<Edit, const char*>> edits{
      {[](BlockCounts& block) { block.last_step += 1; }, "step of the last frame"},
      {[](BlockCounts& block) { block.particle_number[1] ^= 1U; },
       "species 2, particles"},
      {[](BlockCounts& block) { block.excluded[0] ^= 1U; }, "excluded pairs"},
      {[](BlockCounts& block) { block.volume *= 1.0 + 1e-9; }, "sum of volumes"},
      {[](BlockCounts& block) { block.inscribed_radius *= 2.0; }, "inscribed radius"},
      {[](BlockCounts& block) { block.box.reset(); }, "box"},
      {[](BlockCounts& block) { block.counted[1].checksum ^= 1U << 9U; }, "frame 5"}};
  const VerifiedCounts counted;
  for (const auto& [edit, words] : edits) {
    counted.count();
    counted.change([&edit = edit](io::ResultFile& result) { edit(result.blocks[2]); });
    const ProgramRun run = counted.verify();
    INFO(words << ": " << run.out << run.err);
    CHECK(run.exit_code == 2);
    CHECK(missing(run.out, {"block 2, ", words}) == "");
  }
  counted.count();
  counted.change([](io::ResultFile& result) {  // as another compiler may round it
    result.blocks[2].volume *= 1.0 + 1e-13;
  });
  CHECK(counted.verify().exit_code == 0);
}

TEST_CASE("verify: each option of rdf is known in a record") {
  const VerifiedCounts counted;
  counted.count();
  counted.change([](io::ResultFile& result) {
    for (const driver::OptionSpec& option : driver::rdf_manual().options) {
      const std::string name =
          "option --" + option.name.substr(0, option.name.find(','));
      if (!io::value_of(result.record, name)) {
        result.record.emplace_back(name, "x");
      }
    }
  });
  CHECK(counted.refusal({}, {"its recorded options are invalid"}) == "");
}

TEST_CASE("verify: a changed g(r) in the file is found") {
  const VerifiedCounts counted;
  counted.count();
  CHECK(missing(counted.verify().out, {"g(r)", "stored values of r"}) == "");
  {
    const io::Hdf5Object file(
        H5Fopen(counted.result().c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
    const io::Hdf5Object values = io::open_hdf5_dataset(
        file.get(), "observables/radial_distribution_functions/1-2/value");
    std::vector<double> g = io::read_hdf5_numbers<double>(values.get());
    g[12] *= 1.0 + 0x1p-20;
    REQUIRE(H5Dwrite(values.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                     g.data()) >= 0);
  }
  const ProgramRun run = counted.verify();
  INFO(run.out << run.err);
  CHECK(run.exit_code == 2);
  CHECK(missing(run.out, {"g(r), 1-2, bin 12: the result has", "its counts give"}) ==
        "");
  CHECK(missing(run.err, {"1 difference, in g(r)"}) == "");
}

TEST_CASE("verify: a trajectory that has changed, or is another one, is found") {
  const VerifiedCounts counted;
  counted.count();
  const std::string text = read_bytes(counted.trajectory());
  std::string changed = text;
  const std::size_t middle = text.find("ITEM: ATOMS", text.size() / 2);
  const std::size_t digit = text.find('.', middle) + 1;
  changed[digit] = static_cast<char>(changed[digit] ^ 1);
  write_bytes(counted.trajectory(), changed);
  const ProgramRun run = counted.verify();
  INFO(run.out << run.err);
  CHECK(run.exit_code == 2);
  CHECK(missing(run.out, {"changed since it was counted, same size",
                          "the checksum of other positions, step or time", "pair "}) ==
        "");
  // Counts differ even if the checksum of the frame is unknown.
  counted.change([](io::ResultFile& result) {
    for (BlockCounts& block : result.blocks) {
      for (CountedFrame& frame : block.counted) {
        frame.checksum = 0;
      }
    }
  });
  const ProgramRun unsigned_run = counted.verify();
  INFO(unsigned_run.out);
  CHECK(unsigned_run.exit_code == 2);
  CHECK(missing(unsigned_run.out, {"8 of them without checksum", "bin "}) == "");

  write_bytes(counted.trajectory(), text);
  counted.count();
  write_bytes(counted.trajectory(), text.substr(0, text.rfind("ITEM: TIMESTEP")));
  CHECK(missing(counted.verify().out, {"has only 7 frames, no frame 7"}) == "");
  write_bytes(counted.trajectory(), molecules_dump(2));
  CHECK(counted.refusal({}, {"t.dump", "is not the trajectory", "its frame 0",
                             "--trajectory"}) == "");
  write_bytes(counted.file("x.dump"), text);
  CHECK(counted.verify({"--trajectory", counted.file("x.dump")}).exit_code == 0);
}

TEST_CASE("verify: a file that defines particles is recognized by its contents") {
  const VerifiedCounts counted;
  const std::string names = counted.file("groups.ndx");
  write_bytes(names, "[ A ]\n1 2 3 4\n[ B ]\n5 6\n");
  counted.count({"--index", names, "--pairs", "A-B"});
  CHECK(counted.verify().exit_code == 0);
  std::filesystem::rename(names, counted.file("moved.ndx"));
  CHECK(counted.refusal({}, {"groups.ndx", "is not there", "with --index"}) == "");
  CHECK(counted.verify({"--index", counted.file("moved.ndx")}).exit_code == 0);
  write_bytes(names, "[ A ]\n1 2 3 5\n[ B ]\n5 6\n");
  CHECK(counted.refusal({}, {"is not the file of --index", "content differs"}) == "");
  // A change far behind the first bytes, of the same length.
  const std::string padding(5000, ' ');
  write_bytes(names, "[ A ]\n1 2 3 4" + padding + "\n[ B ]\n5 6\n");
  counted.count({"--index", names, "--pairs", "A-B"});
  write_bytes(names, "[ A ]\n1 2 3 4" + padding + "\n[ B ]\n5 7\n");
  CHECK(counted.refusal({}, {"is not the file of --index", "content differs"}) == "");
  counted.count();
  CHECK(counted.refusal({"--index", names}, {"counted without such a file", "omit"}) ==
        "");
}

TEST_CASE("verify: results that cannot be recounted are refused with a remedy") {
  const VerifiedCounts counted;
  counted.count();
  CHECK(counted.refusal({"--with", "magic"}, {"not one of reference, cpu, gpu"}) == "");
  CHECK(counted.refusal({"--blocks", "0"}, {"--blocks 0", "1 or more"}) == "");
  CHECK(counted.refusal({"--time", "0"}, {"--time 0", "positive"}) == "");
  CHECK(counted.refusal({"--report", "r.txt"},
                        {"does not end in .html, .md or .json"}) == "");
  CHECK(counted.refusal({"--trajectory", "none.dump"}, {"none.dump", "no such file"}) ==
        "");
  CHECK(counted.refusal({"--trajectory", counted.trajectory() + "," + counted.result()},
                        {"is not one of the files of"}) == "");
  const ProgramRun no_gpu = run_program({"verify", counted.result(), "--with", "gpu"},
                                        {.environment = {{"STARPU_NCUDA", "0"}}});
  CHECK(missing(no_gpu.err, {"no GPU was found", "--with cpu"}) == "");

  std::filesystem::create_symlink(counted.trajectory(), counted.file("link.md"));
  CHECK(counted.refusal({"--report", counted.file("link.md")},
                        {"link.md", "would replace a file that is not text"}) == "");

  const ProgramRun old = run_program({"verify", data_file("result-0.1.0.h5")});
  CHECK(old.exit_code == 1);
  CHECK(missing(old.err, {"older version", "count again"}) == "");

  const auto with_entry = [&](const char* name, const char* value) {
    counted.count();
    counted.change([&](io::ResultFile& result) {
      std::erase_if(result.record,
                    [&](const auto& entry) { return entry.first == name; });
      result.record.emplace_back(name, value);
    });
  };
  with_entry("option --new", "");
  CHECK(counted.refusal({}, {"--new", "does not know", "version"}) == "");
  with_entry("program", "libstarhist");
  CHECK(counted.refusal({}, {"in memory", "starhist rdf"}) == "");
  counted.change([](io::ResultFile& result) { result.blocks[1].counted.clear(); });
  CHECK(counted.refusal({}, {"in memory"}) == "");
  counted.count();
  counted.change([](io::ResultFile& result) { result.blocks[1].counted.clear(); });
  CHECK(counted.refusal({}, {"block 1 does not list its frames"}) == "");
  with_entry("frames selected", "all that come");
  CHECK(counted.refusal({}, {"running simulation", "--trajectory"}) == "");
  with_entry("option --species", "X=1; Y=2");
  CHECK(counted.refusal({}, {"has no species 1", "X, Y"}) == "");
  with_entry("option --exclude-same", "molecule");
  CHECK(counted.refusal({}, {"excluded pairs (none)", "records (same molecule)"}) ==
        "");
}

TEST_CASE("verify: reports show the sample and the differences") {
  const VerifiedCounts counted;
  counted.count();
  counted.change(
      [](io::ResultFile& result) { result.blocks[3].particle_number[0] += 1; });
  const std::string json = counted.file("r.json");
  CHECK(counted.verify({"--report", json, "--seed", "9"}).exit_code == 2);
  CHECK(json_value(json, "d['seed'], d['recounted_blocks']") == "9 [0, 1, 2, 3]");
  CHECK(missing(read_bytes(json),
                {"\"equal\": false", "\"method\": \"a double loop", "\"block\": 3",
                 "species 1, particles", "\"recounted_frames\": 8"}) == "");
  for (const std::string name : {"r.md", "r.html"}) {
    CHECK(counted.verify({"--report", counted.file(name)}).exit_code == 2);
    CHECK(missing(read_bytes(counted.file(name)),
                  {"Verification of a starhist result", "4 of 4 blocks", "seed 1",
                   "species 1, particles", "in the result"}) == "");
  }
}

}  // namespace
}  // namespace starhist::testing
