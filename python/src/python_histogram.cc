#include "python/src/python_histogram.hh"

#include <utility>

#include "python/src/gil_release.hh"
#include "python/src/interruptible.hh"

#include "codelets/core/geometry/empty_parts.hh"
#include "driver/capi/handles.hh"

namespace nb = nanobind;

namespace starhist::python {
namespace {

/// Frames with fewer particles are counted within milliseconds, without a thread.
constexpr std::size_t particles_worth_a_thread = 4000;

/// Destroying the histogram waits for its tasks.
void destroy(starhist_histogram* histogram) {
  const GilRelease released;
  starhist_histogram_destroy(histogram);
}

/// Returns a new NumPy array of this shape.
template <class Value>
struct Made {
  Value* data;
  Array<Value> array;
};
template <class Value>
Made<Value> make_array(std::initializer_list<std::size_t> shape) {
  std::size_t size = 1;
  for (const std::size_t extent : shape) {
    size *= extent;
  }
  auto values = std::make_unique<Value[]>(size);
  nb::capsule owner(values.get(),
                    [](void* p) noexcept { delete[] static_cast<Value*>(p); });
  Value* data = values.release();
  return {data, Array<Value>(data, shape, owner)};
}

/// Returns `count` names. `get`: function of the C library for one name.
template <class Get>
std::vector<std::string> names_of(starhist_histogram* histogram, std::size_t count,
                                  Get get) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < count; ++k) {
    const char* name = nullptr;
    check(get(histogram, k, &name));
    names.emplace_back(name);
  }
  return names;
}

}  // namespace

Histogram::Histogram(const Context& context, double r_max, std::uint64_t bins,
                     int box_kind)
    : handle_(nullptr, destroy) {
  starhist_histogram* created = nullptr;
  check(starhist_histogram_create(context.get(), r_max, bins, box_kind, &created));
  handle_.reset(created);
}

void Histogram::set_species(const std::vector<std::string>& names) {
  std::vector<const char*> texts;
  for (const std::string& name : names) {
    texts.push_back(name.c_str());
  }
  check(starhist_set_species(handle_.get(), texts.size(), texts.data()));
}

void Histogram::set_pairs(const std::string& pairs) {
  check(starhist_set_pairs(handle_.get(), pairs.c_str()));
}

void Histogram::set_periodic(bool a, bool b, bool c) {
  check(starhist_set_periodic(handle_.get(), a, b, c));
}

void Histogram::set_frames_per_block(std::uint32_t frames) {
  check(starhist_set_frames_per_block(handle_.get(), frames));
}

void Histogram::set_expected_frames(std::uint64_t frames) {
  check(starhist_set_expected_frames(handle_.get(), frames));
}

void Histogram::set_memory(std::uint64_t bytes) {
  check(starhist_set_memory(handle_.get(), bytes));
}

void Histogram::set_units(const std::string& length, const std::string& time) {
  check(starhist_set_units(handle_.get(), length.c_str(), time.c_str()));
}

void Histogram::set_labels(const Labels& labels) {
  check(starhist_set_labels(handle_.get(), labels.shape(0), labels.data()));
}

template <class Function>
void Histogram::call_interruptibly(Function function) {
  starhist_status status = STARHIST_OK;
  std::string problem;
  run_interruptibly(
      [&] {
        status = function();
        if (status != STARHIST_OK) {
          problem = starhist_last_error();
        }
      },
      [&] { handle_->histogram.interrupt(); });
  if (status != STARHIST_OK) {
    throw StatusError(status, problem);
  }
}

void Histogram::add(const AnyArray& positions, const Numbers& box, std::int64_t step,
                    double time) {
  const bool single = positions.dtype() == nb::dtype<float>();
  if ((!single && positions.dtype() != nb::dtype<double>()) || positions.ndim() != 2 ||
      positions.shape(1) != 3) {
    throw nb::type_error("positions must be particles x 3 of float32 or float64");
  }
  const std::size_t particles = positions.shape(0);
  const auto size =
      static_cast<std::ptrdiff_t>(single ? sizeof(float) : sizeof(double));
  const std::ptrdiff_t along_particles = positions.stride(0) * size;
  const std::ptrdiff_t along_components = positions.stride(1) * size;
  const double* edges = box.size() == 0 ? nullptr : box.data();
  add_frame(
      [&] {
        return single ? starhist_add_frame_float(
                            handle_.get(), particles,
                            static_cast<const float*>(positions.data()),
                            along_particles, along_components, edges)
                      : starhist_add_frame(handle_.get(), particles,
                                           static_cast<const double*>(positions.data()),
                                           along_particles, along_components, edges);
      },
      particles < particles_worth_a_thread, step, time);
}

void Histogram::add_on_gpu(const OnGpu& positions, const Numbers& box,
                           std::int64_t step, double time) {
  const auto [address, particles, along_particles, along_components, single,
              stream_number] = positions;
  const double* edges = box.size() == 0 ? nullptr : box.data();
  const auto* data = reinterpret_cast<const void*>(address);
  auto* const stream = reinterpret_cast<void*>(stream_number);
  constexpr std::uintptr_t stream_of_this_thread = 2;  // cudaStreamPerThread
  add_frame(
      [&, data = data, particles = particles, along_particles = along_particles,
       along_components = along_components, single = single] {
        return single ? starhist_add_gpu_frame_float(
                            handle_.get(), particles, static_cast<const float*>(data),
                            along_particles, along_components, stream, edges)
                      : starhist_add_gpu_frame(
                            handle_.get(), particles, static_cast<const double*>(data),
                            along_particles, along_components, stream, edges);
      },
      particles < particles_worth_a_thread || stream_number == stream_of_this_thread,
      step, time);
}

template <class Function>
void Histogram::add_frame(Function function, bool in_this_thread, std::int64_t step,
                          double time) {
  const auto count = [&] {
    const starhist_status at = starhist_set_time(handle_.get(), step, time);
    return at != STARHIST_OK ? at : function();
  };
  if (!in_this_thread) {
    call_interruptibly(count);
    return;
  }
  const GilRelease released;
  check(count());
}

std::vector<std::size_t> DlpackArray::shape() const {
  std::vector<std::size_t> shape;
  for (std::size_t axis = 0; axis < array_.ndim(); ++axis) {
    shape.push_back(array_.shape(axis));
  }
  return shape;
}

std::vector<std::int64_t> DlpackArray::strides() const {
  std::vector<std::int64_t> strides;
  for (std::size_t axis = 0; axis < array_.ndim(); ++axis) {
    strides.push_back(array_.stride(axis) *
                      static_cast<std::int64_t>(array_.itemsize()));
  }
  return strides;
}

std::string DlpackArray::type() const {
  constexpr const char* kinds = "iuf";  // other types have no letter
  const auto code = static_cast<std::size_t>(array_.dtype().code);
  return std::string(1, code < 3 ? kinds[code] : '?') +
         std::to_string(array_.itemsize());
}

std::uint64_t Histogram::frames() const {
  return handle_ ? handle_->histogram.frames() : 0;
}

void Histogram::interrupt() {
  if (handle_) {
    handle_->histogram.interrupt();
  }
}

void Histogram::reset() {
  const GilRelease released;
  check(starhist_reset(handle_.get()));
}

void Histogram::wait() {
  call_interruptibly([&] {
    return starhist_get_numbers(handle_.get(), nullptr, nullptr, nullptr, nullptr,
                                nullptr);
  });
}

Histogram::Numbers4 Histogram::numbers() const {
  Numbers4 n{};
  check(starhist_get_numbers(handle_.get(), nullptr, &n.blocks, &n.species, &n.pairs,
                             &n.bins));
  return n;
}

std::vector<std::string> Histogram::pair_names() const {
  return names_of(handle_.get(), numbers().pairs, starhist_get_pair_name);
}

std::vector<std::string> Histogram::species_names() const {
  return names_of(handle_.get(), numbers().species, starhist_get_species_name);
}

std::vector<std::pair<std::size_t, std::size_t>> Histogram::pair_species() const {
  std::vector<std::pair<std::size_t, std::size_t>> species(numbers().pairs);
  for (std::size_t p = 0; p < species.size(); ++p) {
    check(starhist_get_pair_species(handle_.get(), p, &species[p].first,
                                    &species[p].second));
  }
  return species;
}

Array<double> Histogram::edges() const {
  const std::size_t bins = numbers().bins;
  auto edges = make_array<double>({bins + 1});
  check(starhist_get_edges(handle_.get(), bins + 1, edges.data));
  return edges.array;
}

nb::bytes Histogram::blocks() const {
  std::vector<starhist_block> blocks(numbers().blocks);
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    check(starhist_get_block(handle_.get(), b, &blocks[b]));
  }
  return nb::bytes(blocks.data(), blocks.size() * sizeof(starhist_block));
}

nb::tuple Histogram::sums() const {
  const Numbers4 n = numbers();
  auto particles = make_array<std::uint64_t>({n.blocks, n.species});
  auto counts = make_array<std::uint64_t>({n.blocks, n.pairs, n.bins});
  auto out_of_range = make_array<std::uint64_t>({n.blocks, n.pairs});
  auto pairs = make_array<std::uint64_t>({n.blocks, n.pairs});
  auto pairs_over_volume = make_array<double>({n.blocks, n.pairs});
  for (std::uint64_t b = 0; b < n.blocks; ++b) {
    for (std::size_t s = 0; s < n.species; ++s) {
      check(starhist_get_particles(handle_.get(), b, s,
                                   particles.data + b * n.species + s));
    }
    for (std::size_t p = 0; p < n.pairs; ++p) {
      const std::size_t at = b * n.pairs + p;
      check(starhist_get_counts(handle_.get(), b, p, n.bins, counts.data + at * n.bins,
                                out_of_range.data + at, pairs.data + at));
      check(starhist_get_pairs_over_volume(handle_.get(), b, p,
                                           pairs_over_volume.data + at));
    }
  }
  return nb::make_tuple(particles.array, counts.array, out_of_range.array, pairs.array,
                        pairs_over_volume.array);
}

nb::tuple Histogram::g(int normalization) const {
  const Numbers4 n = numbers();
  auto g = make_array<double>({n.pairs, n.bins});
  auto errors = make_array<double>({n.pairs, n.bins});
  for (std::size_t p = 0; p < n.pairs; ++p) {
    check(starhist_get_g(handle_.get(), p, normalization, n.bins, g.data + p * n.bins,
                         errors.data + p * n.bins));
  }
  return nb::make_tuple(g.array, errors.array);
}

std::string Histogram::error_warning() const {
  const char* text = "";
  check(starhist_get_error_warning(handle_.get(), &text));
  return text;
}

std::string Histogram::empty_parts_warning() const {
  return empty_parts_text(handle_->histogram.vacuum());
}

nb::tuple Histogram::coordination() const {
  const Numbers4 n = numbers();
  auto forward = make_array<double>({n.pairs, n.bins});
  auto forward_errors = make_array<double>({n.pairs, n.bins});
  auto reverse = make_array<double>({n.pairs, n.bins});
  auto reverse_errors = make_array<double>({n.pairs, n.bins});
  for (std::size_t p = 0; p < n.pairs; ++p) {
    const std::size_t at = p * n.bins;
    check(starhist_get_coordination(handle_.get(), p, 0, n.bins, forward.data + at,
                                    forward_errors.data + at));
    check(starhist_get_coordination(handle_.get(), p, 1, n.bins, reverse.data + at,
                                    reverse_errors.data + at));
  }
  return nb::make_tuple(forward.array, forward_errors.array, reverse.array,
                        reverse_errors.array);
}

std::vector<std::pair<std::string, std::string>> Histogram::provenance() const {
  std::vector<std::pair<std::string, std::string>> entries;
  const char* name = nullptr;
  const char* value = nullptr;
  while (starhist_get_provenance(handle_.get(), entries.size(), &name, &value) ==
         STARHIST_OK) {
    entries.emplace_back(name, value);
  }
  return entries;
}

}  // namespace starhist::python
