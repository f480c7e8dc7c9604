package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/clopt/clopt/cmd/clopt/internal/job"
	"github.com/clopt/clopt/cmd/clopt/internal/report"
)

// watchEvery is the time between two looks at folders that are watched.
var watchEvery = 2 * time.Second

// watchable adds --watch to a command that shows the results in the folders of its arguments. If it shows them on the
// screen, a terminal is cleared before each time, and a file or a pipe gets the last ones.
func watchable(call *job.Call, cmd *cobra.Command, screen bool) {
	on := cmd.Flags().Bool("watch", false, "repeat this whenever a run has ended, as long as runs go on")
	once := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if !*on {
			return once(cmd, args)
		}
		return watch(cmd.Context(), call, args, func(last bool) error {
			if screen && !call.Stdout.Clear() && !last {
				return nil
			}
			return once(cmd, args)
		})
	}
}

// watch calls show whenever a run in folders or below has ended, as long as processes work there, and once more at the
// end, with last set. A signal ends it.
func watch(ctx context.Context, call *job.Call, folders []string, show func(last bool) error) error {
	shown := -1
	for {
		ended, going, err := report.Look(folders)
		switch {
		case err != nil:
			return err
		case !going:
			return show(true)
		case ended == 0 && shown < 0:
			fmt.Fprintln(call.Stderr, "No run has ended yet.")
		case ended > shown && ended > 0:
			if err := show(false); err != nil {
				return err
			}
		}
		shown = ended
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(watchEvery):
		}
	}
}
