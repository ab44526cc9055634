/* SPDX-License-Identifier: Apache-2.0 */
/* unit_front.h: the front end in the environment of a unit: it halts and releases the unit, resets it, saves and loads its
 * contexts, now and then a spoiled one, of which it knows from the format alone how it must be refused; and what must hold
 * of the state that the unit reports (US-1, US-3, US-7, US-9), and of what it announces under a halt request (US-14). Nothing here
 * is shared with the models.
 *
 * A block's environment keeps a struct simt_front and its golden model by slots. In each cycle
 *   drive    simt_front_drive: obeys the order of the cycle's choice; orders that would break a rule of the block (a save
 *            while a register is being written) the block leaves out before;
 *   observe  simt_front_state, then the block's own checks; simt_front_words, which calls the block back when a save or a
 *            load has ended; simt_front_step, the clock edge. */
#ifndef SIMT_UNIT_FRONT_H
#define SIMT_UNIT_FRONT_H

#include "core/context_port.h"
#include "core/unit_status.h"
#include "core/verif.h"

enum simt_order { SIMT_NO_ORDER, SIMT_HALT, SIMT_RELEASE, SIMT_UNIT_RESET, SIMT_RESUME, SIMT_SAVE, SIMT_LOAD };
enum simt_spoil { /* how a context is spoiled; the last two by the block: nonsense with a good length, and ended early */
  SIMT_WHOLE, SIMT_FLIP, SIMT_CUT, SIMT_LONGER, SIMT_UNREADABLE, SIMT_OTHER_UNIT, SIMT_OTHER_TYPE, SIMT_OTHER_SHAPE,
  SIMT_OTHER_LENGTH, SIMT_NONSENSE, SIMT_SHORTER, SIMT_SPOILS
};
enum simt_front_event { /* for coverage; the first four by the state that a halt was reached from */
  SIMT_FROM_EMPTY, SIMT_FROM_ACTIVE, SIMT_FROM_STALLED, SIMT_FROM_QUIESCENT, SIMT_HALT_WITHDRAWN, SIMT_SAVED,
  SIMT_SAVED_AGAIN, SIMT_LOADED, SIMT_REFUSED_HEADER, SIMT_REFUSED_PAYLOAD, SIMT_BROKEN, SIMT_LOADED_BEFORE_RESET
};

enum { SIMT_FRONT_PORTS = 32 };

/* What the front end is told in a cycle. */
struct simt_front_choice {
  enum simt_order order;
  unsigned slot;
  enum simt_spoil spoil; /* of a load */
  uint32_t place;        /* where */
  bool takes, gives;     /* a word of a save, of a load */
};

/* What a block says of itself and does. */
struct simt_front_unit {
  uint32_t type, number, ctx_max;
  unsigned status;             /* parameter STATUS: the encoding + 1 */
  unsigned slots;              /* contexts that are kept */
  bool breaks;                 /* a reset is obeyed in the middle of a save or load, too; a release, when all of a load is given */
  const char *const *shape;    /* parameters that the configuration hash is of, in order; NULL at the end */
  uint32_t shape_more;         /* and this number behind them, if not 0 */
  /* Under a halt request an output that has no ready announces nothing: each `x_valid_o` of the block without an `x_ready_i`, but
   * for those that only answer what was taken before: whoever waits for them does not halt. NULL at the end. */
  const char *const *answers;
  unsigned late;               /* cycles behind the request in which a unit still reports what came of what left before it */
  const char *const *pulses;   /* outputs of this kind whose names do not end in _valid_o; NULL: there is none */
  /* Changes words of a payload to what no save can have written. */
  void (*nonsense)(const void *env, uint32_t *payload, uint32_t place);
  /* A context was saved: what is wrong with it, or NULL; the golden model is kept for the slot. */
  const char *(*saved)(void *env, unsigned slot, const uint32_t *payload, unsigned words);
  void (*loaded)(void *env, unsigned slot);  /* the golden model is that of the slot */
  void (*cleared)(void *env);                /* a load was refused behind its header: as after a reset */
  void (*event)(void *env, enum simt_front_event what);
};

struct simt_front {
  const struct simt_front_unit *unit;
  void *env;
  struct simt_status_ports status_at;
  struct simt_context_ports ctx_at;
  uint32_t hash;
  const struct simt_port *announces[SIMT_FRONT_PORTS]; /* outputs that have no ready, but for answers */
  const struct simt_port *streams[SIMT_FRONT_PORTS];   /* each valid and ready of the block, context and registers apart */
  unsigned n_announces, n_streams;
  bool level, offered;     /* cmd_halt_i; a save or load is offered and not taken */
  enum { SIMT_FRONT_IDLE, SIMT_FRONT_SAVING, SIMT_FRONT_LOADING } doing;
  unsigned slot, fresh;    /* fresh: 1 + the slot that was just loaded or saved, while nothing has changed since: a save gives it again */
  bool just_loaded;        /* fresh: it was loaded */
  bool drops;              /* from the block: behind a reset or a refused load what comes in is dropped, halted or not */
  unsigned room, at, n;    /* of `stream`; words that have moved; in all, 0: not known */
  unsigned found, expected;/* what the store says with the last word of a load; how it must end */
  unsigned given;          /* cycles since the last word of a load was taken */
  bool in_payload;         /* it is refused behind its header */
  bool broken, cleared;    /* the unit is reset or released in the middle of it; has cleared itself */
  unsigned requested;      /* cycles of this halt request */
  uint64_t moved;          /* words, ever */
  enum simt_unit_state state, last;
  bool halt_req, ctx_reset;   /* at the unit in this cycle */
  bool was_halt, was_reset;   /* in the last one */
  uint32_t *stream;        /* of the save or load under way */
  struct simt_front_slot { bool valid; unsigned n; uint32_t *words; } *slots;
  char message[160];
};

bool simt_front_create(struct simt_front *f, const struct simt_config *cfg, const struct simt_front_unit *unit, void *env);
void simt_front_destroy(struct simt_front *f);
/* Profiles (ended by NULL) that are about halts ask for a unit: false, and why in diag, when one of them is wanted and `status`
 * is 0. */
bool simt_front_suits(const struct simt_stimulus *stim, const char *const *profiles, unsigned status, struct simt_diag *diag);
/* As after rst_i; `forget`: the saved contexts too. */
void simt_front_reset(struct simt_front *f, bool forget);

void simt_front_drive(struct simt_front *f, const struct simt_front_choice *c, uint32_t *in);
const char *simt_front_state(struct simt_front *f, const uint32_t *out);
const char *simt_front_words(struct simt_front *f, const uint32_t *in, const uint32_t *out);
void simt_front_step(struct simt_front *f, const uint32_t *in);

/* How a load of n words must end, from the format alone, when the last one comes with `found`, what its store found;
 * *payload: the error is found behind the header. */
enum simt_context_error simt_front_judge(const struct simt_front *f, const uint32_t *w, unsigned n, unsigned found,
                                         bool *payload);

/* Nothing is taken and nothing leaves in this cycle: under a halt request, while halted, in a reset. */
static inline bool simt_front_closed(const struct simt_front *f) {
  return f->halt_req || f->ctx_reset || f->state == SIMT_HALTED;
}

#endif
