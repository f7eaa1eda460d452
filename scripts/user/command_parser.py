"""Command-line parser of scripts that are subcommands of starhist."""

import argparse
import sys
import textwrap

from failures import report_failures
from known_words import did_you_mean
from output_files import path_conflict
from output_kinds import refusal_of

report_failures("starhist")  # until the name of the command is known


class Formatter(argparse.RawDescriptionHelpFormatter):
    """Fills paragraphs to the width of the terminal; paragraphs with indented lines are kept."""

    def _fill_text(self, text, width, indent):
        paragraphs = text.strip().split("\n\n")
        return "\n\n".join(each if "\n " in "\n" + each else textwrap.fill(each, width) for each in paragraphs) + "\n"


class CommandParser(argparse.ArgumentParser):
    """Reports errors like the program: one message, with a suggestion for a misspelled option. Options cannot
    be abbreviated."""

    def __init__(self, **settings):
        super().__init__(allow_abbrev=False, formatter_class=Formatter, **settings)
        report_failures(self.prog)
        self.reads, self.writes = [], []  # arguments whose values are paths
        self.kinds = {}  # Kind of the files of an output argument

    def add_input(self, *names, **settings):
        """add_argument() for input files."""
        self.reads.append(self.add_argument(*names, **settings))

    def add_output(self, *names, kind=None, **settings):
        """add_argument() for output files of a Kind. parse_args() refuses outputs that would overwrite an input or a
        file of another kind."""
        self.writes.append(self.add_argument(*names, **settings))
        self.kinds[self.writes[-1].dest] = kind

    def parse_args(self, args=None, namespace=None):
        self.refuse_unknown_options(sys.argv[1:] if args is None else args)
        options, left = self.parse_known_intermixed_args(args, namespace)
        if left:
            if left[0].startswith("-"):
                self.refuse_option(left[0])
            self.error(
                f"unexpected '{left[0]}' (one file is read): run the command once for each file; starhist compare "
                "accepts several results"
            )
        conflict = path_conflict(self._paths(self.writes, options), self._paths(self.reads, options))
        if conflict:
            self.error(conflict)
        for output in self.writes:
            for path, name in self._paths([output], options):
                refusal = refusal_of(path, self.kinds[output.dest])
                if refusal:
                    self.error(f"{name} '{path}': {refusal}")
        return options

    @staticmethod
    def _paths(arguments, options):
        """Returns [(path, option)] of all values passed for the arguments."""
        found = []
        for argument in arguments:
            value = getattr(options, argument.dest)
            name = argument.option_strings[-1] if argument.option_strings else ""
            found += [(str(path), name) for path in (value if isinstance(value, list) else [value]) if path]
        return found

    def _get_values(self, action, arg_strings):
        """Called by argparse. Refuses empty values, which come from unset variables of shell scripts, but not empty labels."""
        if "" in arg_strings and action.metavar != "TEXT":
            if not action.option_strings:
                self.error("an argument is '' (a variable of the shell that is not set?)")
            self.error(
                f"option {action.option_strings[-1]} needs a value ({action.metavar or action.dest.upper()}), not ''"
            )
        return super()._get_values(action, arg_strings)

    def _check_value(self, action, value):
        """Called by argparse for values of options with choices."""
        if action.choices is not None and value not in action.choices:
            choices = list(map(str, action.choices))
            self.error(
                f"{action.option_strings[-1] if action.option_strings else action.dest} {value!r} is not one of "
                f"{', '.join(choices)}{did_you_mean(str(value), choices)}"
            )

    def refuse_unknown_options(self, words):
        """Reports unknown options even if required arguments are missing; argparse does not."""
        known = self._option_string_actions
        for word in words:
            if word == "--":
                return
            name = word.split("=")[0]
            if name.startswith("--") and name not in known:
                names = [each[2:] for each in known if each[1] == "-"]
                self.refuse_option(word, did_you_mean(name[2:], names, "--"))

    def refuse_option(self, word, suggestion=""):
        """Ends with a message about an unknown option."""
        if word in ("-f", "--force") and self.writes:
            suggestion = ": omit it, an existing output is replaced without it"
        self.error(f"unknown option '{word}'{suggestion}")

    def error(self, message):
        message = message.replace("the following arguments are required:", "missing:").replace("-o/--output", "-o FILE")
        self.exit(1, f"{self.prog}: {message} ({self.prog} --help explains the options)\n")
