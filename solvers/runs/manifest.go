package runs

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"

	"github.com/clopt/clopt/solvers/checkpoint"
)

// manifest is manifest.json of a checkpoint, written last: whose it is, where
// it stands, and its files. Check is the SHA-256 of the manifest without it.
type manifest struct {
	Format        string         `json:"format"`
	FormatVersion int            `json:"format_version"`
	ToolVersion   string         `json:"tool_version"`
	Time          string         `json:"time"`
	Identity      identity       `json:"identity"`
	Kinds         []string       `json:"kinds"` // of the devices so far
	Step          int64          `json:"step"`
	Evaluations   int64          `json:"evaluations"`
	Files         []manifestFile `json:"files"` // the host's, then the shards'
	Check         string         `json:"check"`
}

type manifestFile struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// text is the manifest as it stands in its file, with the check.
func (m manifest) text() ([]byte, error) {
	m.Check = ""
	b, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(b)
	m.Check = hex.EncodeToString(sum[:])
	b, err = json.MarshalIndent(m, "", "  ")
	return append(b, '\n'), err
}

// maxManifest is the largest that is read: thousands of files.
const maxManifest = 4 << 20

var shardName = regexp.MustCompile(`^shard-\d{3,6}\.ck$`)

const hostName = "host.ck"

// readManifest reads a manifest and compares it with its check. It has one
// form only, so that no byte of it may differ.
func readManifest(dir string) (*manifest, error) {
	path := filepath.Join(dir, "manifest.json")
	info, err := os.Lstat(path)
	if err != nil {
		return nil, errors.New("manifest.json is missing")
	}
	if !info.Mode().IsRegular() || info.Size() > maxManifest {
		return nil, errors.New("manifest.json is no manifest")
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var m manifest
	if err := json.Unmarshal(b, &m); err != nil {
		return nil, fmt.Errorf("manifest.json is damaged: %v", err)
	}
	if m.Format != "clopt-checkpoint" || m.FormatVersion != checkpoint.Version {
		return nil, fmt.Errorf("manifest.json has format %.40q, version %d; this clopt reads clopt-checkpoint, version %d",
			m.Format, m.FormatVersion, checkpoint.Version)
	}
	if again, err := m.text(); err != nil || !bytes.Equal(again, b) {
		return nil, errors.New("manifest.json is damaged: it does not agree with its check")
	}
	for i, f := range m.Files {
		if (i > 0 || f.Name != hostName) && !shardName.MatchString(f.Name) {
			return nil, fmt.Errorf("manifest.json names a file %.40q", f.Name)
		}
	}
	if len(m.Files) == 0 || m.Files[0].Name != hostName {
		return nil, errors.New("manifest.json names no " + hostName)
	}
	return &m, nil
}

// verify compares all files with the manifest, whole.
func (m *manifest) verify(dir string) error {
	for _, f := range m.Files {
		if err := f.verify(dir); err != nil {
			return fmt.Errorf("%s %w", f.Name, err)
		}
	}
	return nil
}

func (f manifestFile) verify(dir string) error {
	path := filepath.Join(dir, f.Name)
	info, err := os.Lstat(path)
	if err != nil {
		return errors.New("is missing")
	}
	if !info.Mode().IsRegular() || info.Size() != f.Bytes {
		return fmt.Errorf("has %d bytes instead of %d", info.Size(), f.Bytes)
	}
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	h := sha256.New()
	if _, err := io.CopyBuffer(struct{ io.Writer }{h}, file, make([]byte, 1<<20)); err != nil {
		return fmt.Errorf("cannot be read: %w", err)
	}
	if hex.EncodeToString(h.Sum(nil)) != f.SHA256 {
		return errors.New("is damaged: its SHA-256 is another")
	}
	return nil
}

// open opens a file of the checkpoint.
func (f manifestFile) open(dir string) (*checkpoint.File, io.Closer, error) {
	file, err := os.Open(filepath.Join(dir, f.Name))
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
