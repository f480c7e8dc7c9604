// Package flags reads the input of the command: flags, variables CLOPT_*, run files and defaults, each with the
// place where it was given, so that a complaint names it. It also makes suggestions, completion
// and the help of flags.
//
//	args ─► Config (flag, CLOPT_*, run file, default) ─► Settings
package flags
