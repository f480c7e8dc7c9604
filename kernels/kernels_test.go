package kernels

import (
	"io/fs"
	"strings"
	"testing"
)

func TestAssemble(t *testing.T) {
	defines := []Define{{"REAL_BITS", "64"}, {"N", "1000u"}}
	parts := []Part{
		{Name: "lib/a.cl", Text: "int a;\nint b;\n\n\n"},
		{Name: "user.cl", Line: 7, Text: "int c;\n\nint d;"},
		{Name: "empty", Text: ""},
		{Name: "solvers/s.cl", Text: "int e;\n"},
	}
	src := Assemble(defines, parts...)
	const want = `#define REAL_BITS 64
#define N 1000u
int a;
int b;
int c;

int d;

int e;
`
	if src.Text != want {
		t.Fatalf("got\n%s\nwant\n%s", src.Text, want)
	}
	for _, c := range []struct {
		line int
		name string
		at   int
		text string
	}{
		{1, "defines", 1, "#define REAL_BITS 64"},
		{2, "defines", 2, "#define N 1000u"},
		{3, "lib/a.cl", 1, "int a;"},
		{4, "lib/a.cl", 2, "int b;"},
		{5, "user.cl", 7, "int c;"},
		{6, "user.cl", 8, ""},
		{7, "user.cl", 9, "int d;"},
		{9, "solvers/s.cl", 1, "int e;"},
		{-3, "defines", -3, ""},
		{500, "solvers/s.cl", 492, ""},
	} {
		if name, at, text := src.Locate(c.line); name != c.name || at != c.at || text != c.text {
			t.Errorf("Locate(%d) = %s:%d %q, want %s:%d %q", c.line, name, at, text, c.name, c.at, c.text)
		}
	}
	if again := Assemble(defines, parts...); again.Text != src.Text {
		t.Error("equal arguments give another text")
	}
	if parts[0].Line != 0 {
		t.Error("Assemble changed its argument")
	}
	if _, at, _ := Assemble(nil).Locate(4); at != 4 || Assemble(nil).Text != "" {
		t.Error("an empty program is wrong")
	}
}

// Each line of every embedded text can be located in a program of all texts.
func TestLocateAll(t *testing.T) {
	var parts []Part
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			parts = append(parts, Get(name))
		}
		return err
	})
	if err != nil || len(parts) < 10 {
		t.Fatalf("%d texts, %v", len(parts), err)
	}
	src := Assemble([]Define{{"A", "1"}}, parts...)
	line := 2
	for _, p := range parts {
		if p.Name == "" || p.Text == "" {
			t.Fatalf("empty part %+v", p)
		}
		for i, text := range strings.Split(strings.TrimRight(p.Text, "\n"), "\n") {
			if name, at, got := src.Locate(line); name != p.Name || at != i+1 || got != text {
				t.Fatalf("line %d is %s:%d %q, want %s:%d %q", line, name, at, got, p.Name, i+1, text)
			}
			line++
		}
	}
}

func TestGetUnknown(t *testing.T) {
	defer func() {
		if r := recover(); r == nil || !strings.Contains(r.(string), "lib/none.cl") {
			t.Errorf("recovered %v", r)
		}
	}()
	Get("lib/none.cl")
}

func TestStruct(t *testing.T) {
	type extent struct {
		Stride uint64
		Lo     uint32
		TileLo int32
	}
	const want = "typedef struct {\n    ulong stride;\n    uint lo;\n    int tile_lo;\n} extent;"
	if got := Struct("extent", extent{}); got.Text != want {
		t.Errorf("declared as %q, want %q", got.Text, want)
	}
	for _, v := range []any{struct{ Narrow, Wide any }{}, struct{ F float64 }{}, struct {
		A uint32
		B uint64
	}{}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%T is declared", v)
				}
			}()
			Struct("x", v)
		}()
	}
}
