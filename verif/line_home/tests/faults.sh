#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 3
# timeout: 600
# Faults planted in the RTL, and in RTL and model alike, which only the golden model can see: verif/line_home/faults.txt. Each is found.
exec verif/tools/faults.py line_home
