package main

import (
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/cmd/clopt/internal/job"
	"github.com/clopt/clopt/solvers/runs"
)

// newFiles are the files that a command makes, in the order in which they are written.
type newFiles []newFile

type newFile struct {
	name  string
	write func(io.Writer) error
}

// add adds a file, unless there is one of that name.
func (f *newFiles) add(name string, write func(io.Writer) error) {
	for _, other := range *f {
		if other.name == name {
			return
		}
	}
	*f = append(*f, newFile{name, write})
}

// names returns the names of the files.
func (f newFiles) names() (all []string) {
	for _, file := range f {
		all = append(all, file.name)
	}
	return all
}

// write writes the files, compressed where a name ends in .gz. Without force it writes none if one of them exists. A
// signal ends that; the file that is not complete is removed.
func (f newFiles) write(ctx context.Context, call *job.Call, force bool) error {
	for _, file := range f {
		if _, err := os.Lstat(file.name); err == nil && !force {
			return exit.Usagef("%s exists. Choose another name, or use --force.", file.name)
		}
	}
	call.Finishes(func() string { return "writing the files" })
	for _, file := range f {
		write := func(w io.Writer) error { return file.write(until{ctx, w}) }
		if strings.EqualFold(filepath.Ext(file.name), ".gz") {
			write = func(w io.Writer) error {
				z := gzip.NewWriter(w)
				return errors.Join(file.write(until{ctx, z}), z.Close())
			}
		}
		if _, err := runs.WriteWhole(file.name, write); err != nil {
			return err
		}
	}
	return nil
}

// until is a writer that fails once its context has ended.
type until struct {
	context.Context
	w io.Writer
}

func (u until) Write(b []byte) (int, error) {
	if u.Err() != nil {
		return 0, context.Cause(u)
	}
	return u.w.Write(b)
}

// content returns a function that writes a text.
func content(text []byte) func(io.Writer) error {
	return func(w io.Writer) error { _, err := w.Write(text); return err }
}
