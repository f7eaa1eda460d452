"""All lemmas, path by path."""

from . import edges, gpu, images, loops

PATHS = [loops, edges, images, gpu]


def all_lemmas(constants):
    return [lemma for path in PATHS for lemma in path.lemmas(constants)]
