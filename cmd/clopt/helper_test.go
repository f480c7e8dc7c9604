package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/clopt/clopt/internal/solvers/runs/record"
	"github.com/clopt/clopt/solvers/runs"
)

// lines reads a stream of JSON objects, one per line, and fails on unknown and repeated keys.
func lines(t *testing.T, text string) []map[string]any {
	t.Helper()
	var all []map[string]any
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		var m map[string]any
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatalf("line %d: %v: %q", i+1, err, line)
		}
		for key := range m {
			// Only keys at the top level: devices have the same keys each.
			top, _, _ := strings.Cut(line, `"devices":`)
			if strings.Count(top, `"`+key+`":`) > 1 {
				t.Fatalf("line %d: %q twice: %q", i+1, key, line)
			}
		}
		var typed any
		switch m["type"] {
		case "start":
			typed = &record.StartLine{}
		case "sample":
			typed = &record.SampleLine{}
		case "event":
			typed = &record.EventLine{}
		case "end":
			typed = &record.EndLine{}
		default:
			t.Fatalf("line %d: type %v", i+1, m["type"])
		}
		d := json.NewDecoder(strings.NewReader(line))
		d.DisallowUnknownFields()
		if err := d.Decode(typed); err != nil {
			t.Fatalf("line %d: %v: %q", i+1, err, line)
		}
		all = append(all, m)
	}
	return all
}

// readText returns the content of a file.
func readText(t *testing.T, path ...string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(path...))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// forge replaces a text in the result of a run and makes its check agree.
func forge(t *testing.T, dir, old, new string) {
	t.Helper()
	text := readText(t, dir, "result.json")
	var r record.Result
	err := json.Unmarshal([]byte(strings.Replace(text, old, new, 1)), &r)
	if err != nil || !strings.Contains(text, old) {
		t.Fatalf("%q in %s: %v", old, text, err)
	}
	if err := runs.WriteResult(dir, &r); err != nil {
		t.Fatal(err)
	}
}

// readResult reads result.json in a run folder, and fails on unknown fields.
func readResult(t *testing.T, dir string) record.Result {
	t.Helper()
	var r record.Result
	d := json.NewDecoder(strings.NewReader(readText(t, dir, "result.json")))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		t.Fatal(err)
	}
	return r
}
