#include <string>
#include <vector>

#include "driver/command.hh"

int main(int argc, char** argv) {
  return static_cast<int>(
      starhist::run_program(std::vector<std::string>(argv + 1, argv + argc)));
}
