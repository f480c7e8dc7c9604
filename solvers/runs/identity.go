package runs

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"math"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/clopt/clopt/problems"
)

// identity has the properties in which a resumed run must be equal to the stored one.
type identity struct {
	Problem   string `json:"problem"`
	Source    string `json:"source,omitempty"` // SHA-256 of the text of an objective
	Instance  string `json:"instance"`         // SHA-256 of the tables
	Solver    string `json:"solver"`
	Settings  string `json:"settings"`
	Seed      uint32 `json:"seed"`
	Run       uint32 `json:"run"`
	Precision string `json:"precision"`
}

// difference describes the first difference of two runs. It is "" if they are equal.
func (a identity) difference(b identity) string {
	for _, f := range []struct{ name, a, b string }{
		{"problem", a.Problem, b.Problem},
		{"objective's text (SHA-256)", a.Source, b.Source},
		{"instance data (SHA-256)", a.Instance, b.Instance},
		{"solver", a.Solver, b.Solver},
		{"solver settings", a.Settings, b.Settings},
		{"seed", strconv.FormatUint(uint64(a.Seed), 10), strconv.FormatUint(uint64(b.Seed), 10)},
		{"run", strconv.FormatUint(uint64(a.Run), 10), strconv.FormatUint(uint64(b.Run), 10)},
		{"precision", a.Precision, b.Precision},
	} {
		if f.a != f.b {
			return fmt.Sprintf("the %s is %s, and was %s", f.name, f.b, f.a)
		}
	}
	return ""
}

// identify returns the identity of run number n.
func (r *Run) identify(n uint32) (identity, error) {
	if r.hashes == nil {
		text, err := r.Problem.Text(r.Precision, problems.Tile)
		if err != nil {
			return identity{}, err
		}
		r.hashes = &[2]string{sourceHash(text), tableHash(text, r.Problem.Domain())}
	}
	return identity{
		Problem: r.ShortSpec(), Source: r.hashes[0], Instance: r.hashes[1],
		Solver: r.Solver.Name(), Settings: r.Solver.String(),
		Seed: r.Seed, Run: n, Precision: r.Precision.String(),
	}, nil
}

// ShortSpec returns the spec of the problem. Of the path of an objective file it has the last element only, since the
// file may have moved, and a file of bounds has its name in run folders.
func (r *Run) ShortSpec() string {
	spec := r.Problem.Spec()
	if _, ok := spec.Get("bounds"); ok && !r.Problem.Domain().Binary {
		spec = spec.With("bounds", boundsName)
	}
	if spec.File {
		spec.Name = filepath.Base(spec.Name)
	}
	return spec.String()
}

func sourceHash(t problems.Text) string {
	if len(t.Sources) == 0 {
		return ""
	}
	h := sha256.New()
	for _, s := range t.Sources {
		hashText(h, s.Text)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// tableHash returns the hash of all numbers of a text, and of the bounds if they differ between variables.
func tableHash(t problems.Text, box problems.Domain) string {
	if len(box.Lo) > 1 {
		t.Tables = append(slices.Clone(t.Tables), problems.Table{Name: "lo", Real: box.Lo},
			problems.Table{Name: "hi", Real: box.Hi})
	}
	h := sha256.New()
	for _, d := range t.Defines {
		hashText(h, d.Name+" "+d.Value)
	}
	for _, n := range t.Numbers {
		hashText(h, fmt.Sprint(n.Name, " ", n.Value))
	}
	var b []byte
	for _, table := range t.Tables {
		hashText(h, table.Name)
		for i := range max(len(table.Real), len(table.Uint)) {
			if table.Real != nil {
				b = binary.LittleEndian.AppendUint64(b, math.Float64bits(table.Real[i]))
			} else {
				b = binary.LittleEndian.AppendUint32(b, table.Uint[i])
			}
			if len(b) > 1<<16 {
				h.Write(b)
				b = b[:0]
			}
		}
		h.Write(b)
		b = b[:0]
	}
	return hex.EncodeToString(h.Sum(nil))
}

// hashText hashes the length of a text and the text, so that "ab", "c" differs from "a", "bc".
func hashText(h hash.Hash, s string) { fmt.Fprintf(h, "%d %s\n", len(s), s) }
