package inspect

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

	"github.com/clopt/clopt/solvers/runs"
	"github.com/clopt/clopt/solvers/runs/disk"
)

// History is the course of a run: Best[i] is the best value after X[i] evaluations, work or seconds.
type History struct{ X, Best []float64 }

// ReadHistory reads the samples on the grid from the trace of the run, whose SHA-256 must be that of the result. by
// says what X counts: "work", "time", or else evaluations. The error is a runs.Fault.
func ReadHistory(r *runs.Result, by string) (h History, err error) {
	dir, err := openFolder(r.Folder)
	if err != nil {
		return h, err
	}
	defer dir.Close()
	sum, err := eachLine(dir, func(n int, line []byte) error {
		var s runs.SampleLine
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
		err = checkSum(r, sum)
	}
	if err != nil {
		return History{}, wrong("%w", err)
	}
	return h, nil
}

// Timeline reads when the run began, and its events, from the trace of the run. After a run was resumed, began is the
// time of its first start, while the seconds of events count the time that it ran. The error is a runs.Fault.
func Timeline(r *runs.Result) (began time.Time, events []runs.EventLine, err error) {
	dir, err := openFolder(r.Folder)
	if err != nil {
		return began, nil, err
	}
	defer dir.Close()
	_, err = eachLine(dir, func(n int, line []byte) error {
		var l struct {
			Type string    `json:"type"`
			Time time.Time `json:"time"`
		}
		err := json.Unmarshal(line, &l)
		switch l.Type {
		case "start":
			began = l.Time
		case "event":
			var e runs.EventLine
			err = json.Unmarshal(line, &e)
			events = append(events, e)
		}
		if err != nil {
			return lineError(dir, n, err)
		}
		return nil
	})
	if err != nil {
		return began, nil, wrong("%w", err)
	}
	return began, events, nil
}

// checkSum compares the SHA-256 of the trace with that in the result.
func checkSum(r *runs.Result, sum string) error {
	if r.TraceSHA256 != nil && *r.TraceSHA256 != sum {
		return wrong("%s is not the file of the result: its SHA-256 differs", filepath.Join(r.Folder, runs.TraceName))
	}
	return nil
}

// maxLine is the largest length of a line of a trace in bytes. It has room for thousands of devices.
const maxLine = 1 << 20

// lineError returns the error of line n of a trace.
func lineError(dir *disk.Folder, n int, err error) error {
	return wrong("%s:%d:1: error: %w", filepath.Join(dir.Path, runs.TraceName), n, err)
}

// eachLine calls do for each line of the trace with its number, from 1, until do returns an error. It returns the
// SHA-256 of the file.
func eachLine(f *disk.Folder, do func(n int, line []byte) error) (sum string, err error) {
	file, _, err := f.Open(runs.TraceName)
	if err != nil {
		return "", wrong("%w", err)
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
