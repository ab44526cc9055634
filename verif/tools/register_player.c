/* SPDX-License-Identifier: Apache-2.0 */
/* register_player.c: plays register accesses to a block's model with all inputs idle, behind a reset: register_player BLOCK
 * [NAME=VALUE]... [+LIST [COLUMN=VALUE]...]... Standard input: a line `WRITE ADDRESS DATA` for each, in hexadecimal; standard output: `= ERROR DATA` in
 * binary. verif/tools/registers.py makes the list and compares. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/registers.h"

enum { MOST_WAITING = 20000 };

static void idle_inputs(const struct simt_config *cfg, uint32_t *in) {
  for (size_t i = 0; i < cfg->desc.n_ports; i++) {
    const struct simt_port *p = &cfg->desc.ports[i];
    for (unsigned b = 0; p->idle_bits && b < p->width; b++)
      in[p->word + b / 32] |= (p->idle >> b % p->idle_bits & 1) << b % 32;
  }
}

struct register_player {
  const struct simt_model_ops *ops;
  void *model;
  uint32_t *in, *out;
  struct simt_reg_ports at;
};

static void cycle(struct register_player *p) {
  p->ops->step(p->model, p->in);
  p->ops->outputs(p->model, p->out);
}

static void play(struct register_player *p, uint32_t write, uint32_t addr, uint32_t data) {
  unsigned waited = 0;
  p->in[p->at.valid] = 1, p->in[p->at.write] = write, p->in[p->at.addr] = addr, p->in[p->at.data] = data;
  for (; !p->out[p->at.ready] && waited < MOST_WAITING; waited++) cycle(p);
  cycle(p);
  p->in[p->at.valid] = 0;
  for (; !p->out[p->at.rsp] && waited < MOST_WAITING; waited++) cycle(p);
  if (waited >= MOST_WAITING) {
    puts("= no answer");
    return;
  }
  printf("= %u ", p->out[p->at.rsp_error]);
  for (unsigned b = 32; b--;) putchar('0' + (int)(p->out[p->at.rsp_data] >> b & 1));
  putchar('\n');
}

int main(int argc, char **argv) {
  struct simt_config cfg;
  struct simt_diag diag = {0};
  const struct simt_block *block = argc > 1 ? simt_find_block(argv[1]) : NULL;
  if (!block) return 2;
  const char *list = NULL; /* of the record that the values belong to */
  simt_config_init(&cfg, block);
  for (int i = 2; i < argc; i++) {
    char *value = strchr(argv[i], '=');
    if (argv[i][0] == '+') {
      list = argv[i] + 1;
      if (!simt_add_record(&cfg, list, &diag)) return 2;
      continue;
    }
    if (!value) return 2;
    *value++ = 0;
    if (list ? !simt_set_cell(&cfg, list, argv[i], value, &diag) : !simt_set_param(&cfg, argv[i], value, &diag)) return 2;
  }
  if (!simt_resolve(&cfg, &diag)) return 2;
  struct register_player p = {.ops = simt_model(&cfg), .in = calloc(cfg.desc.in_words + 1, sizeof *p.in),
                     .out = calloc(cfg.desc.out_words + 1, sizeof *p.out)};
  p.model = p.ops->create(&cfg, &diag);
  if (!p.model || !p.in || !p.out) return 3;
  simt_reg_ports_bind(&p.at, &cfg);
  idle_inputs(&cfg, p.in);
  p.ops->reset(p.model);
  p.ops->outputs(p.model, p.out);
  uint32_t write, addr, data;
  while (scanf("%x %x %x", &write, &addr, &data) == 3) play(&p, write, addr, data);
  p.ops->destroy(p.model);
  free(p.in);
  free(p.out);
  simt_config_free(&cfg);
  return 0;
}
