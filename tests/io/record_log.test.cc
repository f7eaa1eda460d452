#include "io/log/record_log.hh"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "codelets/core/base/error.hh"
#include "io/output/result_writer.hh"
#include "io/result/result_reader.hh"
#include "tests/support/catch.hh"
#include "tests/support/error_text.hh"
#include "tests/support/file_bytes.hh"
#include "tests/support/random.hh"
#include "tests/support/sample_result.hh"
#include "tests/support/temporary_directory.hh"

// Logs are read up to their last whole record, wherever they are cut or damaged.

namespace starhist::testing {
namespace {

/// Payloads of the records of a file with these bytes; sets `damaged`.
std::vector<std::string> payloads(const std::string& file, const std::string& bytes,
                                  bool& damaged) {
  write_bytes(file, bytes);
  io::LogReader log(file);
  std::vector<std::string> read;
  while (const auto record = log.next()) {
    read.push_back(record->payload);
  }
  damaged = log.damaged();
  return read;
}

struct Log {
  std::vector<std::string> payloads{"header", "", std::string(300, 'b'), "last"};
  std::string bytes = io::log_signature();
  std::vector<std::size_t> ends;  ///< by record

  Log() {
    for (const std::string& payload : payloads) {
      bytes += io::log_record(io::RecordType::block, payload);
      ends.push_back(bytes.size());
    }
  }
  /// Number of records that end within the first `size` bytes.
  std::size_t whole(std::size_t size) const {
    return static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), size) -
                                    ends.begin());
  }
};

TEST_CASE("a log that is cut anywhere has its whole records, and is not damaged") {
  const Log log;
  const TemporaryDirectory folder;
  const std::string file = folder.file("log");
  for (std::size_t size = io::log_signature().size(); size <= log.bytes.size();
       ++size) {
    bool damaged = true;
    const auto read = payloads(file, log.bytes.substr(0, size), damaged);
    INFO(size << " bytes");
    CHECK(read == std::vector<std::string>(
                      log.payloads.begin(),
                      log.payloads.begin() + static_cast<int>(log.whole(size))));
    CHECK_FALSE(damaged);
  }
}

TEST_CASE("a log with a changed byte ends before it, and is damaged") {
  const Log log;
  const TemporaryDirectory folder;
  const std::string file = folder.file("log");
  for (std::size_t at = io::log_signature().size(); at < log.bytes.size(); ++at) {
    std::string bytes = log.bytes;
    bytes[at] = static_cast<char>(bytes[at] ^ 0x40);
    bool damaged = false;
    const auto read = payloads(file, bytes, damaged);
    INFO("byte " << at);
    CHECK(read.size() == log.whole(at));
    CHECK(damaged);
  }
}

TEST_CASE("other files are not logs") {
  const TemporaryDirectory folder;
  const std::string file = folder.file("log");
  CHECK_FALSE(io::is_record_log(file));
  CHECK(missing(error_text<InputError>([&] { io::LogReader log(file); }),
                {file.c_str(), "No such file"}) == "");
  for (const std::string& bytes : {std::string(), std::string("\x89HDF\r\n\x1a\n"),
                                   io::log_signature().substr(0, 15)}) {
    write_bytes(file, bytes);
    CHECK_FALSE(io::is_record_log(file));
    CHECK(missing(error_text<InputError>([&] { io::LogReader log(file); }),
                  {file.c_str(), "not an unfinished result"}) == "");
  }
  write_bytes(file, io::log_signature());
  CHECK(io::is_record_log(file));
}

TEST_CASE("a cut or damaged partial result yields its first blocks or a message") {
  const TemporaryDirectory folder;
  const std::string path = folder.file("out.h5");
  const HistogramLayout layout = sample_layout();
  {
    io::ResultWriter writer(path, layout, {}, false);
    for (std::uint64_t b = 0; b < 5; ++b) {
      writer.append(sample_block(layout, b));
    }
  }
  const std::string partial = path + ".partial";
  const std::string whole = read_bytes(partial);
  Random random(3);
  std::size_t readable = 0;
  for (int trial = 0; trial < 200; ++trial) {
    std::string bytes = whole;
    const std::size_t at = random.below(bytes.size());
    const bool cut = random.chance(0.5);
    if (cut) {
      bytes.resize(at);
    } else {
      bytes[at] = static_cast<char>(bytes[at] ^ 1);
    }
    write_bytes(partial, bytes);
    try {
      const io::ResultFile result = io::read_result(partial);
      CHECK(result.state == io::ResultState::partial);
      CHECK(result.damaged == !cut);
      CHECK(result.blocks.size() < 5);
      for (std::size_t b = 0; b < result.blocks.size(); ++b) {
        CHECK(result.blocks[b].counts == sample_block(layout, b).counts);
      }
      ++readable;
    } catch (const InputError& error) {
      CHECK(missing(error.what(), {"out.h5.partial"}) == "");
    }
  }
  CHECK(readable > 20);
}

}  // namespace
}  // namespace starhist::testing
