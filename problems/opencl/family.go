package opencl

import (
	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/problems"
)

// hashKey is the key of the spec of a text in memory. Its value is the ContentHash.
const hashKey = "sha256"

// Family is objectives in files: any file that no other family owns.
var Family = problems.Family{
	Name: problems.OpenCL, Title: "an objective in OpenCL C", Files: true, Keys: []string{hashKey}, Parse: parse,
	Owns:     func(string) bool { return true },
	Describe: func(problems.Entry) string { return "FILE.cl  an objective in OpenCL C\n" },
}

func parse(s problems.Spec, _ string) (problems.Problem, error) {
	if _, memory := s.Get(hashKey); memory {
		return nil, input.Errorf("", 0, 0, "%s names a text that was in memory only; save the text as FILE.cl and "+
			"give that", s)
	}
	if !s.File {
		return nil, input.Errorf("", 0, 0, "%s names no file; give one, as in FILE.cl:n=100", s)
	}
	n, err := s.Dim()
	if err != nil {
		return nil, err
	}
	o, err := parseOpen(s.Name, n)
	if err != nil {
		return nil, err
	}
	return o, nil
}
