package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/cpuguy83/go-md2man/v2/md2man"
	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/cmd/clopt/internal/job"
	"github.com/clopt/clopt/docs"
	"github.com/clopt/clopt/solvers/runs"
)

func manCommand(*job.Call) *cobra.Command {
	return &cobra.Command{
		Use:               "man DIR",
		Short:             "Write manual pages: of commands to DIR/man1, of the topics of help to DIR/man7",
		Args:              flags.OneArg("DIR, a folder for the pages"),
		ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := writeManual(cmd.Root(), args[0]); err != nil {
				return exit.Failf(exit.Output, "manual: %w", err)
			}
			return nil
		},
	}
}

// manualWidth is the width of the text of a topic in a manual page, which man indents.
const manualWidth = 72

// writeManual writes a page for each command to the folder man1 in dir, and one for each topic to man7.
func writeManual(root *cobra.Command, dir string) error {
	commands, topics := filepath.Join(dir, "man1"), filepath.Join(dir, "man7")
	for _, folder := range []string{commands, topics} {
		if err := os.MkdirAll(folder, 0o777); err != nil {
			return err
		}
	}
	root.DisableAutoGenTag = true
	undated := time.Unix(0, 0) // the same version writes the same pages
	header := &doc.GenManHeader{Section: "1", Source: "clopt " + runs.ToolVersion, Manual: "clopt", Date: &undated}
	if err := doc.GenManTree(root, header, commands); err != nil {
		return err
	}
	for _, topic := range docs.Topics() {
		page, _ := docs.Page(topic)
		name := "clopt-" + topic
		title, _, _ := strings.Cut(strings.TrimPrefix(page, "# "), "\n")
		text := fmt.Sprintf("%% %q \"7\" \"\" \"clopt %s\" \"clopt\"\n# NAME\n%s - %s\n\n```\n%s```\n",
			strings.ToUpper(name), runs.ToolVersion, name, title, docs.Plain(page, manualWidth))
		if err := os.WriteFile(filepath.Join(topics, name+".7"), md2man.Render([]byte(text)), 0o666); err != nil {
			return err
		}
	}
	return nil
}
