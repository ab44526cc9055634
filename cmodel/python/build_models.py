# SPDX-License-Identifier: Apache-2.0
"""Describes the extension module simtgen._models to cffi: every model of cmodel/, and what Python sees of its headers.

The transaction levels are taken from their headers as they are, so that Python has what C has. Of simt.h the part below is
declared; cffi checks it against the header when it compiles.
"""
import os
import re
from pathlib import Path

from cffi import FFI

ROOT = Path(__file__).resolve().parents[2]
CMODEL = Path(os.path.relpath(ROOT / "cmodel", os.getcwd()))  # setuptools wants paths relative to the root
BLOCKS = sorted(p.parent.name for p in (ROOT / "cmodel").glob("*/block.c"))
# The blocks with a transaction level: those with a header of their own name that declares one.
LEVELS = [b for b in BLOCKS if (ROOT / f"cmodel/{b}/{b}.h").exists() and
          re.search(rf"^struct {b} \*{b}_create\(", (ROOT / f"cmodel/{b}/{b}.h").read_text(encoding="utf-8"), re.M)]

CORE = """
struct simt_diag { bool failed; char name[80]; char got[120]; char expected[240]; char hint[240]; ...; };
struct simt_param { const char *name; uint64_t def, min, max; const char *const *choices; const char *unit; const char *doc;
                    const char *req; ...; };
enum simt_dir { SIMT_IN, SIMT_OUT, ... };
enum simt_role { SIMT_DATA, SIMT_CLOCK, SIMT_RESET, ... };
struct simt_port { char name[48]; enum simt_dir dir; enum simt_role role; unsigned width; char valid[48]; const char *group;
                   const char *doc; unsigned word, words; ...; };
struct simt_derived { const char *name; uint64_t value; const char *unit, *doc; unsigned bits; ...; };
struct simt_desc { struct simt_port *ports; struct simt_derived *derived; size_t n_ports, n_derived;
                   unsigned in_words, out_words; char warning[200]; ...; };
struct simt_config { const struct simt_block *block; const struct simt_param *param[...]; uint64_t value[...];
                     size_t n_params; struct simt_desc desc; ...; };
struct simt_record { ...; };
struct simt_cell { ...; };
struct simt_model_ops {
  void *(*create)(const struct simt_config *cfg, struct simt_diag *diag);
  void (*destroy)(void *model);
  void (*reset)(void *model);
  void (*outputs)(const void *model, uint32_t *out);
  void (*step)(void *model, const uint32_t *in);
  size_t (*save)(const void *model, void *to, size_t room);
  bool (*load)(void *model, const void *from, size_t size);
  void (*stats)(const void *model, void (*visit)(void *ctx, const char *name, uint64_t value), void *ctx);
  ...;
};
struct simt_block { const char *name, *title, *summary; ...; };
extern const struct simt_block *const simt_blocks[];
const struct simt_block *simt_find_block(const char *name);
const char *simt_nearest(const char *got, const char *const *names);
void simt_config_init(struct simt_config *cfg, const struct simt_block *block);
bool simt_set_param(struct simt_config *cfg, const char *name, const char *text, struct simt_diag *diag);
struct simt_record *simt_add_record(struct simt_config *cfg, const char *list, struct simt_diag *diag);
struct simt_cell *simt_set_cell(struct simt_config *cfg, const char *list, const char *column, const char *text,
                                struct simt_diag *diag);
const char *simt_value_text(const struct simt_param *p, uint64_t value, char *buf);
bool simt_resolve(struct simt_config *cfg, struct simt_diag *diag);
void simt_config_free(struct simt_config *cfg);
const struct simt_model_ops *simt_model(const struct simt_config *cfg);
struct simt_remote {
  unsigned (*read)(void *ctx, uint64_t addr, void *data, size_t size);
  unsigned (*write)(void *ctx, uint64_t addr, const void *data, size_t size);
  unsigned (*latency)(void *ctx, uint64_t cycle, uint64_t addr, bool write);
  unsigned cycles;
  void *ctx;
};
const char *simtgen_version(void);

struct simt_sink { void (*put)(void *ctx, const char *text, size_t size); void *ctx; };
enum simt_checked { SIMT_CHECKED_WAITS, SIMT_CHECKED_SAME, SIMT_CHECKED_DIFFERS, SIMT_CHECKED_UNKNOWN };
struct simt_checker *simt_checker_create(const struct simt_config *cfg, unsigned keep, struct simt_diag *diag);
void simt_checker_destroy(struct simt_checker *c);
enum simt_checked simt_checker_cycle(struct simt_checker *c, const uint32_t *in, const uint32_t *out, const uint32_t *unknown);
void simt_checker_say(const struct simt_checker *c, const char *what, struct simt_sink to);
bool simt_checker_wave(const struct simt_checker *c, struct simt_sink to);
uint64_t simt_checker_compared(const struct simt_checker *c);
extern "Python" void simtgen_put(void *ctx, const char *text, size_t size);

void simtgen_run(const struct simt_model_ops *ops, void *model, const uint32_t *in, uint32_t *out, size_t cycles,
                 size_t in_words, size_t out_words);
extern "Python" void simtgen_visit(void *ctx, const char *name, uint64_t value);
extern "Python" unsigned simtgen_read(void *ctx, uint64_t addr, void *data, size_t size);
extern "Python" unsigned simtgen_write(void *ctx, uint64_t addr, const void *data, size_t size);
extern "Python" unsigned simtgen_latency(void *ctx, uint64_t cycle, uint64_t addr, bool write);
"""

SOURCE = """
#include <stdint.h>
#include "core/lockstep_checker.h"
#include "core/simt.h"
%s

/* A run over rows of inputs: row i of `out` has the outputs of the cycle whose inputs are row i of `in`. */
static void simtgen_run(const struct simt_model_ops *ops, void *model, const uint32_t *in, uint32_t *out, size_t cycles,
                        size_t in_words, size_t out_words) {
  for (size_t i = 0; i < cycles; i++) {
    ops->outputs(model, out + i * out_words);
    ops->step(model, in + i * in_words);
  }
}

static const char *simtgen_version(void) { return SIMT_VERSION; }

/* The list that the generated build/blocks.c has in the program. */
%s
const struct simt_block *const simt_blocks[] = {%s, NULL};
"""


def declarations(path):
    """What a header declares, without comments, directives and inline functions."""
    text = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.S)
    text = re.sub(r'#ifdef __cplusplus\n(extern "C" \{|\})\n#endif\n', "", text)
    text = re.sub(r"^#.*\n", "", text, flags=re.M)
    return re.sub(r"^static inline .*?^\}\n", "", text, flags=re.M | re.S)


ffi = FFI()
ffi.cdef(CORE + "".join(declarations(ROOT / f"cmodel/{b}/{b}.h") for b in LEVELS))
if "tracker" in LEVELS:
    ffi.cdef('extern "Python" unsigned simtgen_sector_latency(void *ctx, uint64_t cycle, struct tracker_line sector);')
ffi.set_source(
    "simtgen._models",
    SOURCE % ("\n".join(f'#include "{b}/{b}.h"' for b in LEVELS),
              "\n".join(f"extern const struct simt_block simt_block_{b};" for b in BLOCKS),
              ", ".join(f"&simt_block_{b}" for b in BLOCKS)),
    sources=sorted(str(CMODEL / p.relative_to(ROOT / "cmodel"))
                   for folder in ("core", *BLOCKS) for p in (ROOT / "cmodel" / folder).glob("*.c")),
    include_dirs=[str(CMODEL), str(CMODEL / "core")],
    extra_compile_args=["-O2", "-std=gnu11"],
    libraries=["m"])

if __name__ == "__main__":
    ffi.compile(verbose=True)
