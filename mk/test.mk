# Tests, checks and what ships. `make help` lists the targets.
PYTHON := python3
# Trees for `make corpus` and `make bench`, beside the bundled ones.
CORPUS ?=
RUN = $(PYTHON) tests/run.py --bin $(B)/pdmigrate --build $(B) --mode $(MODE)

test: all ## run every test; the last line counts them
	$(RUN)

asan: ## unit tests and golden cases under AddressSanitizer and UBSan
	$(MAKE) --no-print-directory MODE=asan B=build/asan build/asan/pdmigrate
	ASAN_OPTIONS=detect_leaks=1:abort_on_error=0 UBSAN_OPTIONS=print_stacktrace=1 \
		$(MAKE) --no-print-directory MODE=asan B=build/asan asan-run
asan-run:
	$(RUN) unit golden

lint: ## rules of the code that a machine can check
	$(PYTHON) tests/lint.py

golden: all ## fixtures only
	$(PYTHON) tests/golden.py --bin $(B)/pdmigrate

golden-update: all ## write what the program prints now into fixtures/
	$(PYTHON) tests/golden.py --update --bin $(B)/pdmigrate

fuzz: ## scan damaged files under the sanitizers; CORPUS="DIR..." adds seeds
	$(MAKE) --no-print-directory MODE=asan B=build/asan build/asan/pdmigrate
	$(PYTHON) tests/fuzz.py --bin build/asan/pdmigrate --keep build/fuzz $(CORPUS)

bench: all $(B)/bench ## speed and memory as ratios; CORPUS=DIR for another tree
	$(PYTHON) tests/bench.py --bin $(B)/pdmigrate --bare $(B)/bench $(CORPUS)

$(B)/bench: tests/bench.c $(patsubst src/%.c,$(B)/obj/%.o,$(wildcard src/base/*.c)) $(TS_OBJ) \
		$(B)/gen/assets.o $(B)/gen/asset_table.o
	$(CC) $(CPPFLAGS) $(CFLAGS_all) $(TS_INC) $(LDFLAGS_$(MODE)) -o $@ $^ $(LDLIBS)

bench-patch: all ## cost of a patch beside a scan; CORPUS="DIR..." for other trees
	$(PYTHON) tests/bench_patch.py --bin $(B)/pdmigrate $(CORPUS)

bench-cxx: all ## what parsing C++ costs, as ratios; CORPUS=DIR for another tree
	$(PYTHON) tests/bench_cxx.py --bin $(B)/pdmigrate $(CORPUS)

demo: all ## scan the bundled repository
	@$(B)/pdmigrate scan fixtures/demo || [ $$? -eq 1 ]

readme: all ## refresh the generated blocks of README.md
	$(PYTHON) scripts/readme.py --bin $(B)/pdmigrate

notice: ## write NOTICE from grammars/LOCK and the Debian packages
	$(PYTHON) scripts/notice.py

man: $(B)/pdmigrate.1 ## write build/release/pdmigrate.1
$(B)/pdmigrate.1: $(B)/pdmigrate man/pdmigrate.1.in
	$(B)/pdmigrate help --man man/pdmigrate.1.in >$@

install: all man ## copy the program and its manual page below PREFIX (and DESTDIR)
	install -D -m 755 $(B)/pdmigrate $(DESTDIR)$(PREFIX)/bin/pdmigrate
	install -D -m 644 $(B)/pdmigrate.1 $(DESTDIR)$(PREFIX)/share/man/man1/pdmigrate.1

.PHONY: test asan asan-run lint golden golden-update fuzz bench bench-patch bench-cxx demo readme notice man install
