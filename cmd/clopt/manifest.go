package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"

	"github.com/clopt/clopt/problems"
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

// identity is what a resumed run must have in common with the one that was
// cut.
type identity struct {
	Problem   string `json:"problem"`
	Source    string `json:"source,omitempty"` // SHA-256 of an objective's text
	Instance  string `json:"instance"`         // SHA-256 of the tables
	Solver    string `json:"solver"`
	Settings  string `json:"settings"`
	Seed      uint32 `json:"seed"`
	Run       uint32 `json:"run"`
	Precision string `json:"precision"`
}

// difference names the first thing in which two runs differ, "" if there is none.
func (a identity) difference(b identity) string {
	for _, f := range []struct{ name, a, b string }{
		{"problem", a.Problem, b.Problem},
		{"objective's text (SHA-256)", a.Source, b.Source},
		{"instance data (SHA-256)", a.Instance, b.Instance},
		{"solver", a.Solver, b.Solver},
		{"solver settings", a.Settings, b.Settings},
		{"seed", strconv.FormatUint(uint64(a.Seed), 10), strconv.FormatUint(uint64(b.Seed), 10)},
		{"run", strconv.FormatUint(uint64(a.Run), 10), strconv.FormatUint(uint64(b.Run), 10)},
		{"precision", a.Precision, b.Precision},
	} {
		if f.a != f.b {
			return fmt.Sprintf("the %s is %s, and was %s", f.name, f.b, f.a)
		}
	}
	return ""
}

// identify says what run r of a job is.
func (j *job) identify(r uint32) (identity, error) {
	s := j.settings
	if j.hashes == nil {
		text, err := j.problem.Text(s.precision, problems.Tile)
		if err != nil {
			return identity{}, err
		}
		j.hashes = &[2]string{sourceHash(text), tableHash(text)}
	}
	return identity{
		Problem: j.shortSpec(), Source: j.hashes[0], Instance: j.hashes[1], Solver: s.solver.Name(), Settings: s.solver.String(),
		Seed: s.seed, Run: r, Precision: s.precision.String(),
	}, nil
}

// shortSpec is the problem's text without the folder of an objective, which
// may have moved.
func (j *job) shortSpec() string {
	spec := j.problem.Spec()
	if spec.File {
		spec.Name = filepath.Base(spec.Name)
	}
	return spec.String()
}

func sourceHash(t problems.Text) string {
	if len(t.Sources) == 0 {
		return ""
	}
	h := sha256.New()
	for _, s := range t.Sources {
		hashText(h, s.Text)
	}
	return hex.EncodeToString(h.Sum(nil))
}

func tableHash(t problems.Text) string {
	h := sha256.New()
	for _, d := range t.Defines {
		hashText(h, d.Name+" "+d.Value)
	}
	var b []byte
	for _, table := range t.Tables {
		hashText(h, table.Name)
		for i := range max(len(table.Real), len(table.Uint)) {
			if table.Real != nil {
				b = binary.LittleEndian.AppendUint64(b, math.Float64bits(table.Real[i]))
			} else {
				b = binary.LittleEndian.AppendUint32(b, table.Uint[i])
			}
			if len(b) > 1<<16 {
				h.Write(b)
				b = b[:0]
			}
		}
		h.Write(b)
		b = b[:0]
	}
	return hex.EncodeToString(h.Sum(nil))
}

// hashText writes a text with its length, so that two texts are not one.
func hashText(h hash.Hash, s string) { fmt.Fprintf(h, "%d %s\n", len(s), s) }

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
		return nil, fmt.Errorf("manifest.json has format %.40q, version %d; this clopt reads clopt-checkpoint, version %d", m.Format, m.FormatVersion, checkpoint.Version)
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
