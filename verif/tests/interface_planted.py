#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: test
# turn: 2
"""Planted differences between the example block's core and its description are found."""
import os
import sys
from pathlib import Path

os.execve(sys.executable, [sys.executable, str(Path(__file__).with_name("interface.py"))], os.environ | {"PLANTED": "1"})
