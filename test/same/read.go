package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// none is the cell of a value that a run does not have.
const none = "-"

// read returns the cells of a run folder from column f on.
func read(folder string) line {
	var result struct {
		Best struct {
			F     json.Number
			XFile *string `json:"x_file"`
		}
		Evaluations, Work, Steps json.Number
		Stop                     struct{ Reason string }
	}
	cells := slices.Repeat(line{none}, len(columns)-column("f"))
	text, err := os.ReadFile(filepath.Join(folder, "result.json"))
	if err != nil {
		return cells
	}
	if err := json.Unmarshal(text, &result); err != nil {
		return append(line{err.Error()}, cells[1:]...)
	}
	cells = line{result.Best.F.String(), result.Evaluations.String(), result.Work.String(), result.Steps.String(),
		result.Stop.Reason, none, none, none, none}
	if result.Best.XFile != nil {
		cells[5] = hashOf(pointNumbers, filepath.Join(folder, *result.Best.XFile))
	}
	cells[6] = hashOf(traceNumbers, filepath.Join(folder, "trace.jsonl"))
	if stored, _ := filepath.Glob(filepath.Join(folder, "checkpoint", "[0-9]*")); len(stored) > 0 {
		cells[8] = hashOf(stateNumbers, slices.Max(stored))
	}
	return cells
}

// hashOf returns the hash of the bytes that reader returns for a path, or the text of its error.
func hashOf(reader func(path string) ([]byte, error), path string) string {
	b, err := reader(path)
	if err != nil {
		return "error: " + strings.ReplaceAll(err.Error(), path, filepath.Base(path))
	}
	return hash(b)
}

func hash(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8])
}

// pointNumbers returns the data of a .npy file of version 1, without its header.
func pointNumbers(path string) ([]byte, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if len(b) < 10 || string(b[:7]) != "\x93NUMPY\x01" || len(b) < 10+int(binary.LittleEndian.Uint16(b[8:])) {
		return nil, errors.New("not a .npy file of version 1")
	}
	return b[10+int(binary.LittleEndian.Uint16(b[8:])):], nil
}

// sample is a line of a trace; others have another type.
type sample struct {
	Type                   string
	Evals, Step, NonFinite int64
	Work, F, Best          json.Number
	Grid                   *bool // false: taken by the clock
}

// samples returns the samples of a trace that were not taken by the clock.
func samples(path string) (all []sample, err error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	for text := range bytes.Lines(b) {
		var s sample
		if err := json.Unmarshal(text, &s); err != nil {
			return nil, err
		}
		if s.Type == "sample" && s.Grid == nil {
			all = append(all, s)
		}
	}
	return all, nil
}

// traceNumbers returns the numbers of the samples of a trace, without times, devices and names.
func traceNumbers(path string) ([]byte, error) {
	all, err := samples(path)
	var out bytes.Buffer
	for _, s := range all {
		fmt.Fprintln(&out, s.Evals, s.Work, s.Step, s.F, s.Best, s.NonFinite)
	}
	return out.Bytes(), err
}

// halfway returns the best value after about half the evaluations of a run, and a value that no run reaches. A run that
// stops at the first one has the steps of the whole run; a smaller limit of evaluations would cut the last one short.
func halfway(folder string) (target, never string) {
	all, err := samples(filepath.Join(folder, "trace.jsonl"))
	if err != nil || len(all) == 0 {
		return "known", "known" // refused: there is no sample
	}
	half, last := all[0], all[len(all)-1]
	for _, s := range all {
		if s.Evals <= last.Evals/2 {
			half = s
		}
	}
	return half.Best.String(), unreachable(folder)
}

// unreachable returns a target that the run in a folder does not meet.
func unreachable(folder string) string {
	var result struct{ Sense string }
	text, err := os.ReadFile(filepath.Join(folder, "result.json"))
	if err == nil && json.Unmarshal(text, &result) == nil && result.Sense == "maximize" {
		return "1e300"
	}
	return "-1e300"
}
