#include "io/hdf5/flushed/redo_journal.hh"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include <signal.h>
#include <unistd.h>
#include <zlib.h>

#include "codelets/core/base/error.hh"
#include "io/hdf5/flushed/pending_writes.hh"
#include "tests/support/catch.hh"
#include "tests/support/child_process.hh"
#include "tests/support/temporary_directory.hh"

namespace starhist {
namespace {

using testing::ChildProcess;
using testing::TemporaryDirectory;

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_file(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

io::PendingWrites sample_writes() {
  io::PendingWrites writes;
  writes.add(2, "XY", 2);
  writes.add(8, "end", 3);
  return writes;
}

/// Changes the size of a journal's first write, after the 48 bytes of the header, with
/// valid checksums.
void set_first_size(const std::string& journal, std::uint64_t size) {
  std::string bytes = contents(journal);
  const auto put = [&](std::size_t offset, const auto& value) {
    std::memcpy(bytes.data() + offset, &value, sizeof value);
  };
  const auto checksum = [&](std::size_t begin, std::size_t end) {
    return static_cast<std::uint32_t>(crc32_z(
        0, reinterpret_cast<const unsigned char*>(bytes.data()) + begin, end - begin));
  };
  put(48 + 8, size);
  put(40, checksum(48, bytes.size()));
  put(44, checksum(0, 44));
  write_file(journal, bytes);
}

/// Leaves a journal like a process that is killed before it writes the target.
void leave_journal(const std::string& journal, const std::string& target) {
  ChildProcess([&](const auto&) {
    io::RedoJournal held(journal, target);
    held.hold(sample_writes());
    ::kill(::getpid(), SIGKILL);
  }).wait();
}

TEST_CASE("pending writes give the same file as immediate writes") {
  std::mt19937 random(7);
  for (int trial = 0; trial < 200; ++trial) {
    std::string file(64, '.');
    std::string behind = file;
    io::PendingWrites writes;
    for (int k = 0; k < 30; ++k) {
      const std::size_t offset = random() % 60;
      const std::string bytes(random() % (64 - offset),
                              static_cast<char>('a' + k % 26));
      file.replace(offset, bytes.size(), bytes);
      writes.add(offset, bytes.data(), bytes.size());
      std::string seen = behind;
      writes.copy_to(0, seen.data(), seen.size());
      REQUIRE(seen == file);
      const std::size_t from = random() % 64;
      std::string part = behind.substr(from, random() % (64 - from));
      const std::size_t size = part.size();
      writes.copy_to(from, part.data(), size);
      REQUIRE(part == file.substr(from, size));
    }
    std::uint64_t end = 0;
    for (const auto& [offset, bytes] : writes.extents()) {
      CHECK(offset >= end);  // extents do not overlap
      end = offset + bytes.size();
    }
  }
}

TEST_CASE("an interrupted flush is completed by the next reader") {
  const TemporaryDirectory folder;
  const std::string target = folder.file("out.h5.partial");
  const std::string journal = folder.file("out.h5.journal");
  write_file(target, "0123456789");
  leave_journal(journal, target);
  REQUIRE(contents(target) == "0123456789");
  io::complete_last_flush(target);
  CHECK(contents(target) == "01XY4567end");
  CHECK_FALSE(std::filesystem::exists(journal));
  io::complete_last_flush(target);  // the journal is empty
  CHECK(contents(target) == "01XY4567end");
}

TEST_CASE("a journal belongs to its file also after a rename") {
  const TemporaryDirectory folder;
  const std::string target = folder.file("out.h5.partial");
  const std::string journal = folder.file("out.h5.journal");
  write_file(target + ".new", "0123456789");
  leave_journal(journal, target + ".new");
  std::filesystem::rename(target + ".new", target);
  io::complete_last_flush(target);
  CHECK(contents(target) == "01XY4567end");
}

TEST_CASE("a foreign, damaged or cleared journal changes nothing") {
  const TemporaryDirectory folder;
  const std::string target = folder.file("out.h5.partial");
  const std::string journal = folder.file("out.h5.journal");
  write_file(target, "0123456789");
  SECTION("of another file") {
    write_file(folder.file("other"), "0123456789");
    leave_journal(journal, folder.file("other"));
  }
  SECTION("damaged in its content") {
    leave_journal(journal, target);
    std::string bytes = contents(journal);
    bytes[bytes.size() - 1] ^= 1;
    write_file(journal, bytes);
  }
  SECTION("damaged in its header") {
    leave_journal(journal, target);
    std::string bytes = contents(journal);
    bytes[33] ^= 1;
    write_file(journal, bytes);
  }
  SECTION("with a write that is larger than the journal") {
    leave_journal(journal, target);
    set_first_size(journal, 1U << 30U);
  }
  SECTION("cut off") {
    leave_journal(journal, target);
    std::filesystem::resize_file(journal, std::filesystem::file_size(journal) - 1);
  }
  SECTION("empty") {
    write_file(journal, "");
  }
  SECTION("cleared") {
    ChildProcess([&](const auto&) {
      io::RedoJournal held(journal, target);
      held.hold(sample_writes());
      held.clear();
      ::kill(::getpid(), SIGKILL);
    }).wait();
  }
  io::complete_last_flush(target);
  CHECK(contents(target) == "0123456789");
}

TEST_CASE("the journal of a running process is not touched") {
  const TemporaryDirectory folder;
  const std::string target = folder.file("out.h5.partial");
  const std::string journal = folder.file("out.h5.journal");
  write_file(target, "0123456789");
  {
    io::RedoJournal held(journal, target);
    REQUIRE(held.hold(sample_writes()));
    io::complete_last_flush(target);
    CHECK(contents(target) == "0123456789");
    REQUIRE(held.clear());
  }
  CHECK_FALSE(std::filesystem::exists(journal));
}

TEST_CASE("only a partial file has a journal") {
  CHECK(io::journal_of("a/out.h5.partial") == "a/out.h5.journal");
  CHECK(io::journal_of("out.h5").empty());
  CHECK(io::journal_of(".partial").empty());
  const TemporaryDirectory folder;
  const std::string target = folder.file("out.h5");
  write_file(target, "0123456789");
  leave_journal(folder.file("out.h5.journal"), target);
  io::complete_last_flush(target);
  CHECK(contents(target) == "0123456789");
}

TEST_CASE("a file that cannot be completed is refused") {
  if (::geteuid() == 0) {
    return;  // root may write everything
  }
  const TemporaryDirectory folder;
  const std::string target = folder.file("out.h5.partial");
  write_file(target, "0123456789");
  leave_journal(folder.file("out.h5.journal"), target);
  std::filesystem::permissions(target, std::filesystem::perms::owner_read);
  CHECK_THROWS_AS(io::complete_last_flush(target), InputError);
}

}  // namespace
}  // namespace starhist
