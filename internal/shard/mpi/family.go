package mpi

import (
	"fmt"
	"strings"
)

// family is a binary interface of MPI libraries: what handles and constants are, which headers would say.
type family struct {
	name  string
	names []string // of the library
	// Handles are numbers, or, if symbols is set, addresses of these symbols.
	world, byteType         uintptr
	worldSymbol, byteSymbol string
	ignore, serialized      uintptr
}

// families lists the interfaces in the order in which libraries are tried. The standard one is that of MPI 5.
var families = []family{
	{
		name: "the standard ABI", names: []string{"libmpi_abi.so.1", "libmpi_abi.so.0", "libmpi_abi.so"},
		world: 0x101, byteType: 0x247, ignore: 0, serialized: 2048,
	},
	{
		name: "Open MPI", names: []string{"libmpi.so.40"},
		worldSymbol: "ompi_mpi_comm_world", byteSymbol: "ompi_mpi_byte", ignore: 0, serialized: 2,
	},
	{
		name: "MPICH", names: []string{"libmpich.so.12", "libmpi.so.12"},
		world: 0x44000000, byteType: 0x4c00010d, ignore: 1, serialized: 2,
	},
}

// candidates returns the paths of the libraries to try for a launcher: only the given one if there is one. Those of the
// family that the launcher belongs to come first, since others would not find the other processes. An srun that offers
// no PMI fits none; there MPICH fails with an error, and Open MPI would end the process.
func candidates(lib, launcher string) (paths []string) {
	if lib != "" {
		return []string{lib}
	}
	first := ""
	switch {
	case strings.Contains(launcher, "Open MPI"):
		first = "Open MPI"
	case strings.Contains(launcher, "MPICH"), launcher == "srun":
		first = "MPICH"
	}
	for _, own := range []bool{true, false} {
		for _, f := range families {
			if (f.name == first) == own {
				paths = append(paths, f.names...)
			}
		}
	}
	return paths
}

// familyOf returns the interface of a library. version is what it says about itself, has whether it has a symbol, and
// abi the version of the standard ABI that it has; 0 or less: another interface. Intel MPI and MVAPICH have that of
// MPICH.
func familyOf(version string, has func(symbol string) bool, abi int) (family, bool) {
	if abi > 0 {
		return families[0], true
	}
	for _, f := range families[1:] {
		if f.worldSymbol != "" && has(f.worldSymbol) || f.name == "MPICH" && (strings.Contains(version, "MPICH") ||
			strings.Contains(version, "Intel") || strings.Contains(version, "MVAPICH")) {
			return f, true
		}
	}
	return family{}, false
}

// LibraryError means that no library could be loaded, or not one that fits the launcher.
type LibraryError struct {
	Launch Launch
	Tried  []string // each with the reason
}

func (e *LibraryError) Error() string {
	from, advice := e.Launch.Launcher, ""
	switch from {
	case "":
		from = "--mpi on"
	case "srun":
		advice = "Choose how srun starts processes: srun --mpi=pmix for Open MPI, --mpi=pmi2 for MPICH and Intel MPI. "
	}
	return fmt.Sprintf("no MPI library for %s could be used. %sName one with --mpi-lib or CLOPT_MPI_LIB, or use --mpi "+
		"off to run alone. Tried: %s", from, advice, strings.Join(e.Tried, "; "))
}
