package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/problems/input"
	"github.com/clopt/clopt/solvers/methods"
)

func (a *app) checkCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "check RUN|CHECKPOINT|FILE...",
		Short: "Validate run folders, checkpoints, run files and suite files",
		Long: "Validate what runs leave: a run folder (recipe, trace, result, best point, checkpoints), one checkpoint, a folder of\n" +
			"these, a run file or a suite file. Nothing is run on a device; a best point of at most a million variables is\n" +
			"evaluated by the host. Exit 2 if something is wrong, 7 if that is a checkpoint alone.",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("name what to check: run folders, checkpoints, run files or suite files")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return a.check(args) },
	}
}

// checker notes what was looked at.
type checker struct {
	w      io.Writer
	bad    int
	damage int // of bad, in checkpoints
}

func (c *checker) note(what string, err error) {
	if err == nil {
		fmt.Fprintf(c.w, "ok      %s\n", what)
		return
	}
	c.bad++
	for _, line := range strings.Split(err.Error(), "\n") {
		fmt.Fprintf(c.w, "FAILED  %s: %s\n", what, line)
	}
}

func (a *app) check(args []string) error {
	c := &checker{w: a.stdout}
	for _, arg := range args {
		if err := c.any(arg); err != nil {
			return err
		}
	}
	switch {
	case c.bad == 0:
		return nil
	case c.bad == c.damage:
		return fail(exitCheckpoint, "%d checkpoints are damaged", c.bad)
	}
	return usagef("%d checks failed", c.bad)
}

// any finds out what a path is, by its content.
func (c *checker) any(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return usagef("%w", err)
	}
	if !info.IsDir() {
		return c.file(path)
	}
	if exists(filepath.Join(path, "manifest.json")) || storedName.MatchString(filepath.Base(path)) {
		c.checkpoint(path)
		return nil
	}
	if exists(filepath.Join(path, "trace.jsonl")) {
		c.run(path)
		return nil
	}
	// A batch, a campaign, or a folder of them.
	entries, err := os.ReadDir(path)
	if err != nil {
		return usagef("%w", err)
	}
	found := false
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			if err := c.any(filepath.Join(path, e.Name())); err != nil {
				return err
			}
			found = true
		}
	}
	if !found {
		return usagef("%s holds neither a run nor a checkpoint", path)
	}
	return nil
}

// file checks a run file or a suite file.
func (c *checker) file(path string) error {
	if strings.HasSuffix(path, ".cl") {
		return usagef("%s: checking objectives is not yet in this version. clopt run and clopt eval try one before they use it.", path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return usagef("%w", err)
	}
	if header.Match(text) {
		_, err = openCampaign(path)
		c.note(path+": suite file", err)
		return nil
	}
	if _, ok := isRunFile(path); !ok {
		return usagef("%s is neither a run file nor a suite file", path)
	}
	c.note(path+": run file", checkRecipe(path))
	return nil
}

// checkRecipe reads a run file as a run would.
func checkRecipe(path string) error {
	f, err := readRunFile(path)
	if err != nil {
		return err
	}
	_, err = newSettings(newConfig(runOptions, (&cobra.Command{}).Flags(), func(string) string { return "" }, f))
	return err
}

// run checks all that is in a run folder.
func (c *checker) run(dir string) {
	c.note(dir+": recipe", checkRecipe(filepath.Join(dir, "run.toml")))
	end, err := checkTrace(filepath.Join(dir, "trace.jsonl"))
	c.note(dir+": trace", err)
	if !exists(filepath.Join(dir, "result.json")) {
		fmt.Fprintf(c.w, "        %s: unfinished\n", dir)
	} else {
		r, err := readResultJSON(filepath.Join(dir, "result.json"))
		if err == nil && end != nil && (end.Evals != r.Evaluations || end.Stop != r.Stop.Reason || end.Best != r.Best.F && !math.IsNaN(float64(r.Best.F))) {
			err = fmt.Errorf("%d evaluations, best %g, stop %s; the trace ends with %d, %g, %s", r.Evaluations, float64(r.Best.F), r.Stop.Reason, end.Evals, float64(end.Best), end.Stop)
		}
		c.note(dir+": result", err)
		if err == nil {
			c.note(dir+": best point", checkBest(dir, r))
		}
	}
	names, err := (&store{dir: filepath.Join(dir, "checkpoint")}).list()
	if err != nil {
		c.note(dir+": checkpoints", err)
	}
	for _, name := range names {
		c.checkpoint(filepath.Join(dir, "checkpoint", name))
	}
}

// checkTrace reads every line strictly and returns the last one if it is the
// end; nil: the run is not finished.
func checkTrace(path string) (*endLine, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var end *endLine
	var last sampleLine
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 16<<20)
	n := 0
	for lines.Scan() {
		n++
		bad := func(format string, args ...any) (*endLine, error) {
			return nil, fmt.Errorf("%s:%d:1: error: %s", path, n, fmt.Sprintf(format, args...))
		}
		var kind struct {
			Type string `json:"type"`
			V    int    `json:"v"`
		}
		if err := json.Unmarshal(lines.Bytes(), &kind); err != nil {
			return bad("%v", err)
		}
		var line any
		var sample sampleLine
		switch kind.Type {
		case "start":
			line = &startLine{}
		case "sample":
			line = &sample
		case "event":
			line = &eventLine{}
		case "end":
			end = &endLine{}
			line = end
		default:
			return bad("type %.40q is none of start, sample, event and end", kind.Type)
		}
		d := json.NewDecoder(strings.NewReader(lines.Text()))
		d.DisallowUnknownFields()
		if err := d.Decode(line); err != nil {
			return bad("%v", err)
		}
		switch {
		case kind.V != 1:
			return bad("version %d, which this clopt does not know", kind.V)
		case (n == 1) != (kind.Type == "start"):
			return bad("a line %s here; start comes first, and once", kind.Type)
		case end != nil && kind.Type != "end":
			return bad("a line %s behind the end", kind.Type)
		case kind.Type == "sample" && (sample.Evals < last.Evals || sample.Step < last.Step || sample.NonFinite < last.NonFinite):
			return bad("step %d with %d evaluations behind step %d with %d", sample.Step, sample.Evals, last.Step, last.Evals)
		}
		if kind.Type == "sample" {
			last = sample
		}
	}
	if lines.Err() != nil {
		return nil, lines.Err()
	}
	if n == 0 {
		return nil, errors.New("is empty")
	}
	return end, nil
}

// maxRevalued bounds the variables of a point that check evaluates.
const maxRevalued = 1e6

// checkBest compares the best point with its hash and its value.
func checkBest(dir string, r *resultJSON) error {
	if r.Best.XFile == nil {
		return nil
	}
	name := *r.Best.XFile
	if filepath.Base(name) != name {
		return fmt.Errorf("x_file %.60q is not in the folder", name)
	}
	f, err := os.Open(filepath.Join(dir, name))
	if err != nil {
		return err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return err
	}
	if r.Best.XSHA256 == nil || hex.EncodeToString(h.Sum(nil)) != *r.Best.XSHA256 {
		return fmt.Errorf("%s is not the file of the result: its SHA-256 is another", name)
	}
	if r.Dim > maxRevalued || r.Data == "official" || strings.Contains(r.Problem, ".cl") {
		return nil // the point's data are elsewhere
	}
	p, err := catalog.Parse(r.Problem, problems.Options{})
	if err != nil {
		return err
	}
	host, ok := p.(problems.Referenced)
	if !ok {
		return nil
	}
	x, err := input.ReadPoints(filepath.Join(dir, name), r.Dim)
	if err != nil {
		return err
	}
	v, err := problems.Eval(host, x.X[0])
	if err != nil {
		return err
	}
	if v *= p.Info().Sign(); v != float64(r.Best.FHost) {
		return fmt.Errorf("its value is %.17g, and the result says %.17g", v, float64(r.Best.FHost))
	}
	return nil
}

// checkpoint checks a checkpoint: manifest, hashes, and every block of every
// section.
func (c *checker) checkpoint(dir string) {
	before := c.bad
	c.note(dir, checkCheckpoint(dir))
	c.damage += c.bad - before
}

func checkCheckpoint(dir string) error {
	m, err := readManifest(dir)
	if err != nil {
		return err
	}
	if err := m.verify(dir); err != nil {
		return err
	}
	saved := &saved{name: filepath.Base(dir), dir: dir, manifest: m}
	if err := saved.readHost(); err != nil {
		return err
	}
	if l := saved.loop.Last; l.Step != m.Step || l.Evaluations != m.Evaluations {
		return fmt.Errorf("step %d with %d evaluations; the manifest says %d and %d", l.Step, l.Evaluations, m.Step, m.Evaluations)
	}
	if _, err := methods.New(m.Identity.Solver, nil); err != nil {
		return err
	}
	for _, f := range m.Files {
		if err := checkSections(f, dir); err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	return nil
}

func checkSections(mf manifestFile, dir string) error {
	f, file, err := mf.open(dir)
	if err != nil {
		return err
	}
	defer file.Close()
	buf := make([]byte, 1<<20)
	for _, name := range f.Names() {
		s, err := f.Section(name)
		if err != nil {
			return err
		}
		for at := int64(0); at < s.Size(); at += int64(len(buf)) {
			if _, err := s.ReadAt(buf[:min(int64(len(buf)), s.Size()-at)], at); err != nil {
				return err
			}
		}
	}
	return nil
}
