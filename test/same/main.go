// Command same runs every form of every method on small problems and compares the runs with a recorded table,
// bit by bit. It guards changes of the code that must not change a run.
//
//	go run ./test/same                     compare with test/same/table.csv; exit 1 if a cell differs
//	go run ./test/same -run 'gomea.*tile'  only the rows that match
//	go run ./test/same -record             write the table; with -run these rows only
//
// It is run in the root of the repository, and drives the command that -bin names. rows.txt holds the runs. Each is
// made on one device and on three, which are one device opened three times, and once more in two parts: until it is as
// good as after about half the evaluations, then clopt resume on the other number of devices. The columns:
//
//	row          the arguments of clopt run
//	devices      1 or 3
//	exit         exit code; the other cells are "-" if there is no result
//	f … steps    as result.json has them
//	status       the stop rule
//	point        hash of the best point's numbers
//	trace        hash of the samples without times, devices and names
//	resumed      yes: the run in two parts has the same cells; no: it has others, as where a method shortens a step to
//	             fit the limit of the first part; "-": no state is stored
//	state        hash of the stored numbers without their names, the same for any number of devices
//
// A hash is the first 16 digits of a SHA-256. Nothing that names a method, a setting, a version or a path is hashed.
// Bits are compared on the device and driver of the table only; elsewhere exit codes and evaluations are compared. For
// another device, record a table of its own with -table.
package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

//go:embed rows.txt
var rowsText string

// longest is the time that one command may take.
const longest = 5 * time.Minute

// columns are the cells of a line of the table.
var columns = []string{"row", "devices", "exit", "f", "evaluations", "work", "steps", "status", "point", "trace",
	"resumed", "state"}

// portable are the columns that are compared on another device, too.
var portable = []string{"exit", "evaluations"}

// line is a line of the table: a cell for each column.
type line []string

func (l line) key() string { return l[0] + " on " + l[1] }

// column returns the number of a column.
func column(name string) int { return slices.Index(columns, name) }

// runner makes runs in a folder of its own.
type runner struct {
	bin, device, table string
	dir                string // of all run folders

	mu   sync.Mutex
	made int // run folders so far
}

func main() {
	r := &runner{}
	flag.StringVar(&r.bin, "bin", "bin/clopt", "the clopt command")
	flag.StringVar(&r.device, "device", "0", "index of the device, as clopt devices shows it")
	flag.StringVar(&r.table, "table", "test/same/table.csv", "the recorded table")
	record := flag.Bool("record", false, "write the table")
	only := flag.String("run", "", "only the rows that match this `regexp`")
	jobs := flag.Int("j", 2, "rows at a time")
	flag.Parse()
	same, err := r.main(*only, *jobs, *record)
	if err != nil {
		fmt.Fprintln(os.Stderr, "same:", err)
		os.Exit(2)
	}
	if !same {
		os.Exit(1)
	}
}

func (r *runner) main(only string, jobs int, record bool) (same bool, err error) {
	match, err := regexp.Compile(only)
	if err != nil {
		return false, err
	}
	r.bin, err = filepath.Abs(r.bin)
	if err != nil {
		return false, err
	}
	r.dir, err = os.MkdirTemp("", "same-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(r.dir)
	device, commit, err := r.about()
	if err != nil {
		return false, err
	}
	oldDevice, old, err := readTable(r.table)
	if err != nil && !(record && errors.Is(err, os.ErrNotExist)) {
		return false, err
	}
	rows := slices.DeleteFunc(rows(), func(row string) bool { return !match.MatchString(row) })
	if len(rows) == 0 {
		return false, fmt.Errorf("no row matches %q", only)
	}
	if record && only != "" && len(old) > 0 && device != oldDevice {
		return false, fmt.Errorf("the table is of %s, this is %s: record it as a whole", oldDevice, device)
	}
	lines := r.lines(rows, jobs)
	if !record {
		old = slices.DeleteFunc(old, func(l line) bool { return !match.MatchString(l[0]) })
		return compare(old, lines, device, oldDevice), nil
	}
	if only != "" {
		lines = append(lines, slices.DeleteFunc(old, func(l line) bool { return match.MatchString(l[0]) })...)
	}
	return true, writeTable(r.table, lines, device, commit)
}

// rows returns the arguments of all runs, joined by blanks.
func rows() (all []string) {
	form := ""
	for text := range strings.Lines(rowsText) {
		problem, isProblem := strings.CutPrefix(text, "\t")
		switch {
		case strings.HasPrefix(text, "#") || strings.TrimSpace(text) == "":
		case isProblem:
			all = append(all, strings.TrimSpace(problem)+" "+form)
		default:
			form = strings.TrimSpace(text)
		}
	}
	return all
}

// about returns the name of the device with its driver, and the commit of the command.
func (r *runner) about() (device, commit string, err error) {
	var devices []struct {
		Index                  int
		Name, Platform, Driver string
	}
	var version struct {
		Commit   string
		Modified bool
	}
	for _, q := range []struct {
		command string
		to      any
	}{{"devices", &devices}, {"version", &version}} {
		out, err := exec.Command(r.bin, q.command, "--json").Output()
		if err == nil {
			err = json.Unmarshal(out, q.to)
		}
		if err != nil {
			return "", "", fmt.Errorf("clopt %s --json: %w", q.command, err)
		}
	}
	if commit = version.Commit; version.Modified {
		commit += ", modified"
	}
	for _, d := range devices {
		if strconv.Itoa(d.Index) == r.device {
			return fmt.Sprintf("%s, %s, driver %s", d.Name, d.Platform, d.Driver), commit, nil
		}
	}
	return "", "", fmt.Errorf("there is no device %s", r.device)
}

// lines makes the lines of all rows, jobs rows at a time, sorted.
func (r *runner) lines(rows []string, jobs int) (all []line) {
	todo := make(chan string)
	var workers sync.WaitGroup
	for range max(jobs, 1) {
		workers.Go(func() {
			for row := range todo {
				for _, devices := range []int{1, 3} {
					l := r.line(row, devices)
					r.mu.Lock()
					all = append(all, l)
					r.mu.Unlock()
				}
			}
		})
	}
	for _, row := range rows {
		todo <- row
	}
	close(todo)
	workers.Wait()
	return all
}

// line makes a run, and makes it again in two parts.
func (r *runner) line(row string, devices int) line {
	args := strings.Fields(row)
	whole := r.folder()
	exit := r.clopt(whole, append([]string{"run"}, args...), devices)
	l := slices.Concat(line{row, strconv.Itoa(devices), strconv.Itoa(exit)}, read(whole))
	if !slices.Contains(args, "--evals") || l[column("state")] == none {
		return l
	}
	target, never := halfway(whole)
	parts := r.folder()
	r.clopt(parts, slices.Concat([]string{"run"}, args, []string{"--target", target}), devices)
	r.clopt(parts, []string{"resume", parts, "--target", never}, 4-devices)
	l[column("resumed")] = "no"
	if slices.Equal(without(read(parts), "resumed"), without(l[3:], "resumed")) {
		l[column("resumed")] = "yes"
	}
	return l
}

// without returns the cells from column f on, except for one column.
func without(cells line, name string) line {
	i := column(name) - 3
	return slices.Delete(slices.Clone(cells), i, i+1)
}

// folder returns the path of a run folder that does not exist yet.
func (r *runner) folder() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.made++
	return filepath.Join(r.dir, strconv.Itoa(r.made))
}

// clopt runs the command for a run folder and returns its exit code, -1 if it was ended by a signal.
func (r *runner) clopt(folder string, args []string, devices int) int {
	args = append(slices.Clone(args), "-d", fmt.Sprintf("%s*%d", r.device, devices), "--status", "off")
	if args[0] == "run" {
		args = append(args, "--seed", "1", "--no-selftest", "-o", r.dir, "--name", filepath.Base(folder))
	}
	ctx, cancel := context.WithTimeout(context.Background(), longest)
	defer cancel()
	c := exec.CommandContext(ctx, r.bin, args...)
	c.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "CLOPT_") })
	if err := c.Run(); err != nil && c.ProcessState == nil {
		panic(err) // the command could not be started
	}
	return c.ProcessState.ExitCode()
}

// compare prints the cells that differ, and reports whether all are equal.
func compare(old, now []line, device, oldDevice string) bool {
	compared, bits := columns, device == oldDevice
	if !bits {
		compared = portable
		fmt.Printf("The table is of %s.\nThis is %s.\nOnly %s are compared, not the bits.\n", oldDevice, device,
			strings.Join(portable, " and "))
	}
	differ := 0
	say := func(format string, args ...any) { differ++; fmt.Printf(format+"\n", args...) }
	table := map[string]line{}
	for _, l := range old {
		table[l.key()] = l
	}
	slices.SortFunc(now, slices.Compare)
	for _, l := range now {
		was, ok := table[l.key()]
		if delete(table, l.key()); !ok {
			say("%s: not in the table", l.key())
			continue
		}
		for _, name := range compared {
			if i := column(name); was[i] != l[i] {
				say("%s: %s: recorded %s, now %s", l.key(), name, was[i], l[i])
			}
		}
	}
	for _, l := range old {
		if _, left := table[l.key()]; left {
			say("%s: in the table, but no row of rows.txt", l.key())
		}
	}
	fmt.Printf("%d lines compared, %d differences\n", len(now), differ)
	return differ == 0
}

// readTable reads the table and the device that it was recorded on.
func readTable(path string) (device string, lines []line, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return "", nil, err
	}
	head, _, _ := strings.Cut(string(text), "\n")
	c := csv.NewReader(bytes.NewReader(text))
	c.Comment, c.FieldsPerRecord = '#', len(columns)
	cells, err := c.ReadAll()
	if err != nil {
		return "", nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(cells) == 0 || !slices.Equal(cells[0], columns) {
		return "", nil, fmt.Errorf("%s does not begin with the columns %v", path, columns)
	}
	for _, l := range cells[1:] {
		lines = append(lines, l)
	}
	return strings.TrimPrefix(head, "# device: "), lines, nil
}

// writeTable writes the lines, sorted.
func writeTable(path string, lines []line, device, commit string) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# device: %s\n# commit: %s\n", device, commit)
	slices.SortFunc(lines, slices.Compare)
	w := csv.NewWriter(&b)
	w.Write(columns)
	for _, l := range lines {
		w.Write(l)
	}
	w.Flush()
	return os.WriteFile(path, b.Bytes(), 0o666)
}
