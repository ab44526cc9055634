#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Halt latency and switch time by phase of the system of docs/front_end_system.md, against draining, for `make bench`.
set -eu
. verif/front_end/tests/system_lib.sh
with_extra >&2 && models system "$main" >&2
python3 verif/front_end/figures.py "$tmp/system"
