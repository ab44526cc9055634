#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: nightly
# timeout: 7200
# 10,000 switches of the models of the system and 200 in lockstep, whole and per switch domain; the planted faults with the
# RTL of the whole system.
export LONG=1
here=$(dirname "$0") status=0
"$here/system.sh" || status=1
"$here/system_faults.sh" || status=1
exit $status
