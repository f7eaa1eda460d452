"""Escapes names from files, so that terminals, pages and figures do not interpret them."""


def _escape(character):
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def shown(text):
    """Returns `text` with control characters and bidirectional marks written as \\x1b or \\u202e."""
    return "".join(c if c.isprintable() else _escape(c) for c in text)


def in_figure(text):
    """Escapes text for Matplotlib, where $ starts a formula and a leading _ hides a legend entry."""
    text = shown(text).replace("$", "\\$")
    return f" {text}" if text.startswith("_") else text
