"""All lemmas, path by path."""

from . import edges, images, loops

PATHS = [loops, edges, images]


def all_lemmas(constants):
    return [lemma for path in PATHS for lemma in path.lemmas(constants)]
