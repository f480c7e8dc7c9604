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

	"github.com/clopt/clopt/internal/solvers/runs/disk"
	"github.com/clopt/clopt/internal/solvers/runs/record"
	"github.com/clopt/clopt/solvers/runs"
)

// Course is what the trace of a run says: when it began, its events, and its samples on the grid. Best[i] is the best
// value after Evaluations[i], Work[i] and Seconds[i].
type Course struct {
	// Began is the time of the first start. The seconds of samples and events count the time that the run ran, also
	// after it was resumed.
	Began                            time.Time
	Events                           []record.EventLine
	Evaluations, Work, Seconds, Best []float64
	Last                             float64 // value held after the last sample, see record.SampleLine; NaN: no sample
}

// History is the course of a run over one axis: Best[i] is the best value after X[i].
type History struct{ X, Best []float64 }

// Over returns the history of the run over "work" or "time", or else over its evaluations. It shares the memory of c.
func (c *Course) Over(axis string) History {
	switch axis {
	case "work":
		return History{c.Work, c.Best}
	case "time":
		return History{c.Seconds, c.Best}
	}
	return History{c.Evaluations, c.Best}
}

// ReadCourse reads the trace of the run, whose SHA-256 must be that of the result. The error is a runs.Fault.
func ReadCourse(r *record.Result) (*Course, error) {
	dir, err := openFolder(r.Folder)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	c := &Course{Last: math.NaN()}
	sum, err := eachLine(dir, func(n int, line []byte) error {
		if err := c.add(line); err != nil {
			return lineError(dir, n, err)
		}
		return nil
	})
	if err == nil {
		err = checkSum(r, sum)
	}
	if err != nil {
		return nil, wrong("%w", err)
	}
	return c, nil
}

// add adds a line of a trace.
func (c *Course) add(line []byte) error {
	var kind struct {
		Type string    `json:"type"`
		Time time.Time `json:"time"`
	}
	if err := json.Unmarshal(line, &kind); err != nil {
		return err
	}
	switch kind.Type {
	case "start":
		c.Began = kind.Time
	case "event":
		var e record.EventLine
		if err := json.Unmarshal(line, &e); err != nil {
			return err
		}
		c.Events = append(c.Events, e)
	case "sample":
		var s record.SampleLine
		if err := json.Unmarshal(line, &s); err != nil || s.Grid != nil {
			return err
		}
		c.Evaluations, c.Work = append(c.Evaluations, float64(s.Evals)), append(c.Work, float64(s.Work))
		c.Seconds, c.Best = append(c.Seconds, float64(s.T)), append(c.Best, float64(s.Best))
		c.Last = float64(s.F)
	}
	return nil
}

// checkSum compares the SHA-256 of the trace with that in the result.
func checkSum(r *record.Result, sum string) error {
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
