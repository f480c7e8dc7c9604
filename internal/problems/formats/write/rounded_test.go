package write

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/clopt/clopt/internal/problems/formats"
	"github.com/clopt/clopt/internal/problems/formats/format"
	"github.com/clopt/clopt/problems/graph"
)

// TestRounded checks that files have the numbers that were read, also those that rounding has made 0.
func TestRounded(t *testing.T) {
	text := "# vartype=BINARY\n# clopt: n=6 offset=0.0000005\n0 0 -999999999.9999928\n1 1 -999999999.9999987\n" +
		"4 4 0.0000000012345678\n0 1 4000000000000000\n0 2 -0.00000000625\n2 3 12345678901234567e-25\n"
	path := filepath.Join(t.TempDir(), "q.coo")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	m, notes, err := formats.Read(path, graph.Bits, formats.Options{})
	if err != nil || notes.Near == 0 || notes.Gone == 0 {
		t.Fatalf("%d rounded, %d to 0, %v", notes.Near, notes.Gone, err)
	}
	for _, as := range format.Names() {
		f, _ := format.ByName(as)
		for _, kind := range f.Kinds() {
			to, err := m.To(kind)
			if err != nil {
				t.Fatal(err)
			}
			var b bytes.Buffer
			if _, err := Model(&b, to, f, false); f == format.NPY && err != nil {
				continue // numbers of more than 17 digits
			}
			what := fmt.Sprintf("%s of %v", as, kind)
			back, first := store(t, to, f)
			if kind == graph.Bits {
				same(t, what, m, back)
			}
			if _, second := store(t, back, f); second != first && kind == graph.Bits {
				t.Errorf("%s: written again it differs:\n%s\n%s", what, first, second)
			}
			if f == format.List && kind == graph.Bits {
				for _, line := range []string{"0 0 -999999999.9999928", "4 4 0.0000000012345678",
					"2 3 12345678901234567e-25"} {
					if !strings.Contains(first, line+"\n") {
						t.Errorf("no line %q in\n%s", line, first)
					}
				}
			}
		}
	}
}
