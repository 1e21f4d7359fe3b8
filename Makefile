# InkBench on a machine with nothing but Python 3.11+ (with venv) and make.
#   make run     install what is missing, build, migrate, start the site with its worker
#   make test    what every change must pass: lint, types, unit, PostgreSQL, browser, killed processes
#   make help    the rest

SHELL := /bin/bash
.SHELLFLAGS := -eo pipefail -c
PYTHON ?= python3
PORT ?= 8000
WORKERS ?= 3
# What pip does, one short line a package.
PLAIN := sed -un -e 's/^Collecting \([^ ]*\).*/  \1/p' -e '/^Successfully/p' -e '/^ERROR/p'
BIN := .venv/bin
PY := $(BIN)/python
PARALLEL := -n $(WORKERS) --dist loadfile --no-loadscope-reorder --durations=30
# What runs without a site, and the rules of the code.
FAST := tests/architecture tests/docs tests/evaluation/files tests/evaluation/payloads tests/evaluation/metrics \
    tests/evaluation/test_*.py tests/annotation/forms tests/annotation/images tests/annotation/test_stages.py \
    tests/baseline/test_protocol.py tests/config/translations

# Every process of a run imports the same modules: they are compiled once.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help run install install-dev build migrate worker demo messages lint fmt test test-fast test-long faults bench verify-metrics screenshots clean

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-16s %s\n", $$1, $$2}'

run: install ## install, migrate, demo when the database is empty, then web server and worker until Ctrl+C
	@$(PY) manage.py migrate --verbosity 0
	@$(PY) manage.py collectstatic --noinput --verbosity 0
	@$(PY) manage.py demo --if-empty
	@exec $(PY) manage.py serve --port $(PORT)

install: .venv/installed static/dist/built locale/compiled ## Python packages, front end, translations

.venv/python-ok:
	@$(PYTHON) tools/preflight.py python
	@echo "Making .venv"
	@$(PYTHON) -m venv .venv
	@touch $@

.venv/installed: .venv/python-ok requirements.txt requirements-nodeps.txt constraints.txt
	@echo "Installing Python packages (a few minutes the first time)"
	@$(PY) -m pip install --disable-pip-version-check -r requirements.txt -c constraints.txt | $(PLAIN)
	@$(PY) -m pip install --disable-pip-version-check -q --no-deps -r requirements-nodeps.txt
	@$(PY) tools/preflight.py libraries
	@touch $@

.venv/installed-dev: .venv/installed requirements-dev.txt
	@echo "Installing what the tests need"
	@$(PY) -m pip install --disable-pip-version-check -q -r requirements-dev.txt -c constraints.txt
	@touch $@

install-dev: .venv/installed-dev install ## the same, and what the tests need

.venv/node-ok: .venv/installed
	@$(PY) tools/node.py ensure
	@touch $@

node_modules/installed: .venv/node-ok package.json package-lock.json
	@echo "Installing front-end packages"
	@$(PY) tools/node.py npm ci --no-audit --no-fund --loglevel=error
	@touch $@

static/dist/built: node_modules/installed static/build.mjs $(shell find static/src -type f)
	@echo "Building the front end"
	@$(PY) tools/node.py npm run --silent build
	@touch $@

build: static/dist/built ## the front end

locale/compiled: .venv/installed $(shell find locale -name '*.po')
	@$(PY) manage.py compile_translations
	@touch $@

migrate: install ## bring the database up to date
	@$(PY) manage.py migrate

worker: install ## more workers beside a running site
	@$(BIN)/python manage.py work

demo: install ## make the demo project (does nothing when it is there)
	@$(PY) manage.py demo

messages: .venv/installed-dev ## collect strings for translation, and say which have none yet
	@$(PY) manage.py collect_translations

lint: install-dev ## ruff, types, import contracts, templates, scripts, styles
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/djangofmt --check templates
	@$(BIN)/djangofmt check templates
	@$(PY) tools/node.py npm run --silent lint

fmt: install-dev ## format and fix what can be fixed
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .
	@$(BIN)/djangofmt check --quiet --fix templates
	@$(BIN)/djangofmt --quiet templates

test: install-dev lint ## what every change must pass; what cannot run here is skipped with its reason
	@$(PY) tools/node.py npm test --silent
	@$(PY) manage.py makemigrations --check --dry-run
	@$(BIN)/pytest $(PARALLEL) -m "not long and not faults"
	@$(PY) -m tools.on_postgres $(PARALLEL)

test-fast: install-dev ## within a minute: the pure packages, and the rules of the code
	@$(BIN)/pytest $(PARALLEL) -m "not long" $(FAST)

test-long: install-dev ## everything, with every seed of every kill and all that touches data on PostgreSQL
	@$(BIN)/pytest $(PARALLEL)
	@$(PY) -m tools.on_postgres --whole $(PARALLEL)

faults: install-dev ## kill -9 at all seeded moments
	@$(BIN)/pytest -m faults

bench: install-dev ## measure: ratios within one run, CPU seconds, best of five
	@$(PY) -m benchmarks

verify-metrics: install-dev ## hold the metrics against scores of the reference programs
	@$(PY) -m benchmarks.metrics.verify

screenshots: install-dev ## docs/screenshots from a fresh demo
	@$(PY) -m tools.screenshots

clean: ## remove what was installed and built; data stays
	rm -rf .venv node_modules static/dist locale/compiled .mypy_cache .ruff_cache .pytest_cache .hypothesis
