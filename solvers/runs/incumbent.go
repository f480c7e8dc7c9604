package runs

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/internal/solvers/runs/record"
	"github.com/clopt/clopt/solvers"
)

// earlierName is the result of a run that was resumed, until it has ended again. Its point stays in its file.
const earlierName = "earlier.json"

// earlier returns the newest result of a run that is resumed, nil if there is none: that of its end, or, if it was
// resumed and killed since, that of the end before.
func (f *folder) earlier() (r *record.Result, err error) {
	for _, name := range []string{ResultName, earlierName} {
		if r, err = f.readResult(name); !errors.Is(err, fs.ErrNotExist) {
			return r, err
		}
	}
	return nil, nil
}

// setAside renames the result of a run that goes on.
func (f *folder) setAside() error {
	if err := f.Rename(ResultName, earlierName); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fault(Output, "%w", err)
	}
	return nil
}

// incumbent returns the best point in the folder of a run that is resumed, nil if there is none.
func (s *Session) incumbent() *solvers.Incumbent {
	r, err := s.dir.earlier()
	if err == nil && (r == nil || r.Best.XFile == nil || !r.Best.Confirmed) {
		return nil
	}
	var best *solvers.Incumbent
	if err == nil {
		best, err = s.pointOf(r)
	}
	if err != nil {
		s.say(Warning, "%v. The run goes on without the best point that was stored.", err)
	}
	return best
}

// pointOf returns the stored point of a result.
func (s *Session) pointOf(r *record.Result) (*solvers.Incumbent, error) {
	name := filepath.Base(*r.Best.XFile)
	path := filepath.Join(s.dir.Path, name)
	sum, err := s.dir.Sum(name)
	if err != nil {
		return nil, err
	}
	if r.Best.XSHA256 == nil || sum != *r.Best.XSHA256 {
		return nil, fmt.Errorf("%s is not the file of the result: its SHA-256 differs", path)
	}
	best := &solvers.Incumbent{F: r.Sense.Sign() * float64(r.Best.F)}
	if s.pointFile() != "" && name == npyName {
		best.XFile = path
		return best, nil
	}
	points, err := input.ReadPoints(path, s.run.Problem.Domain().N)
	if err != nil {
		return nil, err
	}
	best.X = points.X[0]
	return best, nil
}
