#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: nightly
# each: block
# timeout: 3000
"""The registers of every configuration of the grids."""
import os
import sys
from pathlib import Path

os.execve(sys.executable, [sys.executable, str(Path(__file__).with_name("interface.py"))], os.environ | {"WHOLE": "1"})
