package runs

import "runtime/debug"

// ToolVersion is the version of the tool that writes run folders.
const ToolVersion = "0.1.0"

// Commit returns the commit from which the program was built, and whether files were changed since. It is "" if the
// program was not built in a repository.
func Commit() (commit string, modified bool) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "", false
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			commit = s.Value
		case "vcs.modified":
			modified = s.Value == "true"
		}
	}
	return commit, modified
}
