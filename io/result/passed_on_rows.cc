#include "io/result/passed_on_rows.hh"

#include <algorithm>
#include <utility>

#include "codelets/core/base/error.hh"
#include "io/hdf5/hdf5_append.hh"
#include "io/hdf5/hdf5_read.hh"
#include "io/hdf5/hdf5_write.hh"
#include "io/result/result_layout.hh"

namespace starhist::io {
namespace {

using namespace passed_on_layout;

std::string folder_of(const std::string& path) {
  return path.substr(0, path.rfind('/'));
}

}  // namespace

PassedOnWriter::PassedOnWriter(hid_t file)
    : group_(create_hdf5_group(file, result_layout::passed_on)) {}

void PassedOnWriter::append(const PassedOn& block) {
  for (const auto& [name, numbers] : block.sums) {
    const auto [size, is_new] = sizes_.try_emplace(name, numbers.size());
    if (size->second != numbers.size()) {
      throw InputError(name + ": has " + std::to_string(numbers.size()) +
                       " numbers, but in frames before " +
                       std::to_string(size->second) +
                       " (all frames need the same number)");
    }
    if (is_new) {
      const std::string path = path_of(sums, name);
      const std::string folder = folder_of(path);
      const Hdf5Object parent = hdf5_exists(group_.get(), folder)
                                    ? open_hdf5_group(group_.get(), folder)
                                    : create_hdf5_group(group_.get(), folder);
      sums_.emplace(
          name, create_hdf5_rows<double>(parent.get(), path.substr(folder.size() + 1),
                                         {numbers.size()}, Hdf5Storage::compressed));
    }
    const hid_t dataset = sums_.at(name).get();
    resize_hdf5_rows(dataset, blocks_ + 1);
    write_hdf5_part(dataset, {blocks_, 0}, {1, numbers.size()}, numbers);
  }
  for (const auto& [name, value] : block.texts) {
    Text& text = texts_[name];
    text.of_block.resize(blocks_);
    const auto found = std::find(text.values.rbegin(), text.values.rend(), value);
    if (found != text.values.rend()) {
      text.of_block.push_back(
          static_cast<std::uint32_t>(std::distance(found, text.values.rend()) - 1));
    } else {
      text.of_block.push_back(static_cast<std::uint32_t>(text.values.size()));
      text.values.push_back(value);
    }
  }
  PassedOn kept;
  kept.frames = block.frames;
  kept.constants = block.constants;
  kept.series = block.series;
  io::append(all_, kept);
  ++blocks_;
}

void PassedOnWriter::finish() {
  for (const auto& [name, dataset] : sums_) {
    resize_hdf5_rows(dataset.get(), blocks_);
  }
  for (auto& [name, text] : texts_) {
    text.of_block.resize(blocks_);
    write_hdf5_strings(group_.get(), path_of(texts, name) + "/" + values, text.values);
    write_hdf5_numbers(group_.get(), path_of(texts, name) + "/" + of_block,
                       text.of_block, {blocks_});
  }
  for (const auto& [name, numbers] : all_.constants) {
    write_hdf5_numbers(group_.get(), path_of(constants, name), numbers,
                       {numbers.size()});
  }
  for (const auto& [name, numbers] : all_.series) {
    write_hdf5_numbers(group_.get(), path_of(series, name), numbers, {numbers.size()});
  }
  sums_.clear();
  group_ = {};
}

}  // namespace starhist::io
