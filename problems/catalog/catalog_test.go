package catalog

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/classic"
)

func TestParse(t *testing.T) {
	for _, test := range []struct {
		spec string
		dim  int
		want string
	}{
		{"cec2013/f4", 0, "cec2013/f4:n=1000"},
		{"CEC2013/F4:Mode=Paper,N=1e6", 0, "cec2013/f4:mode=paper,n=1000000"},
		{"cec2013/f13", 0, "cec2013/f13:n=905"},
		{"cec2013/f14:mode=blocks", 3000, "cec2013/f14:n=3000"},
		{"cec2013/f1:n=64k, mode=distinct", 64000, "cec2013/f1:mode=distinct,n=64000"},
		{"cec2013/f12:n=2Ki,mode=paper", 0, "cec2013/f12:mode=paper,n=2048"},
	} {
		p, err := Parse(test.spec, problems.Options{Dim: test.dim})
		if err != nil {
			t.Errorf("%s: %v", test.spec, err)
			continue
		}
		if p.Spec().String() != test.want {
			t.Errorf("%s is %s, want %s", test.spec, p.Spec(), test.want)
		}
		if again, err := Parse(p.Spec().String(), problems.Options{}); err != nil ||
			again.Spec().String() != p.Spec().String() {
			t.Errorf("%s does not parse to itself: %v", p.Spec(), err)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, test := range []struct {
		spec string
		opt  problems.Options
		want string
	}{
		{"", problems.Options{}, "no problem given"},
		{"cec2013/f16", problems.Options{}, "nearest known name is cec2013/f1"},
		{"f1", problems.Options{}, "nearest known name is cec2013/f1"},
		{"cec213/f9", problems.Options{}, "nearest known name is cec2013/f9"},
		{"cec2013/f1:", problems.Options{}, "is not key=value"},
		{"cec2013/f1:n", problems.Options{}, "is not key=value"},
		{"cec2013/f1:mod=paper", problems.Options{}, "nearest known key is mode"},
		{"cec2013/f1:n=1000,n=1000", problems.Options{}, "given twice"},
		{"cec2013/f1:n=1000", problems.Options{Dim: 2000}, "n is 1000 in"},
		{"cec2013/f1:n=1e3.5", problems.Options{}, "is not a whole number"},
		{"cec2013/f1:n=0", problems.Options{}, "n is 0"},
		{"cec2013/f1:n=1e12", problems.Options{}, "n is 1000000000000"},
		{"cec2013/f1:n=1001", problems.Options{}, "multiple of 1000"},
		{"cec2013/f1:mode=papers", problems.Options{}, "use paper"},
		{"cec2013/f1", problems.Options{Dim: -1}, "n is -1"},
		{"cec2013/f1", problems.Options{Data: filepath.Join(t.TempDir(), "none")}, "none: error: no such directory"},
		{"cec2013/f1", problems.Options{Data: t.TempDir()}, "F1-xopt.txt: error: the file is missing"},
		{"cec2013/f1:n=4e9", problems.Options{}, "use 1 to 2147483647"},
		{"cec2013/f1", problems.Options{DropLoops: true}, "belongs to maxcut"},
		{"cec2013/f4:tile=100", problems.Options{}, "are not windows"},
		{"cec2013/f1:maximize=true,maximize=true", problems.Options{}, "given twice"},
		{"maxcut:torus=4x4", problems.Options{Bounds: &problems.Bounds{Lo: 0, Hi: 1}}, "no other bounds"},
		{"maxcut:torus=4x4", problems.Options{Maximize: true}, "is a maximization already"},
		{"maxcut:torus=4x4,n=17", problems.Options{}, "leave n out"},
		{"maxcut:torus=4x4,p=1", problems.Options{}, "has no key p"},
		{"opencl:sha256=00ff", problems.Options{}, "save the text as FILE.cl"},
		{"opencl:sha256=00ff,n=5,lo=-1", problems.Options{}, "save the text as FILE.cl"},
		{"opencl:n=5", problems.Options{}, "names no file"},
		{t.TempDir(), problems.Options{}, "is a folder"},
		{filepath.Join(t.TempDir(), "absent.cl"), problems.Options{}, "absent.cl"},
	} {
		_, err := Parse(test.spec, test.opt)
		var fault *input.Error
		if !errors.As(err, &fault) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: %v, want %s", test.spec, err, test.want)
		}
	}
}

// A file that exists is an objective, whatever its name.
func TestParseFile(t *testing.T) {
	text := "//@ bounds -1 1\nstatic void component(uint k, point x, data d, real *acc) { acc[0] += sq(at(x, k)); }\n"
	for _, name := range []string{"sphere.cl", "sphere"} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if p, err := Parse(path, problems.Options{Dim: 5}); err != nil || p.Domain().N != 5 {
			t.Errorf("%s: %v, %v", name, p, err)
		}
	}
}

// Spec returns a text that Parse reads back, for any path.
func TestObjectiveSpec(t *testing.T) {
	text := "//@ bounds -1 1\n//@ best 0\n//@ n 7\nstatic void component(uint k, point x, data d, real *acc) " +
		"{ acc[0] += sq(at(x, k)); }\n"
	for _, name := range []string{"sphere.cl", "sphere", "a:b=1", "n=3,x.cl"} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			keys   string
			opt    problems.Options
			want   string
			lo, hi float64
			sign   float64
		}{
			{"", problems.Options{}, ":n=7", -1, 1, 1},
			{":n=600", problems.Options{}, ":n=600", -1, 1, 1},
			{":n=600", problems.Options{Dim: 600}, ":n=600", -1, 1, 1},
			{"", problems.Options{Dim: 600}, ":n=600", -1, 1, 1},
			{":N=6k, maximize=true", problems.Options{}, ":n=6000,maximize=true", -1, 1, -1},
			{":lo=-0.1", problems.Options{Dim: 3}, ":n=3,lo=-0.1,hi=1", -0.1, 1, 1},
			{":lo=-2,hi=1e-3", problems.Options{Bounds: &problems.Bounds{Lo: -2, Hi: 1e-3}, Maximize: true},
				":n=7,lo=-2,hi=0.001,maximize=true", -2, 1e-3, -1},
		} {
			p, err := Parse(path+c.keys, c.opt)
			if err != nil {
				t.Errorf("%s%s: %v", name, c.keys, err)
				continue
			}
			sign := p.Info().Sign()
			if lo, hi := p.Domain().Box(); p.Spec().String() != path+c.want || lo != c.lo || hi != c.hi ||
				sign != c.sign || p.Objective([]float64{3}) != 3*sign {
				t.Errorf("%s%s is %s in [%g, %g], sign %g", name, c.keys, p.Spec(), lo, hi, sign)
			}
			again, err := Parse(p.Spec().String(), problems.Options{})
			if err != nil || again.Spec().String() != p.Spec().String() {
				t.Errorf("%s does not parse to itself: %v", p.Spec(), err)
			}
			if s := p.Spec(); !s.File || s.Name != path || s.Family != problems.OpenCL || problems.SourceOf(p) != path {
				t.Errorf("%s is %+v", p.Spec(), s)
			}
			if _, known := p.Info().BestKnown(); known != (c.lo == -1 && c.hi == 1 && sign > 0) {
				t.Errorf("%s: best known %v", p.Spec(), known)
			}
		}
		for keys, want := range map[string]string{
			":": "is not key=value", ":n": "is not key=value", ":mode=paper": "unknown key", ":n=0": "n is 0",
			":n=x":     "is not a whole number",
			":n=1,n=1": "given twice", ":n=5": "give it once", ":lo=1": "not below", ":hi=nan": "finite",
			":lo=-1e308,hi=1e308": "too far apart",
			":maximize=maybe":     "true or false", ":lo=0": "give them once",
		} {
			opt := problems.Options{}
			switch keys {
			case ":n=5":
				opt.Dim = 6
			case ":lo=0":
				opt.Bounds = &problems.Bounds{Lo: -1, Hi: 1}
			}
			var fault *input.Error
			if _, err := Parse(path+keys, opt); !errors.As(err, &fault) || !strings.Contains(err.Error(), want) {
				t.Errorf("%s%s: %v, want %s", name, keys, err, want)
			}
		}
	}
}

func TestCheckpoints(t *testing.T) {
	p, err := Parse("cec2013/f1", problems.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if c := p.Info().Milestones; len(c) != 3 || c[0] != 120000 || c[1] != 600000 || c[2] != 3000000 {
		t.Errorf("check-points %v", c)
	}
	if s := p.Spec(); s.File || len(p.Info().Files) > 0 {
		t.Error("a problem by name is of a file")
	}
}

func TestListDescribe(t *testing.T) {
	all := List()
	if len(all) != 15+len(classic.Entries()) {
		t.Fatalf("%d problems", len(all))
	}
	for _, e := range all {
		p, err := Parse(e.Name, problems.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if lo, hi := p.Domain().Box(); p.Domain().N != e.Dim || lo != e.Lo || hi != e.Hi || e.Title == "" {
			t.Errorf("%+v does not fit %s", e, p.Spec())
		}
		for _, mode := range e.Modes {
			if _, err := Parse(e.Name+":mode="+mode, problems.Options{}); err != nil {
				t.Error(err)
			}
		}
		if text, err := Describe(strings.ToUpper(e.Name)); err != nil || !strings.Contains(text, e.Title) ||
			!strings.Contains(text, "201") {
			t.Errorf("%s: %q, %v", e.Name, text, err)
		}
	}
	if _, err := Describe("cec2013"); err == nil {
		t.Error("a name without a function is described")
	}
}

func TestClassicSpecs(t *testing.T) {
	for spec, want := range map[string]string{"Rastrigin": "classic/rastrigin:n=400",
		"classic/g6_W": "classic/G6_w:n=30", "ackley:n=7": "classic/ackley:n=7"} {
		p, err := Parse(spec, problems.Options{})
		if err != nil || p.Spec().String() != want {
			t.Errorf("%s: %v, %v", spec, p, err)
		}
	}
	if _, err := Parse("classic/ackley:mode=paper", problems.Options{}); err == nil {
		t.Error("a mode of a classic function")
	}
}

// A family that was registered is asked whether it owns a file before the family of objectives, which owns all.
func TestRegister(t *testing.T) {
	refused := func(f problems.Family) (yes bool) {
		defer func() { yes = recover() != nil }()
		Register(f)
		return false
	}
	parse := func(problems.Spec, string) (problems.Problem, error) { return nil, nil }
	mine := problems.Family{Name: "mine", Title: "a family of a test", Parse: parse, Files: true}
	if refused(mine) || !refused(mine) || !refused(problems.Family{Name: "other", Parse: parse}) {
		t.Error("want one family of a name, and one that specs can reach")
	}
	all := Families()
	if all[len(all)-1].Name != problems.OpenCL || all[len(all)-2].Name != "mine" {
		t.Errorf("the last families are %s and %s", all[len(all)-2].Name, all[len(all)-1].Name)
	}
	if text, err := Describe("mine"); err != nil || text != "mine  a family of a test\n" {
		t.Errorf("%q, %v", text, err)
	}
}
