// starhist-save: writes a result file for a process that has not loaded HDF5.
//
//   starhist-save FILE [--force] < COUNTS      exit status 0, or 1 and a message
//
// COUNTS, written by python/starhist/save.py: lines of text, then the bytes of each
// block. Lines: "elements N" and, unless N is 0, one element per species, which may
// be empty; "r_max R", "bins N", "length_unit U", "time_unit U"; "species N"
// and N names; "pairs N" and N times two numbers of species; "record N" and N times a
// name and a value in two lines; "blocks N". Bytes: a starhist_block, then particles by
// species, counts by pair and bin, pairs out of range, pairs (64-bit unsigned
// integers), pairs / volume (doubles).
#include <cstdlib>
#include <exception>
#include <iostream>
#include <sstream>
#include <string>

#include "codelets/core/base/error.hh"
#include "driver/capi/starhist.h"
#include "io/files/local_time.hh"
#include "io/output/result_writer.hh"
#include "io/particles/elements.hh"

namespace starhist::python {
namespace {

[[noreturn]] void refuse() {
  throw InputError(
      "the counts on standard input are cut off (this program is for the "
      "module starhist of Python)");
}

std::string line() {
  std::string text;
  if (!std::getline(std::cin, text)) {
    refuse();
  }
  return text;
}

/// Rest of the next line after `name` and a space.
std::string value(const std::string& name) {
  const std::string text = line();
  if (text.rfind(name + " ", 0) != 0) {
    refuse();
  }
  return text.substr(name.size() + 1);
}

std::size_t number(const std::string& name) {
  return std::stoull(value(name));
}

template <class Value>
void read(Value* values, std::size_t count) {
  const auto bytes = static_cast<std::streamsize>(count * sizeof(Value));
  if (!std::cin.read(reinterpret_cast<char*>(values), bytes)) {
    refuse();
  }
}

SpeciesElement element_of(const std::string& word) {
  const std::string element = word == "none" ? "DUMMY" : io::element_spelling(word);
  if (element.empty() && !word.empty()) {
    throw InputError(
        "elements: '" + word +
        "' is not an element (give a symbol, such as O, or none for a site "
        "without an atom)");
  }
  return {element, element.empty() ? "" : "set in Python"};
}

HistogramLayout read_layout() {
  HistogramLayout layout;
  const std::size_t elements = number("elements");
  for (std::size_t s = 0; s < elements; ++s) {
    layout.elements.push_back(element_of(line()));
  }
  const double r_max = std::stod(value("r_max"));
  layout.bins = make_bins(r_max, number("bins"));
  layout.length_unit = value("length_unit");
  layout.time_unit = value("time_unit");
  const std::size_t species = number("species");
  for (std::size_t s = 0; s < species; ++s) {
    layout.species.push_back(line());
  }
  if (elements != 0 && elements != species) {
    refuse();
  }
  const std::size_t pairs = number("pairs");
  for (std::size_t p = 0; p < pairs; ++p) {
    std::istringstream numbers(line());
    std::uint32_t first = 0;
    std::uint32_t second = 0;
    if (!(numbers >> first >> second) || first >= species || second >= species) {
      refuse();
    }
    layout.pairs.push_back({SpeciesId(first), SpeciesId(second)});
  }
  return layout;
}

io::RunRecord read_record() {
  io::RunRecord record;
  const std::size_t entries = number("record");
  for (std::size_t k = 0; k < entries; ++k) {
    const std::string name = line();
    record.emplace_back(name, line());
  }
  record.emplace_back(io::result_id, io::new_result_id());
  record.emplace_back("run 1", "saved " + io::local_time());
  return record;
}

BlockCounts read_block(const HistogramLayout& layout, std::uint64_t index) {
  BlockCounts block = empty_block(layout, BlockIndex(index));
  starhist_block sums{};
  read(&sums, 1);
  block.frames = static_cast<std::uint32_t>(sums.frames);
  block.first_frame = FrameIndex(sums.first_frame);
  block.last_frame = FrameIndex(sums.last_frame);
  block.last_step = sums.last_step;
  block.last_time = sums.last_time;
  block.volume = sums.volume;
  block.inverse_volume = sums.inverse_volume;
  block.inscribed_radius = sums.inscribed_radius;
  if (sums.has_box == 1) {
    const double* m = sums.box;
    block.box.emplace(
        Box({Vec3{m[0], m[1], m[2]}, {m[3], m[4], m[5]}, {m[6], m[7], m[8]}},
            {true, true, true}));
  }
  read(block.particle_number.data(), block.particle_number.size());
  for (auto& counts : block.counts) {
    read(counts.data(), counts.size());
  }
  read(block.out_of_range.data(), block.out_of_range.size());
  read(block.pairs.data(), block.pairs.size());
  read(block.pairs_over_volume.data(), block.pairs_over_volume.size());
  return block;
}

void save(const std::string& path, bool overwrite) {
  const HistogramLayout layout = read_layout();
  const io::RunRecord record = read_record();
  const std::size_t blocks = number("blocks");
  io::ResultWriter writer(path, layout, record, overwrite);
  for (std::size_t b = 0; b < blocks; ++b) {
    writer.append(read_block(layout, b));
  }
  writer.finish({});
}

}  // namespace
}  // namespace starhist::python

int main(int argc, char** argv) {
  const bool force = argc == 3 && std::string(argv[2]) == "--force";
  if (argc != 2 && !force) {
    std::cerr << "starhist-save: usage: starhist-save FILE [--force] < COUNTS\n";
    return EXIT_FAILURE;
  }
  try {
    starhist::python::save(argv[1], force);
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
