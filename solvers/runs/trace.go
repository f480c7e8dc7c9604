package runs

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// trace appends lines to trace.jsonl. It keeps the first error instead of
// ending the run: the result can still be stored.
type trace struct {
	f     *os.File
	size  int64 // bytes of whole lines
	err   error
	queue []any // before cut: lines of a run that is about to be resumed
	ready bool
}

func openTrace(dir string) (*trace, error) {
	f, err := os.OpenFile(filepath.Join(dir, "trace.jsonl"), os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o666)
	if err != nil {
		return nil, fault(Output, "trace: %w", err)
	}
	return &trace{f: f, ready: true}, nil
}

// reopenTrace opens the trace of a run that is to be resumed. It stays as it
// is until cut.
func reopenTrace(dir string) (*trace, error) {
	f, err := os.OpenFile(filepath.Join(dir, "trace.jsonl"), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return nil, fault(Output, "trace: %w", err)
	}
	return &trace{f: f}, nil
}

// cut takes away what was written after the first size bytes, and goes on
// from there. It returns how many of these bytes are missing.
func (t *trace) cut(size int64) (missing int64) {
	info, err := t.f.Stat()
	if err == nil {
		missing = max(size-info.Size(), 0)
		t.size = size - missing
		err = t.f.Truncate(t.size)
	}
	t.err, t.ready = err, true
	for _, line := range t.queue {
		t.write(line)
	}
	t.queue = nil
	return missing
}

func (t *trace) write(line any) {
	if !t.ready {
		t.queue = append(t.queue, line)
		return
	}
	if t.err == nil {
		c := counted{w: t.f}
		if t.err = WriteLine(&c, line); t.err == nil {
			t.size += c.n
		}
	}
}

// counted counts what is written.
type counted struct {
	w io.Writer
	n int64
}

func (c *counted) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}

func (t *trace) close() error {
	if err := t.f.Close(); t.err == nil {
		t.err = err
	}
	if t.err != nil {
		return fault(Output, "trace: %w", t.err)
	}
	return nil
}

// WriteLine writes one JSON value and a newline in a single write, so that a
// killed run leaves whole lines.
func WriteLine(w io.Writer, line any) error {
	b, err := json.Marshal(line)
	if err != nil {
		return fmt.Errorf("trace line: %w", err)
	}
	_, err = w.Write(append(b, '\n'))
	return err
}
