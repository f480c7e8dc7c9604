package runs

import (
	"errors"
	"fmt"
	"path"

	"github.com/clopt/clopt/internal/solvers/runs/checkpoints"
	"github.com/clopt/clopt/internal/solvers/runs/record"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/methods"
)

// Checkpoints returns the names of the checkpoints in a run folder, the newest first.
func Checkpoints(dir string) ([]string, error) {
	f, err := openFolder(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return checkpoints.List(f.Folder)
}

// newest returns the newest good checkpoint of a run folder, whose identity must be want. It warns the observer of
// damaged newer ones. If there is no checkpoint, it returns nil.
func (f *folder) newest(want checkpoints.Identity, observer Observer) (*checkpoints.Saved, error) {
	c, skipped, err := checkpoints.Newest(f.Folder, want)
	for _, why := range skipped {
		say(observer, Warning, "%v. Checkpoint %s is used instead.", why, c.Name)
	}
	return c, unusable(err)
}

// load restores the state of a checkpoint in a started run.
func load(c *checkpoints.Saved, dir *folder, st *solvers.State) (solvers.Progress, error) {
	at, err := c.Load(dir.Folder, st)
	return at, unusable(err)
}

// unusable returns the Fault for a checkpoint that is checkpoints.Unusable, and other errors unchanged.
func unusable(err error) error {
	u, ok := errors.AsType[*checkpoints.Unusable](err)
	if !ok {
		return err
	}
	kind := map[checkpoints.Reason]Kind{
		checkpoints.Damaged: Damage, checkpoints.Foreign: Foreign, checkpoints.Trace: Input,
	}[u.Why]
	return fault(kind, "%w", err)
}

// VerifyCheckpoint checks the checkpoint in the folder dir: its manifest, the hashes of its files, and every block of
// every section.
func VerifyCheckpoint(dir string) error {
	f, err := openFolder(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.verify(".")
	return err
}

// VerifyCheckpointOf checks the checkpoint with this name in the run folder dir, and whether it belongs to the run.
// start is the first line of its trace; if it is nil, only the checkpoint itself is checked.
func VerifyCheckpointOf(dir, name string, start *record.StartLine) error {
	f, err := openFolder(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	m, err := f.verify(path.Join(checkpoints.Name, name))
	if err != nil || start == nil {
		return err
	}
	if d := differs(m.Identity, start); d != "" {
		return fmt.Errorf("belongs to another run: %s", d)
	}
	return unusable(checkpoints.CheckTrace(f.Folder, m.Trace))
}

// verify checks the checkpoint in the folder at, and that its method is known.
func (f *folder) verify(at string) (*checkpoints.Manifest, error) {
	m, err := checkpoints.Verify(f.Folder, at)
	if err == nil {
		_, err = methods.New(m.Identity.Solver, nil)
	}
	return m, err
}
