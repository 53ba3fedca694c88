# Everything a developer runs. Each target installs the Debian packages it needs, if they are missing.

PREFIX ?= /usr/local
CARGO ?= cargo

# To build byway and its variants: compilers for crates that bring C and C++ (CaDiCaL), libclang to read its header, LLVM and
# clang 19, the sanitizers' runtime.
BUILD_PACKAGES = gcc g++ libc6-dev make libclang1-19 clang-19 llvm-19-dev libclang-rt-19-dev
# What the tests hold us against: another linker, another coverage tool's pages, a solver for doctor to find; git for versions.
TEST_PACKAGES = $(BUILD_PACKAGES) lld-19 lcov z3 git
# To build other people's packages.
REAL_PACKAGES = $(TEST_PACKAGES) dpkg-dev cmake meson ninja-build gettext texinfo ed autoconf automake libtool bison flex jq
# Where real programs are built.
PROGRAMS = target/real/programs

.PHONY: all build test lint demo bench real install manual deb clean
all: build

build:
	@scripts/setup $(BUILD_PACKAGES)
	$(CARGO) build --release --workspace
	@ln -sf byway-cc target/release/byway-c++

# One command for all packages: chosen apart they have other features, and would be compiled twice. One test that fails does not
# keep the others from running.
# Tests wait (for compilers, timeouts, each other's processes) longer than they compute: more of them than processors run at once.
test: lint
	$(CARGO) test --workspace --no-fail-fast -- --test-threads=$$((2 * $$(nproc)))

lint:
	@scripts/setup $(TEST_PACKAGES)
	$(CARGO) fmt --all --check
	rustfmt --edition 2024 --check crates/byway-runtime/rt/*.rs
	$(CARGO) clippy --workspace --all-targets -- -D warnings

# A small project, built with byway-cc; its tests, and what breaks it near them.
demo: build
	@PATH="$(CURDIR)/target/release:$$PATH" scripts/demo

# That choosing a branch does not become expensive with their number; how much longer a build takes through byway-cc; what
# symbolic execution costs; what strategies cover in 10 s; how fast queries are answered; what checking a test costs by the
# length of its file. `bench/explore-coverage --paper` takes hours and is not here.
bench: build
	@scripts/setup $(REAL_PACKAGES)
	$(CARGO) test --release --package byway-engine --test strategies cost -- --ignored
	@PATH="$(CURDIR)/target/release:$$PATH" bench/build-time
	@PATH="$(CURDIR)/target/release:$$PATH" bench/sym-speed $(PROGRAMS)
	@PATH="$(CURDIR)/target/release:$$PATH" bench/explore-coverage --check $(PROGRAMS)
	@PATH="$(CURDIR)/target/release:$$PATH" bench/solver-speed --time 5 $(PROGRAMS)
	@PATH="$(CURDIR)/target/release:$$PATH" bench/check-cost $(PROGRAMS)

# Other people's packages, built with clang and with byway-cc; takes a while, and fetches their sources.
real: build
	@scripts/setup $(REAL_PACKAGES)
	@PATH="$(CURDIR)/target/release:$$PATH" tests/real/packages
	@PATH="$(CURDIR)/target/release:$$PATH" tests/real/sed-coverage
	@PATH="$(CURDIR)/target/release:$$PATH" tests/real/same-program $(PROGRAMS)
	@PATH="$(CURDIR)/target/release:$$PATH" tests/real/flips $(PROGRAMS)
	@PATH="$(CURDIR)/target/release:$$PATH" tests/real/flips --cross-check $(PROGRAMS)
	@PATH="$(CURDIR)/target/release:$$PATH" tests/real/check --time 60 $(PROGRAMS)
	@PATH="$(CURDIR)/target/release:$$PATH" tests/real/reduce --time 2 $(PROGRAMS)

install: build manual
	install -D -t $(DESTDIR)$(PREFIX)/bin target/release/byway target/release/byway-cc target/release/byway-reader
	ln -sf byway-cc $(DESTDIR)$(PREFIX)/bin/byway-c++
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/include/byway/klee crates/byway-cc/include/klee/klee.h crates/byway-cc/include/klee/klee.c
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/share/man/man1 target/manual/*.1
	install -D -m 644 target/completions/byway.bash $(DESTDIR)$(PREFIX)/share/bash-completion/completions/byway
	install -D -m 644 target/completions/_byway $(DESTDIR)$(PREFIX)/share/zsh/vendor-completions/_byway
	install -D -m 644 target/completions/byway.fish $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/byway.fish

# Manual pages and completions, from the options themselves.
manual: build
	@rm -rf target/manual && mkdir -p target/completions
	target/release/byway manual target/manual
	target/release/byway completions bash > target/completions/byway.bash
	target/release/byway completions zsh > target/completions/_byway
	target/release/byway completions fish > target/completions/byway.fish

# A Debian package, for machines without Rust: target/debian/byway_*.deb.
deb: manual
	@scripts/setup dpkg-dev
	@command -v cargo-deb > /dev/null || $(CARGO) install cargo-deb --locked --no-default-features
	$(CARGO) deb --package byway --no-build

clean:
	$(CARGO) clean
