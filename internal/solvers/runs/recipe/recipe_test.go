package recipe_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/internal/solvers/runs/recipe"
)

// This example writes a run file and reads it again.
func Example() {
	dir, err := os.MkdirTemp("", "recipe-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	text := recipe.Text("1.0.0", "cec2013/f1", []recipe.Key{
		{Name: "dim", Vals: []string{"1000"}},
		{Name: "set", Vals: []string{"population=20", "alpha=0.5"}, List: true},
	})
	path := filepath.Join(dir, "run.toml")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		fmt.Println(err)
		return
	}
	file, err := recipe.Read(path, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(file.Problem(), file.Entries["dim"].Vals, file.Entries["set"].Vals)
	// Output:
	// cec2013/f1 [1000] [population=20 alpha=0.5]
}

// The error about a wrong run file has file, line and column.
func TestRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.toml")
	known := func(key string) (bool, error) {
		if key == "odd" {
			return false, errors.New("unknown key")
		}
		return false, nil
	}
	for text, want := range map[string]string{
		"problem = \"f1\"\nseed = [1]\n": ":2:1: error: seed: a list",
		"problem = \"f1\"\nodd = 1\n":    ":2:1: error: unknown key",
		"problem = f1\n":                 ":1:11: error: ",
		"seed = 1\nproblem = 5\n":        ":2:1: error: problem: 5 is not a text",
		"problem = [\"cec2013/f1\"]\n":   ":1:1: error: problem: ",
		"seed = 1\n":                     ":1:1: error: no key \"problem\"",
		"":                               ":1:1: error: no key \"problem\"",
		"seed = 1\nx = " + strings.Repeat("[", 40):       ":2:37: error: more than 32 levels of brackets or dots",
		"# [[[\n" + strings.Repeat("a.", 40) + "a = 1\n": ":2:66: error: more than 32 levels",
	} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := recipe.Read(path, known)
		if _, ok := errors.AsType[*input.Error](err); !ok || !strings.HasPrefix(err.Error(), path+want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	if _, err := recipe.Read(path+"x", nil); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Error(err)
	}
}
