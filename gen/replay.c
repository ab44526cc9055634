/* SPDX-License-Identifier: Apache-2.0 */
/* replay.c: --replay NAME=VALUE: the numbers that say how a block's trace is replayed. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/trace_reader.h"
#include "gen.h"

/* The blocks that take traces of a kind, for a message: "A or B"; how many. */
static size_t takers(const struct simt_trace_kind *kind, char *to, size_t room) {
  size_t n = 0;
  to[0] = 0;
  for (size_t i = 0; simt_verifs[i]; i++) {
    size_t used = strlen(to);
    if (simt_verifs[i]->trace == kind) snprintf(to + used, room - used, "%s%s", n++ ? " or " : "", simt_verifs[i]->block->name);
  }
  return n;
}

bool trace_suits(const struct simt_block *block, const struct simt_verif *v, const char *path, struct simt_diag *diag) {
  const struct simt_trace_kind *own = v ? v->trace : NULL;
  if (own && simt_trace_is(path, own)) return true;
  for (size_t i = 0; simt_verifs[i]; i++) {
    const struct simt_trace_kind *other = simt_verifs[i]->trace;
    char names[200], got[160];
    if (!other || other == own || !simt_trace_is(path, other)) continue;
    const size_t n = takers(other, names, sizeof names);
    snprintf(got, sizeof got, "a trace of %s", other->what);
    if (own) simt_fail(diag, path, got, "one of %s, which %s takes", own->what, block->name);
    else simt_fail(diag, path, got, "no trace: %s takes none", block->name);
    snprintf(diag->hint, sizeof diag->hint, "%s of %s: simtgen sim %s", n > 1 ? "it is a trace" : "it is one", names, simt_verifs[i]->block->name);
    return false;
  }
  return true; /* what is wrong with it, its reader says */
}

static bool number(const struct simt_replay_option *r, const char *text, uint64_t *to, struct simt_diag *diag) {
  char *end;
  errno = 0;
  uint64_t value = strtoull(text, &end, 10);
  if (text[0] < '0' || text[0] > '9' || *end || errno || value < r->min || value > r->max)
    return simt_fail(diag, r->name, text[0] ? text : "nothing", "a whole number %" PRIu64 "..%" PRIu64 " (%s)", r->min,
                     r->max, r->doc);
  *to = value;
  return true;
}

static bool unknown(const struct simt_verif *v, const char *name, struct simt_diag *diag) {
  const char *names[SIMT_MAX_REPLAY + 1] = {NULL};
  char all[sizeof diag->expected] = "";
  size_t n = 0;
  for (; v->replay && v->replay[n].name; n++) {
    names[n] = v->replay[n].name;
    strncat(all, n ? ", " : "", sizeof all - strlen(all) - 1);
    strncat(all, names[n], sizeof all - strlen(all) - 1);
  }
  simt_fail(diag, "--replay", name, "%s", n ? all : "nothing: this block has no such options");
  const char *near = n ? simt_nearest(name, names) : NULL;
  if (near) snprintf(diag->hint, sizeof diag->hint, "did you mean %s?", near);
  return false;
}

static bool set(const struct simt_verif *v, const char *text, bool *seen, uint64_t *value, struct simt_diag *diag) {
  size_t length = strcspn(text, "=");
  char name[80];
  snprintf(name, sizeof name, "%.*s", (int)length, text);
  for (size_t i = 0; v->replay && v->replay[i].name; i++) {
    if (strlen(v->replay[i].name) != length || strncmp(text, v->replay[i].name, length)) continue;
    if (seen[i]) return simt_fail(diag, name, "a second --replay", "each name once");
    seen[i] = true;
    return number(&v->replay[i], text + length + 1, &value[i], diag);
  }
  return unknown(v, name, diag);
}

bool replay_values(const struct gen_options *o, const struct simt_verif *v, uint64_t value[SIMT_MAX_REPLAY],
                   struct simt_diag *diag) {
  bool seen[SIMT_MAX_REPLAY] = {false};
  for (size_t i = 0; v->replay && v->replay[i].name; i++) value[i] = v->replay[i].def;
  for (unsigned i = 0; i < o->n_replay; i++)
    if (!set(v, o->replay[i], seen, value, diag)) return false;
  return true;
}
