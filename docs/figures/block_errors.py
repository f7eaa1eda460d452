#!/usr/bin/env python3
"""Standard errors from blocks of correlated frames: too small until blocks are longer than the memory."""

import numpy as np

from style import BLUE, GREY, ORANGE, plt, save

FRAMES, MEMORY, RUNS = 4096, 8.0, 60  # correlation time in frames
random = np.random.default_rng(3)
c = np.exp(-1 / MEMORY)
x = np.empty((RUNS, FRAMES))
x[:, 0] = random.standard_normal(RUNS)
for t in range(1, FRAMES):
    x[:, t] = c * x[:, t - 1] + np.sqrt(1 - c * c) * random.standard_normal(RUNS)
lengths = 2 ** np.arange(0, 10)
errors = []
for length in lengths:
    blocks = x.reshape(RUNS, -1, length).mean(axis=2)
    errors.append(blocks.std(axis=1, ddof=1) / np.sqrt(blocks.shape[1]))
# Variance of the mean of n values with correlation c^|i-j|.
n = FRAMES
true = np.sqrt((1 + c) / (1 - c) / n - 2 * c * (1 - c**n) / (n * (1 - c)) ** 2)
figure, axes = plt.subplots(figsize=(6.4, 3.4), layout="constrained")
relative = np.array(errors)[:, 0] / true
blocks = FRAMES / lengths
axes.errorbar(
    lengths,
    relative,
    yerr=relative / np.sqrt(2 * (blocks - 1)),
    fmt="o-",
    color=BLUE,
    capsize=3,
    label="one run of 4096 frames",
)
axes.plot(lengths, np.sqrt((np.array(errors) ** 2).mean(axis=1)) / true, color=ORANGE, label="mean of 60 runs")
axes.axhline(1, color=GREY, lw=1, ls=":")
axes.axvline(MEMORY, color=GREY, lw=1, ls=":")
axes.text(MEMORY * 1.07, 0.12, "correlation time", color=GREY)
axes.set(xscale="log", xlabel="frames per block", ylabel="reported error / true error", ylim=(0, 1.6))
axes.set_xticks(lengths, [str(length) for length in lengths])
axes.minorticks_off()
axes.legend(loc="upper left")
save(figure)
