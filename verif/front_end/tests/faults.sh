#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# timeout: 200
# Faults planted in the models of the parts, without RTL: what the golden model of contexts finds. (The RTL is compared
# with the model in lockstep, so a fault in both looks the same.)
. verif/tests/lib.sh
parts="front_end status_tree front_end_monitor context_hub"
include=(-I"$root"/{cmodel/core,verif/core,cmodel,verif})

common() { # what no fault changes
  local f
  cat > "$tmp/lists.c" <<'END'
#include "verif.h"
extern const struct simt_block simt_block_front_end;
extern const struct simt_verif simt_verif_front_end;
const struct simt_block *const simt_blocks[] = {&simt_block_front_end, NULL};
const struct simt_verif *const simt_verifs[] = {&simt_verif_front_end, NULL};
END
  mkdir "$tmp/o" && cd "$tmp/o" || return 1
  for f in "$root"/verif/core/*.c "$root"/verif/front_end/*.c "$root"/cmodel/core/*.c "$tmp/lists.c" "$root/verif/tests/model_test.c"; do
    gcc -std=gnu11 -O1 -c "${include[@]}" "$f" || return 1
  done
  for p in $parts; do
    mkdir "$tmp/o/$p" && cd "$tmp/o/$p" || return 1
    for f in "$root/cmodel/$p"/*.c; do gcc -std=gnu11 -O1 -c "${include[@]}" "$f" || return 1; done
  done
  cd "$root" || return 1
}
build() { # PROGRAM [PART/FILE SED]: with one edit
  local edited=()
  if [ $# -gt 1 ]; then
    sed -E "$3" "cmodel/$2" > "$tmp/edited.c"
    if cmp -s "cmodel/$2" "$tmp/edited.c"; then echo "the edit of $2 changes nothing: $3"; return 1; fi
    gcc -std=gnu11 -O1 -c "${include[@]}" -o "$tmp/edited.o" "$tmp/edited.c" || return 1
    edited=("$tmp/edited.o")
  fi
  local objects=() o
  for o in "$tmp"/o/*.o "$tmp"/o/*/*.o; do
    [ $# -gt 1 ] && [ "$o" = "$tmp/o/${2%.c}.o" ] || objects+=("$o")
  done
  gcc -o "$tmp/$1" "${objects[@]}" "${edited[@]}" -lz -lm -lpthread
}
runs() { # PROGRAM
  timeout 60 "$1" 60000 1 random UNITS=4 &&
    timeout 60 "$1" 100000 2 random UNITS=6 COMMANDS=unit DOMAINS=2 LOCAL_CONTEXTS=2 LOCAL_WORDS=16
}
passes() {
  build sound && runs "$tmp/sound" > "$tmp/said" 2> /dev/null
  ! grep '^cycle' "$tmp/said"
}
finds() { # PATTERN PART/FILE SED
  local pattern=$1 said
  shift
  build planted "$@" || return 1
  said=$(runs "$tmp/planted" 2> /dev/null | grep '^cycle')
  grep -qE "$pattern" <<<"$said" || { echo "no '$pattern' in: $said"; return 1; }
}

try "all compiles without RTL" -- common
try "the sound models pass without RTL" "[US-8 US-9]" -- passes
seen() { # NAME PATTERN PART/FILE SED
  local name=$1
  shift
  try "fault: $name" "[US-8 US-9]" -- finds "$@"
}
seen "images of two units in one place" "not what bank|does not hold|nothing was wrong" context_hub/model.c 's/\(uint64_t\)s->unit << m->l.stride_lg/(uint64_t)(s->unit \& ~1u) << m->l.stride_lg/'
seen "a restore from where was saved" "not what bank|does not hold|nothing was wrong" front_end_monitor/walk.c 's/n->load \? m->s.regs.of\[i\].load : m->s.regs.of\[i\].save;/m->s.regs.of[i].save;/'
seen "a memory error in a store is not told" "does not hold|nothing was wrong|not what bank" context_hub/model.c 's/return s->failed \? SIMT_CONTEXT_BAD_MEMORY/return s->failed \&\& s->load ? SIMT_CONTEXT_BAD_MEMORY/'
seen "a unit that is never reset" "was saved" status_tree/model.c 's/one \? m->t.units : c->members\);/(one ? m->t.units : c->members) - (k == 1));/'
seen "a slot with a wrong length" "nothing was wrong|does not hold" context_hub/model.c 's/m->stored\[place\(m\)\] = s->at;/m->stored[place(m)] = 7;/'
seen "every restore fails" "nothing was wrong" context_hub/model.c 's/^  if \(in\[m->p.rsp_error\]\) s->failed = true;/  s->failed = s->load;/'
exit $failed
