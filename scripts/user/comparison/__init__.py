"""Parts of compare.py."""
