package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/clopt/clopt/cmd/clopt/internal/campaign"
	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/cmd/clopt/internal/job"
	"github.com/clopt/clopt/solvers/runs"
	"github.com/clopt/clopt/solvers/runs/recipe"
)

func checkCommand(call *job.Call) *cobra.Command {
	return &cobra.Command{
		Use:   "check RUN|CHECKPOINT|FILE...",
		Short: "Validate run folders, checkpoints, run files and suite files",
		Long: "Validate what runs leave: a run folder (recipe, trace, result, best point, checkpoints), one checkpoint, a folder of\n" +
			"these, a run file or a suite file. Nothing is run on a device; a best point of at most a million variables is\n" +
			"evaluated by the host. Exit 2 if something is wrong, 7 if that is a checkpoint alone.",
		Args: flags.SomeArgs("name what to check: run folders, checkpoints, run files or suite files"),
		RunE: func(_ *cobra.Command, args []string) error { return runCheck(call, args) },
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

func runCheck(call *job.Call, args []string) error {
	c := &checker{w: call.Stdout}
	for _, arg := range args {
		if err := c.any(arg); err != nil {
			return err
		}
	}
	switch {
	case c.bad == 0:
		return nil
	case c.bad == c.damage:
		return exit.Failf(exit.Checkpoint, "%d checkpoints are damaged", c.bad)
	}
	return exit.Usagef("%d checks failed", c.bad)
}

// any finds out what a path is, by its content.
func (c *checker) any(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return exit.Usagef("%w", err)
	}
	if !info.IsDir() {
		return c.file(path)
	}
	if runs.IsCheckpoint(path) {
		c.checked(runs.Checked{Path: path, Part: runs.PartCheckpoint, Err: runs.VerifyCheckpoint(path)})
		return nil
	}
	if runs.Exists(filepath.Join(path, "trace.jsonl")) {
		runs.Verify(path, checkRecipe, c.checked)
		return nil
	}
	// A batch, a campaign, or a folder of them.
	entries, err := os.ReadDir(path)
	if err != nil {
		return exit.Usagef("%w", err)
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
		return exit.Usagef("%s holds neither a run nor a checkpoint", path)
	}
	return nil
}

// file checks a run file or a suite file.
func (c *checker) file(path string) error {
	if strings.HasSuffix(path, ".cl") {
		return exit.Usagef("%s: checking objectives is not yet in this version. clopt run and clopt eval try one before they use it.", path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return exit.Usagef("%w", err)
	}
	if campaign.IsSuite(text) {
		_, err = campaign.Open(path)
		c.note(path+": suite file", err)
		return nil
	}
	if _, ok := recipe.Find(path); !ok {
		return exit.Usagef("%s is neither a run file nor a suite file", path)
	}
	c.note(path+": run file", checkRecipe(path))
	return nil
}

// checkRecipe reads a run file as a run would.
func checkRecipe(path string) error {
	f, err := flags.ReadRunFile(path)
	if err != nil {
		return err
	}
	_, err = flags.NewSettings(flags.New(flags.RunOptions, (&cobra.Command{}).Flags(), func(string) string { return "" },
		f))
	return err
}

// checked notes a part of a run folder.
func (c *checker) checked(it runs.Checked) {
	before := c.bad
	switch it.Part {
	case runs.Unfinished:
		fmt.Fprintf(c.w, "        %s: unfinished\n", it.Path)
	case runs.PartCheckpoint:
		c.note(it.Path, it.Err)
		c.damage += c.bad - before
	default:
		c.note(it.Path+": "+string(it.Part), it.Err)
	}
}
