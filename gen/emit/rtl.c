/* SPDX-License-Identifier: Apache-2.0 */
/* rtl.c: the Verilog of an instance: top, core and the cells it uses, each module in a file of its
 * own under the instance's prefix, so that several configurations of one block live in one design. */
#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "gen.h"
#include "core/wrap.h"

struct module { /* a module of the templates and its name in this instance */
  char from[80], to[160], path[256];
  bool used, done;
};
struct modules { struct module *m; size_t n; };

static int by_name(const void *a, const void *b) {
  return strcmp(((const struct module *)a)->from, ((const struct module *)b)->from);
}

/* Appends the modules (one per file) of a folder of the program's data. A block's own lose the block's
 * name for the instance's, shared cells and those of blocks that it uses gain it. */
static void find_modules(struct modules *ms, const char *folder, const struct simt_config *cfg, bool own) {
  const char *at = data_path(folder);
  DIR *dir = at ? opendir(at) : NULL;
  if (!dir) return;
  size_t first = ms->n, skip = strlen(cfg->block->name);
  for (struct dirent *e; (e = readdir(dir));) {
    size_t len = strlen(e->d_name);
    if (len < 3 || len > 72 || strcmp(e->d_name + len - 2, ".v")) continue;
    struct module *more = realloc(ms->m, (ms->n + 1) * sizeof *more);
    if (!more) abort();
    ms->m = more;
    struct module *m = &ms->m[ms->n++];
    memset(m, 0, sizeof *m);
    snprintf(m->from, sizeof m->from, "%.*s", (int)len - 2, e->d_name);
    snprintf(m->path, sizeof m->path, "%s/%s.v", folder, m->from);
    bool strip = own && !strncmp(m->from, cfg->block->name, skip) && m->from[skip] == '_';
    snprintf(m->to, sizeof m->to, "%s_%s", cfg->name, m->from + (strip ? skip + 1 : 0));
  }
  closedir(dir);
  qsort(ms->m + first, ms->n - first, sizeof *ms->m, by_name);
}

static struct module *find_module(struct modules *ms, const char *name, size_t len) {
  for (size_t i = 0; i < ms->n; i++)
    if (!strncmp(ms->m[i].from, name, len) && !ms->m[i].from[len]) return &ms->m[i];
  return NULL;
}

static bool in_word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$'; }

/* Length of the piece of Verilog at s that is copied as it is: comment, string, escaped name, macro, number
 * or single character; 0 when an identifier begins here. */
static size_t plain_piece(const char *s) {
  size_t n = 1;
  if (s[0] == '/' && s[1] == '/') return strcspn(s, "\n");
  if (s[0] == '/' && s[1] == '*') {
    const char *end = strstr(s + 2, "*/");
    return end ? (size_t)(end - s) + 2 : strlen(s);
  }
  if (s[0] == '"') {
    while (s[n] && s[n] != '"') n += s[n] == '\\' && s[n + 1] ? 2 : 1;
    return s[n] ? n + 1 : n;
  }
  if (s[0] == '\\') return strcspn(s, " \t\r\n");
  if (isalpha((unsigned char)s[0]) || s[0] == '_') return 0;
  if (in_word(s[0]) || s[0] == '`' || s[0] == '\'' || s[0] == '.')
    while (in_word(s[n])) n++;
  return n;
}

/* Copies Verilog with every module name replaced, marking those met as used. The licence line of the
 * template stays behind: the copy is the user's. */
static void copy_renamed(struct text *t, struct modules *ms, const char *s) {
  static const char spdx[] = "// SPDX-License-Identifier:";
  const char *copied = s; /* what is before is in `t` */
  while (*s) {
    if (*s == '/' && !strncmp(s, spdx, sizeof spdx - 1)) {
      text_add_bytes(t, copied, (size_t)(s - copied));
      s += strcspn(s, "\n");
      s += *s == '\n';
      copied = s;
      continue;
    }
    size_t n = plain_piece(s);
    if (!n) {
      while (in_word(s[n])) n++;
      struct module *m = find_module(ms, s, n);
      if (m) {
        m->used = true;
        text_add_bytes(t, copied, (size_t)(s - copied));
        text_add(t, "%s", m->to);
        copied = s + n;
      }
    }
    s += n;
  }
  text_add_bytes(t, copied, (size_t)(s - copied));
}

static bool copy_module(struct fileset *fs, const char *folder, const struct simt_config *cfg,
                        struct modules *ms, struct module *m, struct simt_diag *diag) {
  const char *path = data_path(m->path);
  char *source = path ? file_read(path, NULL, diag) : NULL;
  if (!source) return simt_fail(diag, m->path, "no such file", "a Verilog template of this program");
  struct text *t = fileset_add(fs, "%s/%s.v", folder, m->to);
  char what[640];
  snprintf(what, sizeof what, "%s.v: part of %s, a copy of %s", m->to, cfg->name, m->path);
  emit_header_comment(t, cfg, "//", what);
  copy_renamed(t, ms, source);
  free(source);
  m->done = true;
  return true;
}

/* Copies the modules that are used, and those that their copies name. */
static bool copy_used(struct fileset *fs, const char *folder, const struct simt_config *cfg, struct modules *ms, struct simt_diag *diag) {
  bool good = true;
  for (size_t i = 0; good && i < ms->n; i++)
    if (ms->m[i].used && !ms->m[i].done) {
      good = copy_module(fs, folder, cfg, ms, &ms->m[i], diag);
      i = (size_t)-1; /* a copy may have named modules that stand before it */
    }
  return good;
}

bool emit_formal_copies(struct fileset *fs, const struct simt_config *cfg, struct simt_diag *diag) {
  struct modules ms = {0};
  char from[128];
  snprintf(from, sizeof from, "verif/%s/formal", cfg->block->name);
  find_modules(&ms, from, cfg, true);
  for (size_t i = 0; i < ms.n; i++) ms.m[i].used = true;
  for (const char *const *u = cfg->block->uses; u && *u; u++) {
    snprintf(from, sizeof from, "verif/%s/formal", *u);
    find_modules(&ms, from, cfg, false);
  }
  bool good = copy_used(fs, "formal", cfg, &ms, diag);
  free(ms.m);
  return good;
}

static bool has_file(const struct fileset *fs, const char *folder, const char *module) {
  char path[300];
  snprintf(path, sizeof path, "%s/%s.v", folder, module);
  for (size_t i = 0; i < fs->n; i++)
    if (!strcmp(fs->file[i].path, path)) return true;
  return false;
}

bool emit_cells(struct fileset *fs, const char *folder, const struct simt_config *cfg, const char *const *cells, struct simt_diag *diag) {
  struct modules ms = {0};
  bool good = true;
  find_modules(&ms, "rtl_templates/lib", cfg, false);
  for (size_t i = 0; i < ms.n; i++) ms.m[i].done = has_file(fs, "rtl", ms.m[i].to);
  for (; *cells; cells++) {
    struct module *m = find_module(&ms, *cells, strlen(*cells));
    if (m) m->used = true;
    else good = simt_fail(diag, *cells, "no such cell", "it among the program's data, in rtl_templates/lib");
  }
  good = good && copy_used(fs, folder, cfg, &ms, diag);
  free(ms.m);
  return good;
}

static void file_list(struct text *t, const struct simt_config *cfg, const struct modules *ms) {
  char what[200];
  snprintf(what, sizeof what, "%s.f: the Verilog files of %s, relative to this folder", cfg->name, cfg->name);
  emit_header_comment(t, cfg, "//", what);
  text_add(t, "%s.v\n", cfg->name);
  if (simt_param(cfg, "reset")) text_add(t, "%s_async_reset.v\n", cfg->name);
  for (size_t i = 0; i < ms->n; i++)
    if (ms->m[i].done) text_add(t, "%s.v\n", ms->m[i].to);
}

bool emit_rtl(struct fileset *fs, const char *folder, const struct simt_config *cfg, struct simt_diag *diag) {
  struct modules ms = {0};
  char own[128], core[128];
  snprintf(own, sizeof own, "rtl_templates/%s", cfg->block->name);
  snprintf(core, sizeof core, "%s_core", cfg->block->name);
  find_modules(&ms, own, cfg, true);
  for (const char *const *u = cfg->block->uses; u && *u; u++) {
    char used[128];
    snprintf(used, sizeof used, "rtl_templates/%s", *u);
    find_modules(&ms, used, cfg, false);
  }
  find_modules(&ms, "rtl_templates/lib", cfg, false);
  const bool wrapped = simt_param(cfg, "reset");
  emit_top(fileset_add(fs, "%s/%s.v", folder, cfg->name), cfg);
  if (wrapped) emit_reset_wrapper(fileset_add(fs, "%s/%s_async_reset.v", folder, cfg->name), cfg);

  struct module *first = find_module(&ms, core, strlen(core));
  bool good = first || simt_fail(diag, own, "no Verilog core", "%s.v in the folder of the program's data; "
                                 "set SIMTGEN_DATA to the folder that holds rtl_templates", core);
  if (first) first->used = true;
  for (size_t i = 0; i < cfg->n_wraps + wrapped; i++) {
    const char *cell = i < cfg->n_wraps ? cfg->wrap[i].kind->cell : "reset_sync";
    struct module *m = find_module(&ms, cell, strlen(cell));
    good = good && (m || simt_fail(diag, cell, "no such cell", "it among the program's data, in rtl_templates/lib"));
    if (m) m->used = true;
  }
  good = good && copy_used(fs, folder, cfg, &ms, diag);
  if (good) file_list(fileset_add(fs, "%s/%s.f", folder, cfg->name), cfg, &ms);
  free(ms.m);
  return good;
}

void rtl_hash(const struct fileset *fs, char hex[17]) {
  struct text t = {0};
  char whole[65];
  for (size_t i = 0; i < fs->n; i++) {
    size_t len = strlen(fs->file[i].path), n;
    if (len < 3 || strcmp(fs->file[i].path + len - 2, ".v")) continue;
    for (const char *s = fs->file[i].text.s; *s; s += n) {
      bool comment = s[0] == '/' && (s[1] == '/' || s[1] == '*');
      n = plain_piece(s);
      if (!n)
        while (in_word(s[n])) n++;
      if (!comment && !isspace((unsigned char)*s)) text_add_bytes(&t, s, n);
      else if (t.len && t.s[t.len - 1] != ' ') text_add(&t, " ");
    }
  }
  sha256_hex(t.s ? t.s : "", t.len, whole);
  snprintf(hex, 17, "%.16s", whole);
  text_free(&t);
}

/* ---- with its buses watched ----------------------------------------------------------------------- */

static void port_width(struct text *t, const struct simt_port *p) {
  if (p->width > 1) text_add(t, "[%u:0] ", p->width - 1);
}

static void checker(struct text *t, const struct simt_config *cfg, const struct simt_wrap *w, size_t at) {
  const struct simt_wrapper *k = w->kind;
  text_add(t, "\n  %s_%s #(\n", cfg->name, k->check);
  for (size_t i = 0; i < w->n_params; i++)
    text_add(t, "    .%s(%" PRIu64 ")%s\n", w->param[i].name, w->param[i].value, i + 1 < w->n_params ? "," : "");
  text_add(t, "  ) u_%s%s (\n", w->port, k->check);
  for (size_t i = 0; i < cfg->desc.n_ports; i++) {
    const struct simt_port *p = &cfg->desc.ports[i];
    if (p->role == SIMT_DATA && !simt_is_bus(w, p->name)) continue;
    text_add(t, "    .%s(%s),\n", p->name + (p->role == SIMT_DATA ? strlen(w->port) : 0), p->name);
  }
  text_add(t, "    .failed_o(failed[%zu]),\n    .rule_o(rule[%zu:%zu])\n  );\n", at,
           8 * BUS_RULE_CHARS * (at + 1) - 1, 8 * BUS_RULE_CHARS * at);
}

static void checked_module(struct text *t, const struct simt_config *cfg) {
  const struct simt_desc *d = &cfg->desc;
  char what[200];
  snprintf(what, sizeof what, "%s_checked.v: %s with its buses watched, for simulation", cfg->name, cfg->name);
  emit_header_comment(t, cfg, "//", what);
  text_add(t, "// The ports of %s, and: bus_failed_o rises with the first rule that is broken, bus_rule_o is its text.\n"
              "`default_nettype none\n\nmodule %s_checked (\n", cfg->name, cfg->name);
  for (size_t i = 0; i < d->n_ports; i++) {
    text_add(t, "  %s wire ", d->ports[i].dir == SIMT_IN ? "input " : "output");
    port_width(t, &d->ports[i]);
    text_add(t, "%s,\n", d->ports[i].name);
  }
  text_add(t, "\n  output wire bus_failed_o,\n  output wire [%d:0] bus_rule_o\n);\n", 8 * BUS_RULE_CHARS - 1);
  text_add(t, "  wire [%zu:0] failed;\n  wire [%zu:0] rule;\n", cfg->n_wraps - 1, 8 * BUS_RULE_CHARS * cfg->n_wraps - 1);
  text_add(t, "  assign bus_failed_o = |failed;\n  assign bus_rule_o = ");
  for (size_t i = 0; i < cfg->n_wraps; i++)
    text_add(t, "%srule[%zu:%zu]", i ? " | " : "", 8 * BUS_RULE_CHARS * (i + 1) - 1, 8 * BUS_RULE_CHARS * i);
  text_add(t, ";\n\n  %s u_dut (\n", cfg->name);
  for (size_t i = 0; i < d->n_ports; i++)
    text_add(t, "    .%s(%s)%s\n", d->ports[i].name, d->ports[i].name, i + 1 == d->n_ports ? "" : ",");
  text_add(t, "  );\n");
  for (size_t i = 0; i < cfg->n_wraps; i++) checker(t, cfg, &cfg->wrap[i], i);
  text_add(t, "endmodule\n\n`default_nettype wire\n");
}

bool emit_checked(struct fileset *fs, const struct simt_config *cfg, struct simt_diag *diag) {
  struct modules ms = {0};
  bool good = true;
  if (!cfg->n_wraps) return true;
  checked_module(fileset_add(fs, "tb/%s_checked.v", cfg->name), cfg);
  find_modules(&ms, "rtl_templates/lib", cfg, false);
  for (size_t i = 0; good && i < cfg->n_wraps; i++) {
    const char *check = cfg->wrap[i].kind->check;
    struct module *m = find_module(&ms, check, strlen(check));
    if (m && m->done) continue;
    good = m ? copy_module(fs, "tb", cfg, &ms, m, diag)
             : simt_fail(diag, check, "no such cell", "it among the program's data, in rtl_templates/lib");
  }
  free(ms.m);
  return good;
}
