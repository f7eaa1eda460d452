"""Parts of compare_schedulers.py."""
