"""All lemmas, path by path."""

from . import edges, loops

PATHS = [loops, edges]


def all_lemmas(constants):
    return [lemma for path in PATHS for lemma in path.lemmas(constants)]
