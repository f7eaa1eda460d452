"""Commands of starhist and their options, read from the tables that starhist-reference prints, and from the
parsers of the commands that are Python scripts."""

import importlib
import json
import pathlib
import re
import subprocess
import sys
from dataclasses import dataclass, field

SCRIPTS = pathlib.Path(__file__).resolve().parents[1] / "user"
DEFAULT = re.compile(r"(.*?) ?\(default:? (.*)\)$")


@dataclass
class Option:
    name: str  # "output"
    short: str  # "o", or ""
    argument: str  # "FILE"; "" for a switch
    meaning: str  # meaning, without the default
    default: str = ""  # default value or words; "" if there is no default
    words: list = field(default_factory=list)  # for completion: values that are possible
    group: str = ""

    @property
    def spellings(self):
        return ([f"-{self.short}"] if self.short else []) + [f"--{self.name}"]


@dataclass
class Command:
    name: str
    summary: str
    synopsis: str
    description: str
    options: list
    sections: list  # [(title, text)]: preformatted lines


HELP = Option("help", "h", "", "print this help")


def program_command(entry):
    options = [
        Option(
            option["name"],
            option["short"],
            option["argument"],
            option["help"],
            option["default in words"] or option["default"],
            option["choices"] or option["examples"],
            option["group"],
        )
        for option in entry["options"]
    ]
    sections = [(section["title"], section["text"]) for section in entry["sections"]]
    return Command(entry["name"], entry["summary"], entry["synopsis"], entry["description"], options, sections)


def option_of(action, parser):
    """The Option of an argparse action."""
    longs = [text[2:] for text in action.option_strings if text.startswith("--")]
    shorts = [text[1:] for text in action.option_strings if not text.startswith("--")]
    sentence = parser._get_formatter()._expand_help(action) if action.help else ""
    found = DEFAULT.match(sentence)
    meaning, default = found.groups() if found else (sentence, "")
    argument = "" if action.nargs == 0 else action.metavar or action.dest.upper()
    words = [str(choice) for choice in action.choices or []]
    return Option(longs[0], shorts[0] if shorts else "", argument, meaning, default, words)


def script_command(entry):
    """Of a script whose make_parser() returns its argparse parser."""
    sys.path.insert(0, str(SCRIPTS))
    parser = importlib.import_module(entry["script"].removesuffix(".py")).make_parser()
    sys.path.pop(0)
    options = [
        option_of(action, parser) for action in parser._actions if action.option_strings and action.dest != "help"
    ]
    return Command(
        entry["name"],
        entry["summary"],
        synopsis_of(parser),
        parser.description.strip(),
        options,
        sections_of(parser.epilog or ""),
    )


def synopsis_of(parser):
    """Returns the required arguments, such as "TRAJ... --bins N [options]". argparse's own usage line differs between
    versions."""
    words = [
        (action.metavar or action.dest) + ("..." if action.nargs == "+" else "")
        for action in parser._actions
        if not action.option_strings
    ]
    words += [
        f"{action.option_strings[0]} {action.metavar or action.dest.upper()}"
        for action in parser._actions
        if action.option_strings and action.required
    ]
    return " ".join([*words, "[options]"])


def sections_of(epilog):
    """Blocks between empty lines, each a title and indented lines."""
    blocks = [block.partition("\n") for block in filter(None, epilog.strip().split("\n\n"))]
    return [(title, text + "\n") for title, _, text in blocks]


def load(build):
    """All commands, in the order of `starhist help`; the tables of formats and of their fields in Markdown."""
    dump = subprocess.run(
        [pathlib.Path(build) / "starhist-reference"], capture_output=True, text=True, check=True
    ).stdout
    tables = json.loads(dump)
    commands = [script_command(entry) if entry["script"] else program_command(entry) for entry in tables["commands"]]
    return commands, tables["table of formats"], tables["table of fields"]
