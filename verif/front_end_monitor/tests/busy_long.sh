#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: nightly
# timeout: 3000
# 10^9 busy cycles of the model: no deadlock is reported.
BUSY=1000000000 verif/front_end_monitor/tests/faults.sh
