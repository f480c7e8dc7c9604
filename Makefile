# make            lists the targets
# make demo       installs missing packages, builds, and optimizes 10,000 variables
# make test       installs missing packages, and runs the checks of every change, in
#                 nine to fifteen minutes on two cores
# make test-full  runs every check completely, which takes hours
#
# Each part of them is also a target (make test-pocl, …), which is complete if it is
# made alone. A target fails if anything in it fails.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.NOTPARALLEL:

GO ?= go
FUZZTIME ?= 1m
# The longest time for a test binary, so that a driver that hangs is a failure.
TIMEOUT ?= 60m
# Tests add the figures of their rows to this file (see test/battery).
export CLOPT_BATTERY ?= $(CURDIR)/bin/battery.txt

# Everything is compiled with the same flags, so that it is compiled once. Without data for debuggers that takes a
# tenth less time.
export GOFLAGS := $(GOFLAGS) -trimpath -gcflags=all=-dwarf=false -ldflags=-w
# The garbage collector takes a fifth of the time of compiling. It may wait until the heap is five times what is used.
export GOGC ?= 400

STATICCHECK := $(GO) tool -modfile=test/scripts/tools.mod staticcheck
# The OpenCL headers need to know the version of OpenCL, and since 2024 they no
# longer define two names in CL/cl.h that the binding needs.
export CGO_CFLAGS := $(or $(CGO_CFLAGS),-O2 -g) -DCL_TARGET_OPENCL_VERSION=120 \
	-DCL_DEPTH_STENCIL=0x10BE -DCL_UNORM_INT24=0x10DF

# Options for code that is compiled but never run: a third less time with an empty
# cache.
UNOPTIMIZED := -gcflags='all=-N -l -dwarf=false'

heading = @printf '\n== %s\n' "$(1)"

.PHONY: help
help: ## list the targets
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | column -t -s '|' 2>/dev/null || \
		sed -n 's/^\([a-z0-9-]*\):.*## /  make \1  /p' $(MAKEFILE_LIST)

.PHONY: setup setup-test setup-full
setup: ## check the requirements of the build, and install missing packages (Debian, Ubuntu)
	$(call heading,set-up for the build)
	@test/scripts/setup.sh build

setup-test: ## the same for the requirements of the tests
	$(call heading,set-up for the tests)
	@test/scripts/setup.sh test

setup-full: ## the same for the requirements of all tests
	$(call heading,set-up for all tests)
	@test/scripts/setup.sh full

.PHONY: build
build: setup ## build bin/clopt
	$(call heading,build)
	CGO_ENABLED=1 $(GO) build -buildvcs=auto -o bin/clopt ./cmd/clopt
	@bin/clopt version

.PHONY: demo
demo: build ## build, then optimize 10,000 variables on the devices of this machine
	$(call heading,demo)
	@test/scripts/demo.sh

.PHONY: test test-full
CHECKS := setup-test fmt vet lint build no-figures test-pocl test-nocgo test-second-driver test-memory

test: export SHORT := -short
test: ## run the checks of every change
test: $(CHECKS) figures
	$(call heading,all short checks passed; make test-full runs the others)

test-full: ## run all checks, which takes hours
test-full: setup-full $(CHECKS) vet-other staticcheck test-two-devices fuzz figures
	$(call heading,all checks passed)

.PHONY: fmt vet lint vet-other staticcheck
fmt: ## fail if a file is not formatted by gofmt -s
	$(call heading,gofmt)
	@files=$$(gofmt -s -l .); [ -z "$$files" ] || { echo "not formatted (run gofmt -s -w):"; echo "$$files"; exit 1; }

vet: ## run go vet
	$(call heading,go vet)
	$(GO) vet ./...

lint: ## check the rules of CONTRIBUTING.md that a program can check, which takes seconds
	$(call heading,lint)
	$(GO) test -vet=off -count=1 -run Lint ./test

vet-other: ## run go vet without cgo, as on Windows and macOS
	$(call heading,go vet for other systems)
	for os in windows darwin linux; do CGO_ENABLED=0 GOOS=$$os $(GO) vet $(UNOPTIMIZED) ./...; done

staticcheck: ## run staticcheck, whose version is in test/scripts/tools.mod
	$(call heading,staticcheck)
	$(STATICCHECK) ./...

.PHONY: test-pocl test-nocgo test-two-devices test-second-driver test-memory fuzz
test-pocl: ## run all tests on three POCL devices
	$(call heading,tests on three POCL devices)
	@# The longest packages come first. `make vet` has vetted them. One more than there are cores runs at a time,
	@# since some wait for launchers and limits of time.
	test/scripts/pocl.sh "pthread pthread pthread" $(GO) test $(SHORT) -vet=off -count=1 -timeout=$(TIMEOUT) \
		-p $$(($$(nproc) + 1)) ./cmd/clopt ./test ./test/contract ./solvers/graybox ./...

test-nocgo: build ## run the tests of devices without cgo, and a run that must have the bits of one with cgo
	$(call heading,devices without cgo)
	test/scripts/pocl.sh "pthread pthread pthread" test/scripts/nocgo.sh

test-two-devices: ## repeat the tests of devices on two POCL drivers
	$(call heading,tests with devices on two POCL drivers)
	test/scripts/pocl.sh "pthread basic" $(GO) test -count=1 -short -timeout=$(TIMEOUT) ./cl ./shard

test-second-driver: build ## run on a driver of another vendor, without float64
	$(call heading,a second driver without float64 (rusticl))
	@test/scripts/second-driver.sh

test-memory: build ## make small runs under Oclgrind, which finds invalid reads and writes in kernels
	$(call heading,memory errors in kernels (Oclgrind))
	@test/scripts/oclgrind.sh

fuzz: ## run every fuzz target for FUZZTIME (1m)
	$(call heading,fuzzing every parser)
	@test/scripts/fuzz.sh $(FUZZTIME)

.PHONY: no-figures figures battery
no-figures:
	@mkdir -p bin && rm -f $(CLOPT_BATTERY)

figures: ## print the figures of the rows of the battery whose tests were run last
	$(call heading,the battery)
	@$(GO) run ./test/battery/figures $(CLOPT_BATTERY)

battery: ## run the tests of all rows of the battery completely, which takes hours, and print their figures
battery: build no-figures
	test/scripts/pocl.sh "pthread pthread pthread" $(GO) test -vet=off -count=1 -timeout=4h -run '^(TestR[0-9]|Fuzz)' ./...
	SHORT= test/scripts/second-driver.sh
	$(MAKE) figures

.PHONY: test-docs
test-docs: setup ## run the commands of every page of docs/; those of README are part of `make test`
	$(call heading,the commands in the pages)
	test/scripts/pocl.sh "pthread pthread pthread" $(GO) test -count=1 -timeout=$(TIMEOUT) ./test -run TestR27Docs

.PHONY: numbers
numbers: build ## compute the numbers of the docs again, as far as two cores can in minutes (CLOPT_DATA: official data)
	$(call heading,the numbers in the pages)
	test/scripts/pocl.sh "pthread pthread pthread" test/scripts/numbers.sh

.PHONY: pictures
pictures: build ## draw the pictures of README and docs from the numbers in docs/img/*.jsonl
	$(call heading,pictures)
	@for f in docs/img/*.jsonl; do bin/clopt plot $$f -o $${f%.jsonl}.svg; done

.PHONY: bench
bench: setup ## run the Go benchmarks
	$(call heading,benchmarks)
	$(GO) test -run='^$$' -bench=. -benchmem ./...

.PHONY: wheels
wheels: ## make a Python wheel for each of six systems in dist/, with the command, without cgo
	$(call heading,wheels)
	@GO=$(GO) python3 python/wheels.py dist

.PHONY: release test-release
release: ## make the files of a release in dist/: programs for six systems, packages, sums and lists of parts
	$(call heading,release)
	@test/scripts/release.sh

test-release: release ## install the package in a bare Debian, and make a run there (root, debootstrap)
	$(call heading,the package in a bare Debian)
	@test/scripts/bare.sh dist

.PHONY: clean
clean: ## remove the results of the build
	rm -rf bin
