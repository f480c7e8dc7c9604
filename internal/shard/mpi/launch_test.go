package mpi

import (
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	for _, c := range []struct {
		env  map[string]string
		want Launch
	}{
		{map[string]string{}, Launch{}},
		{map[string]string{"OMPI_COMM_WORLD_SIZE": "4", "OMPI_COMM_WORLD_RANK": "2", "PMIX_RANK": "2"},
			Launch{"mpirun of Open MPI", 4, 2}},
		{map[string]string{"PMI_SIZE": "3", "PMI_RANK": "1"}, Launch{"mpirun of MPICH or Intel MPI", 3, 1}},
		{map[string]string{"PMIX_RANK": "5"}, Launch{"a launcher with PMIx", 0, 5}},
		{map[string]string{"PMIX_RANK": "5", "SLURM_STEP_ID": "0", "SLURM_STEP_NUM_TASKS": "8"},
			Launch{"a launcher with PMIx", 8, 5}},
		{map[string]string{"SLURM_STEP_ID": "0", "SLURM_STEP_NUM_TASKS": "8", "SLURM_PROCID": "7"},
			Launch{"srun", 8, 7}},
		// An allocation without srun, and a step of one task, are one process.
		{map[string]string{"SLURM_NTASKS": "8", "SLURM_PROCID": "0"}, Launch{}},
		{map[string]string{"SLURM_STEP_ID": "0", "SLURM_STEP_NUM_TASKS": "1", "SLURM_PROCID": "0"}, Launch{}},
	} {
		if got := Find(func(name string) string { return c.env[name] }); got != c.want {
			t.Errorf("%v: %+v, want %+v", c.env, got, c.want)
		}
	}
}

// The library of the launcher's family is tried first, and only a given one if there is one.
func TestCandidates(t *testing.T) {
	for launcher, want := range map[string]string{
		"": "libmpi_abi.so.1", "mpirun of Open MPI": "libmpi.so.40", "mpirun of MPICH or Intel MPI": "libmpich.so.12",
		"srun": "libmpich.so.12", "a launcher with PMIx": "libmpi_abi.so.1",
	} {
		if all := candidates("", launcher); all[0] != want || len(all) != 6 {
			t.Errorf("%q: %q, want %s first of 6", launcher, all, want)
		}
		if all := candidates("/opt/libmpi.so", launcher); len(all) != 1 || all[0] != "/opt/libmpi.so" {
			t.Errorf("%q: %q", launcher, all)
		}
	}
}

func TestFamilyOf(t *testing.T) {
	for _, c := range []struct {
		version, symbols string
		abi              int
		want             string
	}{
		{"Open MPI v4.1.4, package: Debian", "ompi_mpi_comm_world", 0, "Open MPI"},
		{"Open MPI v6.0.0", "ompi_mpi_comm_world", -1, "Open MPI"},
		{"Open MPI v6.0.0", "ompi_mpi_comm_world", 1, "the standard ABI"},
		{"MPICH Version: 4.0.2", "", 0, "MPICH"},
		{"MPICH Version: 5.0.1", "", -1, "MPICH"},
		{"MPICH Version: 5.0.1", "", 1, "the standard ABI"},
		{"Intel(R) MPI Library 2021.9 for Linux* OS", "", 0, "MPICH"},
		{"something else", "", 0, ""},
	} {
		has := func(s string) bool { return strings.Contains(c.symbols, s) }
		if got, known := familyOf(c.version, has, c.abi); got.name != c.want || known != (c.want != "") {
			t.Errorf("%s with ABI %d has the interface of %q, want %q", c.version, c.abi, got.name, c.want)
		}
	}
}
