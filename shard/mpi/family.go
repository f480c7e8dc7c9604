package mpi

import (
	"fmt"
	"strings"
)

// family is a binary interface of MPI libraries: what handles and constants are, which headers would say.
type family struct {
	name  string
	mark  string   // in the text of MPI_Get_library_version
	names []string // of the library
	// Handles are numbers, or, if symbols is set, addresses of these symbols.
	world, byteType         uintptr
	worldSymbol, byteSymbol string
	ignore, serialized      uintptr
	versionBytes            int // room for the text of MPI_Get_library_version
}

// families lists the interfaces in the order in which libraries are tried. The standard one is that of MPI 5.
var families = []family{
	{
		name: "the standard ABI", names: []string{"libmpi_abi.so.1", "libmpi_abi.so.0", "libmpi_abi.so"},
		world: 0x101, byteType: 0x247, ignore: 0, serialized: 2048, versionBytes: 8192,
	},
	{
		name: "Open MPI", mark: "Open MPI", names: []string{"libmpi.so.40"},
		worldSymbol: "ompi_mpi_comm_world", byteSymbol: "ompi_mpi_byte", ignore: 0, serialized: 2,
		versionBytes: 256,
	},
	{
		name: "MPICH", mark: "MPICH", names: []string{"libmpich.so.12", "libmpi.so.12"},
		world: 0x44000000, byteType: 0x4c00010d, ignore: 1, serialized: 2, versionBytes: 8192,
	},
}

// candidate is a library to try, and the interface that it is expected to have.
type candidate struct {
	path string
	family
}

// candidates returns the libraries to try for a launcher: only the given one if there is one. The library of the
// family that the launcher belongs to comes first, since another one would not find the other processes. An srun that
// offers no PMI fits none; there MPICH fails with an error, and Open MPI would end the process.
func candidates(lib, launcher string) (all []candidate) {
	for _, f := range families {
		paths := f.names
		if lib != "" {
			paths = []string{lib}
		}
		for _, path := range paths {
			all = append(all, candidate{path, f})
		}
	}
	first := ""
	switch {
	case strings.Contains(launcher, "Open MPI"):
		first = "Open MPI"
	case strings.Contains(launcher, "MPICH"), launcher == "srun":
		first = "MPICH"
	}
	var ordered []candidate
	for _, own := range []bool{true, false} {
		for _, c := range all {
			if (c.family.name == first) == own {
				ordered = append(ordered, c)
			}
		}
	}
	return ordered
}

// fits reports whether a library with this text and these symbols has the interface of a family. Intel MPI and
// MVAPICH have that of MPICH, and say so in symbols and not in the text.
func (f family) fits(version string, has func(symbol string) bool) bool {
	switch f.name {
	case "the standard ABI":
		return has("MPI_Abi_get_version") && !has("ompi_mpi_comm_world") && !has("MPIR_Err_create_code")
	case "Open MPI":
		return has(f.worldSymbol)
	}
	return !has("ompi_mpi_comm_world") && (strings.Contains(version, "MPICH") || strings.Contains(version, "Intel") ||
		strings.Contains(version, "MVAPICH"))
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
