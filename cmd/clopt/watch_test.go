package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/cmd/clopt/internal/report/reporttest"
	"github.com/clopt/clopt/solvers/runs"
)

// TestWatch draws the runs of a folder again while a process works there, and shows their table once at the end.
func TestWatch(t *testing.T) {
	defer func(every time.Duration) { watchEvery = every }(watchEvery)
	watchEvery = 10 * time.Millisecond
	t.Chdir(t.TempDir())
	cell := func(name, method string) {
		reporttest.Trace(t, filepath.Join("all", name), "classic/F0_a:n=8", 8, method, 1, 1, 1, 5, 100, 2)
	}
	if code, _, errs := call(t, "plot", "all", "--watch"); code != exit.Usage {
		t.Errorf("no folder: exit %d\n%s", code, errs)
	}
	if err := os.Mkdir("all", 0o777); err != nil {
		t.Fatal(err)
	}
	unlock, err := runs.Lock("all")
	if err != nil {
		t.Fatal(err)
	}
	outs := make(chan [3]string)
	for _, args := range []string{"compare all --watch", "plot all --watch -o a.svg", "report all --watch -o a.html"} {
		go func() {
			code, out, errs := call(t, strings.Fields(args)...)
			if code != 0 {
				t.Errorf("%s: exit %d", args, code)
			}
			outs <- [3]string{args, out, errs}
		}()
	}
	time.Sleep(5 * watchEvery)
	cell("1", "one")
	for !runs.Exists("a.svg") || !runs.Exists("a.html") {
		time.Sleep(watchEvery)
	}
	cell("2", "two")
	time.Sleep(20 * watchEvery)
	unlock()
	for range 3 {
		o := <-outs
		lines := strings.Count(o[1], "\n")
		if first, _, _ := strings.Cut(o[0], " "); first == "compare" && strings.Count(o[1], "function") != 1 ||
			first != "compare" && (lines < 2 || lines > 3) || strings.Count(o[2], "No run has ended yet.\n") != 1 {
			t.Errorf("%s:\n%s%s", o[0], o[1], o[2])
		}
	}
}

// TestWatchStopped ends with a signal.
func TestWatchStopped(t *testing.T) {
	t.Chdir(t.TempDir())
	unlock, err := runs.Claim("all")
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	var out, errs strings.Builder
	if code := run(ctx, []string{"plot", "all", "--watch"}, nil, &out, &errs); code == 0 || out.Len() > 0 {
		t.Errorf("exit %d\n%s%s", code, &out, &errs)
	}
}
