package flags

import (
	"path/filepath"

	"github.com/clopt/clopt/problems/catalog"
)

// isOutside reports whether there is a file or folder at path that does not lie in dir or below, also through symbolic
// links.
func isOutside(dir, path string) bool {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return false // there is nothing to read
	}
	base, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return true
	}
	real, err = filepath.Abs(real)
	if err != nil {
		return true
	}
	base, err = filepath.Abs(base)
	if err != nil {
		return true
	}
	rel, err := filepath.Rel(base, real)
	return err != nil || !filepath.IsLocal(rel)
}

// CheckProblem complains if the problem of a run file in the folder dir is unknown, or if CheckInside does. v has the
// place of the key "problem".
func (s *Settings) CheckProblem(dir, problem string, v Value) error {
	if _, err := catalog.Spec(problem); err != nil {
		s.Config.Complain("problem", v, "%v", err)
	}
	return s.CheckInside(dir, problem, v)
}

// CheckInside complains if a run file or suite in the folder dir names a problem whose file is not below dir, unless
// --allow-outside is given.
func (s *Settings) CheckInside(dir, problem string, v Value) error {
	spec, err := catalog.Spec(problem)
	if err == nil && spec.File && !s.AllowOutside && isOutside(dir, spec.Name) {
		s.Config.refuseOutside("problem", spec.Name, v)
	}
	return s.Config.Err()
}

func (c *Config) refuseOutside(key, path string, v Value) {
	c.Complain(key, v, "%s is not below the folder of this file. Add --allow-outside to read it.", path)
}

// checkPaths complains about files outside of the folder of the run file that names them.
func (c *Config) checkPaths(keys ...string) {
	for _, key := range keys {
		if v := c.Values[key]; v.dir != "" && c.Text(key) != "" && isOutside(v.dir, c.Path(key)) {
			c.refuseOutside(key, c.Path(key), v)
		}
	}
}
