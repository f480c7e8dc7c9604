//go:build unix

package command

import (
	"os/exec"
	"syscall"
)

// own gives the program a process group of its own, so that a Ctrl-C for clopt does not end it, and kill ends its
// children, too.
func own(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// kill ends a program and its children.
func kill(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
