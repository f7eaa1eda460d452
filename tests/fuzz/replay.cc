// Passes files to a fuzz target built without libFuzzer. A finding ends the process.
//
//   fuzz_NAME FILE_OR_FOLDER...
//   fuzz_NAME --runs N FILE_OR_FOLDER...     and then N damaged copies of the files

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/fuzz/fuzz_input.hh"
#include "tests/fuzz/mutation.hh"

namespace {

std::vector<std::filesystem::path> files_of(const std::filesystem::path& place) {
  if (!std::filesystem::is_directory(place)) {
    return {place};
  }
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(place)) {
    if (entry.is_regular_file()) {
      files.push_back(entry.path());
    }
  }
  return files;
}

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Returns whether the target takes the input; prints the name of the input otherwise.
bool taken(const std::string& bytes, const std::string& name) {
  try {
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                           bytes.size());
    return true;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", name.c_str(), error.what());
    return false;
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bool damages = argc > 2 && std::strcmp(argv[1], "--runs") == 0;
  const std::uint64_t runs = damages ? std::strtoull(argv[2], nullptr, 10) : 0;
  std::vector<std::string> files;
  for (int k = damages ? 3 : 1; k < argc; ++k) {
    for (const std::filesystem::path& path : files_of(argv[k])) {
      files.push_back(contents(path));
      if (!taken(files.back(), path)) {
        return 1;
      }
    }
  }
  if (files.empty()) {
    std::fprintf(stderr, "no files\n");
    return 1;
  }
  std::erase(files, "");
  const starhist::fuzz::Mutation mutation(files);
  for (std::uint64_t number = 0; number < runs; ++number) {
    if (!taken(mutation.file(number), "damaged copy " + std::to_string(number))) {
      return 1;
    }
  }
  std::printf("%zu files, %llu damaged copies\n", files.size(),
              static_cast<unsigned long long>(runs));
  return 0;
}
