#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: nightly
# timeout: 1200
# LUT levels at 1,024 units: Yosys takes minutes.
verif/status_tree/tests/depth.py --long
