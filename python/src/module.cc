// The module starhist._core: libstarhist's context and histogram for Python.
#include "python/src/gil_release.hh"
#include "python/src/python_histogram.hh"
#include "python/src/same_group.hh"
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "codelets/core/base/error.hh"
#include "driver/capi/call.hh"
#include "driver/capi/frame_builder.hh"

namespace nb = nanobind;
using namespace nb::literals;

namespace starhist::python {
namespace {

/// Python exception type for a status.
PyObject* exception_type(starhist_status status) {
  switch (status) {
    case STARHIST_BAD_ARGUMENT:
    case STARHIST_UNKNOWN_PAIR:
    case STARHIST_BAD_POSITION:
    case STARHIST_BAD_BOX:
    case STARHIST_BAD_COUNT:
    case STARHIST_BAD_LABEL:
    case STARHIST_NO_VOLUME:
      return PyExc_ValueError;
    case STARHIST_OUT_OF_MEMORY:
      return PyExc_MemoryError;
    default:
      return PyExc_RuntimeError;
  }
}

void set_exception(const std::exception_ptr& exception, void*) {
  try {
    std::rethrow_exception(exception);
  } catch (const StatusError& error) {
    PyErr_SetString(exception_type(error.status()), error.what());
  } catch (const capi::CallError& error) {
    PyErr_SetString(exception_type(error.status()), error.what());
  } catch (const InputError& error) {
    PyErr_SetString(PyExc_ValueError, error.what());
  }
}

using Groups =
    nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Positions =
    nb::ndarray<const double, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;

std::vector<std::uint64_t> same_group(double r_max, std::uint64_t bins, int box_kind,
                                      const Numbers& box, const Positions& a,
                                      const Groups& groups_a, const Positions& b,
                                      const Groups& groups_b) {
  capi::BoxBuilder builder(static_cast<starhist_box_kind>(box_kind));
  return count_same_group(make_bins(r_max, bins), builder.make(box.data()),
                          {a.shape(0), a.data(), groups_a.data()},
                          {b.shape(0), b.data(), groups_b.data()});
}

}  // namespace
}  // namespace starhist::python

NB_MODULE(_core, m) {
  using starhist::python::Context;
  using starhist::python::DlpackArray;
  using starhist::python::GilRelease;
  using starhist::python::Histogram;
  // Objects that still exist at exit are not leaks.
  nb::set_leak_warnings(false);
  nb::register_exception_translator(starhist::python::set_exception);
  m.attr("version") = STARHIST_VERSION;
  m.attr("block_bytes") = sizeof(starhist_block);
#ifdef STARHIST_CUDA
  m.attr("counts_on_gpus") = true;
#else
  m.attr("counts_on_gpus") = false;
#endif
  nb::class_<DlpackArray>(m, "DlpackArray")
      .def(nb::init<nb::ndarray<nb::ro>>())
      .def_prop_ro("address", &DlpackArray::address)
      .def_prop_ro("shape", &DlpackArray::shape)
      .def_prop_ro("strides", &DlpackArray::strides)
      .def_prop_ro("type", &DlpackArray::type);
  m.def("same_group", starhist::python::same_group);
  m.def("wait_for_calls", GilRelease::wait_for_calls);

  nb::class_<Context>(m, "Context")
      .def(nb::init<int, int, const std::string&>(), "cpu_workers"_a, "gpus"_a,
           "scheduler"_a, nb::call_guard<GilRelease>())
      .def("workers", &Context::workers);

  nb::class_<Histogram>(m, "Histogram")
      .def(nb::init<const Context&, double, std::uint64_t, int>())
      .def("set_species", &Histogram::set_species)
      .def("set_pairs", &Histogram::set_pairs)
      .def("set_periodic", &Histogram::set_periodic)
      .def("set_frames_per_block", &Histogram::set_frames_per_block)
      .def("set_expected_frames", &Histogram::set_expected_frames)
      .def("set_memory", &Histogram::set_memory)
      .def("set_units", &Histogram::set_units)
      .def("set_labels", &Histogram::set_labels)
      .def("add", &Histogram::add)
      .def("add_on_gpu", &Histogram::add_on_gpu)
      .def_prop_ro("frames", &Histogram::frames)
      .def("interrupt", &Histogram::interrupt)
      .def("close", &Histogram::close)
      .def("reset", &Histogram::reset)
      .def("wait", &Histogram::wait)
      .def("pair_names", &Histogram::pair_names)
      .def("species_names", &Histogram::species_names)
      .def("pair_species", &Histogram::pair_species)
      .def("edges", &Histogram::edges)
      .def("blocks", &Histogram::blocks)
      .def("sums", &Histogram::sums)
      .def("g", &Histogram::g)
      .def("coordination", &Histogram::coordination)
      .def("error_warning", &Histogram::error_warning)
      .def("empty_parts_warning", &Histogram::empty_parts_warning)
      .def("provenance", &Histogram::provenance);
}
