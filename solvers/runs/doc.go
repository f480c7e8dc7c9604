// Package runs stores each run in a folder of its own, and reads such folders.
//
//	run.toml      the recipe, with which the run can be repeated
//	lock          names the process that works on the run, while there is one
//	log.txt       the messages of the run
//	trace.jsonl   start, samples, events and end, one on each line
//	checkpoint/   000001 and so on: stored states from which the run can be resumed
//	best.npy      the best point; also best.sol if the variables are 0 and 1
//	samples.json  the best different points, if Run.Keep asks for them
//	result.json   is written last; a folder without it is unfinished
//
// A Run describes what to run and what to write. Run.Make makes a new run. Run.Newest and Run.Continue resume one from
// its newest checkpoint, with the same bits as if it had never stopped. A Session does the same in steps. An Observer
// receives the messages and samples of a run, to show them.
//
// The contents of result.json and trace.jsonl are the types of package record. Package inspect reads the best values of
// a run over time, and checks all files of a folder. The files do not contain the path of the folder, so it can be
// moved.
//
// The package knows neither flags nor a terminal. Its own errors are Faults; it returns errors of other packages
// unchanged.
package runs
