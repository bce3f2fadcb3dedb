# Everything a newcomer needs: `make demo` and `make test`. Both install what is missing first.
.PHONY: help demo test tests build install wheel check-all fuzz bench reproduce setup format clean
PREFIX ?= /usr/local

help:
	@echo "make demo       set up, build, anonymize the bundled sample"
	@echo "make test       set up, build, run every test, plain and under sanitizers"
	@echo "make build      the program at build/shoal"
	@echo "make install    PREFIX=/some/where (/usr/local if not given): bin/shoal, which runs from there or wherever the"
	@echo "                folder is moved to, and for C++ the libraries, headers and find_package(shoal)"
	@echo "make wheel      the Python package as a wheel in dist/ (pip install . does the same where the packages are installed)"
	@echo "make check-all  tests with long property runs, thread sanitizer, the Python extension under asan, pyCANON, Spark, fuzzers, clang-tidy;"
	@echo "                PARTS=\"spark lint\" for some of it (tools/check_all.sh)"
	@echo "make fuzz       every parser under libFuzzer, SECONDS=60 each"
	@echo "make bench      speed and loss, side by side (uses ../shared/data when it is there)"
	@echo "make reproduce  every claim of the five papers run again: docs/reproduction.html and .md; PAPER=tdr (or tdr.growth) for a part"
	@echo "make format     clang-format over every source;   make clean   remove what was built"

setup:
	@tools/install_packages.sh
	@tools/get_duckdb.sh >/dev/null

configure = cmake --preset $(1) -DDuckDB_ROOT="$$(tools/get_duckdb.sh)" >/dev/null

build: setup
	@$(call configure,release) -DSHOAL_TESTS=OFF
	@cmake --build build --target shoal

install: build
	@cmake --install build --prefix "$(abspath $(PREFIX))" >/dev/null
	@echo "installed: $(abspath $(PREFIX))/bin/shoal"

wheel: setup
	@tools/make_wheel.sh dist

demo: build
	@build/shoal demo

tests: setup
	@tools/install_packages.sh tests
	@$(call configure,release) -DSHOAL_TESTS=ON
	@cmake --build build
	@$(call configure,asan)
	@cmake --build build-asan

test: tests
	@tools/run_tests.sh build build-asan

check-all: tests
	@$(call configure,tsan)
	@cmake --build build-tsan
	@tools/check_all.sh $(PARTS)

SECONDS ?= 60
fuzz: build
	@tools/fuzz.sh $(SECONDS)

bench: build
	@bench/run.sh

reproduce: setup
	@$(call configure,release) -DSHOAL_BENCH=ON -DSHOAL_TESTS=OFF
	@cmake --build build --target shoal enlarge synthetic
	@nice -n 10 python3 bench/reproduce/reproduce.py $(PAPER)

format:
	clang-format -i $$(git ls-files '*.h' '*.cpp')

clean:
	rm -rf build build-dev build-asan build-tsan build-lint build-fuzz build-python dist demo
