# make          lists what there is
# make demo     sets up what is missing, builds, and optimizes 10,000 variables
# make test     sets up what is missing, and runs every check
#
# Each part of `make test` is a target of its own (make test-pocl, …), and all
# of them fail when anything in them fails.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.NOTPARALLEL:

GO ?= go
FUZZTIME ?= 3s
# What a test binary may take, so that a hung driver ends as a failure.
TIMEOUT ?= 20m

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
	CGO_ENABLED=1 $(GO) build -trimpath -buildvcs=auto -o bin/clopt ./cmd/clopt
	@bin/clopt version

.PHONY: demo
demo: build ## build, then optimize 10,000 variables on the devices of this machine
	$(call heading,demo)
	@test/scripts/demo.sh

.PHONY: test
test: setup-test fmt vet vet-other staticcheck build test-pocl test-two-devices test-second-driver test-memory fuzz ## everything that is checked
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
test-pocl: ## all tests on three POCL devices
	$(call heading,all tests on three POCL devices)
	test/scripts/pocl.sh "pthread pthread pthread" $(GO) test -count=1 -timeout=$(TIMEOUT) ./test ./solvers ./... # the longest first

test-two-devices: ## the tests that use devices once more, on two POCL drivers
	$(call heading,tests with devices on two POCL drivers)
	test/scripts/pocl.sh "pthread basic" $(GO) test -count=1 -short -timeout=$(TIMEOUT) ./cl ./shard

test-second-driver: build ## a driver of another vendor, without float64
	$(call heading,a second driver without float64 (rusticl))
	@test/scripts/second-driver.sh

test-memory: build ## small runs under Oclgrind, which finds invalid reads and writes in kernels
	$(call heading,memory errors in kernels (Oclgrind))
	@test/scripts/oclgrind.sh

fuzz: ## every fuzz target for FUZZTIME (3s)
	$(call heading,fuzzing every parser)
	@test/scripts/fuzz.sh $(FUZZTIME)

.PHONY: test-docs
test-docs: setup ## the commands of every page of docs/; README's are part of `make test`
	$(call heading,the commands in the pages)
	TEST_FULL=1 test/scripts/pocl.sh "pthread pthread pthread" $(GO) test -count=1 -timeout=$(TIMEOUT) ./test -run TestDocs

.PHONY: bench
bench: setup ## Go benchmarks
	$(call heading,benchmarks)
	$(GO) test -run='^$$' -bench=. -benchmem ./...

.PHONY: clean
clean: ## remove what the build made
	rm -rf bin
