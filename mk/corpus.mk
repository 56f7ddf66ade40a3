# Real projects: pinned source archives in build/corpus, read and never executed.
CORPUS_RUN = $(PYTHON) tests/corpus.py --bin $(B)/pdmigrate

corpus: all ## scan the pinned projects; laws on them and on the trees of CORPUS="DIR..."
	$(CORPUS_RUN) fetch scan laws library
	$(PYTHON) tests/accuracy.py --bin $(B)/pdmigrate check
	$(if $(CORPUS),$(PYTHON) tests/laws.py --no-fixtures --bin $(B)/pdmigrate $(CORPUS))

corpus-table: all ## write docs/corpus.md and docs/accuracy.md
	$(CORPUS_RUN) --write fetch scan
	$(PYTHON) tests/accuracy.py --bin $(B)/pdmigrate table

.PHONY: corpus corpus-table
