package main

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// toolVersion is the version of the command and of what it writes.
const toolVersion = "0.1.0"

// versionJSON is "clopt version --json".
type versionJSON struct {
	Tool        string `json:"tool"`
	ToolVersion string `json:"tool_version"`
	Commit      string `json:"commit"`
	Modified    bool   `json:"modified"`
	Go          string `json:"go"`
	Platform    string `json:"platform"`
}

func buildVersion() versionJSON {
	v := versionJSON{Tool: "clopt", ToolVersion: toolVersion, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				v.Commit = s.Value
			case "vcs.modified":
				v.Modified = s.Value == "true"
			}
		}
	}
	return v
}

func (a *app) showVersion(asJSON bool) error {
	v := buildVersion()
	if asJSON {
		return json.NewEncoder(a.stdout).Encode(v)
	}
	commit := ""
	if v.Commit != "" {
		commit = fmt.Sprintf(" (%.12s)", v.Commit)
	}
	fmt.Fprintf(a.stdout, "clopt %s%s, %s, %s\n", v.ToolVersion, commit, v.Go, v.Platform)
	return nil
}

func (a *app) versionCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version [--json]",
		Short: "Show the version",
		Args:  noArgs,
		RunE:  func(*cobra.Command, []string) error { return a.showVersion(asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func (a *app) completionCommand() *cobra.Command {
	return &cobra.Command{
		Use:       "completion SHELL",
		Short:     "Print a completion script: bash, zsh, fish or powershell",
		Args:      oneArg("SHELL"),
		ValidArgs: []string{"bash", "zsh", "fish", "powershell"},
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(a.stdout, true)
			case "zsh":
				return root.GenZshCompletion(a.stdout)
			case "fish":
				return root.GenFishCompletion(a.stdout, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(a.stdout)
			}
			return unknown("shell", args[0], cmd.ValidArgs, "Use bash, zsh, fish or powershell.")
		},
	}
}
