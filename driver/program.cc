#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <functional>
#include <iostream>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "codelets/core/base/error.hh"
#include "codelets/core/base/known_words.hh"
#include "driver/commands/command.hh"
#include "driver/options/neighbours/coordination_options.hh"
#include "driver/options/rdf_options.hh"
#include "driver/options/vanhove_options.hh"
#include "driver/report/abort_message.hh"
#include "driver/report/error_text.hh"
#include "driver/report/printable_stream.hh"
#include "io/files/own_program.hh"
#include "io/files/python.hh"

namespace starhist::driver {
namespace {

/// Replaces this process with the Python script `name` and `arguments`. Sets
/// STARHIST_PROGRAM to this program's path. The interpreter is io::chosen_python().
/// Throws InputError if the script or Python is missing.
[[noreturn]] void become_script(const std::string& name,
                                const std::vector<std::string>& arguments) {
  const std::filesystem::path program = io::own_program();
  const std::string python = io::chosen_python("h5py");
  std::vector<std::string> words{python, io::find_script(name, program)};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) {
    argv.push_back(word.data());
  }
  argv.push_back(nullptr);

  ::setenv("STARHIST_PROGRAM", program.c_str(), /*overwrite=*/1);
  std::signal(SIGXFSZ, SIG_DFL);  // the script would inherit an ignored signal
  // Python prints a traceback if it is interrupted while it starts: the script unblocks
  // the signal when it can handle it (scripts/user/failures.py).
  sigset_t interrupt;
  sigemptyset(&interrupt);
  sigaddset(&interrupt, SIGINT);
  sigprocmask(SIG_BLOCK, &interrupt, nullptr);
  std::cout.flush();
  ::execv(python.c_str(), argv.data());
  throw InputError(python + " cannot be run (" +
                   std::generic_category().message(errno) +
                   "): set STARHIST_PYTHON to another Python");
}

/// A command that the Python script `script` implements. The script receives all
/// arguments, including --help, and determines the exit code.
Command script_command(const std::string& name, const std::string& script,
                       const std::string& summary) {
  const auto run = [script](const std::vector<std::string>& arguments) -> ExitCode {
    become_script(script, arguments);
  };
  return {{.command = name, .summary = summary}, run, script};
}

ExitCode dispatch(const std::vector<std::string>& arguments) {
  if (arguments.empty()) {
    run_help({});
    return ExitCode::bad_input;
  }
  if (arguments[0] == "--help" || arguments[0] == "-h") {
    return run_help({});
  }
  if (arguments[0] == "--version" || arguments[0] == "-V") {
    return run_version({});
  }
  return find_command(arguments[0]).run({arguments.begin() + 1, arguments.end()});
}

ExitCode report(const char* message, ExitCode code) {
  std::cerr << "starhist: " << shortened(message) << '\n';
  return code;
}

/// Allocates no memory.
ExitCode report_no_memory() noexcept {
  for (const std::string_view text : {"starhist: ", out_of_memory, "\n"}) {
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    static_cast<void>(written);  // the exit code reports it, too
  }
  return ExitCode::failure;
}

}  // namespace

const std::vector<Command>& commands() {
  static const std::vector<Command> list{
      {rdf_manual(), run_rdf},
      {vanhove_manual(), run_vanhove},
      {coordination_manual(), run_coordination},
      {info_manual(), run_info},
      {export_manual(), run_export},
      {analyze_manual(), run_analyze},
      script_command("plot", "plot_rdf.py", "draw g(r) of a result as SVG, PNG or PDF"),
      script_command("peaks", "peaks.py",
                     "find maxima and minima of g(r), and coordination numbers"),
      script_command("compare", "compare.py",
                     "compare g(r) of results and curves of other programs"),
      script_command("report", "report.py", "write an HTML page about a result"),
      {convert_manual(), run_convert},
      {merge_manual(), run_merge},
      {verify_manual(), run_verify},
      {cadishi_manual(), run_cadishi},
      {selftest_manual(), run_selftest},
      {calibrate_manual(), run_calibrate},
      {bench_manual(), run_bench},
      script_command("compare-schedulers", "compare_schedulers.py",
                     "compare StarPU's schedulers on a trajectory"),
      {simulate_manual(), run_simulate},
      {help_manual(), run_help},
      {version_manual(), run_version},
  };
  return list;
}

const Command& find_command(const std::string& name) {
  for (const Command& command : commands()) {
    if (command.manual.command == name) {
      return command;
    }
  }
  std::vector<std::string> names;
  for (const Command& command : commands()) {
    names.push_back(command.manual.command);
  }
  throw InputError("unknown command '" + name +
                   "' (starhist --help lists the commands)" +
                   did_you_mean(name, names));
}

ExitCode run_program(const std::vector<std::string>& arguments) {
  return run_program(arguments, dispatch);
}

ExitCode run_program(
    const std::vector<std::string>& arguments,
    const std::function<ExitCode(const std::vector<std::string>&)>& run) {
  const PrintableStream messages(std::cerr);
  // Exports keep their bytes, unless a terminal would interpret them.
  const bool exports =
      !arguments.empty() && (arguments[0] == "export" || arguments[0] == "analyze");
  std::optional<PrintableStream> text;
  if (!exports || isatty(STDOUT_FILENO) != 0) {
    text.emplace(std::cout);
  }
  std::signal(SIGXFSZ,
              SIG_IGN);  // at a file size limit only the write fails
  try {
    const ExitCode code = run(arguments);
    std::cout.flush();
    if (!std::cout) {
      return report("cannot write to standard output", ExitCode::failure);
    }
    return code;
  } catch (const InputError& error) {
    return report(error.what(), ExitCode::bad_input);
  } catch (const std::bad_alloc&) {
    return report_no_memory();
  } catch (const std::exception& error) {
    return report(error_text(error).c_str(), ExitCode::failure);
  }
}

void keep_freed_memory() noexcept {
#ifdef __GLIBC__
  constexpr int mebibyte = 1 << 20;
  mallopt(M_MMAP_THRESHOLD, 32 * mebibyte);
  mallopt(M_TRIM_THRESHOLD, 512 * mebibyte);
#endif
}

ExitCode run_program(int count, const char* const* words) noexcept {
  try {
    const AbortMessage last_words(
        "the program was aborted (memory may have run out: see the lines above)");
    return run_program(std::vector<std::string>(words + 1, words + count));
  } catch (...) {  // before the run, or while an error is reported
    return report_no_memory();
  }
}

}  // namespace starhist::driver
