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

// manifest is manifest.json, the last file of a checkpoint to be written. It has the identity of the run, the step of
// the checkpoint, and the list of its files.
type manifest struct {
	Format        string         `json:"format"`
	FormatVersion int            `json:"format_version"`
	ToolVersion   string         `json:"tool_version"`
	Time          string         `json:"time"`
	Identity      identity       `json:"identity"`
	Kinds         []string       `json:"kinds"` // of all devices that have worked on the run
	Step          int64          `json:"step"`
	Evaluations   int64          `json:"evaluations"`
	Files         []manifestFile `json:"files"` // first that of the host, then those of the shards
	Check         string         `json:"check"` // SHA-256 of the manifest in which Check is ""
}

type manifestFile struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// text returns the text of the file, with Check.
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

// maxManifest is the largest size of a manifest in bytes. It has room for thousands of files.
const maxManifest = 4 << 20

var shardName = regexp.MustCompile(`^shard-\d{3,6}\.ck$`)

const hostName = "host.ck"

// readManifest reads a manifest and verifies its Check. Every byte must be as text writes it.
func readManifest(dir string) (*manifest, error) {
	path := filepath.Join(dir, "manifest.json")
	info, err := os.Lstat(path)
	if err != nil {
		return nil, errors.New("manifest.json is missing")
	}
	if !info.Mode().IsRegular() || info.Size() > maxManifest {
		return nil, errors.New("manifest.json is not a regular file, or is too large")
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
		return nil, fmt.Errorf("manifest.json has format %.40q, version %d; "+
			"this clopt reads clopt-checkpoint, version %d", m.Format, m.FormatVersion, checkpoint.Version)
	}
	if again, err := m.text(); err != nil || !bytes.Equal(again, b) {
		return nil, errors.New("manifest.json is damaged: it does not agree with its check")
	}
	for i, f := range m.Files {
		if (i > 0 || f.Name != hostName) && !shardName.MatchString(f.Name) {
			return nil, fmt.Errorf("manifest.json lists an unknown file %.40q", f.Name)
		}
	}
	if len(m.Files) == 0 || m.Files[0].Name != hostName {
		return nil, errors.New("manifest.json does not list " + hostName)
	}
	return &m, nil
}

// verify compares the size and the hash of every file with the manifest.
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
	sum, err := hashFile(path)
	if err != nil {
		return fmt.Errorf("cannot be read: %w", err)
	}
	if sum != f.SHA256 {
		return errors.New("is damaged: its SHA-256 differs")
	}
	return nil
}

// hashFile returns the SHA-256 of a file.
func hashFile(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	h := sha256.New()
	_, err = io.Copy(h, file)
	return hex.EncodeToString(h.Sum(nil)), err
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
