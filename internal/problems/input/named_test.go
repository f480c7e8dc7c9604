package input

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Names come back as they were, whatever they are, and lines may have any order.
func TestNamed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.sol")
	names := []string{"speed", "a b", "#7", "c", "", "\"q\"", "x\ny", "1", "\\", "ä", "\xff", "a,b", "%"}
	sides := []uint8{1, 0, 0, 1, 1, 0, 1, 0, 1, 1, 0, 0, 1}
	var b bytes.Buffer
	fixed := []Fixed{{"fixed one", "1"}, {"zero", "0"}, {"load", "-4.50"}}
	if err := WriteNamed(&b, names, sides, fixed); err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(b.Bytes(), []byte("\n"))
	slices.Reverse(lines)
	withoutFixed := bytes.Join(bytes.SplitAfter(b.Bytes(), []byte("\n"))[:len(names)], nil)
	for _, text := range [][]byte{b.Bytes(), bytes.Join(lines, nil), withoutFixed} {
		os.WriteFile(path, text, 0o666)
		if got, err := ReadNamed(path, names, fixed); err != nil || !slices.Equal(got, sides) {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
}

// Texts without names are left to ReadAssignments, and wrong lines are refused.
func TestNamedRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.sol")
	for text, want := range map[string]string{
		"010\n":             "",
		"1 1 0\n":           "",
		"-1 1 1\n":          "",
		"b -1\n1 1\na 1\n":  "",
		"a 1\nb 0\n":        path + ":3:1: error: 2 of 3 variables; \"1\" is missing. Complete them.",
		"a 1\nb 0\none 1\n": path + ":4:1: error: 2 of 3 variables; \"1\" is missing. Complete them.",
		"a 1\nb\n":          path + ":2:2: error: no value. Write \"NAME VALUE\".",
		"a 1\nb 0\na 0\n":   path + ":3:1: error: \"a\" is in line 1 already. Remove one.",
		"a 1\nz 0\n":        path + ":2:1: error: \"z\" is not the name of a variable. Correct it.",
		"a 1\nb 0 1\n":      path + ":2:5: error: \"1\" is one word too many. Write \"NAME VALUE\".",
		"a 1\nb yes\n": path + ":2:3: error: \"yes\" is not a side. " +
			"Write 0 and 1, -1 and 1, or 1 and 2 for the vertices.",
		"a 1\nb 0\n1 1\none 1\n": "",
		"a 1\nb 0\none 0\n1 1\n": path + ":3:1: error: \"one\" is \"0\" here, and the problem fixes it to 1. " +
			"Correct it, or remove the line.",
		"load 45e-1\na -1\nb 1\n1 1\none 1\n": "",
		"a 1\nb 0\nload 1\n1 1\n": path + ":3:1: error: \"load\" is \"1\" here, and the problem fixes it to 4.5. " +
			"Correct it, or remove the line.",
		"a 1\nb 0\none 1\none 1\n": path + ":4:1: error: \"one\" is in line 3 already. Remove one.",
		"a 0\nb 2\n1 1\n": path + ":2:3: error: \"2\" where 0 was in line 1, column 3. " +
			"Write 0 and 1, -1 and 1, or 1 and 2, not a mixture.",
	} {
		os.WriteFile(path, []byte(text), 0o666)
		_, err := ReadNamed(path, []string{"a", "b", "1"}, []Fixed{{"one", "1"}, {"load", "4.5"}})
		if err == nil != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
