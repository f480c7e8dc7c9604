package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/checkpoint"
)

// A run folder's checkpoints are checkpoint/000001 and so on, each with
// host.ck, a file per shard, and manifest.json. One is written under a
// temporary name, and has its own only once every byte of it is on the disk.

// progress is what the command must remember of a run: where its trace
// stands, and which samples of the grid were there already.
type progress struct {
	Trace    int64 // bytes of trace.jsonl
	Written  bool  // the latest sample is in it
	Grid     gridState
	Resumed  int // how often
	Official int // check-points of the problem still to come
}

const (
	loopSection     = "loop"
	progressSection = "progress"
)

// store is the folder of a run's checkpoints.
type store struct {
	dir    string
	keep   int
	bad    map[string]bool // found damaged; the first ones to go
	create func(path string) (storeFile, error)
}

type storeFile interface {
	io.WriteCloser
	Sync() error
}

// createFile makes a file on the disk.
func createFile(path string) (storeFile, error) {
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
}

// newStore is the checkpoints of the run in dir.
func (j *job) newStore(dir string) *store {
	return &store{dir: filepath.Join(dir, "checkpoint"), keep: j.settings.keep, bad: map[string]bool{}, create: j.app.create}
}

var storedName = regexp.MustCompile(`^\d{6,}$`)

// list returns the names of the checkpoints, the newest first.
func (s *store) list() ([]string, error) {
	entries, err := os.ReadDir(s.dir)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if storedName.MatchString(e.Name()) && len(e.Name()) < 19 {
			names = append(names, e.Name())
		}
	}
	slices.SortFunc(names, func(a, b string) int { return number64(b) - number64(a) })
	return names, nil
}

func number64(name string) int { n, _ := strconv.Atoi(name); return n }

// hashed is a file that is written and hashed at once.
type hashed struct {
	f    storeFile
	h    hash.Hash
	n    int64
	done func(n int64, sum string)
}

func (f *hashed) Write(b []byte) (int, error) {
	n, err := f.f.Write(b)
	f.h.Write(b[:n])
	f.n += int64(n)
	return n, err
}

// Close puts the file on the disk.
func (f *hashed) Close() error {
	err := errors.Join(f.f.Sync(), f.f.Close())
	if err == nil {
		f.done(f.n, hex.EncodeToString(f.h.Sum(nil)))
	}
	return err
}

// write stores a checkpoint and returns its name and size. An error leaves
// the older ones as they were.
func (s *store) write(m manifest, st *solvers.State, at solvers.Progress, p progress) (name string, bytes int64, err error) {
	if err := os.MkdirAll(s.dir, 0o777); err != nil {
		return "", 0, err
	}
	names, err := s.list()
	if err != nil {
		return "", 0, err
	}
	next := 1
	if len(names) > 0 {
		next = number64(names[0]) + 1
	}
	name = fmt.Sprintf("%06d", next)
	tmp := filepath.Join(s.dir, ".tmp-"+name)
	if err := os.RemoveAll(tmp); err != nil {
		return "", 0, err
	}
	if err := os.Mkdir(tmp, 0o777); err != nil {
		return "", 0, err
	}
	defer func() {
		if err != nil {
			os.RemoveAll(tmp)
		}
	}()
	m.Files = make([]manifestFile, 1, 1+len(st.Shards))
	if len(st.Vectors) > 0 {
		m.Files = m.Files[:1+len(st.Shards)]
	}
	var mu sync.Mutex
	create := func(i int, name string) (io.WriteCloser, error) {
		f, err := s.create(filepath.Join(tmp, name))
		if err != nil {
			return nil, err
		}
		return &hashed{f: f, h: sha256.New(), done: func(n int64, sum string) {
			mu.Lock()
			defer mu.Unlock()
			m.Files[i] = manifestFile{name, n, sum}
			bytes += n
		}}, nil
	}
	host, err := create(0, hostName)
	if err != nil {
		return "", 0, err
	}
	if err = errors.Join(writeHost(host, st, &at, &p), host.Close()); err != nil {
		return "", 0, err
	}
	if err = st.SaveShards(func(i int) (io.WriteCloser, error) { return create(1+i, fmt.Sprintf("shard-%03d.ck", i)) }); err != nil {
		return "", 0, err
	}
	text, err := m.text()
	if err != nil {
		return "", 0, err
	}
	f, err := s.create(filepath.Join(tmp, "manifest.json"))
	if err != nil {
		return "", 0, err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return "", 0, err
	}
	if err = errors.Join(syncFolder(tmp), os.Rename(tmp, filepath.Join(s.dir, name)), syncFolder(s.dir)); err != nil {
		return "", 0, err
	}
	s.prune(append([]string{name}, names...))
	return name, bytes, nil
}

func writeHost(w io.Writer, st *solvers.State, at *solvers.Progress, p *progress) error {
	f := checkpoint.NewWriter(w)
	if err := st.SaveHost(f); err != nil {
		return err
	}
	for _, s := range []struct {
		name string
		v    any
	}{{loopSection, at}, {progressSection, p}} {
		b := checkpoint.Encode(s.v)
		if err := f.Section(s.name, int64(len(b))); err != nil {
			return err
		}
		if _, err := f.Write(b); err != nil {
			return err
		}
	}
	return f.Close()
}

// prune removes what is beyond the number to keep, damaged ones and half ones
// first. A checkpoint that cannot be removed does no harm.
func (s *store) prune(names []string) {
	kept := 0
	for _, name := range names {
		if kept < s.keep && !s.bad[name] {
			kept++
			continue
		}
		os.RemoveAll(filepath.Join(s.dir, name))
	}
	s.sweep()
}

// sweep removes what a killed writer left.
func (s *store) sweep() {
	left, _ := filepath.Glob(filepath.Join(s.dir, ".tmp-*"))
	for _, dir := range left {
		os.RemoveAll(dir)
	}
}

// saved is a checkpoint that was found good.
type saved struct {
	name, dir string
	manifest  *manifest
	loop      solvers.Progress
	progress  progress
}

// newest finds the newest good checkpoint of a run that is want, and tells
// why newer ones are not used. A folder without any gives nil.
func (s *store) newest(want identity, tell func(format string, args ...any)) (*saved, error) {
	names, err := s.list()
	if err != nil {
		return nil, fail(exitCheckpoint, "checkpoints: %w", err)
	}
	var why []error
	for _, name := range names {
		dir := filepath.Join(s.dir, name)
		m, err := readManifest(dir)
		if err == nil {
			if d := m.Identity.difference(want); d != "" {
				return nil, fail(exitCheckpoint, "%s is of another run: %s. Resume with what it was made with, or start anew with clopt run.", dir, d)
			}
			err = m.verify(dir)
		}
		c := &saved{name: name, dir: dir, manifest: m}
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
		return nil, fail(exitCheckpoint, "%s: no checkpoint is good: %w. Start anew with clopt run.", s.dir, why[0])
	}
	return nil, nil
}

// readHost reads what the loop and the command remember.
func (c *saved) readHost() error {
	f, file, err := c.manifest.Files[0].open(c.dir)
	if err != nil {
		return err
	}
	defer file.Close()
	for name, v := range map[string]any{loopSection: &c.loop, progressSection: &c.progress} {
		s, err := f.Section(name)
		if err != nil {
			return err
		}
		b, err := s.ReadAll()
		if err != nil {
			return err
		}
		if err := checkpoint.Decode(b, v); err != nil {
			return fmt.Errorf("%s: section %q: %w", hostName, name, err)
		}
	}
	return nil
}

// load gives a started run the state of the checkpoint.
func (c *saved) load(st *solvers.State) (solvers.Progress, error) {
	fail := func(err error) (solvers.Progress, error) { return c.loop, fail(exitCheckpoint, "%s: %w", c.dir, err) }
	var files []*checkpoint.File
	for i, mf := range c.manifest.Files {
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
	if err := st.LoadShards(files); err != nil {
		if code := exitCode(err); code != exitInternal && code != exitCheckpoint {
			return c.loop, err // a device's error
		}
		return fail(err)
	}
	return c.loop, nil
}

// age is the time since a checkpoint as a status line shows it.
func age(d time.Duration) string {
	return fmt.Sprintf("ckpt %d:%02d ago", int(d.Minutes()), int(d.Seconds())%60)
}
