"""Suggestions for misspelled words, and lists of words for messages, as in the program
(codelets/core/base/known_words.hh)."""

import difflib

LEAST_ALIKE = 0.66  # smallest ratio of difflib for a match: one of three letters may differ
LEAST_BEGINNING = 3  # letters of the shortest abbreviation
MOST_LISTED = 12


def nearest_word(word, known):
    """The known word that `word` is most likely a misspelling of, or None."""
    lower = {}
    for each in known:
        lower.setdefault(each.lower(), each)
    found = difflib.get_close_matches(word.lower(), lower, 1, LEAST_ALIKE)
    if found:
        return lower[found[0]]
    begun = [each for each in lower if each.startswith(word.lower())] if len(word) >= LEAST_BEGINNING else []
    return lower[begun[0]] if len(begun) == 1 else None


def did_you_mean(word, known, before=""):
    """Returns the end of a message, such as ": did you mean O-H?", or "". before: stands before the known word."""
    nearest = nearest_word(word, known)
    return f": did you mean {before}{nearest}?" if nearest else ""


def listed(words):
    """Returns the words, separated by commas; of more than MOST_LISTED, only the first ones and their number."""
    words = list(words)
    if len(words) <= MOST_LISTED:
        return ", ".join(words)
    return ", ".join(words[:MOST_LISTED]) + f", ... ({len(words)} in all)"
