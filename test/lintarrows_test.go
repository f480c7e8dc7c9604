package test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const (
	module  = "github.com/clopt/clopt/"
	binding = "github.com/jgillich/go-opencl"
)

// rooms maps each package to the packages of this module that it may import, as in the picture in
// ARCHITECTURE.md. @family stands for the imports that every family of methods may have,
// @methods for these and all families, and @exit for package exit and its imports.
var rooms = map[string]string{
	"": "problems problems/catalog problems/input problems/opencl problems/rng cl cl/setup shard shard/trial/child " +
		"solvers solvers/methods solvers/restart",

	"cl/binaries":               "",
	"cl/crash":                  "",
	"cl/setup":                  "",
	"cl":                        "cl/binaries cl/crash cl/setup",
	"kernels":                   "",
	"problems/hostmem":          "",
	"problems/input":            "problems/hostmem",
	"problems/rng":              "",
	"problems/graph":            "problems/input problems/rng",
	"problems/formats/meta":     "problems/graph problems/input",
	"problems/formats/jsontext": "problems/input",
	"problems/formats/foreign":  "",
	"problems/formats/bounds":   "problems/input",
	"problems/formats/rows":     "",
	"problems/formats/readers":  "problems/formats/jsontext problems/formats/rows problems/input",
	"problems/formats/format": "problems/formats/foreign problems/formats/meta problems/formats/readers " +
		"problems/graph problems/input",
	"problems/formats": "problems/formats/bounds problems/formats/foreign problems/formats/format " +
		"problems/formats/jsontext problems/formats/meta problems/formats/readers problems/formats/rows " +
		"problems/graph problems/input",
	"problems/linkage":       "problems/graph problems/rng",
	"problems/rules":         "problems/graph",
	"problems/formats/write": "problems/formats/format problems/formats/meta problems/graph problems/input",
	"clc/token":              "",
	"clc":                    "clc/token",
	"clc/host":               "clc",
	"clc/diff":               "clc",
	"clc/smooth":             "clc clc/host",
	"clc/squares":            "clc clc/host",
	"clc/reads":              "clc clc/host problems",
	"problems/curvature":     "",
	"problems": "clc clc/host clc/smooth clc/squares problems/curvature problems/graph problems/input " +
		"problems/rng",
	"problems/rescale": "clc/smooth problems problems/curvature",
	"problems/cec2013": "problems problems/curvature problems/input problems/rng",
	"problems/classic": "problems problems/curvature problems/input",
	"problems/cut":     "problems problems/formats problems/formats/format problems/graph problems/input",
	"problems/opencl": "clc clc/host clc/reads clc/smooth clc/squares clc/token problems problems/curvature " +
		"problems/input problems/opencl/lint",
	"problems/opencl/lint": "clc/token",
	"problems/command":     "problems problems/input",
	"problems/catalog": "problems problems/command problems/input problems/cec2013 problems/classic problems/cut " +
		"problems/opencl",

	"shard/lease":  "",
	"shard/ranks":  "",
	"shard/stages": "",
	"shard": "cl clc/host kernels problems problems/hostmem problems/rescale problems/rng shard/lease shard/ranks " +
		"shard/stages",
	"shard/trial":       "cl kernels problems problems/rng shard",
	"shard/trial/child": "cl cl/binaries cl/setup problems problems/catalog shard shard/trial",
	"shard/partial":     "cl kernels problems problems/rng shard shard/stages",
	"shard/mpi":         "shard/ranks",

	"solvers/checkpoint": "",
	"solvers/stats":      "",
	"solvers/host":       "problems problems/rng",
	"solvers/memetic":    "problems problems/rng",
	"solvers/deadline":   "",
	"solvers/judge":      "problems problems/rng shard shard/trial solvers/host",
	"solvers/slope":      "clc/diff clc/host clc/smooth problems solvers/host",
	"solvers/samples":    "problems problems/graph problems/rng",

	"solvers": "cl clc/host problems problems/input problems/rescale problems/rng shard shard/ranks shard/stages " +
		"shard/trial " +
		"solvers/checkpoint solvers/host solvers/judge solvers/samples solvers/slope",

	"solvers/device":  "cl kernels problems problems/rng shard shard/partial solvers",
	"solvers/search":  "problems problems/rng shard solvers solvers/checkpoint solvers/device solvers/host",
	"solvers/random":  "@family solvers/search",
	"solvers/masw":    "@family",
	"solvers/graybox": "@family",
	"solvers/maswseq": "@family",
	"solvers/anneal":  "@family solvers/anneal/internal/local solvers/search",
	"solvers/cgrasp":  "@family",
	"solvers/lbfgs":   "@family clc clc/diff clc/smooth solvers/search solvers/slope",
	"solvers/relay":   "@family",
	"solvers/cmaes":   "@family solvers/search",
	"solvers/lm":      "@family clc clc/diff clc/host clc/smooth",
	"solvers/mixing": "@family problems/graph problems/linkage problems/rules solvers/mixing/internal/host " +
		"solvers/mixing/internal/engine solvers/mixing/internal/local",
	"solvers/restart":          "problems shard solvers solvers/checkpoint",
	"solvers/structure":        "cl kernels problems problems/rescale problems/rng shard shard/trial solvers",
	"solvers/methods":          "@methods clc/smooth problems/hostmem solvers/search solvers/slope",
	"solvers/bench":            "@methods shard/ranks shard/trial",
	"solvers/runs/recipe":      "problems/input",
	"solvers/runs/disk":        "",
	"solvers/runs/exact":       "",
	"solvers/runs/grid":        "",
	"solvers/runs/inputs":      "problems problems/input solvers/runs/disk",
	"solvers/runs/record":      "clc/smooth problems problems/input solvers solvers/runs/disk solvers/runs/exact",
	"solvers/runs/checkpoints": "cl shard shard/ranks solvers solvers/checkpoint solvers/runs/disk solvers/runs/grid",
	"solvers/runs": "cl problems problems/cut problems/input problems/rescale problems/rng shard shard/ranks " +
		"shard/stages solvers solvers/methods solvers/restart solvers/runs/checkpoints solvers/runs/disk " +
		"solvers/runs/exact solvers/runs/grid solvers/runs/inputs solvers/runs/recipe solvers/runs/record",

	"solvers/runs/inspect": "clc/host problems problems/catalog problems/input solvers/runs solvers/runs/checkpoints " +
		"solvers/runs/disk solvers/runs/inputs solvers/runs/recipe solvers/runs/record",

	"solvers/anneal/internal/local":  "problems solvers/checkpoint solvers/host",
	"solvers/mixing/internal/host":   "problems problems/graph problems/linkage problems/rng",
	"solvers/mixing/internal/local":  "problems/graph problems/rng problems/rules",
	"solvers/mixing/internal/engine": "@family problems/graph problems/linkage solvers/mixing/internal/host",

	"docs": "",

	"cmd/clopt/internal/exit": "cl cl/setup problems problems/command problems/hostmem problems/input shard " +
		"shard/partial shard/ranks shard/trial shard/trial/child solvers solvers/checkpoint solvers/runs",
	"cmd/clopt/internal/flags":  "@exit problems/catalog problems/cut solvers/methods docs",
	"cmd/clopt/internal/status": "@exit",
	"cmd/clopt/internal/job": "@exit cmd/clopt/internal/flags cmd/clopt/internal/status cl/crash cl/setup " +
		"problems/catalog problems/rescale shard/mpi solvers/bench solvers/methods solvers/stats",

	"cmd/clopt/internal/report": "@exit cmd/clopt/internal/flags cmd/clopt/internal/status problems/catalog " +
		"problems/cut solvers/runs/inspect solvers/bench solvers/stats",
	"cmd/clopt/internal/report/plot": "@exit cmd/clopt/internal/report problems/catalog solvers/runs/inspect " +
		"solvers/stats",
	"cmd/clopt/internal/report/ioh": "@exit cmd/clopt/internal/report problems/catalog solvers/runs/grid " +
		"solvers/runs/inspect",
	"cmd/clopt/internal/report/page": "cmd/clopt/internal/report cmd/clopt/internal/report/plot solvers/runs " +
		"solvers/runs/exact solvers/runs/inspect solvers/stats",
	"cmd/clopt/internal/report/reporttest": "solvers/runs solvers/runs/exact solvers/runs/record",

	"cmd/clopt/internal/campaign": "@exit cmd/clopt/internal/flags cmd/clopt/internal/status cmd/clopt/internal/job " +
		"cmd/clopt/internal/report cmd/clopt/internal/report/ioh solvers/methods solvers/anneal solvers/cgrasp",
	"cmd/clopt/internal/facts": "@exit clc clc/smooth cmd/clopt/internal/flags cmd/clopt/internal/status " +
		"cmd/clopt/internal/campaign cmd/clopt/internal/report problems/catalog problems/opencl problems/rules " +
		"solvers/methods solvers/structure",
	"cmd/clopt": "@exit cl/binaries cmd/clopt/internal/flags cmd/clopt/internal/status cmd/clopt/internal/job " +
		"cmd/clopt/internal/campaign cmd/clopt/internal/facts " +
		"cmd/clopt/internal/report cmd/clopt/internal/report/plot cmd/clopt/internal/report/page " +
		"cmd/clopt/internal/report/ioh docs " +
		"problems/catalog problems/cut problems/formats problems/formats/format problems/formats/meta " +
		"problems/formats/write problems/graph " +
		"problems/opencl " +
		"problems/rng solvers/methods solvers/runs/inspect solvers/structure " +
		"solvers/anneal solvers/bench",
}

const (
	ofFamily = " cl kernels problems problems/rng shard shard/partial solvers solvers/checkpoint solvers/device " +
		"solvers/host solvers/deadline solvers/memetic"
	ofMethods = ofFamily + " solvers/random solvers/masw solvers/graybox solvers/anneal solvers/cgrasp " +
		"solvers/lbfgs solvers/lm solvers/maswseq solvers/mixing solvers/relay solvers/cmaes"
	ofExit = " cl cl/setup problems problems/command problems/hostmem problems/input shard shard/ranks shard/stages " +
		"shard/trial shard/trial/child solvers solvers/checkpoint solvers/runs solvers/runs/checkpoints " +
		"solvers/runs/disk solvers/runs/exact solvers/runs/recipe solvers/runs/record " +
		"cmd/clopt/internal/exit"
)

// inTest reports whether a package is test/ or below it. These packages test several others together. They may import
// anything except the command, and only tests import them.
func inTest(room string) bool { return room == "test" || strings.HasPrefix(room, "test/") }

// allowed lists the packages that a room may import.
func allowed(room string) []string {
	return strings.Fields(strings.NewReplacer("@family", ofFamily, "@methods", ofMethods, "@exit",
		ofExit).Replace(rooms[room]))
}

// goPackage is a package as `go list -json` prints it.
type goPackage struct {
	ImportPath                         string
	Imports, TestImports, XTestImports []string
}

// roomOf returns the path of a package below the module, "" for the root package. Whether a room is below internal/, so
// that programs of others cannot import it, is no part of its name.
func roomOf(importPath string) string {
	below := strings.TrimPrefix(strings.TrimPrefix(importPath, strings.TrimSuffix(module, "/")), "/")
	return strings.TrimPrefix(below, "internal/")
}

func lintArrows(p goPackage) (bad []string) {
	name := roomOf(p.ImportPath)
	if _, known := rooms[name]; !known && !inTest(name) {
		return []string{name + " is a new room: draw its arrows in ARCHITECTURE.md, then in test/lintarrows_test.go"}
	}
	for _, i := range p.Imports {
		if room := roomOf(i); strings.HasPrefix(i, module) && !inTest(name) && !slices.Contains(allowed(name), room) {
			bad = append(bad, fmt.Sprintf("%s imports %s; it may import %v", name, room, allowed(name)))
		}
	}
	for _, i := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
		if strings.HasPrefix(i, binding) && name != "cl" {
			bad = append(bad, name+" imports the OpenCL binding; only cl may")
		}
		if room, ours := strings.CutPrefix(i, module); ours && strings.HasPrefix(room, "cmd/") &&
			!strings.HasPrefix(name, "cmd/") {
			bad = append(bad, name+" imports "+room+"; nothing may")
		}
	}
	return bad
}

func TestLintArrows(t *testing.T) {
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports,TestImports,XTestImports", "./...")
	cmd.Dir, cmd.Stderr = root, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		seen[roomOf(p.ImportPath)] = true
		complain(t, lintArrows(p))
	}
	for room := range rooms {
		if !seen[room] {
			t.Errorf("there is no package %s", room)
		}
	}
}
