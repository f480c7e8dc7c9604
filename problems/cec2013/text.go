package cec2013

import (
	"math"
	"slices"
	"strconv"

	"github.com/clopt/clopt/problems"
)

// Text returns kernels/problems/cec2013/cec2013.cl with the file of the form, and the data of a block as tables by
// position, or cec2013/stretched.cl with tables of powers. F7, F11, F13 and F14 reach 1e43 inside the box and are
// refused in FP32.
func (c *CEC2013) Text(p problems.Precision, form problems.Form) (problems.Text, error) {
	if err := problems.CheckText(p, form); err != nil {
		return problems.Text{}, err
	}
	switch c.f {
	case 7, 11, 13, 14:
		if p == problems.FP32 {
			return problems.Text{}, &problems.PrecisionError{Spec: c.Spec(), Precision: p}
		}
	}
	if form == problems.Residuals && c.structure.Squares(0) == 0 {
		return problems.Text{}, problems.ErrNoForm
	}
	if c.stretched() {
		return c.stretchedText(form), nil
	}
	return c.blockText(p, form), nil
}

// baseDefines returns the base function and the numbers of all of them.
func (c *CEC2013) baseDefines() problems.Defines {
	defs := problems.Defines{}
	defs.Add("CEC_BASE", int(kinds[c.f].base))
	for _, b := range []struct {
		name string
		base cecBase
	}{
		{"CEC_ELLIPTIC", cecElliptic}, {"CEC_RASTRIGIN", cecRastrigin}, {"CEC_ACKLEY", cecAckley},
		{"CEC_SCHWEFEL", cecSchwefel}, {"CEC_ROSENBROCK", cecRosenbrock}, {"CEC_SPHERE", cecSphere},
	} {
		defs.Add(b.name, int(b.base))
	}
	return defs
}

// stretchedText is Text of one base function over all variables.
func (c *CEC2013) stretchedText(form problems.Form) problems.Text {
	t := problems.Text{Parts: append(c.transforms(), "problems/cec2013/stretched.cl")}
	defs := c.baseDefines()
	if form == problems.Partial {
		t.Parts = append(t.Parts, objective)
		defs.Add("CEC_DIM", problems.Literal(float64(c.n)))
	}
	if c.f != 12 {
		defs.Add("CEC_STEP", problems.Literal(1/float64(c.n-1)))
		t.Tables = c.powers()
	}
	t.Defines = defs
	return t
}

// blockText is Text of a function that is made of blocks.
func (c *CEC2013) blockText(p problems.Precision, form problems.Form) problems.Text {
	largest := 0
	for _, g := range c.groups[:c.closed()] {
		largest = max(largest, g.size)
	}
	t := problems.Text{Parts: append(c.transforms(), "problems/cec2013/cec2013.cl"),
		Defines: c.blockDefines(p, largest), Tables: c.tables(form)}
	if form == problems.Tile {
		t.Parts = append(t.Parts, "problems/cec2013/tile.cl")
		t.Cooperative = true
		t.Scratch = 2 * cecBlock
		c.panel(&t)
		return t
	}
	t.Parts, t.Scratch = append(t.Parts, "problems/cec2013/item.cl"), 2*largest
	switch form {
	case problems.Partial:
		t.Parts = append(t.Parts, objective)
	case problems.Residuals:
		t.Parts = append(t.Parts, "problems/cec2013/residuals.cl")
	}
	return t
}

// blockDefines returns the defines of a block, whose largest group has that many variables, and of its shifts.
func (c *CEC2013) blockDefines(p problems.Precision, largest int) problems.Defines {
	defs := c.baseDefines()
	closed := c.closed()
	single := cecBlock // first position that is a component of its own
	if closed < len(c.groups) {
		single = c.groups[closed].start
	}
	rotated := 0 // positions that are rotated
	for _, g := range c.groups {
		if g.rotate != nil {
			rotated = g.start + g.size
		}
	}
	defs.Add("CEC_POSITIONS", cecBlock)
	defs.Add("CEC_READ", slices.Max(c.from)+1)
	defs.Add("CEC_GROUPS", closed)
	defs.Add("CEC_SINGLE", single)
	defs.Add("CEC_ROTATED", rotated)
	defs.Add("CEC_COMPS", c.components())
	defs.Add("CEC_BATCH", c.batch())
	defs.Add("CEC_TASKS", len(c.tasks(nil))/(3+c.batch()))
	defs.Add("CEC_CHUNK", cecSizes[0]) // divides every size
	defs.Add("CEC_LARGEST", largest)
	defs.Add("CEC_SHIFT", c.shiftKind())
	if c.mode == ModeDistinct {
		reach := cecReach * kinds[c.f].Box
		high := float64(float32(reach))
		if p == problems.FP64 {
			high = reach
		}
		defs.Add("CEC_SEED", strconv.Itoa(cecSeed)+"u")
		defs.Add("CEC_FUNCTION", strconv.Itoa(c.f)+"u")
		defs.Add("CEC_REACH", problems.Literal(high))
		defs.Add("CEC_REACH_LO", problems.Literal(reach-high))
		defs.Add("CEC_BY_POSITION", problems.Flag(c.f == 14))
	}
	return defs
}

// transforms returns the texts of T_osz and T_asy.
func (c *CEC2013) transforms() []string {
	parts := []string{"lib/tosz.cl", "lib/eight.cl", "lib/tosz.cl"}
	if c.bare {
		parts = append(parts, "problems/cec2013/untransformed.cl")
	}
	return parts
}

// lambda returns 10^(u/2), or 1 without transformations.
func (c *CEC2013) lambda(u float64) float64 {
	if c.bare {
		return 1
	}
	return math.Pow(10, u/2)
}

// objective is the text of the objective on the device.
const objective = "problems/cec2013/objective.cl"

// shiftKind returns 0 for no shift, 1 for the table, and 2 for the table in block 0 and drawn shifts in the others.
func (c *CEC2013) shiftKind() int {
	switch c.mode {
	case ModePaper:
		return 0
	case ModeDistinct:
		return 2
	}
	return 1
}

// powers returns the tables of 10^(e·i/(n-1)) for the stretched functions, with e = 6 for elliptic, 1/2 for others, and
// 0 without transformations. The power of i is coarse[i/1024]·fine[i mod 1024].
func (c *CEC2013) powers() []problems.Table {
	e := 0.5
	switch {
	case kinds[c.f].base == cecElliptic:
		e = 6
	case c.bare:
		e = 0
	}
	e /= float64(c.n - 1)
	coarse, fine := make([]float64, (c.n+1023)/1024), make([]float64, 1024)
	for i := range coarse {
		coarse[i] = math.Pow(10, e*float64(1024*i))
	}
	for i := range fine {
		fine[i] = math.Pow(10, e*float64(i))
	}
	return []problems.Table{{Name: "coarse", Real: coarse}, {Name: "fine", Real: fine}}
}

// tables returns the tables that the base function of c reads. By position: from, shift, group, u, lambda = 10^(u/2),
// and coef = weight, times 10^(6u) for elliptic. By group: start, size, turn (where its rotation starts in rot), and
// weight. rot holds the rotations of sizes 25, 50 and 100 by columns: turn + j·size + i is row i, column j, so that the
// work-items of neighbouring rows read neighbours.
func (c *CEC2013) tables(form problems.Form) []problems.Table {
	var from, group, start, size, turn []uint32
	var u, lambda, coef, weight, rot []float64
	place := map[int]int{}
	for _, g := range c.groups {
		if _, ok := place[g.size]; g.rotate == nil || ok {
			continue
		}
		place[g.size] = len(rot)
		for j := range g.size {
			for i := range g.size {
				rot = append(rot, g.rotate[i*g.size+j])
			}
		}
	}
	for _, v := range c.from {
		from = append(from, uint32(v))
	}
	for k, g := range c.groups {
		start, size = append(start, uint32(g.start)), append(size, uint32(g.size))
		turn, weight = append(turn, uint32(place[g.size])), append(weight, g.weight)
		for i := range g.size {
			ui := float64(i) / float64(g.size-1)
			group = append(group, uint32(k))
			u = append(u, ui)
			lambda = append(lambda, c.lambda(ui))
			if g.base == cecElliptic {
				coef = append(coef, g.weight*math.Pow(10, 6*ui))
			} else {
				coef = append(coef, g.weight)
			}
		}
	}
	t := []problems.Table{{Name: "from", Uint: from}}
	if form == problems.Tile && len(rot) > 0 {
		t = append(t, problems.Table{Name: "task", Uint: c.tasks(place)})
	}
	if c.shift != nil {
		t = append(t, problems.Table{Name: "shift", Real: c.shift, Pair: true})
	}
	base := kinds[c.f].base
	if c.closed() > 0 {
		t = append(t, problems.Table{Name: "group", Uint: group}, problems.Table{Name: "start", Uint: start},
			problems.Table{Name: "size", Uint: size}, problems.Table{Name: "weight", Real: weight})
	}
	if len(rot) > 0 {
		t = append(t, problems.Table{Name: "turn", Uint: turn}, problems.Table{Name: "rot", Real: rot})
	}
	if base == cecRastrigin || base == cecAckley || base == cecSchwefel {
		t = append(t, problems.Table{Name: "u", Real: u})
	}
	if base == cecRastrigin || base == cecAckley {
		t = append(t, problems.Table{Name: "lambda", Real: lambda})
	}
	if base == cecElliptic || base == cecRastrigin {
		t = append(t, problems.Table{Name: "coef", Real: coef})
	}
	return t
}

// rotated returns the first positions of the rotated groups of a size.
func (c *CEC2013) rotated(size int) (starts []uint32) {
	for _, g := range c.groups {
		if g.rotate != nil && g.size == size {
			starts = append(starts, uint32(g.start))
		}
	}
	return starts
}

// batch returns how many groups of one size an item rotates together, so that it reads an element of their common
// matrix once. It is 5 for functions with five groups of 50, five of 100 and ten of 25, and 1 for F4 to F7, where the
// numbers of groups of a size have no common divisor.
func (c *CEC2013) batch() int {
	if len(c.groups) == 20 {
		return 5
	}
	return 1
}

// tasks returns the tasks of items in the rotation, the longest first: row i of batch groups of one size. A task is the
// size, i, the index in rot of column 0 of the row (place has the index of the matrix of a size), and batch group
// starts.
func (c *CEC2013) tasks(place map[int]int) []uint32 {
	var tasks []uint32
	for _, size := range []int{cecSizes[2], cecSizes[1], cecSizes[0]} {
		starts := c.rotated(size)
		for batch := range slices.Chunk(starts, c.batch()) {
			for i := range size {
				tasks = append(tasks, uint32(size), uint32(i), uint32(place[size]+i))
				tasks = append(tasks, batch...)
			}
		}
	}
	return tasks
}
