"""Names from files as text that no terminal, page or figure obeys."""


def _escape(character):
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def shown(text):
    """`text` with control characters, and those that turn the direction of writing, as \\x1b or \\u202e."""
    return "".join(c if c.isprintable() else _escape(c) for c in text)


def in_figure(text):
    """The same for Matplotlib, where $ would begin a formula and _ hide the entry of a legend."""
    text = shown(text).replace("$", "\\$")
    return f" {text}" if text.startswith("_") else text
