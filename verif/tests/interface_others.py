#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: test
# each: block
# turn: 3
# rotate: 4
# timeout: 600
"""The cores that interface.py leaves out."""
import os
import sys
from pathlib import Path

os.execve(sys.executable, [sys.executable, str(Path(__file__).with_name("interface.py"))], os.environ | {"OTHERS": "1"})
