# SPDX-License-Identifier: Apache-2.0
# The front door: each target installs the Debian packages it needs, then drives CMake and Ninja.
BUILD ?= build
PREFIX ?= /usr/local
CC ?= gcc
JOBS ?= $(shell nproc)

.PHONY: all demo check bench fuzz install clean configure packages-%

all: configure
	ninja -C $(BUILD) -j$(JOBS)

packages-%:
	@tools/install_packages.sh $*

configure: packages-check
	@cmake -S . -B $(BUILD) -G Ninja -DCMAKE_C_COMPILER=$(CC) -DCMAKE_INSTALL_PREFIX=$(PREFIX) >/dev/null

demo: configure
	ninja -C $(BUILD) -j$(JOBS) arenite_cli
	@tools/demo.sh $(BUILD)

check: all
	ctest --test-dir $(BUILD) --output-on-failure -j$(JOBS)

bench: all
	@bench/run.sh $(BUILD)

fuzz: packages-full
	@fuzz/run.sh

install: all
	cmake --install $(BUILD)

clean:
	rm -rf build build-*
