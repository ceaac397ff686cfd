# `make help` is the manual. Everything is set up in .venv, .venv-peers and .venv-ecosystem* here; nothing is installed elsewhere.
PYTHON ?= python3
# Where pip finds torch. Empty: the default index (on Linux that wheel carries CUDA, 5 GB unpacked).
# A CPU-only wheel, a tenth of it: make demo TORCH_INDEX=<address of an index with CPU wheels of torch>
TORCH_INDEX ?=
DEMO_MINUTES ?= 2

VENV := .venv
PEERS := .venv-peers
# Environments of test-ecosystem: the newest of each library; everything with the gymnasium that ray pins.
ECOSYSTEM_NEW := .venv-ecosystem
ECOSYSTEM_OLD := .venv-ecosystem-old
PIP := $(VENV)/bin/python -m pip --disable-pip-version-check install --quiet
PLAYMAT := $(VENV)/bin/playmat
SOURCES := $(shell find core/src core/assets conformance/src seeds/src seeds/content pybind python */Cargo.toml Cargo.toml Cargo.lock pyproject.toml \
	LICENSE-MIT LICENSE-APACHE THIRD-PARTY-NOTICES.md \
	-type f -not -path '*/__pycache__/*' 2>/dev/null)

# Seconds for each of the four fuzzers.
FUZZ_SECONDS ?= 15
# A toolchain that has sanitizers.
NIGHTLY ?= nightly
HOST = $(shell rustc -vV | sed -n 's/^host: //p')
FUZZERS := state_bytes state_json content play
# What cargo-fuzz passes, but for the address sanitizer: a stable compiler takes it too, and what is fuzzed is safe code.
COVERAGE := -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
	-Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
	-Cllvm-args=-sanitizer-coverage-trace-compares --cfg fuzzing

# One choice of packages and the profile of the wheel, whichever tests are run: the games are compiled once, for minutes. The tests of engine
# and suite are `test-core`.
CARGO_TEST := env -u MAKEFLAGS -u MFLAGS cargo test --release --quiet --workspace --exclude 'playmat-python*' --exclude playmat-core --exclude playmat-conformance
CARGO_TEST_CORE := env -u MAKEFLAGS -u MFLAGS cargo test --profile checked --quiet -p playmat-core -p playmat-conformance --all-features

.PHONY: help demo demo-ray test test-all test-rust test-core test-loom test-own-game test-fuzz test-sanitizers test-python test-parity \
	test-ecosystem test-ray test-capi test-cs lint fmt bench generate wheel docs clean

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 17

# torch and the other libraries of training are downloaded while the engine is compiled.
demo: $(VENV)/.build ## train Graphia for two minutes; win rates, learning curve and a replay page in demo/
	$(MAKE) -j2 TORCH_FIRST=1 $(VENV)/.train
	$(PLAYMAT) demo --minutes $(DEMO_MINUTES) --out demo

demo-ray: $(VENV)/.ray ## the same training with two workers of a local Ray, for two minutes
	$(PLAYMAT) demo --ray local --workers 2 --minutes $(DEMO_MINUTES) --out demo/ray

# Side by side: the wheel is built on one core for minutes, and so are Python tests. The wheel begins first, because most tests wait for it; while
# its environment is made, make would give all three places to tests that need none.
test: ## all tests and lints that must pass before a merge; not fuzzing, sanitizers, Ray, other libraries
	@echo "lint, Rust, C, C#, Python and parity tests run side by side; each shows what it says when it is done, some after minutes"
	$(MAKE) $(VENV)/.build
	$(MAKE) -j3 $(if $(filter output-sync,$(.FEATURES)),--output-sync=target) TORCH_FIRST=1 \
		lint test-rust test-core test-python test-loom test-capi test-cs test-parity test-own-game
	@echo "passed; not run: fuzzing, and sanitizers over the Rust code, which need a nightly compiler (make test-all), Ray (make test-ray), other libraries (make test-ecosystem)"

test-all: test test-fuzz test-sanitizers ## everything in `test`, a minute of fuzzing, sanitizers (nightly compiler)

test-rust: ## Rust tests of games (each with the conformance suite), mutants, C header; documentation examples
	$(CARGO_TEST)

test-core: ## Rust tests of the engine itself and of the conformance suite, with debug assertions
	$(CARGO_TEST_CORE)

test-loom: ## the pool of threads under a model checker, all orders of events up to three switches
	CARGO_TARGET_DIR=target/loom RUSTFLAGS="--cfg loom" env -u MAKEFLAGS -u MFLAGS cargo test --profile checked -p playmat-pool-model --lib --quiet

# Little optimized: compiling is most of the time.
test-own-game: $(VENV)/.test ## a game outside the repository: its tests, its Python module, its C library
	CARGO_TARGET_DIR=$(CURDIR)/target/own_game CARGO_PROFILE_RELEASE_OPT_LEVEL=1 CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 \
		PYTHON=$(abspath $(VENV)/bin/python) env -u MAKEFLAGS -u MFLAGS examples/own_game/try.sh

test-fuzz: $(VENV)/.installed ## fuzz every function that reads bytes or text, FUZZ_SECONDS=15 each
	RUSTFLAGS="$(COVERAGE)" cargo build --manifest-path fuzz/Cargo.toml --target-dir target/fuzz --target $(HOST) --release --quiet
	$(VENV)/bin/python fuzz/corpus.py target/fuzz/corpus
	for fuzzer in $(FUZZERS); do mkdir -p fuzz/corpus/$$fuzzer && target/fuzz/$(HOST)/release/$$fuzzer \
		-max_total_time=$(FUZZ_SECONDS) -timeout=20 -verbosity=0 -print_funcs=0 -print_final_stats=1 -artifact_prefix=target/fuzz/ \
		fuzz/corpus/$$fuzzer target/fuzz/corpus/$$fuzzer || exit 1; done

test-sanitizers: ## the pool, batches and searches with threads under the thread and the address sanitizer; needs a nightly compiler
	for sanitizer in thread address; do CARGO_TARGET_DIR=target/$$sanitizer \
		TSAN_OPTIONS="suppressions=$(CURDIR)/core/tests/tsan.txt" \
		RUSTFLAGS="-Zsanitizer=$$sanitizer -Cunsafe-allow-abi-mismatch=sanitizer" \
		cargo +$(NIGHTLY) test -p playmat-core -p playmat-conformance --lib --test engine --target $(HOST) --quiet -- pool conf_ threads_change_no_row cancelled_collect the_caller_of || exit 1; done

test-python: $(VENV)/.test ## Python tests: API, bad input, command line, training, stubs
	$(MAKE) $(VENV)/.train
	$(VENV)/bin/python -m pytest tests/python
	$(VENV)/bin/python -m mypy --strict python/playmat

test-capi: $(VENV)/.test ## C and C++ hosts: header, misuse under sanitizers and Valgrind, digests, examples, the installed package
	tests/c/need-valgrind.sh
	$(CARGO_TEST) --test hosts
	env -u MAKEFLAGS -u MFLAGS CMAKE=$(abspath $(VENV)/bin/cmake) tests/cpp/package/test.sh

test-cs: $(VENV)/.test ## C# hosts under Mono (installed by apt-get where missing): misuse, digests, threads, example, package
	tests/cs/mono.sh
	$(CARGO_TEST) --test mono
	env -u MAKEFLAGS -u MFLAGS CMAKE=$(abspath $(VENV)/bin/cmake) tests/cs/package.sh

test-ray: $(VENV)/.ray-test $(VENV)/.test ## training and evaluation on Ray: equal weights, killed workers and drivers; some minutes
	$(VENV)/bin/python -m pytest tests/ray

test-parity: $(PEERS)/.ready ## games that OpenSpiel has too, side by side with it
	$(PEERS)/bin/python -m pytest tests/parity

# Both environments run all tests, the second one also after a failure in the first; a module that skips in one of them, for a
# reason that names a version, must run in the other. A PYTHONPATH of the caller must not hide the wheel that is tested.
test-ecosystem: $(ECOSYSTEM_NEW)/.ready $(ECOSYSTEM_OLD)/.ready ## adapters and data sets with the libraries they are for, in two environments (large)
	mkdir -p target
	rm -f target/ecosystem.xml target/ecosystem-old.xml
	failed=0; for name in ecosystem ecosystem-old; do env -u PYTHONPATH .venv-$$name/bin/python -m pytest tests/ecosystem \
		-p no:cacheprovider -rs --junit-xml=target/$$name.xml || failed=1; done; \
		$(ECOSYSTEM_NEW)/bin/python tests/ecosystem/ran.py target/ecosystem.xml target/ecosystem-old.xml && exit $$failed

# Clippy in the profile of test-core, whose procedural macros it shares.
lint: $(VENV)/.test ## formatting and lints, warnings are errors
	cargo fmt --all --check
	cargo fmt --manifest-path examples/own_game/Cargo.toml --all --check
	$(VENV)/bin/python tests/one_build.py
	cargo clippy --workspace --all-targets --all-features --profile checked --quiet -- -D warnings
	$(VENV)/bin/ruff format --check python tests examples docs/*.py
	$(VENV)/bin/ruff check python tests examples docs/*.py

fmt: $(VENV)/.test ## format everything
	cargo fmt --all
	$(VENV)/bin/ruff format python tests examples docs/*.py
	$(VENV)/bin/ruff check --fix python tests examples docs/*.py

bench: $(VENV)/.installed ## steps per second of all games, here
	$(PLAYMAT) bench

generate: $(VENV)/.installed ## rewrite what is generated: golden games, digests, the C header, C# entry points, tables of pages, docstrings of the stub
	UPDATE=1 $(CARGO_TEST)
	UPDATE=1 $(CARGO_TEST_CORE)
	$(VENV)/bin/python tests/python/readme.py --update
	$(VENV)/bin/python tests/python/stubs.py --update

wheel: dist/.built ## the Python wheel, in dist/

docs: ## the Rust documentation, in target/doc
	cargo doc --workspace --no-deps

clean: ## remove everything that was built here
	rm -rf target dist demo $(VENV) $(PEERS) $(ECOSYSTEM_NEW) $(ECOSYSTEM_OLD)

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.build: $(VENV)/bin/python
	$(PIP) 'maturin>=1.16,<2'
	@touch $@

dist/.built: $(VENV)/.build $(SOURCES)
	@rm -rf dist
	@echo "compiling the engine and its games: three to six minutes on two cores"
	env -u MAKEFLAGS -u MFLAGS $(VENV)/bin/maturin build --release $$(test -t 2 || echo --quiet) --out dist --interpreter $(VENV)/bin/python
	@touch $@

$(VENV)/.installed: dist/.built
	$(PIP) --force-reinstall --no-deps dist/playmat-*.whl
	$(PIP) 'numpy>=1.26'
	@touch $@

# Two installs into one environment must not run at once. `make test` downloads torch, for minutes, while the compiler works; other
# commands build the wheel first, and many need no torch.
ifdef TORCH_FIRST
$(VENV)/.installed: | $(VENV)/.torch
else
$(VENV)/.torch: | $(VENV)/.installed
endif

$(VENV)/.torch: $(VENV)/.build
	$(PIP) --no-compile $(if $(TORCH_INDEX),--index-url $(TORCH_INDEX)) 'torch>=2.9'
	sed -n 's/^train = \[\(.*\)\]$$/\1/p' pyproject.toml | tr -d , | xargs $(PIP)
	@touch $@

$(VENV)/.train: $(VENV)/.installed $(VENV)/.torch
	$(PIP) "$$(ls dist/playmat-*.whl)[train]"
	@touch $@

$(VENV)/.ray: $(VENV)/.train
	$(PIP) "$$(ls dist/playmat-*.whl)[ray]"
	@touch $@

# The tests read the metrics of Ray's dashboard, and data sets.
$(VENV)/.ray-test: $(VENV)/.ray
	$(PIP) "$$(ls dist/playmat-*.whl)[datasets]" 'ray[default]'
	@touch $@

# cmake is for the C package; here, because two installs into one environment must not run at once.
$(VENV)/.test: $(VENV)/.installed
	$(PIP) "$$(ls dist/playmat-*.whl)[test]" 'cmake>=3.16'
	@touch $@

$(PEERS)/.ready: dist/.built tests/parity/requirements.txt
	test -x $(PEERS)/bin/python || $(PYTHON) -m venv $(PEERS)
	$(PEERS)/bin/python -m pip --disable-pip-version-check install --quiet -r tests/parity/requirements.txt
	$(PEERS)/bin/python -m pip --disable-pip-version-check install --quiet --force-reinstall --no-deps dist/playmat-*.whl
	@touch $@

$(ECOSYSTEM_NEW)/.ready: tests/ecosystem/requirements-new.txt
$(ECOSYSTEM_OLD)/.ready: tests/ecosystem/requirements-old.txt

# torch first, where TORCH_INDEX says; --no-deps for the wheel: the pins have what its extras want.
$(ECOSYSTEM_NEW)/.ready $(ECOSYSTEM_OLD)/.ready: dist/.built
	test -x $(@D)/bin/python || $(PYTHON) -m venv $(@D)
	$(if $(TORCH_INDEX),$(@D)/bin/python -m pip --disable-pip-version-check install --quiet --index-url $(TORCH_INDEX) \
		$$(grep -h '^torch==' $(filter %.txt,$^)))
	$(@D)/bin/python -m pip --disable-pip-version-check install --quiet -r $(filter %.txt,$^)
	$(@D)/bin/python -m pip --disable-pip-version-check install --quiet --force-reinstall --no-deps dist/playmat-*.whl
	@touch $@
