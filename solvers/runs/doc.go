// Package runs keeps a run in a folder, and reads such folders.
//
//	run.toml      recipe: what repeats the run
//	lock          while a process works on it: who that is
//	log.txt       what was said
//	trace.jsonl   start, samples, events and end, a line each
//	checkpoint/   000001 and so on: the state of the run, to go on from
//	best.npy      the best point; best.sol for variables of 0 and 1
//	result.json   written last: a folder without it is unfinished
//
// A Run says what is run and what is written. Run.Make makes a run from its start, and Run.Newest with Run.Continue one
// from its newest checkpoint, with the same bits as if it had never stopped. Both can be had in steps, as a Session. An
// Observer is told what happens, to show it.
//
// Collect finds results in folders and below, ReadHistory reads how the best value of a run went, and Verify compares
// all that is in a folder. Folders keep nothing of where they are, so they can be moved.
//
// The package knows neither flags nor a terminal. Its errors are Faults, whose Kind says what is wrong with a folder,
// or those of the packages below.
package runs
