package main

import (
	"regexp"
	"slices"
	"strconv"
	"testing"

	"github.com/clopt/clopt/docs"
)

// TestExitCodesPage: the page on exit codes has a line for each one, and no other.
func TestExitCodesPage(t *testing.T) {
	page, _ := docs.Page("exit-codes")
	var listed []int
	for _, m := range regexp.MustCompile(`(?m)^\| (\d+) \|`).FindAllStringSubmatch(page, -1) {
		code, _ := strconv.Atoi(m[1])
		listed = append(listed, code)
	}
	codes := []int{exitOK, exitInternal, exitUsage, exitNoDevice, exitObjective, exitMemory, exitLost, exitCheckpoint, exitVerify,
		exitNonFinite, exitOutput, exitTarget, exitHost, exitHangup, exitInterrupt, exitTerminated}
	if !slices.Equal(listed, codes) {
		t.Errorf("docs/reference/exit-codes.md has %v, want %v", listed, codes)
	}
}
