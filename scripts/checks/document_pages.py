"""Finds the executable parts of a Markdown page: see check_documents.py."""

import pathlib
import re

FENCE = re.compile(r"^( *)(`{3,}|~{3,})\s*(.*?)\s*$")
CAPTION = re.compile(r"^\s*:caption:\s*(\S+)\s*$")
OPTION = re.compile(r"^\s*:[\w-]+:")
PICTURE = re.compile(r"!\[[^\]]*\]\(([^)\s]+)\)|^\s*(?:`{3,}|:{3,})\s*\{(?:figure|image)\}\s*(\S+)")


class PageError(Exception):
    """The page is not as check_documents.py expects it."""


class Command:
    """A command of a console block."""

    def __init__(self, line, word, indent):
        self.line = line  # number in the page, from 1
        self.words = [word]  # lines of the command, without prompts
        self.expected = []  # lines of its output
        self.indent = indent  # blanks before the fence
        self.start = self.end = 0  # lines of the page that hold the output, from 0, end exclusive

    @property
    def title(self):
        return self.words[0] + (" ..." if len(self.words) > 1 else "")


class File:
    """A block with a caption: the file that it is to be written to."""

    def __init__(self, line, name, lines):
        self.line, self.name, self.lines = line, name, lines

    @property
    def title(self):
        return f"write {self.name}"


class Page:
    """Commands, files and pictures of a page, in its order."""

    def __init__(self, path):
        self.path, self.changed = pathlib.Path(path), False
        self.actions = []  # Command and File
        self.pictures = []  # (line number, path relative to the page)
        try:
            self.lines = self.path.read_text(encoding="utf-8").split("\n")
        except OSError as error:
            raise PageError(f"{path}: {error.strerror}") from None
        k = 0
        while k < len(self.lines):
            for found in PICTURE.finditer(self.lines[k]):
                self.pictures.append((k + 1, pathlib.Path(found.group(1) or found.group(2))))
            fence = FENCE.match(self.lines[k])
            k = self.read_block(k, *fence.groups()) if fence else k + 1

    def read_block(self, start, indent, marks, language):
        """Reads the fenced block that begins at line `start`; the line after it."""
        end = start + 1
        while end < len(self.lines) and not re.match(rf"^ *{marks[0]}{{{len(marks)},}}\s*$", self.lines[end]):
            end += 1
        if end == len(self.lines):
            raise PageError(f"{self.path}:{start + 1}: this block has no end")
        if language == "console":
            self.read_console(start + 1, end, len(indent))
        elif language.startswith("{code-block}"):
            self.read_file(start + 1, end, len(indent))
        return end + 1

    def read_console(self, start, end, indent):
        command = None
        for k in range(start, end):
            text = self.lines[k][indent:]
            if text.startswith("$ "):
                command = Command(k + 1, text[2:], indent)
                self.actions.append(command)
                command.start = command.end = k + 1
            elif command is None:
                raise PageError(f"{self.path}:{k + 1}: a console block begins with '$ ' and a command")
            elif text.startswith("> ") and not command.expected:
                command.words.append(text[2:])
                command.start = command.end = k + 1
            else:
                command.expected.append(text)
                command.end = k + 1
        for action in self.actions:
            while isinstance(action, Command) and action.expected and not action.expected[-1].strip():
                action.expected.pop()
                action.end -= 1

    def read_file(self, start, end, indent):
        name = None
        while start < end and OPTION.match(self.lines[start]):
            caption = CAPTION.match(self.lines[start])
            name = caption.group(1) if caption else name
            start += 1
        if name is None:
            return
        if not re.fullmatch(r"[\w.-]+", name):
            raise PageError(f"{self.path}:{start}: the caption '{name}' is not a plain file name")
        lines = [line[indent:] for line in self.lines[start:end]]
        while lines and not lines[0].strip():
            lines.pop(0)
        self.actions.append(File(start, name, lines))

    def save(self):
        """Writes the page with the expected output of its commands."""
        for command in reversed([action for action in self.actions if isinstance(action, Command)]):
            self.lines[command.start : command.end] = [
                (" " * command.indent + line).rstrip() for line in command.expected
            ]
        self.path.write_text("\n".join(self.lines), encoding="utf-8")
