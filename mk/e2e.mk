# Patched packages and rule examples on a real Paddle; see tests/e2e.py.
e2e: all ## patch, build, import and call packages on a CPU wheel of Paddle; rule examples too
	$(PYTHON) tests/e2e.py --bin $(B)/pdmigrate

e2e-table: all ## as e2e, and write docs/e2e.md
	$(PYTHON) tests/e2e.py --bin $(B)/pdmigrate --write

.PHONY: e2e e2e-table
