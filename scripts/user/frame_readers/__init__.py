"""Readers of simple formats for read_frames.py."""
