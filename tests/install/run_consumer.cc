// Counts O-O of a trajectory by the library: run_consumer TRAJECTORY RESULT
#include <cstdio>
#include <exception>

#include "driver/run/trajectory_run.hh"

int main(int, char** arguments) {
  try {
    starhist::driver::TrajectoryRunSpec spec;
    spec.inputs = {arguments[1]};
    spec.output = arguments[2];
    spec.pairs = "O-O";
    spec.bins = starhist::make_bins(1.4, 280);
    const auto summary = starhist::driver::run_trajectory(spec);
    std::printf("%s: %llu frames\n", summary.output.c_str(),
                static_cast<unsigned long long>(summary.frames));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
