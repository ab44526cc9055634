#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# turn: 3
# timeout: 900
# Stacks of more block RAM than the board has.
exec "$(dirname "$0")/../../tests/boards.py" --too-large stack_cache icebreaker THREADS=4 ENTRIES=1024 SET=2 ENTRY_W=64 MAX_DEPTH=4096 COUNTERS=0
