# make          lists what there is
# make demo     sets up what is missing, builds, and optimizes 10,000 variables
# make test     sets up what is missing, and checks what a change must keep: six minutes on two cores
# make test-full  the same parts, each complete, and those that take long
#
# Each part is a target of its own (make test-pocl, …), which is complete when it
# is made by itself. All of them fail when anything in them fails.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.NOTPARALLEL:

GO ?= go
FUZZTIME ?= 1m
# What a test binary may take, so that a hung driver ends as a failure.
TIMEOUT ?= 60m

# One set of flags for everything that is compiled, so that it is compiled once.
export GOFLAGS := $(GOFLAGS) -trimpath

STATICCHECK := $(GO) tool -modfile=test/scripts/tools.mod staticcheck
# The headers of OpenCL ask for the version they are used in, and those of 2024
# and later moved two names that the binding wants away from CL/cl.h.
export CGO_CFLAGS := $(or $(CGO_CFLAGS),-O2 -g) -DCL_TARGET_OPENCL_VERSION=120 \
	-DCL_DEPTH_STENCIL=0x10BE -DCL_UNORM_INT24=0x10DF

# For what is compiled and never run: a third less time from an empty cache.
UNOPTIMIZED := -gcflags='all=-N -l -dwarf=false'

heading = @printf '\n== %s\n' "$(1)"

.PHONY: help
help: ## list the targets
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | column -t -s '|' 2>/dev/null || \
		sed -n 's/^\([a-z0-9-]*\):.*## /  make \1  /p' $(MAKEFILE_LIST)

.PHONY: setup setup-test
setup: ## check what the build needs, and install what is missing (Debian, Ubuntu)
	$(call heading,set-up for the build)
	@test/scripts/setup.sh build

setup-test: ## the same for the tests
	$(call heading,set-up for the tests)
	@test/scripts/setup.sh test

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
CHECKS := setup-test fmt vet staticcheck build test-pocl test-second-driver test-memory

test: export SHORT := -short
test: $(CHECKS) ## what a change must keep, on a machine with nothing but processors
	$(call heading,all short checks passed; make test-full has the long ones)

test-full: $(CHECKS) vet-other test-two-devices fuzz ## everything that can be checked
	$(call heading,all checks passed)

.PHONY: fmt vet vet-other staticcheck
fmt: ## fail when a file is not gofmt's
	$(call heading,gofmt)
	@files=$$(gofmt -s -l .); [ -z "$$files" ] || { echo "not formatted (run gofmt -s -w):"; echo "$$files"; exit 1; }

vet: ## go vet
	$(call heading,go vet)
	$(GO) vet ./...

vet-other: ## go vet as on Windows and macOS, and package cl without cgo
	$(call heading,go vet for other systems)
	for os in windows darwin; do CGO_ENABLED=0 GOOS=$$os $(GO) vet $(UNOPTIMIZED) ./...; done
	CGO_ENABLED=0 $(GO) test -count=1 ./cl

staticcheck: ## staticcheck, pinned in test/scripts/tools.mod
	$(call heading,staticcheck)
	$(STATICCHECK) ./...

.PHONY: test-pocl test-two-devices test-second-driver test-memory fuzz
test-pocl: ## all tests on three POCL devices; those that build most kernels begin
	$(call heading,tests on three POCL devices)
	test/scripts/pocl.sh "pthread pthread pthread" $(GO) test $(SHORT) -vet=off -count=1 -timeout=$(TIMEOUT) \
		./cmd/clopt ./test ./test/contract ./solvers/graybox ./...

test-two-devices: ## the tests that use devices once more, on two POCL drivers
	$(call heading,tests with devices on two POCL drivers)
	test/scripts/pocl.sh "pthread basic" $(GO) test -count=1 -short -timeout=$(TIMEOUT) ./cl ./shard

test-second-driver: build ## a driver of another vendor, without float64
	$(call heading,a second driver without float64 (rusticl))
	@test/scripts/second-driver.sh

test-memory: build ## small runs under Oclgrind, which finds invalid reads and writes in kernels
	$(call heading,memory errors in kernels (Oclgrind))
	@test/scripts/oclgrind.sh

fuzz: ## every fuzz target for FUZZTIME (1m); their seeds are among all tests
	$(call heading,fuzzing every parser)
	@test/scripts/fuzz.sh $(FUZZTIME)

.PHONY: test-docs
test-docs: setup ## the commands of every page of docs/
	$(call heading,the commands in the pages)
	test/scripts/pocl.sh "pthread pthread pthread" $(GO) test -count=1 -timeout=$(TIMEOUT) ./test -run TestDocs

.PHONY: bench
bench: setup ## Go benchmarks
	$(call heading,benchmarks)
	$(GO) test -run='^$$' -bench=. -benchmem ./...

.PHONY: clean
clean: ## remove what the build made
	rm -rf bin
