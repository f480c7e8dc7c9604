package main

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/cmd/clopt/internal/flags"
	"github.com/clopt/clopt/cmd/clopt/internal/job"
)

func completionCommand(call *job.Call) *cobra.Command {
	return &cobra.Command{
		Use:       "completion SHELL",
		Short:     "Print a completion script: bash, zsh, fish or powershell",
		Args:      flags.OneArg("SHELL"),
		ValidArgs: []string{"bash", "zsh", "fish", "powershell"},
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			switch args[0] {
			case "bash":
				if err := root.GenBashCompletionV2(call.Stdout, true); err != nil {
					return err
				}
				_, err := io.WriteString(call.Stdout, plainBash)
				return err
			case "zsh":
				return root.GenZshCompletion(call.Stdout)
			case "fish":
				return root.GenFishCompletion(call.Stdout, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(call.Stdout)
			}
			return exit.Usagef("unknown shell %q. There are %s.", args[0], strings.Join(cmd.ValidArgs, ", "))
		},
	}
}

// plainBash takes the place of a function of the package bash-completion, which many systems do not have. It joins the
// words that the shell has split at = and :, so that --set search= and cec2013/f4: are one word each.
const plainBash = `
if ! declare -F _get_comp_words_by_ref >/dev/null 2>&1; then
    __clopt_init_completion()
    {
        local i word line=$COMP_LINE
        COMPREPLY=() words=() cword=0
        for ((i = 0; i < ${#COMP_WORDS[@]}; i++)); do
            word=${COMP_WORDS[i]}
            if ((i > 0)) && [[ $line != [[:blank:]]* ]] && [[ $word == [=:]* || ${COMP_WORDS[i-1]} == *[=:] ]]; then
                words[${#words[@]}-1]+=$word
            else
                words+=("$word")
            fi
            line=${line#"${line%%[![:blank:]]*}"}
            line=${line#"$word"}
            if ((i == COMP_CWORD)); then
                cword=$((${#words[@]} - 1))
            fi
        done
        cur=${words[cword]}
    }
fi
`
