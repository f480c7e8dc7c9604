// Command clopt minimises functions of very many variables on OpenCL devices.
//
// The command holds no numerics: each of its files reads the flags of one command, calls the packages in internal, and
// returns what decides the exit code.
//
//	campaign   suites: problems × methods × runs
//	job        runs of one problem with one method
//	report     tables, pictures, data for other programs
//	status     what a terminal shows
//	flags      flags, variables, run files, help
//	exit       exit codes
//
// A run in its folder is package solvers/runs. Everything starts in run, which takes its streams as arguments, so that
// the tests call the whole command in process.
package main
