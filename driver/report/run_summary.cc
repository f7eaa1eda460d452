#include "driver/report/run_summary.hh"

#include <algorithm>
#include <cstdio>
#include <iomanip>
#include <sstream>

#include "codelets/core/base/text.hh"
#include "driver/run/exclusions.hh"
#include "driver/run/version.hh"

namespace starhist::driver {
namespace {

double rate(std::uint64_t pairs, double seconds) {
  return seconds > 0.0 ? static_cast<double>(pairs) / seconds : 0.0;
}

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (code < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof(escape), "\\u%04x", code);
      result += escape;
    } else {
      result += c;
    }
  }
  return result + "\"";
}

/// Mean relative errors of the predicted times of tasks as JSON. The last one weights
/// tasks by their time: a GPU may start a task so late that its measured time is near
/// 0, which makes a large error in the other means.
std::string prediction_json(const codelets::RunStatus::Predictions& predictions) {
  const double tasks =
      static_cast<double>(std::max<std::uint64_t>(predictions.tasks, 1));
  return "{\"tasks\": " + std::to_string(predictions.tasks) +
         ", \"mean_relative_error\": " + number_text(predictions.error / tasks) +
         ", \"mean_absolute_relative_error\": " +
         number_text(predictions.absolute_error / tasks) +
         ", \"absolute_error_of_time\": " +
         number_text(predictions.seconds > 0.0
                         ? predictions.absolute_seconds / predictions.seconds
                         : 0.0) +
         "}";
}

}  // namespace

std::string summary_text(const RunSummary& summary) {
  std::ostringstream text;
  text << std::fixed;
  text << summary.output << ": " << grouped(summary.frames) << " frames in "
       << grouped(summary.blocks) << (summary.blocks == 1 ? " block, " : " blocks, ")
       << grouped(summary.pairs) << " pairs\n"
       << std::setprecision(2) << summary.seconds << " s, " << std::setprecision(3)
       << 1e-9 * rate(summary.pairs, summary.seconds)
       << " 10^9 pairs/s (all pairs; scheduler " << summary.scheduler << ", kernel "
       << summary.cpu_variant;
  if (summary.threads_per_worker > 1) {
    text << ", " << summary.threads_per_worker << " threads per worker";
  }
  text << ")\n";
  const std::string excluded =
      exclusion_sentence(summary.exclusion, summary.excluded_pairs);
  text << (excluded.empty() ? "" : excluded + "\n");
  for (const WorkerSummary& worker : summary.workers) {
    text << "  " << worker.name << ": " << grouped(worker.tasks) << " tasks, "
         << 1e-9 * rate(worker.pairs, worker.busy_seconds)
         << " 10^9 pairs/s while busy, busy " << std::setprecision(1)
         << (summary.seconds > 0.0 ? 100.0 * worker.busy_seconds / summary.seconds
                                   : 0.0)
         << " %\n"
         << std::setprecision(3);
  }
  if (summary.skipped_pairs > 0) {
    text
        << std::setprecision(2)
        << 100.0 * static_cast<double>(summary.pairs - summary.skipped_pairs) /
               static_cast<double>(summary.pairs)
        << " % of the pairs were evaluated, the others are out of range tile by tile\n";
  }
  if (summary.repeated_tasks > 0) {
    text << grouped(summary.repeated_tasks)
         << " tasks were refused by a GPU and done by CPU workers\n";
  }
  for (const std::string& frame : summary.skipped_frames) {
    text << "left out: " << frame << '\n';
  }
  return text.str();
}

std::string summary_json(const RunSummary& summary) {
  std::ostringstream text;
  text << "{\n  \"program\": \"starhist\",\n  \"version\": " << quoted(version())
       << ",\n  \"output\": " << quoted(summary.output)
       << ",\n  \"frames\": " << summary.frames << ",\n  \"blocks\": " << summary.blocks
       << ",\n  \"pairs\": " << summary.pairs
       << ",\n  \"exclusion\": " << quoted(to_string(summary.exclusion))
       << ",\n  \"excluded_pairs\": " << summary.excluded_pairs
       << ",\n  \"start_seconds\": " << number_text(summary.start_seconds)
       << ",\n  \"seconds\": " << number_text(summary.seconds)
       << ",\n  \"count_seconds\": " << number_text(summary.count_seconds)
       << ",\n  \"pairs_per_second\": "
       << number_text(rate(summary.pairs, summary.seconds))
       << ",\n  \"scheduler\": " << quoted(summary.scheduler)
       << ",\n  \"cpu_variant\": " << quoted(summary.cpu_variant)
       << ",\n  \"threads_per_worker\": " << summary.threads_per_worker
       << ",\n  \"cuda_variant\": " << quoted(summary.cuda_variant)
       << ",\n  \"bytes_moved\": " << summary.bytes_moved
       << ",\n  \"skipped_pairs\": " << summary.skipped_pairs
       << ",\n  \"repeated_tasks\": " << summary.repeated_tasks
       << ",\n  \"prediction\": " << prediction_json(summary.predictions)
       << ",\n  \"workers\": [";
  const char* separator = "\n";
  for (const WorkerSummary& worker : summary.workers) {
    text << separator << "    {\"name\": " << quoted(worker.name)
         << ", \"kind\": " << (worker.cuda ? "\"cuda\"" : "\"cpu\"")
         << ", \"device\": " << quoted(worker.device) << ", \"tasks\": " << worker.tasks
         << ", \"pairs\": " << worker.pairs
         << ", \"busy_seconds\": " << number_text(worker.busy_seconds) << "}";
    separator = ",\n";
  }
  text << "\n  ],\n  \"skipped_frames\": [";
  separator = "\n";
  for (const std::string& frame : summary.skipped_frames) {
    text << separator << "    " << quoted(frame);
    separator = ",\n";
  }
  text << "\n  ]\n}\n";
  return text.str();
}

}  // namespace starhist::driver
