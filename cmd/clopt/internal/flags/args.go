package flags

import (
	"github.com/spf13/cobra"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
)

// NoArgs refuses arguments and shows the one seen.
func NoArgs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return exit.Usagef("clopt %s takes no argument; %q was given", cmd.Name(), args[0])
	}
	return nil
}

// OneArg demands exactly one argument, called what.
func OneArg(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) == 0:
			return exit.Usagef("clopt %s needs %s. clopt %s --help shows how.", cmd.Name(), what, cmd.Name())
		case len(args) > 1:
			return exit.Usagef("clopt %s takes one %s; %q is too much", cmd.Name(), what, args[1])
		}
		return nil
	}
}
