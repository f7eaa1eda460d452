"""All lemmas, path by path."""

from . import loops

PATHS = [loops]


def all_lemmas(constants):
    return [lemma for path in PATHS for lemma in path.lemmas(constants)]
