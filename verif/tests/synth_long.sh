#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: nightly
# timeout: 900
# What synth.py leaves out: repeating a result and a newer Yosys with synth_xilinx, which takes long.
WHOLE=1 exec verif/tests/synth.py
