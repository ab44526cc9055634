#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: nightly
# each: block
"""The bench of the configurations that are too wide for `make test` (gen_bench.py)."""
import os
import sys
from pathlib import Path

os.execve(sys.executable, [sys.executable, str(Path(__file__).with_name("gen_bench.py"))], os.environ | {"LARGE": "1"})
