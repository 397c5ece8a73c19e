# Two commands do everything on a fresh machine: `make demo` and `make test`.
# Needed before: Python 3.11 or newer with its venv module, git, make.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
STAMP := .venv/.installed
# Compiled modules are kept, whatever the shell says: a run of the tests starts hundreds of programs.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: setup demo near check test search simulate simulate-bugs interleave since fuzz crashes mutate mutate-law soak fmt lint types generate check-generated bench docs verifier changelog image golden release all clean

setup: $(STAMP)

$(STAMP): requirements.txt pyproject.toml docs/examples/pyproject.toml $(wildcard schemas/*.json)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Python 3.11 or newer is needed; name one with PYTHON=…"; exit 1; }
	@$(PYTHON) -m venv .venv \
		|| { echo "No .venv could be made. If Python's venv module is missing: apt-get install python3-venv"; exit 1; }
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e . -e docs/examples
	@touch $@

demo: setup
	$(BIN)/gameledger demo

# Side by side, a file at a time, in the order that tests/conftest.py gives. A worker that ended, such
# as by a test that hung, is not replaced: that could wait for ever.
PYTEST := $(BIN)/pytest -n auto --dist loadfile --no-loadscope-reorder --max-worker-restart 0 --durations 10

# The rings: what a change reaches; pure tests, lint and types; everything; and what takes hours.
near: setup
	@$(BIN)/python -m tools.workshop.near $(if $(SINCE),--since $(SINCE)) --seconds $(or $(SECONDS),120)

check: lint types
	$(PYTEST) -m "(not slow or smoke) and not search"

test: setup
	$(PYTEST) -m "not search" $(PYTEST_OPTIONS)

# All searches at full size, one after the other: make search, or one of them below with its size
search: setup
	GAMELEDGER_SEARCH=1 $(PYTEST)
	$(MAKE) simulate HOURS=1
	$(MAKE) fuzz SECONDS=3600
	$(MAKE) crashes SECONDS=600
	$(MAKE) simulate-bugs interleave since mutate mutate-law soak

SIMULATE := PYTHONPATH=client/src $(BIN)/python -m tests.simulation.simulate

# The whole system under seeds, such as: make simulate HOURS=8, or SECONDS=60
simulate: setup
	@$(SIMULATE) --hours $(or $(HOURS),0) --seconds $(or $(SECONDS),$(if $(HOURS),0,60))

# The threads of the writer in more orders of their steps, such as: make interleave ORDERS=5000
interleave: setup
	GAMELEDGER_INTERLEAVINGS=$(or $(ORDERS),1000) $(BIN)/pytest -q -s tests/simulation/test_interleavings.py -k every_order

# After how many seeds each deliberate bug is found: the median of RUNS
simulate-bugs: setup
	@$(SIMULATE) --bugs $(or $(RUNS),5)

# Runs of `reconcile --since` against complete ones, on random histories: make since HISTORIES=200
since: setup
	GAMELEDGER_SINCE_HISTORIES=$(or $(HISTORIES),200) $(BIN)/pytest -q --durations 1 -o faulthandler_timeout=0 \
		tests/projections/reconciliation/test_since.py -k random_facts

# What reads bytes from outside, with coverage: make fuzz SECONDS=3600, or TARGETS="camt mt940"
fuzz: setup
	@$(BIN)/python -m tests.fuzz.fuzz $(TARGETS) --seconds $(or $(SECONDS),20)

# What a loss of power may leave of each durable file: make crashes SECONDS=600, or PROGRAMS="log keys"
crashes: setup
	@$(BIN)/python -m tests.crashes.crash_states $(PROGRAMS) --seconds $(or $(SECONDS),60)

# What tests don't notice, on a copy: make mutate FOLDERS="ledger/core ledger/log" MOST=60
mutate: setup
	@test -x .cache/mutation/bin/cosmic-ray || $(PYTHON) -m venv .cache/mutation
	@.cache/mutation/bin/pip install --quiet --disable-pip-version-check --require-hashes -r tests/mutation/requirements.txt
	@nice -n 19 $(BIN)/python -m tests.mutation.mutate $(FOLDERS) $(FILES) --most $(or $(MOST),60) --seed $(or $(SEED),0) --cosmic-ray $(CURDIR)/.cache/mutation/bin/cosmic-ray

# Requirements whose tests don't notice that their rule is gone: make mutate-law REQUIREMENTS="L-35 'SAZKA 12a(2)'"
mutate-law: setup
	@nice -n 19 $(BIN)/python -m tests.mutation.law $(REQUIREMENTS)

# Does a process grow over weeks of evenings: make soak EVENTS=1000000
soak: setup
	@$(BIN)/python -m tests.soak.soak --events $(or $(EVENTS),100000)

fmt: setup
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lint: setup check-generated
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports
	$(BIN)/python -m tools.workshop.lint

types: setup
	$(BIN)/mypy

generate: setup
	$(BIN)/python -m tools.workshop.generate
	$(BIN)/python tests/schemas/golden.py

check-generated: setup
	$(BIN)/python -m tools.workshop.generate --check

# Such as: make bench, or make bench SCENARIO=growth BENCH="--sizes 1000000,10000000"; SCENARIO=--help
# names the scenarios.
bench: setup
	$(BIN)/python -m tools.workshop.bench $(or $(SCENARIO),main) $(BENCH)

# The verifier that stands alone: one static file and a wheel of it, in dist/. Needs cargo.
CARGO := $(shell command -v cargo || echo $(HOME)/.cargo/bin/cargo)
WHEEL := verifier/target/wheel

# Wheel, source distribution, SBOM and checksums; such as: make release RELEASE=dist/1.0.0
RELEASE ?= dist/release
# What the next version will say; fails where a fragment has no kind
changelog: setup
	@! ls changelog.d | grep -v -E '^(README|[+].*[.](added|changed|removed|fixed|security))[.]md$$' \
		|| { echo "these fragments of changelog.d have no kind: see changelog.d/README.md"; exit 1; }
	$(BIN)/towncrier build --draft --version next

# Built and tried with buildah, as root; says what it did not try
image: setup
	$(BIN)/python -m tools.workshop.image

# The chain of this version, which each later one must read: tests/golden/
golden: setup
	$(BIN)/python -m tests.golden.golden_cases

release: setup
	$(BIN)/python -m tools.workshop.release $(RELEASE)

verifier:
	@$(CARGO) --version >/dev/null 2>&1 \
		|| { echo "cargo 1.85 or newer is needed: apt-get install cargo-web rustc-web"; exit 1; }
	cd verifier && $(CARGO) build --release --locked --quiet
	@test -x $(WHEEL)/bin/maturin || $(PYTHON) -m venv $(WHEEL)
	$(WHEEL)/bin/pip install --quiet --disable-pip-version-check --require-hashes -r verifier/requirements.txt
	cd verifier && PATH="$(dir $(CARGO)):$$PATH" target/wheel/bin/maturin build --release --locked \
		--quiet --compatibility manylinux2014 --out ../dist
	cp verifier/target/release/gameledger-verify dist/
	cd dist && sha256sum gameledger-verify gameledger_verify-*.whl | tee SHA256SUMS

SITE := dist/docs

# The pages of the repository as a site with search; a link that leads nowhere ends it.
docs: generate
	rm -rf $(SITE)/source $(SITE)/html && mkdir -p $(SITE)/source
	cp -r --parents README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md LICENSE docs deploy \
		client/README.md schemas/README.md tests/README.md $(SITE)/source
	cp docs/site/zensical.toml $(SITE)
	@test -x $(SITE)/venv/bin/zensical || $(PYTHON) -m venv $(SITE)/venv
	$(SITE)/venv/bin/pip install --quiet --disable-pip-version-check --require-hashes -r docs/site/requirements.txt
	cd $(SITE) && venv/bin/zensical build --strict
	@echo "open $(SITE)/html/index.html"

all: lint types test

clean:
	rm -rf .venv data dist verifier/target
