// Package recipe reads and writes run.toml, which describes a run. The key problem names the problem. All other keys
// have the names and values of flags of the command clopt. Errors in a file are of type *input.Error.
package recipe

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

	"github.com/clopt/clopt/internal/problems/input"
)

// Name is the name of the run file in a run folder.
const Name = "run.toml"

// MaxSize is the largest size of a run file in bytes.
const MaxSize = 4 << 20

// File is the content of a run.toml. Entries has all keys, including "problem".
type File struct {
	Path    string
	Entries map[string]Entry
}

// Entry is the value of a key. A list has several texts, any other value has one.
type Entry struct {
	Vals []string
	Line int // line of the key, from 1
}

// Find reports whether problem is the path of a run file, or of a folder with one, and returns the path of that file. A
// file is a run file if it is TOML with the key problem, or if its name ends in .toml, even if it is missing or
// damaged, so that the user gets the right error.
func Find(problem string) (path string, ok bool) {
	info, err := os.Stat(problem)
	switch {
	case err != nil:
		return problem, strings.HasSuffix(problem, ".toml")
	case info.IsDir():
		path = filepath.Join(problem, Name)
		_, err := os.Stat(path)
		return path, err == nil
	case strings.HasSuffix(problem, ".toml"):
		return problem, true
	case !info.Mode().IsRegular() || info.Size() > MaxSize:
		return "", false
	}
	text, err := os.ReadFile(problem)
	if err != nil {
		return "", false
	}
	var m map[string]any
	_, err = Decode(string(text), &m)
	return problem, err == nil && m["problem"] != nil
}

// Read reads a run file. known reports whether a key takes a list, or returns an error for an unknown key. If known is
// nil, all keys are accepted and may be lists.
func Read(path string, known func(key string) (list bool, err error)) (*File, error) {
	text, err := readText(path)
	if err != nil {
		return nil, err
	}
	var m map[string]any
	// A byte-order mark is skipped.
	_, err = Decode(string(bytes.TrimPrefix(text, []byte("\ufeff"))), &m)
	if pe, ok := errors.AsType[toml.ParseError](err); ok {
		message, _, _ := strings.Cut(pe.Message, "\n")
		return nil, input.Errorf(path, pe.Position.Line, max(pe.Position.Col, 1), "%s", message)
	} else if err != nil {
		return nil, input.Errorf(path, 1, 1, "%v", err)
	}
	f := &File{path, map[string]Entry{}}
	for key, v := range m {
		line, list := keyLine(text, key), true
		if known != nil {
			if list, err = known(key); err != nil {
				return nil, input.Errorf(path, line, 1, "%v", err)
			}
		}
		if _, text := v.(string); key == "problem" && !text {
			return nil, input.Errorf(path, line, 1, "problem: %v is not a text. Write it as \"cec2013/f1\"", v)
		}
		vals, err := tomlTexts(v, list)
		if err != nil {
			return nil, input.Errorf(path, line, 1, "%s: %v", key, err)
		}
		f.Entries[key] = Entry{vals, line}
	}
	if len(f.Entries["problem"].Vals) != 1 || f.Problem() == "" {
		return nil, input.Errorf(path, 1, 1, "no key \"problem\". Add a line such as: problem = \"cec2013/f1\"")
	}
	return f, nil
}

// readText reads the text of a run file. One of the name Name may be a stranger's, and is not read through a symbolic
// link.
func readText(path string) ([]byte, error) {
	stat := os.Stat
	if filepath.Base(path) == Name {
		stat = os.Lstat
	}
	info, err := stat(path)
	if err != nil {
		return nil, input.FileError(path, err)
	}
	if !info.Mode().IsRegular() || info.Size() > MaxSize {
		return nil, input.Errorf(path, 1, 1, "not a run file: mode %s, %d bytes", info.Mode().Type(), info.Size())
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, input.FileError(path, err)
	}
	return text, nil
}

// Problem returns the problem of the file. If it has the path of a file, that is relative to the folder of the run
// file. It is a path if it ends in .cl or if there is such a file.
func (f *File) Problem() string {
	p := f.Entries["problem"].Vals[0]
	if filepath.IsAbs(p) {
		return p
	}
	there := filepath.Join(filepath.Dir(f.Path), p)
	path := there
	if i := strings.LastIndexByte(there, ':'); i > 0 {
		path = there[:i] // keys may follow
	}
	if strings.HasSuffix(p, ".cl") || strings.Contains(p, ".cl:") || input.IsRegular(there) || input.IsRegular(path) {
		return there
	}
	// FAMILY:PATH, with keys after a comma or a colon
	if family, rest, ok := strings.Cut(p, ":"); ok && !filepath.IsAbs(rest) {
		there := filepath.Join(filepath.Dir(f.Path), rest)
		for path := there; path != ""; path = path[:max(strings.LastIndexAny(path, ",:#"), 0)] {
			if input.IsRegular(path) {
				return family + ":" + there
			}
		}
	}
	return p
}

// keyLine returns the first line with a top-level key. The TOML reader has positions for syntax errors only.
func keyLine(text []byte, key string) int {
	quoted := regexp.QuoteMeta(key)
	at := regexp.MustCompile(`(?m)^[ \t\x{feff}]*\[?[ \t]*["']?` + quoted + `["']?[ \t]*[=.\]]`).FindIndex(text)
	if at == nil {
		return 1
	}
	return 1 + bytes.Count(text[:at[0]], []byte("\n"))
}

// tomlTexts returns a value of a run file in the form in which a flag takes it.
func tomlTexts(v any, list bool) ([]string, error) {
	switch v := v.(type) {
	case []any:
		if !list {
			return nil, fmt.Errorf("a list, where one value is expected")
		}
		var out []string
		for _, e := range v {
			s, err := Scalar(e)
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
			s, err := Scalar(e)
			if err != nil {
				return nil, err
			}
			out = append(out, k+"="+s)
		}
		slices.Sort(out)
		return out, nil
	}
	s, err := Scalar(v)
	return []string{s}, err
}

// Scalar returns a string, number or boolean of a TOML file in the form in which a flag takes it.
func Scalar(v any) (string, error) {
	switch v := v.(type) {
	case string:
		if input.HasControl(v) {
			return "", fmt.Errorf("%q has control characters", v)
		}
		return v, nil
	case int64:
		return strconv.FormatInt(v, 10), nil
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64), nil
	case bool:
		return strconv.FormatBool(v), nil
	}
	return "", errors.New("a list, table or time, where text, a number, true or false is expected")
}
