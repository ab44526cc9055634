/* SPDX-License-Identifier: Apache-2.0 */
/* verif.c: environment of the example block: stimuli, golden model, coverage. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arbiter/arbiter.h"
#include "arbiter/ports.h"
#include "core/verif.h"

extern const struct simt_verif simt_verif_arbiter;

enum { COVER_ALL_REQUEST, COVER_TURN, N_COVER }; /* the order of block.c */

struct rr_env_choice {
  uint64_t req;
  uint32_t reset;
};

struct rr_env {
  struct simt_rng rng;
  uint64_t seed, idle_from; /* the first cycle of profile idle */
  bool directed;
  uint64_t clients, client_mask, count_mask;
  struct rr_ports at;
  uint64_t cycle, answered;
  /* golden model: what the last cycle asked for, and how many grants each client has seen go by */
  uint64_t asked, grants, passed[64], last;
  uint64_t cover[N_COVER];
  char message[120];
};

static const struct simt_named profiles[] = {
  {"busy", "Most clients request in most cycles.", "ARB-2"},
  {"idle", "Requests are rare; reset in mid-run.", "ARB-3"},
  {NULL, NULL, NULL}};

static const struct simt_named directed[] = {
  {"turns", "All clients request at once, for three rounds.", "ARB-2"},
  {NULL, NULL, NULL}};

static void restart(void *env) {
  struct rr_env *e = env;
  simt_rng_seed(&e->rng, e->seed);
  e->cycle = e->answered = e->asked = e->grants = 0;
  e->last = e->clients - 1;
  memset(e->passed, 0, sizeof e->passed);
}

static void *create(const struct simt_config *cfg, const struct simt_stimulus *stim,
                    struct simt_diag *diag) {
  struct rr_env *e = calloc(1, sizeof *e);
  if (!e) {
    simt_fail(diag, cfg->name, "no memory", "memory for the environment");
    return NULL;
  }
  e->seed = stim->seed;
  e->directed = !strcmp(stim->kind, "directed");
  e->idle_from = stim->cycles / 2; /* without a named profile the run is divided among all */
  if (stim->profile) e->idle_from = strcmp(stim->profile, "idle") ? UINT64_MAX : 0;
  e->clients = cfg->value[ARBITER_CLIENTS];
  e->client_mask = ~(uint64_t)0 >> (64 - e->clients);
  e->count_mask = ((uint64_t)1 << cfg->value[ARBITER_COUNT_W]) - 1;
  rr_ports_bind(&e->at, cfg);
  restart(e);
  return e;
}

static bool choose(void *env, void *choice) {
  struct rr_env *e = env;
  struct rr_env_choice *c = choice;
  uint64_t a = simt_rng_next(&e->rng), b = simt_rng_next(&e->rng);
  *c = (struct rr_env_choice){.req = a | b};
  if (e->directed) {
    *c = (struct rr_env_choice){.req = ~(uint64_t)0};
    return e->cycle++ < 3 * e->clients;
  }
  if (e->cycle >= e->idle_from) {
    c->req = a % 4 ? 0 : b;
    c->reset = a >> 32 < 1 << 22; /* one cycle in 1,024 */
  }
  e->cycle++;
  return true;
}

static void drive(void *env, const void *choice, const uint32_t *out, uint32_t *in) {
  const struct rr_env *e = env;
  const struct rr_env_choice *c = choice;
  (void)out;
  uint64_t req = c->req & e->client_mask;
  in[e->at.rst] = c->reset;
  in[e->at.req] = (uint32_t)req;
  if (e->clients > 32) in[e->at.req + 1] = (uint32_t)(req >> 32);
}

/* What a grant means, from the requirements: it answers a request of the cycle before, and no
 * client sees CLIENTS others go first while it waits. */
static const char *check_grant(struct rr_env *e, uint64_t grant) {
  if (grant >= e->clients || !(e->asked >> grant & 1)) {
    snprintf(e->message, sizeof e->message, "client %u is granted without a request",
             (unsigned)grant);
    return e->message;
  }
  for (uint64_t i = 0; i < e->clients; i++)
    e->passed[i] = i != grant && (e->asked >> i & 1) ? e->passed[i] + 1 : 0;
  for (uint64_t i = 0; i < e->clients; i++)
    if (e->passed[i] >= e->clients) {
      snprintf(e->message, sizeof e->message, "client %u waits while %u others are granted",
               (unsigned)i, (unsigned)e->passed[i]);
      return e->message;
    }
  e->cover[COVER_TURN] += grant < e->last || e->clients == 1;
  e->last = grant;
  e->grants = (e->grants + 1) & e->count_mask;
  e->answered++;
  return NULL;
}

static const char *observe(void *env, const uint32_t *in, const uint32_t *out) {
  struct rr_env *e = env;
  const char *wrong = NULL;
  if (out[e->at.valid]) wrong = check_grant(e, out[e->at.grant]);
  else if (e->asked) wrong = "no client is granted after a request";
  uint64_t count = e->count_mask >> 32 ? simt_get64(&out[e->at.count]) : out[e->at.count];
  if (!wrong && count != e->grants) wrong = "the counter differs from the number of grants";

  uint64_t req = e->clients > 32 ? simt_get64(&in[e->at.req]) : in[e->at.req];
  e->cover[COVER_ALL_REQUEST] += req == e->client_mask;
  for (uint64_t i = 0; i < e->clients; i++)
    if (!(req >> i & 1)) e->passed[i] = 0;
  e->asked = req;
  if (in[e->at.rst]) {
    e->asked = e->grants = 0, e->last = e->clients - 1;
    memset(e->passed, 0, sizeof e->passed);
  }
  return wrong;
}

static uint64_t progress(const void *env, bool *busy) {
  const struct rr_env *e = env;
  *busy = e->asked != 0;
  return e->answered;
}

static const uint64_t *coverage(const void *env) { return ((const struct rr_env *)env)->cover; }

static void explain(const void *env, const uint32_t *in, char *to, size_t room) {
  const struct rr_env *e = env;
  uint64_t req = e->clients > 32 ? simt_get64(&in[e->at.req]) : in[e->at.req];
  if (in[e->at.rst]) snprintf(to, room, "reset");
  else if (!req) snprintf(to, room, "idle");
  else snprintf(to, room, "request 0x%llx", (unsigned long long)req);
}

const struct simt_verif simt_verif_arbiter = {
  .block = &simt_block_arbiter, .profiles = profiles, .directed = directed,
  .choice_size = sizeof(struct rr_env_choice), .stuck_cycles = 16,
  .create = create, .destroy = free, .restart = restart, .choose = choose, .drive = drive,
  .observe = observe, .progress = progress, .coverage = coverage, .explain = explain,
};
