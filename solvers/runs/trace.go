package runs

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"hash"
	"io"
	"io/fs"
	"os"

	"github.com/clopt/clopt/internal/solvers/runs/checkpoints"
	"github.com/clopt/clopt/internal/solvers/runs/disk"
	"github.com/clopt/clopt/internal/solvers/runs/record"
)

// TraceName is the file of a run folder with the samples and events of the run, one a line.
const TraceName = "trace.jsonl"

// trace appends lines to trace.jsonl. After the first error it writes nothing more and keeps the error, because the run
// must not end for its trace.
type trace struct {
	f     disk.File
	size  int64 // bytes
	hash  hash.Hash
	err   error
	queue []any // lines that are written after truncate, while a run is resumed
	ready bool  // lines are written at once
}

// openTrace creates the trace of a new run.
func openTrace(dir *folder) (*trace, error) {
	f, err := dir.OpenFile(TraceName, os.O_RDWR|os.O_CREATE|os.O_EXCL|os.O_APPEND)
	if err != nil {
		return nil, fault(Output, "trace: %w", err)
	}
	return &trace{f: f, hash: sha256.New(), ready: true}, nil
}

// reopenTrace opens the trace of a run that is resumed. The file does not change before truncate.
func reopenTrace(dir *folder) (*trace, error) {
	f, err := dir.OpenFile(TraceName, os.O_RDWR|os.O_CREATE|os.O_APPEND)
	if err != nil {
		return nil, fault(Output, "trace: %w", err)
	}
	return &trace{f: f, hash: sha256.New()}, nil
}

// truncate truncates the file to size bytes, and writes the queued lines after them. If the file is shorter, it returns
// the number of missing bytes.
func (t *trace) truncate(size int64) (missing int64) {
	info, err := t.f.Stat()
	if err == nil {
		missing = max(size-info.Size(), 0)
		t.size = size - missing
		t.hash.Reset()
		_, err = io.Copy(t.hash, io.NewSectionReader(t.f, 0, t.size))
	}
	if err == nil {
		err = t.f.Truncate(t.size)
	}
	t.err, t.ready = err, true
	for _, line := range t.queue {
		t.write(line)
	}
	t.queue = nil
	return missing
}

// firstProblem returns the problem of the trace in a folder, as its first line names it, or else the given one. A run
// that is resumed reads its files from inputs/, but its problem is that of the first start.
func (f *folder) firstProblem(problem string) string {
	file, _, err := f.Open(TraceName)
	if err != nil {
		return problem
	}
	defer file.Close()
	var start record.StartLine
	line, err := bufio.NewReader(io.LimitReader(file, 1<<20)).ReadBytes('\n')
	if err == nil && json.Unmarshal(line, &start) == nil && start.Type == "start" && start.Problem != "" {
		return start.Problem
	}
	return problem
}

// sum returns the size and the SHA-256 of what was written.
func (t *trace) sum() checkpoints.File {
	return checkpoints.File{Name: TraceName, Bytes: t.size, SHA256: hex.EncodeToString(t.hash.Sum(nil))}
}

func (t *trace) write(line any) {
	if !t.ready {
		t.queue = append(t.queue, line)
		return
	}
	if t.err == nil {
		t.err = record.WriteLine(t, line)
	}
}

// Write appends to the file.
func (t *trace) Write(b []byte) (int, error) {
	n, err := t.f.Write(b)
	t.hash.Write(b[:n])
	t.size += int64(n)
	return n, err
}

// find notes an error if the file is no longer in its folder: somebody has removed it, or put another one in its place.
func (t *trace) find(dir *folder) {
	if t.err != nil {
		return
	}
	own, err := t.f.Stat()
	there, e := dir.Lstat(TraceName)
	if err = errors.Join(err, e); errors.Is(err, fs.ErrNotExist) || err == nil && !os.SameFile(own, there) {
		err = errors.New("the file was removed during the run, or another one was put in its place")
	}
	t.err = err
}

// close closes the file and returns the first error of the trace.
func (t *trace) close() error {
	if err := t.f.Close(); t.err == nil {
		t.err = err
	}
	if t.err != nil {
		return fault(Output, "trace: %w", t.err)
	}
	return nil
}
