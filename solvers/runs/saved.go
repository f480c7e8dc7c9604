package runs

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/checkpoint"
	"github.com/clopt/clopt/solvers/runs/disk"
)

// Saved is a checkpoint that has been verified.
type Saved struct {
	Name     string
	Manifest *manifest
	Loop     solvers.Progress
	progress progress
	newer    map[string]bool // damaged checkpoints
}

// newest returns the newest good checkpoint of a run folder, whose identity must be want. It warns the observer of
// damaged newer ones. If there is no checkpoint, it returns nil.
func (f *folder) newest(want identity, observer Observer) (*Saved, error) {
	names, err := f.checkpoints()
	if err != nil {
		return nil, fmt.Errorf("checkpoints: %w", err)
	}
	var why []error
	bad := map[string]bool{}
	for _, name := range names {
		c, err := f.saved(name)
		if c != nil {
			if d := c.Manifest.Identity.difference(want); d != "" {
				return nil, fault(Foreign, "%s belongs to another run: %s",
					filepath.Join(f.Path, CheckpointsName, name), d)
			}
		}
		if err != nil {
			bad[name] = true
			why = append(why, fmt.Errorf("checkpoint %s cannot be used: %w", name, err))
			continue
		}
		for _, w := range why {
			say(observer, Warning, "%v. Checkpoint %s is used instead.", w, name)
		}
		c.newer = bad
		return c, f.checkPrefix(c.Manifest.Trace)
	}
	if why != nil {
		return nil, fault(Damage, "%s: no checkpoint is good: %w", filepath.Join(f.Path, CheckpointsName), why[0])
	}
	return nil, nil
}

// saved reads and verifies a checkpoint. If its manifest is good, it returns the checkpoint, also with an error.
func (f *folder) saved(name string) (*Saved, error) {
	at := path.Join(CheckpointsName, name)
	m, err := readManifest(f, at)
	if err != nil {
		return nil, err
	}
	c := &Saved{Name: name, Manifest: m}
	if err := m.verify(f, at); err != nil {
		return c, err
	}
	return c, c.readHost(f, at)
}

// checkPrefix returns an error unless the trace begins with the bytes that it had when a checkpoint was written. If the
// trace was removed, this is no error: the run goes on without the samples that it had.
func (f *folder) checkPrefix(want manifestFile) error {
	file, size, err := f.Open(TraceName)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	defer file.Close()
	if size >= want.Bytes {
		if sum, err := disk.SumOf(file, want.Bytes); err != nil || sum == want.SHA256 {
			return err
		}
	}
	return fault(Input, "%s does not begin as it did when the checkpoint was written. Restore it, or remove it to go "+
		"on without its samples", filepath.Join(f.Path, TraceName))
}

// readHost reads the progress of the loop and of the files of the run.
func (c *Saved) readHost(dir *folder, at string) error {
	f, file, err := c.Manifest.Files[0].open(dir, at)
	if err != nil {
		return err
	}
	defer file.Close()
	for name, v := range map[string]any{loopSection: &c.Loop, progressSection: &c.progress} {
		b, err := f.ReadSection(name)
		if err != nil {
			return err
		}
		if err := checkpoint.Decode(b, v); err != nil {
			return fmt.Errorf("%s: section %q: %w", hostName, name, err)
		}
	}
	if n := len(c.Manifest.Files) - 1; n != c.progress.Shards {
		return fmt.Errorf("manifest.json lists %d shards, and %s has %d", n, hostName, c.progress.Shards)
	}
	return nil
}

// load restores the state of the checkpoint in a started run.
func (c *Saved) load(dir *folder, st *solvers.State) (solvers.Progress, error) {
	at := path.Join(CheckpointsName, c.Name)
	fail := func(err error) (solvers.Progress, error) {
		return c.Loop, fault(Damage, "%s: %w", filepath.Join(dir.Path, CheckpointsName, c.Name), err)
	}
	var files []*checkpoint.File
	for i, mf := range c.Manifest.Files {
		f, file, err := mf.open(dir, at)
		if err != nil {
			return fail(err)
		}
		defer file.Close()
		if i > 0 {
			files = append(files, f)
		} else if err := st.LoadHost(f); err != nil {
			return fail(err)
		}
	}
	if err := st.LoadPieces(files); err != nil {
		if _, device := errors.AsType[*cl.MemoryError](err); device || errors.Is(err, context.Canceled) {
			return c.Loop, err // the checkpoint is good
		}
		return fail(err)
	}
	return c.Loop, nil
}
