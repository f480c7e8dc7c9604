package relay

import (
	"context"
	"fmt"
	"strconv"

	"github.com/clopt/clopt/internal/solvers/checkpoint"
	"github.com/clopt/clopt/solvers"
)

// State returns the state of the run, with those of its legs. A run that was just started is at its first leg; when the
// state has been loaded, it begins those that were stored.
func (r *run) State() *solvers.State {
	st := &solvers.State{Host: &r.state}
	legs := make([]*solvers.State, len(r.legs))
	r.Legs = make([][]uint8, len(r.legs))
	for k, leg := range r.legs {
		if leg != nil {
			legs[k] = leg.State()
			r.Legs[k] = checkpoint.Encode(legs[k].Host)
		}
	}
	r.join(st, legs)
	st.Arrange = func() error {
		legs, err := r.arrange()
		if err == nil {
			r.join(st, legs)
		}
		return err
	}
	return st
}

// arrange opens the legs of the state that has been loaded, and returns their states.
func (r *run) arrange() ([]*solvers.State, error) {
	legs := make([]*solvers.State, len(r.legs))
	if n := len(legs); r.At < 0 || r.At >= n || len(r.Searches) != n || len(r.Legs) != n ||
		r.Legs[r.At] == nil && !r.Searches[r.At].Dropped {
		return nil, &checkpoint.Damage{Msg: fmt.Sprintf("search %d of a relay of %d methods", r.At, len(r.Searches))}
	}
	for k, text := range r.Legs {
		if r.closeLeg(k); text == nil {
			continue
		}
		if err := r.open(context.Background(), k); err != nil {
			return nil, err
		}
		legs[k] = r.legs[k].State()
		if err := checkpoint.Decode(text, legs[k].Host); err != nil {
			return nil, fmt.Errorf("search %d: %w", k, err)
		}
		if arrange := legs[k].Arrange; arrange != nil {
			if err := arrange(); err != nil {
				return nil, fmt.Errorf("search %d: %w", k, err)
			}
		}
	}
	return legs, nil
}

// join lists the vectors of legs in st, those of one leg after those of another, and the pieces likewise. In the pieces
// of one leg the vectors of others have no columns. A leg that has made no step has no vectors yet.
func (r *run) join(st *solvers.State, legs []*solvers.State) {
	var begun []*solvers.State
	st.Vectors, st.Pieces = nil, 0
	for k, leg := range legs {
		if leg == nil || r.Searches[k].Leg.Step == 0 {
			continue
		}
		for _, v := range leg.Vectors {
			v.Name = strconv.Itoa(k) + " " + v.Name
			v.Columns = append(make([]solvers.Columns, st.Pieces), v.Columns...)
			st.Vectors = append(st.Vectors, v)
		}
		begun = append(begun, leg)
		st.Pieces += leg.Pieces
		st.Common = leg.Common
	}
	for i, v := range st.Vectors {
		st.Vectors[i].Columns = append(v.Columns, make([]solvers.Columns, st.Pieces-len(v.Columns))...)
	}
	st.Each = func(f func(piece int) error) error {
		first := 0
		for _, leg := range begun {
			if len(leg.Vectors) > 0 {
				if err := leg.Each(func(piece int) error { return f(first + piece) }); err != nil {
					return err
				}
			}
			first += leg.Pieces
		}
		return nil
	}
	st.Restored = func(ctx context.Context) error {
		for _, leg := range begun {
			if leg.Restored == nil {
				continue
			}
			if err := leg.Restored(ctx); err != nil {
				return err
			}
		}
		return nil
	}
}
