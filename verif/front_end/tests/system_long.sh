#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: nightly
# timeout: 7200
# 10,000 switches of the models of the system and 200 in lockstep, whole and per switch domain.
export LONG=1
exec "$(dirname "$0")/system.sh"
