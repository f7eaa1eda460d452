#include "driver/mpi/agreement.hh"

#include <algorithm>
#include <sstream>

#include "codelets/core/base/error.hh"
#include "driver/report/error_text.hh"

namespace starhist::driver {
namespace {

/// How a step ended on a rank.
struct Outcome {
  ExitCode code = ExitCode::done;
  std::string message;
};

std::string text_of(const Outcome& outcome) {
  return std::to_string(static_cast<int>(outcome.code)) + " " + outcome.message;
}

Outcome outcome_of(const std::string& text) {
  return {static_cast<ExitCode>(text.at(0) - '0'), text.substr(2)};
}

[[noreturn]] void throw_error(const Outcome& outcome) {
  if (outcome.code == ExitCode::bad_input) {
    throw InputError(outcome.message);
  }
  throw RunError(outcome.message);
}

/// The common outcome: the first problem, and the ranks that have other problems.
Outcome outcome_of_all(const Communicator& ranks,
                       const std::vector<std::string>& texts) {
  Outcome all = outcome_of(texts[0]);
  if (all.code != ExitCode::done) {
    return all;
  }
  constexpr int most_lines = 5;
  int lines = 0;
  for (std::size_t k = 1; k < texts.size(); ++k) {
    const Outcome one = outcome_of(texts[k]);
    if (one.code == ExitCode::done) {
      continue;
    }
    ++lines;
    if (lines <= most_lines) {
      all.code = std::max(all.code, one.code);
      all.message += (all.message.empty() ? "" : "\n") +
                     ranks.name_of(static_cast<int>(k)) + ": " + one.message;
    }
  }
  if (lines > most_lines) {
    all.message += "\nand " + std::to_string(lines - most_lines) + " more ranks";
  }
  return all;
}

/// Rank 0 knows the outcome; all ranks throw it.
void end_if_failed(Communicator& ranks, const Outcome& all) {
  const std::string verdict = ranks.broadcast(text_of({all.code, ""}));
  if (outcome_of(verdict).code == ExitCode::done) {
    return;
  }
  ranks.set_agreed_end();
  if (ranks.rank() == 0) {
    throw_error(all);
  }
  throw AgreedEnd{};
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) {
    lines.push_back(line);
  }
  return lines;
}

}  // namespace

void agree(Communicator& ranks, const std::function<void()>& step) {
  Outcome own;
  try {
    step();
  } catch (const InputError& error) {
    own = {ExitCode::bad_input, error.what()};
  } catch (const std::exception& error) {
    own = {ExitCode::failure, error_text(error)};
  }
  const std::vector<std::string> texts = ranks.gather(text_of(own));
  end_if_failed(ranks, ranks.rank() == 0 ? outcome_of_all(ranks, texts) : Outcome());
}

void agree_on(Communicator& ranks, const std::string& text, const std::string& what,
              const std::string& remedy) {
  const std::vector<std::string> texts = ranks.gather(text);
  Outcome all;
  const std::vector<std::string> expected = lines_of(text);
  for (std::size_t k = 1; k < texts.size() && all.code == ExitCode::done; ++k) {
    const std::vector<std::string> lines = lines_of(texts[k]);
    for (std::size_t n = 0; n < std::max(lines.size(), expected.size()); ++n) {
      const std::string own = n < expected.size() ? expected[n] : "nothing";
      const std::string other = n < lines.size() ? lines[n] : "nothing";
      if (own != other) {
        all = {ExitCode::bad_input, what + " is not the same on all ranks: '" + own +
                                        "' on " + ranks.name_of(0) + ", '" + other +
                                        "' on " + ranks.name_of(static_cast<int>(k)) +
                                        " (" + remedy + ")"};
        break;
      }
    }
  }
  end_if_failed(ranks, all);
}

}  // namespace starhist::driver
