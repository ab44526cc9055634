#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# level: nightly
# each: block
"""The bench and all lints of the configurations that gen_bench.py leaves out."""
import os
import sys
from pathlib import Path

os.execve(sys.executable, [sys.executable, str(Path(__file__).with_name("gen_bench.py"))], os.environ | {"WHOLE": "1"})
