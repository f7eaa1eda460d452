#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "python/src/python_handles.hh"
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "driver/capi/starhist.h"

namespace starhist::python {

template <class Value>
using Array = nanobind::ndarray<nanobind::numpy, Value>;
/// Any numbers of any shape and strides in main memory, not written to.
using AnyArray = nanobind::ndarray<nanobind::ro, nanobind::device::cpu>;
using Numbers =
    nanobind::ndarray<const double, nanobind::c_contig, nanobind::device::cpu>;
using Labels = nanobind::ndarray<const std::int32_t, nanobind::ndim<1>,
                                 nanobind::c_contig, nanobind::device::cpu>;

/// Positions in the memory of a GPU: the address, particles, bytes between particles
/// and between components, whether they are of float, and CUDA's stream.
using OnGpu = std::tuple<std::uintptr_t, std::size_t, std::ptrdiff_t, std::ptrdiff_t,
                         bool, std::uintptr_t>;

/// An array of another library, passed by DLPack; keeps its memory alive.
class DlpackArray {
 public:
  explicit DlpackArray(nanobind::ndarray<nanobind::ro> array)
      : array_(std::move(array)) {}
  std::uintptr_t address() const {
    return reinterpret_cast<std::uintptr_t>(array_.data());
  }
  std::vector<std::size_t> shape() const;
  /// Step along each axis [bytes].
  std::vector<std::int64_t> strides() const;
  /// NumPy's type code without the byte order, such as "f4".
  std::string type() const;

 private:
  nanobind::ndarray<nanobind::ro> array_;
};

/// A starhist_histogram. Counting releases the interpreter lock, and Ctrl-C ends it.
/// Functions throw StatusError.
class Histogram {
 public:
  Histogram(const Context& context, double r_max, std::uint64_t bins, int box_kind);

  void set_species(const std::vector<std::string>& names);
  void set_pairs(const std::string& pairs);
  void set_periodic(bool a, bool b, bool c);
  void set_frames_per_block(std::uint32_t frames);
  void set_expected_frames(std::uint64_t frames);
  void set_memory(std::uint64_t bytes);
  void set_units(const std::string& length, const std::string& time);
  void set_labels(const Labels& labels);
  /// Adds a frame. `positions`: particles x 3, float or double. `box`: 0, 3, 6 or 9
  /// numbers, depending on the box kind.
  void add(const AnyArray& positions, const Numbers& box, std::int64_t step,
           double time);
  /// Adds a frame whose positions are in GPU memory.
  void add_on_gpu(const OnGpu& positions, const Numbers& box, std::int64_t step,
                  double time);
  /// Number of frames that were added.
  std::uint64_t frames() const;
  /// Makes a call of another thread end soon; the counts are lost.
  void interrupt();
  /// Releases the memory; afterwards only frames() may be called, and returns 0.
  void close() { handle_.reset(); }
  void reset();
  /// Waits until all frames are counted.
  void wait();

  std::vector<std::string> pair_names() const;
  std::vector<std::string> species_names() const;
  /// Species numbers of each pair.
  std::vector<std::pair<std::size_t, std::size_t>> pair_species() const;
  Array<double> edges() const;
  /// Bytes of an array of starhist_block.
  nanobind::bytes blocks() const;
  /// Arrays whose first axis is the block: particles by species; counts by pair and
  /// bin; pairs out of range, all pairs and pairs / volume by pair.
  nanobind::tuple sums() const;
  /// g() returns g by pair and bin, and errors. coordination() returns the coordination
  /// numbers A-B and their errors, then B-A and their errors.
  nanobind::tuple g(int normalization) const;
  nanobind::tuple coordination() const;
  /// Warning about the standard errors of g, or "".
  std::string error_warning() const;
  /// Warning about large empty parts of the box in the first frame, or "".
  std::string empty_parts_warning() const;
  std::vector<std::pair<std::string, std::string>> provenance() const;

 private:
  struct Numbers4 {
    std::uint64_t blocks;
    std::size_t species, pairs, bins;
  };
  Numbers4 numbers() const;
  /// Sets step and time of the frame, and calls `function`, which adds it and returns a
  /// starhist_status: in this thread, or in another one so that Ctrl-C ends it.
  template <class Function>
  void add_frame(Function function, bool in_this_thread, std::int64_t step,
                 double time);
  /// Runs `function`, which returns a starhist_status, by run_interruptibly().
  template <class Function>
  void call_interruptibly(Function function);

  std::unique_ptr<starhist_histogram, void (*)(starhist_histogram*)> handle_;
};

}  // namespace starhist::python
