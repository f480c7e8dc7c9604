package mpi_test

import (
	"fmt"

	"github.com/clopt/clopt/internal/shard/mpi"
)

func ExampleFind() {
	env := map[string]string{"OMPI_COMM_WORLD_SIZE": "4", "OMPI_COMM_WORLD_RANK": "2"}
	launch := mpi.Find(func(name string) string { return env[name] })
	fmt.Println(launch.Launcher, "started", launch.Size, "processes, this is", launch.Rank)
	// Output:
	// mpirun of Open MPI started 4 processes, this is 2
}
