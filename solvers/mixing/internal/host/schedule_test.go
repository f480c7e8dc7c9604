package host

import (
	"slices"
	"testing"
)

// Populations take turns as published. One that has stopped does not change the order of the others.
func TestSchedule(t *testing.T) {
	var s Schedule
	var got []int
	for range 21 {
		got = append(got, s.Turn()+1)
		s.Done()
	}
	if want := []int{1, 1, 1, 1, 2, 1, 1, 1, 1, 2, 1, 1, 1, 1, 2, 1, 1, 1, 1, 2, 3}; !slices.Equal(got, want) {
		t.Errorf("turns %v, want %v", got, want)
	}
	s = Schedule{Base: 1}
	got = nil
	for range 6 {
		got = append(got, s.Turn()+1)
		s.Done()
	}
	if want := []int{2, 2, 2, 2, 3, 2}; !slices.Equal(got, want) {
		t.Errorf("without the first: turns %v, want %v", got, want)
	}
}
