# SPDX-License-Identifier: Apache-2.0
"""What pyproject.toml cannot say: the C models are compiled by cffi, and the version is that of cmodel/core/simt.h."""
import re
from pathlib import Path

from setuptools import setup

(Path(__file__).resolve().parent / "build").mkdir(exist_ok=True)
header = (Path(__file__).resolve().parent / "cmodel/core/simt.h").read_text(encoding="utf-8")
setup(version=re.search(r'#define SIMT_VERSION "(.*)"', header)[1],
      options={"egg_info": {"egg_base": "build"}},  # nothing is written beside the sources
      cffi_modules=["cmodel/python/build_models.py:ffi"])
