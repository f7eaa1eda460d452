"""Writes the tables in scripts/completion/starhist.bash: options of each command, and the kind of their values."""

import collections
import re
import textwrap

from reference_tables import HELP

BEGIN, END = "# >>> tables\n", "# <<< tables\n"
TABLES = re.compile(f"(?<={re.escape(BEGIN)}).*(?={re.escape(END)})", re.DOTALL)
FOLDERS = ("DIR", "OUTDIR")


def values_of(option):
    """Returns the kind of an option's value: "file", "folder", "any", "one WORDS" or "list WORDS"."""
    if option.words:
        return ("list " if option.argument.endswith(",...") else "one ") + " ".join(option.words)
    if option.argument == "FILE":
        return "file"
    return "folder" if option.argument in FOLDERS else "any"


def kinds_of_values(commands):
    """Returns each kind of value, and the patterns of COMMAND:OPTION for the options that have it. An option that has
    one meaning in all commands gets one pattern for all of them."""
    meanings = collections.defaultdict(dict)  # spellings -> kind -> commands
    for command in commands:
        for option in command.options:
            kind = values_of(option) if option.argument else ""
            meanings[tuple(option.spellings)].setdefault(kind, []).append(command.name)
    patterns = collections.defaultdict(list)  # kind -> patterns
    for spellings, by_kind in meanings.items():
        for kind, names in by_kind.items():
            names = names if len(by_kind) > 1 else ["*"]
            patterns[kind] += [f"{name}:{word}" for name in names for word in spellings]
    return {kind: found for kind, found in patterns.items() if kind}


def tables(commands):
    lines = [
        "_starhist_commands='" + " ".join(command.name for command in commands) + "'",
        "",
        "# All options of the command $1.",
        "_starhist_options() {",
        "  case $1 in",
    ]
    for command in commands:
        words = [word for option in [*command.options, HELP] for word in option.spellings]
        lines.append(f"    {command.name}) echo '{' '.join(words)}' ;;")
    lines += [
        "  esac",
        "}",
        "",
        "# Kind of the value of option $2 of command $1; empty for a switch.",
        "_starhist_values() {",
        '  case "$1:$2" in',
    ]
    for kind, patterns in kinds_of_values(commands).items():
        wrapped = textwrap.wrap("| ".join(patterns), 110, break_long_words=False, break_on_hyphens=False)
        lines.append("    " + " \\\n      ".join(wrapped) + f") echo '{kind}' ;;")
    lines += ["  esac", "}"]
    return "\n".join(lines) + "\n"


def with_tables(script, commands):
    """Returns the completion script with its tables replaced."""
    if not TABLES.search(script):
        raise ValueError(f"the completion script has no lines '{BEGIN.strip()}' and '{END.strip()}'")
    return TABLES.sub(lambda _: tables(commands), script)
