// Functions of starhist.h for histograms and frames.
#include <string>
#include <vector>

#include "driver/capi/handles.hh"

using namespace starhist;
using namespace starhist::capi;

starhist_status starhist_histogram_create(starhist_context* context, double r_max,
                                          uint64_t bins, int box_kind,
                                          starhist_histogram** histogram) {
  return guarded([&] {
    check_pointer(context, "context");
    check_pointer(histogram, "histogram");
    context->context->check_process();
    *histogram =
        new starhist_histogram{Histogram(context->context, r_max, bins, box_kind)};
  });
}

void starhist_histogram_destroy(starhist_histogram* histogram) {
  if (histogram == nullptr || histogram->histogram.context().in_other_process()) {
    return;
  }
  static_cast<void>(guarded([&] {
    // Keeps the context, and its mutex, alive until the histogram is destroyed.
    const std::shared_ptr<Context> context = histogram->histogram.shared_context();
    const std::lock_guard lock(context->mutex());
    delete histogram;
  }));
}

starhist_status starhist_set_species(starhist_histogram* histogram, size_t species,
                                     const char* const* names) {
  return with_histogram(histogram, [&](Histogram& h) {
    check_pointer(names, "names");
    std::vector<std::string> texts;
    for (size_t k = 0; k < species; ++k) {
      check_pointer(names[k], "a name");
      texts.emplace_back(names[k]);
    }
    h.set_species(std::move(texts));
  });
}

starhist_status starhist_set_pairs(starhist_histogram* histogram, const char* pairs) {
  return with_histogram(histogram, [&](Histogram& h) {
    check_pointer(pairs, "pairs");
    h.set_pairs(pairs);
  });
}

starhist_status starhist_set_periodic(starhist_histogram* histogram, int a, int b,
                                      int c) {
  return with_histogram(histogram, [&](Histogram& h) {
    for (const int edge : {a, b, c}) {
      if (edge != 0 && edge != 1) {
        throw CallError(STARHIST_BAD_ARGUMENT, "one of the periodic axes is " +
                                                   std::to_string(edge) +
                                                   " (give 1 or 0 for each)");
      }
    }
    h.set_periodic({a == 1, b == 1, c == 1});
  });
}

starhist_status starhist_set_frames_per_block(starhist_histogram* histogram,
                                              uint32_t frames) {
  return with_histogram(histogram,
                        [&](Histogram& h) { h.set_frames_per_block(frames); });
}

starhist_status starhist_set_expected_frames(starhist_histogram* histogram,
                                             uint64_t frames) {
  return with_histogram(histogram,
                        [&](Histogram& h) { h.set_expected_frames(frames); });
}

starhist_status starhist_set_memory(starhist_histogram* histogram, uint64_t bytes) {
  return with_histogram(histogram, [&](Histogram& h) { h.set_memory(bytes); });
}

starhist_status starhist_set_units(starhist_histogram* histogram, const char* length,
                                   const char* time) {
  return with_histogram(histogram, [&](Histogram& h) {
    check_pointer(length, "length");
    check_pointer(time, "time");
    h.set_units(length, time);
  });
}

starhist_status starhist_set_labels(starhist_histogram* histogram, size_t particles,
                                    const int32_t* labels) {
  return with_histogram(histogram, [&](Histogram& h) {
    if (particles > 0) {
      check_pointer(labels, "labels");
    }
    h.membership().set_labels(labels, particles);
  });
}

starhist_status starhist_set_species_counts(starhist_histogram* histogram,
                                            size_t species, const uint64_t* counts) {
  return with_histogram(histogram, [&](Histogram& h) {
    check_pointer(counts, "counts");
    h.membership().set_counts(counts, species);
  });
}

starhist_status starhist_set_time(starhist_histogram* histogram, int64_t step,
                                  double time) {
  return with_histogram(histogram, [&](Histogram& h) { h.set_time(step, time); });
}

starhist_status starhist_add_frame(starhist_histogram* histogram, size_t particles,
                                   const double* positions, ptrdiff_t particle_stride,
                                   ptrdiff_t component_stride, const double* box) {
  return with_histogram(histogram, [&](Histogram& h) {
    h.add(PositionArray{positions, false, particles, particle_stride, component_stride},
          box);
  });
}

starhist_status starhist_add_frame_float(starhist_histogram* histogram,
                                         size_t particles, const float* positions,
                                         ptrdiff_t particle_stride,
                                         ptrdiff_t component_stride,
                                         const double* box) {
  return with_histogram(histogram, [&](Histogram& h) {
    h.add(PositionArray{positions, true, particles, particle_stride, component_stride},
          box);
  });
}

starhist_status starhist_add_gpu_frame(starhist_histogram* histogram, size_t particles,
                                       const double* positions,
                                       ptrdiff_t particle_stride,
                                       ptrdiff_t component_stride, void* stream,
                                       const double* box) {
  return with_histogram(histogram, [&](Histogram& h) {
    h.add(GpuArray{positions, false, particles, particle_stride, component_stride,
                   stream},
          box);
  });
}

starhist_status starhist_add_gpu_frame_float(starhist_histogram* histogram,
                                             size_t particles, const float* positions,
                                             ptrdiff_t particle_stride,
                                             ptrdiff_t component_stride, void* stream,
                                             const double* box) {
  return with_histogram(histogram, [&](Histogram& h) {
    h.add(
        GpuArray{positions, true, particles, particle_stride, component_stride, stream},
        box);
  });
}

starhist_status starhist_reset(starhist_histogram* histogram) {
  return with_histogram(histogram, [&](Histogram& h) { h.reset(); });
}
