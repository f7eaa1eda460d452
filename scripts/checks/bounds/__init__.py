"""Error bounds of the fast paths as lemmas for Gappa: see ../prove_bounds.py."""
