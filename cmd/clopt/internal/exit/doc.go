// Package exit holds the exit codes of the command, and the errors that carry one.
package exit
