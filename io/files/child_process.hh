#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

namespace starhist::io {

/// Whether a program that starhist starts receives the signals that a terminal or a
/// batch system sends to all processes of a job.
enum class SignalsOfJob { received, blocked };

/// Starts a program with these words, the first of which is its path, and returns its
/// process. Throws RunError.
///
/// Its standard input is empty. `descriptors` become its descriptors 1, 2, ...; it
/// inherits no others, which would hold locks of result files.
/// `environment`: entries NAME=VALUE; nullptr for those of this process.
pid_t start_process(std::vector<std::string> words, const std::vector<int>& descriptors,
                    SignalsOfJob signals,
                    std::vector<std::string>* environment = nullptr);

/// Waits until the process ends and returns its wait status; 0 if another part of the
/// program has waited for it.
int wait_for_process(pid_t process);

}  // namespace starhist::io
