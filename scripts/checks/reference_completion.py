"""Writes the tables in scripts/completion/starhist.bash: options of each command, and the kind of their values."""

import re

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
        '  case "$1 $2" in',
    ]
    for command in commands:
        for option in command.options:
            if option.argument:
                keys = " | ".join(f"'{command.name} {word}'" for word in option.spellings)
                lines.append(f"    {keys}) echo '{values_of(option)}' ;;")
    lines += ["  esac", "}"]
    return "\n".join(lines) + "\n"


def with_tables(script, commands):
    """Returns the completion script with its tables replaced."""
    if not TABLES.search(script):
        raise ValueError(f"the completion script has no lines '{BEGIN.strip()}' and '{END.strip()}'")
    return TABLES.sub(lambda _: tables(commands), script)
