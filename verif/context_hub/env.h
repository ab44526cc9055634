/* SPDX-License-Identifier: Apache-2.0 */
/* env.h: what the parts of the environment share: units that keep the port contract (units.c), the golden model of whole
 * contexts (golden.c), spoiled images (spoil.c), commands at random or from a list (verif.c, directed.c). */
#ifndef HUB_ENV_H
#define HUB_ENV_H

#include "context_hub/layout.h"
#include "core/context_port.h"
#include "core/memory.h"
#include "core/ports.h"
#include "core/verif.h"

enum { TRACKED = 8, N_BASES = 4, N_SLOTS = 3, N_HOMES = N_BASES + N_SLOTS };
/* An image in memory: magic word, type and unit, configuration, length, payload, checksum. A slot has a unit's words alone. */
enum { MOST_WORDS = 2100, MAGIC = 0x55430200, HEAD = 4, FRAME = HEAD + 1, SLOT_FRAME = 3, UNIT_TYPE = 0x2b };
static const uint32_t CFG_HASH_OF_UNITS = 0x1f2e3d4c;

struct content { bool valid; uint32_t len, word[MOST_WORDS]; };

/* A unit as its context port shows it. */
struct played {
  uint32_t number;
  struct simt_context_port port;
  struct content now;
  uint32_t staged[MOST_WORDS], at;
  uint64_t clear_until;
  bool released;
};

enum hub_env_spoil {
  SPOIL_NONE, SPOIL_FLIP, SPOIL_MAGIC, SPOIL_FORMAT, SPOIL_TYPE, SPOIL_CONFIG, SPOIL_UNIT, SPOIL_LONG, SPOIL_SHORT, SPOIL_ZERO,
  SPOIL_HUGE, SPOIL_CUT, SPOIL_SUM, SPOIL_GARBAGE, N_SPOILS
};

struct hub_env_command {
  uint32_t unit, tracked; /* tracked: which of e->unit, or TRACKED: a unit that does not exist */
  bool load;
  uint32_t slot, home;    /* home: place of the images in memory */
  uint64_t base;
  enum hub_env_spoil spoil;
  uint32_t aim;           /* of the spoiling */
  uint32_t len;           /* a save: new content of so many words first, or NO_WORDS; 0: as it is */
  int fail, release;      /* word that memory fails at; words after which the unit is released; -1: none */
  int expect;             /* of a directed test: error that must come, ANY_ERROR, or -1: not said */
};
enum { ANY_ERROR = -2, NO_WORDS = 1 << 20 };

enum { GO = 1, UNIT_OUT = 2, UNIT_IN = 4, CMD_READY = 8, SPOILS = 16, RELEASES = 32, RESETS = 64, NEW_CONTENT = 128, LONG = 256,
  WILD = 512 };
struct hub_env_choice { uint64_t mem; uint32_t aim, data, noise, flags; };

enum { N_PROFILES = 5 };
enum why { NEVER, FAILED, RESET };

#define HUB_ENV_PORTS(PORT) \
  PORT(rst, rst_i) PORT(valid, hub_valid_i) PORT(ready, hub_ready_o) PORT(load, hub_load_i) \
  PORT(unit, hub_unit_i) PORT(slot, hub_slot_i) PORT(base, hub_base_i) PORT(done, hub_done_o) \
  PORT(error, hub_error_o) PORT(cmd_valid, ctx_cmd_valid_o) PORT(cmd_load, ctx_cmd_load_o) \
  PORT(cmd_ready, ctx_cmd_ready_i) PORT(ctx_done, ctx_done_i) PORT(ctx_error, ctx_error_i) \
  PORT(out_valid, ctx_out_valid_i) PORT(out_ready, ctx_out_ready_o) PORT(out_data, ctx_out_data_i) \
  PORT(out_last, ctx_out_last_i) PORT(in_valid, ctx_in_valid_o) PORT(in_ready, ctx_in_ready_i) \
  PORT(in_data, ctx_in_data_o) PORT(in_last, ctx_in_last_o) PORT(in_error, ctx_in_error_o) \
  PORT(req_valid, mem_req_valid_o) PORT(req_ready, mem_req_ready_i)
SIMT_PORTS(hub_env_ports, HUB_ENV_PORTS)

struct hub_env {
  struct simt_rng rng, content;
  struct simt_memory *memory;
  struct hub_layout l;
  uint64_t seed, cycle, part, done, words;
  unsigned profile;
  bool directed, finished, plain;
  unsigned test, first_test, end_test;
  uint32_t step;
  uint64_t base[N_BASES], addr_mask;
  unsigned n_bases, region; /* region: words of an image at most */

  struct hub_env_ports at;

  struct played *unit;     /* TRACKED of them */
  struct content *saved;   /* by tracked unit and home: what must come back; valid: a good image is there */
  bool refused[TRACKED][N_HOMES];
  enum why why[TRACKED][N_SLOTS];
  unsigned active, before; /* units whose ports mean something */
  uint32_t *noise;         /* the inputs of all others */
  uint32_t unit_flags, unit_draw; /* of this cycle's choice */
  bool wild;               /* units answer anything */

  bool offered, running;
  struct hub_env_command offer, c; /* c: taken */
  uint32_t moved, asked, answered; /* words from or to the unit; requests; answers */
  int failed_first;        /* lowest word that memory failed at; -1 */
  bool unit_done, stalled, was_released, reset_wanted;
  uint8_t unit_error, said; /* said: bits of the errors that it gave */
  uint32_t held[3];        /* the word that waits for the unit: data, last, error */
  uint64_t image;          /* its address */
  uint32_t *backup;        /* words of a spoiled image */
  uint32_t n_backup;
  uint64_t taken_at, last_cycles;

  uint64_t cover[HUB_COVERS];
  char message[200];
};

const char *hub_wrong(struct hub_env *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* units.c: a unit's outputs into `in`; its clock edge. */
void hub_units_restart(struct hub_env *e);
void hub_unit_new_content(struct hub_env *e, struct played *u, uint32_t len);
void hub_unit_drive(struct hub_env *e, uint32_t *in);
void hub_unit_step(struct hub_env *e, const uint32_t *in, const uint32_t *out);

/* spoil.c: images word by word; addresses wrap as the hub's do. */
uint32_t hub_image_word(struct hub_env *e, uint32_t index);
void hub_image_poke(struct hub_env *e, uint32_t index, uint32_t word);
uint32_t hub_checksum(const uint32_t *word, uint32_t n, uint32_t crc); /* begin with all ones; not complemented */
void hub_spoil_image(struct hub_env *e);
void hub_mend_image(struct hub_env *e);
void hub_wild_header(struct hub_env *e); /* mostly a good one, of any length */

/* golden.c */
void hub_golden_restart(struct hub_env *e);
void hub_golden_reset(struct hub_env *e);
const char *hub_golden_observe(struct hub_env *e, const uint32_t *in, const uint32_t *out);

/* directed.c */
enum { N_DIRECTED = 9 };
extern const struct simt_named hub_directed[N_DIRECTED + 1];
/* The next command of test e->test, number e->step; false at its end. */
bool hub_directed_next(struct hub_env *e, struct hub_env_command *c);
/* Behind a command that has ended: NULL or what is wrong; may ask for a reset. */
const char *hub_directed_ended(struct hub_env *e);

#endif
