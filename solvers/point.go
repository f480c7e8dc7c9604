package solvers

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"math"
	"os"

	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
)

// pointPiece is the largest number of variables of a point that pass at a time between devices, ranks and files.
const pointPiece = 1 << 20

// readBest reads the best point of a run: to the file of the settings, or to the slice that it returns. Ranks that do
// not confirm the point return nil. All ranks call it.
func readBest(p problems.Problem, g *shard.Devices, s Settings, run Run) ([]float64, error) {
	n := p.Domain().N
	_, hosted := p.(problems.Referenced)
	switch {
	case hosted && g.Rank() > 0:
		return nil, eachPiece(run, n, func(int, []float64) error { return nil })
	case s.XFile != "" && g.Rank() == 0:
		return nil, writePoint(s.XFile, run, n)
	case !g.Shared():
		x := make([]float64, n)
		return x, run.Incumbent(0, x)
	}
	x := make([]float64, n)
	return x, eachPiece(run, n, func(first int, piece []float64) error { copy(x[first:], piece); return nil })
}

// fileOf returns the file in which readBest leaves a point on this rank, "" if it is in none.
func fileOf(g *shard.Devices, s Settings) string {
	if g.Rank() > 0 {
		return ""
	}
	return s.XFile
}

// eachPiece reads the best point of a run in pieces, and calls put for each of them in order. After an error of put it
// only reads on, as other ranks do.
func eachPiece(run Run, n int, put func(first int, piece []float64) error) (err error) {
	piece := make([]float64, min(n, pointPiece))
	for first := 0; first < n; first += len(piece) {
		piece = piece[:min(len(piece), n-first)]
		if e := run.Incumbent(first, piece); e != nil {
			return e
		}
		if err == nil {
			err = put(first, piece)
		}
	}
	return err
}

// writePoint writes the best point of a run to a .npy file, in the place of an older one.
func writePoint(path string, run Run, n int) error {
	next := path + ".new"
	os.Remove(next)
	f, err := os.OpenFile(next, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	out := bufio.NewWriterSize(f, 1<<20) // it keeps the first error for Flush
	npy := input.NewNpyWriter(out, n)
	e := eachPiece(run, n, func(_ int, piece []float64) error {
		for _, v := range piece {
			if err == nil {
				err = npy.Write(v)
			}
		}
		return err
	})
	if e != nil || f == nil {
		err = e
	} else if err = out.Flush(); err == nil {
		err = f.Sync()
	}
	if f != nil {
		if e := f.Close(); err == nil {
			err = e
		}
	}
	if err == nil {
		err = os.Rename(next, path)
	}
	if err != nil {
		os.Remove(next)
	}
	return err
}

// storedPoint is a point in a file that writePoint has written.
type storedPoint struct {
	*os.File
	data int64 // the offset of the first variable
}

func openPoint(path string, n int) (*storedPoint, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil {
		var head input.NpyArray
		if head, err = input.ReadNpyHeader(f, info.Size(), "f8"); err == nil && head.Count != n {
			err = fmt.Errorf("%s has %d variables; want %d", path, head.Count, n)
		}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return &storedPoint{f, info.Size() - 8*int64(n)}, nil
}

// window reads the variables [lo, hi).
func (s *storedPoint) window(lo, hi int) ([]float64, error) {
	b := make([]byte, 8*(hi-lo))
	if _, err := s.ReadAt(b, s.data+8*int64(lo)); err != nil {
		return nil, err
	}
	x := make([]float64, hi-lo)
	for i := range x {
		x[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return x, nil
}

// point returns the best point, and reads it if it is in a file.
func (r *Result) point(n int) ([]float64, error) {
	if r.XFile == "" {
		return r.X, nil
	}
	f, err := openPoint(r.XFile, n)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.window(0, n)
}

// eval returns the value of the best point by the host reference.
func (r *Result) eval(p problems.Referenced) (float64, error) {
	if r.XFile == "" {
		return problems.Eval(p, r.X)
	}
	f, err := openPoint(r.XFile, p.Domain().N)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	return problems.EvalWindows(p, f.window)
}
