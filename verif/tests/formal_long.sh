#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: nightly
# each: block
# timeout: 14400
# All of `make formal`, and the generated properties of every configuration of every grid.
LONG=1 exec "$(dirname "$0")/formal.sh"
