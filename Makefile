# Each recipe is plain commands, which run without make as well (README.md, "Without make").
# Some targets take arguments: make notebooks ARGS="04 05", make test ARGS=tests/unit/attention.
PYTHON ?= python3
VENV ?= .venv
RUN = $(VENV)/bin/python -m
READY = $(VENV)/.ready
# Three on two cores: a browser, a kernel or a command that a test waits for leaves it idle.
WORKERS ?= 3
export PYTHONDONTWRITEBYTECODE = 1

.DEFAULT_GOAL := help
.PHONY: help setup book serve lab test lint test-lowest test-newest notebooks homework \
	drawings slides pdf format bench results gpu-lane

help:  ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 14

setup: $(READY)  ## make .venv and install requirements.txt (the others do it by themselves)

$(READY): requirements.txt pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(RUN) pip install -q -r requirements.txt
	$(RUN) pip install -q --no-deps --no-build-isolation -e .
	touch $@

book: $(READY)  ## build the HTML book into _build/html
	$(RUN) tools.homework
	$(VENV)/bin/jupyter-book build . -W --keep-going --quiet
	@echo "The book is here: _build/html/index.html (or make serve)"

serve: book  ## build the book and show it at http://127.0.0.1:8000
	$(RUN) http.server -d _build/html -b 127.0.0.1 8000

lab: $(READY)  ## open JupyterLab on the notebooks
	$(RUN) jupyter lab notebooks $(ARGS)

ifdef ARGS
test: $(READY)
	$(RUN) pytest $(ARGS)
else
test: lint book  ## run all that CI runs; with ARGS only those tests
	OMP_NUM_THREADS=$${OMP_NUM_THREADS:-1} $(RUN) pytest -n $(WORKERS) --dist=loadfile --nbval \
		--ignore=tests/real --durations=25 tests notebooks
endif

lint: $(READY)  ## check the layout of the code and who imports whom
	$(RUN) ruff check --no-cache .
	$(RUN) ruff format --no-cache --check .
	$(VENV)/bin/lint-imports --no-cache

test-lowest test-newest: $(READY)  ## the library's tests with the oldest, the newest packages
	$(RUN) pip install -q uv
	$(RUN) uv venv -q --clear _build/$@
	grep -E "^(pytest|pytest-xdist|hypothesis|beartype|ipykernel|ipywidgets)==" requirements.txt > _build/$@.txt
	$(RUN) uv pip install -q --python _build/$@ -r pyproject.toml -r _build/$@.txt \
		--resolution $(if $(findstring lowest,$@),lowest-direct,highest)
	OMP_NUM_THREADS=1 PYTHONPATH=. _build/$@/bin/python -m pytest -n 2 --dist=loadfile \
		-W ignore::DeprecationWarning -W ignore::FutureWarning tests/unit tests/property tests/parity

notebooks: $(READY)  ## write the notebooks from their texts, execute those whose code changed
	$(RUN) tools.notebooks $(ARGS)
	$(RUN) tools.ledger

homework: $(READY)  ## write what students get into _build/homework, a zip a homework
	$(RUN) tools.homework $(ARGS)

drawings: $(READY)  ## write the notebooks' pictures of the drawings that changed
	$(RUN) tools.drawings

slides: book  ## make a deck of slides for each chapter in _build/slides
	$(RUN) tools.slides

pdf: book  ## print the whole book with an installed Chromium
	$(RUN) tools.pdf

format: $(READY)  ## format the code of the library, tests and tools
	$(RUN) ruff format --exclude "*.ipynb" .

bench: $(READY)  ## time the library beside others' code; ARGS=--quick to try
	$(RUN) tools.speed $(ARGS)

results: $(READY)  ## train what is missing on real data, for hours
	$(RUN) tools.results $(ARGS)

gpu-lane: $(READY)  ## all that needs a GPU, in ten minutes
	$(RUN) tools.gpu_lane
