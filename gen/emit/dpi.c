/* SPDX-License-Identifier: Apache-2.0 */
/* dpi.c: a checker to be bound to the instances of a module in any simulator of IEEE 1800 with DPI: SystemVerilog that
 * hands the ports to C in each cycle, and that C, which runs the model of libsimt (docs/in_your_flow.md). */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "gen.h"

enum { KEEP = 200 }; /* cycles of the waveform, unless the user says otherwise */

/* ---- SystemVerilog --------------------------------------------------------------------------------------------- */

static int by_word(const void *a, const void *b) {
  const struct simt_port *x = *(const struct simt_port *const *)a, *y = *(const struct simt_port *const *)b;
  return (x->word > y->word) - (x->word < y->word);
}

/* A buffer of the model as one vector: each port at its place, 0 between. */
static void buffer(struct text *t, const struct simt_config *cfg, enum simt_dir dir) {
  const struct simt_desc *d = &cfg->desc;
  const struct simt_port **port = malloc((d->n_ports + 1) * sizeof *port);
  unsigned above = 32 * (dir == SIMT_IN ? d->in_words : d->out_words);
  const char *before = "";
  size_t n = 0;
  if (!port) abort();
  for (size_t i = 0; i < d->n_ports; i++)
    if (d->ports[i].dir == dir && d->ports[i].role != SIMT_CLOCK) port[n++] = &d->ports[i];
  qsort(port, n, sizeof(*port), by_word);
  text_add(t, "  wire [%u:0] %s = {\n", above - 1, dir == SIMT_IN ? "inputs" : "outputs");
  while (n--) {
    const struct simt_port *p = port[n];
    const unsigned low = 32 * p->word, pad = above - low - p->width;
    text_add(t, "%s    ", before);
    if (pad) text_add(t, "%u'd0, ", pad);
    text_add(t, "%s", p->name);
    above = low;
    before = ",\n";
  }
  if (above) text_add(t, ",\n    %u'd0", above);
  text_add(t, "\n  };\n");
  free(port);
}

static void unknown(struct text *t, const struct simt_config *cfg) {
  const struct simt_desc *d = &cfg->desc;
  text_add(t, "  wire [%zu:0] unknown = {\n", (d->n_ports + 31) / 32 * 32 - 1);
  if (d->n_ports % 32) text_add(t, "    %zu'd0,\n", 32 - d->n_ports % 32);
  for (size_t i = d->n_ports; i--;)
    if (d->ports[i].role == SIMT_CLOCK) text_add(t, "    1'b0%s\n", i ? "," : "");
    else text_add(t, "    $isunknown(%s)%s\n", d->ports[i].name, i ? "," : "");
  text_add(t, "  };\n");
}

static void emit_checker(struct text *t, const struct simt_config *cfg) {
  const struct simt_desc *d = &cfg->desc;
  const char *n = cfg->name, *clock = "clk_i", *reset = "rst_i";
  char what[200], hex[17];
  config_hash(cfg, hex);
  snprintf(what, sizeof what, "%s_lockstep.sv: the C model beside every instance of %s", n, n);
  emit_header_comment(t, cfg, "//", what);
  text_add(t, "//\n// bind %s %s_lockstep u_lockstep (.*);\n//\n"
              "// It compares every output at every rising edge of the clock, from the first one behind a reset. Simulate it with\n"
              "// %s_lockstep.c and libsimt.\n`default_nettype none\n\nmodule %s_lockstep #(\n"
              "  parameter integer KEEP = %d, // cycles that the waveform of a fault shows\n"
              "  parameter integer STOP = 1    // 1: a fault ends the simulation; 0: it goes on, and the next reset starts anew\n"
              ") (\n  // The ports of %s, all of them as inputs.\n", n, n, n, n, KEEP, n);
  for (size_t i = 0; i < d->n_ports; i++) {
    const struct simt_port *p = &d->ports[i];
    char range[32] = "";
    if (p->width > 1) snprintf(range, sizeof range, "[%u:0]", p->width - 1);
    text_add(t, "  input wire %8s %s%s\n", range, p->name, i + 1 == d->n_ports ? "" : ",");
    if (p->role == SIMT_CLOCK) clock = p->name;
    if (p->role == SIMT_RESET) reset = p->name;
  }
  text_add(t, ");\n\n"
              "  import \"DPI-C\" function chandle %s_lockstep_open(input string version, input string configuration,\n"
              "    input string path, input int keep);\n"
              "  import \"DPI-C\" function string %s_lockstep_text(input chandle handle);\n"
              "  import \"DPI-C\" function int %s_lockstep_cycle(input chandle handle, input bit [%u:0] inputs,\n"
              "    input bit [%u:0] outputs, input bit [%zu:0] unknown);\n"
              "  import \"DPI-C\" function string %s_lockstep_close(input chandle handle, input string reset);\n\n",
           n, n, n, 32 * d->in_words - 1, 32 * d->out_words - 1, (d->n_ports + 31) / 32 * 32 - 1, n);
  text_add(t, "  // The buffers of the C model: each port in 32-bit words of its own.\n");
  buffer(t, cfg, SIMT_IN);
  buffer(t, cfg, SIMT_OUT);
  text_add(t, "  // A bit for each port: it has an X or a Z.\n");
  unknown(t, cfg);
  text_add(t, "\n  chandle handle;\n  bit     ready;\n\n"
              "  initial begin\n"
              "    handle = %s_lockstep_open(\"%s\", \"%s\", $sformatf(\"%%m\"), KEEP);\n"
              "    ready = %s_lockstep_text(handle) == \"\";\n"
              "    if (!ready) $display(\"%%s\", %s_lockstep_text(handle));\n"
              "    if (!ready) $fatal(1, \"the lockstep checker cannot run\");\n"
              "  end\n\n", n, SIMT_VERSION, hex, n, n);
  text_add(t, "  always @(posedge %s)\n"
              "    if (ready && %s_lockstep_cycle(handle, inputs, outputs, unknown) != 0) begin\n"
              "      $display(\"%%s\", %s_lockstep_text(handle));\n"
              "      $display(\"  at time %%0t\", $time);\n"
              "      if (STOP != 0) $fatal(1, \"Verilog and model differ\");\n"
              "    end\n\n"
              "  final\n    if (ready) $display(\"%%s\", %s_lockstep_close(handle, \"%s\"));\n\n"
              "endmodule\n\n`default_nettype wire\n", clock, n, n, n, reset);
}

/* ---- C --------------------------------------------------------------------------------------------------------- */

/* The part that is the same for every instance; @ stands for the instance's name, # for it in capitals. */
static const char program[] =
    "#include <inttypes.h>\n#include <lockstep_checker.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\n"
    "#include \"../model/@_ports.h\"\n\n"
    "#ifdef __cplusplus\nextern \"C\" {\n#endif\n"
    "/* What the simulator calls (svBitVecVal is uint32_t). Some simulators compile this file as C++. */\n"
    "void *@_lockstep_open(const char *version, const char *configuration, const char *path, int keep);\n"
    "const char *@_lockstep_text(void *handle);\n"
    "int @_lockstep_cycle(void *handle, const uint32_t *inputs, const uint32_t *outputs, const uint32_t *unknown);\n"
    "const char *@_lockstep_close(void *handle, const char *reset);\n"
    "#ifdef __cplusplus\n}\n#endif\n\n"
    "struct lockstep { /* one bound instance */\n"
    "  struct simt_config cfg;\n"
    "  struct simt_checker *checker;\n"
    "  char path[256];        /* of the instance */\n"
    "  char *text;            /* for the simulator to print; never NULL */\n"
    "  size_t size, room;\n"
    "  unsigned faults;\n"
    "};\n\n"
    "static void put_text(void *ctx, const char *text, size_t size) {\n"
    "  struct lockstep *l = (struct lockstep *)ctx;\n"
    "  if (l->size + size >= l->room) {\n"
    "    const size_t room = 2 * (l->size + size) + 256;\n"
    "    char *bigger = (char *)realloc(l->text, room);\n"
    "    if (!bigger) return; /* the text is cut */\n"
    "    l->text = bigger;\n"
    "    l->room = room;\n"
    "  }\n"
    "  memcpy(l->text + l->size, text, size);\n"
    "  l->text[l->size += size] = 0;\n"
    "}\n\n"
    "static void put_file(void *ctx, const char *text, size_t size) { fwrite(text, 1, size, (FILE *)ctx); }\n\n"
    "static void refuse(struct lockstep *l, const char *what, const char *got, const char *expected, const char *todo) {\n"
    "  const char *const piece[] = {\"simtgen: \", l->path, \": \", what, \": got \", got, \", expected \", expected, \"; \", todo};\n"
    "  l->size = 0;\n"
    "  for (size_t i = 0; i < sizeof piece / sizeof *piece; i++) put_text(l, piece[i], strlen(piece[i]));\n"
    "}\n\n"
    "/* The configuration, made again by the library. */\n"
    "static int resolve(struct lockstep *l, struct simt_diag *diag) {\n"
    "#define PARAMETER(name, value) if (!simt_set_param(&l->cfg, name, value, diag)) return 0;\n"
    "  #_PARAMETERS(PARAMETER)\n";

static const char program_records[] =
    "  static const struct { const char *list; unsigned record; const char *column, *value; } cells[] = {\n"
    "#define CELL(list, record, column, value) {list, record, column, value},\n"
    "    #_RECORDS(CELL)\n"
    "  };\n"
    "  for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {\n"
    "    const int first = !i || strcmp(cells[i].list, cells[i - 1].list) || cells[i].record != cells[i - 1].record;\n"
    "    if (first && !simt_add_record(&l->cfg, cells[i].list, diag)) return 0;\n"
    "    if (!simt_set_cell(&l->cfg, cells[i].list, cells[i].column, cells[i].value, diag)) return 0;\n"
    "  }\n";

static const char program_rest[] =
    "  return simt_resolve(&l->cfg, diag);\n"
    "}\n\n"
    "static void start(struct lockstep *l, unsigned keep) {\n"
    "  struct simt_diag diag = {0};\n"
    "  const struct simt_block *block = simt_find_block(#_BLOCK);\n"
    "  char hash[2][17];\n"
    "  if (!block) {\n"
    "    refuse(l, \"libsimt\", \"a library without it\", \"the model of \" #_BLOCK, \"link the library of this simtgen\");\n"
    "    return;\n"
    "  }\n"
    "  simt_config_init(&l->cfg, block);\n"
    "  snprintf(l->cfg.name, sizeof l->cfg.name, \"@\");\n"
    "  if (!resolve(l, &diag)) {\n"
    "    refuse(l, diag.name, diag.got, diag.expected, \"link the library that belongs to the Verilog\");\n"
    "    return;\n"
    "  }\n"
    "  snprintf(hash[0], sizeof hash[0], \"%016\" PRIx64, simt_config_hash(&l->cfg));\n"
    "  snprintf(hash[1], sizeof hash[1], \"%016\" PRIx64, MODEL);\n"
    "  if (strcmp(hash[0], hash[1])) {\n"
    "    refuse(l, \"libsimt: configuration\", hash[0], hash[1], \"link the library that belongs to the Verilog\");\n"
    "    return;\n"
    "  }\n"
    "  l->checker = simt_checker_create(&l->cfg, keep, &diag);\n"
    "  if (!l->checker) refuse(l, diag.name, diag.got, diag.expected, \"free some memory\");\n"
    "}\n\n"
    "/* `path` is of the checker, which stands in the instance. */\n"
    "void *@_lockstep_open(const char *version, const char *configuration, const char *path, int keep) {\n"
    "  struct lockstep *l = (struct lockstep *)calloc(1, sizeof *l);\n"
    "  const char *last = strrchr(path, '.');\n"
    "  if (!l) return NULL;\n"
    "  snprintf(l->path, sizeof l->path, \"%.*s\", (int)(last ? (size_t)(last - path) : strlen(path)), path);\n"
    "  put_text(l, \"\", 0);\n"
    "  if (!l->text) {\n"
    "    free(l);\n"
    "    return NULL;\n"
    "  }\n"
    "  if (strcmp(version, VERSION))\n"
    "    refuse(l, \"@_lockstep.c\", \"version \" VERSION, version, \"which is that of @_lockstep.sv: take both from one folder\");\n"
    "  else if (strcmp(configuration, CONFIGURATION))\n"
    "    refuse(l, \"@_lockstep.c\", \"configuration \" CONFIGURATION, configuration,\n"
    "           \"which is that of @_lockstep.sv: take both from one folder\");\n"
    "  else if (strcmp(SIMT_VERSION, VERSION))\n"
    "    refuse(l, \"headers of libsimt\", \"version \" SIMT_VERSION, VERSION, \"which is that of the Verilog: generate it again\");\n"
    "  else if (strcmp(simt_version(), VERSION))\n"
    "    refuse(l, \"libsimt\", simt_version(), \"version \" VERSION, \"which is that of the Verilog: link that library\");\n"
    "  else start(l, keep > 0 ? (unsigned)keep : 0);\n"
    "  return l;\n"
    "}\n\n"
    "/* Why the checker cannot run, or what the last fault was; \"\" when nothing is wrong. */\n"
    "const char *@_lockstep_text(void *handle) {\n"
    "  const struct lockstep *l = (const struct lockstep *)handle;\n"
    "  return l ? l->text : \"simtgen: @_lockstep: no memory\";\n"
    "}\n\n"
    "/* The cycles before the first fault, in the working folder. */\n"
    "static void write_wave(struct lockstep *l) {\n"
    "  char name[sizeof l->path + 16];\n"
    "  snprintf(name, sizeof name, \"%s_mismatch.vcd\", l->path);\n"
    "  for (char *c = name; *c; c++)\n"
    "    if (!strchr(\"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-\", *c)) *c = '_';\n"
    "  FILE *file = fopen(name, \"w\");\n"
    "  const struct simt_sink sink = {put_file, file};\n"
    "  const int whole = file && simt_checker_wave(l->checker, sink) && !ferror(file);\n"
    "  const char *said = (file && fclose(file)) || !whole ? \"\\n  this waveform cannot be written: \" : \"\\n  waveform: \";\n"
    "  put_text(l, said, strlen(said));\n"
    "  put_text(l, name, strlen(name));\n"
    "}\n\n"
    "/* One rising edge of the clock; 1: there is a fault, and its text. */\n"
    "int @_lockstep_cycle(void *handle, const uint32_t *inputs, const uint32_t *outputs, const uint32_t *unknown) {\n"
    "  struct lockstep *l = (struct lockstep *)handle;\n"
    "  const struct simt_sink sink = {put_text, l};\n"
    "  char what[sizeof l->path + sizeof WHAT + 16];\n"
    "  if (simt_checker_cycle(l->checker, inputs, outputs, unknown) <= SIMT_CHECKED_SAME) return 0;\n"
    "  l->size = 0;\n"
    "  snprintf(what, sizeof what, WHAT \" instance %s\", l->path);\n"
    "  simt_checker_say(l->checker, what, sink);\n"
    "  if (!l->faults++) write_wave(l);\n"
    "  return 1;\n"
    "}\n\n"
    "/* The end of the simulation: how much was compared. */\n"
    "const char *@_lockstep_close(void *handle, const char *reset) {\n"
    "  struct lockstep *l = (struct lockstep *)handle;\n"
    "  static char text[sizeof l->path + 160];\n"
    "  const uint64_t n = simt_checker_compared(l->checker);\n"
    "  if (n) snprintf(text, sizeof text, \"lockstep: %s: %\" PRIu64 \" cycles compared, %u faults\", l->path, n, l->faults);\n"
    "  else snprintf(text, sizeof text, \"lockstep: %s: NOTHING COMPARED: no clock edge behind one at which %s was 1\", l->path, reset);\n"
    "  simt_checker_destroy(l->checker);\n"
    "  simt_config_free(&l->cfg);\n"
    "  free(l->text);\n"
    "  free(l);\n"
    "  return text;\n"
    "}\n";

/* The program with the instance's name in it. */
static void add_program(struct text *t, const struct simt_config *cfg, const char *s) {
  char capitals[SIMT_NAME_MAX];
  size_t k = 0;
  do capitals[k] = (char)toupper((unsigned char)cfg->name[k]); while (cfg->name[k++]);
  while (*s) {
    const size_t n = strcspn(s, "@#");
    const bool macro = s[n] == '#' && s[n + 1] == '_'; /* no directive */
    text_add_bytes(t, s, n);
    s += n;
    if (*s == '@') text_add(t, "%s", cfg->name);
    else if (*s) text_add(t, "%s", macro ? capitals : "#");
    if (*s) s++;
  }
}

static void emit_program(struct text *t, const struct simt_config *cfg) {
  char what[200], hex[17];
  struct text changes = {0};
  struct simt_config same = *cfg; /* its lists stand in the output's configuration file, too */
  snprintf(same.records.file, sizeof same.records.file, "config.yaml");
  memset(same.given, 0, sizeof same.given); /* config.yaml gives all: the text is to be the same from it */
  config_hash(cfg, hex);
  config_changes(&changes, " ", &same);
  snprintf(what, sizeof what, "%s_lockstep.c: what %s_lockstep.sv calls; compile it with libsimt", cfg->name, cfg->name);
  text_add(t, "/*\n");
  emit_header_comment(t, cfg, " *", what);
  text_add(t, " */\n#define VERSION \"%s\"\n#define CONFIGURATION \"%s\"\n"
              "#define MODEL UINT64_C(0x%016" PRIx64 ") /* the library's own hash of it, ports included */\n"
              "#define WHAT \"%s%s\"\n\n", SIMT_VERSION, hex, simt_config_hash(cfg), cfg->block->name,
           changes.s ? changes.s : "");
  text_free(&changes);
  add_program(t, cfg, program);
  if (cfg->records.given) add_program(t, cfg, program_records);
  add_program(t, cfg, program_rest);
}

void emit_dpi(struct fileset *fs, const struct simt_config *cfg) {
  emit_checker(fileset_add(fs, "dpi/%s_lockstep.sv", cfg->name), cfg);
  emit_program(fileset_add(fs, "dpi/%s_lockstep.c", cfg->name), cfg);
}
