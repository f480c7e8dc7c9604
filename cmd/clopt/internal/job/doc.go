// Package job makes runs of one problem with one method on one set of devices. Prepare plans them; a Job makes or
// resumes them in folders and prints their results.
//
//	flags.Settings ─► problem, devices, memory plan ─► runs.Run ─► runs.Result, exit code
package job
