package runs

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/checkpoint"
)

// Saved is a checkpoint that has been verified.
type Saved struct {
	store     *store
	Name, dir string
	Manifest  *manifest
	Loop      solvers.Progress
	progress  progress
}

// newest returns the newest good checkpoint, whose identity must be want. It passes warnings about damaged newer ones
// to tell. If there is no checkpoint, it returns nil.
func (s *store) newest(want identity, tell func(format string, args ...any)) (*Saved, error) {
	names, err := s.list()
	if err != nil {
		return nil, fmt.Errorf("checkpoints: %w", err)
	}
	var why []error
	for _, name := range names {
		dir := filepath.Join(s.dir, name)
		m, err := readManifest(dir)
		if err == nil {
			if d := m.Identity.difference(want); d != "" {
				return nil, fault(Foreign, "%s belongs to another run: %s", dir, d)
			}
			err = m.verify(dir)
		}
		c := &Saved{store: s, Name: name, dir: dir, Manifest: m}
		if err == nil {
			err = c.readHost()
		}
		if err != nil {
			s.bad[name] = true
			why = append(why, fmt.Errorf("checkpoint %s cannot be used: %w", name, err))
			continue
		}
		for _, w := range why {
			tell("%v. Checkpoint %s is used instead.", w, name)
		}
		return c, nil
	}
	if why != nil {
		return nil, fault(Damage, "%s: no checkpoint is good: %w", s.dir, why[0])
	}
	return nil, nil
}

// readHost reads the progress of the loop and of the files of the run.
func (c *Saved) readHost() error {
	f, file, err := c.Manifest.Files[0].open(c.dir)
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
	return nil
}

// load restores the state of the checkpoint in a started run.
func (c *Saved) load(st *solvers.State) (solvers.Progress, error) {
	fail := func(err error) (solvers.Progress, error) {
		if _, device := errors.AsType[*cl.MemoryError](err); device || errors.Is(err, context.Canceled) {
			return c.Loop, err // the checkpoint is good
		}
		return c.Loop, fault(Damage, "%s: %w", c.dir, err)
	}
	var files []*checkpoint.File
	for i, mf := range c.Manifest.Files {
		f, file, err := mf.open(c.dir)
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
		return fail(err)
	}
	return c.Loop, nil
}
