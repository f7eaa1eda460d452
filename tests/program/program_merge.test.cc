#include "io/output/result_writer.hh"
#include "tests/program/rdf_runner.hh"
#include "tests/support/catch.hh"
#include "tests/support/file_bytes.hh"
#include "tests/support/replaced.hh"

namespace starhist::testing {
namespace {

using Words = std::vector<std::string>;

/// Results of parts of the water trajectory, in one folder.
class Parts {
 public:
  std::string count(const std::string& name, const Words& more) const {
    Words words{"rdf", data_file("water.h5"), "--r-max", "1.4", "--bins", "70",
                "-o",  folder_.file(name)};
    words.insert(words.end(), more.begin(), more.end());
    const ProgramRun run = run_program(words);
    INFO(run.err);
    REQUIRE(run.exit_code == 0);
    return folder_.file(name);
  }
  ProgramRun merge(Words parts, const Words& more = {}) const {
    parts.insert(parts.begin(), "merge");
    parts.insert(parts.end(), {"-o", output()});
    parts.insert(parts.end(), more.begin(), more.end());
    return run_program(parts);
  }
  std::string output() const { return folder_.file("all.h5"); }

 private:
  TemporaryDirectory folder_;
};

TEST_CASE("merge: all --part of a trajectory give the result of one run") {
  const Parts parts;
  const std::vector<Words> selections{{"--block", "7"},
                                      {"--blocks", "5", "--step", "2"},
                                      {"--begin", "1", "--block", "4"},
                                      {"--step", "20", "--block", "1"},
                                      {}};
  for (const Words& selection : selections) {
    Words files;
    std::size_t blocks = 0;
    for (const std::string part : {"1/3", "2/3", "3/3"}) {
      Words words = selection;
      words.insert(words.end(), {"--part", part, "--force"});
      files.push_back(parts.count("part" + part.substr(0, 1) + ".h5", words));
      blocks += io::read_result(files.back()).blocks.size();
    }
    Words words = selection;
    words.push_back("--force");
    const io::ResultFile whole = io::read_result(parts.count("whole.h5", words));
    CHECK(blocks == whole.blocks.size());
    const ProgramRun run = parts.merge(files, {"--force"});
    INFO(run.err);
    REQUIRE(run.exit_code == 0);
    CHECK(run.err.find("missing from") == std::string::npos);
    const io::ResultFile merged = io::read_result(parts.output());
    REQUIRE(merged.blocks.size() == whole.blocks.size());
    for (std::size_t k = 0; k < merged.blocks.size(); ++k) {
      CHECK(merged.blocks[k].first_frame == whole.blocks[k].first_frame);
      CHECK(merged.blocks[k].last_frame == whole.blocks[k].last_frame);
      CHECK(merged.blocks[k].counts == whole.blocks[k].counts);
    }
    const ProgramRun two = parts.merge({files[0], files[2]}, {"--force"});
    CHECK(two.exit_code == 3);
    CHECK(missing(two.err, {"missing from the results: 2/3"}) == "");
    CHECK(missing(io::value_of(io::read_result(parts.output()).record, "missing parts")
                      .value_or(""),
                  {"2/3 of "}) == "");
    const ProgramRun table = run_program({"export", parts.output()});
    CHECK(missing(table.err, {"merged without these parts: 2/3 of"}) == "");
    CHECK(missing(table.out, {"# missing_parts: 2/3 of"}) == "");
    CHECK(run_program({"export", files[0]}).err.find("parts") == std::string::npos);
  }
}

TEST_CASE("merge: the range of frames does not depend on the order of the parts") {
  const Parts parts;
  const std::string a = parts.count("a.h5", {"--last", "19", "--block", "10"});
  const std::string b = parts.count("b.h5", {"--first", "20", "--block", "10"});
  REQUIRE(parts.merge({b, a}).exit_code == 0);
  CHECK(missing(run_program({"info", parts.output()}).out,
                {"frames       51 (0 to 50)"}) == "");
  CHECK(missing(run_program({"export", parts.output()}).out,
                {"# first_frame: 0\n", "# last_frame: 50\n"}) == "");
}

TEST_CASE("merge: parts of one trajectory are sorted by their frames") {
  const Parts parts;
  const std::string a = parts.count("a.h5", {"--last", "19", "--block", "10"});
  const std::string b = parts.count("b.h5", {"--first", "20", "--block", "10"});
  const io::ResultFile whole = io::read_result(parts.count("c.h5", {"--block", "10"}));
  for (const Words& order : {Words{a, b}, Words{b, a}}) {
    REQUIRE(parts.merge(order, {"--force"}).exit_code == 0);
    const io::ResultFile merged = io::read_result(parts.output());
    REQUIRE(merged.blocks.size() == whole.blocks.size());
    for (std::size_t block = 0; block < whole.blocks.size(); ++block) {
      CHECK(merged.blocks[block].counts == whole.blocks[block].counts);
    }
  }
}

TEST_CASE("rdf --part: invalid parts are refused") {
  const RdfRunner rdf;
  for (const auto& [part, words] : std::vector<std::pair<std::string, std::string>>{
           {"0/3", "0 is invalid"},
           {"4/3", "1/3 to 3/3"},
           {"2", "such as 2/8"},
           {"1/9", "the frames make only 8 blocks of 7 frames"}}) {
    const ProgramRun run = rdf.run({data_file("water.h5"), "--r-max", "1", "--bins",
                                    "10", "--block", "7", "--part", part});
    CHECK(refusal_problem(rdf, run, {words.c_str()}) == "");
  }
}

TEST_CASE("merge: parts of a trajectory give the result of the whole") {
  const Parts parts;
  const std::string a = parts.count("a.h5", {"--last", "19", "--block", "10"});
  const std::string b = parts.count("b.h5", {"--first", "20", "--block", "10"});
  const std::string whole = parts.count("whole.h5", {"--block", "10"});
  const ProgramRun run = parts.merge({a, b});
  INFO(run.err);
  CHECK(run.exit_code == 0);
  CHECK(missing(run.err, {"51 frames in 6 blocks"}) == "");
  CHECK(run.err.find("did not finish") == std::string::npos);
  const io::ResultFile merged = io::read_result(parts.output());
  const io::ResultFile expected = io::read_result(whole);
  REQUIRE(merged.blocks.size() == expected.blocks.size());
  for (std::size_t k = 0; k < merged.blocks.size(); ++k) {
    CHECK(merged.blocks[k].index.get() == k);
    CHECK(merged.blocks[k].first_frame == expected.blocks[k].first_frame);
    CHECK(merged.blocks[k].counts == expected.blocks[k].counts);
    CHECK(merged.blocks[k].box == expected.blocks[k].box);
  }
  const auto exported = [](const std::string& path) {
    std::string text = run_program({"export", path}).out;
    return text.substr(text.find("\nr,"));
  };
  CHECK(exported(parts.output()) == exported(whole));
  CHECK(missing(run_program({"info", parts.output()}).out,
                {"starhist merge", "result 1 option --last: 19",
                 "result 2 option --first: 20"}) == "");
}

TEST_CASE("merge: frames of one step between those of another, but no frame twice") {
  const Parts parts;
  const std::string even = parts.count("even.h5", {"--step", "2"});
  const std::string odd = parts.count("odd.h5", {"--first", "1", "--step", "2"});
  CHECK(parts.merge({even, odd}).exit_code == 0);
  const std::string late = parts.count("late.h5", {"--first", "40"});
  const ProgramRun twice = parts.merge({even, late}, {"--force"});
  CHECK(twice.exit_code == 1);
  CHECK(missing(twice.err, {"frame 40", "water.h5", "is in both", "late.h5"}) == "");
  // Every third frame from 1, and from 2.
  const std::string one = parts.count("one.h5", {"--first", "1", "--step", "3"});
  const std::string two = parts.count("two.h5", {"--first", "2", "--step", "3"});
  CHECK(parts.merge({one, two}, {"--force"}).exit_code == 0);
}

TEST_CASE("merge: the last frame of one result is not the first of another") {
  const Parts parts;
  const std::string early = parts.count("early.h5", {"--last", "19"});
  const std::string late = parts.count("late.h5", {"--first", "19"});
  const auto refused = [&](const Words& names) {
    const ProgramRun run = parts.merge(names);
    CHECK(run.exit_code == 1);
    return missing(run.err, {"frame 19", "is in both"});
  };
  CHECK(refused({early, late}) == "");
  CHECK(refused({late, early}) == "");
}

/// `times` frames of three atoms, of which the last is called `third`; the first is at
/// `x` in all of them.
std::string three_atoms(const std::string& third, int times, double x = 0.0) {
  std::string text;
  for (int k = 0; k < times; ++k) {
    text += "3\nLattice=\"4 0 0 0 4 0 0 0 4\"" + std::string(4096, ' ') + "\nA " +
            std::to_string(x) + " 0 " + std::to_string(0.1 * k) + "\nB 1 0 0\n" +
            third + " 0 1 0\n";
  }
  return text;
}

/// Counts the pair A-B of the file at `path`, which has this text.
std::string count_text(const Parts& parts, const std::string& path,
                       const std::string& text, const std::string& name,
                       const Words& more = {}) {
  write_bytes(path, text);
  const std::string output = parts.output() + "." + name + ".h5";
  Words words{"rdf",    path, "-o", output,    "--r-max", "2",
              "--bins", "8",  "-q", "--block", "1",       "--force"};
  words.insert(words.end(), more.begin(), more.end());
  const ProgramRun run = run_program(words);
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  return output;
}

TEST_CASE("merge: species that are in no pair may differ, and are omitted") {
  const TemporaryDirectory folder;
  const Parts parts;
  const Words pair{"--pairs", "A-B"};
  const std::string one =
      count_text(parts, folder.file("c.xyz"), three_atoms("C", 2), "one", pair);
  const std::string two =
      count_text(parts, folder.file("d.xyz"), three_atoms("D", 3, 0.5), "two", pair);
  const ProgramRun run = parts.merge({one, two});
  INFO(run.err);
  REQUIRE(run.exit_code == 0);
  const io::ResultFile merged = io::read_result(parts.output());
  CHECK(merged.layout.species == Words{"A", "B"});
  CHECK(merged.blocks.size() == 5);
  CHECK(merged.blocks.back().particle_number == std::vector<std::uint64_t>{1, 1});
  CHECK(merged.blocks.back().counts == io::read_result(two).blocks.back().counts);
  // Others are named, but not common ones.
  const std::string all =
      count_text(parts, folder.file("c.xyz"), three_atoms("C", 2), "all");
  CHECK(missing(parts.merge({all, two}, {"--force"}).err,
                {"different pairs", "cannot be merged: only ",
                 " has A-A, A-C, B-B, B-C, C-C"}) == "");
}

TEST_CASE("merge: a frame counts once, whatever the name of its file") {
  const TemporaryDirectory folder;
  const Parts parts;
  const std::string path = folder.file("t.xyz");
  const std::string before = count_text(parts, path, three_atoms("C", 3), "before");
  const std::string after = count_text(parts, path, three_atoms("C", 5), "after");
  const std::string copy =
      count_text(parts, folder.file("copy.xyz"), three_atoms("C", 5), "copy");
  for (const Words& both :
       {Words{before, after}, Words{after, before}, Words{before, copy}}) {
    const ProgramRun run = parts.merge(both, {"--force"});
    CHECK(run.exit_code == 1);
    CHECK(missing(run.err, {"frame 0 of ", "t.xyz is in both", "--first",
                            "--repeated keep"}) == "");
  }
  const ProgramRun meant = parts.merge({before, copy}, {"--repeated", "keep"});
  CHECK(meant.exit_code == 0);
  CHECK(missing(meant.err, {"counts twice", "8 frames"}) == "");
  const std::string added =
      count_text(parts, path, three_atoms("C", 5), "added", {"--first", "3"});
  const ProgramRun good = parts.merge({before, added}, {"--force"});
  CHECK(good.exit_code == 0);
  CHECK(good.err.find("is in both") == std::string::npos);
  // Another trajectory under the same name.
  const std::string unrelated =
      count_text(parts, path, three_atoms("C", 6, 0.5), "unrelated");
  CHECK(parts.merge({before, unrelated}, {"--force"}).exit_code == 0);
}

TEST_CASE("merge: a merged result contains the frames of its parts") {
  const Parts parts;
  const std::string one = parts.count("one.h5", {"--last", "9"});
  const std::string two = parts.count("two.h5", {"--first", "10", "--last", "19"});
  const std::string three = parts.count("three.h5", {"--first", "20"});
  const auto merged = [&](const Words& names, const std::string& name) {
    REQUIRE(parts.merge(names, {"--force"}).exit_code == 0);
    std::filesystem::rename(parts.output(), parts.output() + name);
    return parts.output() + name;
  };
  const std::string first = merged({one, two}, "first.h5");
  const std::string second = merged({two, three}, "second.h5");
  for (const Words& names :
       {Words{first, second}, Words{first, first}, Words{first, two}}) {
    const ProgramRun run = parts.merge(names, {"--force"});
    CHECK(run.exit_code == 1);
    const bool twice = names.front() == names.back();
    CHECK(missing(run.err, {twice ? "is given twice" : "is in both"}) == "");
  }
  const std::string all = merged({first, three}, "all.h5");
  CHECK(total(io::read_result(all).blocks).frames == 51);
  CHECK(parts.merge({all, three}, {"--force"}).exit_code == 1);
}

TEST_CASE("merge: resting frames without times are different frames") {
  const TemporaryDirectory folder;
  const Parts parts;
  std::string text;
  for (int k = 0; k < 4; ++k) {
    text += three_atoms("C", 1);
  }
  const std::string path = folder.file("t.xyz");
  const std::string one = count_text(parts, path, text, "one", {"--part", "1/2"});
  const std::string two = count_text(parts, path, text, "two", {"--part", "2/2"});
  CHECK(parts.merge({one, two}).exit_code == 0);
  CHECK(parts.merge({one, one}, {"--force"}).exit_code == 1);
}

TEST_CASE("merge: runs from one starting structure are different runs") {
  const TemporaryDirectory folder;
  const Parts parts;
  const std::string start = three_atoms("C", 1);
  const std::string one =
      count_text(parts, folder.file("t.xyz"), start + three_atoms("C", 3, 0.5), "one");
  const std::string two =
      count_text(parts, folder.file("u.xyz"), start + three_atoms("C", 3, 0.7), "two");
  const ProgramRun run = parts.merge({one, two});
  CHECK(run.exit_code == 0);
  CHECK(missing(run.err, {"8 frames", " of 2 trajectories\n"}) == "");
  const ProgramRun again = parts.merge({one, two, one}, {"--force"});
  CHECK(again.exit_code == 1);
  CHECK(missing(again.err, {"is given twice"}) == "");
}

TEST_CASE(
    "merge: a second frame that was unreadable does not show another trajectory") {
  const TemporaryDirectory folder;
  const Parts parts;
  const std::string path = folder.file("t.xyz");
  const std::string start = three_atoms("C", 1);
  std::string damaged = three_atoms("C", 3, 0.5);
  damaged.replace(damaged.find("B 1 0 0"), 7, "B nan 0 0");
  const std::string first =
      count_text(parts, path, start + damaged, "first", {"--last", "0"});
  const std::string whole =
      count_text(parts, path, start + three_atoms("C", 3, 0.5), "whole");
  const ProgramRun run = parts.merge({first, whole}, {"--force"});
  CHECK(run.exit_code == 1);
  CHECK(missing(run.err, {"frame 0 of ", "is in both"}) == "");
}

TEST_CASE("merge: frames without particles in a pair are not the same frame") {
  const TemporaryDirectory folder;
  const Parts parts;
  const auto frame = [](int time, const std::string& atoms, int count) {
    return std::to_string(count) +
           "\nLattice=\"4 0 0 0 4 0 0 0 4\" Time=" + std::to_string(time) + "\n" +
           atoms;
  };
  const std::string empty = frame(2, "", 0);
  const std::string one = count_text(parts, folder.file("t.xyz"),
                                     frame(1, "A 0 0 0\nB 1 0 0\n", 2) + empty, "one");
  const std::string two = count_text(parts, folder.file("u.xyz"),
                                     frame(1, "A 0 0 0\nB 2 0 0\n", 2) + empty, "two");
  CHECK(parts.merge({one, two}).exit_code == 0);
  CHECK(parts.merge({one, one}, {"--force"}).exit_code == 1);
}

TEST_CASE("merge: runs whose files have equal headers may have different selections") {
  const TemporaryDirectory folder;
  const Parts parts;
  // The first 4096 bytes are equal, as for HDF5 files of one program.
  const std::string one =
      count_text(parts, folder.file("t.xyz"), three_atoms("C", 3, 0.1), "one");
  const std::string two =
      count_text(parts, folder.file("u.xyz"), three_atoms("C", 3, 0.2), "two",
                 {"--species", "A=name A; B=name B; C=name C"});
  const ProgramRun run = parts.merge({one, two});
  INFO(run.err);
  CHECK(run.exit_code == 0);
}

TEST_CASE("merge: results with other numbers of particles cause a warning") {
  const TemporaryDirectory folder;
  const Parts parts;
  const auto frame = [](int count, double x, const std::string& height = "4") {
    std::string text = std::to_string(count + 1) + "\nLattice=\"4 0 0 0 4 0 0 0 " +
                       height + "\"\nA " + std::to_string(x) + " 0 0\n";
    for (int k = 0; k < count; ++k) {
      text += "B 1 " + std::to_string(0.1 * k) + " 0\n";
    }
    return text;
  };
  const auto counted = [&](const std::string& name, int count, double x) {
    return count_text(parts, folder.file(name + ".xyz"), frame(count, x), name);
  };
  const std::string ten = counted("ten", 10, 0.0);
  const ProgramRun near = parts.merge({ten, counted("nine", 9, 0.1)});
  CHECK(near.exit_code == 0);
  CHECK(near.err.find("different systems") == std::string::npos);
  const ProgramRun other = parts.merge({ten, counted("eight", 8, 0.2)}, {"--force"});
  CHECK(other.exit_code == 0);
  CHECK(missing(other.err, {"ten.h5 has 10 B per frame, ", "eight.h5 has 8",
                            "if they are of different systems"}) == "");
  const std::string high =
      count_text(parts, folder.file("high.xyz"), frame(10, 0.3, "5"), "high");
  CHECK(missing(parts.merge({ten, high}, {"--force"}).err,
                {"ten.h5 has a volume of 64 per frame, ", "high.h5 has 80",
                 "if they are of different systems"}) == "");
}

TEST_CASE("merge: boxes of a file are compared by its content, not by its path") {
  const TemporaryDirectory folder;
  const Parts parts;
  const std::string text = three_atoms("C", 4);
  const auto part = [&](const std::string& name, int length,
                        const std::string& number) {
    const std::string edge = std::to_string(length);
    const std::string boxes = folder.file(name + ".cell");
    std::string lines = "# Step Time Ax Ay Az Bx By Bz Cx Cy Cz Volume\n";
    for (int k = 0; k < 4; ++k) {
      lines += std::to_string(k) + " 0 " + edge + " 0 0 0 " + edge + " 0 0 0 " + edge +
               " " + std::to_string(length * length * length) + "\n";
    }
    write_bytes(boxes, lines);
    return count_text(parts, folder.file(name + ".xyz"), text, name,
                      {"--box", boxes, "--part", number});
  };
  const std::string one = part("one", 5, "1/2");
  CHECK(parts.merge({one, part("two", 5, "2/2")}).exit_code == 0);
  const ProgramRun other = parts.merge({one, part("other", 6, "2/2")}, {"--force"});
  CHECK(other.exit_code == 1);
  CHECK(missing(other.err, {"different boxes", "file of --box"}) == "");
}

TEST_CASE("merge: a file of particles that changed between parts is noticed") {
  const TemporaryDirectory folder;
  const Parts parts;
  const std::string names = folder.file("groups.ndx");
  const auto part = [&](const std::string& path, const std::string& more,
                        const std::string& number) {
    write_bytes(path, "[ A ]\n1 2 3 4\n[ B ]\n5 6\n" + std::string(5000, ' ') + more);
    return parts.count(
        "part" + number.substr(0, 1) + ".h5",
        {"--index", path, "--pairs", "A-B", "--part", number, "--force"});
  };
  const std::string one = part(names, "\n[ C ]\n7\n", "1/2");
  CHECK(parts.merge({one, part(names, "\n[ C ]\n7\n", "2/2")}).exit_code == 0);
  const ProgramRun edited =
      parts.merge({one, part(names, "\n[ C ]\n8\n", "2/2")}, {"--force"});
  CHECK(edited.exit_code == 1);
  CHECK(missing(edited.err, {"different contents of --index", "all bytes"}) == "");
  // Another file with the same selected particles.
  const std::string other = part(folder.file("other.ndx"), "\n[ D ]\n9\n", "2/2");
  CHECK(parts.merge({one, other}, {"--force"}).exit_code == 0);
}

TEST_CASE("merge: frames missing between parts of a grown trajectory are reported") {
  const TemporaryDirectory folder;
  const Parts parts;
  const std::string one = count_text(parts, folder.file("t.xyz"), three_atoms("C", 4),
                                     "one", {"--part", "1/2"});
  const std::string two = count_text(parts, folder.file("u.xyz"), three_atoms("C", 8),
                                     "two", {"--part", "2/2"});
  const ProgramRun run = parts.merge({one, two});
  CHECK(run.exit_code == 3);
  CHECK(missing(run.err, {"t.xyz missing from the results: 2 to 3"}) == "");
  const ProgramRun table = run_program({"export", parts.output()});
  CHECK(missing(table.err, {"merged without these parts: frames 2 to 3 of "}) == "");
}

TEST_CASE("merge: parts of one trajectory have one box and one selection") {
  const TemporaryDirectory folder;
  const Parts parts;
  const auto part = [&](const std::string& name, Words more,
                        const std::string& number) {
    more.insert(more.end(), {"--part", number});
    return count_text(parts, folder.file(name + ".xyz"), three_atoms("C", 4), name,
                      more);
  };
  const std::string one = part("one", {}, "1/2");
  const std::string boxed = part("boxed", {"--box", "5,5,5"}, "2/2");
  const ProgramRun box = parts.merge({one, boxed});
  CHECK(box.exit_code == 1);
  CHECK(missing(box.err, {"different boxes", "was counted without --box",
                          "was counted with --box '5,5,5'"}) == "");
  for (const char* same : {"5.0,5,0.5e1", "5,5,5,90,90,90", "5,0,0,0,5,0,0,0,5"}) {
    const std::string other = part("same", {"--box", same}, "1/2");
    CHECK(parts.merge({other, boxed}, {"--force"}).exit_code == 0);
  }
  const std::string chosen = part("chosen", {"--species", "A=C; B=B; C=A"}, "2/2");
  const ProgramRun selection = parts.merge({one, chosen});
  CHECK(selection.exit_code == 1);
  CHECK(missing(selection.err, {"different selections", "--species"}) == "");
}

TEST_CASE("merge: parts counted before and after their boxes changed are refused") {
  const TemporaryDirectory folder;
  const Parts parts;
  const auto in_box = [](const std::string& edge) {
    return replaced(three_atoms("C", 4), "4 0 0 0 4 0 0 0 4",
                    edge + " 0 0 0 " + edge + " 0 0 0 " + edge);
  };
  const std::string path = folder.file("t.xyz");
  const std::string one =
      count_text(parts, path, in_box("4"), "one", {"--part", "1/2"});
  const std::string two =
      count_text(parts, path, in_box("4.5"), "two", {"--part", "2/2"});
  const ProgramRun run = parts.merge({one, two});
  CHECK(run.exit_code == 1);
  CHECK(missing(run.err, {"different boxes", "box of the first frame",
                          "'4.5 0 0, 0 4.5 0, 0 0 4.5; x, y, z'"}) == "");
}

TEST_CASE("merge: a result without blocks shares no frame with another") {
  const Parts parts;
  const std::string some = parts.count("some.h5", {"--last", "1"});
  const io::ResultFile result = io::read_result(some);
  const std::string none = some + ".none.h5";
  io::ResultWriter(none, result.layout, result.record, false).finish({});
  for (const Words& names : {Words{some, none}, Words{none, some}}) {
    const ProgramRun run = parts.merge(names, {"--force"});
    CHECK(run.exit_code == 0);
    CHECK(missing(run.err, {"2 frames in 1 block\n"}) == "");
  }
}

TEST_CASE("merge refuses incompatible results, and keeps existing files") {
  const Parts parts;
  const std::string a = parts.count("a.h5", {"--last", "1"});
  const std::string fewer = parts.count("f.h5", {"--first", "2", "--pairs", "O-O"});
  const auto refused = [&](const Words& names,
                           std::initializer_list<const char*> words) {
    const ProgramRun run = parts.merge(names);
    CHECK(run.exit_code == 1);
    return missing(run.err, words);
  };
  CHECK(refused({a, fewer}, {"different pairs", "only ", "a.h5 has H-H, H-O"}) == "");
  const std::string inner = parts.count("i.h5", {"--first", "2", "--r-min", "0.7"});
  CHECK(refused({a, inner}, {"different bins", "a.h5 has ", " bins up to 1.4, ",
                             " bins from 0.7 up to 1.4"}) == "");
  CHECK(refused({inner, a}, {"different bins", "i.h5 has ", "from 0.7 up to 1.4, "}) ==
        "");
  const std::string but_one =
      parts.count("o.h5", {"--first", "2", "--r-min", "0.0197183098591549"});
  CHECK(refused({a, but_one}, {" has 70 bins from 0.019718309859154"}) == "");
  CHECK(refused({a}, {"two or more result files, not 1"}) == "");
  CHECK(refused({a, data_file("water.h5")}, {"water.h5"}) == "");
  CHECK(missing(run_program({"merge", a, fewer, "-o", a}).err,
                {"would overwrite", "which is read"}) == "");
  CHECK_FALSE(std::filesystem::exists(parts.output()));
}

}  // namespace
}  // namespace starhist::testing
