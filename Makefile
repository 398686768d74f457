# `make serve` and `make test` are the two commands; `make help` lists the others.
#
# Everything runs in .venv, which scripts/bootstrap.py makes from requirements.txt the first time
# and whenever that file or pyproject.toml has changed since.

# Where `make serve` listens; what `make requirements` and `make bench` pass on.
ADDR ?= 127.0.0.1:8000
ARGS ?=

BIN := .venv/$(if $(filter Windows_NT,$(OS)),Scripts,bin)
STAMP := .venv/stamp
# A command behind this waits while another make of this folder does the same.
ALONE = $(BIN)/python scripts/alone.py

# The Pythons to try, best first; PYTHON=/a/path/to/python goes before all of them.
PINNED := $(shell cat .python-version)
PYENV := $(wildcard $(or $(PYENV_ROOT),$(HOME)/.pyenv)/versions/3.1[2-9]*/bin/python)
PYTHONS = $(PYTHON) python$(PINNED) python3 python3.14 python3.12 python py $(PYENV)
FIND_PYTHON = python=; for candidate in $(PYTHONS); do \
	$$candidate -c 'import sys; sys.exit(sys.version_info < (3, 12))' 2>/dev/null \
	&& python=$$candidate && break; done; \
	if [ -z "$$python" ]; then \
	found=$$(python3 --version 2>/dev/null | sed 's/.*/ (python3 is &)/'); \
	echo "Python 3.12 or newer is needed$$found:" \
	"install one from https://www.python.org/downloads/, or name the one you have:" \
	"make $(MAKECMDGOALS) PYTHON=/path/to/python" >&2; exit 1; fi

COMPILE = UV_CUSTOM_COMPILE_COMMAND="make requirements" .cache/uv/$(notdir $(BIN))/uv pip compile \
	--quiet --universal --python-version 3.12 --generate-hashes $(ARGS)

# Material for MkDocs announces its end, in 2027, at each start; what follows on it is Zensical.
export NO_MKDOCS_2_WARNING := 1

.DEFAULT_GOAL := help
.PHONY: help serve test check build offline requirements bench clean force

help: ## List these commands
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/make \1	\2/p' Makefile | expand -t 20

serve: $(STAMP) ## Build the site, serve it at http://$(ADDR), rebuild what you edit; ADDR=host:port
	@$(BIN)/mkdocs serve --livereload --dev-addr $(ADDR)

test: $(STAMP) ## Run every test: lint, types, the package, the chapters, the site in a browser
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy
	@chrome=$$($(BIN)/python scripts/browser.py) && CHROME=$$chrome $(BIN)/pytest

check: $(STAMP) ## Run every snippet, and fail on anything in a chapter that is not so
	@$(BIN)/traced check

build: $(STAMP) ## Build the site into site/
	@$(ALONE) $(BIN)/mkdocs build --strict

offline: $(STAMP) ## Build the site into site-offline/, to be read from disk without a server
	@$(ALONE) $(BIN)/mkdocs build --strict --config-file mkdocs.offline.yml

requirements: ## Compile requirements.txt anew; ARGS="--upgrade-package jax", ARGS=--upgrade for all
	@$(FIND_PYTHON); $$python -m venv --clear .cache/uv
	@.cache/uv/$(notdir $(BIN))/python -m pip install --quiet uv
	@$(COMPILE) requirements.in --output-file requirements.txt
	@$(COMPILE) --constraints requirements.txt \
		tests/zensical/requirements.in --output-file tests/zensical/requirements.txt

bench: $(STAMP) ## Time builds of the site against plain ones; ARGS=--help lists what else it times
	@$(BIN)/python -m bench $(ARGS)

clean: ## Remove what was built, and the caches, but not .venv
	@rm -rf site site-offline .cache .mypy_cache .pytest_cache .ruff_cache
	@find bench scripts snippets tests -name __pycache__ -prune -exec rm -rf {} +

# The interpreter itself may be gone (an upgrade of Python), and then the stamp says nothing.
$(STAMP): requirements.txt pyproject.toml $(if $(realpath $(BIN)/python $(BIN)/python.exe),,force)
	@$(FIND_PYTHON); $$python scripts/alone.py $$python scripts/bootstrap.py
