# SPDX-License-Identifier: Apache-2.0
"""What the ports did in a run: the waveform of `simtgen check --wave`."""


def cycles_of(path, scopes):
    """{port: value} of the ports, but the clock, of some scopes (inputs, rtl, model), cycle by cycle, always the same
    dictionary; x reads as 0.

    A waveform ends with the time behind its last cycle."""
    names, now, scope, begun = {}, {}, "", False
    with open(path, encoding="ascii") as f:
        for line in f:
            word = line.split()
            if line.startswith("$scope"):
                scope = word[2]
            elif line.startswith("$var") and scope in scopes and word[4] != "clk_i":
                names[word[3]] = word[4]
            elif line.startswith("#"):
                if not int(line[1:]) % 10:
                    if begun:
                        yield now
                    begun = True
            elif not line.startswith("$"):
                value, name = line[1:].split() if line[0] == "b" else (line[0], line[1:].strip())
                if name in names:
                    now[names[name]] = int(value.replace("x", "0").replace("z", "0"), 2)
