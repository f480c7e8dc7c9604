// Command clopt minimises functions of very many variables on OpenCL devices.
//
// The command holds no numerics: it turns flags into a problem, a method and
// a group of devices, and a run into a folder, a status line and an exit code.
//
//	args ─► config (flag, CLOPT_*, run file, default) ─► settings
//	settings ─► problems.Parse, solvers.New, cl.Select ─► solvers.Minimize
//	samples ─► monitor ─► trace.jsonl, status line
//	result  ─► best.npy, result.json, summary on stdout, exit code
//
// Everything starts in run, which takes its streams as arguments, so that
// the tests call the whole command in process.
package main
