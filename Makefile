# Everything a newcomer needs: `make demo` and `make test`. Both install what is missing first.
.PHONY: demo test build check-all bench asan setup format clean

help:
	@echo "make demo       set up, build, anonymize the bundled sample"
	@echo "make test       set up, build, run every test, plain and under sanitizers"
	@echo "make build      the program at build/shoal"
	@echo "make check-all  tests, thread sanitizer, long property runs, clang-tidy"
	@echo "make bench      speed and loss, side by side (uses ../shared/data when it is there)"

setup:
	@tools/install_packages.sh
	@tools/get_duckdb.sh >/dev/null

configure = cmake --preset $(1) -DDuckDB_ROOT="$$(tools/get_duckdb.sh)" >/dev/null

build: setup
	@$(call configure,release) -DSHOAL_TESTS=OFF
	@cmake --build build --target shoal

demo: build
	@build/shoal demo

test: setup
	@$(call configure,release) -DSHOAL_TESTS=ON
	@cmake --build build
	@$(call configure,asan)
	@cmake --build build-asan
	@tools/run_tests.sh build build-asan

check-all: test
	@$(call configure,tsan)
	@cmake --build build-tsan
	@SHOAL_LONG=1 tools/run_tests.sh build build-tsan
	@tools/lint.sh

bench: build
	@bench/run.sh

format:
	clang-format -i $$(git ls-files '*.h' '*.cpp')

clean:
	rm -rf build build-dev build-asan build-tsan demo
