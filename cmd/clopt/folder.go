package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/clopt/clopt/problems/input"
)

// maxLog is where the log is rotated, once.
const maxLog = 64 << 20

// checkWritable says whether a folder can be made under dir, without leaving
// anything behind: the deepest folder that exists is tried.
func checkWritable(dir string) error {
	at := filepath.Clean(dir)
	for {
		_, err := os.Lstat(at)
		if err == nil {
			break
		}
		up := filepath.Dir(at)
		if !errors.Is(err, fs.ErrNotExist) || up == at {
			return fail(exitOutput, "--out %s cannot be written: %w", dir, err)
		}
		at = up
	}
	probe, err := os.MkdirTemp(at, ".clopt-")
	if err != nil {
		return fail(exitOutput, "--out %s cannot be written: %w", dir, err)
	}
	return os.Remove(probe)
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

var unsafe = regexp.MustCompile(`[^a-z0-9._]+`)

// slug turns a text into the name of a folder: "rastrigin:n=1e8" into
// "rastrigin-n-1e8".
func slug(parts ...string) string {
	s := unsafe.ReplaceAllString(strings.ToLower(strings.Join(parts, "-")), "-")
	s = strings.Trim(s, "-.")
	if len(s) > 120 {
		s = strings.Trim(s[:120], "-.")
	}
	if s == "" {
		s = "run"
	}
	return s
}

// checkName says whether a name can be that of a run folder.
func checkName(s string) (string, error) {
	if s == "" || s == "." || s == ".." || strings.ContainsAny(s, "/\\\x00") || len(s) > 200 {
		return "", fmt.Errorf("%q is not the name of a folder; use letters, digits, dots and dashes", s)
	}
	return s, nil
}

// newFolder makes a folder that did not exist: NAME, else NAME.2, NAME.3 …
func newFolder(parent, name string) (string, error) {
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return "", fail(exitOutput, "run folder: %w", err)
	}
	for i := 1; ; i++ {
		dir := filepath.Join(parent, name)
		if i > 1 {
			dir += "." + strconv.Itoa(i)
		}
		err := os.Mkdir(dir, 0o777)
		if err == nil {
			return dir, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return "", fail(exitOutput, "run folder: %w", err)
		}
	}
}

// errLocked is tryLock's answer where another process has the lock.
var errLocked = errors.New("locked by another process")

// lock takes the lock file of a folder and returns what gives it back. The
// file says who has it; what decides is the system's lock on it, which ends
// with its process however that ends.
func lock(dir string) (func(), error) {
	path := filepath.Join(dir, "lock")
	for {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			return nil, fail(exitOutput, "lock: %w", err)
		}
		if err := tryLock(f); err != nil {
			owner, _ := io.ReadAll(io.LimitReader(f, 200))
			f.Close()
			if errors.Is(err, errLocked) {
				return nil, usagef("%s is in use by %s. Wait for that process, or end it.", dir, strings.Join(strings.Fields(string(owner)), " "))
			}
			return nil, fail(exitOutput, "lock: %s: %w", path, err)
		}
		// Its owner may have taken it away between the two calls.
		mine, err := f.Stat()
		there, err2 := os.Stat(path)
		if err != nil || err2 != nil || !os.SameFile(mine, there) {
			f.Close()
			continue
		}
		host, _ := os.Hostname()
		text := fmt.Sprintf("pid %d\nhost %s\n", os.Getpid(), host)
		if err := errors.Join(f.Truncate(0), second(f.WriteAt([]byte(text), 0))); err != nil {
			f.Close()
			return nil, fail(exitOutput, "lock: %w", err)
		}
		return func() { removeLocked(f) }, nil
	}
}

func second(_ int, err error) error { return err }

// writeWhole writes a file by a temporary name and a rename, so that it is
// there whole or not at all.
func writeWhole(path string, write func(io.Writer) error) (sum string, err error) {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-")
	if err != nil {
		return "", fail(exitOutput, "%w", err)
	}
	defer os.Remove(f.Name()) // fails after the rename, as it should
	hash := sha256.New()
	err = errors.Join(write(io.MultiWriter(f, hash)), f.Chmod(0o644), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return "", fail(exitOutput, "%s: %w", path, err)
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// writePoint stores the best point in the format of --x-format and returns
// the file's name, "" for none, and its SHA-256.
func writePoint(dir, format string, x []float64) (name, sum string, err error) {
	switch format {
	case "npy":
		name = "best.npy"
		sum, err = writeWhole(filepath.Join(dir, name), func(w io.Writer) error { return input.WriteNpy(w, x) })
	case "txt":
		name = "best.txt"
		sum, err = writeWhole(filepath.Join(dir, name), func(w io.Writer) error { return writeText(w, x) })
	}
	return name, sum, err
}

// writeText writes a point on one line, in digits that read back exactly.
func writeText(w io.Writer, x []float64) error {
	var b bytes.Buffer
	for i, v := range x {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.Write(strconv.AppendFloat(b.AvailableBuffer(), v, 'g', -1, 64))
		if b.Len() > 1<<16 {
			if _, err := b.WriteTo(w); err != nil {
				return err
			}
		}
	}
	b.WriteByte('\n')
	_, err := b.WriteTo(w)
	return err
}

// logFile is log.txt: what was said, also what was not shown. It starts anew
// once it is full, keeping the old one as log.1.txt.
type logFile struct {
	path string
	f    *os.File
	size int
}

func openLog(dir string) (*logFile, error) {
	l := &logFile{path: filepath.Join(dir, "log.txt")}
	f, err := os.OpenFile(l.path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, fail(exitOutput, "log: %w", err)
	}
	l.f = f
	return l, nil
}

// Write never fails: a run does not end for its log.
func (l *logFile) Write(b []byte) (int, error) {
	if l.size+len(b) > maxLog {
		l.f.Close()
		os.Rename(l.path, strings.TrimSuffix(l.path, ".txt")+".1.txt")
		if f, err := os.Create(l.path); err == nil {
			l.f, l.size = f, 0
		}
	}
	n, _ := l.f.Write(b)
	l.size += n
	return len(b), nil
}

func (l *logFile) Close() error { return l.f.Close() }
