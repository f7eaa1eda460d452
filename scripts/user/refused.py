"""Refusals of files."""


class Refused(ValueError):
    """A file that cannot be read, with a message for people: the problem, why it is one, and the remedy."""
