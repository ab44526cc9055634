/* SPDX-License-Identifier: Apache-2.0 */
/* spool.c: gives the answers of requests that were parked or done at an arrival, one per cycle, list by list. */
#include <string.h>

#include "atomic_merge/state.h"

static struct am_answer answer_of(const struct am_model *m, const struct am_job *job, const struct am_entry *e, unsigned slot) {
  struct am_answer a = {e->req.tid, job->failed ? AM_MEMORY_ERROR : AM_OK, 0};
  if (!job->failed) a.data = job->done ? e->value : am_rebuild(&m->l, e, m->s.old[slot]);
  return a;
}

static void issue(struct am_model *m, struct am_spooled *to) {
  struct am_state *s = &m->s;
  const struct am_job *job = &s->job[s->spool_slot];
  unsigned at = s->spool_at;
  *to = (struct am_spooled){true, at == job->list.tail, s->spool_slot, at, answer_of(m, job, &s->entry[at], s->spool_slot)};
  if (to->last) s->spooling = false;
  else s->spool_at = s->entry[at].next;
  s->spooled.promised++;
}

void am_spool(struct am_model *m, const struct am_now *now) {
  struct am_state *s = &m->s;
  const unsigned last = AM_SPOOLS - 1 + m->l.extra, room = m->l.extra ? AM_SPOOL_FIFO : AM_SPOOL_FIFO / 2;
  if (s->spool[last].valid) {
    s->spooled.at[(s->spooled.first + s->spooled.n) % AM_SPOOL_FIFO] = s->spool[last].answer;
    s->spooled.n++;
  }
  if (s->spool[2].valid && s->spool[2].last) s->slot_used &= ~(1u << s->spool[2].slot);
  s->n_entries += s->given;
  s->given = s->spool[0].valid;
  if (s->given) s->free_entry[s->n_free++] = (uint16_t)s->spool[0].entry;
  memmove(&s->spool[1], &s->spool[0], last * sizeof s->spool[0]);
  s->spool[0].valid = false;
  bool arrives = now->engine == AM_AWAIT && now->drained && now->home.valid && !now->home.snoop;
  bool reads = !arrives && now->engine != AM_EVENT; /* the engine does not read the stall buffer */
  if (now->closed) return;
  if (now->spooling) {
    if (reads && s->spooled.promised < room) issue(m, &s->spool[0]);
  } else if (now->n_jobs) {
    s->spooling = true;
    s->spool_slot = s->job_queue[0];
    s->spool_at = s->job[s->spool_slot].list.head;
    s->n_jobs--;
    memmove(s->job_queue, &s->job_queue[1], s->n_jobs * sizeof *s->job_queue);
  }
}
