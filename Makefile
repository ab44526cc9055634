# simtgen: build, check and install. `make help` lists the targets.
SHELL := /bin/bash
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules
.DEFAULT_GOAL := all

B       := build
PREFIX  ?= /usr/local
CC      ?= gcc
# Extra trees with blocks in them (each with cmodel/, rtl_templates/, verif/); used by the tests.
EXTRA   ?=
ROOTS   := . $(EXTRA)

WARN    := -Wall -Wextra -Wshadow -Wconversion -Wmissing-prototypes -Werror
CFLAGS  ?= -O2 -g
override CFLAGS += -std=gnu11 $(WARN) -MMD -MP -fPIC -Icmodel/core -Iverif -Igen
LDLIBS  := -lfyaml -ljansson -lz -ldl -lm -lpthread

# Blocks are found by their folders.
BLOCKS  := $(sort $(notdir $(patsubst %/,%,$(filter-out ./cmodel/core/,$(foreach r,$(ROOTS),$(dir $(wildcard $(r)/cmodel/*/block.c)))))))
MODEL_C := $(wildcard cmodel/core/*.c) $(foreach r,$(ROOTS),$(wildcard $(addprefix $(r)/cmodel/,$(addsuffix /*.c,$(BLOCKS)))))
VERIF_C := $(wildcard verif/*.c) $(foreach r,$(ROOTS),$(wildcard $(addprefix $(r)/verif/,$(addsuffix /*.c,$(BLOCKS)))))
GEN_C   := $(wildcard gen/*.c)
obj      = $(patsubst %.c,$(B)/obj/%.o,$(patsubst ./%,%,$(1)))

.PHONY: all
all: $(B)/simtgen  ## build the program (build/simtgen)

$(B)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) $(foreach r,$(ROOTS),$(addprefix -I$(r)/cmodel/,$(BLOCKS))) -c $< -o $@

# The two lists of blocks; rewritten only when the folders change.
$(B)/blocks.c: FORCE
	@mkdir -p $(@D)
	@{ echo '#include "verif.h"'; \
	   for b in $(BLOCKS); do echo "extern const struct simt_block simt_block_$$b;"; done; \
	   echo 'const struct simt_block *const simt_blocks[] = {'; \
	   for b in $(BLOCKS); do echo "  &simt_block_$$b,"; done; echo '  NULL};'; } > $@.new
	@cmp -s $@.new $@ || mv $@.new $@; rm -f $@.new
$(B)/verifs.c: FORCE
	@mkdir -p $(@D)
	@{ echo '#include "verif.h"'; \
	   for b in $(BLOCKS); do echo "extern const struct simt_verif simt_verif_$$b;"; done; \
	   echo 'const struct simt_verif *const simt_verifs[] = {'; \
	   for b in $(BLOCKS); do echo "  &simt_verif_$$b,"; done; echo '  NULL};'; } > $@.new
	@cmp -s $@.new $@ || mv $@.new $@; rm -f $@.new
FORCE:

$(B)/%.o: $(B)/%.c
	$(CC) $(CFLAGS) -c $< -o $@

$(B)/simtgen: $(call obj,$(GEN_C) $(VERIF_C) $(MODEL_C)) $(B)/blocks.o $(B)/verifs.o
	$(CC) $(CFLAGS) -rdynamic $^ $(LDLIBS) -o $@

.PHONY: help clean
help:  ## this list
	@grep -hE '^[a-zA-Z0-9_-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-zA-Z0-9_-]+):.*## /  make \1\t/' | expand -t 24

clean:  ## remove everything built
	rm -rf $(B)

-include $(shell find $(B) -name '*.d' 2>/dev/null)
