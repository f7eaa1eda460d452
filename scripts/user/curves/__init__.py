"""Curves of results: g(r) and p(r), their errors, peaks and sizes of bodies."""
