#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: nightly
# timeout: 1800
# Every configuration of the grid in lockstep.
. verif/tests/lib.sh
grid context_hub "[US-9]" 60000
exit $failed
