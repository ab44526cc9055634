# SPDX-License-Identifier: Apache-2.0
# bench_lib.sh: programs around the models, as they are or with a fault planted. To be sourced behind verif/tests/lib.sh.
# shellcheck shell=bash
cat > "$tmp/blocks.c" <<C
#include "simt.h"
extern const struct simt_block simt_block_atomic_system;
const struct simt_block *const simt_blocks[] = {&simt_block_atomic_system, NULL};
C

builds() { # PROGRAM SOURCE [FILE SED-EXPRESSION]: perhaps with an edited model
  local part tree=$tmp/$1.d sources
  mkdir -p "$tree" && cp -r cmodel "$tree" || return 1
  if [ -n "${3-}" ]; then
    sed -i "$4" "$tree/cmodel/$3"
    cmp -s "$tree/cmodel/$3" "cmodel/$3" && { echo "the edit changes nothing"; return 1; }
  fi
  sources=("$tree"/cmodel/core/*.c)
  for part in atomic_merge line_home atomic_system; do sources+=("$tree/cmodel/$part"/*.c); done
  gcc -std=gnu11 -O1 -Wall -Wextra -Werror -I"$tree" -I"$tree/cmodel" -I"$tree/cmodel/core" "$2" \
    "$tmp/blocks.c" "${sources[@]}" -lm -lpthread -o "$tmp/$1" > "$tmp/log" 2>&1 || { head -n 3 "$tmp/log"; return 1; }
}
planted() { # SOURCE PATTERN FILE SED-EXPRESSION PARAMETER...: what it says of a fault
  builds bad "$1" "$3" "$4" || return 1
  "$tmp/bad" "${@:5}" > "$tmp/log" && { echo "nothing is seen"; return 1; }
  grep -qE "$2" "$tmp/log" || { head -n 3 "$tmp/log"; return 1; }
}
