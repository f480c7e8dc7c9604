// Package stages measures what happens from the start of a command to the first step of a run.
package stages

import (
	"maps"
	"sync"
	"time"
)

// Stage is a part of the start of a run. "" is none.
type Stage string

// The stages. A run may skip some, and come back to others.
const (
	Read    Stage = "read"    // the problem, its files and settings
	Choose  Stage = "choose"  // a method, which needs the structure of the problem
	Plan    Stage = "plan"    // the memory
	Trial   Stage = "trial"   // of the objective, with every read watched
	Devices Stage = "devices" // they are opened
	Files   Stage = "files"   // of the run folder
	Points  Stage = "points"  // to begin at
	Build   Stage = "build"   // programs, and memory on devices
	Check   Stage = "check"   // of the devices, against the host or each other
	First   Stage = "first"   // step of the method
)

// All are the stages, in their order.
var All = []Stage{Read, Choose, Plan, Trial, Devices, Files, Points, Build, Check, First}

// InWords says what happens in a stage.
func (s Stage) InWords() string {
	switch s {
	case Read:
		return "reading the problem"
	case Choose:
		return "choosing the method"
	case Plan:
		return "planning the memory"
	case Devices:
		return "opening devices"
	case Trial:
		return "trying the objective"
	case Files:
		return "making the run folder"
	case Points:
		return "looking for start points"
	case Check:
		return "checking the devices"
	case First:
		return "first step, in which drivers may still compile"
	}
	return "building kernels"
}

// Log measures the time of each stage. One stage runs at a time. A nil Log measures nothing. Several goroutines may use
// a Log at the same time.
type Log struct {
	mu        sync.Mutex
	began, at time.Time // of the first stage, and of the one that runs
	stage     Stage     // that runs; "": none
	took      map[Stage]time.Duration
}

// Begin returns a log whose first stage begins.
func Begin(s Stage) *Log {
	l := &Log{began: time.Now(), took: map[Stage]time.Duration{}}
	l.Next(s)
	return l
}

// Next ends the stage that runs, and begins another one; "" begins none. The times of a stage add up.
func (l *Log) Next(s Stage) {
	if l != nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.next(s)
	}
}

func (l *Log) next(s Stage) {
	now := time.Now()
	if l.stage != "" {
		l.took[l.stage] += now.Sub(l.at)
	}
	l.stage, l.at = s, now
}

// During begins a stage in the middle of another one, to which end goes back. Where none runs, it does nothing.
func (l *Log) During(s Stage) (end func()) {
	outer := l.Now()
	if outer == "" {
		return func() {}
	}
	l.Next(s)
	return func() { l.Next(outer) }
}

// Now returns the stage that runs.
func (l *Log) Now() Stage {
	if l == nil {
		return ""
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.stage
}

// Elapsed returns the time since the first stage began.
func (l *Log) Elapsed() time.Duration {
	if l == nil {
		return 0
	}
	return time.Since(l.began)
}

// Take ends the stage that runs, and returns the times of all since the last Take.
func (l *Log) Take() map[Stage]time.Duration {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.next("")
	took := maps.Clone(l.took)
	clear(l.took)
	return took
}
