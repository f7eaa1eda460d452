// The last line of a text file without a final newline: complete or truncated.
#include "io/text/last_line.hh"

#include <zlib.h>

#include "io/text/text_index_store.hh"
#include "tests/support/catch.hh"
#include "tests/support/text_trajectory.hh"

namespace starhist::testing {
namespace {

TEST_CASE("a number is complete if it has as many decimals as another one") {
  CHECK(io::is_whole_number("0", "1"));
  CHECK(io::is_whole_number("-12.345", "0.125"));
  CHECK(io::is_whole_number("1.2345", "0.125"));
  CHECK(io::is_whole_number(".125", "0.125"));
  CHECK(io::is_whole_number("12", "-9"));
  CHECK_FALSE(io::is_whole_number("1", "12"));
  CHECK_FALSE(io::is_whole_number("-1", "12"));
  CHECK_FALSE(io::is_whole_number("0.12", "0.125"));
  CHECK_FALSE(io::is_whole_number("1.", "1"));
  CHECK_FALSE(io::is_whole_number("1.", "2."));
  CHECK_FALSE(io::is_whole_number("1", "1.5"));
  for (const char* none : {"", "-", "+", ".", "nan", "1.5x", "1.5e", "1.5e-", "0x10"}) {
    INFO(none);
    CHECK_FALSE(io::is_whole_number(none, "1"));
    CHECK_FALSE(io::is_whole_number(none, none));
    CHECK_FALSE(io::is_whole_number("1", none));
  }
}

TEST_CASE("a number with an exponent of two or more digits is complete") {
  CHECK(io::is_whole_number("1.5e-01", "2.5e+00"));
  CHECK(io::is_whole_number("1.5E-10", "2.5e-07"));
  CHECK(io::is_whole_number("1e-05", "2e-06"));
  CHECK_FALSE(io::is_whole_number("1.5e-1", "2.5e-1"));  // may be a truncated 1.5e-10
  CHECK_FALSE(io::is_whole_number("1.5e-1", "2.5e-01"));
  CHECK_FALSE(io::is_whole_number("1.5e-01", "2.5e-001"));
  CHECK_FALSE(io::is_whole_number("1.5e-01", "2.25e-01"));
  CHECK_FALSE(io::is_whole_number("1.5", "2.5e-01"));  // may be a truncated 1.5e-01
  CHECK_FALSE(io::is_whole_number("1.5e-01", "2.5"));
}

TEST_CASE(
    "the line of an atom is complete by the one above, a blank or \\r at its end") {
  io::ParticleColumns named;
  named.of(io::ParticleField::species) = 0;
  const io::AtomColumns columns{4, named};
  const std::string above = "O 0.1 0.2 0.3";
  CHECK(io::is_whole_atom("H 0.1 0.2 0.4", above, columns));
  CHECK(io::is_whole_atom("H 0.1 0.2 10.4", above, columns));
  CHECK(io::is_whole_atom("H 0.1 0.2 0 ", above, columns));
  CHECK(io::is_whole_atom("H 0.1 0.2 0\r", above, columns));
  CHECK_FALSE(io::is_whole_atom("H 0.1 0.2 0", above, columns));
  CHECK_FALSE(io::is_whole_atom("H 0.1 0.2 ", above, columns));
  CHECK_FALSE(io::is_whole_atom("H 0.1 0.2\r", above, columns));
  CHECK_FALSE(io::is_whole_atom("H 0.1 0.2 0.4", "", columns));
  CHECK_FALSE(io::is_whole_atom("H 0.1 0.2 0.4 ", above + " 5", columns));
  CHECK_FALSE(io::is_whole_atom("H 0.1 0.2 0.4 5", above, columns));
  CHECK(io::is_whole_atom("H 0.1 0.2 0.4 7", above + " 5", columns));

  named.of(io::ParticleField::species) = 3;  // last: 1 may be a truncated 12
  CHECK(io::is_whole_atom("0.1 0.2 0.3 10", "0.1 0.2 0.3 12", columns));
  CHECK(io::is_whole_atom("0.1 0.2 0.3 10", "0.1 0.2 0.3 9", columns));
  CHECK(io::is_whole_atom("0.1 0.2 0.3 1 ", "0.1 0.2 0.3 12", columns));
  CHECK_FALSE(io::is_whole_atom("0.1 0.2 0.3 1", "0.1 0.2 0.3 12", columns));
  // may be a truncated Cl
  CHECK_FALSE(io::is_whole_atom("0.1 0.2 0.3 C", "0.1 0.2 0.3 C", columns));
}

TEST_CASE("the box of GRO is complete by its own decimals and the previous box") {
  const std::string three = "   4.00000  15.00000   6.00000";
  const std::string nine = three + three + three;
  CHECK(io::is_whole_box(three, ""));
  CHECK(io::is_whole_box(three, three));
  CHECK(io::is_whole_box(three + "\r", ""));
  CHECK(io::is_whole_box(three + " ", three));
  CHECK(io::is_whole_box(nine, ""));
  CHECK(io::is_whole_box(nine + " ", nine));
  CHECK(io::is_whole_box("10.00000 10.00000 9.00000", ""));
  CHECK(io::is_whole_box("9 8 10", ""));
  CHECK_FALSE(io::is_whole_box(three + " ", ""));  // six more may follow
  CHECK_FALSE(io::is_whole_box(three, nine));
  CHECK_FALSE(io::is_whole_box("10 10 1", ""));
  CHECK_FALSE(io::is_whole_box(three.substr(0, three.size() - 1), three));
  CHECK_FALSE(io::is_whole_box(nine.substr(0, nine.size() - 1), ""));
  CHECK_FALSE(io::is_whole_box(nine.substr(0, nine.size() - 10), ""));
  CHECK_FALSE(io::is_whole_box("", ""));
}

WholeTrajectory read_packed(const std::string& text) {
  const TextTrajectory file("", "a.gz");
  gzFile out = gzopen(file.path.c_str(), "wb");
  gzwrite(out, text.data(), static_cast<unsigned>(text.size()));
  gzclose(out);
  return read_all({file.path});
}

TEST_CASE("XYZ and dumps without the last newline: plain, packed, with a known index") {
  const std::string xyz = "3\nframe\nO 0 0 0\nH 1 0 0\nH 0 1 0";
  const std::string dump =
      "ITEM: TIMESTEP\n50\nITEM: NUMBER OF ATOMS\n3\nITEM: BOX BOUNDS pp pp pp\n"
      "0 9\n0 9\n0 9\nITEM: ATOMS element x y z\nO 0 0 0\nH 1 0 0\nH 0 1 0";
  const std::vector<std::vector<double>> positions{{1, 0, 0, 0, 1, 0}, {0, 0, 0}};
  const auto check = [&](const WholeTrajectory& all, std::size_t frames) {
    REQUIRE(all.frames.size() == frames);
    CHECK(all.info.truncation.empty());
    CHECK(all.frames.back().positions == positions);
  };
  for (const std::string& frame : {xyz, dump}) {
    INFO(frame);
    check(read_all({TextTrajectory(frame).path}), 1);
    check(read_all({TextTrajectory(frame + "\r").path}), 1);
    check(read_all({TextTrajectory(frame + "\n" + frame).path}), 2);
    check(read_packed(frame), 1);
    check(read_packed(frame + "\r\n" + frame), 2);
    check(read_all({TextTrajectory(frame + "\n\t \r").path}), 1);  // blanks
    const TextTrajectory twice(frame);
    io::ReadOptions options;
    options.text_indexes = std::make_shared<io::TextIndexStore>();
    check(read_all({twice.path}, options), 1);
    check(read_all({twice.path}, options), 1);
    options.with_membership = true;
    check(read_all({twice.path}, options), 1);
  }
}

TEST_CASE("a frame of one atom is compared with the previous frame, if any") {
  const std::string frame = "1\n\nA 1.25 2.5 3.75";
  CHECK(missing(read_error(TextTrajectory(frame).path),
                {"frame 0 is cut off in line 3, which has no newline at its end "
                 "(copy the file again"}) == "");
  CHECK(read_all({TextTrajectory(frame + "\n" + frame).path}).frames.size() == 2);
  const WholeTrajectory cut =
      read_all({TextTrajectory(frame + "\n" + frame.substr(0, frame.size() - 1)).path});
  CHECK(cut.frames.size() == 1);
  CHECK(cut.info.truncation.size() == 1);
}

TEST_CASE(
    "a last number is compared with the one with the most decimals in its column") {
  const std::string frame = "4\n\nA 1 2 4.8765\nA 1 2 0.5\nA 1 2 7.25\nA 1 2 ";
  CHECK(read_all({TextTrajectory(frame + "4.8765").path}).frames.size() == 1);
  for (const char* cut : {"4.876", "4.87", "4.8", "4", "14"}) {
    INFO(cut);
    CHECK(missing(read_error(TextTrajectory(frame + cut).path),
                  {"frame 0 is cut off in line 6"}) == "");
  }
  // The previous frame has more decimals.
  CHECK(read_all({TextTrajectory("1\n\nA 1 2 4.8765\n1\n\nA 1 2 4.5").path})
            .frames.size() == 1);
}

TEST_CASE("a truncated gzip file does not complete a line") {
  const std::string text = "2\n\nA 1 2 3\nB 4 5 6";
  const TextTrajectory file("", "a.gz");
  gzFile out = gzopen(file.path.c_str(), "wb");
  gzwrite(out, text.data(), static_cast<unsigned>(text.size()));
  gzclose(out);
  const std::string bytes = read_bytes(file.path);
  for (std::size_t lost = 1; lost <= 8; ++lost) {  // gzip's trailer: checksum and size
    INFO(lost);
    const TextTrajectory cut(bytes.substr(0, bytes.size() - lost), "a.gz");
    CHECK(missing(read_error(cut.path), {"frame 0 is cut off in line 4"}) == "");
  }
}

}  // namespace
}  // namespace starhist::testing
