# Everything starts from Python 3.11 or newer with pip, make and git. uv comes in .uv/, the packages in .venv/,
# both pinned by hash, and nothing outside this directory is written but the caches of pip and uv.

# The first that is new enough. A user names another one: PYTHON=python3.14 make run
PYTHON ?= $(shell for python in python3.11 python3 python3.12 python3.13 python3.14; do \
	$$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; done || echo python3)
PYTHON := $(PYTHON)
INDEX ?= $(shell printenv PIP_INDEX_URL || $(PYTHON) -m pip config get global.index-url 2>/dev/null)
INDEX := $(INDEX)

# The interpreter itself: uv takes one that a version manager's shim has started for another, and makes .venv anew.
export UV_PYTHON := $(shell $(PYTHON) -c 'import os, sys; sys.version_info < (3, 11) or print(os.path.realpath(sys.executable))')
ifeq ($(UV_PYTHON),)
$(error Python 3.11 or newer is needed, and $(PYTHON) is none. To name another one: PYTHON=python3.14 make run)
endif
export UV_PYTHON_DOWNLOADS := never
export UV_PROJECT_ENVIRONMENT := .venv
# The certificates that pip trusts on this machine, too, which may have some of its own.
export UV_SYSTEM_CERTS := true
unexport VIRTUAL_ENV
unexport PYTHONPATH
# With it, tests.bench and the like, which lie here, are not found.
unexport PYTHONSAFEPATH
# For images and other projects: without the development groups there is no pytest, and what is not editable stays old.
unexport UV_NO_DEV UV_NO_DEFAULT_GROUPS UV_NO_EDITABLE UV_NO_INSTALL_PROJECT UV_PROJECT UV_WORKING_DIR
# Keep compiled modules. Otherwise every process that a test starts compiles all of its modules again, which takes seconds.
unexport PYTHONDONTWRITEBYTECODE
# Where nobody may write at home, as in some containers, uv goes without its cache.
ifeq ($(shell mkdir -p "$${UV_CACHE_DIR:-$${XDG_CACHE_HOME:-$${HOME:?}/.cache}/uv}" 2>/dev/null && echo yes),)
export UV_NO_CACHE := 1
endif
ifneq ($(INDEX),)
export UV_DEFAULT_INDEX := $(INDEX)
endif

UV := .uv/bin/uv
PUBLIC := env -u UV_INDEX -u UV_INDEX_URL -u UV_DEFAULT_INDEX -u UV_EXTRA_INDEX_URL -u UV_FIND_LINKS
BIN := .venv/bin
PYTEST := $(BIN)/pytest
SOURCES := scorekeeper migrations tests .ci
# All tests of a file run on one process, so that their shared fixtures are set up once. Files run in the order of their names.
ON_TWO := -n 2 --dist loadfile --no-loadscope-reorder
# A quarter of their time all tests together wait for other programs and for the disk, so that three keep two cores busy.
ON_THREE := -n 3 --dist loadfile --no-loadscope-reorder
# Long tests, which wait for timeouts, pages and other programs. Each process goes through a third in its order, and takes from the others when it is done.
LONG_ON_THREE := -n 3 --dist worksteal
PURE := tests/rules tests/editions tests/match tests/tournament tests/projections tests/simulation tests/texts \
	--ignore tests/simulation/test_simulate_command.py

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: .venv/.product  ## set everything up and serve on SQLite in scorekeeper-data/
	@exec $(BIN)/scorekeeper serve

demo: .venv/.product  ## a simulated league with everything in it, in scorekeeper-demo/, opened in the browser
	@exec $(BIN)/scorekeeper demo $(DEMO)

fast: .venv/.development  ## the linter, and the tests of the pure layers: no database, no server
	@.ci/timed 'Linter and pure tests' sh -ec '$(MAKE) --no-print-directory lint; $(PYTEST) $(ON_TWO) $(PURE)'

test: .venv/.development  ## set everything up and run the tests, on SQLite and on a real PostgreSQL
	@$(PYTEST) $(ON_THREE)

coverage: .venv/.development  ## which lines the tests reach: the total, and every file below 90 %
	@rm -f .coverage .coverage.*
	@$(BIN)/coverage run -m pytest $(ON_TWO)
	@$(BIN)/coverage combine --quiet
	@$(BIN)/coverage report --sort cover | awk 'NR <= 2 || /^TOTAL/ || $$NF + 0 < 90'

slow: slow-ledger slow-pages  ## the ledger's promises with their full counts

slow-ledger: .venv/.development
	@$(PYTEST) -m slow $(LONG_ON_THREE) --ignore tests/browser

# A browser's driver has an event loop of its own, beside which no other test can run one.
slow-pages: .venv/.browser .ci/pages/node_modules/.chromium/chromium
	@$(PYTEST) -m slow $(LONG_ON_THREE) tests/browser

browser: .venv/.browser .ci/pages/node_modules/.chromium/chromium  ## the pages in a real browser, which comes along
	@$(PYTEST) -m 'browser and not slow' $(LONG_ON_THREE) tests/browser

# Those of `browser` and of `slow-pages`, by services and browsers that are started once for both.
all-pages: .venv/.browser .ci/pages/node_modules/.chromium/chromium
	@$(PYTEST) -m browser $(LONG_ON_THREE) tests/browser

deployment: .venv/.deployment .ci/tools/.unpacked  ## what lies in deploy/, by the programs that it is for; needs apt
	@$(PYTEST) tests/packaging tests/abuse/test_behind_nginx.py

pictures: .venv/.browser .ci/pages/node_modules/.chromium/chromium  ## the pictures of the README and of docs/pages.md, made anew from simulated leagues
	@$(BIN)/python -m tests.browser.pictures

pages: .venv/.development .ci/pages/node_modules/.installed  ## the modules of the pages against their types; needs node
	@.ci/with-node .ci/check-pages

bench: .venv/.bench  ## measure, side by side with the references
	@$(BIN)/python -m tests.bench

setup: .venv/.development  ## only set up, with everything that development needs

format: .venv/.development  ## put the code into its format
	@$(BIN)/ruff format $(SOURCES)
	@$(BIN)/ruff check --fix-only --quiet $(SOURCES)

lint: .venv/.development  ## what the linter has to say
	@$(BIN)/ruff format --check $(SOURCES)
	@$(BIN)/ruff check $(SOURCES)

types: mypy pyright  ## strict types, twice

mypy: .venv/.development
	@$(BIN)/mypy

pyright: .venv/.development
	@$(BIN)/pyright

imports: .venv/.development  ## who may import whom
	@$(BIN)/lint-imports

openapi: .venv/.development  ## write the OpenAPI document anew
	@$(BIN)/scorekeeper openapi > openapi/openapi.json.new
	@mv openapi/openapi.json.new openapi/openapi.json

first: .venv/.development  ## the README's first command, in a fresh clone on a bare machine
	@$(BIN)/python .ci/first_command.py

smoke: .venv/.development  ## build the wheel, install it elsewhere and log a match through it
	@$(BIN)/python .ci/smoke_wheel.py

drift: .venv/.development  ## does the committed OpenAPI document say what the code says
	@$(BIN)/scorekeeper openapi | diff -u openapi/openapi.json -

lock: $(UV)  ## resolve the dependencies anew, from the public index whatever this machine prefers
	@$(PUBLIC) $(UV) lock --no-config --upgrade

rules: .venv/.development  ## what two linters say of the committed OpenAPI document; needs node
	@.ci/with-node .ci/lint-openapi

locked: $(UV)  ## does the lock file fit the project, and name public hosts only
	@$(PUBLIC) $(UV) lock --no-config --check --offline --quiet
	@! grep -oE '"[a-z+]+://[^/"]+' uv.lock | sort -u | grep -vE '"https://(pypi\.org|files\.pythonhosted\.org)$$'

.ci/pages/node_modules/.installed: .ci/pages/package-lock.json .venv/.development
	@.ci/with-node npm ci --prefix .ci/pages --ignore-scripts --no-audit --no-fund --silent
	@touch $@

.ci/pages/node_modules/.chromium/chromium: .ci/pages/node_modules/.installed .venv/.browser
	@.ci/with-node node .ci/pages/unpack-chromium.js
	@touch $@

.ci/tools/.unpacked: .ci/deploy-tools
	@.ci/deploy-tools

clean:  ## remove what was set up and built, and keep scorekeeper-data/
	@rm -rf .uv .venv dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .coverage .hypothesis .schemathesis .ci/node/node_modules .ci/pages/node_modules .ci/tools

$(UV): .ci/uv.txt
	@echo 'Setting up uv in .uv/'
	@rm -rf .uv
	@# By variables, since pip refuses an option that is newer than itself. Its settings may ask for an environment.
	@PIP_ROOT_USER_ACTION=ignore PIP_REQUIRE_VIRTUALENV=0 PIP_USER=0 $(PYTHON) -m pip install --quiet --disable-pip-version-check --require-hashes --target .uv -r .ci/uv.txt
	@touch $@

.venv/.product: GROUPS := --no-dev
.venv/.development: GROUPS :=
.venv/.bench: GROUPS := --group bench
.venv/.browser: GROUPS := --group browser
.venv/.deployment: GROUPS := --group deployment

# The lock file names the files' public addresses. Where pip is sent to an index of its own, uv follows it there;
# the hashes are the same. Nothing is removed, so that the targets do not undo each other's work.
.venv/.product .venv/.development .venv/.bench .venv/.browser .venv/.deployment: $(UV) uv.lock pyproject.toml
	@echo 'Setting up the packages in .venv/'
ifeq ($(INDEX),)
	@$(UV) sync --quiet --frozen --inexact $(GROUPS)
else
	@$(UV) venv --quiet --allow-existing .venv
	@$(UV) export --quiet --frozen $(GROUPS) --no-emit-project --output-file .uv/packages.txt
	@$(UV) pip install --quiet --python .venv --require-hashes -r .uv/packages.txt
	@$(UV) pip install --quiet --python .venv --no-deps --editable .
endif
	@touch $@

.PHONY: help run demo fast test coverage slow slow-ledger slow-pages browser all-pages deployment pictures pages bench setup format lint types mypy pyright imports openapi drift first smoke lock rules locked clean
