package runs

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
)

// History is the course of a run: Best[i] is the best value after X[i] evaluations, work or seconds.
type History struct{ X, Best []float64 }

// ReadHistory reads the samples on the grid from the trace of a run. by says what X counts: "work", "time", or else
// evaluations.
func ReadHistory(dir, by string) (h History, err error) {
	path := filepath.Join(dir, "trace.jsonl")
	err = eachLine(path, func(n int, line []byte) error {
		var s SampleLine
		if err := json.Unmarshal(line, &s); err != nil {
			return fault(Input, "%s:%d:1: error: %v", path, n, err)
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
	return h, err
}

// eachLine calls f for each line of a trace with its number, from 1, until f returns an error.
func eachLine(path string, f func(n int, line []byte) error) error {
	file, err := os.Open(path)
	if err != nil {
		return fault(Input, "%w", err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 16<<20)
	for n := 1; lines.Scan(); n++ {
		if err := f(n, lines.Bytes()); err != nil {
			return err
		}
	}
	return lines.Err()
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
