package main

import (
	"context"
	"os"

	"github.com/clopt/clopt/cmd/clopt/internal/job"
)

func main() {
	job.IgnoreSignals()
	job.LimitMemory()
	os.Exit(run(context.Background(), os.Args[1:], os.Stdin, job.OwnStdout(), os.Stderr))
}
