package runs

import (
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Key is a line of a run file.
type Key struct {
	Name string
	Vals []string
	List bool
}

// RecipeText is the text of a run file.
func RecipeText(problem string, keys []Key) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# clopt %s; repeat with: clopt run THIS_FILE\n", ToolVersion)
	fmt.Fprintf(&b, "problem = %s\n", tomlString(problem))
	for _, k := range keys {
		quoted := make([]string, len(k.Vals))
		for i, s := range k.Vals {
			quoted[i] = tomlString(s)
		}
		if k.List {
			fmt.Fprintf(&b, "%s = [%s]\n", k.Name, strings.Join(quoted, ", "))
		} else {
			fmt.Fprintf(&b, "%s = %s\n", k.Name, quoted[len(quoted)-1])
		}
	}
	return b.String()
}

// tomlString is s as a TOML basic string; numbers and switches are read from
// strings too.
func tomlString(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < 0x20 || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// Keys are the problem and what else a run file says of the runs first, first+1, …, as many as count, by the names of
// the flags of clopt run. A key without a text has to be left out.
func (r *Run) Keys(first uint32, count int) (problem string, keys map[string]string) {
	// The number of variables is a key of its own, so that -n can go before it.
	spec := r.Problem.Spec().Without("n")
	bounds, maximize := "", ""
	if spec.File {
		spec.Name = Absolute(spec.Name)
	}
	if !r.Problem.Domain().Binary { // whose keys say how a file is read
		if lo, ok := spec.Get("lo"); ok {
			hi, _ := spec.Get("hi")
			bounds = lo + "," + hi
		}
		maximize, _ = spec.Get("maximize")
		spec = spec.Without("lo", "hi", "maximize")
	}
	keys = map[string]string{
		"solver": r.Solver.Name(), "dim": strconv.Itoa(r.Problem.Domain().N), "bounds": bounds, "maximize": maximize,
		"seed": strconv.FormatUint(uint64(r.Seed), 10), "precision": r.Precision.String(), "x0": "",
		"first-run": strconv.FormatUint(uint64(first), 10), "runs": strconv.Itoa(count),
	}
	if r.Budget.Evaluations > 0 {
		keys["evals"] = strconv.FormatInt(r.Budget.Evaluations, 10)
	}
	if r.Budget.Time > 0 {
		keys["time"] = r.Budget.Time.String()
	}
	if r.X0 != nil {
		keys["x0"] = "x0.txt"
	}
	return spec.String(), keys
}

// recipe is the text of the run file of run n.
func (r *Run) recipe(n uint32) string {
	if r.Recipe != nil {
		return r.Recipe(n)
	}
	problem, texts := r.Keys(n, 1)
	if r.Budget.Stall > 0 {
		texts["stall"] = r.Budget.Stall.String()
	}
	if t := r.Budget.Target; t != nil {
		texts["target"] = FormatValue(r.Problem.Info().Sign() * *t)
	}
	var keys []Key
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		if texts[name] != "" {
			keys = append(keys, Key{name, []string{texts[name]}, false})
		}
	}
	if set := r.Solver.String(); set != "" {
		keys = append(keys, Key{"set", strings.Split(set, ","), true})
	}
	return RecipeText(problem, keys)
}

// writeRecipe stores the run file of run n, and the start points that it names.
func (r *Run) writeRecipe(dir string, n uint32) error {
	return WriteRecipe(dir, r.recipe(n), r.X0)
}

// WriteRecipe stores the text of a run.toml in a folder, and as x0.txt the start points that it names; nil: none.
func WriteRecipe(dir, text string, x0 [][]float64) error {
	if x0 != nil {
		if _, err := WriteWhole(filepath.Join(dir, "x0.txt"), func(w io.Writer) error {
			for _, x := range x0 {
				if err := writeText(w, x); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			return err
		}
	}
	_, err := WriteWhole(filepath.Join(dir, "run.toml"), func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
	return err
}

// Absolute makes a name good in other folders too, as far as it can be; "" stays "".
func Absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil && path != "" {
		return abs
	}
	return path
}
