package clopt

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/shard/trial/child"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/problems/opencl"
	"github.com/clopt/clopt/solvers"
)

// tryLimit is the processor time of a trial.
const tryLimit = 30 * time.Second

// try evaluates the text of an objective on a device once, in a process of the command that opt names.
func (o Objective) try(ctx context.Context, p problems.Problem, device cl.Info, opt Options) error {
	if _, builtIn := p.(problems.Referenced); builtIn || opt.TryWith == "" {
		return nil
	}
	spec, source := p.Spec(), problems.SourceOf(p)
	switch {
	case o.text != nil:
		dir, err := os.MkdirTemp("", "clopt-try-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		path, err := o.text.write(dir, o.opt.Dim)
		if err != nil {
			return err
		}
		written, err := catalog.Parse(path, o.opt)
		if err != nil {
			return err
		}
		spec, source = written.Spec(), "text"
	case spec.Family != problems.OpenCL || spec.Name == "":
		return solvers.Settingf("Options.TryWith is %s, and %s was made in Go, so that no other process can try it; "+
			"use Source or File, or leave TryWith empty", opt.TryWith, spec)
	}
	_, err := child.Trial{Program: opt.TryWith, Spec: spec.String(), Source: source, Precision: opt.Precision,
		Device: device, Limit: tryLimit}.Run(ctx)
	return err
}

// inMemory is a text with the files that it names.
type inMemory struct {
	main  string
	files fs.FS // nil: it names none
}

// write writes the text and the files that it names to a folder, and returns the path of the text.
func (m inMemory) write(dir string, dim int) (path string, err error) {
	var files fs.FS
	if m.files != nil {
		files = copying{m.files, dir}
	}
	if _, err := opencl.Parse(strings.NewReader(m.main), files, dim); err != nil {
		return "", err
	}
	f, err := os.CreateTemp(dir, "text*.cl")
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(m.main)
	return f.Name(), errors.Join(err, f.Close())
}

// copying copies files to a folder when they are opened.
type copying struct {
	from fs.FS
	dir  string
}

// Open copies a file and opens it.
func (c copying) Open(name string) (fs.File, error) {
	f, err := c.from.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	path := filepath.Join(c.dir, filepath.FromSlash(name))
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	to, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, err
	}
	if _, err = io.Copy(to, f); err == nil {
		_, err = to.Seek(0, io.SeekStart)
	}
	if err != nil {
		to.Close()
		return nil, err
	}
	return to, nil
}
