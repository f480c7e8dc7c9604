package main

import (
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/clopt/clopt/internal/problems/input"
)

// files are the data of an objective.
type files struct {
	t   *testing.T
	dir string
}

// table returns the numbers of a table, one row after the other.
func (f files) table(name string) []float64 {
	f.t.Helper()
	table, err := input.ReadTableFile(filepath.Join(f.dir, name+".npy"))
	if err != nil {
		f.t.Fatal(err)
	}
	return table.Values
}

// lists returns lists of variables.
func (f files) lists(name string) (lists [][]int) {
	f.t.Helper()
	text, err := os.ReadFile(filepath.Join(f.dir, name+".txt"))
	if err != nil {
		f.t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var list []int
		for _, word := range strings.Fields(line) {
			i, err := strconv.Atoi(word)
			if err != nil {
				f.t.Fatal(err)
			}
			list = append(list, i)
		}
		lists = append(lists, list)
	}
	return lists
}

func sq(v float64) float64 { return v * v }

// sum adds the values of a function at 0 to n-1.
func sum(n int, term func(k int) float64) (all float64) {
	for k := range n {
		all += term(k)
	}
	return all
}

// references are the objectives in Go, by name.
var references = map[string]func(x []float64, f files) float64{
	"beam": func(x []float64, _ files) float64 {
		n := len(x)
		return sum(n-2, func(k int) float64 {
			return 1000*sq(x[k]-2*x[k+1]+x[k+2]) - 0.001*x[k+1]*(1+math.Sin(0.01*float64(k)))
		}) + 1000*(sq(x[0])+sq(x[1])+sq(x[n-2])+sq(x[n-1]))
	},
	"chain": func(x []float64, _ files) float64 {
		return sum(len(x), func(k int) float64 { return 1 - math.Cos(2*math.Pi*(x[k]-math.Round(x[k]))) }) +
			sum(len(x)-1, func(k int) float64 { return 0.5 * sq(x[k+1]-x[k]-1.3) })
	},
	"expsum": func(x []float64, _ files) float64 {
		n := float64(len(x))
		return math.Exp(sum(len(x), func(k int) float64 {
			return math.Log(1 + sq(x[k]-1) + 0.3*(1-math.Cos(9*(x[k]-1))))
		})/n) * (1 + sum(len(x), func(k int) float64 { return math.Abs(x[k] - 1.5) })/n)
	},
	"factors": func(x []float64, f files) float64 {
		b, lists := f.table("factors"), f.lists("factors")
		return sum(len(b), func(k int) float64 {
			v := lists[k]
			return sq(sum(4, func(j int) float64 { return x[v[j]] * x[v[4+j]] }) - b[k])
		})
	},
	"image": func(x []float64, f files) float64 {
		const size = 150
		a := f.table("image")
		return sum(len(x), func(k int) float64 {
			right, down := 0.0, 0.0
			if k%size < size-1 {
				right = x[k+1] - x[k]
			}
			if k/size < size-1 {
				down = x[k+size] - x[k]
			}
			return 0.5*sq(x[k]-a[k]) + 0.1*math.Sqrt(sq(right)+sq(down)+1e-6)
		})
	},
	"kmeans": func(x []float64, f files) float64 {
		p := f.table("kmeans")
		return sum(len(p)/2, func(k int) float64 {
			nearest := math.Inf(1)
			for c := 0; c < len(x); c += 2 {
				nearest = min(nearest, sq(x[c]-p[2*k])+sq(x[c+1]-p[2*k+1]))
			}
			return nearest
		})
	},
	"levy": func(x []float64, _ files) float64 {
		n := len(x)
		w := func(k int) float64 { return 1 + (x[k]-1)/4 }
		return sq(math.Sin(math.Pi*w(0))) + sum(n-1, func(k int) float64 {
			return sq(w(k)-1) * (1 + 10*sq(math.Sin(math.Pi*w(k)+1)))
		}) + sq(w(n-1)-1)*(1+sq(math.Sin(2*math.Pi*w(n-1))))
	},
	"logit": func(x []float64, f files) float64 {
		a := f.table("logit")
		return sum(len(a)/len(x), func(k int) float64 {
			m := dot(x, a[k*len(x):(k+1)*len(x)])
			return math.Max(0, -m) + math.Log1p(math.Exp(-math.Abs(m)))
		}) + 0.05*dot(x, x)
	},
	"michalewicz": func(x []float64, _ files) float64 {
		return -sum(len(x), func(k int) float64 {
			return math.Sin(x[k]) * math.Pow(math.Sin(float64(k+1)*sq(x[k])/math.Pi), 20)
		})
	},
	"million": func(x []float64, _ files) float64 {
		return sum(len(x), func(k int) float64 {
			return sq(sq(x[k])) - 16*sq(x[k]) + (5+math.Sin(0.001*float64(k)))*x[k]
		})
	},
	"minimax": func(x []float64, _ files) float64 {
		return math.Pow(sum(200, func(k int) float64 {
			t := 0.01*float64(k) - 1
			p := sum(len(x), func(j int) float64 { return x[j] * math.Pow(0.9*t, float64(j)) })
			return math.Pow(p-math.Abs(t), 16)
		}), 1.0/16)
	},
	"morse": func(x []float64, _ files) float64 {
		return sum(25, func(k int) float64 {
			return sum(k, func(j int) float64 {
				r := math.Sqrt(sum(3, func(c int) float64 { return sq(x[3*k+c] - x[3*j+c]) }) + 1e-12)
				return sq(math.Exp(6*(1-r))-1) - 1
			})
		})
	},
	"net": func(x []float64, f files) float64 {
		p := f.table("net")
		return sum(len(p)/3, func(k int) float64 {
			return sq(x[48] - p[3*k+2] + sum(12, func(h int) float64 {
				return x[4*h+3] * math.Tanh(x[4*h]*p[3*k]+x[4*h+1]*p[3*k+1]+x[4*h+2])
			}))
		})
	},
	"noise": func(x []float64, _ files) float64 {
		return sum(len(x), func(k int) float64 {
			h := math.Sin(float64(x[k]*1234.567)+float64(k)) * 43758.5453
			return sq(x[k]-1) + h - math.Floor(h)
		})
	},
	"order": func(x []float64, f files) float64 {
		y := f.table("order")
		return sum(len(x), func(k int) float64 {
			v := math.Abs(x[k] - y[k])
			if k+1 < len(x) && x[k+1] < x[k] {
				v += 1 + x[k] - x[k+1]
			}
			return v
		})
	},
	"overlap": func(x []float64, _ files) float64 {
		return sum((len(x)-2)/4, func(k int) float64 {
			s, q, p := 0.0, 0.0, 1.0
			for j, v := range x[4*k : 4*k+6] {
				v -= 0.7
				s, q, p = s+float64(j+1)*v, q+v*v, p*math.Cos(v/math.Sqrt(float64(j+1)))
			}
			return q/20 + 1 - p + s*s/10
		})
	},
	"pendulum": func(x []float64, _ files) float64 {
		n := len(x)
		return sum(n/3-1, func(k int) float64 {
			angle, speed, force := x[3*k], x[3*k+1], x[3*k+2]
			return 0.01*sq(force) + 1000*sq(x[3*k+3]-angle-0.01*speed) +
				1000*sq(x[3*k+4]-speed-0.01*(force-9.81*math.Sin(angle)))
		}) + 100*(sq(x[0])+sq(x[1])+sq(x[n-3]-math.Pi)+sq(x[n-2]))
	},
	"portfolio": func(x []float64, f files) float64 {
		a := f.table("portfolio")
		column := func(j int) float64 { return sum(len(x), func(k int) float64 { return a[12*k+j] * x[k] }) }
		return sum(len(x), func(k int) float64 { return a[12*k+11]*sq(x[k]) - 0.2*a[12*k+10]*x[k] }) +
			sum(10, func(j int) float64 { return sq(column(j)) }) +
			100*sq(sum(len(x), func(k int) float64 { return x[k] })-1)
	},
	"ridge": func(x []float64, f files) float64 {
		a, columns := f.table("ridge"), f.table("ridge-columns")
		return sum(len(a)/6, func(k int) float64 {
			return sq(sum(5, func(j int) float64 { return a[6*k+j] * x[int(columns[5*k+j])] }) - a[6*k+5])
		}) + 0.01*dot(x, x)
	},
	"robust": func(x []float64, f files) float64 {
		a, lists := f.table("robust"), f.lists("robust")
		return sum(len(lists), func(k int) float64 {
			return math.Log1p(sq((sum(3, func(j int) float64 { return a[4*k+j] * x[lists[k][j]] }) - a[4*k+3]) / 0.2))
		})
	},
	"rosen": func(x []float64, _ files) float64 {
		return sum(len(x)-1, func(k int) float64 { return 100*sq(x[k+1]-sq(x[k])) + sq(1-x[k]) })
	},
	"rounded": func(x []float64, f files) float64 {
		b, lists := f.table("rounded"), f.lists("rounded")
		return sum(len(b), func(k int) float64 {
			return math.Abs(sum(4, func(j int) float64 { return math.RoundToEven(x[lists[k][j]]) }) - b[k])
		})
	},
	"schwefel": func(x []float64, _ files) float64 {
		return sum(len(x), func(k int) float64 { return 418.98288727243369 - x[k]*math.Sin(math.Sqrt(math.Abs(x[k]))) })
	},
	"sensors": func(x []float64, f files) float64 {
		a, lists := f.table("sensors"), f.lists("sensors")
		return sum(len(lists), func(k int) float64 {
			v, other := lists[k], a[3*k+1:3*k+3]
			if len(v) == 4 {
				other = []float64{x[v[2]], x[v[3]]}
			}
			return sq(math.Hypot(x[v[0]]-other[0], x[v[1]]-other[1]) - a[3*k])
		})
	},
	"spline": func(x []float64, f files) float64 {
		p := f.table("spline")
		return sum(len(x)-3, func(k int) float64 {
			return 0.1*sq(x[k]-2*x[k+1]+x[k+2]) + sum(20, func(j int) float64 {
				t, y := p[40*k+2*j], p[40*k+2*j+1]
				basis := []float64{sq(1-t) * (1 - t), 3*t*t*t - 6*t*t + 4, -3*t*t*t + 3*t*t + 3*t + 1, t * t * t}
				return sq(dot(basis, x[k:k+4])/6 - y)
			})
		})
	},
	"thomson": func(x []float64, _ files) float64 {
		on := func(k int) []float64 { // the point of charge k
			t, p := x[2*k], x[2*k+1]
			return []float64{math.Cos(t) * math.Cos(p), math.Cos(t) * math.Sin(p), math.Sin(t)}
		}
		return sum(50, func(k int) float64 {
			return sum(k, func(j int) float64 { return 1 / math.Sqrt(math.Max(2-2*dot(on(k), on(j)), 1e-9)) })
		})
	},
	"trap": func(x []float64, _ files) float64 {
		return sum(len(x), func(k int) float64 {
			return math.Min(0.2+math.Abs(x[k]-0.1), 50*math.Abs(x[k]-0.8-0.1*math.Sin(float64(k))))
		})
	},
	"turned": func(x []float64, f files) float64 {
		q, shift, lists := f.table("turned"), f.table("turned-shift"), f.lists("turned")
		return sum(len(x), func(row int) float64 {
			v := sum(8, func(j int) float64 {
				i := lists[row/8][j]
				return q[8*row+j] * (x[i] - shift[i])
			})
			return math.Pow(100, float64(row%8)/7)*sq(v) + 5 - 5*math.Cos(2*math.Pi*v)
		})
	},
	"waves": func(x []float64, f files) float64 {
		a, lists := f.table("waves"), f.lists("waves")
		return sum(3*len(x), func(wave int) float64 {
			k, w := wave/3, wave%3
			return math.Sin(a[15*k+12+w] + sum(4, func(j int) float64 { return a[15*k+4*w+j] * x[lists[k][j]] }))
		})
	},
	"weierstrass": func(x []float64, _ files) float64 {
		w := func(v float64) float64 {
			return sum(12, func(j int) float64 {
				turns := math.Pow(3, float64(j)) * (v - 0.1)
				return math.Pow(0.5, float64(j)) * (1 - math.Cos(2*math.Pi*(turns-math.Round(turns))))
			})
		}
		return sum(len(x)-1, func(k int) float64 { return w(x[k]) + w(x[k+1]) + math.Abs(x[k]-x[k+1]) })
	},
}
