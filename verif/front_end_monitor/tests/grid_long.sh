#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: nightly
# timeout: 3000
# Every configuration of the grid.
. verif/tests/lib.sh
grid front_end_monitor "[US-7 US-8 US-10 US-11 US-12 US-15]" 200000
exit $failed
