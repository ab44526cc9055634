#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# rotate: 3
# timeout: 400
# Faults planted in the RTL, in the model, and in both alike, which only the golden models can see: verif/branch_unit/faults.txt. Each
# is found.
exec verif/tools/faults.py branch_unit
