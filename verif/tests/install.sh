#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# level: test
# The installed program, library and man page work alone: nothing of the source tree is in reach.
. verif/tests/lib.sh
prefix=$tmp/usr

# Without the variables and the folder of the source tree.
away() (
  unset SIMTGEN SIMTGEN_DATA SIMTGEN_CACHE B
  mkdir -p "$tmp/away" && cd "$tmp/away" && "$@"
)
pc() { PKG_CONFIG_PATH=$prefix/lib/pkgconfig away pkg-config "$@" libsimt; }

cat > "$tmp/use.c" <<'END'
/* Every block of the library, at the level of cycles: run, save, run on, load, run the same again. */
#include <simt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void show(void *ctx, const char *name, uint64_t value) {
  (void)ctx;
  printf("  %s %llu\n", name, (unsigned long long)value);
}

static int use(const struct simt_block *block) {
  struct simt_config cfg;
  struct simt_diag diag;
  memset(&diag, 0, sizeof diag);
  simt_config_init(&cfg, block);
  if (!simt_resolve(&cfg, &diag)) return 1;
  uint32_t *in = (uint32_t *)calloc(cfg.desc.in_words + 1, 4);
  uint32_t *out = (uint32_t *)calloc(cfg.desc.out_words + 1, 4);
  uint32_t *again = (uint32_t *)calloc(cfg.desc.out_words + 1, 4);
  void *model = block->model.create(&cfg, &diag);
  if (!in || !out || !again || !model) return 1;
  block->model.reset(model);
  size_t size = block->model.save(model, NULL, 0);
  void *image = malloc(size);
  if (!image || block->model.save(model, image, size) != size) return 1;
  for (int i = 0; i < 1000; i++) block->model.step(model, in);
  block->model.outputs(model, out);
  if (!block->model.load(model, image, size)) return 1;
  for (int i = 0; i < 1000; i++) block->model.step(model, in);
  block->model.outputs(model, again);
  if (memcmp(out, again, cfg.desc.out_words * sizeof *out)) return 1;
  printf("%s\n", block->name);
  block->model.stats(model, show, NULL);
  block->model.destroy(model);
  simt_config_free(&cfg);
  free(in);
  free(out);
  free(again);
  free(image);
  return 0;
}

int main(void) {
  for (size_t i = 0; simt_blocks[i]; i++)
    if (use(simt_blocks[i])) return 1;
  return 0;
}
END

# The C++ program includes every header as C++ and is otherwise the same.
build_cpp() {
  { for h in "$prefix"/include/simt/*.h; do echo "#include <$(basename "$h")>"; done; cat "$tmp/use.c"; } \
    > "$tmp/use.cpp"
  away g++ -std=c++17 -Wall -Wextra -Werror "$tmp/use.cpp" $(pc --cflags --libs) -o "$tmp/use-cpp"
}
build_static() {
  away gcc -std=c11 "$tmp/use.c" $(pc --cflags) "$prefix/lib/libsimt.a" -lm -o "$tmp/use-static"
}
build_c() {
  away gcc -std=c11 -Wall -Wextra -Werror "$tmp/use.c" $(pc --cflags --libs) -o "$tmp/use-c"
}
# A global's constructor of C++ uses every block, in a program with the static library, ahead of it and behind it.
build_early() {
  { for h in "$prefix"/include/simt/*.h; do echo "#include <$(basename "$h")>"; done
    sed 's/^int main(void) {/static int early() {/' "$tmp/use.c"
    echo 'static const int failed = early();'
    echo 'int main() { return failed; }'; } > "$tmp/early.cpp"
  away g++ -std=c++17 "$tmp/early.cpp" $(pc --cflags) "$prefix/lib/libsimt.a" -lm -o "$tmp/use-early" &&
    away g++ -std=c++17 -c "$tmp/early.cpp" $(pc --cflags) -o "$tmp/early.o" &&
    away g++ -Wl,--whole-archive "$prefix/lib/libsimt.a" -Wl,--no-whole-archive "$tmp/early.o" -lm -o "$tmp/use-early-behind"
}
run_early() { away "$tmp/use-early" > "$tmp/early.out" && away "$tmp/use-early-behind" > "$tmp/behind.out" && cmp "$tmp/early.out" "$tmp/behind.out"; }
no_global_state() { # nothing of the library can be written to
  local found
  found=$(objdump -t "$prefix/lib/libsimt.a" | grep -E ' O \.(bss|data)(\.[^r]|[[:space:]])')
  [ -z "$found" ] || { echo "the library has $found"; return 1; }
  objdump -h "$prefix/lib/libsimt.a" | grep -q '\.init_array' && { echo "the library has constructors"; return 1; }
  return 0
}
run_all() {
  local names
  export LD_LIBRARY_PATH=$prefix/lib
  away "$tmp/use-c" > "$tmp/c.txt" && away "$tmp/use-cpp" > "$tmp/cpp.txt" &&
    away "$tmp/use-static" > "$tmp/static.txt" || return 1
  cmp "$tmp/c.txt" "$tmp/cpp.txt" && cmp "$tmp/c.txt" "$tmp/static.txt" || return 1
  names=$(grep -v '^ ' "$tmp/c.txt")
  [ "$names" = "$(installed_blocks)" ] || { echo "library has $names"; return 1; }
}
installed_blocks() {
  away "$prefix/bin/simtgen" list --json |
    python3 -c 'import json, sys; print("\n".join(b["name"] for b in json.load(sys.stdin)["blocks"]))'
}

# Every C program of docs/libsimt.md builds against the installed library and runs.
documented() {
  python3 - docs/libsimt.md "$tmp" <<'END' || return 1
import re, sys
for i, code in enumerate(re.findall(r"```c\n(.*?)```", open(sys.argv[1]).read(), re.S)):
    if "int main" in code:
        open(f"{sys.argv[2]}/doc{i}.c", "w").write(code)
END
  ls "$tmp"/doc*.c >/dev/null || return 1
  for f in "$tmp"/doc*.c; do
    away gcc -std=c11 -Wall -Wextra -Werror "$f" $(pc --cflags --libs) -o "${f%.c}" &&
      LD_LIBRARY_PATH=$prefix/lib away "${f%.c}" || return 1
  done
}

documented_python() {
  sed -n '/^```python$/,/^```$/p' docs/libsimt.md | sed '/^```/d' > "$tmp/doc.py"
  [ -s "$tmp/doc.py" ] || { echo "there is none"; return 1; }
  LD_LIBRARY_PATH=$prefix/lib away python3 "$tmp/doc.py" > "$tmp/doc.txt" && grep -q 'waited [1-9]' "$tmp/doc.txt"
}

# What the installed headers declare: functions by the compiler's own list, objects by their `extern`.
declared() {
  local h
  for h in "$prefix"/include/simt/*.h; do echo "#include <$(basename "$h")>"; done > "$tmp/all.c"
  away gcc -std=c11 -c $(pc --cflags) "$tmp/all.c" -aux-info "$tmp/all.txt" -o "$tmp/all.o" || return 1
  grep -F "$prefix/include/simt/" "$tmp/all.txt" | grep -v ' static ' | sed -E 's/^[^*]*\*[^*]*\*\/ [^(]*[ *]([a-z_0-9]+) \(.*/\1/'
  sed -nE 's/^extern .*[ *]([a-z_0-9]+)(\[\])?;.*/\1/p; s/^extern .*[ *]([a-z_0-9]+), ([a-z_0-9]+);.*/\1\n\2/p' "$prefix"/include/simt/*.h
}
header_alone() { # as C and as C++
  echo "#include <$1>" > "$tmp/alone.c"
  away gcc -std=c11 -Wall -Wextra -pedantic -Werror -fsyntax-only $(pc --cflags) "$tmp/alone.c" &&
    away g++ -std=c++17 -Wall -Wextra -Werror -fsyntax-only -x c++ $(pc --cflags) "$tmp/alone.c"
}
# A program that takes the address of everything declared, as C and as C++ (the names have C linkage), linked against $1.
links_all() {
  local names
  names=$(declared | sort -u) && [ "$(wc -l <<<"$names")" -gt 50 ] || { echo "few names: $names"; return 1; }
  { cat "$tmp/all.c"
    echo 'static const void *volatile all[] = {'
    sed 's/.*/  (const void *)\&&,/' <<<"$names"
    echo '};'
    echo 'int main(void) { return !all[sizeof all / sizeof *all - 1]; }'; } > "$tmp/links.c"
  away gcc -std=c11 $(pc --cflags) "$tmp/links.c" "$1" -lm -o "$tmp/links" &&
    away g++ -std=c++17 -x c++ $(pc --cflags) "$tmp/links.c" -x none "$1" -lm -o "$tmp/links"
}
# Planted: a header declares what the library does not export (a function between its objects).
missing_is_found() {
  local header=$prefix/include/simt/planted.h
  echo 'void *hub_create(const struct simt_config *cfg, struct simt_diag *diag);' > "$header"
  sed -i '1i #include "simt.h"' "$header"
  links_all "$prefix/lib/libsimt.so" > "$tmp/log" 2>&1
  local got=$?
  rm "$header"
  [ $got != 0 ] && grep -q 'undefined reference to .hub_create' "$tmp/log"
}
exports() { # only what the headers declare leaves the shared library, and under a public name
  local others allowed
  allowed="^(simt_[a-z_0-9]*$(installed_blocks | sed 's/.*/|&_[a-z_0-9]*/' | tr -d '\n'))$"
  others=$(nm -D --defined-only "$prefix/lib/libsimt.so" | awk '$2 != "A" {print $3}' | grep -vE "$allowed")
  [ -z "$others" ] || { echo "exports $others"; return 1; }
  others=$(declared | sort -u | comm -13 - <(nm -D --defined-only "$prefix/lib/libsimt.so" | awk '$2 != "A" {print $3}' | sort))
  [ -z "$others" ] || { echo "exports what no header declares: $others"; return 1; }
  readelf -d "$prefix/lib/libsimt.so" | grep -q 'SONAME.*\[libsimt.so.0\]'
}

generates() { # from another folder, every block
  local block
  for block in $(installed_blocks); do
    away "$prefix/bin/simtgen" gen "$block" -o "$block" || return 1
    iverilog -g2005 -tnull "$tmp/away/$block"/rtl/*.v || return 1
  done
}

man_page() { # names every command and option that --help names
  local page=$prefix/share/man/man1/simtgen.1 commands command word missing=
  commands=$(away "$prefix/bin/simtgen" --help | sed -nE 's/^  ([a-z]+) +[A-Z].*/\1/p')
  [ -n "$commands" ] || return 1
  for word in $commands $(for command in '' $commands; do away "$prefix/bin/simtgen" $command --help; done |
                          grep -oE '(^|[ ,])--[a-z][a-z-]*' | tr -d ' ,' | sort -u); do
    sed 's/\\-/-/g' "$page" | grep -qe "\(^\|[^a-z-]\)$word\($\|[^a-z-]\)" || missing="$missing $word"
  done
  [ -z "$missing" ] || { echo "does not mention$missing"; return 1; }
}

# Every page that README.md names is there with its links, and so are the unit to begin with, a trace and completion.
pages() {
  local doc=$prefix/share/doc/simtgen link trace missing=
  for link in $(grep -oE '\]\([a-zA-Z_/.]+\.(md|svg)\)' "$doc/README.md" | tr -d '()]'); do
    [ -s "$doc/$link" ] || missing="$missing $link"
  done
  [ -z "$missing" ] || { echo "missing:$missing"; return 1; }
  trace=$(printf '%s\n' verif/*/traces/*.gz | LC_ALL=C sort | head -n 1) # verif/BLOCK/traces/NAME
  away "$prefix/bin/simtgen" sim "$(cut -d/ -f2 <<<"$trace")" --trace "$prefix/share/simtgen/traces/${trace##*/}" -q >/dev/null &&
    [ -s "$prefix/share/simtgen/examples/cmodel/gather_sum/block.c" ] &&
    away iverilog -g2005 -tnull -y "$prefix/share/simtgen/rtl_templates/lib" \
      "$prefix/share/simtgen/examples/rtl_templates/gather_sum/gather_sum_core.v" &&
    bash -n "$prefix/share/bash-completion/completions/simtgen"
}
# The run-time path that docs/libsimt.md tells lets a program find the library without a variable.
run_path() {
  local flag
  flag=$(sed -nE 's/^cc .*(-Wl,-rpath,.*)$/\1/p' docs/libsimt.md)
  [ -n "$flag" ] && eval "flag=$(PKG_CONFIG_PATH=$prefix/lib/pkgconfig; export PKG_CONFIG_PATH; eval "echo $flag")" || return 1
  away gcc -std=c11 "$tmp/use.c" $(pc --cflags --libs) "$flag" -o "$tmp/use-path" &&
    (unset LD_LIBRARY_PATH; away "$tmp/use-path" > /dev/null)
}

staged() { # DESTDIR goes before the prefix and into no file
  make -s install "B=$B" PREFIX=/opt/simt "DESTDIR=$tmp/stage" &&
    [ -x "$tmp/stage/opt/simt/bin/simtgen" ] &&
    grep -qx 'prefix=/opt/simt' "$tmp/stage/opt/simt/lib/pkgconfig/libsimt.pc"
}
uninstalls() {
  echo mine > "$prefix/share/simtgen/mine" # a file of somebody else's stays
  make -s uninstall "B=$B" "PREFIX=$prefix" || return 1
  [ "$(find "$prefix" ! -type d)" = "$prefix/share/simtgen/mine" ] || { find "$prefix" ! -type d; return 1; }
}
relative_prefix() {
  make -s install "B=$B" PREFIX=here DESTDIR= > "$tmp/log" 2>&1 && return 1
  grep -q "PREFIX: got 'here', expected an absolute path" "$tmp/log"
}

try "make install" -- make -s install "B=$B" "PREFIX=$prefix"
[ $failed = 0 ] || exit 1
try "a C program builds against the installed library alone" -- build_c
try "a C++ program with every header builds" -- build_cpp
try "a C program builds with the static library" -- build_static
try "the three programs run and agree" -- run_all
try "a program with the static library builds that uses it before main" -- build_early
try "every block runs in the constructor of a C++ global" -- run_early
try "the library has no global state and no constructor" -- no_global_state
try "the programs of docs/libsimt.md build and run" -- documented
try "the Python program of docs/libsimt.md runs" -- documented_python
for h in "$prefix"/include/simt/*.h; do
  try "$(basename "$h") compiles alone as C and C++" -- header_alone "$(basename "$h")"
done
try "everything that the headers declare is in the shared library" -- links_all "$prefix/lib/libsimt.so"
try "everything that the headers declare is in the static library" -- links_all "$prefix/lib/libsimt.a"
try "a declared function that is not exported is found" -- missing_is_found
try "the shared library exports only public names" -- exports
try "the installed program generates every block from another folder" -- generates
try "the man page names every command and option" -- man_page
try "the pages, the example unit, a trace and completion are installed" -- pages
try "the run-time path of docs/libsimt.md finds the library" -- run_path
try "DESTDIR stages an installation" -- staged
try "a relative PREFIX is refused" -- relative_prefix
try "make uninstall removes what was installed and nothing else" -- uninstalls
exit $failed
