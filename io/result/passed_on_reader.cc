#include "io/result/passed_on_reader.hh"

#include <map>
#include <string>
#include <vector>

#include "codelets/core/base/error.hh"
#include "io/hdf5/hdf5_read.hh"
#include "io/hdf5/inspection/inspected_file.hh"
#include "io/hdf5/rows/hdf5_rows.hh"
#include "io/result/result_layout.hh"

namespace starhist::io {
namespace {

using namespace passed_on_layout;

/// Returns the names of the datasets of one kind.
std::vector<std::string> names_in(hid_t group, const std::string& path) {
  std::vector<std::string> names;
  if (!hdf5_is_group(group, path)) {
    return names;
  }
  for (const std::string& name : hdf5_names(open_hdf5_group(group, path).get())) {
    if (!hdf5_is_group(group, path + "/" + name)) {
      names.push_back(name);
      continue;
    }
    for (const std::string& below : names_in(group, path + "/" + name)) {
      names.push_back(name + "/" + below);
    }
  }
  return names;
}

template <class Number>
std::vector<Number> numbers_in(hid_t group, const std::string& path) {
  return read_hdf5_numbers<Number>(open_hdf5_dataset(group, path).get());
}

}  // namespace

struct PassedOnReader::Contents {
  struct Text {
    std::vector<std::string> values;  ///< distinct texts
    std::vector<std::uint32_t> of_block;
  };

  Contents(Hdf5Object opened, const ResultFile& result);

  /// Throws InputError unless `holds`.
  void check(bool holds, const std::string& path) const {
    if (!holds) {
      throw InputError(hdf5_location(group.get(), path) +
                       ": does not fit the blocks of the result (the file is damaged)");
    }
  }

  void read_series(const std::string& name, std::uint64_t in_all);
  void read_text(const std::string& name);

  std::vector<std::uint64_t> first;  ///< by block: number of frames in earlier blocks
  std::vector<std::uint64_t> frames;
  Hdf5Object group;
  PassedOn all;  ///< constants and series
  std::map<std::string, Text> text;
  std::map<std::string, Hdf5Rows> sum;
};

PassedOnReader::Contents::Contents(Hdf5Object opened, const ResultFile& result)
    : group(std::move(opened)) {
  std::uint64_t in_all = 0;
  for (const BlockCounts& block : result.blocks) {
    first.push_back(in_all);
    frames.push_back(block.frames);
    in_all += block.frames;
  }
  for (const std::string& name : names_in(group.get(), constants)) {
    all.constants[name] = numbers_in<double>(group.get(), path_of(constants, name));
  }
  for (const std::string& name : names_in(group.get(), series)) {
    read_series(name, in_all);
  }
  const std::string end = std::string("/") + values;
  for (const std::string& name : names_in(group.get(), texts)) {
    if (name.ends_with(end)) {
      read_text(name.substr(0, name.size() - end.size()));
    }
  }
  for (const std::string& name : names_in(group.get(), sums)) {
    const std::string path = path_of(sums, name);
    check(hdf5_shape(open_hdf5_dataset(group.get(), path).get()).size() == 2, path);
    Hdf5Rows rows(group.get(), path, Hdf5Rows::Layout::many_rows);
    check(rows.count() == frames.size(), path);
    sum.emplace(name, std::move(rows));
  }
}

void PassedOnReader::Contents::read_series(const std::string& name,
                                           std::uint64_t in_all) {
  const std::string path = path_of(series, name);
  all.series[name] = numbers_in<double>(group.get(), path);
  check(all.series[name].size() == in_all, path);
}

void PassedOnReader::Contents::read_text(const std::string& name) {
  const std::string path = path_of(texts, name);
  Text& read = text[name];
  read.values =
      read_hdf5_strings(open_hdf5_dataset(group.get(), path + "/" + values).get());
  read.of_block = numbers_in<std::uint32_t>(group.get(), path + "/" + of_block);
  check(read.of_block.size() == frames.size(), path);
  for (const std::uint32_t number : read.of_block) {
    check(number < read.values.size(), path);
  }
}

PassedOnReader::PassedOnReader(const ResultFile& result, ExternalFiles external) {
  if (result.state != ResultState::complete) {
    return;  // partial results lack it: it is written at the end of a run
  }
  const Hdf5Object file = open_inspected_hdf5_file(result.path, external);
  if (hdf5_is_group(file.get(), result_layout::passed_on)) {
    contents_ = std::make_unique<Contents>(
        open_hdf5_group(file.get(), result_layout::passed_on), result);
  }
}

PassedOnReader::~PassedOnReader() = default;
PassedOnReader::PassedOnReader(PassedOnReader&&) noexcept = default;

PassedOn PassedOnReader::block(std::uint64_t index) const {
  PassedOn block;
  if (empty()) {
    return block;
  }
  block.frames = contents_->frames.at(index);
  block.constants = contents_->all.constants;
  for (const auto& [name, text] : contents_->text) {
    block.texts[name] = text.values[text.of_block[index]];
  }
  for (const auto& [name, numbers] : contents_->all.series) {
    const auto first =
        numbers.begin() + static_cast<std::ptrdiff_t>(contents_->first[index]);
    block.series[name].assign(first, first + static_cast<std::ptrdiff_t>(block.frames));
  }
  for (auto& [name, rows] : contents_->sum) {
    std::vector<double>& numbers = block.sums[name];
    numbers.resize(rows.row_size());
    rows.read(index, hdf5_type<double>(), numbers.data());
  }
  return block;
}

}  // namespace starhist::io
