package main

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"
)

// suites holds the campaigns that clopt knows by name.
//
//go:embed suites
var suites embed.FS

// campaign is a suite file: tables of problems × dims × solvers × devices, each
// with a number of runs. docs/reference/suite-file.md documents the keys.
type campaign struct {
	Name      string          `toml:"name"`
	Title     string          `toml:"title"`
	Reference string          `toml:"reference"`
	Paper     string          `toml:"paper"`
	Tables    []campaignTable `toml:"table"`

	file, dir string // dir: problems that are files are relative to it; "" for a built-in suite
	text      []byte
}

type campaignTable struct {
	Name    string          `toml:"name"`
	Caption string          `toml:"caption"`
	Solvers []campaignEntry `toml:"solver"`
	Seed    plain           `toml:"seed"`
	view
	size
	Laptop *size `toml:"laptop"`
}

// plain is a text, a number or a switch as a flag would be given it.
type plain string

func (p *plain) UnmarshalTOML(v any) error {
	s, err := tomlText(v)
	*p = plain(s)
	return err
}

// suiteNames are the built-in campaigns.
func suiteNames() (names []string) {
	entries, _ := suites.ReadDir("suites")
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".toml"))
	}
	return names
}

// openCampaign reads a built-in suite or a suite file.
func openCampaign(name string) (*campaign, error) {
	if slices.Contains(suiteNames(), strings.ToLower(name)) {
		name = strings.ToLower(name)
		text, err := suites.ReadFile("suites/" + name + ".toml")
		if err != nil {
			return nil, err
		}
		return parseCampaign("suite "+name, "", text)
	}
	info, err := os.Stat(name)
	if err != nil {
		if strings.HasSuffix(name, ".toml") {
			return nil, usagef("suite file: %w", err)
		}
		return nil, unknown("suite", name, suiteNames(), "There are "+strings.Join(suiteNames(), ", ")+"; or give a file.")
	}
	if !info.Mode().IsRegular() || info.Size() > maxRunFile {
		return nil, usagef("%s:1:1: error: not a suite file: %s of %d bytes", name, info.Mode().Type(), info.Size())
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, usagef("suite file: %w", err)
	}
	return parseCampaign(name, filepath.Dir(name), text)
}

// parseCampaign reads and checks the text of a suite file.
func parseCampaign(file, dir string, text []byte) (*campaign, error) {
	c := &campaign{file: file, dir: dir, text: bytes.TrimPrefix(text, []byte("\ufeff"))}
	meta, err := toml.Decode(string(c.text), c)
	if pe, ok := errors.AsType[toml.ParseError](err); ok {
		return nil, usagef("%s:%d:%d: error: %s", file, pe.Position.Line, max(pe.Position.Col, 1), firstLine(pe.Message))
	} else if err != nil {
		return nil, usagef("%s:1:1: error: %v", file, firstLine(err.Error()))
	}
	if left := meta.Undecoded(); len(left) > 0 {
		key := left[0]
		name := key[len(key)-1]
		msg := fmt.Sprintf("unknown key %q.", name)
		if near := nearest(name, campaignKeys); near != "" {
			msg += fmt.Sprintf(" Did you mean %q?", near)
		}
		return nil, usagef("%s: error: %s", c.placeOf(name), msg)
	}
	return c, c.check()
}

// campaignKeys are all keys of a suite file.
var campaignKeys = strings.Fields("name title reference paper table caption problems solver seed dims runs evals time target stall precision devices laptop label set preset show baselines ratio")

// check finds what can be wrong before any problem is read.
func (c *campaign) check() error {
	var bad []error
	complain := func(table, solver int, key, format string, args ...any) {
		bad = append(bad, usagef("%s: error: %s", c.place(table, solver, key), fmt.Sprintf(format, args...)))
	}
	if _, err := checkName(c.Name); err != nil {
		complain(-1, -1, "name", "name: %v", err)
	}
	if c.Paper != "" && !slices.Contains(paperNames(), c.Paper) {
		complain(-1, -1, "paper", "paper: %q is not one of %s", c.Paper, strings.Join(paperNames(), ", "))
	}
	if len(c.Tables) == 0 {
		complain(-1, -1, "", "no table. Add [[table]] with name, problems and [[table.solver]].")
	}
	names := map[string]bool{}
	for i := range c.Tables {
		t := &c.Tables[i]
		if _, err := checkName(t.Name); err != nil {
			complain(i, -1, "name", "name: %v", err)
		} else if names[strings.ToLower(t.Name)] {
			complain(i, -1, "name", "two tables are called %q", t.Name)
		}
		names[strings.ToLower(t.Name)] = true
		if len(t.Problems) == 0 {
			complain(i, -1, "problems", "problems is missing: a list such as [\"cec2013/f{1..15}\"]")
		}
		if key, err := t.view.check(); err != nil {
			complain(i, -1, key, "%s: %v", key, err)
		}
		for _, p := range slices.Concat(t.Problems, t.scaled(true).Problems) {
			if _, err := expand(p); err != nil {
				complain(i, -1, "problems", "problems: %v", err)
			}
		}
		if len(t.Solvers) == 0 {
			complain(i, -1, "solver", "no method. Add [[table.solver]] with solver = \"masw\".")
		}
		labels := map[string]bool{}
		for k := range t.Solvers {
			e := &t.Solvers[k]
			if e.Label == "" {
				e.Label = e.Solver
			}
			if labels[e.Label] {
				complain(i, k, "label", "two methods of table %s are called %q", t.Name, e.Label)
			}
			labels[e.Label] = true
			// Of a built-in suite the plan says so, and the list still has it.
			if _, err := solverName(e.Solver); err != nil && c.dir != "" {
				complain(i, k, "solver", "solver: %v", err)
			}
		}
		if t.Evals == "" && t.Time == "" && t.Target == "" && t.Stall == "" {
			for k, e := range t.Solvers {
				if e.Evals == "" && !scheduled(e.Solver) {
					complain(i, k, "solver", "no stop rule: give evals, time, target or stall")
				}
			}
		}
		for _, s := range []*size{&t.size, t.Laptop} {
			if s == nil {
				continue
			}
			for _, d := range s.Devices {
				if n, err := parseRuns(string(d)); err != nil || n > 1024 {
					complain(i, -1, "devices", "devices: %q is not a number of devices", d)
				}
			}
			for _, d := range s.Dims {
				if _, err := parseDim(string(d)); err != nil {
					complain(i, -1, "dims", "dims: %v", err)
				}
			}
		}
	}
	return errors.Join(bad...)
}

var header = regexp.MustCompile(`(?m)^[ \t]*\[\[[ \t]*(table(?:\.solver)?)[ \t]*\]\]`)

// place is FILE:LINE:COL of a key of a table, or of a method in it (-1: not
// in one); where the key is missing, of the heading.
func (c *campaign) place(table, solver int, key string) string {
	from, to, t, s := 0, len(c.text), -1, -1
	inside := table < 0
	for _, m := range header.FindAllSubmatchIndex(c.text, -1) {
		if string(c.text[m[2]:m[3]]) == "table" {
			t, s = t+1, -1
		} else {
			s++
		}
		if inside {
			to = m[0]
			break
		}
		if t == table && s == solver {
			from, inside = m[0], true
		}
	}
	at := from
	if m := regexp.MustCompile(`(?m)(?:^|[{,])[ \t]*("?\b` + regexp.QuoteMeta(key) + `"?)[ \t]*=`).FindSubmatchIndex(c.text[from:to]); m != nil && key != "" {
		at = from + m[2]
	}
	return c.position(at)
}

// placeOf is FILE:LINE:COL of the first place where a key stands.
func (c *campaign) placeOf(key string) string {
	m := regexp.MustCompile(`(?m)(?:^|[{,\[.])[ \t]*("?\b` + regexp.QuoteMeta(key) + `"?)[ \t]*[=\].]`).FindSubmatchIndex(c.text)
	if m == nil {
		return c.position(0)
	}
	return c.position(m[2])
}

func (c *campaign) position(at int) string {
	for at < len(c.text) && (c.text[at] == ' ' || c.text[at] == '\t') {
		at++
	}
	line := bytes.Count(c.text[:at], []byte("\n")) + 1
	return fmt.Sprintf("%s:%d:%d", c.file, line, at-bytes.LastIndexByte(c.text[:at], '\n'))
}

var brace = regexp.MustCompile(`\{([^{}]*)\}`)

// expand turns "f{1..3,7}" into f1, f2, f3 and f7.
func expand(s string) ([]string, error) {
	m := brace.FindStringSubmatchIndex(s)
	if m == nil {
		return []string{s}, nil
	}
	var out []string
	for _, part := range strings.Split(s[m[2]:m[3]], ",") {
		words := []string{part}
		if a, b, ok := strings.Cut(part, ".."); ok {
			lo, err := strconv.Atoi(a)
			hi, err2 := strconv.Atoi(b)
			if err != nil || err2 != nil || lo > hi || hi-lo > 10000 {
				return nil, fmt.Errorf("%q is not a range such as {1..15}", part)
			}
			words = nil
			for i := lo; i <= hi; i++ {
				words = append(words, strconv.Itoa(i))
			}
		}
		for _, w := range words {
			rest, err := expand(s[:m[0]] + w + s[m[1]:])
			if err != nil {
				return nil, err
			}
			out = append(out, rest...)
		}
	}
	return out, nil
}
