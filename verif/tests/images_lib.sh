# SPDX-License-Identifier: Apache-2.0
# images_lib.sh: the test of images under the sanitizers, for images.sh and images_faults.sh. To be sourced from the repository root.
# shellcheck shell=bash
. verif/tests/lib.sh
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1:exitcode=99 ASAN_OPTIONS=detect_leaks=1:exitcode=99
flags='-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all'
S=$B/sanitize

build() { # with the objects of verif/tests/sanitize.sh, which may run now
  mkdir -p "$S"
  flock "$S" make -s "B=$S" "CFLAGS=$flags" "$S/images"
}

# Of each block the default, what verif/BLOCK/images.txt has, and every EVERY-th configuration of the grid.
lines() {
  local block
  for block in $(blocks); do
    echo "$block"
    [ ! -e "verif/$block/images.txt" ] || sed '/^[#!]/d; s/^/'"$block"' /' "verif/$block/images.txt"
    configurations "$block" | grep -v topology= | awk -v block="$block" -v every="${EVERY:-7}" 'NR % every == 0 { print block, $0 }'
  done
}

images() { timeout 300 "$1" "${CYCLES:-1000}" "${SEED:-1}" < "$tmp/lines"; }
