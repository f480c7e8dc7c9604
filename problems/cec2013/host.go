package cec2013

import (
	"math"
)

// HostTile adds tile t to acc by the formulas of the report in plain float64: shift, permutation, rotation, and then
// the base functions, each with its own transforms.
func (c *CEC2013) HostTile(t int, x, acc []float64) {
	if c.stretched() {
		lo, hi := c.Tiling().Reads(t)
		c.hostTerms(lo, x[:hi-lo], acc)
		return
	}
	var z, y [cecBlock]float64
	for p, v := range c.from {
		z[p] = x[v]
		if c.shift != nil {
			z[p] -= c.shiftAt(t, p)
		}
	}
	for _, g := range c.groups {
		acc[0] += g.weight * c.value(g.base, g.turned(z[g.start:g.start+g.size], y[:g.size]))
	}
}

// HostComponent adds to acc a group, or one term of a base function that is a sum.
func (c *CEC2013) HostComponent(k, first int, x, acc []float64) {
	if c.stretched() {
		reach := 1
		if c.f == 12 {
			reach = 2
		}
		c.hostTerms(k, x[k-first:k-first+reach], acc)
		return
	}
	per, closed := c.components(), c.closed()
	block, k := k/per, k%per
	if k < closed {
		g := c.groups[k]
		acc[0] += g.weight * c.value(g.base, c.group(block, g, first, x))
		return
	}
	g := c.groups[closed]
	i := k - closed
	v, u := c.z(block, g.start+i, first, x), float64(i)/float64(g.size-1)
	switch g.base {
	case cecElliptic:
		v = cecEllipticTerm(v, u)
	case cecRastrigin:
		v = cecRastriginTerm(v, u, cecLambda(g.size)[i])
	case cecRosenbrock:
		v = c.value(cecRosenbrock, []float64{v, c.z(block, g.start+i+1, first, x)})
	case cecSphere:
		v *= v
	}
	acc[0] += g.weight * v
}

// HostInner adds the inner sums of component k, a group of Ackley's function, to inner: the sums of y² and of sin²(πy).
// x[0] is variable number first, as in HostComponent.
func (c *CEC2013) HostInner(k, first int, x, inner []float64) {
	per := c.components()
	squares, waves := c.ackleySums(c.group(k/per, c.groups[k%per], first, x))
	inner[0] += squares
	inner[1] += waves
}

// z returns z of position p in a block. x[0] is variable number first.
func (c *CEC2013) z(block, p, first int, x []float64) float64 {
	v := x[block*cecBlock+c.from[p]-first]
	if c.shift != nil {
		v -= c.shiftAt(block, p)
	}
	return v
}

// group returns z of the positions of group g in a block, rotated. x[0] is variable number first.
func (c *CEC2013) group(block int, g cecGroup, first int, x []float64) []float64 {
	z := make([]float64, g.size)
	for i := range z {
		z[i] = c.z(block, g.start+i, first, x)
	}
	return g.turned(z, make([]float64, g.size))
}

// turned returns the rotation of z, which it writes to out, or z where the group has no rotation.
func (g cecGroup) turned(z, out []float64) []float64 {
	if g.rotate == nil {
		return z
	}
	for i := range out {
		row, s := g.rotate[i*g.size:(i+1)*g.size], 0.0
		for j, r := range row {
			s += r * z[j]
		}
		out[i] = s
	}
	return out
}

// hostTerms adds terms of a function over all n variables, those from variable lo on, with u_i = i/(n-1) and no shift.
// x holds the variables that they read.
func (c *CEC2013) hostTerms(lo int, x, acc []float64) {
	base := kinds[c.f].base
	if base == cecRosenbrock {
		acc[0] += c.value(cecRosenbrock, x)
		return
	}
	for i, z := range x {
		u := float64(lo+i) / float64(c.n-1)
		switch base {
		case cecElliptic:
			acc[0] += cecEllipticTerm(z, u)
		case cecRastrigin:
			acc[0] += cecRastriginTerm(z, u, math.Pow(10, u/2))
		case cecAckley:
			y := c.ackleyTerm(z, u, math.Pow(10, u/2))
			acc[0] += y * y
			acc[1] += cecSin2(y)
		}
	}
}

// value returns a base function of a whole vector, with u_i = i/(len(z)-1).
func (c *CEC2013) value(base cecBase, z []float64) float64 {
	n, sum := len(z), 0.0
	switch base {
	case cecElliptic:
		for i, v := range z {
			sum += cecEllipticTerm(v, float64(i)/float64(n-1))
		}
	case cecRastrigin:
		lambda := cecLambda(n)
		for i, v := range z {
			sum += cecRastriginTerm(v, float64(i)/float64(n-1), lambda[i])
		}
	case cecAckley:
		squares, waves := c.ackleySums(z)
		return cecAckleyOf(squares, waves, n)
	case cecSchwefel:
		prefix := 0.0
		for i, v := range z {
			prefix += cecAsy(cecOsz(v), float64(i)/float64(n-1))
			sum += prefix * prefix
		}
	case cecRosenbrock:
		for i := range n - 1 {
			a, b := z[i]*z[i]-z[i+1], z[i]-1
			sum += 100*a*a + b*b
		}
	case cecSphere:
		for _, v := range z {
			sum += v * v
		}
	}
	return sum
}

func cecEllipticTerm(z, u float64) float64 {
	y := cecOsz(z)
	return math.Pow(10, 6*u) * y * y
}

// cecRastriginTerm is y² - 10 cos(2πy) + 10, as y² + 20 sin²(πy), which loses
// no digits near 0.
func cecRastriginTerm(z, u, lambda float64) float64 {
	y := lambda * cecAsy(cecOsz(z), u)
	return y*y + 20*cecSin2(y)
}

// ackleyTerm returns y of Ackley's function, Λ(T_asy(T_osz(z))) or z.
func (c *CEC2013) ackleyTerm(z, u, lambda float64) float64 {
	if c.bare {
		return z
	}
	return lambda * cecAsy(cecOsz(z), u)
}

// ackleySums returns Σ y² and Σ sin²(πy).
func (c *CEC2013) ackleySums(z []float64) (squares, waves float64) {
	lambda := cecLambda(len(z))
	for i, v := range z {
		y := c.ackleyTerm(v, float64(i)/float64(len(z)-1), lambda[i])
		squares += y * y
		waves += cecSin2(y)
	}
	return squares, waves
}

// cecAckleyOf returns the Ackley function of n variables y from Σ y² and Σ sin²(πy): -20 exp(-0.2 √(Σy²/n)) -
// exp(Σcos(2πy)/n) + 20 + e, in a form that loses no digits near 0.
func cecAckleyOf(squares, waves float64, n int) float64 {
	m := float64(n)
	return -20*math.Expm1(-0.2*math.Sqrt(squares/m)) - math.E*math.Expm1(-2*waves/m)
}

// cecOsz is T_osz, the irregularities:
// sign(z) exp(L + 0.049 (sin(c1 L) + sin(c2 L))), L = ln|z|.
func cecOsz(z float64) float64 {
	if z == 0 {
		return 0
	}
	l := math.Log(math.Abs(z))
	if z > 0 {
		return math.Exp(l + 0.049*(math.Sin(10*l)+math.Sin(7.9*l)))
	}
	return -math.Exp(l + 0.049*(math.Sin(5.5*l)+math.Sin(3.1*l)))
}

// cecAsy is T_asy with beta = 0.2, the asymmetry: z^(1 + 0.2 u √z) for z > 0.
func cecAsy(z, u float64) float64 {
	if z > 0 {
		return math.Pow(z, 1+0.2*u*math.Sqrt(z))
	}
	return z
}

// cecSin2 returns sin²(πy). It first subtracts the whole part of y, which is exact.
func cecSin2(y float64) float64 {
	s := math.Sin(math.Pi * (y - math.Round(y)))
	return s * s
}

// cecLambda is the diagonal of Λ with alpha = 10: 10^(u_i/2), for the lengths
// that groups have.
func cecLambda(n int) []float64 { return cecLambdas[n] }

var cecLambdas = func() map[int][]float64 {
	all := map[int][]float64{}
	for _, n := range []int{25, 50, 100, 700, cecBlock} {
		for i := range n {
			all[n] = append(all[n], math.Pow(10, float64(i)/float64(n-1)/2))
		}
	}
	return all
}()
