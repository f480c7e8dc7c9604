package runs

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

	"github.com/clopt/clopt/solvers"
	"github.com/clopt/clopt/solvers/checkpoint"
)

// The checkpoints of a run are in the folders checkpoint/000001 and so on. Each has host.ck, a file for each shard, and
// manifest.json. A checkpoint is written under a temporary name, and renamed when all of it is on the disk.

// progress is the state of the files of a run: the position in its trace, and in the grid.
type progress struct {
	Trace    int64 // bytes of trace.jsonl
	Written  bool  // the latest sample is in the trace
	Grid     gridState
	Resumed  int // how often the run was resumed
	Official int // milestones of the problem that are not reached yet
}

const (
	loopSection     = "loop"
	progressSection = "progress"
)

// store is the folder of a run's checkpoints.
type store struct {
	dir    string
	keep   int
	bad    map[string]bool // damaged checkpoints, which are removed first
	create func(path string) (File, error)
}

// File is a file of a checkpoint while it is written.
type File interface {
	io.WriteCloser
	Sync() error
}

// createFile creates a new file.
func createFile(path string) (File, error) {
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
}

// openStore returns the store of the run in dir. It keeps two checkpoints.
func openStore(dir string) *store {
	return &store{dir: filepath.Join(dir, "checkpoint"), keep: 2, bad: map[string]bool{}, create: createFile}
}

// Checkpoints returns the names of the checkpoints in a run folder, the newest first.
func Checkpoints(dir string) ([]string, error) { return openStore(dir).list() }

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

// any reports whether there is a checkpoint.
func (s *store) any() bool {
	names, err := s.list()
	return err == nil && len(names) > 0
}

func number64(name string) int { n, _ := strconv.Atoi(name); return n }

// hashed is a file that is hashed while it is written.
type hashed struct {
	f    File
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

// Close syncs and closes the file, and passes its size and hash to done.
func (f *hashed) Close() error {
	err := errors.Join(f.f.Sync(), f.f.Close())
	if err == nil {
		f.done(f.n, hex.EncodeToString(f.h.Sum(nil)))
	}
	return err
}

// write stores a checkpoint and returns its name and size. If it fails, the older checkpoints are unchanged.
func (s *store) write(m manifest, st *solvers.State, at solvers.Progress, p progress) (name string, bytes int64,
	err error) {
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
	m.Files = make([]manifestFile, 1, 1+st.Pieces)
	if len(st.Vectors) > 0 {
		m.Files = m.Files[:1+st.Pieces]
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
	piece := func(i int) (io.WriteCloser, error) { return create(1+i, fmt.Sprintf("shard-%03d.ck", i)) }
	if err = st.SavePieces(piece); err != nil {
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

// writeHost writes the file of the host: the state of the run, and the progress of the loop and of the files.
func writeHost(w io.Writer, st *solvers.State, at *solvers.Progress, p *progress) error {
	f := checkpoint.NewWriter(w)
	if err := st.SaveHost(f); err != nil {
		return err
	}
	if err := f.WriteSection(loopSection, checkpoint.Encode(at)); err != nil {
		return err
	}
	if err := f.WriteSection(progressSection, checkpoint.Encode(p)); err != nil {
		return err
	}
	return f.Close()
}

// prune removes damaged checkpoints, the oldest ones if there are more than are kept, and temporary folders. Errors are
// ignored, since a checkpoint that cannot be removed does no harm.
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

// sweep removes the temporary folders of killed processes.
func (s *store) sweep() {
	left, _ := filepath.Glob(filepath.Join(s.dir, ".tmp-*"))
	for _, dir := range left {
		os.RemoveAll(dir)
	}
}
