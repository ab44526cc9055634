#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# each: other
# turn: 3
# rotate: 4
# timeout: 600
# The blocks that sanitize.sh leaves out.
OTHERS=1 exec verif/tests/sanitize.sh
