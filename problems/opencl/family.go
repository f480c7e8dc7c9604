package opencl

import (
	"strings"

	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/input"
)

// Family is objectives in files: any file that no other family owns.
var Family = problems.Family{
	Name: problems.OpenCL, Title: "an objective in OpenCL C", Files: true, Parse: parse,
	Owns: func(string) bool { return true },
	Describe: func(string) (string, error) {
		return "FILE.cl  an objective in OpenCL C\n", nil
	},
}

func parse(s problems.Spec, _ string) (problems.Problem, error) {
	if !s.File || strings.HasPrefix(s.Name, "sha256=") {
		return nil, input.Errorf("", 0, 0, "%s is a text in memory, which no file holds; give FILE.cl", s)
	}
	n, err := s.Dim()
	if err != nil {
		return nil, err
	}
	o, err := ParseObjective(s.Name, n)
	if err != nil {
		return nil, err
	}
	return o, nil
}
