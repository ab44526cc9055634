# simtgen: build, check and install. `make help` lists the targets.
SHELL := /bin/bash
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules
.DEFAULT_GOAL := all

B       := build
PREFIX  ?= /usr/local
ifeq ($(origin CC),default)
CC      := gcc
endif
# Extra trees with blocks in them (each with cmodel/, rtl_templates/, verif/); used by the tests.
EXTRA   ?=
# V=1 shows the command lines.
say      = $(if $(V),,@echo "  $(1)" &&)
ROOTS   := . $(EXTRA)

WARN    := -Wall -Wextra -Wshadow -Wconversion -Wmissing-prototypes -Werror
CFLAGS  ?= -O2 -g
override CFLAGS += -std=gnu11 $(WARN) -MMD -MP -fPIC -Icmodel/core -Iverif/core -Igen \
  $(foreach r,$(ROOTS),-I$(r)/cmodel -I$(r)/verif)
LDLIBS  := -lfyaml -ljansson -lnettle -lz -ldl -lm -lpthread

# Blocks are found by their folders.
ALL_BLOCKS := $(sort $(notdir $(patsubst %/,%,$(filter-out ./cmodel/core/,$(foreach r,$(ROOTS),$(dir $(wildcard $(r)/cmodel/*/block.c)))))))
MODEL_C := $(wildcard cmodel/core/*.c) $(foreach r,$(ROOTS),$(wildcard $(addprefix $(r)/cmodel/,$(addsuffix /*.c,$(ALL_BLOCKS)))))
VERIF_C := $(wildcard verif/core/*.c) $(foreach r,$(ROOTS),$(wildcard $(addprefix $(r)/verif/,$(addsuffix /*.c,$(ALL_BLOCKS)))))
GEN_C   := $(wildcard gen/*.c $(addprefix gen/,$(addsuffix /*.c,cmd emit mutate report sim sweep synth tune)))
obj      = $(patsubst %.c,$(B)/obj/%.o,$(patsubst ./%,%,$(1)))

.PHONY: all
all: $(B)/simtgen  ## build the program (build/simtgen)

$(B)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(call say,cc $<)$(CC) $(CFLAGS) -c $< -o $@

# The two lists of blocks; rewritten only when the folders change. Tests run several makes at a time here.
block_list = new=$@.$$$$; { echo '\#include "$(1)"'; \
  for b in $(ALL_BLOCKS); do echo "extern const struct $(2) $(2)_$$b;"; done; \
  echo 'const struct $(2) *const $(2)s[] = {'; \
  for b in $(ALL_BLOCKS); do echo "  &$(2)_$$b,"; done; echo '  NULL};'; } > $$new; \
  cmp -s $$new $@ || mv $$new $@; rm -f $$new
$(B)/blocks.c: FORCE
	@mkdir -p $(@D); $(call block_list,simt.h,simt_block)
$(B)/verifs.c: FORCE
	@mkdir -p $(@D); $(call block_list,verif.h,simt_verif)
FORCE:

$(B)/%.o: $(B)/%.c
	$(call say,cc $<)$(CC) $(CFLAGS) -c $< -o $@

$(B)/simtgen: $(call obj,$(GEN_C) $(VERIF_C) $(MODEL_C)) $(B)/blocks.o $(B)/verifs.o
	$(call say,ld $@)$(CC) $(CFLAGS) $(LDFLAGS) -rdynamic $^ $(LDLIBS) -o $@

# The fuzzer: the program's functions without its main; to be built with sanitizers (gen/tests/fuzz.sh).
$(B)/fuzz: $(call obj,$(filter-out gen/main.c,$(GEN_C)) gen/tests/fuzz.c $(VERIF_C) $(MODEL_C)) $(B)/blocks.o $(B)/verifs.o
	$(call say,ld $@)$(CC) $(CFLAGS) $(LDFLAGS) -rdynamic $^ $(LDLIBS) -o $@

# The test of images (verif/tests/images.sh), with sanitizers too.
$(B)/images: $(call obj,verif/tests/images_test.c $(VERIF_C) $(MODEL_C)) $(B)/blocks.o $(B)/verifs.o
	$(call say,ld $@)$(CC) $(CFLAGS) $(LDFLAGS) -rdynamic $^ $(LDLIBS) -o $@

# ---- the library: the models alone -------------------------------------------------------------
VERSION := $(shell sed -n 's/^\#define SIMT_VERSION "\(.*\)"/\1/p' cmodel/core/simt.h)
SONAME  := libsimt.so.0
LIB_OBJ := $(call obj,$(MODEL_C)) $(B)/blocks.o
HEADERS := $(addprefix cmodel/core/,simt.h lockstep_checker.h topology.h unit_status.h context_port.h) $(foreach r,$(ROOTS),$(wildcard $(foreach b,$(ALL_BLOCKS),$(r)/cmodel/$(b)/$(b).h)))

.PHONY: lib
all: lib
lib: $(B)/libsimt.a $(B)/$(SONAME)  ## build the C library (build/libsimt.a, .so)

$(B)/libsimt.a: $(LIB_OBJ)
	$(call say,ar $@)rm -f $@ && $(AR) rcs $@ $^
# Drivers for software: headers that stand alone, without libsimt.
DRIVERS := $(foreach r,$(ROOTS),$(wildcard $(foreach b,$(ALL_BLOCKS),$(r)/cmodel/$(b)/simt_$(b).h)))

.PHONY: headers
headers:  ## names of the public C headers, one line (what the Python package declares)
	@echo $(HEADERS)

# Exported: what a public header declares, and nothing else.
$(B)/libsimt.map: $(LIB_OBJ) $(HEADERS)
	@{ echo '{ global:'; \
	   grep -ohwFf <(nm -g --defined-only $(LIB_OBJ) | sed -n 's/.* [A-Z] //p') $(HEADERS) | sort -u | sed 's/.*/  &;/'; \
	   echo '  local: *; };'; } > $@
$(B)/$(SONAME): $(LIB_OBJ) $(B)/libsimt.map
	$(call say,ld $@)$(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-soname,$(SONAME) -Wl,--version-script,$(B)/libsimt.map \
	  -Wl,-z,defs $(LIB_OBJ) -lm -o $@

# ---- install -----------------------------------------------------------------------------------
# One list of what is installed where, so that uninstall removes exactly that.
SHARE     = $(PREFIX)/share/simtgen
TEMPLATES = $(foreach r,$(ROOTS),$(shell cd $(r) && find rtl_templates -name '*.v' 2>/dev/null | sed 's|^|$(r)/|'))
template_to = $(SHARE)/rtl_templates/$(word 2,$(subst /rtl_templates/, ,$(1)))
PROPERTIES = $(foreach r,$(ROOTS),$(wildcard $(foreach b,$(ALL_BLOCKS),$(addprefix $(r)/verif/$(b)/,formal/*.v formal/tasks.txt selftest.txt))))
property_to = $(SHARE)/verif/$(lastword $(subst /verif/, ,$(1)))
BOARDS    = $(wildcard fpga/rtl/*.v fpga/boards/*)
# For users: the pages with their pictures, the example bench, the example unit, completion for bash, one trace.
PAGES     = README.md CHANGELOG.md LICENSE $(wildcard docs/*.md docs/*.svg docs/example_*/*)
page_to   = $(PREFIX)/share/doc/simtgen/$(1)
UNIT      = verif/tests/unit_status
EXAMPLES  = $(wildcard $(foreach d,cmodel rtl_templates verif,$(UNIT)/$(d)/gather_sum/*.*) $(UNIT)/verif/gather_sum/formal/*)
example_to = $(SHARE)/examples/$(patsubst $(UNIT)/%,%,$(1))
TRACE     = $(firstword $(sort $(wildcard verif/*/traces/*.gz)))
COMPLETION = $(PREFIX)/share/bash-completion/completions/simtgen
INSTALLED = $(PREFIX)/bin/simtgen $(PREFIX)/lib/libsimt.a $(PREFIX)/lib/libsimt.so $(PREFIX)/lib/$(SONAME) \
  $(PREFIX)/lib/libsimt.so.$(VERSION) $(PREFIX)/lib/pkgconfig/libsimt.pc \
  $(addprefix $(PREFIX)/include/simt/,$(notdir $(HEADERS) $(DRIVERS))) $(PREFIX)/share/man/man1/simtgen.1 \
  $(foreach t,$(TEMPLATES),$(call template_to,$(t))) $(foreach p,$(PROPERTIES),$(call property_to,$(p))) $(addprefix $(SHARE)/,$(BOARDS)) \
  $(foreach p,$(PAGES),$(call page_to,$(p))) $(foreach e,$(EXAMPLES),$(call example_to,$(e))) \
  $(SHARE)/traces/$(notdir $(TRACE)) $(COMPLETION)

.PHONY: install uninstall
install: all  ## install program, library, templates, pages, examples and completion (PREFIX=, DESTDIR=)
	@case "$(PREFIX)" in /*) ;; *) echo "simtgen: PREFIX: got '$(PREFIX)', expected an absolute path" >&2; exit 2;; esac
	install -D -m 755 $(B)/simtgen "$(DESTDIR)$(PREFIX)/bin/simtgen"
	install -D -m 644 $(B)/libsimt.a "$(DESTDIR)$(PREFIX)/lib/libsimt.a"
	install -D -m 755 $(B)/$(SONAME) "$(DESTDIR)$(PREFIX)/lib/libsimt.so.$(VERSION)"
	ln -sf libsimt.so.$(VERSION) "$(DESTDIR)$(PREFIX)/lib/$(SONAME)"
	ln -sf $(SONAME) "$(DESTDIR)$(PREFIX)/lib/libsimt.so"
	install -d "$(DESTDIR)$(PREFIX)/include/simt" "$(DESTDIR)$(PREFIX)/lib/pkgconfig"
	install -m 644 $(HEADERS) $(DRIVERS) "$(DESTDIR)$(PREFIX)/include/simt/"
	@printf '%s\n' 'prefix=$(PREFIX)' 'libdir=$${prefix}/lib' 'includedir=$${prefix}/include/simt' '' \
	  'Name: libsimt' 'Description: cycle-exact C models of GPU building blocks' 'Version: $(VERSION)' \
	  'Cflags: -I$${includedir}' 'Libs: -L$${libdir} -lsimt' 'Libs.private: -lm' \
	  > "$(DESTDIR)$(PREFIX)/lib/pkgconfig/libsimt.pc"
	install -D -m 644 docs/simtgen.1 "$(DESTDIR)$(PREFIX)/share/man/man1/simtgen.1"
	@$(foreach t,$(TEMPLATES),install -D -m 644 $(t) "$(DESTDIR)$(call template_to,$(t))" &&) true
	@$(foreach p,$(PROPERTIES),install -D -m 644 $(p) "$(DESTDIR)$(call property_to,$(p))" &&) true
	@$(foreach b,$(BOARDS),install -D -m 644 $(b) "$(DESTDIR)$(SHARE)/$(b)" &&) true
	@$(foreach p,$(PAGES),install -D -m 644 $(p) "$(DESTDIR)$(call page_to,$(p))" &&) true
	@$(foreach e,$(EXAMPLES),install -D -m 644 $(e) "$(DESTDIR)$(call example_to,$(e))" &&) true
	install -D -m 644 $(TRACE) "$(DESTDIR)$(SHARE)/traces/$(notdir $(TRACE))"
	install -D -m 644 docs/simtgen.bash "$(DESTDIR)$(COMPLETION)"
	@echo "installed simtgen $(VERSION) in $(DESTDIR)$(PREFIX)"
uninstall:  ## remove what install put there (same PREFIX=, DESTDIR=)
	rm -f $(foreach f,$(INSTALLED),"$(DESTDIR)$(f)")
	@cd "$(DESTDIR)$(PREFIX)" && for d in $$(find share/simtgen share/doc/simtgen share/bash-completion include/simt -depth -type d 2>/dev/null); do \
	  rmdir "$$d" 2>/dev/null || true; done

# ---- use and check -----------------------------------------------------------------------------
RUN = $(if $(ROTATION),ROTATION=$(ROTATION) )SIMTGEN=$(abspath $(B)/simtgen) B=$(abspath $(B))

SWEEP = synth_reports/sweeps/stack_cache_demo.yaml

.PHONY: setup demo sweep-demo check test nightly nightly-left check-interface requirements mutants engines bench cells figures formal fpga fpga-sim
setup:  ## install the tools that are missing (says which and why first)
	@B=$(abspath $(B)) fpga/setup.sh
demo:  ## build, generate, lint, run in lockstep on a real trace, synthesize: one screen
	@B=$(B) PREFIX=$(PREFIX) verif/tools/demo.sh
sweep-demo: all  ## measure 12 configurations on iCE40 and on traces, with a page (SWEEP=FILE: another sweep)
	@$(B)/simtgen sweep $(SWEEP) -o $(B)/sweep-demo && $(B)/simtgen report $(B)/sweep-demo -o $(B)/sweep-page
check: all  ## the quick tests, at most 3 minutes
	@$(RUN) verif/tools/run_tests.py --level check --blocks "$(BLOCKS)"
test: all  ## all tests, of grids a part (ROTATION=all: all), or what names some blocks (BLOCKS="a b")
	@$(RUN) verif/tools/run_tests.py --level test --blocks "$(BLOCKS)"
nightly: all  ## every test in full and the long ones; goes on where it was stopped (MINUTES=N: so long)
	@$(RUN) verif/tools/run_tests.py --level nightly --blocks "$(BLOCKS)" $(if $(MINUTES),--minutes $(MINUTES))
nightly-left: all  ## what make nightly has still to run, and for how long
	@$(RUN) verif/tools/run_tests.py --level nightly --blocks "$(BLOCKS)" --left
check-interface: all  ## compare each Verilog core with its block's description
	@export WHOLE=1; $(RUN) verif/tests/interface.py && $(RUN) verif/tests/interface_others.py && $(RUN) verif/tests/interface_planted.py
formal: all  ## prove the properties of every block and find the planted faults (build/formal.json)
	@$(RUN) verif/tools/formal.py
requirements: all  ## write docs/requirements.md from the results of `make test`
	@$(RUN) verif/tools/requirements.py
mutants: all  ## account for every mutation of a block's RTL (BLOCK=NAME)
	@$(RUN) verif/mutate/mutants.py $(or $(BLOCK),$(error BLOCK=NAME says which block))
engines: all  ## the four engines over the grid of a block (BLOCK=NAME)
	@$(RUN) verif/tools/engines.py $(or $(BLOCK),$(error BLOCK=NAME says which block))
bench: all  ## measure and print the figures (build/bench.json)
	@$(RUN) verif/tools/bench.py
fpga: all  ## bitstream of a self-test (BOARD=hx8k|icebreaker|ulx3s BLOCK=NAME, PARAMS="NAME=VALUE ...")
	@$(RUN) fpga/build.sh $(or $(BOARD),$(error BOARD=hx8k, icebreaker or ulx3s)) $(or $(BLOCK),$(error BLOCK=NAME says which block)) $(PARAMS)
fpga-sim: all  ## the same self-test, synthesized, in simulation: the line on its serial port
	@$(RUN) fpga/build.sh --simulate $(or $(BOARD),$(error BOARD=hx8k, icebreaker or ulx3s)) $(or $(BLOCK),$(error BLOCK=NAME says which block)) $(PARAMS)
cells:  ## measure the cells of rtl_templates/lib: the table of docs/cells.md
	@$(RUN) verif/tests/cells/figures.py
figures: all  ## tables and curves over whole trace sets (SIMTGEN_TRACES=DIR)
	@found=; for f in $(foreach r,$(ROOTS),$(wildcard $(r)/verif/*/figures.sh)); do \
	  found=1; $(RUN) "$$f" || exit 1; done; [ "$$found" ] || echo "no block has figures to draw"

.PHONY: help clean
help:  ## this list
	@grep -hE '^[a-zA-Z0-9_-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-zA-Z0-9_-]+):.*## /  make \1\t/' | expand -t 24

clean:  ## remove everything built
	rm -rf $(B)

-include $(shell find $(B)/obj -name '*.d' 2>/dev/null) $(B)/blocks.d $(B)/verifs.d
