"""Standard errors by the weighted delete-one-block jackknife (docs/explanation/errors.md)."""

import numpy as np


def without_each(sums):
    """Returns the total of the blocks without each of them: [blocks, ...]."""
    return sums.sum(axis=0) - sums


def jackknife(estimates, frames):
    """Returns the standard errors of an estimate; None for fewer than two blocks.

    estimates: the estimate without each block, [blocks, ...]. frames: of each block.
    """
    if len(frames) < 2:
        return None
    share = (frames / frames.sum()).reshape(-1, *[1] * (np.ndim(estimates) - 1))
    mean = ((1 - share) * estimates).sum(axis=0) / (len(frames) - 1)
    return np.sqrt(((1 - share) ** 2 * (estimates - mean) ** 2).sum(axis=0) / (share * (1 - share)).sum())
