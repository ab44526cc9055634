#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 8
# timeout: 600
# Faults planted in the RTL, in the model, and in both alike, which only the serial-order checker can see: verif/atomic_merge/faults.txt.
# Each is found.
exec verif/tools/faults.py atomic_merge
