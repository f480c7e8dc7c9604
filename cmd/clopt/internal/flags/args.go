package flags

import (
	"github.com/spf13/cobra"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
)

// NoArgs refuses arguments.
func NoArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return exit.Usagef("clopt %s takes no argument; %q was given", cmd.Name(), args[0])
	}
	return nil
}

// SomeArgs refuses an empty list of arguments with the given advice.
func SomeArgs(advice string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return exit.Usagef("%s", advice)
		}
		return nil
	}
}

// OneArg refuses any number of arguments but one. what names the argument in the error.
func OneArg(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) == 0:
			return exit.Usagef("clopt %s needs %s. clopt %s --help shows how.", cmd.Name(), what, cmd.Name())
		case len(args) > 1:
			return exit.Usagef("clopt %s takes one %s; %q is one too many", cmd.Name(), what, args[1])
		}
		return nil
	}
}
