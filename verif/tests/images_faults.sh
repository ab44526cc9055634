#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# turn: 2
# Faults in images of models, planted, are seen by verif/tests/images_test.c; and every configuration of every grid passes it.
. verif/tests/images_lib.sh

try "images: the test builds with sanitizers" -- build
[ $failed = 0 ] || exit 1

# planted FILE SED WHAT: with the fault in FILE the test says WHAT.
planted() {
  local said
  sed "$2" "$1" > "$tmp/planted.c"
  ! cmp -s "$1" "$tmp/planted.c" || { echo "$2 changes nothing"; return 1; }
  # shellcheck disable=SC2086,SC2046
  gcc -std=gnu11 $flags -Icmodel/core -Icmodel -c "$tmp/planted.c" -o "$tmp/planted.o" &&
    gcc $flags -rdynamic "$tmp/planted.o" $(find "$S/obj/cmodel" "$S/obj/verif" -name '*.o' ! -path "*/${1%.c}.o") "$S/blocks.o" \
      "$S/verifs.o" -lfyaml -ljansson -lnettle -lz -ldl -lm -lpthread -o "$tmp/planted" || return 1
  said=$(images "$tmp/planted" 2>&1) && { echo "not seen"; return 1; }
  grep -q "$3" <<<"$said" || { echo "expected '$3', got: $(tail -n 3 <<<"$said")"; return 1; }
}
lines > "$tmp/lines"
CYCLES=300
image=cmodel/core/image.c
try "images: a checksum that is not compared is seen" -- \
  planted $image 's/ || h.checksum != checksum(&h, from)//' 'flipped bit is taken'
try "images: a configuration of which the values do not count is seen" -- planted $image 's/, cfg->value\[i\])/, 0)/' 'an image of .* is taken'
try "images: a topology that does not count is seen" -- planted $image 's/i < SIMT_MAX_LISTS/i < 0/' 'an image of .* units=.* is taken'
try "images: a size that is not compared is seen" -- planted $image 's/if (size != simt_save(model, NULL, 0)) return false/size = simt_save(model, NULL, 0)/' 'ERROR: AddressSanitizer'
try "images: a refused load that has written is seen" -- \
  planted $image 's/^  wanted = header_of(model, size);/  walk(model, \&(struct simt_image){.does = READ, .at = (char *)from + sizeof h});&/' 'left something behind'
try "images: what is kept and stays is seen" -- planted $image 's/if (image->does == READ) \*kept = false;/(void)image, (void)kept;/' 'goes on differently'
for block in $(blocks); do
  while IFS='|' read -r file change said name; do
    file=${file#!} change=${change% } said=${said% }
    try "images: ${name# }, in $block, is seen" -- planted "cmodel/$block/${file% }" "${change# }" "${said# }"
  done < <(grep -hs '^!' "verif/$block/images.txt")
done

lines() { local block; for block in $(blocks); do configurations "$block" | grep -v topology= | sed "s/^/$block /"; done; }
lines > "$tmp/lines"
CYCLES=500
try "images: every configuration of the grids" -- images "$S/images"
exit $failed
