#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: nightly
# timeout: 3000
# All the planted faults of faults.sh.
WHOLE=1 exec verif/atomic_merge/tests/faults.sh
