package test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/clopt/clopt/docs"
	"github.com/clopt/clopt/test/battery"
)

// block is a fenced block of a page. Its info string is a language and, for blocks that this test uses, a mark: "sh
// run" or "c file=ackley.cl".
type block struct {
	language, mark string
	line           int // of its first line of text, from 1 on
	text           string
}

// runs reports whether the block is one of commands that this test runs.
func (b block) runs() bool { return b.mark == "run" }

// blocks finds the fenced blocks of a page.
func blocks(page string) (found []block) {
	inside := false
	for i, line := range strings.Split(page, "\n") {
		info, fence := strings.CutPrefix(line, "```")
		switch {
		case fence && !inside:
			language, mark, _ := strings.Cut(info, " ")
			found = append(found, block{language: language, mark: mark, line: i + 2})
			inside = true
		case fence:
			inside = false
		case inside:
			found[len(found)-1].text += line + "\n"
		}
	}
	return found
}

// build builds the command into a folder of its own, which it returns.
func build(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", dir, "../cmd/clopt").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return dir
}

// quick finds the lines of commands that need no device.
var quick = regexp.MustCompile(`(?m)^clopt (?:convert|describe|generate|list|version)\b.*\n`)

// runBlocks writes the files of a page and runs its marked blocks in order, in a new folder, with the command in the
// folder bin. With -short only the first whole blocks run completely, and the quick lines of the others. It returns
// how many blocks it ran.
func runBlocks(t *testing.T, bin, page string, whole int) (n int) {
	t.Helper()
	dir := t.TempDir()
	for _, b := range blocks(page) {
		if name, ok := strings.CutPrefix(b.mark, "file="); ok {
			write(t, filepath.Join(dir, name), b.text)
			continue
		}
		if !b.runs() {
			continue
		}
		if n++; n > whole && testing.Short() {
			b.text = strings.Join(quick.FindAllString(b.text, -1), "")
		}
		cmd := exec.Command("bash", "-euo", "pipefail", "-c", b.text)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "CLOPT_DATA=", "CLOPT_QUIET=true")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("line %d: %v\n%s\n%s", b.line, err, b.text, out)
		}
	}
	return n
}

// helps returns the commands that print help: of every command, and of every topic.
func helps(t *testing.T, bin string) (all [][]string) {
	t.Helper()
	out, err := exec.Command(filepath.Join(bin, "clopt"), "--help").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`(?m)^  clopt ([a-z]+) `).FindAllStringSubmatch(string(out), -1) {
		all = append(all, []string{m[1], "--help"})
	}
	for _, topic := range docs.Topics() {
		all = append(all, []string{"help", topic})
	}
	return all
}

// TestResultsOfSuites: the page of a suite has a row for each of its tables, and for no others.
func TestResultsOfSuites(t *testing.T) {
	suites, _ := filepath.Glob("../cmd/clopt/internal/campaign/suites/*.toml")
	if len(suites) == 0 {
		t.Fatal("no suites")
	}
	named := regexp.MustCompile(`(?m)^\[\[table\]\]\nname = "(.+)"`)
	code := regexp.MustCompile("`([^`]+)`")
	for _, file := range suites {
		suite, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".toml")
		page, err := os.ReadFile("../docs/results/" + name + ".md")
		if err != nil {
			t.Fatal(err)
		}
		_, overview, _ := strings.Cut(string(page), "`--tables` |")
		overview, _, _ = strings.Cut(overview, "\n\n")
		var rows []string
		for line := range strings.Lines(overview) {
			if cells := strings.Split(line, "|"); len(cells) > 2 {
				for _, m := range code.FindAllStringSubmatch(cells[2], -1) {
					rows = append(rows, m[1])
				}
			}
		}
		var tables []string
		for _, m := range named.FindAllStringSubmatch(string(suite), -1) {
			tables = append(tables, m[1])
			if !slices.Contains(rows, m[1]) {
				t.Errorf("docs/results/%s.md has no row for table %s of the suite", name, m[1])
			}
		}
		for _, row := range rows {
			if !slices.Contains(tables, row) {
				t.Errorf("docs/results/%s.md has a row for table %s, which the suite lacks", name, row)
			}
		}
	}
}

// TestR27Docs compares the pages with the built command. It runs the commands of all pages, with -short the first two
// blocks of README.md and the commands that need no device.
func TestR27Docs(t *testing.T) {
	count := battery.Begin(t)
	bin := build(t)
	t.Run("flags", func(t *testing.T) { testFlags(t, bin) })
	t.Run("run folder", func(t *testing.T) { testRunFolder(t, bin) })
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	pages, whole := map[string]string{"README": string(readme)}, map[string]int{"README": 2}
	for _, topic := range docs.Topics() {
		pages[topic], _ = docs.Page(topic)
	}
	t.Run("commands", func(t *testing.T) { testCommands(t, bin, pages) })
	marked := 0
	for name, page := range pages {
		marked += len(slices.DeleteFunc(blocks(page), func(b block) bool { return !b.runs() }))
		t.Run(name, func(t *testing.T) {
			if name == "python" {
				t.Setenv("PYTHONPATH", python(t, bin))
			}
			for range runBlocks(t, bin, page, whole[name]) {
				count.Count(!t.Failed())
			}
		})
	}
	for _, args := range helps(t, bin) {
		out, err := exec.Command(filepath.Join(bin, "clopt"), args...).CombinedOutput()
		count.Check(err == nil && len(out) > 50, "clopt %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	if marked < 3*len(pages)/4 {
		t.Errorf("%d blocks in %d pages are marked to run", marked, len(pages))
	}
}

// TestReadmeGo compiles the Go programs of README.md.
func TestReadmeGo(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, b := range blocks(string(readme)) {
		if b.language != "go" {
			continue
		}
		n++
		dir := t.TempDir()
		write(t, filepath.Join(dir, "main.go"), b.text)
		cmd := exec.Command("go", "build", "-o", filepath.Join(dir, "program"), filepath.Join(dir, "main.go"))
		cmd.Dir = ".." // imports are those of this module
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("README.md, line %d: %v\n%s", b.line, err, out)
		}
	}
	if n == 0 {
		t.Error("README.md has no Go program")
	}
}

// TestBlocks: a command that fails is seen, and so is one in the middle of a block.
func TestBlocks(t *testing.T) {
	page := "```sh\nfalse\n```\n\n```c file=a.txt\nhello\n```\n\n```sh run\ngrep -q hello a.txt\n```\n"
	if n := runBlocks(t, t.TempDir(), page, 1); n != 1 {
		t.Errorf("%d blocks ran, want 1", n)
	}
	got := blocks("text\n```sh run\nfalse\ntrue\n```\n")
	if want := (block{"sh", "run", 3, "false\ntrue\n"}); len(got) != 1 || got[0] != want {
		t.Errorf("blocks: %+v", got)
	}
	if exec.Command("bash", "-euo", "pipefail", "-c", got[0].text).Run() == nil {
		t.Error("a failure in the middle of a block is not seen")
	}
}

// fields lists the fields of a JSON value by their paths, such as best.f and devices[].id.
func fields(v any, path string) (names []string) {
	switch v := v.(type) {
	case map[string]any:
		for key, inner := range v {
			names = append(names, fields(inner, strings.TrimPrefix(path+"."+key, "."))...)
		}
		return names
	case []any:
		if len(v) > 0 {
			if _, ok := v[0].(map[string]any); ok {
				return fields(v[0], path+"[]")
			}
		}
	}
	return []string{path}
}

// testRunFolder compares docs/reference/run-folder.md with the fields and files that a run writes.
func testRunFolder(t *testing.T, bin string) {
	page, _ := docs.Page("run-folder")
	dir := t.TempDir()
	args := append(strings.Fields("run cec2013/f1 -s random --evals 100 --seed 1 -q --name a -o"), dir)
	run := exec.Command(filepath.Join(bin, "clopt"), args...)
	run.Env = append(os.Environ(), "CLOPT_DATA=")
	if out, err := run.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	documented := func(name string) bool {
		return strings.Contains(page, "`"+name+"`") ||
			strings.Contains(page, "`"+strings.TrimPrefix(name, "devices[].")+"`")
	}
	for _, file := range []string{"result.json", "trace.jsonl"} {
		text, err := os.ReadFile(filepath.Join(dir, "a", file))
		if err != nil {
			t.Fatal(err)
		}
		for dec := json.NewDecoder(bytes.NewReader(text)); dec.More(); {
			var v any
			if err := dec.Decode(&v); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			for _, name := range fields(v, "") {
				if !documented(name) {
					t.Errorf("%s: %s is not on the page", file, name)
				}
			}
		}
	}
	entries, err := os.ReadDir(filepath.Join(dir, "a"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.Contains(page, "`"+e.Name()) {
			t.Errorf("the file %s is not on the page", e.Name())
		}
	}
}

// testFlags compares docs/reference/flags.md with the help of the command.
func testFlags(t *testing.T, bin string) {
	page, _ := docs.Page("flags")
	written := map[string][]string{} // flags by command
	flag := regexp.MustCompile("--([a-z0-9-]+)")
	for _, row := range regexp.MustCompile("(?m)^\\| (`-.*?) \\| ([a-z, ]+) \\|").FindAllStringSubmatch(page, -1) {
		for command := range strings.SplitSeq(row[2], ", ") {
			written[command] = append(written[command], flag.FindStringSubmatch(row[1])[1])
		}
	}
	for _, command := range []string{"run", "resume", "suite", "eval", "bench", "compare", "export", "plot", "generate",
		"structure", "check", "selftest", "devices", "list", "describe", "version"} {
		var real []string
		for _, name := range flagsOf(t, bin, command) {
			if long, ok := strings.CutPrefix(name, "--"); ok && long != "help" && long != "help-all" {
				real = append(real, long)
			}
		}
		slices.Sort(real)
		slices.Sort(written[command])
		if !slices.Equal(real, written[command]) {
			t.Errorf("clopt %s has the flags\n%v, and docs/reference/flags.md\n%v", command, real, written[command])
		}
	}
}

// flagsOf returns the flags of a command, long and short ones, with their dashes.
func flagsOf(t *testing.T, bin, command string) (names []string) {
	help, err := exec.Command(filepath.Join(bin, "clopt"), command, "--help-all").Output()
	if err != nil {
		help, err = exec.Command(filepath.Join(bin, "clopt"), command, "--help").Output()
	}
	if err != nil {
		t.Fatalf("clopt %s --help: %v", command, err)
	}
	shown := regexp.MustCompile(`(?m)^ +(?:(-\w), )?(--[a-z0-9-]+)(?:, (--help-all))?`)
	for _, m := range shown.FindAllStringSubmatch(string(help), -1) {
		names = append(names, m[1:]...)
	}
	return names
}

// commands finds the commands of a page, in blocks of the shell and in the text, each with its arguments.
func commands(page string) (all [][2]string) {
	var lines []string
	for _, b := range blocks(page) {
		if b.language == "sh" {
			lines = append(lines, strings.Split(strings.ReplaceAll(b.text, "\\\n", " "), "\n")...)
		}
	}
	for _, m := range regexp.MustCompile("`(clopt [^`]+)`").FindAllStringSubmatch(page, -1) {
		lines = append(lines, strings.ReplaceAll(m[1], "\n", " "))
	}
	command := regexp.MustCompile(`(?:^|[\s(])clopt ([a-z]+)\b(.*)$`)
	for _, line := range lines {
		line, _, _ = strings.Cut(line, " #")
		if m := command.FindStringSubmatch(line); m != nil {
			all = append(all, [2]string{m[1], m[2]})
		}
	}
	return all
}

// testCommands checks that all commands of the pages are there, with their flags, also of those that are not run.
// Without -short it plans the runs of built-in problems.
func testCommands(t *testing.T, bin string, pages map[string]string) {
	known, n := map[string][]string{}, 0
	flag := regexp.MustCompile(`\s(-[a-z]\b|--[a-z0-9-]+)`)
	builtIn := regexp.MustCompile(`^ (cec2013|classic|rastrigin|rosenbrock|schwefel)[^.>&|…]*$`)
	for name, page := range pages {
		for _, c := range commands(page) {
			n++
			if known[c[0]] == nil {
				known[c[0]] = flagsOf(t, bin, c[0])
			}
			for _, m := range flag.FindAllStringSubmatch(c[1], -1) {
				if !slices.Contains(known[c[0]], m[1]) {
					t.Errorf("%s: clopt %s%s: there is no flag %s", name, c[0], c[1], m[1])
				}
			}
			if testing.Short() || c[0] != "run" || !builtIn.MatchString(c[1]) || strings.Contains(c[1], "--data") {
				continue
			}
			args := regexp.MustCompile(` (-d|--x0) \S+`).ReplaceAllString(c[1], "")
			plan := exec.Command("bash", "-c", filepath.Join(bin, "clopt")+" run"+args+" --dry-run")
			plan.Env = append(os.Environ(), "CLOPT_DATA=")
			out, err := plan.CombinedOutput()
			if code := plan.ProcessState.ExitCode(); code != 0 && code != 5 { // 5: it is for a larger device
				t.Errorf("%s: clopt run%s: %v\n%s", name, args, err, out)
			}
		}
	}
	if n < 200 {
		t.Errorf("the pages have %d commands", n)
	}
}
