#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: check
# Images of the models of all blocks (save, load) under the sanitizers: a model goes on behind a load as the saved one does;
# images that are cut, grown, foreign or have a flipped bit are refused and leave the model as it was.
. verif/tests/images_lib.sh

try "images: the test builds with sanitizers" -- build
[ $failed = 0 ] || exit 1
lines > "$tmp/lines"
no_block_left_out() { [ "$(cut -d' ' -f1 "$tmp/lines" | sort -u | wc -l)" = "$("$SIMTGEN" list --json | grep -c '"name"')" ]; }
try "images: no block is left out" -- no_block_left_out
try "images: saved, loaded, spoilt and foreign" -- images "$S/images"
exit $failed
