"""docs/reference/options.md: a section per command, a table per group of options."""

import re

HEAD = """\
% Written by scripts/checks/check_reference.py from the tables of the program: do not edit.
(reference-options)=
# Commands and options

`starhist help COMMAND` and `starhist COMMAND --help` print the contents of this page; the manual pages
are `starhist(1)` and `starhist-COMMAND(1)`. Every command has `-h`, `--help`.
Options may come before, between and after files. `--name VALUE` and `--name=VALUE` are the same;
after `--` all words are files.

"""


# Code in the text, options, and characters that mean something in Markdown.
PIECES = re.compile(
    r"(?P<code>`[^`]+`)|(?P<option>(?<![\w-])--?[a-zA-Z][\w-]*)|"
    r"(?P<special>[\\*<|$\[\]{}]|(?<!\w)_|_(?!\w))"
)


def escaped(text):
    """Returns plain text as MyST Markdown. Options become code; otherwise "--" would become a dash."""

    def piece(match):
        if match["option"]:
            return f"`{match[0]}`"
        return match[0] if match["code"] else f"\\{match[0]}"

    return PIECES.sub(piece, text)


def cell(text):
    return escaped(" ".join(text.split()))


def code(text):
    """As code in a cell of a table."""
    return "`" + text.replace("|", "\\|") + "`"


def option_row(option):
    spellings = option.spellings
    if option.argument:
        spellings[-1] += f" {option.argument}"
    return f"| {', '.join(map(code, spellings))} | {cell(option.default)} | {cell(option.meaning)} |"


def option_tables(options):
    lines = []
    for k, option in enumerate(options):
        if k == 0 or option.group != options[k - 1].group:
            lines += [f"**{option.group.capitalize()}**", ""] if option.group else []
            lines += ["| option | default | meaning |", "|---|---|---|"]
        lines.append(option_row(option))
        if k + 1 == len(options) or option.group != options[k + 1].group:
            lines.append("")
    return lines


def description(text):
    """Paragraphs as text, indented ones (commands) as code."""
    lines = []
    for paragraph in text.split("\n\n"):
        if paragraph.startswith(" "):
            lines += ["```text", *(line.removeprefix("    ") for line in paragraph.split("\n")), "```", ""]
        else:
            lines += [*map(escaped, paragraph.split("\n")), ""]
    return lines


def command_section(command):
    usage = f"starhist {command.name} {command.synopsis}".rstrip()
    lines = [
        f"(command-{command.name})=",
        f"## starhist {command.name}",
        "",
        "```text",
        usage,
        "```",
        "",
        *description(command.description),
        *option_tables(command.options),
    ]
    for title, text in command.sections:
        title = title[0].upper() + title[1:]
        lines += [f"**{escaped(title)}**", "", "```text", *text.rstrip("\n").split("\n"), "```", ""]
    return lines


def page(commands):
    lines = ["| command | purpose |", "|---|---|"]
    lines += [f"| [`{command.name}`](command-{command.name}) | {cell(command.summary)} |" for command in commands]
    lines.append("")
    for command in commands:
        lines += command_section(command)
    return HEAD + "\n".join(lines).rstrip("\n") + "\n"
