package opencl

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/clopt/clopt/internal/clc"
	"github.com/clopt/clopt/internal/clc/token"
	"github.com/clopt/clopt/problems"
)

// textOf reads the objective in a file without the files of its tables, each of which has the elements of a dense and
// of a sparse matrix of 8 rows.
func textOf(t *testing.T, file string, p problems.Precision) clc.Text {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s, e := scan(file, raw)
	if e != nil {
		t.Fatal(e)
	}
	all, e := parseDirectives(s)
	if e != nil {
		t.Fatal(e)
	}
	o := &Objective{directives: directives{n: 100, sums: 1, tiling: problems.Tiling{M: 100}}}
	if e := o.setPlain(all); e != nil {
		t.Fatal(e)
	}
	l := newLoader(file, filepath.Base(file))
	l.files = os.DirFS(filepath.Dir(file))
	if e := l.expand(s, l.main); e != nil {
		t.Fatal(e)
	}
	if find(all, "grid") != nil {
		o.grid = [3]int{1, 10, 10}
	}
	text := o.treeText(l.raw, p)
	for _, d := range all {
		if d.word == "data" {
			name := d.first()
			text.Tables[name] = clc.Real
			if strings.HasSuffix(d.rest(0), " uint") {
				text.Tables[name] = clc.UInt
			}
			text.Tables[name+"_val"], text.Tables[name+"_col"] = clc.Real, clc.UInt
			text.Tables[name+"_row_start"] = clc.UInt
			for _, size := range []string{"_rows", "_cols", "_len"} {
				text.Symbols["d."+name+size] = 8
			}
		}
	}
	text.Tables["reads"], text.Tables["reads_start"] = clc.UInt, clc.UInt
	return text
}

// The texts of the tree that have no tree are listed, with the reason. All others are read, and what is written of them
// is read as the same again.
func TestUnderstoodTexts(t *testing.T) {
	opaque := map[string]string{
		"testdata/broken.cl": "9:15 uses valeu, which is not known",
		"auto/opaque.cl":     "8:25 uses as_int",
	}
	count := 0
	for _, pattern := range []string{"docs/gallery/*/*.cl", "test/strangers/*/*.cl", "test/testdata/*.cl",
		"test/testdata/*/*.cl"} {
		files, err := filepath.Glob(filepath.Join("../..", pattern))
		if err != nil || len(files) == 0 {
			t.Fatal(pattern, err)
		}
		for _, file := range files {
			if filepath.Base(file) == "escape.cl" { // it cannot be loaded
				continue
			}
			count++
			name := filepath.Base(filepath.Dir(file)) + "/" + filepath.Base(file)
			for _, p := range []problems.Precision{problems.FP64, problems.FP32} {
				text := textOf(t, file, p)
				trees, why := clc.Parse(text)
				switch {
				case why == nil && opaque[name] == "":
					again(t, name, text, trees)
				case why == nil, opaque[name] == "", !strings.HasSuffix(why.String(), opaque[name]):
					t.Errorf("%s: %v, want %q", name, why, opaque[name])
				}
			}
		}
	}
	if count < 100 {
		t.Errorf("%d texts", count)
	}
}

// again writes trees, reads that, and compares.
func again(t *testing.T, name string, text clc.Text, trees *clc.Trees) {
	t.Helper()
	first := written(trees)
	text.Tokens = token.Scan(name, 1, clc.Helpers+first, maxTokens)
	other, why := clc.Parse(text)
	if why != nil {
		t.Errorf("%s: %v\n%s", name, why, first)
		return
	}
	if second := written(other); second != first {
		t.Errorf("%s: written\n%sand then\n%s", name, first, second)
	}
}

func written(trees *clc.Trees) string {
	var w clc.Writer
	for _, tree := range trees.All() {
		w.Tree(tree)
	}
	return w.String()
}
