"""Test whether two runs have the same mean, from correlated block averages of several correlated quantities."""

import math

import numpy as np

MOST_BLOCKS = 64  # neighbouring blocks are merged until a run has no more
CORRELATIONS = np.linspace(-0.6, 0.93, 22)  # of neighbouring blocks
RATIOS = 2.0 ** np.linspace(-2, 2, 7)  # of the variances per frame of the two runs
RATIO_WIDTH = 0.5  # standard deviation of the prior distribution of log2 of that ratio


def merged(values, frames):
    """Merges neighbouring blocks into at most MOST_BLOCKS, and a short last block with the one before it.

    values: block averages, [blocks, quantities]. frames: of each block. Returns both after merging.
    """
    step = -(-len(frames) // MOST_BLOCKS)
    starts = list(range(0, len(frames), step))
    sums = np.add.reduceat(values * frames[:, None], starts)
    frames = np.add.reduceat(frames, starts)
    if len(frames) > 2 and frames[-1] < frames[:-1].mean() / 2:
        sums[-2] += sums[-1]
        frames[-2] += frames[-1]
        sums, frames = sums[:-1], frames[:-1]
    return sums / frames[:, None], frames


class _Run:
    """Generalized least squares of the block averages of a run, for each of CORRELATIONS."""

    def __init__(self, values, weights):
        blocks = len(weights)
        lag = np.abs(np.subtract.outer(range(blocks), range(blocks)))
        self.weight, self.log_det, self.mean, self.squares = [], [], [], []
        for phi in CORRELATIONS:
            factor = np.linalg.cholesky(phi**lag / np.sqrt(np.outer(weights, weights)))
            ones = np.linalg.solve(factor, np.ones(blocks))
            white = np.linalg.solve(factor, values)
            mean = ones @ white / (ones @ ones)
            rest = white - np.outer(ones, mean)
            self.weight.append(ones @ ones)
            self.log_det.append(2 * np.log(np.diag(factor)).sum())
            self.mean.append(mean)
            self.squares.append(rest.T @ rest)
        for name in vars(self):
            setattr(self, name, np.array(getattr(self, name)))


def p_value(one, other):
    """Returns (p, mean correlation of neighbouring blocks) under the hypothesis that both runs have equal means.

    one, other: (block averages [blocks, quantities], frames of each block). Hotelling's two-sample test with
    the covariance of the quantities pooled over both runs; blocks of a run are correlated as an
    autoregressive process of first order. Correlations and the ratio of the variances are unknown: p is
    averaged over their posterior distribution (flat priors, means and covariances integrated out).
    """
    (values_1, frames_1), (values_2, frames_2) = merged(*one), merged(*other)
    scale = np.std(np.concatenate([values_1 - values_1.mean(axis=0), values_2 - values_2.mean(axis=0)]), axis=0)
    first = _Run(values_1 / scale, frames_1 / frames_1.mean())
    second = _Run(values_2 / scale, frames_2 / frames_1.mean())
    m, freedom = values_1.shape[1], len(frames_1) + len(frames_2) - 2
    ratio = RATIOS[:, None]
    squares = first.squares + second.squares / ratio[..., None, None]
    log_post = -freedom / 2 * np.linalg.slogdet(squares)[1] - m * (len(frames_2) - 1) / 2 * np.log(ratio)
    log_post = log_post - m / 2 * (first.log_det + np.log(first.weight) + second.log_det + np.log(second.weight))
    log_post = log_post - 0.5 * (np.log2(ratio) / RATIO_WIDTH) ** 2
    posterior = np.exp(log_post - log_post.max())
    posterior /= posterior.sum()
    step = np.broadcast_to(first.mean - second.mean, squares.shape[:-1])
    distance = (step * np.linalg.solve(squares, step[..., None])[..., 0]).sum(axis=-1)
    variance = 1 / first.weight + ratio / second.weight
    statistic = distance * freedom / variance * (freedom - m + 1) / (freedom * m)
    p = (posterior * f_tail(statistic, m, freedom - m + 1)).sum()
    correlation = (posterior * CORRELATIONS).sum()
    return float(min(1, p)), float(correlation)


def f_tail(x, m, n):
    """Probability that a variable of the F distribution with m and n degrees of freedom exceeds x (array)."""
    return incomplete_beta(n / (n + m * np.asarray(x, float)), n / 2, m / 2)


def incomplete_beta(x, a, b):
    """Regularized incomplete beta function, by its continued fraction (Press et al., Numerical Recipes, 6.4)."""
    x = np.asarray(x, float)
    swap = x > (a + 1) / (a + b + 2)
    x, a, b = np.where(swap, 1 - x, x), np.where(swap, b, a), np.where(swap, a, b)
    with np.errstate(divide="ignore"):
        log_gamma = math.lgamma(a.flat[0] + b.flat[0]) - math.lgamma(a.flat[0]) - math.lgamma(b.flat[0])
        front = np.exp(log_gamma + a * np.log(x) + b * np.log1p(-x)) / a
    tiny = 1e-300
    c, d = np.ones_like(x), 1 / np.where(abs(t := 1 - (a + b) * x / (a + 1)) < tiny, tiny, t)
    total = d.copy()
    for k in range(1, 300):
        for term in (
            k * (b - k) * x / ((a + 2 * k - 1) * (a + 2 * k)),
            -(a + k) * (a + b + k) * x / ((a + 2 * k) * (a + 2 * k + 1)),
        ):
            d = 1 / np.where(abs(t := 1 + term * d) < tiny, tiny, t)
            c = np.where(abs(t := 1 + term / c) < tiny, tiny, t)
            total = total * c * d
        if (abs(c * d - 1) < 1e-12).all():
            break
    return np.where(swap, 1 - front * total, front * total)
