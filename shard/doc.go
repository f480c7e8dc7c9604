// Package shard spreads one problem over several devices. Only the speed depends on their number.
//
//	Tiling (of a problem) ── Split ──► Shards: whole super-tiles, dealt to the devices of Devices
//	Problem + view        ── Place ──► Placement: programs, tables, partial sums on every device
//	Placement.Eval        ──► tiles ─► super-tiles (device, in order) ─► Gather ─► sums (host, in order)
//
// A shard stores the variables that it owns, and a halo: the variables after them that its last components read.
// Solvers evolve the halo as well instead of exchanging it. Draws are functions of global indices and decisions are
// global, so two shards that hold the same variable give it the same bits.
//
// Several processes on one or more hosts can make a run together (Hosts). The devices of all are one list. Each process
// works on the shards of its own devices, and gathers what the others have found.
//
// A device that cannot allocate a vector in one buffer gets several shards.
package shard
