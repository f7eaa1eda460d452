"""Figures of curves and tables."""
