#include "driver/commands/command.hh"

int main(int argc, char** argv) {
  starhist::driver::keep_freed_memory();
  return static_cast<int>(starhist::driver::run_program(argc, argv));
}
