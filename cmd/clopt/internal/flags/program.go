package flags

import (
	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/internal/problems/command"
	"github.com/clopt/clopt/problems"
)

// readProgram reads the flags of a program that gives values; nil if there is none.
func readProgram(c *Config) *command.Options {
	opt := command.Options{
		Jobs:   int(Read(c, "jobs", ParseRuns)),
		Limit:  Read(c, "value-time", ParseDuration),
		Format: Read(c, "exchange", command.ParseFormat),
	}
	allowed := Read(c, "allow-command", ParseSwitch)
	line := c.Text("command")
	if !c.given("command") {
		return nil
	}
	words, err := command.Words(line)
	if v := c.Values["command"]; err != nil {
		c.Complain("command", v, "%v", err)
	} else if v.dir != "" && !allowed {
		c.Complain("command", v, "this file starts a program, %s. Add --allow-command to start it.", line)
	}
	opt.Words = words
	return &opt
}

// Allow returns the flags without which run.toml of a run with these settings is refused.
func (s *Settings) Allow() (allow []string) {
	if s.Outside {
		allow = append(allow, "--allow-outside")
	}
	if s.Program != nil {
		allow = append(allow, "--allow-command")
	}
	return allow
}

// ReadProblem reads the problem of a run. stop ends the program that gives its values, if there is one. warn is told
// what goes wrong with that.
func (s *Settings) ReadProblem(spec string, warn func(text string)) (p problems.Problem, stop func(), err error) {
	stop = func() {}
	if s.Program == nil {
		p, err = ParseProblem(spec, s.Options, s.Precision, false)
		return p, stop, err
	}
	opt := *s.Program
	opt.Warn = warn
	program, err := command.New(opt)
	if err != nil {
		return nil, stop, exit.With(exit.Usage, err)
	}
	family := program.Problem()
	name, _, err := problems.ParseSpec(spec, []problems.Family{family})
	if err != nil {
		return nil, stop, exit.Usagef("--command gives the values of a problem of its own, and not of %s; leave one "+
			"of them out", spec)
	}
	p, err = family.Make(name, s.Options)
	return p, program.Close, exit.With(exit.Usage, err)
}
