// Package flags reads what a person tells the command: flags, variables CLOPT_*, run files and defaults, each with the
// place where it was given, so that a complaint names it. It also has what helps to tell it: suggestions, completion
// and the help of flags.
//
//	args ─► Config (flag, CLOPT_*, run file, default) ─► Settings
package flags
