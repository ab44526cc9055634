/* SPDX-License-Identifier: Apache-2.0 */
/* simt.h: what a block is: its parameters, the interface they resolve to, and its cycle-exact model.
 *
 * One source per block (docs/design.md): cmodel/BLOCK/ exports one `const struct simt_block
 * simt_block_BLOCK`. Everything else (options, messages, `describe`, the Verilog top, lockstep glue,
 * register map, datasheet) walks these lists. No I/O and no global state below this header.
 */
#ifndef SIMT_H
#define SIMT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SIMT_VERSION "0.2.0"
enum { SIMT_MAX_PARAMS = 48, SIMT_NAME_MAX = 48 };

/* ---- diagnostics -------------------------------------------------------------------------------- */

/* The first error of a call, as parts. A part that does not apply is empty or 0. The one printed form is
 * `simtgen: FILE:LINE:COL: NAME: got X, expected RANGE (meaning); did you mean Y?` (gen/ prints it). */
struct simt_diag {
  bool failed;
  char file[256];
  unsigned line, col;
  char name[80];      /* parameter, key, option or file that is wrong */
  char got[120];
  char expected[240]; /* what was expected and what it means */
  char hint[240];     /* what to do next, or "did you mean Y?" */
};

/* Records an error unless one is recorded already (the first wins). Returns false, so that a check may end
 * with `return simt_fail(...)`. `expected` is a printf format. */
bool simt_fail(struct simt_diag *diag, const char *name, const char *got, const char *expected, ...)
    __attribute__((format(printf, 4, 5)));

/* ---- parameters --------------------------------------------------------------------------------- */

enum {
  SIMT_POW2 = 1,     /* only powers of two within min..max */
  SIMT_GEN_ONLY = 2  /* an option of the generator, not a parameter of the Verilog core */
};

struct simt_param {
  const char *name; /* one spelling: configuration, command line, C and Verilog */
  uint64_t def, min, max;
  unsigned flags;
  const char *const *choices; /* names of the values 0, 1, ..., ended by NULL; or NULL for a number */
  const char *unit;           /* "entries", "bits", ... or "" */
  const char *doc;            /* one line: its meaning */
  const char *req;            /* requirement id(s) */
};

/* ---- lists of records ----------------------------------------------------------------------------- */

/* What numbers do not say well: `KEY:` of the configuration file holds named lists of records (`units:
 * [{name: a}, ...]`). Each column of a record is declared; cmodel/core/records.c checks what is given. */
enum { SIMT_MAX_LISTS = 4, SIMT_MAX_COLUMNS = 8 };
enum simt_kind {
  SIMT_IDENTIFIER, /* a letter or _, then at most 30 letters, digits, _ */
  SIMT_NUMBER,
  SIMT_REFERENCE   /* the first column of a record of list `to` */
};
enum { SIMT_REQUIRED = 1, SIMT_UNIQUE = 2 };

struct simt_column {
  const char *name;
  enum simt_kind kind;
  unsigned flags;
  uint64_t def, min, max; /* of a number */
  const char *to;         /* of a reference */
  const char *unit, *doc, *req;
};

struct simt_list {
  const char *name;
  const struct simt_column *column;
  size_t n_columns, min, max; /* records, when KEY is given */
  const char *doc, *req;
};

struct simt_lists {
  const char *key, *doc;
  const struct simt_list *list;
  size_t n;
  const char *const *replaces; /* parameters that the lists stand in the place of, ended by NULL; or NULL */
};

struct simt_cell {
  char text[SIMT_NAME_MAX]; /* "" when left out */
  uint64_t number;          /* of a reference: the record's place in its list */
  bool given;
  unsigned line, col;       /* in the file; 0 when not from a file */
};
struct simt_record { unsigned line, col; struct simt_cell cell[SIMT_MAX_COLUMNS]; };
struct simt_records { /* what a configuration gives; all zero when it gives nothing */
  bool given;
  char file[256]; /* that it was read from, or "" */
  unsigned line, col;
  struct { struct simt_record *record; size_t n; } list[SIMT_MAX_LISTS];
};

/* ---- the interface that a configuration resolves to ---------------------------------------------- */

enum simt_dir { SIMT_IN, SIMT_OUT };
enum simt_role { SIMT_DATA, SIMT_CLOCK, SIMT_RESET };

struct simt_port {
  char name[SIMT_NAME_MAX];  /* with _i or _o */
  enum simt_dir dir;
  enum simt_role role;
  unsigned width;            /* bits, at least 1 */
  char valid[SIMT_NAME_MAX]; /* the port that says when this payload means something; "" = always */
  const char *group;         /* interface it belongs to: "operation", "memory", "registers", ... */
  const char *doc;
  unsigned word, words;      /* place in the input or output buffer, in 32-bit words (not for the clock) */
  unsigned idle_bits;        /* of an input that is not 0 while nothing happens: what it is, over and over; or 0 */
  uint32_t idle;
  char parts[64];            /* what stands side by side in it, for messages (simt_port_parts); "" for one value */
};

struct simt_core_input { /* only cores that contain this one drive it; 0 in the block's own module, which does not show it */
  const char *name, *doc;
  unsigned width;
};

struct simt_derived { /* a value that follows from the parameters */
  const char *name;   /* upper case: also a localparam of the core when in_core */
  uint64_t value;     /* of a vector: the number of its elements */
  bool in_core;
  const char *unit, *doc;
  bool core_param;    /* a parameter of the core that the block's user does not set: the top passes it */
  unsigned bits;      /* of each element, when it is a vector; else 0 */
  uint32_t *element;  /* of a vector; the first one stands in the lowest bits */
};

/* What becomes of a value that is written. */
enum simt_reg_rule {
  SIMT_REG_VALUES, /* refused unless least..most, with the bits 0 that must be; else it is held */
  SIMT_REG_CLIPS,  /* never refused; above most it counts as most */
  SIMT_REG_CLEARS  /* never refused; clears (w1c: where it is 1) */
};

struct simt_reg { /* a 32-bit word of the register map; wide ones take several with suffix _LO, _HI */
  char name[SIMT_NAME_MAX];
  uint32_t addr;      /* bytes */
  unsigned width;     /* bits used, from bit 0 */
  const char *access; /* "rw", "ro", "w1c", "wo" */
  uint32_t reset;
  const char *doc, *req;
  enum simt_reg_rule rule;
  uint32_t least, most, zero_bits; /* of a write */
  uint32_t acting_bits;            /* what is written there acts, and is not held */
  bool moves;                      /* what is read changes by itself from the first cycle on */
};

struct simt_field { /* bits of a register that mean something of their own */
  size_t reg;       /* place of the register in the list */
  char name[SIMT_NAME_MAX];
  unsigned low, width;
  const char *doc;
};

struct simt_cover { /* a functional coverage point; index = place in the list */
  char name[SIMT_NAME_MAX];
  const char *doc, *req;
};

/* Growing lists; made by simt_resolve, freed by simt_config_free. */
struct simt_desc {
  struct simt_port *ports;
  struct simt_derived *derived;
  struct simt_reg *regs;
  struct simt_field *fields;
  struct simt_cover *covers;
  struct simt_core_input *core_inputs;
  size_t n_ports, n_derived, n_regs, n_fields, n_covers, n_core_inputs;
  unsigned in_words, out_words; /* sizes of the input and output buffers */
  char warning[200];            /* what is legal but hardly meant, or "" */
  const char *unswitched;       /* why it halts but its context cannot be saved and loaded, or NULL */
};

struct simt_wrapper;
struct simt_bus_link;
/* A cell of the library that stands between the block and the pins, and what its parameters are. */
enum { SIMT_MAX_MEM_PORTS = 4, SIMT_MAX_WRAPS = SIMT_MAX_MEM_PORTS + 1, SIMT_WRAP_PARAMS = 8 };
struct simt_wrap {
  const struct simt_wrapper *kind; /* wrap.h */
  char port[SIMT_NAME_MAX];        /* what stands before the names of its ports, "" for a port without a name */
  struct { const char *name; uint64_t value; } param[SIMT_WRAP_PARAMS];
  size_t n_params;
};

struct simt_config {
  const struct simt_block *block;
  char name[SIMT_NAME_MAX];         /* instance name, prefix of all that is generated */
  /* The block's parameters, then the options that every block with such ports has (docs/buses.md). */
  const struct simt_param *param[SIMT_MAX_PARAMS];
  uint64_t value[SIMT_MAX_PARAMS];
  bool given[SIMT_MAX_PARAMS];      /* by simt_set_param */
  size_t n_params;
  struct simt_records records;
  struct simt_desc desc;            /* of the module that is generated */
  struct simt_config *core;         /* with wrappers: the block alone; else NULL */
  struct simt_wrap wrap[SIMT_MAX_WRAPS];
  size_t n_wraps;
  struct simt_bus_link *link;       /* environments: the bus that the memory is to play (verif/core/wrapped.h) */
  unsigned core_word;               /* with wrappers: the block's own outputs are in the output buffer from here on */
};

/* For use by a block's resolve function. Names are printf formats (loops over caches, banks, ...). */
void simt_add_port(struct simt_desc *d, enum simt_dir dir, uint64_t width, const char *valid,
                   const char *group, const char *doc, const char *name, ...)
    __attribute__((format(printf, 7, 8)));
/* The input added last is `value` in every `bits` bits (at most 32) while nothing happens. Not said: it is 0. */
void simt_port_idle(struct simt_desc *d, unsigned bits, uint32_t value);
/* What the port added last is made of: "kind:2 mask:32 pc:30", the highest bits first, or "bank*8", equal values of 8 bits for
 * bank 0, 1, ... from the lowest bits. A failure report then shows them apart. */
void simt_port_parts(struct simt_desc *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Adds a port like `p`, of another description, with what else is said of it. */
void simt_add_port_like(struct simt_desc *d, const struct simt_port *p);
void simt_add_clock_reset(struct simt_desc *d); /* clk_i and rst_i, the same in every block */
void simt_add_derived(struct simt_desc *d, const char *name, uint64_t value, bool in_core,
                      const char *unit, const char *doc);
/* Parameters of the core that follow from the configuration: a number, and a vector of n elements (copied). */
void simt_add_core_param(struct simt_desc *d, const char *name, uint64_t value, const char *unit, const char *doc);
void simt_add_core_vector(struct simt_desc *d, const char *name, unsigned bits, size_t n, const uint32_t *element,
                          const char *unit, const char *doc);
/* An input that the core has beside the ports. */
void simt_add_core_input(struct simt_desc *d, uint64_t width, const char *name, const char *doc);
void simt_add_reg(struct simt_desc *d, uint32_t addr, unsigned width, const char *access,
                  uint32_t reset, const char *req, const char *doc, const char *name, ...)
    __attribute__((format(printf, 8, 9)));
/* More about the register added last. Without it a write of any value of its width is taken and held, one of w1c clears.
 * A register is alike in the RTL (cells register_map, register_range), in the model (cmodel/core/registers.h), and
 * in every output; `make check-interface` compares the RTL and the model with what is said here. */
void simt_reg_range(struct simt_desc *d, uint32_t least, uint32_t most); /* a write of another value is refused */
void simt_reg_zero_bits(struct simt_desc *d, uint32_t mask);             /* a write is refused unless they are 0 */
void simt_reg_clips(struct simt_desc *d, uint32_t most);                 /* a write of more counts as most */
void simt_reg_clears(struct simt_desc *d);                               /* any write clears it */
void simt_reg_acting_bits(struct simt_desc *d, uint32_t mask);           /* bits that act and are not held */
void simt_reg_moves(struct simt_desc *d);                                /* it changes by itself */
/* A field of the register added last. */
void simt_add_field(struct simt_desc *d, unsigned low, unsigned width, const char *name, const char *doc);
/* The configuration is accepted, and the user told: "NAME: text". The first warning is kept. */
void simt_warn(struct simt_desc *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A front end cannot switch it; `why` names the option and what it means. */
void simt_not_switched(struct simt_desc *d, const char *why);
void simt_add_cover(struct simt_desc *d, const char *req, const char *doc, const char *name, ...)
    __attribute__((format(printf, 4, 5)));

/* The memory port that every block with remote state uses (architecture.md, RTL): byte addresses, tags,
 * `data_w`-bit words with byte strobes; every request, write or read, is answered once, in any order.
 * simt_add_reg_port: the plain register port, 32-bit words at byte addresses. */
struct simt_mem_widths { uint64_t addr_w, data_w, tag_w; };
void simt_add_mem_port(struct simt_desc *d, const struct simt_mem_widths *w);
/* One of several, at most SIMT_MAX_MEM_PORTS: `name` stands before mem_req_ and mem_rsp_, such as "l2_"; "" is the one above. */
void simt_add_named_mem_port(struct simt_desc *d, const char *name, const struct simt_mem_widths *w);
/* A port of the memory port called `name`, or NULL: (d, "l2_", "mem_req_tag_o"). */
const struct simt_port *simt_find_mem_port(const struct simt_desc *d, const char *name, const char *port);
/* The names of the memory ports in their order; returns how many there are. */
unsigned simt_mem_port_names(const struct simt_desc *d, char name[SIMT_MAX_MEM_PORTS][SIMT_NAME_MAX]);
void simt_add_reg_port(struct simt_desc *d, unsigned addr_w);

/* ---- a block ------------------------------------------------------------------------------------ */

struct simt_image; /* image.h, for blocks: what save and load walk */
struct simt_model_ops {
  /* Needs a resolved configuration, which must outlive the model. NULL and diag on lack of memory, or when the
   * configuration puts a bus in front of the block: take the operations from simt_model. */
  void *(*create)(const struct simt_config *cfg, struct simt_diag *diag);
  void (*destroy)(void *model);
  void (*reset)(void *model);                           /* the state after rst_i */
  void (*outputs)(const void *model, uint32_t *out);    /* of the state alone */
  void (*step)(void *model, const uint32_t *in);        /* one clock edge, rst_i included */
  size_t (*save)(const void *model, void *to, size_t room); /* bytes needed; writes when room suffices */
  /* False, and the model is as it was: not an image that `save` of this version wrote for this configuration. */
  bool (*load)(void *model, const void *from, size_t size);
  /* Calls visit for each statistic, in a fixed order. */
  void (*stats)(const void *model, void (*visit)(void *ctx, const char *name, uint64_t value), void *ctx);
  void (*parts)(void *model, struct simt_image *image); /* names each part of the state to the image */
};

struct simt_note { const char *title, *text; }; /* a section of the datasheet; text may hold `code` */

struct simt_block;
/* Of a block that consists of others: which block says range, default and meaning of the parameter, or its own row. */
struct simt_origin { const struct simt_block *of; const char *name; const struct simt_param *own; };

struct simt_block {
  const char *name;    /* folder name */
  const char *title;   /* one line */
  const char *summary; /* a paragraph for people */
  const struct simt_param *params;   /* n_params of them; or NULL and `origins` */
  size_t n_params;
  /* Or NULL: gives parameters that were not given values that follow from others, in place of their defaults. */
  void (*defaults)(uint64_t *value, const bool *given);
  /* Checks conditions across parameters and appends ports, derived values, registers and coverage points.
   * Values are within their ranges already. */
  bool (*resolve)(const uint64_t *value, struct simt_desc *d, struct simt_diag *diag);
  /* Instead of it, for a block that reads more of the configuration than parameters: its lists, its name. */
  bool (*resolve_config)(const struct simt_config *cfg, struct simt_desc *d, struct simt_diag *diag);
  const struct simt_lists *lists; /* or NULL */
  struct simt_model_ops model;
  const char *const *uses; /* names of the blocks whose cores its core contains, ended by NULL; or NULL for none */
  /* How to connect and drive it, ended by one without title; or NULL for none. Paragraphs of one section have the
   * same title and follow each other. */
  const struct simt_note *notes;
  const struct simt_origin *origins;
};

/* The row of the parameter at this place. */
const struct simt_param *simt_block_param(const struct simt_block *block, size_t place);

/* All blocks, by folder (generated list), ended by NULL. */
extern const struct simt_block *const simt_blocks[];
const struct simt_block *simt_find_block(const char *name);
/* The nearest known name within a small edit distance, or NULL. `names` ends with NULL. */
const char *simt_nearest(const char *got, const char *const *names);

/* A configuration of defaults, unresolved, named after the block. */
void simt_config_init(struct simt_config *cfg, const struct simt_block *block);
/* Index of a parameter, or -1. */
int simt_param_index(const struct simt_config *cfg, const char *name);
/* One value from text (number or choice); checks kind, range and power of two; nothing changes on error. */
bool simt_set_param(struct simt_config *cfg, const char *name, const char *text, struct simt_diag *diag);
/* Appends a record to a list of the block by name, then sets its cells by column; checked as far as one record
 * goes; NULL and diag if wrong. The rest (what is required, unique, referred to) is checked by simt_resolve. */
struct simt_record *simt_add_record(struct simt_config *cfg, const char *list, struct simt_diag *diag);
struct simt_cell *simt_set_cell(struct simt_config *cfg, const char *list, const char *column, const char *text,
                                struct simt_diag *diag);
/* Whether the parameter at this place has no meaning, because lists are given that replace it. */
bool simt_replaced(const struct simt_config *cfg, size_t param);
/* Replaces the records of `to`, which has the same lists. False on lack of memory. */
bool simt_copy_records(struct simt_config *to, const struct simt_config *from);
/* simt_fail, with a place in the file that the records come from. */
bool simt_fail_at(struct simt_diag *diag, const struct simt_records *in, unsigned line, unsigned col, const char *name,
                  const char *got, const char *expected, ...) __attribute__((format(printf, 7, 8)));
/* Value of a parameter that exists. */
uint64_t simt_param(const struct simt_config *cfg, const char *name);
/* Value of a derived value of a resolved configuration that exists. */
uint64_t simt_derived(const struct simt_config *cfg, const char *name);
/* The text form of a value (choice name or decimal number). */
const char *simt_value_text(const struct simt_param *p, uint64_t value, char buf[24]);
/* A derived value by name, or NULL. */
const struct simt_derived *simt_find_derived(const struct simt_config *cfg, const char *name);
/* Fills cfg->desc. May be called once after the last simt_set_param. */
bool simt_resolve(struct simt_config *cfg, struct simt_diag *diag);
void simt_config_free(struct simt_config *cfg);
/* The cycle model of a resolved configuration: the block's, or block and wrappers as one. */
const struct simt_model_ops *simt_model(const struct simt_config *cfg);
/* For a block's `create`: refuses a configuration with wrappers, whose ports are not the block's. */
bool simt_check_plain(const struct simt_config *cfg, struct simt_diag *diag);
/* The configuration of the block alone: the same, when there are no wrappers. */
const struct simt_config *simt_plain(const struct simt_config *cfg);
/* A port by name in a resolved configuration, or NULL. */
const struct simt_port *simt_find_port(const struct simt_config *cfg, const char *name);

/* ---- small helpers for models --------------------------------------------------------------------- */

unsigned simt_clog2(uint64_t n); /* bits to count 0..n-1; 0 for n <= 1 */

static inline unsigned simt_max1(unsigned n) { return n ? n : 1; } /* ports are at least 1 bit */

static inline uint32_t simt_ones(unsigned width) { return width < 32 ? (1u << width) - 1 : ~0u; } /* in the low bits */

static inline uint64_t simt_get64(const uint32_t *w) { return w[0] | (uint64_t)w[1] << 32; }
static inline void simt_put64(uint32_t *w, uint64_t v) { w[0] = (uint32_t)v; w[1] = (uint32_t)(v >> 32); }

/* A field of `width` bits, 1 to 64, from bit `low` of a vector of 32-bit words. */
static inline uint64_t simt_get_bits(const uint32_t *w, unsigned low, unsigned width) {
  uint64_t v = 0;
  for (unsigned done = 0; done < width; done += 32 - (low + done) % 32)
    v |= (uint64_t)(w[(low + done) / 32] >> (low + done) % 32) << done;
  return width < 64 ? v & (((uint64_t)1 << width) - 1) : v;
}
static inline void simt_put_bits(uint32_t *w, unsigned low, unsigned width, uint64_t v) {
  for (unsigned done = 0; done < width;) {
    unsigned at = (low + done) % 32, n = width - done < 32 - at ? width - done : 32 - at;
    uint32_t mask = simt_ones(n) << at, *word = &w[(low + done) / 32];
    *word = (*word & ~mask) | ((uint32_t)(v >> done) << at & mask);
    done += n;
  }
}

/* The memory of a block at the level of transactions, as callbacks. Addresses are in bytes, aligned to a word of the
 * block's memory port (a set of a stack cache): `size` bytes. An access to a word is never under way together with
 * another one of it that writes. What was never written may read as anything. */
struct simt_remote {
  /* 0, or an error code 1..3 (a greater one, such as an errno, counts as 3), which marks the thread of the access as
   * faulted. Writes are called in the cycle that takes the request, reads in the one that answers it. Both are always
   * of a whole word: when the block writes only a part of one (a flush), it is read first, the part changed, and the
   * whole written, all in the cycle of the write; an error of this read is the error of the write. */
  unsigned (*read)(void *ctx, uint64_t addr, void *data, size_t size);
  unsigned (*write)(void *ctx, uint64_t addr, const void *data, size_t size);
  /* Cycles from the request to its answer, at least 1 (0 counts as 1); answers may overtake each other. NULL:
   * `cycles` for all, at least 1. */
  unsigned (*latency)(void *ctx, uint64_t cycle, uint64_t addr, bool write);
  unsigned cycles;
  void *ctx;
};

#ifdef __cplusplus
}
#endif
#endif
