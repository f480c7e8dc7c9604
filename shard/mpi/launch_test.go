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
		"": "the standard ABI", "mpirun of Open MPI": "Open MPI", "mpirun of MPICH or Intel MPI": "MPICH",
		"srun": "MPICH", "a launcher with PMIx": "the standard ABI",
	} {
		all := candidates("", launcher)
		if all[0].family.name != want || len(all) != 6 {
			t.Errorf("%q: %s first of %d, want %s of 6", launcher, all[0].family.name, len(all), want)
		}
		for _, c := range candidates("/opt/libmpi.so", launcher) {
			if c.path != "/opt/libmpi.so" {
				t.Errorf("%q: tries %s", launcher, c.path)
			}
		}
	}
}

func TestFits(t *testing.T) {
	for _, c := range []struct{ version, symbols, want string }{
		{"Open MPI v4.1.4, package: Debian", "ompi_mpi_comm_world", "Open MPI"},
		{"MPICH Version:\t4.0.2", "MPIR_Err_create_code", "MPICH"},
		{"Intel(R) MPI Library 2021.9 for Linux* OS", "MPIR_Err_create_code", "MPICH"},
		{"MPICH Version:\t5.0.0", "MPI_Abi_get_version", "the standard ABI"},
		{"Open MPI v6.0.0", "MPI_Abi_get_version ompi_mpi_comm_world", "Open MPI"},
		{"something else", "", ""},
	} {
		got := ""
		for _, f := range families {
			if got == "" && f.fits(c.version, func(s string) bool { return strings.Contains(c.symbols, s) }) {
				got = f.name
			}
		}
		if got != c.want {
			t.Errorf("%s with %q has the interface of %q, want %q", c.version, c.symbols, got, c.want)
		}
	}
}
