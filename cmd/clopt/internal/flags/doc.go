// Package flags reads the input of the command: flags, variables CLOPT_*, run files and defaults. It remembers where
// each value was given, so that an error can name the place. It also holds suggestions, completion and the help of
// flags.
//
//	args ─► Config (flag, CLOPT_*, run file, default) ─► Settings
package flags
