package docs_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/clopt/clopt/docs"
)

func ExamplePlain() {
	fmt.Print(docs.Plain(`# Tea

Boil **water**, see [concepts](concepts.md#parts) and [pictures](tea.svg). This is broken into lines.

- one item that is long enough to be broken
- another

| leaf | minutes to wait, not less |
|---|---|
| green \| white | 2 |

`+"```sh\nkettle on\n```\n", 40))
	// Output:
	// Tea
	// ===
	//
	// Boil water, see concepts [clopt help
	// concepts] and pictures. This is broken
	// into lines.
	//
	// - one item that is long enough to be
	//   broken
	// - another
	//
	//   leaf           minutes to wait, not
	//                  less
	//   -------------  -----------------------
	//   green | white  2
	//
	//     kettle on
}

// TestPlainTable checks that no table is wider than the page, whatever its columns are.
func TestPlainTable(t *testing.T) {
	long := "`run`, resume, suite, eval, check, list, describe, bench, compare"
	for _, table := range []string{
		"| flag | commands | meaning |\n|---|---|---|\n| `--json` | " + long + " | the result, as one object |\n",
		"| which of the functions, and its size | a | b | c | d |\n|---|---|---|---|---|\n" +
			"| Rosenbrock's chain of many variables | 27,597; 27,709 | f = 288; f = 338 | 9,226; 9,227 | last |\n",
	} {
		plain := docs.Plain(table, 60)
		for _, line := range strings.Split(plain, "\n") {
			if utf8.RuneCountInString(line) > 60 {
				t.Errorf("%d columns in\n%s", utf8.RuneCountInString(line), plain)
				break
			}
		}
		for _, word := range strings.Fields(strings.NewReplacer("|", " ", "-", " ").Replace(table)) {
			if !strings.Contains(plain, word) {
				t.Errorf("no %q in\n%s", word, plain)
			}
		}
	}
}

// TestTopics: the topics that the command has had from the start, and a
// readable page for each one.
func TestTopics(t *testing.T) {
	for _, topic := range []string{"objective", "graphs", "suite", "exit-codes", "devices"} {
		if _, ok := docs.Page(topic); !ok {
			t.Errorf("no page on %s", topic)
		}
	}
	if _, ok := docs.Page("nothing"); ok {
		t.Error("there is a page on nothing")
	}
	for begun, want := range map[string]bool{"env": true, "exit": true, "objective": true, "a": false, "": false} {
		if _, ok := docs.Find(begun); ok != want {
			t.Errorf("a page that begins with %q: %v", begun, ok)
		}
	}
	for _, topic := range docs.Topics() {
		page, _ := docs.Page(topic)
		if !strings.HasPrefix(page, "# ") {
			t.Errorf("%s: the page does not begin with its title", topic)
		}
		plain := docs.Plain(page, 80)
		for _, mark := range []string{"```", "](", "**", "\n#"} {
			if strings.Contains(plain, mark) {
				t.Errorf("%s: %q is left in the plain text", topic, mark)
			}
		}
	}
}

var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// anchors are the places in a page that a link can name.
func anchors(page string) map[string]bool {
	m := map[string]bool{}
	for _, h := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(page, -1) {
		name := regexp.MustCompile(`[^\p{L}\p{N} -]`).ReplaceAllString(strings.ToLower(h[1]), "")
		m[strings.ReplaceAll(name, " ", "-")] = true
	}
	return m
}

// forDevelopers are pages whose lines are longer.
var forDevelopers = map[string]bool{"../ARCHITECTURE.md": true, "../CONTRIBUTING.md": true, "../RATIONALE.md": true}

// TestPages checks what a program can check of every page in the repository:
// links lead somewhere, lines end by column 120, nothing is too long.
func TestPages(t *testing.T) {
	pages := []string{"../README.md", "../ARCHITECTURE.md", "../CONTRIBUTING.md", "../RATIONALE.md"}
	err := filepath.WalkDir(".", func(p string, _ fs.DirEntry, err error) error {
		if filepath.Ext(p) == ".md" {
			pages = append(pages, p)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range pages {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			if n := utf8.RuneCountInString(line); n > 120 && !strings.HasPrefix(line, "|") && !forDevelopers[file] {
				t.Errorf("%s:%d: %d columns", file, i+1, n)
			}
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			target, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(target, "://") {
				continue
			}
			path := file
			if target != "" {
				path = filepath.Join(filepath.Dir(file), target)
			}
			other, err := os.ReadFile(path)
			if err != nil {
				t.Errorf("%s: the link %s leads nowhere", file, m[1])
			} else if anchor != "" && !anchors(string(other))[anchor] {
				t.Errorf("%s: %s has no heading for %s", file, target, m[1])
			}
		}
	}
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(readme), "\n"); n > 200 {
		t.Errorf("README.md has %d lines; a stranger reads 200", n)
	}
}
