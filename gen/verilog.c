/* SPDX-License-Identifier: Apache-2.0 */
/* verilog.c: the head of a Verilog module: parameters with their values, ports with their widths. */
#include "verilog.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDEST = 1 << 20, DEEPEST = 200 };
enum token_kind { END, WORD, NUMBER, SYMBOL };

struct number { int64_t v; bool known; };
struct constant { char name[80]; struct number value; };

struct reader {
  const char *at;              /* behind the token */
  unsigned line, depth;
  enum token_kind kind;              /* of the token */
  char text[80];               /* word, or up to three characters of a symbol */
  struct number number;
  struct constant *constant;
  size_t n_constants;
  char *problem;
  size_t room;
};

static bool fail(struct reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool fail(struct reader *r, const char *format, ...) {
  if (r->problem[0]) return false;
  int n = snprintf(r->problem, r->room, "line %u: ", r->line);
  va_list ap;
  va_start(ap, format);
  vsnprintf(r->problem + n, r->room - (size_t)n, format, ap);
  va_end(ap);
  return false;
}

/* ---- tokens --------------------------------------------------------------------------------------- */

static bool starts(const char *s, const char *with) { return !strncmp(s, with, strlen(with)); }

static void skip_past(struct reader *r, const char *end) {
  while (*r->at && !starts(r->at, end)) r->line += *r->at++ == '\n';
  if (*r->at) r->at += strlen(end);
}

/* Spaces, comments, attributes, directives of the compiler. */
static void skip_space(struct reader *r) {
  for (;;) {
    if (isspace((unsigned char)*r->at)) r->line += *r->at++ == '\n';
    else if (starts(r->at, "//")) r->at += strcspn(r->at, "\n");
    else if (starts(r->at, "/*")) r->at += 2, skip_past(r, "*/");
    else if (starts(r->at, "(*") && r->at[2] != ')') r->at += 2, skip_past(r, "*)");
    else if (*r->at == '`') r->at += strcspn(r->at, "\n");
    else return;
  }
}

/* Digits of a base; x, z and ? have no value. */
static void read_digits(struct reader *r, int base) {
  uint64_t v = 0;
  for (; isalnum((unsigned char)*r->at) || *r->at == '_' || *r->at == '?'; r->at++) {
    if (*r->at == '_') continue;
    const int c = tolower((unsigned char)*r->at), digit = isdigit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : 99;
    if (digit >= base || v > (uint64_t)INT64_MAX / 64) r->number.known = false;
    else v = v * (unsigned)base + (unsigned)digit;
  }
  r->number.v = (int64_t)v;
}

static void read_number(struct reader *r) {
  r->kind = NUMBER;
  r->number = (struct number){0, true};
  if (*r->at != '\'') read_digits(r, 10);
  const char *behind = r->at + strspn(r->at, " \t");
  if (*behind != '\'') return;
  r->at = behind + 1;
  if (tolower((unsigned char)*r->at) == 's') r->at++;
  const int letter = tolower((unsigned char)*r->at), base = letter == 'h' ? 16 : letter == 'b' ? 2 : letter == 'o' ? 8 : letter == 'd' ? 10 : 0;
  if (base) r->at++;
  r->at += strspn(r->at, " \t");
  r->number.known = true;
  read_digits(r, base ? base : 2);
}

static void next(struct reader *r) {
  static const char *const long_symbols[] = {"<<<", ">>>", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "**", "+:", "-:"};
  size_t n = 1;
  skip_space(r);
  r->text[0] = 0;
  if (!*r->at) {
    r->kind = END;
  } else if (isdigit((unsigned char)*r->at) || *r->at == '\'') {
    read_number(r);
  } else if (isalpha((unsigned char)*r->at) || *r->at == '_' || *r->at == '$' || *r->at == '\\') {
    r->kind = WORD;
    n = *r->at == '\\' ? strcspn(r->at, " \t\r\n") : strspn(r->at, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_$");
    snprintf(r->text, sizeof r->text, "%.*s", (int)(n < sizeof r->text ? n : sizeof r->text - 1), r->at);
    r->at += n;
  } else if (*r->at == '"') {
    r->kind = SYMBOL;
    strcpy(r->text, "\"");
    for (r->at++; *r->at && *r->at != '"' && *r->at != '\n'; r->at++) r->at += *r->at == '\\' && r->at[1];
    if (*r->at == '"') r->at++;
  } else {
    r->kind = SYMBOL;
    for (size_t i = 0; i < sizeof long_symbols / sizeof *long_symbols; i++)
      if (starts(r->at, long_symbols[i])) {
        n = strlen(long_symbols[i]);
        break;
      }
    snprintf(r->text, sizeof r->text, "%.*s", (int)n, r->at);
    r->at += n;
  }
}

static bool is(const struct reader *r, const char *text) { return r->kind != NUMBER && r->kind != END && !strcmp(r->text, text); }

static bool take(struct reader *r, const char *text) {
  if (!is(r, text)) return false;
  next(r);
  return true;
}

static bool expect(struct reader *r, const char *text) {
  return take(r, text) || fail(r, "%s, where %s is expected", r->kind == END ? "the end of the file" : r->text[0] ? r->text : "a number", text);
}

/* To the next one of the symbols outside of brackets. */
static void skip_to(struct reader *r, const char *a, const char *b) {
  for (int depth = 0; r->kind != END && (depth || !(is(r, a) || is(r, b))); next(r)) {
    if (is(r, "(") || is(r, "[") || is(r, "{")) depth++;
    if (is(r, ")") || is(r, "]") || is(r, "}")) depth--;
  }
}

/* ---- constant expressions ------------------------------------------------------------------------- */

static const struct number unknown = {0, false};
static struct number expression(struct reader *r);

static struct number clog2(struct number a) {
  int64_t bits = 0;
  while (a.known && bits < 62 && (int64_t)1 << bits < a.v) bits++;
  return (struct number){bits, a.known};
}

static struct number primary(struct reader *r) {
  struct number v = unknown;
  if (r->kind == NUMBER) {
    v = r->number;
    next(r);
  } else if (take(r, "(")) {
    v = expression(r);
    if (!take(r, ")")) v.known = false;
  } else if (take(r, "$clog2")) {
    if (take(r, "(")) v = clog2(expression(r));
    if (!take(r, ")")) v.known = false;
  } else if (r->kind == WORD) {
    for (size_t i = 0; i < r->n_constants; i++)
      if (!strcmp(r->constant[i].name, r->text)) v = r->constant[i].value;
    next(r);
  }
  return v;
}

static struct number unary(struct reader *r) {
  if (++r->depth > DEEPEST) {
    r->depth--;
    return unknown;
  }
  struct number v;
  if (take(r, "-")) v = unary(r), v.v = -v.v;
  else if (take(r, "+")) v = unary(r);
  else if (take(r, "!")) v = unary(r), v.v = !v.v;
  else v = primary(r);
  r->depth--;
  return v;
}

static const struct { const char *text; int level; } binary[] = {
  {"||", 1}, {"&&", 2}, {"|", 3}, {"^", 4}, {"&", 5}, {"==", 6}, {"!=", 6}, {"<", 7}, {"<=", 7}, {">", 7}, {">=", 7},
  {"<<", 8}, {">>", 8}, {"<<<", 8}, {">>>", 8}, {"+", 9}, {"-", 9}, {"*", 10}, {"/", 10}, {"%", 10}, {"**", 11}};

static int level_of(const struct reader *r) {
  for (size_t i = 0; i < sizeof binary / sizeof *binary; i++)
    if (r->kind == SYMBOL && !strcmp(binary[i].text, r->text)) return binary[i].level;
  return 0;
}

static int64_t power(int64_t a, int64_t b) {
  int64_t v = 1;
  while (b-- > 0 && v < WIDEST && v > -WIDEST) v *= a;
  return v;
}

static struct number apply(const char *op, struct number x, struct number y) {
  const int64_t a = x.v, b = y.v;
  struct number v = {0, x.known && y.known};
  if (!v.known) return v;
  const bool shifts = op[0] == op[1] && (op[0] == '<' || op[0] == '>');
  if ((strchr("/%", op[0]) && !b) || (shifts && (b < 0 || b > 62)) || a > INT32_MAX || b > INT32_MAX || a < INT32_MIN || b < INT32_MIN)
    return unknown;
  if (!strcmp(op, "||")) v.v = a || b;
  else if (!strcmp(op, "&&")) v.v = a && b;
  else if (!strcmp(op, "==")) v.v = a == b;
  else if (!strcmp(op, "!=")) v.v = a != b;
  else if (!strcmp(op, "<=")) v.v = a <= b;
  else if (!strcmp(op, ">=")) v.v = a >= b;
  else if (shifts && op[0] == '<') v.v = (int64_t)((uint64_t)a << b);
  else if (shifts) v.v = a >> b;
  else if (!strcmp(op, "**")) v.v = power(a, b);
  else switch (op[0]) {
    case '|': v.v = a | b; break;
    case '^': v.v = a ^ b; break;
    case '&': v.v = a & b; break;
    case '<': v.v = a < b; break;
    case '>': v.v = a > b; break;
    case '+': v.v = a + b; break;
    case '-': v.v = a - b; break;
    case '*': v.v = a * b; break;
    case '/': v.v = a / b; break;
    default: v.v = a % b;
  }
  return v;
}

static struct number from_level(struct reader *r, int least) {
  struct number left = unary(r);
  for (int level; (level = level_of(r)) >= least;) {
    char op[sizeof r->text];
    memcpy(op, r->text, sizeof op);
    next(r);
    left = apply(op, left, from_level(r, level + 1));
  }
  return left;
}

static struct number expression(struct reader *r) {
  if (++r->depth > DEEPEST) {
    r->depth--;
    return unknown;
  }
  struct number v = from_level(r, 1);
  if (take(r, "?")) {
    const struct number yes = expression(r);
    const bool colon = take(r, ":");
    const struct number no = colon ? expression(r) : unknown;
    v = v.known && colon ? (v.v ? yes : no) : unknown;
  }
  r->depth--;
  return v;
}

/* ---- the head -------------------------------------------------------------------------------------- */

static bool take_one(struct reader *r, const char *const *words) {
  for (; *words; words++)
    if (take(r, *words)) return true;
  return false;
}

/* `[high:low]`, as often as it stands there; the bits, or 0 when they are not known. */
static int64_t ranges(struct reader *r) {
  int64_t bits = 1;
  while (take(r, "[")) {
    const struct number high = expression(r);
    const bool colon = take(r, ":");
    const struct number low = colon ? expression(r) : unknown;
    if (!take(r, "]")) return 0;
    const int64_t n = (high.v < low.v ? low.v - high.v : high.v - low.v) + 1;
    if (!high.known || !low.known || n > WIDEST || bits * n > WIDEST) bits = 0;
    bits *= n;
  }
  return bits;
}

static void add_constant(struct reader *r, const char *name, struct number value) {
  struct constant *more = realloc(r->constant, (r->n_constants + 1) * sizeof *more);
  if (!more) abort();
  r->constant = more;
  snprintf(more[r->n_constants].name, sizeof more->name, "%s", name);
  more[r->n_constants++].value = value;
}

static bool parameters(struct reader *r) {
  static const char *const words[] = {"parameter", "localparam", "integer", "int", "unsigned", "signed", "bit", "logic", "reg", NULL};
  while (!is(r, ")")) {
    while (take_one(r, words)) {}
    ranges(r);
    char name[sizeof r->text];
    memcpy(name, r->text, sizeof name);
    if (r->kind != WORD) return expect(r, "the name of a parameter");
    next(r);
    if (!expect(r, "=")) return false;
    const struct reader before = *r;
    struct number v = expression(r);
    if (!is(r, ",") && !is(r, ")")) { /* a vector, a text: not for widths */
      *r = before;
      v.known = false;
      skip_to(r, ",", ")");
    }
    add_constant(r, name, v);
    if (!take(r, ",")) break;
  }
  return expect(r, ")");
}

static bool add_port(struct reader *r, struct verilog_module *m, bool in, int64_t bits) {
  struct verilog_port *more = realloc(m->port, (m->n + 1) * sizeof *more);
  if (!more) abort();
  m->port = more;
  more[m->n] = (struct verilog_port){.in = in, .width = (unsigned)bits};
  memcpy(more[m->n].name, r->text, sizeof r->text);
  if (!bits) return fail(r, "the width of %s does not follow from the defaults of the module's parameters", r->text);
  m->n++;
  next(r);
  if (is(r, "[")) return fail(r, "%s is an array", m->port[m->n - 1].name);
  if (take(r, "=")) skip_to(r, ",", ")");
  return true;
}

static bool ports(struct reader *r, struct verilog_module *m) {
  static const char *const types[] = {"wire", "reg", "logic", "tri", "var", "bit", "signed", "unsigned", NULL};
  bool in = false;
  int64_t bits = 1;
  while (!is(r, ")")) {
    const bool input = take(r, "input"), output = !input && take(r, "output");
    if (is(r, "inout")) return fail(r, "an inout port");
    if (!input && !output && !m->n) return fail(r, "ports without a direction in the module's head");
    if (input || output) {
      while (take_one(r, types)) {}
      in = input;
      bits = ranges(r);
    }
    if (r->kind != WORD) return expect(r, "the name of a port");
    if (!add_port(r, m, in, bits)) return false;
    if (!is(r, ",") && !is(r, ")")) return fail(r, "%s, a type of port that is not read", m->port[m->n - 1].name);
    if (!take(r, ",")) break;
  }
  return expect(r, ")");
}

static bool find_module(struct reader *r, const char *module) {
  for (next(r); r->kind != END; ) {
    if (!take(r, "module") && !take(r, "macromodule")) {
      next(r);
      continue;
    }
    if (take(r, module)) return true;
  }
  r->line = 1;
  return fail(r, "no module %s", module);
}

bool verilog_read(const char *text, const char *module, struct verilog_module *m, char *problem, size_t room) {
  struct reader r = {.at = text, .line = 1, .problem = problem, .room = room};
  memset(m, 0, sizeof *m);
  problem[0] = 0;
  bool good = find_module(&r, module);
  if (good && take(&r, "#")) good = expect(&r, "(") && parameters(&r);
  good = good && expect(&r, "(") && ports(&r, m) && expect(&r, ";");
  free(r.constant);
  return good;
}

void verilog_free(struct verilog_module *m) {
  free(m->port);
  memset(m, 0, sizeof *m);
}

const struct verilog_port *verilog_find(const struct verilog_module *m, const char *name) {
  for (size_t i = 0; i < m->n; i++)
    if (!strcmp(m->port[i].name, name)) return &m->port[i];
  return NULL;
}
