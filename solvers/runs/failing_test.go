package runs_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/clopt/clopt/internal/solvers/runs/disk"
	"github.com/clopt/clopt/internal/solvers/runs/record"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/methods"
	"github.com/clopt/clopt/solvers/runs"
	"github.com/clopt/clopt/test/battery"
	"github.com/clopt/clopt/test/solvertest"
)

// failing fails operation number k, from 1, of a disk and of its files.
type failing struct {
	disk.Disk
	mu    sync.Mutex
	count int
	k     int
	name  string // of the operation that failed
}

func (d *failing) fail(op, name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.count++; d.count != d.k {
		return nil
	}
	d.name = op + " " + name
	return &fs.PathError{Op: op, Path: name, Err: syscall.EIO}
}

func (d *failing) OpenFile(name string, flag int) (disk.File, error) {
	if err := d.fail("open", name); err != nil {
		return nil, err
	}
	f, err := d.Disk.OpenFile(name, flag)
	if err != nil {
		return nil, err
	}
	return &failingFile{f, d, name}, nil
}

func (d *failing) Lstat(name string) (fs.FileInfo, error) {
	if err := d.fail("stat", name); err != nil {
		return nil, err
	}
	return d.Disk.Lstat(name)
}

func (d *failing) ReadDir(name string) ([]fs.DirEntry, error) {
	if err := d.fail("readdir", name); err != nil {
		return nil, err
	}
	return d.Disk.ReadDir(name)
}

func (d *failing) Mkdir(name string) error {
	return errors.Join(d.fail("mkdir", name), d.Disk.Mkdir(name))
}

func (d *failing) Rename(from, to string) error {
	if err := d.fail("rename", from); err != nil {
		return err
	}
	return d.Disk.Rename(from, to)
}

func (d *failing) Remove(name string) error {
	if err := d.fail("remove", name); err != nil {
		return err
	}
	return d.Disk.Remove(name)
}

func (d *failing) SyncFolder(name string) error {
	return errors.Join(d.fail("sync folder", name), d.Disk.SyncFolder(name))
}

type failingFile struct {
	disk.File
	d    *failing
	name string
}

// Write writes half of the bytes where it fails.
func (f *failingFile) Write(b []byte) (int, error) {
	if err := f.d.fail("write", f.name); err != nil {
		n, _ := f.File.Write(b[:len(b)/2])
		return n, err
	}
	return f.File.Write(b)
}

func (f *failingFile) WriteAt(b []byte, at int64) (int, error) {
	if err := f.d.fail("write", f.name); err != nil {
		return 0, err
	}
	return f.File.WriteAt(b, at)
}

func (f *failingFile) Read(b []byte) (int, error) {
	if err := f.d.fail("read", f.name); err != nil {
		return 0, err
	}
	return f.File.Read(b)
}

func (f *failingFile) Stat() (fs.FileInfo, error) {
	if err := f.d.fail("stat", f.name); err != nil {
		return nil, err
	}
	return f.File.Stat()
}

func (f *failingFile) Sync() error { return errors.Join(f.d.fail("sync", f.name), f.File.Sync()) }

func (f *failingFile) Truncate(n int64) error {
	return errors.Join(f.d.fail("truncate", f.name), f.File.Truncate(n))
}

func (f *failingFile) Close() error { return errors.Join(f.File.Close(), f.d.fail("close", f.name)) }

// TestR8FailingFiles fails each file operation of a short run in turn. The run ends with the same value, or with the
// error that output cannot be written. Its folder has no half-written files afterwards.
func TestR8FailingFiles(t *testing.T) {
	devices := solvertest.OpenFirst(t, 1, shard.Options{})
	problem := solvertest.ParseProblem(t, "classic/rastrigin:n=16")
	solver, err := methods.New("random", map[string]string{"batch": "50"})
	if err != nil {
		t.Fatal(err)
	}
	count, parent := battery.Begin(t), t.TempDir()
	var want *record.Result
	for k := 0; ; k++ {
		var d *failing
		run := runs.Run{
			Problem: problem, Solver: solver, Devices: devices, Precision: problems.FP64, Seed: 1,
			Budget: solvers.Budget{Evaluations: 150},
			Storage: runs.Storage{Format: "npy", Schedule: runs.Schedule{Every: time.Nanosecond},
				Disk: func(inner disk.Disk) disk.Disk {
					if d == nil {
						d = &failing{k: k}
					}
					d.Disk = inner
					return d
				}},
		}
		dir, err := runs.NewFolder(parent, "run")
		if err != nil {
			t.Fatal(err)
		}
		r, err := run.Make(context.Background(), dir, 0)
		if k > d.count {
			if k < 100 {
				t.Errorf("%d operations", k-1)
			}
			return
		}
		if k == 0 {
			if want = r; err != nil {
				t.Fatal(err)
			}
			continue
		}
		ok := true
		complain := func(format string, args ...any) {
			ok = false
			t.Errorf("operation %d, "+d.name+": "+format, append([]any{k}, args...)...)
		}
		if f, is := errors.AsType[*runs.Fault](err); err != nil && (!is || f.Kind != runs.Output) {
			complain("%v", err)
		}
		if err == nil && (r == nil || r.Best.F != want.Best.F || r.Evaluations != want.Evaluations) {
			complain("another result without an error: %+v", r)
		}
		if _, err := runs.ReadResult(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
			complain("%v", err)
		}
		names, _ := runs.Checkpoints(dir)
		for _, name := range names {
			if err := runs.VerifyCheckpoint(filepath.Join(dir, "checkpoint", name)); err != nil {
				complain("%s: %v", name, err)
			}
		}
		text, err := os.ReadFile(filepath.Join(dir, "trace.jsonl"))
		if err == nil && !strings.HasPrefix(d.name, "write") && len(text) > 0 && text[len(text)-1] != '\n' {
			complain("half a line in the trace")
		}
		count.Count(ok)
	}
}
