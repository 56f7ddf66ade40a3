# pdmigrate. `make help` lists the targets.
PREFIX ?= /usr/local
CC ?= cc
MODE ?= release
B := build/$(MODE)

PKGS := yaml-0.1 libgit2 libxxhash libelf zlib
# Headers of clang-c, the newest there are; the library itself is loaded at run time.
CLANG_INC := $(patsubst %/clang-c,%,$(lastword $(sort $(wildcard /usr/lib/llvm-*/include/clang-c))))
CPPFLAGS += -Isrc -D_GNU_SOURCE -include base/banned.h
WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wvla \
	-Wwrite-strings -Wundef -Wno-unused-parameter
CFLAGS_release := -O2 -g
CFLAGS_asan := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -DPDM_DEBUG
CFLAGS_all = -std=c11 $(WARN) $(CFLAGS_$(MODE)) $(CFLAGS) $(shell pkg-config --cflags $(PKGS))
LDFLAGS_asan := -fsanitize=address,undefined
# libgit2 is loaded when it is first asked for: src/base/libgit2.c.
LDLIBS = $(shell pkg-config --libs $(filter-out libgit2,$(PKGS))) -lpthread -ldl -lm

G := grammars/src
TS_RT := $(G)/tree-sitter-0.25.2/tree_sitter/core/lib
TS_INC := -I$(TS_RT)/include
TS_OBJ := $(B)/ts/runtime.o $(B)/ts/python.o $(B)/ts/python-scanner.o $(B)/ts/toml.o $(B)/ts/toml-scanner.o \
	$(B)/ts/cmake.o $(B)/ts/cmake-scanner.o
TS_FLAGS := -std=c11 -O3 -w $(if $(filter asan,$(MODE)),$(CFLAGS_asan))

SRC := $(sort $(wildcard src/*.c src/*/*.c))
OBJ := $(SRC:src/%.c=$(B)/obj/%.o)
LIB_OBJ := $(filter-out $(B)/obj/main.o,$(OBJ)) $(B)/gen/assets.o $(B)/gen/asset_table.o $(B)/gen/kernel.o
RULES := $(shell find rules -type f)
STAGES := repo py cxx marker cover rule plan patch probe history fork report

.DELETE_ON_ERROR:
.SECONDARY:

all: $(B)/pdmigrate ## build build/release/pdmigrate
	@ln -sf $(MODE)/pdmigrate build/pdmigrate

$(B)/pdmigrate: $(B)/obj/main.o $(LIB_OBJ) $(TS_OBJ)
	$(CC) $(LDFLAGS) $(LDFLAGS_$(MODE)) -o $@ $^ $(LDLIBS)

$(B)/obj/%.o: src/%.c Makefile
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS_all) $(if $(findstring /py/,$<),$(TS_INC)) $(if $(findstring /cxx/,$<),-isystem $(CLANG_INC)) -MMD -MP -c -o $@ $<

$(B)/gen/assets.S $(B)/gen/asset_table.c &: scripts/embed.sh $(B)/gen/pack $(RULES)
	@mkdir -p $(@D)
	sh scripts/embed.sh $(B)/gen/assets.S $(B)/gen/asset_table.c $(B)/gen/pack
$(B)/gen/pack: scripts/pack.c $(patsubst %,$(B)/obj/base/%.o,arena err fault fs intern path strbuf yaml yaml_tree)
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) $(CFLAGS_all) $(LDFLAGS) $(LDFLAGS_$(MODE)) -o $@ $^ $(LDLIBS)
$(B)/gen/assets.o: $(B)/gen/assets.S
	$(CC) -c -o $@ $<
$(B)/gen/asset_table.o: $(B)/gen/asset_table.c
	$(CC) $(CPPFLAGS) $(CFLAGS_all) -c -o $@ $<

# What probe launches: PTX where there is nvcc, else empty.
$(B)/gen/kernel.c: src/probe/kernel.cu scripts/kernel.sh
	@mkdir -p $(@D)
	sh scripts/kernel.sh $< $@
$(B)/gen/kernel.o: $(B)/gen/kernel.c
	$(CC) $(CPPFLAGS) $(CFLAGS_all) -c -o $@ $<

$(G)/.done: grammars/LOCK scripts/deps.sh
	sh scripts/deps.sh

$(B)/ts/runtime.o: $(G)/.done
	@mkdir -p $(@D)
	$(CC) $(TS_FLAGS) $(TS_INC) -I$(TS_RT)/src -D_GNU_SOURCE -c -o $@ $(TS_RT)/src/lib.c
$(B)/ts/python.o $(B)/ts/python-scanner.o: D := $(G)/tree-sitter-python-0.23.6/src
$(B)/ts/toml.o $(B)/ts/toml-scanner.o: D := $(G)/tree-sitter-toml-0.7.0/src
$(B)/ts/cmake.o $(B)/ts/cmake-scanner.o: D := $(G)/tree-sitter-cmake-0.7.2.post1/src
# The CMake scanner saves its whole state before it has set all of it.
$(B)/ts/cmake-scanner.o: TS_FLAGS += '-Dts_malloc(size)=calloc(1,size)'
$(B)/ts/%-scanner.o: $(G)/.done
	@mkdir -p $(@D)
	$(CC) $(TS_FLAGS) -I$(D) -I$(G)/abi14 -c -o $@ $(D)/scanner.c
$(B)/ts/%.o: $(G)/.done
	@mkdir -p $(@D)
	$(CC) $(TS_FLAGS) -I$(D) -I$(G)/abi14 -c -o $@ $(D)/parser.c

# One unit test program a stage, linked with base, the model and that stage only: a stage that needs
# another one does not link.
unit-%: $(B)/unit/%
	$(B)/unit/$*
$(B)/unit/%: Makefile FORCE
	@mkdir -p $(@D)
	@$(MAKE) --no-print-directory MODE=$(MODE) unit-link-$*
unit-link-%:
	@$(MAKE) --no-print-directory -s MODE=$(MODE) \
		$(patsubst src/%.c,$(B)/obj/%.o,$(sort $(wildcard src/base/*.c src/$*/*.c) src/model.c)) \
		$(patsubst tests/unit/%.c,$(B)/unit-obj/%.o,$(wildcard tests/unit/$*_*.c) tests/unit/main.c) \
		$(B)/gen/assets.o $(B)/gen/asset_table.o $(if $(filter py,$*),$(TS_OBJ)) $(if $(filter probe,$*),$(B)/gen/kernel.o)
	$(CC) $(LDFLAGS) $(LDFLAGS_$(MODE)) -o $(B)/unit/$* \
		$(patsubst src/%.c,$(B)/obj/%.o,$(sort $(wildcard src/base/*.c src/$*/*.c) src/model.c)) \
		$(patsubst tests/unit/%.c,$(B)/unit-obj/%.o,$(wildcard tests/unit/$*_*.c) tests/unit/main.c) \
		$(B)/gen/assets.o $(B)/gen/asset_table.o $(if $(filter py,$*),$(TS_OBJ)) $(if $(filter probe,$*),$(B)/gen/kernel.o) \
		$(LDLIBS) $(shell pkg-config --libs check libcjson libgit2)
$(B)/unit-obj/%.o: tests/unit/%.c Makefile
	@mkdir -p $(@D)
	$(CC) $(CPPFLAGS) -Itests/unit $(CFLAGS_all) $(shell pkg-config --cflags check libcjson) $(TS_INC) -isystem $(CLANG_INC) -MMD -MP -c -o $@ $<

stage-%: ## compile one stage only
	@$(MAKE) --no-print-directory MODE=$(MODE) $(patsubst src/%.c,$(B)/obj/%.o,$(wildcard src/$*/*.c))

deps: ## install Debian packages and fetch the pinned grammars
	sh scripts/deps.sh

help: ## list targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 16

clean: ## remove build/
	rm -rf build

FORCE:
.PHONY: all deps help clean FORCE

-include $(OBJ:.o=.d)
-include $(wildcard $(B)/unit-obj/*.d)
-include mk/*.mk
