# Builds, installs, shows and checks lohalloc. `make help` lists what can be made.

VERSION := $(shell sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml)
SOVERSION := 0
PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
MANDIR ?= $(PREFIX)/share/man
BASHDIR ?= $(PREFIX)/share/bash-completion/completions
ZSHDIR ?= $(PREFIX)/share/zsh/site-functions
FISHDIR ?= $(PREFIX)/share/fish/vendor_completions.d
CARGO ?= cargo
OBJCOPY ?= objcopy
# For another machine: make TARGET=aarch64-unknown-linux-gnu CC=aarch64-linux-gnu-gcc OBJCOPY=…
TARGET ?=

target-dir := $(or $(CARGO_TARGET_DIR),target)
target := $(target-dir)/$(if $(TARGET),$(TARGET)/)
archive := $(target)release/liblohalloc.a
tool := $(target)tools/lohalloc
soname := liblohalloc.so.$(SOVERSION)
shared := liblohalloc.so.$(VERSION)

# Nothing is bound lazily: the first call may come before the loader can help. Nothing is unloaded:
# threads end after a dlclose. Code and what is only read are one mapping: each costs every process
# time. Nothing is exported that the list does not name. The compiler's start
# files stay out; link/handle.c says why. A program that links the static library keeps its dlopen.
link-flags := -shared -nostartfiles -nodefaultlibs -fPIC -O2 link/handle.c link/early.c \
	-Wl,-soname,$(soname) -Wl,--version-script,build/exports.map -Wl,@build/exports.args \
	-Wl,-z,now -Wl,-z,noseparate-code -Wl,-z,relro -Wl,-z,nodelete -Wl,-z,noexecstack -Wl,-z,defs \
	$(foreach name,dlopen dlmopen dlclose,-Wl,--defsym=$(name)=lohalloc_$(name) -Wl,--require-defined=lohalloc_$(name)) \
	-Wl,--gc-sections -Wl,--hash-style=gnu -Wl,--build-id -Wl,--compress-debug-sections=zlib

.DEFAULT_GOAL := all
.PHONY: all install uninstall help header demo check check-long bench bench-quick bench-full bench-micro \
	bench-instructions bench-startup bench-learning bench-misuse peers clean FORCE
.DELETE_ON_ERROR:

all: build/liblohalloc.so build/liblohalloc.a build/lohalloc.pc build/lohalloc ## Build the libraries and the command line into build/ (default)

# Cargo decides what is out of date; an archive that it leaves alone is not linked again. As one
# kind of library alone it is optimised as a whole, core included.
$(archive): FORCE
	$(CARGO) rustc --release --lib --features c-abi --crate-type staticlib $(if $(TARGET),--target $(TARGET)) \
		-- -C llvm-args=-align-all-functions=6

build:
	mkdir -p $@

build/exports.map: link/exports Makefile | build
	{ echo '{ global:'; sed 's/$$/;/' link/exports; echo 'local: *; };'; } > $@

build/exports.args: link/exports Makefile | build
	sed 's/^/--require-defined=/' link/exports > $@

# The debug information lies beside the library, where gdb and valgrind find it. The library is put
# in place whole, because a process may have the one of before mapped.
build/$(shared): $(archive) build/exports.map build/exports.args link/handle.c link/early.c Makefile
	$(CC) $(link-flags) -o $@.new $(archive) -lc
	$(OBJCOPY) --only-keep-debug $@.new build/$(shared).debug
	$(OBJCOPY) --strip-debug --add-gnu-debuglink=build/$(shared).debug $@.new
	mv $@.new $@

build/$(soname): build/$(shared)
	ln -sf $(shared) $@

build/liblohalloc.so: build/$(soname)
	ln -sf $(soname) $@

build/liblohalloc.a: $(archive) | build
	cp $< $@

# By itself, so that its features and dependencies leave the library as it is.
$(tool): $(archive) FORCE
	$(CARGO) build --profile tools --package lohalloc-cli $(if $(TARGET),--target $(TARGET))

build/lohalloc: $(tool) | build
	cp $< $@.new
	mv $@.new $@

# Man pages and completions, for install. Those of another machine's command line it cannot print itself.
build/pages: build/lohalloc Makefile
	rm -rf $@ && mkdir -p $@
	$(if $(TARGET),,build/lohalloc man $@)
	$(if $(TARGET),,build/lohalloc completions bash > $@/bash)
	$(if $(TARGET),,build/lohalloc completions zsh > $@/zsh)
	$(if $(TARGET),,build/lohalloc completions fish > $@/fish)

build/lohalloc.pc: pkgconfig/lohalloc.pc.in Makefile FORCE | build
	@sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(LIBDIR)|' \
		-e 's|@INCLUDEDIR@|$(INCLUDEDIR)|' -e 's|@VERSION@|$(VERSION)|' $< > $@

# What install puts in place, below DESTDIR.
lib-place = "$(DESTDIR)$(LIBDIR)"
include-place = "$(DESTDIR)$(INCLUDEDIR)"
bin-place = "$(DESTDIR)$(BINDIR)"
man-place = "$(DESTDIR)$(MANDIR)"/man1
bash-place = "$(DESTDIR)$(BASHDIR)"
zsh-place = "$(DESTDIR)$(ZSHDIR)"
fish-place = "$(DESTDIR)$(FISHDIR)"

install: all build/pages ## Install under PREFIX (/usr/local), BINDIR, LIBDIR, INCLUDEDIR, MANDIR; DESTDIR is put in front
	install -d $(lib-place)/pkgconfig $(include-place) $(bin-place) $(man-place) $(bash-place) $(zsh-place) $(fish-place)
	install -m 755 build/lohalloc $(bin-place)/lohalloc
	for page in build/pages/*.1; do [ ! -f "$$page" ] || install -m 644 "$$page" $(man-place) || exit 1; done
	[ ! -f build/pages/bash ] || install -m 644 build/pages/bash $(bash-place)/lohalloc
	[ ! -f build/pages/zsh ] || install -m 644 build/pages/zsh $(zsh-place)/_lohalloc
	[ ! -f build/pages/fish ] || install -m 644 build/pages/fish $(fish-place)/lohalloc.fish
	install -m 755 build/$(shared) $(lib-place)/$(shared)
	ln -sf $(shared) $(lib-place)/$(soname)
	ln -sf $(soname) $(lib-place)/liblohalloc.so
	install -m 644 build/liblohalloc.a $(lib-place)/liblohalloc.a
	install -m 644 build/lohalloc.pc $(lib-place)/pkgconfig/lohalloc.pc
	install -m 644 include/lohalloc.h $(include-place)/lohalloc.h

uninstall: ## Remove what install put there
	rm -f $(lib-place)/$(shared) $(lib-place)/$(soname) $(lib-place)/liblohalloc.so \
		$(lib-place)/liblohalloc.a $(lib-place)/pkgconfig/lohalloc.pc $(include-place)/lohalloc.h \
		$(bin-place)/lohalloc $(man-place)/lohalloc.1 $(man-place)/lohalloc-*.1 \
		$(bash-place)/lohalloc $(zsh-place)/_lohalloc $(fish-place)/lohalloc.fish

header: ## Write include/lohalloc.h anew from the source
	UPDATE=1 $(CARGO) test --test header

demo: all ## Show the library at work in real programs, beside the system's malloc
	demo/run

check: all ## Run every test
	tests/check

check-long: all ## Run every test with more cases, orders and rounds
	tests/check --long

peers: ## Build the allocators that the benchmarks compare with
	bench-native/peers/build

bench: all peers ## Compare time and memory of workloads and programs with other allocators
	bench-native/bench

bench-quick: all peers ## The same with twelve rows, in four minutes
	bench-native/bench --quick

bench-full: all peers ## The same with 62 rows more, in C, C++ and Rust; takes hours
	bench-native/bench --full

bench-micro: all peers ## Time single operations against other allocators
	bench-native/bench-micro

bench-instructions: all peers ## Count instructions per operation against other allocators
	bench-native/instructions

bench-startup: all peers ## Measure what a trivial process pays
	bench-native/startup

bench-learning: all peers ## Compare memory after bursts: untrained, trained, other allocators
	bench-native/bench-learning

bench-misuse: all ## Count which of 10,000 random misuses are found
	bench-native/bench-misuse

clean: ## Remove what was built
	$(CARGO) clean
	rm -rf build

help: ## List these targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(firstword $(MAKEFILE_LIST)) | while IFS="$$(printf '\t')" read -r name text; \
		do printf '  make %-20s %s\n' "$$name" "$$text"; done

FORCE:
