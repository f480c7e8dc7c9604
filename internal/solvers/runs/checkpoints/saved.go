package checkpoints

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/solvers/checkpoint"
	"github.com/clopt/clopt/internal/solvers/runs/disk"
	"github.com/clopt/clopt/solvers"
)

// Saved is a checkpoint that has been verified.
type Saved struct {
	Name     string
	Manifest *Manifest
	Loop     solvers.Progress
	Position Position
	Newer    map[string]bool // damaged checkpoints
}

// Newest returns the newest good checkpoint of a run folder, whose identity must be want, and why newer ones cannot be
// used. If there is no checkpoint, it returns nil. An error from which the run cannot go on is Unusable.
func Newest(f *disk.Folder, want Identity) (_ *Saved, skipped []error, err error) {
	names, err := List(f)
	if err != nil {
		return nil, nil, fmt.Errorf("checkpoints: %w", err)
	}
	bad := map[string]bool{}
	for _, name := range names {
		c, err := verified(f, name)
		if c != nil {
			if d := c.Manifest.Identity.Difference(want); d != "" {
				return nil, nil, unusable(Foreign, "%s belongs to another run: %s",
					filepath.Join(f.Path, Name, name), d)
			}
		}
		if err != nil {
			bad[name] = true
			skipped = append(skipped, fmt.Errorf("checkpoint %s cannot be used: %w", name, err))
			continue
		}
		c.Newer = bad
		return c, skipped, CheckTrace(f, c.Manifest.Trace)
	}
	if skipped != nil {
		return nil, nil, unusable(Damaged, "%s: no checkpoint is good: %w", filepath.Join(f.Path, Name), skipped[0])
	}
	return nil, nil, nil
}

// Read reads a checkpoint whose files have been verified.
func Read(f *disk.Folder, name string) (*Saved, error) {
	at := path.Join(Name, name)
	m, err := readManifest(f, at)
	if err != nil {
		return nil, err
	}
	c := &Saved{Name: name, Manifest: m}
	return c, c.readHost(f, at)
}

// verified reads and verifies a checkpoint. If its manifest is good, it returns the checkpoint, also with an error.
func verified(f *disk.Folder, name string) (*Saved, error) {
	at := path.Join(Name, name)
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

// CheckTrace returns an error unless the trace begins with the bytes that it had when a checkpoint was written. If the
// trace was removed, this is no error: the run goes on without the samples that it had.
func CheckTrace(f *disk.Folder, want File) error {
	file, size, err := f.Open(want.Name)
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
	return unusable(Trace, "%s does not begin as it did when the checkpoint was written. Restore it, or remove it to "+
		"go on without its samples", filepath.Join(f.Path, want.Name))
}

// readHost reads the progress of the loop and of the files of the run.
func (c *Saved) readHost(dir *disk.Folder, at string) error {
	f, file, err := c.Manifest.Files[0].open(dir, at)
	if err != nil {
		return err
	}
	defer file.Close()
	for name, v := range map[string]any{loopSection: &c.Loop, progressSection: &c.Position} {
		b, err := f.ReadSection(name)
		if err != nil {
			return err
		}
		if err := checkpoint.Decode(b, v); err != nil {
			return fmt.Errorf("%s: section %q: %w", hostName, name, err)
		}
	}
	if n := len(c.Manifest.Files) - 1; n != c.Position.Shards {
		return fmt.Errorf("manifest.json lists %d shards, and %s has %d", n, hostName, c.Position.Shards)
	}
	return nil
}

// Load restores the state of the checkpoint in a started run. If it cannot be read, the error is Unusable.
func (c *Saved) Load(dir *disk.Folder, st *solvers.State) (solvers.Progress, error) {
	at := path.Join(Name, c.Name)
	fail := func(err error) (solvers.Progress, error) {
		return c.Loop, unusable(Damaged, "%s: %w", filepath.Join(dir.Path, Name, c.Name), err)
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
