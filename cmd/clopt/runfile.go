package main

import (
	"bytes"
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

// maxRunFile is the size above which a file is not taken for a run file.
const maxRunFile = 4 << 20

// runFile is a run.toml: keys are the long flags, and "problem".
type runFile struct {
	path    string
	entries map[string]entry
}

type entry struct {
	vals []string
	line int
}

// isRunFile says whether PROBLEM names a run file, or a folder that holds
// one, and which. Files are recognised by content; only a .toml that is
// missing or broken is taken for one by its name, so that the message fits.
func isRunFile(problem string) (path string, ok bool) {
	info, err := os.Stat(problem)
	switch {
	case err != nil:
		return problem, strings.HasSuffix(problem, ".toml")
	case info.IsDir():
		path = filepath.Join(problem, "run.toml")
		_, err := os.Stat(path)
		return path, err == nil
	case strings.HasSuffix(problem, ".toml"):
		return problem, true
	case !info.Mode().IsRegular() || info.Size() > maxRunFile:
		return "", false
	}
	text, err := os.ReadFile(problem)
	if err != nil {
		return "", false
	}
	var m map[string]any
	_, err = toml.Decode(string(text), &m)
	return problem, err == nil && m["problem"] != nil
}

// readRunFile reads and checks a run file.
func readRunFile(path string) (*runFile, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, usagef("run file: %w", err)
	}
	if !info.Mode().IsRegular() || info.Size() > maxRunFile {
		return nil, usagef("%s:1:1: error: not a run file: %s of %d bytes", path, info.Mode().Type(), info.Size())
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, usagef("run file: %w", err)
	}
	var m map[string]any
	// A byte-order mark becomes a blank, so that columns stay right.
	_, err = toml.Decode(string(bytes.TrimPrefix(text, []byte("\ufeff"))), &m)
	if pe, ok := errors.AsType[toml.ParseError](err); ok {
		return nil, usagef("%s:%d:%d: error: %s", path, pe.Position.Line, max(pe.Position.Col, 1), firstLine(pe.Message))
	} else if err != nil {
		return nil, usagef("%s:1:1: error: %v", path, err)
	}
	f := &runFile{path, map[string]entry{}}
	known := optionNames(runOptions)
	for key, v := range m {
		line := keyLine(text, key)
		if !slices.Contains(known, key) {
			near := ""
			for _, o := range runOptions {
				if o.name == key {
					near = " It is not yet in this version."
					if o.noFile {
						near = " It works only as a flag."
					}
				}
			}
			if n := nearest(key, known); n != "" && near == "" {
				near = fmt.Sprintf(" Did you mean %q?", n)
			}
			return nil, usagef("%s:%d:1: error: unknown key %q.%s", path, line, key, near)
		}
		vals, err := tomlTexts(key, v)
		if err != nil {
			return nil, usagef("%s:%d:1: error: %s: %v", path, line, key, err)
		}
		f.entries[key] = entry{vals, line}
	}
	if len(f.entries["problem"].vals) != 1 || f.problem() == "" {
		return nil, usagef("%s:1:1: error: no key \"problem\". Add a line such as: problem = \"cec2013/f1\"", path)
	}
	return f, nil
}

// problem is the file's PROBLEM. A path is relative to the run file: what ends
// in .cl, and what is a file there.
func (f *runFile) problem() string {
	p := f.entries["problem"].vals[0]
	if filepath.IsAbs(p) {
		return p
	}
	there := filepath.Join(filepath.Dir(f.path), p)
	path := there
	if i := strings.LastIndexByte(there, ':'); i > 0 {
		path = there[:i] // the rest may be keys
	}
	if strings.HasSuffix(p, ".cl") || strings.Contains(p, ".cl:") || isRegular(there) || isRegular(path) {
		return there
	}
	return p
}

func isRegular(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// keyLine is the first line on which a top-level key stands; the TOML reader
// tells positions of syntax errors only.
func keyLine(text []byte, key string) int {
	at := regexp.MustCompile(`(?m)^[ \t\x{feff}]*\[?[ \t]*["']?` + regexp.QuoteMeta(key) + `["']?[ \t]*[=.\]]`).FindIndex(text)
	if at == nil {
		return 1
	}
	return 1 + bytes.Count(text[:at[0]], []byte("\n"))
}

// tomlTexts turns a value of a run file into what a flag would be given.
func tomlTexts(key string, v any) ([]string, error) {
	list := slices.ContainsFunc(runOptions, func(o option) bool { return o.name == key && o.list })
	switch v := v.(type) {
	case []any:
		if !list {
			return nil, fmt.Errorf("a list, where one value is expected")
		}
		var out []string
		for _, e := range v {
			s, err := tomlText(e)
			if err != nil {
				return nil, err
			}
			out = append(out, s)
		}
		return out, nil
	case map[string]any:
		if !list {
			return nil, fmt.Errorf("a table, where one value is expected")
		}
		var out []string
		for k, e := range v {
			s, err := tomlText(e)
			if err != nil {
				return nil, err
			}
			out = append(out, k+"="+s)
		}
		slices.Sort(out)
		return out, nil
	}
	s, err := tomlText(v)
	return []string{s}, err
}

func tomlText(v any) (string, error) {
	switch v := v.(type) {
	case string:
		return v, nil
	case int64:
		return strconv.FormatInt(v, 10), nil
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64), nil
	case bool:
		return strconv.FormatBool(v), nil
	}
	return "", fmt.Errorf("a value of type %T, where text, a number or true/false is expected", v)
}

// runToml is the text of a run file that repeats a run: what was given, with
// what was drawn or chosen filled in: fixed goes before what was given, and an
// empty text leaves the key out.
func runToml(c *config, problem string, fixed map[string]string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# clopt %s; repeat with: clopt run THIS_FILE\n", toolVersion)
	fmt.Fprintf(&b, "problem = %s\n", tomlString(problem))
	for _, o := range c.opts {
		v := c.values[o.name]
		if s, ok := fixed[o.name]; ok && s == "" {
			continue
		} else if ok {
			v = value{vals: []string{s}, origin: "fixed"}
		}
		if o.noFile || o.notYet || len(v.vals) == 0 || v.origin == "default" || slices.Contains(presentation, o.name) {
			continue
		}
		if o.list {
			quoted := make([]string, len(v.vals))
			for i, s := range v.vals {
				quoted[i] = tomlString(s)
			}
			fmt.Fprintf(&b, "%s = [%s]\n", o.name, strings.Join(quoted, ", "))
			continue
		}
		fmt.Fprintf(&b, "%s = %s\n", o.name, tomlString(v.vals[len(v.vals)-1]))
	}
	return b.String()
}

// presentation are the options that say how a run is shown or stored, not
// what it computes; whoever repeats it chooses anew.
var presentation = []string{"out", "name", "quiet", "verbose", "status", "json"}

// tomlString is s as a TOML basic string; numbers and switches are read from
// strings too.
func tomlString(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < 0x20 || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
