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

// none is the cell of what a run does not have.
const none = "-"

// read makes the cells from f on of a run folder.
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

// hashOf hashes what a reader finds at a path; an error is the cell.
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

// pointNumbers is the data of a .npy file of version 1, without its head.
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

// traceNumbers is what a trace says but for times, devices, events and names. Samples that were taken by the clock
// are left out.
func traceNumbers(path string) ([]byte, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	for text := range bytes.Lines(b) {
		var l struct {
			Type                                  string
			Evals, Work, Step, F, Best, NonFinite json.Number
			Grid                                  *bool
		}
		if err := json.Unmarshal(text, &l); err != nil {
			return nil, err
		}
		if l.Type == "sample" && l.Grid == nil {
			fmt.Fprintln(&out, l.Evals, l.Work, l.Step, l.F, l.Best, l.NonFinite)
		}
	}
	return out.Bytes(), nil
}
