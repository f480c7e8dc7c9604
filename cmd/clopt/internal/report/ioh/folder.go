package ioh

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/cmd/clopt/internal/report"
	"github.com/clopt/clopt/solvers/runs"
)

// iohMark is a file that marks a tree as written by clopt. The readers look only at .json.
const iohMark = "clopt.txt"

// Export writes a tree for IOHanalyzer as the new folder dir. With replace it replaces an older tree that clopt wrote;
// any other folder is an error.
func Export(stderr io.Writer, results []report.Record, dir string, replace bool) error {
	if replace {
		replace = runs.Exists(filepath.Join(dir, iohMark))
	}
	if !replace && runs.Exists(dir) {
		return exit.Failf(exit.Usage, "%s exists. Choose another --out, or remove it.", dir)
	}
	made, err := export(stderr, results, dir, replace)
	if err != nil {
		return exit.With(exit.Output, err)
	}
	fmt.Fprintf(stderr, "%s: %d runs for IOHanalyzer\n", dir, made)
	return nil
}

// export writes the tree under another name and renames it, so that dir is never incomplete. It returns the number of
// runs.
func export(stderr io.Writer, results []report.Record, dir string, replace bool) (made int, err error) {
	if err := os.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
		return 0, err
	}
	tmp, err := os.MkdirTemp(filepath.Dir(dir), ".ioh-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(tmp)
	whole, old := filepath.Join(tmp, "new"), filepath.Join(tmp, "old")
	made, short, err := write(whole, results)
	if err != nil {
		return 0, err
	}
	if short > 0 {
		fmt.Fprintf(stderr, "! %d runs of one evaluation are left out; the format needs two rows.\n", short)
	}
	if made == 0 {
		return 0, exit.Usagef("there are no runs to convert")
	}
	err = os.WriteFile(filepath.Join(whole, iohMark), []byte("written by clopt export --format ioh\n"), 0o666)
	if err == nil && replace {
		err = os.Rename(dir, old)
	}
	if err != nil {
		return 0, err
	}
	if err = os.Rename(whole, dir); err != nil && replace {
		err = errors.Join(err, os.Rename(old, dir))
	}
	return made, err
}
