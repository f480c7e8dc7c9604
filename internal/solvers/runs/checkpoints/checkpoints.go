// Package checkpoints stores states of a run in its folder, and reads them.
//
//	checkpoint/000001 and so on   one checkpoint each:
//	   host.ck                    the state of the host, and where the loop and the files of the run were
//	   shard-000.ck and so on     the columns of each shard
//	   manifest.json              the identity of the run, and sizes and hashes of the files
//
// A checkpoint is written under a temporary name, and renamed when all of it is on the disk. Each rank writes the
// shards that it has. The format of the files is that of package checkpoint.
package checkpoints

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/clopt/clopt/internal/solvers/runs/disk"
	"github.com/clopt/clopt/internal/solvers/runs/grid"
)

// Name is the folder of the checkpoints in a run folder.
const Name = "checkpoint"

// Position says where the files of a run were when a checkpoint was written.
type Position struct {
	Written  bool // the latest sample is in the trace
	Grid     grid.State
	Resumed  int // how often the run was resumed
	Official int // milestones of the problem that are not reached yet
	Shards   int // files of shards
}

const (
	loopSection     = "loop"
	progressSection = "progress" // of a Position

	tmpPrefix = ".tmp-" // of the names of folders that are not whole
)

// Unusable is the error of a checkpoint from which a run cannot go on. It has the text of Err.
type Unusable struct {
	Why Reason
	Err error
}

// Reason says why a checkpoint is Unusable.
type Reason int

const (
	Damaged Reason = iota // it cannot be read
	Foreign               // it belongs to another run
	Trace                 // the trace does not begin as it did
)

func (u *Unusable) Error() string { return u.Err.Error() }
func (u *Unusable) Unwrap() error { return u.Err }

func unusable(why Reason, format string, args ...any) error {
	return &Unusable{why, fmt.Errorf(format, args...)}
}

var storedName = regexp.MustCompile(`^\d{6,}$`)

// Looks reports whether a folder looks like a checkpoint, good or damaged.
func Looks(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, manifestName))
	return err == nil || storedName.MatchString(filepath.Base(dir))
}

// List returns the names of the checkpoints in a run folder, the newest first.
func List(f *disk.Folder) ([]string, error) {
	entries, err := f.ReadDir(Name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if storedName.MatchString(e.Name()) && len(e.Name()) < 19 {
			names = append(names, e.Name())
		}
	}
	slices.SortFunc(names, func(a, b string) int { return numberOf(b) - numberOf(a) })
	return names, nil
}

func numberOf(name string) int { n, _ := strconv.Atoi(name); return n }

// Sweep removes the temporary folders of removed checkpoints and of killed processes.
func Sweep(f *disk.Folder) {
	entries, _ := f.ReadDir(Name)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), tmpPrefix) {
			f.RemoveAll(path.Join(Name, e.Name()))
		}
	}
}
