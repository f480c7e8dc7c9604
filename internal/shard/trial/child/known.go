package child

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/clopt/clopt/internal/cl/binaries"
)

// key returns the name on disk of what the trial finds; "" if it cannot be known again. It depends on the program, on
// the text with all files that it reads, on what else makes the problem, and on the device and its driver.
func (t Trial) key() string {
	if t.Hash == "" {
		return ""
	}
	program, err := os.Stat(t.Program)
	if err != nil {
		return ""
	}
	d := t.Device
	return binaries.Key("trial", t.Program, fmt.Sprint(program.Size(), program.ModTime().UnixNano()), t.Hash, t.Spec,
		t.Precision.String(), d.Platform, d.PlatformVersion, d.Name, d.Driver)
}

// known returns what an equal trial has found before, if that was no error.
func known(key string) (found Found, ok bool) {
	if key == "" {
		return found, false
	}
	text := binaries.Default().Load(key)
	return found, text != nil && json.Unmarshal(text, &found) == nil && found.Clean
}

// keep stores what a trial without an error has found.
func (f Found) keep(key string) {
	if text, err := json.Marshal(f); err == nil && key != "" && f.Clean {
		binaries.Default().Store(key, text)
	}
}
