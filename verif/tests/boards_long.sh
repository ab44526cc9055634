#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: nightly
# each: block
# timeout: 5000
# The self-test of every block on every board: synthesized, in simulation, and as a bitstream where it fits.
exec "$(dirname "$0")/boards.py" hx8k icebreaker ulx3s
