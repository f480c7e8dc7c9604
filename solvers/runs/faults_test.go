package runs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/clopt/clopt/internal/solvers/runs/checkpoints"
	"github.com/clopt/clopt/internal/solvers/runs/disk"
	"github.com/clopt/clopt/internal/solvers/runs/record"
	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/test/battery"
)

// hostState is the state of a run that keeps everything on the host.
type hostState struct{ Values []uint32 }

// keep writes a checkpoint with the given step, whose state is made of the step, and first a line of the trace.
func keep(f *folder, tr *trace, step int64, size int) error {
	tr.write(record.Sample(solvers.Sample{Step: step}, 1, nil, true))
	if err := errors.Join(tr.err, tr.f.Sync()); err != nil {
		return err
	}
	m := checkpoints.Manifest{ToolVersion: ToolVersion,
		Identity: checkpoints.Identity{Solver: "random", Seed: 1}, Step: step, Evaluations: step, Trace: tr.sum()}
	host := hostState{make([]uint32, size)}
	for i := range host.Values {
		host.Values[i] = uint32(step)
	}
	at := solvers.Progress{Last: solvers.Sample{Step: step, Evaluations: step}}
	_, _, err := (&checkpoints.Store{Dir: f.Folder, Keep: 2, Bad: map[string]bool{}}).Write(m,
		&solvers.State{Host: &host}, at, checkpoints.Position{})
	return err
}

// stepOf returns the step of the newest checkpoint in a folder, 0 if there is none. It fails if the checkpoint is not
// one that keep wrote.
func stepOf(dir string) (int64, error) {
	f, err := openFolder(dir)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	c, err := f.newest(checkpoints.Identity{Solver: "random", Seed: 1}, &logger{})
	if err != nil || c == nil {
		return 0, err
	}
	var host hostState
	if _, err := load(c, f, &solvers.State{Host: &host}); err != nil {
		return 0, err
	}
	for _, v := range host.Values {
		if int64(v) != c.Loop.Last.Step || len(host.Values) == 0 {
			return 0, fmt.Errorf("step %d has the state of step %d", c.Loop.Last.Step, v)
		}
	}
	return c.Loop.Last.Step, nil
}

// TestR7BitFlips flips every bit of a checkpoint of 4 KiB, of its manifest, of a result and of a trace, one after the
// other. Each flip is found.
func TestR7BitFlips(t *testing.T) {
	count, dir := battery.Begin(t), t.TempDir()
	f, err := openFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	tr, err := openTrace(f)
	if err == nil {
		err = keep(f, tr, 7, 400)
	}
	if err == nil {
		err = WriteResult(dir,
			&record.Result{Task: record.Task{Problem: "cec2013/f1:n=1000", Sense: record.Minimize}})
	}
	if err != nil {
		t.Fatal(err)
	}
	tr.close()
	at := "checkpoint/000001"
	step := 1
	if testing.Short() {
		step = 61
	}
	for name, check := range map[string]func() error{
		at + "/host.ck":       func() error { _, err := f.verify(at); return err },
		at + "/manifest.json": func() error { _, err := f.verify(at); return err },
		"result.json":         func() error { _, err := ReadResult(dir); return err },
		"trace.jsonl": func() error {
			c, err := checkpoints.Read(f.Folder, path.Base(at))
			return errors.Join(err, checkpoints.CheckTrace(f.Folder, c.Manifest.Trace))
		},
	} {
		path := filepath.Join(dir, name)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := check(); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		file, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		put := func(at int, b byte) {
			if _, err := file.WriteAt([]byte{b}, int64(at)); err != nil {
				t.Fatal(err)
			}
		}
		for bit := 0; bit < 8*len(text); bit += step {
			put(bit/8, text[bit/8]^1<<(bit%8))
			count.Check(check() != nil, "%s: a flip of bit %d of byte %d is not found", name, bit%8, bit/8)
			put(bit/8, text[bit/8])
		}
		file.Close()
	}
	if size := must(os.Stat(filepath.Join(dir, at, "host.ck"))).Size(); size < 3500 || size > 4608 {
		t.Errorf("a checkpoint of %d bytes", size)
	}
}

// A pruned checkpoint whose files cannot be removed is not half a checkpoint.
func TestPruneFails(t *testing.T) {
	dir := t.TempDir()
	f, err := openFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	tr, err := openTrace(f)
	if err != nil {
		t.Fatal(err)
	}
	defer tr.close()
	f.Disk = &stubborn{f.Disk}
	for step := range int64(5) {
		if err := keep(f, tr, step+1, 10); err != nil {
			t.Fatal(err)
		}
	}
	names, err := checkpoints.List(f.Folder)
	if err != nil || !slices.Equal(names, []string{"000005", "000004"}) {
		t.Fatalf("%v, %v", names, err)
	}
	for _, name := range names {
		if _, err := f.verify(path.Join(checkpoints.Name, name)); err != nil {
			t.Error(err)
		}
	}
}

// stubborn does not remove the files of shards and hosts.
type stubborn struct{ disk.Disk }

func (d *stubborn) Remove(name string) error {
	if strings.HasSuffix(name, "host.ck") {
		return &fs.PathError{Op: "remove", Path: name, Err: fs.ErrPermission}
	}
	return d.Disk.Remove(name)
}

// A checkpoint lists its own number of shards, each once.
func TestWrongShards(t *testing.T) {
	dir := t.TempDir()
	f, err := openFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	tr, err := openTrace(f)
	if err == nil {
		err = keep(f, tr, 1, 10)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer tr.close()
	at := "checkpoint/000001"
	c, err := checkpoints.Read(f.Folder, path.Base(at))
	if err != nil {
		t.Fatal(err)
	}
	m := c.Manifest
	host := m.Files[0]
	one := checkpoints.File{Name: "shard-000.ck", Bytes: host.Bytes, SHA256: host.SHA256}
	os.WriteFile(filepath.Join(dir, at, one.Name), must(os.ReadFile(filepath.Join(dir, at, "host.ck"))), 0o666)
	for _, files := range [][]checkpoints.File{{host, one}, {host, one, one}, {one}, {one, host}, {}, {host, host}} {
		m.Files = files
		os.WriteFile(filepath.Join(dir, at, "manifest.json"), must(disk.Sealed(m, &m.Check)), 0o666)
		if _, err := f.verify(at); err == nil {
			t.Errorf("%v: no error", files)
		}
	}
	m.Files = []checkpoints.File{host}
	os.WriteFile(filepath.Join(dir, at, "manifest.json"), must(disk.Sealed(m, &m.Check)), 0o666)
	if _, err := f.verify(at); err != nil {
		t.Error(err)
	}
}
