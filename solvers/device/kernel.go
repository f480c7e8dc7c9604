package device

import (
	"fmt"
	"maps"
	"strings"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/shard"
)

// Values are arguments of kernels, by the names of their parameters: vectors, and numbers of the types that
// cl.Kernel.Launch takes. A non-negative int is passed as a uint32.
type Values map[string]any

// Programs are built for the places of a Memory, each on the device with the index device. A
// shard.Placement has one place for each shard, a partial.Placement one for each device.
type Programs interface {
	Program(place int) (p *shard.Program, device int)
}

// Kernel is a kernel on all devices of a run. The names of its parameters are listed once.
type Kernel struct {
	programs Programs
	name     string
	params   []string
	at       map[string]int // place of a name in params
	slots    map[int]slot   // by place
	on       []*cl.Kernel   // by device; set by the first launch
}

// slot has the arguments of the launches at one place.
type slot struct {
	fixed []any // from Share.Values, the vectors and the tables; nil: every launch gives the argument
	args  []any // of the last launch
}

// Tables is the last name in a list of parameters if the kernel has those of DATA_PARAMS.
const Tables = "tables"

// Kernel returns a kernel. params has the names of its parameters in order, separated by spaces. If a
// driver reports the names and types in the device text, the first launch compares them.
func (m *Memory) Kernel(p Programs, name, params string) *Kernel {
	k := &Kernel{programs: p, name: name, params: strings.Fields(params), at: map[string]int{}, slots: map[int]slot{}}
	tables := false
	if n := len(k.params); n > 0 && k.params[n-1] == Tables {
		tables, k.params = true, k.params[:n-1]
	}
	for i, name := range k.params {
		k.at[name] = i
	}
	devices := 0
	for place, share := range m.shares {
		program, device := p.Program(place)
		devices = max(devices, device+1)
		var s slot
		for _, name := range k.params {
			s.fixed = append(s.fixed, argument(share.args[name]))
		}
		if tables {
			s.fixed = append(s.fixed, program.Tables...)
		}
		s.args = make([]any, len(s.fixed))
		k.slots[place] = s
	}
	k.on = make([]*cl.Kernel, devices)
	return k
}

// Launch queues the kernel on the device of a place over global work-items in groups of local, like
// cl.Kernel.Launch. The arguments are those of Share.Values and the vectors, and in their place or in addition
// those of more, where names that are not parameters of this kernel are ignored. An argument without a value is
// an error. Launches at one place must not overlap.
func (k *Kernel) Launch(place int, global, local []int, more Values) error {
	s := k.slots[place]
	copy(s.args, s.fixed)
	for name, v := range more {
		if i, ok := k.at[name]; ok {
			s.args[i] = argument(v)
		}
	}
	program, device := k.programs.Program(place)
	if k.on[device] == nil {
		var err error
		k.on[device], err = k.find(program, s.args)
		if err != nil {
			return err
		}
	}
	return k.on[device].Launch(global, local, s.args...)
}

// find returns the kernel of a program, after it has compared the parameters with args.
func (k *Kernel) find(program *shard.Program, args []any) (*cl.Kernel, error) {
	types := make([]cl.Arg, len(args))
	for i, v := range args {
		if v == nil {
			return nil, fmt.Errorf("kernel %s: no value for its parameter %s", k.name, k.params[i])
		}
		types[i] = cl.ArgOf(v)
	}
	found, err := program.Kernel(k.name, types...)
	if err != nil {
		return nil, err
	}
	for i, text := range found.Parameters()[:len(k.params)] {
		if text != "" && text != k.params[i] {
			return nil, fmt.Errorf("kernel %s: parameter %d is %s in the device text and %s in Go", k.name, i, text,
				k.params[i])
		}
	}
	return found, nil
}

// argument converts a value to a type that cl.Kernel.Launch takes.
func argument(v any) any {
	switch v := v.(type) {
	case int:
		if v < 0 || int64(v) > 1<<32-1 {
			panic(fmt.Sprintf("device: %d as an argument of type uint", v))
		}
		return uint32(v)
	case interface{ Arg() any }:
		return v.Arg()
	}
	return v
}

// arguments returns the values and vectors of a share, by the names of parameters.
func (s *Share) arguments() Values {
	args := Values{}
	for _, v := range s.Vectors {
		if v.Rows > 0 {
			args[v.Name] = v.value()
		}
	}
	maps.Copy(args, s.Values)
	return args
}
