#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: check
# regs.h alone names the units, connections and domains of a list: numbers that software writes to the registers.
. verif/tests/lib.sh
named() {
  "$SIMTGEN" gen front_end_monitor -q --no-doc -p topology=verif/front_end_monitor/three_domains.yaml -p COMMANDS=unit -o "$tmp/out" || return 1
  cat > "$tmp/use.c" << 'END'
#include "regs.h"
#define IS(name, value) _Static_assert(FRONT_END_MONITOR_##name == (value), #name)
IS(UNIT_IS_sc0, 0); IS(UNIT_IS_tex, 3); IS(UNIT_IS_rop2, 7); IS(CONN_IS_caches, 0); IS(CONN_IS_rops, 4);
IS(DOMAIN_IS_left, 0); IS(DOMAIN_IS_third, 2); IS(DEAD_IS_left, 0); IS(DEAD_IS_main, 2);
END
  gcc -std=c11 -Wall -Wextra -Werror -I"$tmp/out" -c -o "$tmp/use.o" "$tmp/use.c" || return 1
  sed -i 's/UNIT_IS_tex, 3/UNIT_IS_tex, 4/' "$tmp/use.c"
  ! gcc -std=c11 -I"$tmp/out" -c -o "$tmp/use.o" "$tmp/use.c" 2> /dev/null
}
try "regs.h names units, connections and domains" "[US-12]" -- named
exit $failed
