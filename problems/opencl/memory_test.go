package opencl

import (
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
	"testing/iotest"

	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/problems"
)

// A text in memory and the same text in a file give the same problem, with equal hash, structure, sources and tables.
func TestParse(t *testing.T) {
	text := "//@ bounds -1 1\n//@ data w ./sub/w.npy\n//@ reads lists l.txt\n//@ f 2*s0\n#include \"sub/a.h\"\n" +
		testComponent
	named := []string{"sub/a.h", "#include \"b.h\"\n", "sub/b.h", "#define B 2\n", "sub/w.npy", NpyText(t, 1.5),
		"l.txt", "0\n1 2\n2\n"}
	files := fstest.MapFS{}
	for i := 0; i < len(named); i += 2 {
		files[named[i]] = &fstest.MapFile{Data: []byte(named[i+1])}
	}
	a, err := ParseFile(filepath.Join(WriteFiles(t, append(named, "my.cl", text)...), "my.cl"), 3)
	if err != nil {
		t.Fatal(err)
	}
	b, err := Parse(iotest.OneByteReader(strings.NewReader(text)), files, 3)
	if err != nil {
		t.Fatal(err)
	}
	if a.ContentHash() != b.ContentHash() || !reflect.DeepEqual(a.Structure(), b.Structure()) ||
		a.Domain().N != b.Domain().N {
		t.Errorf("in a file %+v, in memory %+v", a, b)
	}
	for _, form := range []problems.Form{problems.Tile, problems.Item, problems.Partial} {
		in, _ := a.Text(problems.FP64, form)
		got, err := b.Text(problems.FP64, form)
		if err != nil || len(got.Sources) != len(in.Sources) || !reflect.DeepEqual(got.Tables, in.Tables) {
			t.Errorf("form %d in memory: %+v, %v; in a file %+v", form, got, err, in)
		}
		for i, s := range got.Sources {
			if s.Text != in.Sources[i].Text || s.Line != in.Sources[i].Line {
				t.Errorf("source %d in memory: %+v; in a file %+v", i, s, in.Sources[i])
			}
		}
	}
	if want := "opencl:sha256=" + b.ContentHash() + ",n=3"; b.Spec().String() != want || problems.SourceOf(b) != want {
		t.Errorf("spec %s, source %s, want %s", b.Spec(), problems.SourceOf(b), want)
	}
	if i := b.Info(); i.Title != "" || len(i.Files) > 0 {
		t.Errorf("info %+v", i)
	}
}

func TestParseErrors(t *testing.T) {
	const head = "//@ bounds -1 1\n"
	for _, c := range []struct {
		r    io.Reader
		want string
	}{
		{strings.NewReader(head + "//@ bouds 1 2\n"), "text:2:5: error: unknown directive"},
		{strings.NewReader(head + "#include \"a.h\"\n" + testComponent),
			"text:2:1: error: #include: \"a.h\" cannot be read: the text is in memory"},
		{strings.NewReader(head + "//@ data w w.npy\n" + testComponent),
			"text:2:12: error: \"w.npy\" cannot be read: the text is in memory"},
		{iotest.ErrReader(errors.New("the line is cut")), "text: error: cannot be read: the line is cut."},
		{strings.NewReader(head + strings.Repeat(" ", maxObjective)), "more than 4194304 bytes"},
	} {
		_, err := Parse(c.r, nil, 3)
		if fault, ok := errors.AsType[*input.Error](err); !ok || !strings.Contains(fault.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	files := fstest.MapFS{"a.h": {Data: []byte("#include \"../b.h\"\n")}, "c.h": {Data: []byte("//@ n 3\n")}}
	for name, want := range map[string]string{
		"none.h": "text:2:1: error: #include: \"none.h\" cannot be read: file does not exist",
		"a.h":    "a.h:1:1: error: #include: \"../b.h\" leads out",
		"c.h":    "c.h:1:1: error: directive in an included file",
	} {
		_, err := Parse(strings.NewReader(head+"#include \""+name+"\"\n"+testComponent), files, 3)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}

// swapped is a file system in which a file is regular when it is looked at, and a folder when it is opened.
type swapped struct{ fstest.MapFS }

func (s swapped) Stat(string) (fs.FileInfo, error) { return s.MapFS.Stat("real.h") }

// A file that is swapped for something else while an objective is read is refused.
func TestSwappedInclude(t *testing.T) {
	files := swapped{fstest.MapFS{"real.h": {Data: []byte("\n")}, "a.h": {Mode: fs.ModeDir}}}
	_, err := Parse(strings.NewReader("//@ bounds -1 1\n#include \"a.h\"\n"+testComponent), files, 3)
	if err == nil || !strings.Contains(err.Error(), `text:2:1: error: #include: "a.h" cannot be read: `+
		"is no longer a regular file") {
		t.Error(err)
	}
}
