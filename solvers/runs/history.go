package runs

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"time"
)

// History is the course of a run: Best[i] is the best value after X[i] evaluations, work or seconds.
type History struct{ X, Best []float64 }

// History reads the samples on the grid from the trace of the run, whose SHA-256 must be that of the result. by says
// what X counts: "work", "time", or else evaluations. The error is a Fault.
func (r *Result) History(by string) (h History, err error) {
	dir, err := openFolder(r.Folder)
	if err != nil {
		return h, err
	}
	defer dir.Close()
	sum, err := dir.eachLine(func(n int, line []byte) error {
		var s SampleLine
		if err := json.Unmarshal(line, &s); err != nil {
			return lineError(dir, n, err)
		}
		if s.Type != "sample" || s.Grid != nil {
			return nil
		}
		x := float64(s.Evals)
		switch by {
		case "work":
			x = float64(s.Work)
		case "time":
			x = float64(s.T)
		}
		h.X, h.Best = append(h.X, x), append(h.Best, float64(s.Best))
		return nil
	})
	if err == nil {
		err = r.checkTrace(sum)
	}
	if err != nil {
		return History{}, fault(Input, "%w", err)
	}
	return h, nil
}

// Timeline reads when the run began, and its events, from the trace of the run. After a run was resumed, began is the
// time of its first start, while the seconds of events count the time that it ran. The error is a Fault.
func (r *Result) Timeline() (began time.Time, events []EventLine, err error) {
	dir, err := openFolder(r.Folder)
	if err != nil {
		return began, nil, err
	}
	defer dir.Close()
	_, err = dir.eachLine(func(n int, line []byte) error {
		var l struct {
			Type string    `json:"type"`
			Time time.Time `json:"time"`
		}
		err := json.Unmarshal(line, &l)
		switch l.Type {
		case "start":
			began = l.Time
		case "event":
			var e EventLine
			err = json.Unmarshal(line, &e)
			events = append(events, e)
		}
		if err != nil {
			return lineError(dir, n, err)
		}
		return nil
	})
	if err != nil {
		return began, nil, fault(Input, "%w", err)
	}
	return began, events, nil
}

// checkTrace compares the SHA-256 of the trace with that in the result.
func (r *Result) checkTrace(sum string) error {
	if r.TraceSHA256 != nil && *r.TraceSHA256 != sum {
		return fault(Input, "%s is not the file of the result: its SHA-256 differs", filepath.Join(r.Folder, traceName))
	}
	return nil
}

// maxLine is the largest length of a line of a trace in bytes. It has room for thousands of devices.
const maxLine = 1 << 20

// lineError returns the error of line n of a trace.
func lineError(dir *folder, n int, err error) error {
	return fault(Input, "%s:%d:1: error: %w", filepath.Join(dir.Path, traceName), n, err)
}

// eachLine calls f for each line of the trace with its number, from 1, until f returns an error. It returns the SHA-256
// of the file.
func (f *folder) eachLine(do func(n int, line []byte) error) (sum string, err error) {
	file, _, err := f.Open(traceName)
	if err != nil {
		return "", fault(Input, "%w", err)
	}
	defer file.Close()
	hash := sha256.New()
	lines := bufio.NewScanner(io.TeeReader(file, hash))
	lines.Buffer(nil, maxLine)
	n := 1
	for ; lines.Scan(); n++ {
		if err := do(n, lines.Bytes()); err != nil {
			return "", err
		}
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return "", lineError(f, n, fmt.Errorf("a line of more than %d bytes", maxLine))
	} else if err != nil {
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// At returns the best value at x: that of the last sample up to x, or NaN before the first one.
func (h History) At(x float64) float64 {
	i, ok := slices.BinarySearch(h.X, x)
	if !ok {
		i--
	}
	if i < 0 {
		return math.NaN()
	}
	return h.Best[i]
}
