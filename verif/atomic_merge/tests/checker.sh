#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: check
# The serial-order checker alone, on right logs and on logs with a planted fault.
. verif/tests/lib.sh
gcc -std=c11 -Wall -Wextra -Werror -fsanitize=address,undefined -Iverif -Icmodel -Icmodel/core -o "$tmp/checker_test" \
  verif/atomic_merge/tests/checker_test.c verif/atomic_merge/checker.c || { echo "not ok checker: it does not compile"; exit 1; }
"$tmp/checker_test"
