// Package ranks has what the processes that make a run together say to each other. Each is a rank: the ranks of one
// host, or of several. shard/mpi connects them.
package ranks

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
)

// Hosts connects the processes that make a run together, its ranks. Each has devices of its own, and all make the same
// calls with the same arguments. What the devices of one rank have computed reaches the others through AllGather
// alone, so that all ranks take the same decisions. A nil Hosts stands for one process.
//
// Hosts gathers and does not add: every rank adds all sums in the order of the super-tiles, and a result does not
// depend on which rank had which devices.
type Hosts interface {
	// Rank is the number of this process, from 0 to Size()-1.
	Rank() int
	// Size is the number of processes.
	Size() int
	// AllGather completes all, in which the bytes of rank r end at ends[r]. Each rank has filled its own. All ranks
	// call it with the same ends. The error is ErrInterrupted if another rank calls Interrupt instead.
	AllGather(all []byte, ends []int) error
	// Barrier waits for all ranks, as long as that takes. It comes before an exchange for which one rank may need
	// longer than others usually do.
	Barrier() error
	// Agree ends what all ranks do together, and reports whether it has ended the same way on all. A rank on which it
	// failed waits for the others a short time only: those that have not failed wait for it in an exchange.
	Agree(failed bool) bool
	// Interrupt gives up what the ranks do together, and waits until all have called it. They then begin anew.
	Interrupt() error
}

// ErrInterrupted is the error of an exchange to which another rank does not come, since it has called Hosts.Interrupt.
var ErrInterrupted = errors.New("another rank has interrupted the exchange")

// Error means that an exchange failed.
type Error struct{ Err error }

func (e *Error) Error() string { return e.Err.Error() }

func (e *Error) Unwrap() error { return e.Err }

// Messages returns the messages of all ranks, as JSON carries them. All ranks call it. With nil for h, own is the only
// one.
func Messages[T any](h Hosts, own T) ([]T, error) {
	text, err := json.Marshal(own)
	if err != nil {
		return nil, err
	}
	texts, err := texts(h, text)
	if err != nil {
		return nil, err
	}
	all := make([]T, len(texts))
	for r, text := range texts {
		if err := json.Unmarshal(text, &all[r]); err != nil {
			return nil, fmt.Errorf("ranks: rank %d: %w", r, err)
		}
	}
	return all, nil
}

// Announce sends a message of rank 0, as JSON carries it, to the other ranks, which call Announced.
func Announce(h Hosts, message any) error {
	text, err := json.Marshal(message)
	if err != nil {
		return err
	}
	_, err = announce(h, text)
	return err
}

// Announced receives a message of rank 0. It waits for it, as long as that takes.
func Announced(h Hosts, message any) error {
	text, err := announce(h, nil)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, message)
}

// announce returns the text of rank 0 on all ranks.
func announce(h Hosts, text []byte) ([]byte, error) {
	if h == nil {
		return text, nil
	}
	if err := h.Barrier(); err != nil {
		return nil, &Error{err}
	}
	all, err := texts(h, text)
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// texts returns the texts of all ranks. The first exchange is of their lengths.
func texts(h Hosts, own []byte) (all [][]byte, err error) {
	if h == nil {
		return [][]byte{own}, nil
	}
	n := h.Size()
	lengths, ends := make([]byte, 8*n), make([]int, n)
	binary.LittleEndian.PutUint64(lengths[8*h.Rank():], uint64(len(own)))
	for r := range ends {
		ends[r] = 8 * (r + 1)
	}
	if err := h.AllGather(lengths, ends); err != nil {
		return nil, &Error{err}
	}
	total := 0
	for r := range ends {
		total += int(binary.LittleEndian.Uint64(lengths[8*r:]))
		ends[r] = total
	}
	text := make([]byte, total)
	copy(text[ends[h.Rank()]-len(own):], own)
	if err := h.AllGather(text, ends); err != nil {
		return nil, &Error{err}
	}
	from := 0
	for _, end := range ends {
		all = append(all, text[from:end])
		from = end
	}
	return all, nil
}
