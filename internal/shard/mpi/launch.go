package mpi

import (
	"strconv"
	"strings"
)

// Launch is what the variables of a launcher say about the processes that it has started.
type Launch struct {
	Launcher string // such as "mpirun of Open MPI"; "" if there is none
	Size     int    // number of processes; 0: not said
	Rank     int    // number of this process; 0 if that is not said
}

// launchers lists the variables of launchers. The first one whose variable of the size or the rank is set has started
// the process. The variables of an MPI launcher come before those of Slurm, which also surround an mpirun in a job.
var launchers = []struct{ name, size, rank string }{
	{"mpirun of Open MPI", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
	{"mpirun of MPICH or Intel MPI", "PMI_SIZE", "PMI_RANK"},
	{"a launcher with PMIx", "", "PMIX_RANK"},
	{"srun", "SLURM_STEP_NUM_TASKS", "SLURM_PROCID"},
}

// Find returns what the environment says. A Slurm allocation counts only inside of a step of several tasks, as srun
// makes them: a program that is started in an allocation without srun is one process.
func Find(getenv func(string) string) Launch {
	for _, l := range launchers {
		if l.name == "srun" && (getenv("SLURM_STEP_ID") == "" || number(getenv(l.size)) < 2) {
			continue
		}
		if l.size != "" && getenv(l.size) != "" || l.size == "" && getenv(l.rank) != "" {
			found := Launch{Launcher: l.name, Rank: number(getenv(l.rank))}
			if l.size != "" {
				found.Size = number(getenv(l.size))
			} else {
				found.Size = number(getenv("SLURM_STEP_NUM_TASKS"))
			}
			return found
		}
	}
	return Launch{}
}

// number returns the number that a text begins with, or 0.
func number(text string) int {
	n, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil || n < 0 {
		return 0
	}
	return n
}
