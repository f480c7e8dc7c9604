package runs

import (
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/clopt/clopt/internal/solvers/runs/exact"
	"github.com/clopt/clopt/internal/solvers/runs/inputs"
	"github.com/clopt/clopt/internal/solvers/runs/recipe"
)

// Keys returns the contents of a run file for count runs with the numbers first, first+1 and so on: the problem, and
// values by the names of the flags of clopt run. Keys with the value "" must be left out.
func (r *Run) Keys(first uint32, count int) (problem string, keys map[string]string) {
	// The number of variables is a key of its own, so that the flag -n can replace it.
	spec := r.Problem.Spec().Without("n")
	bounds, maximize := "", ""
	if spec.File && r.Whole() {
		spec.Name = inputs.Name + "/" + filepath.Base(spec.Name)
	} else if spec.File {
		spec.Name = Absolute(spec.Name)
	}
	if !r.Problem.Domain().Binary { // the keys of binary problems say how to read their files
		if lo, ok := spec.Get("lo"); ok {
			hi, _ := spec.Get("hi")
			bounds = lo + "," + hi
		} else if _, ok := spec.Get("bounds"); ok {
			bounds = boundsName
		}
		maximize, _ = spec.Get("maximize")
		spec = spec.Without("lo", "hi", "bounds", "maximize")
	}
	keys = map[string]string{
		"solver": r.Algorithm().Name, "dim": strconv.Itoa(r.Problem.Domain().N), "bounds": bounds, "maximize": maximize,
		"seed": strconv.FormatUint(uint64(r.Seed), 10), "precision": r.Precision.String(), "x0": "",
		"first-run": strconv.FormatUint(uint64(first), 10), "runs": strconv.Itoa(count),
	}
	if r.Budget.Evaluations > 0 && !r.Implied {
		keys["evals"] = strconv.FormatInt(r.Budget.Evaluations, 10)
	}
	if r.Budget.Moves > 0 {
		keys["moves"] = strconv.FormatInt(r.Budget.Moves, 10)
	}
	if r.Budget.Time > 0 && !r.Implied {
		keys["time"] = r.Budget.Time.String()
	}
	if r.Restart {
		keys["restart"] = "on"
	}
	if r.X0 != nil {
		keys["x0"] = "x0.txt"
	}
	return spec.String(), keys
}

// recipe returns the text of the run file of run n.
func (r *Run) recipe(n uint32) string {
	if r.Recipe != nil {
		return r.Recipe(n)
	}
	problem, texts := r.Keys(n, 1)
	if n := r.Budget.StallEvaluations; n > 0 {
		texts["stall-evals"] = strconv.FormatInt(n, 10)
	}
	if r.Budget.Stall > 0 {
		texts["stall"] = r.Budget.Stall.String()
	}
	if r.Budget.GTol > 0 {
		texts["gtol"] = exact.Format(r.Budget.GTol)
	}
	if t := r.Budget.Target; t != nil {
		texts["target"] = exact.Format(r.Problem.Info().Sign() * *t)
	}
	var keys []recipe.Key
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		if texts[name] != "" {
			keys = append(keys, recipe.Key{Name: name, Vals: []string{texts[name]}})
		}
	}
	if set := r.Algorithm().Settings; set != "" {
		keys = append(keys, recipe.Key{Name: "set", Vals: strings.Split(set, ","), List: true})
	}
	return recipe.Text(ToolVersion, problem, keys)
}

// inputs returns the files of the problem.
func (r *Run) inputs() *inputs.Files {
	if r.files == nil {
		r.files = inputs.Of(r.Problem)
	}
	return r.files
}

// Whole reports whether run folders have copies of all files from which the problem is read.
func (r *Run) Whole() bool { return r.inputs().Whole }

// Differs returns the first file of the problem that has changed since the folder dir was made. It is "" if there is
// none.
func (r *Run) Differs(dir string) (file string, err error) {
	f, err := r.folder(dir)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return r.inputs().Differs(f.Folder)
}

// boundsName is the file of a run folder with the bounds of each variable, if they were given beside the problem.
const boundsName = "bounds.txt"

// WriteRecipe writes the text of a run.toml to a folder, and the files that it names: those of the problem to inputs/,
// the start points to x0.txt, and bounds of variables to bounds.txt.
func (r *Run) WriteRecipe(dir, text string) error {
	f, err := r.folder(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	return r.writeRecipe(f, text)
}

func (r *Run) writeRecipe(f *folder, text string) error {
	if err := r.inputs().Write(f.Folder); err != nil {
		return fault(Output, "%w", err)
	}
	if r.X0 != nil {
		if err := f.writeRows("x0.txt", len(r.X0), func(k int) []float64 { return r.X0[k] }); err != nil {
			return err
		}
	}
	if _, ok := r.Problem.Spec().Get("bounds"); ok {
		d := r.Problem.Domain()
		if err := f.writeRows(boundsName, d.N, func(i int) []float64 {
			lo, hi := d.Interval(i)
			return []float64{lo, hi}
		}); err != nil {
			return err
		}
	}
	return f.writeText(recipe.Name, text)
}

// Absolute returns the absolute form of path. It returns path itself if that is "" or has no absolute form.
func Absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil && path != "" {
		return abs
	}
	return path
}
