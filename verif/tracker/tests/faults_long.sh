#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: nightly
# timeout: 1200
# All the planted faults of faults.sh.
WHOLE=1 exec verif/tracker/tests/faults.sh
