// Command clopt minimizes functions of very many variables on OpenCL devices.
//
// Each file holds one command, which reads its flags and calls the packages in internal. These call the library, which
// does all the numerical work:
//
//	campaign   suites: problems × methods × runs
//	job        runs of one problem with one method
//	report     tables, pictures, data for other programs
//	status     lines on a terminal
//	flags      flags, variables, run files, help
//	exit       exit codes
//
// Package solvers/runs makes and stores the runs. Function run executes a command line with the streams that it is
// given, so that tests can call all of clopt in process.
package main
