/* SPDX-License-Identifier: Apache-2.0 */
/* context.c: contexts of stack_barrel, judged by the golden model, which is kept by slots. */
#include "stack_barrel/env.h"

bool bar_context_create(struct bar_env *e) { return e != NULL; }
void bar_context_destroy(struct bar_env *e) { (void)e; }
const char *bar_context_saved(struct bar_env *e, unsigned slot, const uint32_t *payload, unsigned words) {
  (void)e, (void)slot, (void)payload, (void)words;
  return NULL;
}
void bar_context_loaded(struct bar_env *e, unsigned slot) { (void)e, (void)slot; }
void bar_context_nonsense(const void *env, uint32_t *payload, uint32_t place) {
  (void)env;
  payload[0] = 0x7fffffff + (place & 1);
}
void bar_context_clear(struct bar_env *e) { (void)e; }
void bar_context_cleared(struct bar_env *e) { (void)e; }
void bar_context_flush(struct bar_env *e) { (void)e; }
const char *bar_context_flushed(struct bar_env *e) { return e ? NULL : ""; }
void bar_context_moved(struct bar_env *e) { (void)e; }
