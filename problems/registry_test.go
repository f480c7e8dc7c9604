package problems

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/clopt/clopt/problems/input"
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
		p, err := Parse(test.spec, Options{Dim: test.dim})
		if err != nil {
			t.Errorf("%s: %v", test.spec, err)
			continue
		}
		if p.Spec() != test.want {
			t.Errorf("%s is %s, want %s", test.spec, p.Spec(), test.want)
		}
		if again, err := Parse(p.Spec(), Options{}); err != nil || again.Spec() != p.Spec() {
			t.Errorf("%s does not parse to itself: %v", p.Spec(), err)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for _, test := range []struct {
		spec string
		opt  Options
		want string
	}{
		{"", Options{}, "no problem given"},
		{"cec2013/f16", Options{}, "nearest known name is cec2013/f1"},
		{"cec213/f9", Options{}, "nearest known name is cec2013/f9"},
		{"cec2013/f1:", Options{}, "is not key=value"},
		{"cec2013/f1:n", Options{}, "is not key=value"},
		{"cec2013/f1:mod=paper", Options{}, "nearest known key is mode"},
		{"cec2013/f1:n=1000,n=1000", Options{}, "given twice"},
		{"cec2013/f1:n=1000", Options{Dim: 2000}, "n is 1000 in"},
		{"cec2013/f1:n=1e3.5", Options{}, "is not a whole number"},
		{"cec2013/f1:n=0", Options{}, "n is 0"},
		{"cec2013/f1:n=1e12", Options{}, "n is 1000000000000"},
		{"cec2013/f1:n=1001", Options{}, "multiple of 1000"},
		{"cec2013/f1:mode=papers", Options{}, "use paper"},
		{"cec2013/f1", Options{Dim: -1}, "n is -1"},
		{"cec2013/f1", Options{Data: filepath.Join(t.TempDir(), "none")}, "none: error: no such directory"},
		{"cec2013/f1", Options{Data: t.TempDir()}, "F1-xopt.txt: error: the file is missing"},
		{"cec2013/f1", Options{Bounds: &Bounds{0, 1}}, "no other bounds"},
		{t.TempDir(), Options{}, "is a folder"},
		{"cec2013/f1", Options{Maximize: true}, "is a minimization"},
		{filepath.Join(t.TempDir(), "absent.cl"), Options{}, "absent.cl"},
	} {
		_, err := Parse(test.spec, test.opt)
		var fault *input.Error
		if !errors.As(err, &fault) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: %v, want %s", test.spec, err, test.want)
		}
	}
}

// A file is taken by its existence, whatever it is called.
func TestParseObjectiveFile(t *testing.T) {
	text := "//@ bounds -1 1\nstatic void component(uint k, point x, data d, real *acc) { acc[0] += sq(at(x, k)); }\n"
	for _, name := range []string{"sphere.cl", "sphere"} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if p, err := Parse(path, Options{Dim: 5}); err != nil || p.Dim() != 5 {
			t.Errorf("%s: %v, %v", name, p, err)
		}
	}
}

// What Spec returns is read back, whatever the path looks like.
func TestObjectiveSpec(t *testing.T) {
	text := "//@ bounds -1 1\n//@ best 0\n//@ n 7\nstatic void component(uint k, point x, data d, real *acc) { acc[0] += sq(at(x, k)); }\n"
	for _, name := range []string{"sphere.cl", "sphere", "a:b=1", "n=3,x.cl"} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			keys   string
			opt    Options
			want   string
			lo, hi float64
			sign   float64
		}{
			{"", Options{}, ":n=7", -1, 1, 1},
			{":n=600", Options{}, ":n=600", -1, 1, 1},
			{":n=600", Options{Dim: 600}, ":n=600", -1, 1, 1},
			{"", Options{Dim: 600}, ":n=600", -1, 1, 1},
			{":N=6k, maximize=true", Options{}, ":n=6000,maximize=true", -1, 1, -1},
			{":lo=-0.1", Options{Dim: 3}, ":n=3,lo=-0.1,hi=1", -0.1, 1, 1},
			{":lo=-2,hi=1e-3", Options{Bounds: &Bounds{-2, 1e-3}, Maximize: true}, ":n=7,lo=-2,hi=0.001,maximize=true", -2, 1e-3, -1},
		} {
			p, err := Parse(path+c.keys, c.opt)
			if err != nil {
				t.Errorf("%s%s: %v", name, c.keys, err)
				continue
			}
			sign := 1.0
			if s, ok := p.(Signed); ok {
				sign = s.Sign()
			}
			if lo, hi := p.Box(); p.Spec() != path+c.want || lo != c.lo || hi != c.hi || sign != c.sign || p.Objective([]float64{3}) != 3*sign {
				t.Errorf("%s%s is %s in [%g, %g], sign %g", name, c.keys, p.Spec(), lo, hi, sign)
			}
			again, err := Parse(p.Spec(), Options{})
			if err != nil || again.Spec() != p.Spec() {
				t.Errorf("%s does not parse to itself: %v", p.Spec(), err)
			}
			f, ok := FileOf(p)
			if !ok || f.Path != path || f.Maximize != (sign < 0) {
				t.Errorf("%s is of file %+v", p.Spec(), f)
			}
			if _, known := p.(Optimum); known != (f.Bounds == nil && !f.Maximize) {
				t.Errorf("%s: best known %v", p.Spec(), known)
			}
		}
		for keys, want := range map[string]string{
			":": "is not key=value", ":n": "is not key=value", ":mode=paper": "unknown key", ":n=0": "n is 0", ":n=x": "is not a whole number",
			":n=1,n=1": "given twice", ":n=5": "give it once", ":lo=1": "not below", ":hi=nan": "finite", ":lo=-1e308,hi=1e308": "too far apart",
			":maximize=maybe": "true or false", ":lo=0": "give them once",
		} {
			opt := Options{}
			switch keys {
			case ":n=5":
				opt.Dim = 6
			case ":lo=0":
				opt.Bounds = &Bounds{-1, 1}
			}
			var fault *input.Error
			if _, err := Parse(path+keys, opt); !errors.As(err, &fault) || !strings.Contains(err.Error(), want) {
				t.Errorf("%s%s: %v, want %s", name, keys, err, want)
			}
		}
	}
}

func TestCheckpoints(t *testing.T) {
	p, err := Parse("cec2013/f1", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if c := p.(Checkpointed).Checkpoints(); len(c) != 3 || c[0] != 120000 || c[1] != 600000 || c[2] != 3000000 {
		t.Errorf("check-points %v", c)
	}
	if _, ok := FileOf(p); ok {
		t.Error("a problem by name is of a file")
	}
}

func TestListDescribe(t *testing.T) {
	all := List()
	if len(all) != 15+len(classicKinds)+len(classicConfigs) {
		t.Fatalf("%d problems", len(all))
	}
	for _, e := range all {
		p, err := Parse(e.Name, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if lo, hi := p.Box(); p.Dim() != e.Dim || lo != e.Lo || hi != e.Hi || e.Title == "" {
			t.Errorf("%+v does not fit %s", e, p.Spec())
		}
		for _, mode := range e.Modes {
			if _, err := Parse(e.Name+":mode="+mode, Options{}); err != nil {
				t.Error(err)
			}
		}
		if text, err := Describe(strings.ToUpper(e.Name)); err != nil || !strings.Contains(text, e.Title) || !strings.Contains(text, "201") {
			t.Errorf("%s: %q, %v", e.Name, text, err)
		}
	}
	if _, err := Describe("cec2013"); err == nil {
		t.Error("a name without a function is described")
	}
}

func TestParseCount(t *testing.T) {
	for text, want := range map[string]int64{
		"0": 0, "7": 7, "1000": 1000, "1e8": 1e8, "1E+3": 1000, "2.5e6": 2500000, "100k": 100000, "64Ki": 65536, "1.5M": 1500000,
		"3G": 3000000000, "1Gi": 1 << 30, "1Mi": 1 << 20, "9223372036854775807": math.MaxInt64, "9.223372036854775807e18": math.MaxInt64, "1.50e1": 15,
	} {
		if got, err := ParseCount(text); err != nil || got != want {
			t.Errorf("%q is %d, %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{
		"", " 1", "-1", "+1", "1.", ".5", "1.5", "1e", "1e-1", "1e+", "e3", "0x10", "1_000", "k", "1kk", "1K", "1ki", "nan", "inf",
		"9223372036854775808", "1e19", "1e99", "1e999", "10.1e", "1e3.5", "१", strings.Repeat("0", 65),
	} {
		if got, err := ParseCount(text); err == nil {
			t.Errorf("%q is taken as %d", text, got)
		}
	}
}

func FuzzParseCount(f *testing.F) {
	for _, s := range []string{"1e8", "64Ki", "2.5e6", "1.e3", "9e18", "1e+05", "00k"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v, err := ParseCount(s)
		var fault *input.Error
		if err != nil && !errors.As(err, &fault) {
			t.Fatalf("%q: %T", s, err)
		}
		if err == nil && (v < 0 || strings.ContainsAny(s, " -_xX")) {
			t.Fatalf("%q is %d", s, v)
		}
	})
}
