// Command strangers compares the default method with forty explicit settings on thirty objectives as users may write
// them, and prints a table in Markdown. docs/results/strangers.md has such a table.
//
//	go run ./test/strangers                     the whole study; some minutes on sixteen cores
//	go run ./test/strangers logit ./mine.cl     one of the thirty, and an objective of your own
//	go run ./test/strangers -dir /tmp/thirty    keep the objectives and their data, for runs by hand
//	go run ./test/strangers -settings test/strangers/heldout/settings.txt test/strangers/heldout/*.cl
//	                                            twelve held out of it, with their data, and eleven settings
//	go run ./test/strangers -reports -time 5s   the default method on problems of public reports, with right answers
//	go run ./test/strangers -peers /tmp -time 1s    the default method and two other programs, on QUBOs of 14 families
//
// It drives the command that -bin names: make build. Each objective is minimized by the default method for the time
// that -time names, and by each setting for half of that time, so that the default has the time of two settings. Each
// run has an equal share of the cores. The objectives are in objectives/; this program makes their data, which are the
// same on every machine. settings.txt has the settings, one on each line, as clopt run takes them.
package main

import (
	"context"
	_ "embed"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

//go:embed settings.txt
var settingsText string

func main() {
	if err := study(); err != nil {
		fmt.Fprintln(os.Stderr, "strangers:", err)
		os.Exit(1)
	}
}

func study() error {
	var r runner
	flag.StringVar(&r.bin, "bin", "bin/clopt", "the clopt command")
	flag.StringVar(&r.device, "d", "0", "the device, as clopt run -d takes it")
	flag.DurationVar(&r.time, "time", 4*time.Second, "time of the default method")
	seed := flag.Uint("seed", 1, "seed of all runs")
	jobs := flag.Int("jobs", runtime.NumCPU(), "runs at a time")
	limit := flag.Duration("limit", 24*time.Hour, "time after which no run begins")
	settings := flag.String("settings", "", "a `file` with other settings, one on each line")
	public := flag.Bool("reports", false, "run problems of public reports, of which the right answers are known")
	seeds := flag.Uint("seeds", 3, "runs of each report, or of each QUBO, with the seeds from 1 on")
	small := flag.Uint("small", 20, "runs of each QUBO of fewer than 100 variables")
	peers := flag.String("peers", "", "a `folder` with tabu_qubo and anneal_qubo, with which to compare on QUBOs")
	long := flag.Duration("long", 10*time.Second, "time of these programs")
	held := flag.Bool("held", false, "the QUBOs that were not used for tuning")
	dir := flag.String("dir", "", "a `folder` in which the objectives, their data and all runs are kept")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: strangers [flags] [objective...]")
		flag.PrintDefaults()
	}
	flag.Parse()
	r.seed, r.jobs = uint32(*seed), max(*jobs, 1)

	if *dir == "" {
		made, err := os.MkdirTemp("", "strangers-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(made)
		*dir = made
	}
	r.runs = filepath.Join(*dir, "runs")
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if *public {
		return studyReports(ctx, os.Stdout, r, *dir, flag.Args(), uint32(*seeds))
	}
	if *peers != "" {
		v := versus{bin: r.bin, device: r.device, peers: *peers, dir: *dir, time: r.time, long: *long, held: *held,
			small: uint32(*small), more: uint32(*seeds), only: flag.Args()}
		return v.study(ctx, os.Stdout)
	}
	if err := writeObjectives(*dir); err != nil {
		return err
	}
	all, err := find(*dir, flag.Args())
	if err != nil {
		return err
	}
	if *settings != "" {
		text, err := os.ReadFile(*settings)
		if err != nil {
			return err
		}
		settingsText = string(text)
	}
	ends, err := r.all(ctx, all, strings.Split(strings.TrimSpace(settingsText), "\n"), time.Now().Add(*limit))
	if err != nil {
		return err
	}
	return printTable(os.Stdout, r, all, ends)
}
