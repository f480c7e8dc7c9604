package ioh

import (
	"fmt"
	"io"
	"os"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/cmd/clopt/internal/report"
	"github.com/clopt/clopt/solvers/runs"
)

// Export writes a new tree for IOHanalyzer.
func Export(stderr io.Writer, results []report.Record, dir string) error {
	if err := os.RemoveAll(dir + ".new"); err != nil {
		return exit.Failf(exit.Output, "%w", err)
	}
	made, short, err := write(dir+".new", results)
	if err != nil {
		return err
	}
	if short > 0 {
		fmt.Fprintf(stderr, "! %d runs of one evaluation are left out; the format needs two rows.\n", short)
	}
	if made == 0 {
		return exit.Usagef("there is no run to convert")
	}
	// Ours alone is replaced: whatever else has this name stays.
	if runs.Exists(dir) && !runs.Exists(dir+"/"+iohMark) {
		return exit.Usagef("%s exists and was not written by clopt export. Choose another --out.", dir)
	}
	if err := os.WriteFile(dir+".new/"+iohMark, []byte("written by clopt export --format ioh\n"), 0o666); err != nil {
		return exit.Failf(exit.Output, "%w", err)
	}
	if err := os.RemoveAll(dir); err != nil {
		return exit.Failf(exit.Output, "%w", err)
	}
	if err := os.Rename(dir+".new", dir); err != nil {
		return exit.Failf(exit.Output, "%w", err)
	}
	fmt.Fprintf(stderr, "%s: %d runs for IOHanalyzer\n", dir, made)
	return nil
}

// iohMark is a file that says whose a tree is; the readers look at .json alone.
const iohMark = "clopt.txt"
