# SPDX-License-Identifier: Apache-2.0
# For the tests of this folder: builds verif/tests/model_test.c with the model, or an edited copy of it, and without RTL.
model=cmodel/front_end_monitor

common() { # what no fault changes
  local f
  cat > "$tmp/lists.c" <<'END'
#include "verif.h"
extern const struct simt_block simt_block_front_end_monitor;
extern const struct simt_verif simt_verif_front_end_monitor;
const struct simt_block *const simt_blocks[] = {&simt_block_front_end_monitor, NULL};
const struct simt_verif *const simt_verifs[] = {&simt_verif_front_end_monitor, NULL};
END
  mkdir -p "$tmp/o" && cd "$tmp/o" || return 1
  for f in "$root"/verif/*.c "$root"/verif/front_end_monitor/*.c "$root"/cmodel/core/*.c "$tmp/lists.c" \
    "$root/verif/tests/model_test.c"; do
    gcc -std=gnu11 -O2 -c -I"$root/cmodel/core" -I"$root/$model" -I"$root/verif" -I"$root/verif/front_end_monitor" "$f" || return 1
  done
  mkdir -p "$tmp/m" && cd "$tmp/m" || return 1
  for f in "$root/$model"/*.c; do compile "$f" || return 1; done
  cd "$root" || return 1
}
compile() { gcc -std=gnu11 -O2 -c -I"$root/cmodel/core" -I"$root/$model" -I"$root/verif" "$1"; } # here
build() { # PROGRAM [FILE OF THE MODEL, SED]...: with the edits
  local to=$1 f
  shift
  rm -rf "$tmp/edited" && cp -r "$tmp/m" "$tmp/edited" || return 1
  while [ $# -gt 0 ]; do
    [ -e "$tmp/edited/$1" ] || cp "$model/$1" "$tmp/edited/" || return 1
    sed -i -E "$2" "$tmp/edited/$1"
    if cmp -s "$model/$1" "$tmp/edited/$1"; then echo "the edit of $1 changes nothing: $2"; return 1; fi
    shift 2
  done
  for f in "$tmp"/edited/*.c; do
    [ ! -e "$f" ] || (cd "$tmp/edited" && compile "$f") || return 1
  done
  gcc -o "$tmp/$to" "$tmp"/o/*.o "$tmp"/edited/*.o -lz -lm -lpthread
}
runs() { # PROGRAM: directed and random, one by one and together, until something is found
  timeout 60 "$1" 1000000 1 directed COMMANDS=unit UNITS=4 &&
    timeout 60 "$1" 1000000 1 directed COMMANDS=unit UNITS=4 STATS=exact &&
    timeout 60 "$1" 1000000 1 directed COMMANDS=unit UNITS=6 GROUP=2 &&
    timeout 60 "$1" 60000 1 random COMMANDS=broadcast UNITS=3 &&
    timeout 60 "$1" 60000 2 random COMMANDS=unit UNITS=6 GROUP=2 DOMAINS=2 &&
    timeout 60 "$1" 1000000 1 directed COMMANDS=broadcast UNITS=3
}
finds() { # PATTERN [FILE SED]...
  local pattern=$1 said
  shift
  build planted "$@" || return 1
  said=$(runs "$tmp/planted" 2> /dev/null | grep '^cycle')
  grep -qE "$pattern" <<<"$said" || { echo "no '$pattern' in: $said"; return 1; }
}
seen() { # NAME IDS PATTERN [FILE SED]...
  local name=$1 ids=$2
  shift 2
  try "fault: $name" "[$ids]" -- finds "$@"
}
