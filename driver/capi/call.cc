#include "driver/capi/call.hh"

#include <exception>
#include <new>

#include "codelets/core/base/error.hh"

namespace starhist::capi {
starhist_status status_of_exception() noexcept {
  const auto keep = [](starhist_status status, const char* text) {
    keep_error(text);
    return status;
  };
  try {
    throw;
  } catch (const CallError& error) {
    return keep(error.status(), error.what());
  } catch (const InputError& error) {
    return keep(STARHIST_BAD_ARGUMENT, error.what());
  } catch (const RunError& error) {
    return keep(STARHIST_STARPU_FAILED, error.what());
  } catch (const std::bad_alloc&) {
    return keep(STARHIST_OUT_OF_MEMORY, "memory is exhausted");
  } catch (const std::exception& error) {
    return keep(STARHIST_INTERNAL_ERROR, error.what());
  } catch (...) {
    return keep(STARHIST_INTERNAL_ERROR, "an error of unknown kind");
  }
}

}  // namespace starhist::capi
