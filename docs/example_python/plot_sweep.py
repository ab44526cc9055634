# SPDX-License-Identifier: Apache-2.0
"""A sweep plotted with matplotlib: cycles of a recorded program on stack_cache, over the entries on chip.

    python plot_sweep.py TRACE.stk.gz PICTURE.png
"""
import sys

import matplotlib
import simtgen

matplotlib.use("Agg")  # no display is needed
import matplotlib.pyplot as plt  # noqa: E402

ENTRIES, LATENCIES = (8, 16, 32), (50, 200, 400)


def main(trace, picture):
    figure, axes = plt.subplots(figsize=(6, 4), layout="constrained")
    for latency in LATENCIES:
        runs = [simtgen.sim("stack_cache", trace, latency=latency, ENTRIES=entries) for entries in ENTRIES]
        share = [100 * run["idle_cycles"] / run["cycles"] for run in runs]
        axes.plot(ENTRIES, share, marker="o", label=f"memory of {latency} cycles")
        print(f"latency {latency}: " + ", ".join(f"{s:.2f} %" for s in share) + " idle")
    axes.set(xlabel="entries on chip for each thread", ylabel="cycles without an operation, %", xticks=ENTRIES)
    axes.set_ylim(bottom=0)
    axes.legend()
    figure.savefig(picture, dpi=120)


if __name__ == "__main__":
    main(*sys.argv[1:])
