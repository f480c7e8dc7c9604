package main

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/cmd/clopt/internal/job"
	"github.com/clopt/clopt/solvers/runs"
)

// versionJSON is the output of "clopt version --json".
type versionJSON struct {
	Tool        string `json:"tool"`
	ToolVersion string `json:"tool_version"`
	Commit      string `json:"commit"`
	Modified    bool   `json:"modified"`
	Go          string `json:"go"`
	Platform    string `json:"platform"`
	Binding     string `json:"binding"` // the module that calls OpenCL, and its version; "none" if built without cgo
}

// bindingModule is the module through which package cl calls OpenCL.
const bindingModule = "github.com/jgillich/go-opencl"

// binding returns the module that calls OpenCL in this program, with its version.
func binding() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == bindingModule {
				return m.Path + " " + m.Version
			}
		}
	}
	return "none"
}

func buildVersion() versionJSON {
	v := versionJSON{Tool: "clopt", ToolVersion: runs.ToolVersion, Go: runtime.Version(), Platform: runtime.GOOS + "/" +
		runtime.GOARCH, Binding: binding()}
	v.Commit, v.Modified = runs.Commit()
	return v
}

func showVersion(call *job.Call, asJSON bool) error {
	v := buildVersion()
	if asJSON {
		return json.NewEncoder(call.Stdout).Encode(v)
	}
	commit := ""
	if v.Commit != "" {
		commit = fmt.Sprintf(" (%.12s)", v.Commit)
	}
	fmt.Fprintf(call.Stdout, "clopt %s%s, %s, %s\n", v.ToolVersion, commit, v.Go, v.Platform)
	return nil
}

func versionCommand(call *job.Call) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "version [--json]",
		Short: "Show the version",
		Args:  flags.NoArgs,
		RunE:  func(*cobra.Command, []string) error { return showVersion(call, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
