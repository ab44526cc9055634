# SPDX-License-Identifier: Apache-2.0
# model_lib.sh: builds verif/tests/model_test.c with the model and environment of one block, or an edited copy of the model, and
# without RTL: what the golden model finds at the ports. To be sourced with `block` set and, behind it, a function `runs PROGRAM`
# that runs it until something is found.
# shellcheck shell=bash
model=cmodel/$block

common() { # what no fault changes
  local f
  cat > "$tmp/lists.c" << END
#include "verif.h"
extern const struct simt_block simt_block_$block;
extern const struct simt_verif simt_verif_$block;
const struct simt_block *const simt_blocks[] = {&simt_block_$block, NULL};
const struct simt_verif *const simt_verifs[] = {&simt_verif_$block, NULL};
END
  mkdir -p "$tmp/o" && cd "$tmp/o" || return 1
  for f in "$root"/verif/core/*.c "$root/verif/$block"/*.c "$root"/cmodel/core/*.c "$tmp/lists.c" \
    "$root/verif/tests/model_test.c"; do
    gcc -std=gnu11 -O2 -c -I"$root"/{cmodel/core,verif/core,cmodel,verif} "$f" || return 1
  done
  mkdir -p "$tmp/m" && cd "$tmp/m" || return 1
  for f in "$root/$model"/*.c; do compile "$f" || return 1; done
  cd "$root" || return 1
}
compile() { gcc -std=gnu11 -O2 -c -I"$root"/{cmodel/core,cmodel} "$1"; } # here
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
