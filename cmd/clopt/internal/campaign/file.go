package campaign

import (
	"bytes"
	"cmp"
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

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/cmd/clopt/internal/report"
	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/internal/solvers/runs/recipe"
	"github.com/clopt/clopt/internal/solvers/runs/record"
	"github.com/clopt/clopt/solvers/runs"
)

// suites holds the campaigns that clopt knows by name.
//
//go:embed suites
var suites embed.FS

// Campaign is the content of a suite file: tables of problems × dims × solvers × devices, each with a number of runs.
// docs/reference/suite-file.md documents the keys.
type Campaign struct {
	Name      string  `toml:"name"`
	Title     string  `toml:"title"`
	Reference string  `toml:"reference"`
	Paper     string  `toml:"paper"`
	Tables    []Table `toml:"table"`

	file, dir string // dir: problems in files are relative to it; "" for a built-in suite
	text      []byte
}

// heading returns the name and the title.
func (c *Campaign) heading() string { return strings.TrimRight(c.Name+"  "+c.Title, " ") }

// Table is a table of a suite file.
type Table struct {
	Name    string  `toml:"name"`
	Caption string  `toml:"caption"`
	Solvers []Entry `toml:"solver"`
	Seed    plain   `toml:"seed"`
	record.View
	size
	Laptop *size `toml:"laptop"`
}

// plain is a text, number or switch of a suite file, as text in the form that flags take.
type plain string

func (p *plain) UnmarshalTOML(v any) error {
	s, err := recipe.Scalar(v)
	*p = plain(s)
	return err
}

// Names returns the names of the built-in campaigns.
func Names() (names []string) {
	entries, _ := suites.ReadDir("suites")
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".toml"))
	}
	return names
}

// Open reads a built-in suite or a suite file.
func Open(name string) (*Campaign, error) {
	if slices.Contains(Names(), strings.ToLower(name)) {
		name = strings.ToLower(name)
		text, err := suites.ReadFile("suites/" + name + ".toml")
		if err != nil {
			return nil, err
		}
		return parse("suite "+name, "", text)
	}
	info, err := os.Stat(name)
	if err != nil {
		if strings.HasSuffix(name, ".toml") {
			return nil, exit.Usagef("suite file: %w", err)
		}
		return nil, flags.Unknown("suite", name, Names(),
			"There are "+strings.Join(Names(), ", ")+". You can also give a file.")
	}
	if !info.Mode().IsRegular() || info.Size() > recipe.MaxSize {
		return nil, exit.Usagef("%s:1:1: error: not a suite file: %s of %d bytes", name, info.Mode().Type(),
			info.Size())
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, exit.Usagef("suite file: %w", err)
	}
	return parse(name, filepath.Dir(name), text)
}

// parse reads and checks the text of a suite file.
func parse(file, dir string, text []byte) (*Campaign, error) {
	c := &Campaign{file: file, dir: dir, text: bytes.TrimPrefix(text, []byte("\ufeff"))}
	meta, err := recipe.Decode(string(c.text), c)
	if pe, ok := errors.AsType[toml.ParseError](err); ok {
		return nil, exit.Usagef("%s:%d:%d: error: %s", file, pe.Position.Line, max(pe.Position.Col, 1),
			exit.FirstLine(pe.Message))
	} else if m := wrongType.FindStringSubmatch(fmt.Sprint(err)); m != nil {
		return nil, exit.Usagef("%s:%s:1: error: %s is %s, as in %s. See clopt help suite.", file, m[1], m[2],
			kinds[m[3]], cmp.Or(examples[m[2]], m[2]+kindExamples[m[3]]))
	} else if err != nil {
		return nil, exit.Usagef("%s:1:1: error: %v", file, exit.FirstLine(err.Error()))
	}
	if left := meta.Undecoded(); len(left) > 0 {
		key := left[0]
		name := key[len(key)-1]
		msg := fmt.Sprintf("unknown key %q.", name)
		if near := flags.Nearest(name, campaignKeys); near == name {
			msg = fmt.Sprintf("key %q belongs to another table; see clopt help suite.", name)
		} else if near != "" {
			msg += fmt.Sprintf(" Did you mean %q?", near)
		}
		return nil, exit.Usagef("%s: error: %s", c.placeOf(name), msg)
	}
	if c.Name == "" {
		c.Name = strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	}
	for i := range c.Tables {
		c.Tables[i].Name = cmp.Or(c.Tables[i].Name, strconv.Itoa(i+1))
	}
	return c, c.check()
}

// wrongType finds the line, the key, and the kind of value that belongs there, in an error of package toml.
var wrongType = regexp.MustCompile(`^toml: line (\d+) \(last key "(?:.*\.)?([^".]+)"\): .*` +
	`(destination has type slice|expected table)`)

// What these kinds are, how they look, and how those of some keys do.
var (
	kinds        = map[string]string{"destination has type slice": "a list", "expected table": "a table"}
	kindExamples = map[string]string{"destination has type slice": ` = ["a", "b"]`, "expected table": " = { key = 10 }"}
	examples     = map[string]string{"table": "[[table]]",
		"solver": "[[table.solver]], with a line solver = \"masw\" below"}
)

// campaignKeys are all keys of a suite file.
var campaignKeys = strings.Fields("name title reference paper table caption problems solver seed dims runs evals " +
	"moves time target stall precision devices laptop label set preset show baselines ratio")

// check checks everything that does not need the problems.
func (c *Campaign) check() error {
	k := &checker{Campaign: c}
	if _, err := runs.CheckName(c.Name); err != nil {
		k.complain(-1, -1, "name", "name: %v", err)
	}
	k.plain(-1, -1, "title", c.Title)
	k.plain(-1, -1, "reference", c.Reference)
	if c.Paper != "" && !slices.Contains(report.PaperNames(), c.Paper) {
		k.complain(-1, -1, "paper", "paper: %q is not one of %s", c.Paper, strings.Join(report.PaperNames(), ", "))
	}
	if len(c.Tables) == 0 {
		k.complain(-1, -1, "", "there is no table. Add [[table]] with name, problems and [[table.solver]].")
	}
	names := map[string]bool{}
	for i := range c.Tables {
		t := &c.Tables[i]
		if _, err := runs.CheckName(t.Name); err != nil {
			k.complain(i, -1, "name", "name: %v", err)
		} else if names[strings.ToLower(t.Name)] {
			k.complain(i, -1, "name", "two tables are called %q", t.Name)
		}
		names[strings.ToLower(t.Name)] = true
		k.table(i, t)
		k.methods(i, t)
		k.size(i, &t.size)
		k.size(i, t.Laptop)
	}
	return errors.Join(k.bad...)
}

// checker collects what is wrong in a campaign. Tables and methods are numbered from 0; -1 means none.
type checker struct {
	*Campaign
	bad []error
}

// complain adds an error with the place of a key.
func (c *checker) complain(table, solver int, key, format string, args ...any) {
	c.bad = append(c.bad, exit.Usagef("%s: error: %s", c.place(table, solver, key), fmt.Sprintf(format, args...)))
}

// plain refuses texts with control characters.
func (c *checker) plain(table, solver int, key string, texts ...string) {
	if i := slices.IndexFunc(texts, input.HasControl); i >= 0 {
		c.complain(table, solver, key, "%s: %q has control characters", key, texts[i])
	}
}

// table checks the texts, problems and view of table i.
func (c *checker) table(i int, t *Table) {
	c.plain(i, -1, "caption", t.Caption)
	c.plain(i, -1, "problems", t.Problems...)
	if len(t.Problems) == 0 {
		c.complain(i, -1, "problems", "problems is missing. Add a list such as [\"cec2013/f{1..15}\"]")
	}
	if key, err := report.CheckView(&t.View); err != nil {
		c.complain(i, -1, key, "%s: %v", key, err)
	}
	patterns := slices.Concat(t.Problems, t.scaled(true).Problems)
	for _, p := range slices.Compact(slices.Sorted(slices.Values(patterns))) {
		if _, err := flags.Expand(p); err != nil {
			c.complain(i, -1, "problems", "problems: %v", err)
		}
	}
}

// methods checks the methods of table i, labels them, and asks for a stop rule of each.
func (c *checker) methods(i int, t *Table) {
	if len(t.Solvers) == 0 {
		c.complain(i, -1, "solver", "there is no method. Add [[table.solver]] with solver = \"masw\".")
	}
	labels := map[string]bool{}
	for k := range t.Solvers {
		e := &t.Solvers[k]
		if e.Label == "" {
			e.Label = e.Solver
		}
		if labels[e.Label] {
			c.complain(i, k, "label", "two methods of table %s are called %q", t.Name, e.Label)
		}
		labels[e.Label] = true
		c.plain(i, k, "label", e.Label)
		// A built-in suite with an unknown solver can still be listed; plan refuses it.
		if _, err := flags.SolverName(e.Solver); err != nil && c.dir != "" {
			c.complain(i, k, "solver", "solver: %v", err)
		}
	}
	if t.Evals == "" && t.Moves == "" && t.Time == "" && t.Target == "" && t.Stall == "" {
		for k, e := range t.Solvers {
			if e.Evals == "" && e.Moves == "" && !scheduled(e.Solver) {
				c.complain(i, k, "solver", "there is no stop rule. Add evals, time, target or stall")
			}
		}
	}
}

// size checks the numbers of devices and variables of table i; s may be nil.
func (c *checker) size(i int, s *size) {
	if s == nil {
		return
	}
	for _, d := range s.Devices {
		if n, err := flags.ParseRuns(string(d)); err != nil || n > 1024 {
			c.complain(i, -1, "devices", "devices: %q is not a number of devices", d)
		}
	}
	for _, d := range s.Dims {
		if _, err := flags.ParseDim(string(d)); err != nil {
			c.complain(i, -1, "dims", "dims: %v", err)
		}
	}
}

// IsSuite reports whether text is that of a suite file.
func IsSuite(text []byte) bool { return header.Match(text) }

var header = regexp.MustCompile(`(?m)^[ \t]*\[\[[ \t]*(table(?:\.solver)?)[ \t]*\]\]`)

// place returns FILE:LINE:COL of a key of a table, or of a method of that table; -1 means outside a table or method. If
// the key is missing, it is the place of the heading.
func (c *Campaign) place(table, solver int, key string) string {
	from := 0
	to := len(c.text)
	t := -1
	s := -1
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
	if m := regexp.MustCompile(`(?m)(?:^|[{,])[ \t]*("?\b` + regexp.QuoteMeta(key) +
		`"?)[ \t]*=`).FindSubmatchIndex(c.text[from:to]); m != nil && key != "" {
		at = from + m[2]
	}
	return c.position(at)
}

// placeOf returns FILE:LINE:COL of the first use of a key.
func (c *Campaign) placeOf(key string) string {
	m := regexp.MustCompile(`(?m)(?:^|[{,\[.])[ \t]*("?\b` + regexp.QuoteMeta(key) +
		`"?)[ \t]*[=\].]`).FindSubmatchIndex(c.text)
	if m == nil {
		return c.position(0)
	}
	return c.position(m[2])
}

// position returns FILE:LINE:COL of a byte of the text, after any blanks.
func (c *Campaign) position(at int) string {
	for at < len(c.text) && (c.text[at] == ' ' || c.text[at] == '\t') {
		at++
	}
	line := bytes.Count(c.text[:at], []byte("\n")) + 1
	return fmt.Sprintf("%s:%d:%d", c.file, line, at-bytes.LastIndexByte(c.text[:at], '\n'))
}
