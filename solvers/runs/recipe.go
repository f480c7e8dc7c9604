package runs

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

// MaxRecipe is the size above which a file is not taken for a run file.
const MaxRecipe = 4 << 20

// Recipe is a run.toml: what to run, and how, as texts. The key "problem" is the problem; the command clopt reads the
// others as its flags.
type Recipe struct {
	Path    string
	Entries map[string]Entry
}

// Entry is the value of a key: one text, or several of a list.
type Entry struct {
	Vals []string
	Line int // in its file, from 1
}

// FindRecipe says whether PROBLEM names a run file, or a folder that holds
// one, and which. Files are recognised by content; only a .toml that is
// missing or broken is taken for one by its name, so that the message fits.
func FindRecipe(problem string) (path string, ok bool) {
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
	case !info.Mode().IsRegular() || info.Size() > MaxRecipe:
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

// ReadRecipe reads a run file. known says whether a key takes a list, or why there is no such key; nil: all keys
// are known and take lists.
func ReadRecipe(path string, known func(key string) (list bool, err error)) (*Recipe, error) {
	text, err := readRecipeText(path)
	if err != nil {
		return nil, err
	}
	var m map[string]any
	// A byte-order mark becomes a blank, so that columns stay right.
	_, err = toml.Decode(string(bytes.TrimPrefix(text, []byte("\ufeff"))), &m)
	if pe, ok := errors.AsType[toml.ParseError](err); ok {
		return nil, fault(Input, "%s:%d:%d: error: %s",
			path, pe.Position.Line, max(pe.Position.Col, 1), firstLine(pe.Message))
	} else if err != nil {
		return nil, fault(Input, "%s:1:1: error: %v", path, err)
	}
	f := &Recipe{path, map[string]Entry{}}
	for key, v := range m {
		line, list := keyLine(text, key), true
		if known != nil {
			if list, err = known(key); err != nil {
				return nil, fault(Input, "%s:%d:1: error: %v", path, line, err)
			}
		}
		vals, err := tomlTexts(v, list)
		if err != nil {
			return nil, fault(Input, "%s:%d:1: error: %s: %v", path, line, key, err)
		}
		f.Entries[key] = Entry{vals, line}
	}
	if len(f.Entries["problem"].Vals) != 1 || f.Problem() == "" {
		return nil, fault(Input, "%s:1:1: error: no key \"problem\". Add a line such as: problem = \"cec2013/f1\"", path)
	}
	return f, nil
}

// readRecipeText reads the text of a run file.
func readRecipeText(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fault(Input, "run file: %w", err)
	}
	if !info.Mode().IsRegular() || info.Size() > MaxRecipe {
		return nil, fault(Input, "%s:1:1: error: not a run file: %s of %d bytes", path, info.Mode().Type(), info.Size())
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fault(Input, "run file: %w", err)
	}
	return text, nil
}

// Problem is the file's PROBLEM. A path is relative to the run file: what ends
// in .cl, and what is a file there.
func (f *Recipe) Problem() string {
	p := f.Entries["problem"].Vals[0]
	if filepath.IsAbs(p) {
		return p
	}
	there := filepath.Join(filepath.Dir(f.Path), p)
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
	quoted := regexp.QuoteMeta(key)
	at := regexp.MustCompile(`(?m)^[ \t\x{feff}]*\[?[ \t]*["']?` + quoted + `["']?[ \t]*[=.\]]`).FindIndex(text)
	if at == nil {
		return 1
	}
	return 1 + bytes.Count(text[:at[0]], []byte("\n"))
}

// tomlTexts turns a value of a run file into what a flag would be given.
func tomlTexts(v any, list bool) ([]string, error) {
	switch v := v.(type) {
	case []any:
		if !list {
			return nil, fmt.Errorf("a list, where one value is expected")
		}
		var out []string
		for _, e := range v {
			s, err := TOMLText(e)
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
			s, err := TOMLText(e)
			if err != nil {
				return nil, err
			}
			out = append(out, k+"="+s)
		}
		slices.Sort(out)
		return out, nil
	}
	s, err := TOMLText(v)
	return []string{s}, err
}

// TOMLText is a text, a number or a switch of a TOML file as a flag would be given it.
func TOMLText(v any) (string, error) {
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
