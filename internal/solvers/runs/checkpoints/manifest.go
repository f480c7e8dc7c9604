package checkpoints

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"runtime"
	"sync"

	"github.com/clopt/clopt/internal/solvers/checkpoint"
	"github.com/clopt/clopt/internal/solvers/runs/disk"
)

// Manifest is manifest.json, the last file of a checkpoint to be written. It has the identity of the run, the step of
// the checkpoint, and the list of its files.
type Manifest struct {
	Format        string   `json:"format"`
	FormatVersion int      `json:"format_version"`
	ToolVersion   string   `json:"tool_version"`
	Time          string   `json:"time"`
	Identity      Identity `json:"identity"`
	Kinds         []string `json:"kinds"`          // of all devices that have worked on the run
	Lost          int      `json:"lost,omitempty"` // devices that have failed
	Step          int64    `json:"step"`
	Evaluations   int64    `json:"evaluations"`
	Files         []File   `json:"files"` // first that of the host, then those of the shards
	Trace         File     `json:"trace"` // of the run: its first bytes, which were written before the checkpoint
	Check         string   `json:"check"` // SHA-256 of the manifest in which Check is ""
}

// File is a file of a checkpoint, or the beginning of the trace.
type File struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// maxManifest is the largest size of a manifest in bytes. It has room for thousands of files.
const maxManifest = 4 << 20

const (
	hostName     = "host.ck"
	manifestName = "manifest.json"
	format       = "clopt-checkpoint"
)

// shardName returns the name of the file of shard i.
func shardName(i int) string { return fmt.Sprintf("shard-%03d.ck", i) }

// readManifest reads the manifest of the checkpoint in the folder at and compares it with its Check.
func readManifest(dir *disk.Folder, at string) (*Manifest, error) {
	b, err := dir.Read(path.Join(at, manifestName), maxManifest)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errors.New("manifest.json is missing")
	} else if err != nil {
		return nil, err
	}
	var m Manifest
	if err := json.Unmarshal(b, &m); err != nil {
		return nil, fmt.Errorf("manifest.json is damaged: %v", err)
	}
	if m.Format != format || m.FormatVersion != checkpoint.Version {
		return nil, fmt.Errorf("manifest.json has format %.40q, version %d, of clopt %.20q; "+
			"this clopt reads clopt-checkpoint, version %d", m.Format, m.FormatVersion, m.ToolVersion,
			checkpoint.Version)
	}
	if err := disk.CheckSeal(b, m.Check); err != nil {
		return nil, fmt.Errorf("manifest.json %w", err)
	}
	for i, f := range m.Files {
		if want := shardName(i - 1); i == 0 && f.Name != hostName || i > 0 && f.Name != want {
			return nil, fmt.Errorf("manifest.json lists %.40q as file %d", f.Name, i)
		}
	}
	if len(m.Files) == 0 {
		return nil, errors.New("manifest.json lists no files")
	}
	return &m, nil
}

// verify compares the size and the hash of every file of the checkpoint in the folder at with the manifest.
func (m *Manifest) verify(dir *disk.Folder, at string) error {
	wrong := make([]error, len(m.Files))
	busy := make(chan struct{}, runtime.GOMAXPROCS(0)) // hashing takes longer than reading
	var wg sync.WaitGroup
	for i, f := range m.Files {
		busy <- struct{}{}
		wg.Go(func() {
			if err := f.verify(dir, at); err != nil {
				wrong[i] = fmt.Errorf("%s %w", f.Name, err)
			}
			<-busy
		})
	}
	wg.Wait()
	return cmp.Or(wrong...)
}

func (f File) verify(dir *disk.Folder, at string) error {
	name := path.Join(at, f.Name)
	info, err := dir.Lstat(name)
	if err != nil {
		return errors.New("is missing")
	}
	if !info.Mode().IsRegular() || info.Size() != f.Bytes {
		return fmt.Errorf("has %d bytes instead of %d", info.Size(), f.Bytes)
	}
	sum, err := dir.Sum(name)
	if err != nil {
		return fmt.Errorf("cannot be read: %w", err)
	}
	if sum != f.SHA256 {
		return errors.New("is damaged: its SHA-256 differs")
	}
	return nil
}

// open opens a file of the checkpoint in the folder at.
func (f File) open(dir *disk.Folder, at string) (*checkpoint.File, io.Closer, error) {
	file, _, err := dir.Open(path.Join(at, f.Name))
	if err != nil {
		return nil, nil, err
	}
	ck, err := checkpoint.Open(file, f.Bytes)
	if err != nil {
		file.Close()
		return nil, nil, fmt.Errorf("%s: %w", f.Name, err)
	}
	return ck, file, nil
}
