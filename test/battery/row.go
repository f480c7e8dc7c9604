package battery

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

// FileVariable names the file to which tests add their figures.
const FileVariable = "CLOPT_BATTERY"

// Row counts the cases of one test.
type Row struct {
	t         testing.TB
	name      string
	good, all int
}

var rowName = regexp.MustCompile(`^TestR(?:[1-9]|1[0-9]|2[0-7])(?:[A-Z]|$)`)

// Begin returns the row of a test, by its name. The figure is reported when the test ends.
func Begin(t testing.TB) *Row {
	t.Helper()
	name := rowName.FindString(t.Name())
	if name == "" {
		t.Fatalf("%s is not called TestR1… to TestR27…", t.Name())
	}
	r := &Row{t: t, name: "R" + strings.TrimFunc(name, func(c rune) bool { return c < '0' || c > '9' })}
	t.Cleanup(r.report)
	return r
}

// Target counts a fuzz target, which is good unless an input fails.
func Target(f *testing.F) {
	if worker := flag.Lookup("test.fuzzworker"); worker != nil && worker.Value.String() == "true" {
		return // the process that started it reports
	}
	r := &Row{t: f, name: "R3"}
	f.Cleanup(func() {
		r.Count(!f.Failed())
		r.report()
	})
}

// Check counts a case. If it is not good, it is an error of the test, with a text in the form of Printf.
func (r *Row) Check(good bool, format string, args ...any) {
	r.t.Helper()
	r.Count(good)
	if !good {
		r.t.Errorf(format, args...)
	}
}

// Count counts a case of which the test reports the errors.
func (r *Row) Count(good bool) {
	if r.all++; good {
		r.good++
	}
}

// report logs the figure, and adds it to the file if there is one.
func (r *Row) report() {
	if r.all == 0 && !r.t.Skipped() && !r.t.Failed() {
		r.t.Error("no case was counted")
	}
	line := fmt.Sprintf("%s %d/%d", r.name, r.good, r.all)
	r.t.Log(line)
	if name := os.Getenv(FileVariable); name != "" {
		f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
		if err == nil {
			_, err = fmt.Fprintf(f, "%s %s\n", line, r.t.Name())
			f.Close()
		}
		if err != nil {
			r.t.Error(err)
		}
	}
}
