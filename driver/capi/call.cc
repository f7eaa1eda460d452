#include "driver/capi/call.hh"

#include <array>
#include <exception>
#include <new>
#include <utility>

#include "codelets/core/base/error.hh"

namespace starhist::capi {
namespace {

/// Terms of the command line in messages that the program shares with this library, and
/// the library's terms.
constexpr std::array<std::pair<const char*, const char*>, 5> words{{
    {"write --pairs ", "write "},
    {"species in the file (", "species ("},
    {"--memory allows", "starhist_set_memory allows"},
    {"give more with --memory", "give more with starhist_set_memory"},
    {"use --cpu-mode core", "leave STARHIST_TEAMS out"},
}};

std::string in_words_of_the_library(std::string text) {
  for (const auto& [of_program, of_library] : words) {
    const std::size_t at = text.find(of_program);
    if (at != std::string::npos) {
      text.replace(at, std::string(of_program).size(), of_library);
    }
  }
  return text;
}

/// Keeps the message in this library's terms, or unchanged if memory is exhausted.
void keep_in_words_of_the_library(const char* text) noexcept {
  try {
    keep_error(in_words_of_the_library(text).c_str());
  } catch (const std::bad_alloc&) {
    keep_error(text);
  }
}

}  // namespace

starhist_status status_of_exception() noexcept {
  const auto keep = [](starhist_status status, const char* text) {
    keep_in_words_of_the_library(text);
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
