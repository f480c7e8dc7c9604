// Package shard spreads one problem over several devices, so that nothing but
// the speed depends on how many there are.
//
//	Tiling (of a problem) ── Split ──► Shards: whole super-tiles, dealt to the devices of a Group
//	Problem + view        ── Place ──► Placement: programs, tables, partial sums on every device
//	Placement.Eval        ──► tiles ─► super-tiles (device, in order) ─► Reducer ─► sums (host, in order)
//
// A shard stores the variables it owns and a halo of those after them that its
// last components read. Solvers evolve the halo as well instead of exchanging
// it: draws are functions of global indices and decisions are global, so two
// shards that hold the same variable give it the same bits.
//
// A vector that a device refuses to allocate in one buffer is not a special
// case: the device then gets several shards.
package shard
