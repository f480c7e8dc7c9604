// Package mpi connects the processes that mpirun or srun has started. It loads an MPI library at run time, so that
// programs need none to be built or to run alone.
//
//	Find(getenv) ──► Launch: how many processes a launcher has announced
//	Launch.Join  ──► World: their exchanges, as ranks.Hosts wants them
//
// Only bytes cross, and only by gathering: an MPI library never adds numbers, since it may choose the order.
package mpi
