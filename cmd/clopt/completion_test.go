//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestPlainBash checks that the completion of bash works without the package bash-completion, and that a word with = or
// : in it reaches clopt whole.
func TestPlainBash(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Fatal(err)
	}
	code, script, errs := call(t, "completion", "bash")
	if code != 0 {
		t.Fatalf("exit %d: %s", code, errs)
	}
	asked := filepath.Join(t.TempDir(), "asked")
	for line, words := range map[string]string{
		"run f:n=5 --set search=": "(clopt run f : n = 5 --set search =)",
		"run f -s ":               "(clopt run f -s '')",
	} {
		os.Remove(asked)
		cmd := exec.Command(bash, "--norc", "--noprofile", "-c", script+`
			clopt() { echo "$*" >`+asked+`; echo :4; }
			compopt() { :; }
			COMP_LINE='clopt `+line+`'; COMP_POINT=${#COMP_LINE}
			COMP_WORDS=`+words+`; COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
			__start_clopt`)
		out, err := cmd.CombinedOutput()
		if got, _ := os.ReadFile(asked); err != nil || len(out) > 0 || string(got) != "__complete "+line+"\n" {
			t.Errorf("%q: asked for %q; %v\n%s", line, got, err, out)
		}
	}
}
