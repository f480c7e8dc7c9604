package write

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/clopt/clopt/internal/problems/formats"
	"github.com/clopt/clopt/internal/problems/formats/format"
	"github.com/clopt/clopt/problems/graph"
	"github.com/clopt/clopt/problems/rng"
)

// foreign is a file as another program writes it, with what it means.
type foreign struct {
	name     string
	kind     graph.Kind
	maximize bool
	names    string // of the variables; "": they have none
	text     string
	value    func(x []float64) float64 // of variables that are 0 and 1, or -1 and 1 for spins
}

// cutOf returns the cut of edges "i j w" that count from 1.
func cutOf(edges ...[3]float64) func(x []float64) float64 {
	return func(x []float64) float64 {
		sum := 0.0
		for _, e := range edges {
			if x[int(e[0])-1] != x[int(e[1])-1] {
				sum += e[2]
			}
		}
		return sum
	}
}

// square returns x'Qx for rows of Q.
func square(q ...[]float64) func(x []float64) float64 {
	return func(x []float64) float64 {
		sum := 0.0
		for i, row := range q {
			for j, c := range row {
				sum += c * x[i] * x[j]
			}
		}
		return sum
	}
}

const (
	sides = graph.Sides
	bits  = graph.Bits
	spins = graph.Spins
)

// foreigners are files in the forms that other programs write.
var foreigners = []foreign{
	{"rudy", sides, true, "", "4 3\n1 2 1\n2 3 -1\n3 4 5\n",
		cutOf([3]float64{1, 2, 1}, [3]float64{2, 3, -1}, [3]float64{3, 4, 5})},
	{"rudy, padded as the G-set", sides, true, "", " 4 3 \r\n 1 2 1 \r\n 2 3 -1\r\n\r\n 3 4 " +
		"5", cutOf([3]float64{1, 2, 1},
		[3]float64{2, 3, -1}, [3]float64{3, 4, 5})},
	{"rudy without weights", sides, true, "", "3 2\n3 1\n2 3\n", cutOf([3]float64{3, 1, 1}, [3]float64{2, 3, 1})},
	{"Biq Mac", sides, true, "", "5 4\n1 2 -3\n1 5 7\n2 5 1\n3 4 " +
		"-2\n", cutOf([3]float64{1, 2, -3}, [3]float64{1, 5, 7},
		[3]float64{2, 5, 1}, [3]float64{3, 4, -2})},
	{"DIMACS colouring", sides, true, "", "c FILE: a.col\nc\np edge 4 3\ne 2 1\ne 3 1\ne 4 2\n",
		cutOf([3]float64{2, 1, 1}, [3]float64{3, 1, 1}, [3]float64{4, 2, 1})},
	{"DIMACS with weights", sides, true, "", "p edges 3 2\ne 1 2 2.5\ne 2 3 -1\n",
		cutOf([3]float64{1, 2, 2.5}, [3]float64{2, 3, -1})},
	{"MatrixMarket of scipy", sides, true, "", "%%MatrixMarket matrix coordinate integer symmetric\n%\n3 3 2\n2 " +
		"1 4\n" +
		"3 2 -1\n", cutOf([3]float64{1, 2, 4}, [3]float64{2, 3, -1})},
	{"MatrixMarket pattern, general", sides, true, "", "%%MatrixMarket matrix coordinate pattern general\n3 3 " +
		"4\n1 2\n" +
		"2 1\n2 3\n3 2\n", cutOf([3]float64{1, 2, 1}, [3]float64{2, 3, 1})},
	{"MatrixMarket of SuiteSparse", sides, true, "", "%%MatrixMarket matrix coordinate real symmetric\n" +
		"%-----\n% UF Sparse Matrix Collection\n%-----\n3 3 3\n1 1 0\n2 1 1.5000000000000000e+00\n3 1 -2e-1\n",
		cutOf([3]float64{1, 2, 1.5}, [3]float64{1, 3, -0.2})},

	{"qbsolv", bits, false, "", "c a file\np qubo 0 4 2 2\n0 0 3.4\n2 2 -2.1\n0 1 2.2\n2 3 -3.4\n",
		func(x []float64) float64 { return 3.4*x[0] - 2.1*x[2] + 2.2*x[0]*x[1] - 3.4*x[2]*x[3] }},
	{"qbsolv of dimod", bits, false, "", "p qubo 0 3 3 2\nc colors___1___2\n0 0 -1.0\nc b\n1 1 -1.0\n2 2 -1.0\n" +
		"0 1 2.0\n1 2 2.0\n",
		func(x []float64) float64 { return -x[0] - x[1] - x[2] + 2*x[0]*x[1] + 2*x[1]*x[2] }},

	{"COO of dimod, spins", spins, false, "", "# vartype=SPIN\n0 0 1.000000\n0 1 -1.000000\n1 2 0.500000",
		func(s []float64) float64 { return s[0] - s[0]*s[1] + 0.5*s[1]*s[2] }},
	{"COO of dimod, bits", bits, false, "", "# vartype=BINARY\n0 0 -1.000000\n0 1 1.000000\n1 2 -4.500000\n",
		func(x []float64) float64 { return -x[0] + x[0]*x[1] - 4.5*x[1]*x[2] }},
	{"COO of dimod, labels from 2", bits, false, "", "# vartype: BINARY\n2 2 1\n2 3 -1\n",
		func(x []float64) float64 { return x[2] - x[2]*x[3] }},
	{"list from 1", spins, false, "", "1 2 1\n2 3 -1\n1 3 1\n",
		func(s []float64) float64 { return s[0]*s[1] - s[1]*s[2] + s[0]*s[2] }},
	{"list after a header", spins, false, "", "3 2\n1 2 1\n2 3 -1\n",
		func(s []float64) float64 { return s[0]*s[1] - s[1]*s[2] }},
	{"list of a QUBO", bits, false, "", "0 0 -5\n0 1 2\n1 1 -3\n",
		func(x []float64) float64 { return -5*x[0] + 2*x[0]*x[1] - 3*x[1] }},

	{"dimod JSON, spins", spins, false, "a b", `{"type": "BinaryQuadraticModel", "version": {"bqm_schema": "3.0.0"},
 "use_bytes": false, "index_type": "int32", "bias_type": "float64", "num_variables": 2, "num_interactions": 1,
 "variable_labels": ["a", "b"], "variable_type": "SPIN", "offset": 0.25, "info": {}, "linear_biases": [-1.0, 1.0],
 "quadratic_biases": [-1.0], "quadratic_head": [0], "quadratic_tail": [1]}`,
		func(s []float64) float64 { return 0.25 - s[0] + s[1] - s[0]*s[1] }},
	{"dimod JSON, bits, tuples as labels", bits, false, `["q",0] ["q",1]`,
		`{"type":"BinaryQuadraticModel","version":{"bqm_schema":"3.0.0"},"use_bytes":false,"index_type":"int32",` +
			`"bias_type":"float32","num_variables":2,"num_interactions":1,"variable_labels":[["q",0],["q",1]],` +
			`"variable_type":"BINARY","offset":0.0,"info":{},"linear_biases":[0.5,0.0],"quadratic_biases":[1e-1],` +
			`"quadratic_head":[1],"quadratic_tail":[0]}`,
		func(x []float64) float64 { return 0.5*x[0] + 0.1*x[0]*x[1] }},
	{"dimod JSON, schema 2", bits, false, "4 7", `{"basetype": "BinaryQuadraticModel", "type": "BinaryQuadraticModel",
 "version": {"dimod": "0.8.13", "bqm_schema": "2.0.0"}, "use_bytes": false, "index_type": "uint16",
 "bias_type": "float32", "num_variables": 2, "num_interactions": 1, "variable_labels": [4, 7],
 "variable_type": "BINARY", "offset": -2.0, "info": {"tags": []}, "linear_biases": [1.0, 2.0],
 "quadratic_biases": [-3.0], "quadratic_head": [0], "quadratic_tail": [1]}`,
		func(x []float64) float64 { return -2 + x[0] + 2*x[1] - 3*x[0]*x[1] }},
	{"bqpjson, spins", spins, false, "2 4 6", `{"description":"simple", "id": 0,
 "linear_terms": [{"coeff": 1.3, "id": 2}, {"coeff": -0.7, "id": 6}],
 "metadata": {"some_key_1":"any value", "some_key_3":null, "some_key_5":{"one":1, "three":null}}, "offset": 1.23,
 "quadratic_terms": [{"coeff": -0.2, "id_head": 4, "id_tail": 2}, {"coeff": 1.5, "id_head": 6, "id_tail": 2}],
 "scale": 2.7, "variable_domain": "spin", "variable_ids": [2,4,6], "version": "1.0.0"}`,
		func(s []float64) float64 { return 2.7 * (1.23 + 1.3*s[0] - 0.7*s[2] - 0.2*s[1]*s[0] + 1.5*s[2]*s[0]) }},
	{"bqpjson, bits", bits, false, "1 5", `{"version":"1.0.0","id":7,"metadata":{},"variable_ids":[1,5],
"variable_domain":"boolean","scale":0.5,"offset":-1,"linear_terms":[{"id":5,"coeff":3}],
"quadratic_terms":[{"id_tail":1,"id_head":5,"coeff":-4}],"solutions":[{"id":0,"assignment":[{"id":1,"value":1}]}]}`,
		func(x []float64) float64 { return 0.5 * (-1 + 3*x[1] - 4*x[0]*x[1]) }},
	{"OR-Library", bits, true, "", "1\n 3 4\n 1 1 -2\n 1 2 3\n 2 3 -1\n 3 3 4\n",
		func(x []float64) float64 { return -2*x[0] + 6*x[0]*x[1] - 2*x[1]*x[2] + 4*x[2] }},
	{"Palubeckis", bits, true, "", "1 3\n 1 2 0\n 2 -4 7\n 0 7 6\n",
		square([]float64{1, 2, 0}, []float64{2, -4, 7}, []float64{0, 7, 6})},

	{"LP of Gurobi", bits, false, "x[0] x[1] y(a,1)", "\\ Model q\n\\ LP format - for model browsing. Use MPS " +
		"format to capture full model detail.\nMinimize\n  2 x[0] - 3 x[1] + y(a,1) + [ 4 x[0] ^2 + 2 " +
		"x[0] * x[1]\n   - 6 " +
		"x[1] * " +
		"y(a,1) ] / 2 \nSubject To\n\nBounds\n\nBinaries\n x[0] x[1] y(a,1)\nEnd\n",
		func(x []float64) float64 { return 4*x[0] - 3*x[1] + x[2] + x[0]*x[1] - 3*x[1]*x[2] }},
	{"LP of CPLEX", bits, true, "x1 x2", "\\ENCODING=ISO-8859-1\n\\Problem name: qubo.lp\n\nMaximize\n obj1: 2 " +
		"x1 + 3 x2 + " +
		"[ 4 x1 ^2 + 2 x1*x2 ] / 2\nSubject To\nBounds\n 0 <= x1 <= 1\n 0 <= x2 <= 1\nBinaries\n x1  x2 \nEnd\n",
		func(x []float64) float64 { return 4*x[0] + 3*x[1] + x[0]*x[1] }},
	{"LP of HiGHS", bits, false, "a b", "\\ File written by HiGHS .lp file handler\nmin\n obj: +1 a -2.5 b + [ " +
		"+2 a * a " +
		"-6 a * b  ]/2 -7\nst\nbounds\n a <= 1\n b <= 1\nbin\n a\n b\ngen\nsemi\nend\n",
		func(x []float64) float64 { return 2*x[0] - 2.5*x[1] - 3*x[0]*x[1] - 7 }},
	{"LP of dimod", bits, false, "x y", "Minimize\n obj: + 1.0 x - 2.0 y + [ + 4.0 x * y ]/2 + 0.5 \n\nSubject " +
		"To \n\nBounds\n" +
		"\nBinary\n x y\nGeneral\n\nEnd", func(x []float64) float64 { return x[0] - 2*x[1] + 2*x[0]*x[1] + 0.5 }},
	{"LP of MathOptInterface", bits, true, "x y", "maximize\nobj: 1 x + [2 x * y - 4 y ^ 2]/2\nsubject to\nBounds\n" +
		"Binary\nx\ny\nEnd\n", func(x []float64) float64 { return x[0] + x[0]*x[1] - 2*x[1] }},
	{"LP with whole variables", bits, false, "u v", "Minimize\n obj: u - 2 v + [ 2 u*v ] / 2\nSubject To\nBounds\n " +
		"0 <= u <= 1\n v <= 1\nGenerals\n u v\n" +
		"End\n", func(x []float64) float64 { return x[0] - 2*x[1] + x[0]*x[1] }},
	{"LP, terms twice", bits, false, "", "\\ c\nMinimize\n obj: x0 + 2 x0 + [x0^2 + x0*x1 + x1*x0]/2\nBinary\n " +
		"x0 x1\n" +
		"End", func(x []float64) float64 { return 3.5*x[0] + x[0]*x[1] }},
	{"LP with every form of a bound", bits, false, "a b c d e", "MINIMIZE a + b + c + d + e\nSUBJECT TO\nBOUNDS\n " +
		"0 <= a <= 1\n b >= 0\n b <= 1.0\n 1 >= c >= 0\n d =< 1e0\n -0 <= e\nBIN\n a b c d e\nEND\n",
		func(x []float64) float64 { return x[0] + x[1] + x[2] + x[3] + x[4] }},
	{"LP with constants of any value", bits, false, "x y", "Minimize\n obj: " +
		"2 c + x - 3 y + e + d + [ 4 c * x " +
		"- 2.2 c * y + 6 c ^ 2 + 2 x * y + 2 d * e ] / 2\nSubject To\n one: - 2 d = 3\n" +
		" g = 0.25\nBounds\n c = 4.5\n d free\n -2.25 <= e <= -2.25\nBinaries\n x y\nEnd\n",
		func(x []float64) float64 {
			c, d, e := 4.5, -1.5, -2.25
			return 2*c + x[0] - 3*x[1] + e + d + 2*c*x[0] - 1.1*c*x[1] + 3*c*c + x[0]*x[1] + d*e
		}},

	{"MPS of Gurobi", bits, false, "", "NAME q\n* Max problem is converted into Min one\nROWS\n N  OBJ\n" +
		"COLUMNS\n    " +
		"MARKER    'MARKER'                 'INTORG'\n    x0        OBJ       2\n    x1        OBJ       -3\n   " +
		" MARKER   " +
		" 'MARKER'                 'INTEND'\nRHS\n    RHS1      OBJ       -4\nBOUNDS\n BV BND1      x0\n BV " +
		"BND1      x1\n" +
		"QUADOBJ\n    x0        x0        4\n    x0        x1        1\nENDATA\n",
		func(x []float64) float64 { return 4*x[0] - 3*x[1] + x[0]*x[1] + 4 }},
	{"MPS of PuLP, maximized, with constants of any value", bits, true, "x y", "*SENSE:Maximize\n" +
		"NAME          p\nROWS\n N  OBJ\n E  _C1\nCOLUMNS\n    c         OBJ        2.000000000000e+00\n" +
		"    d         _C1       -2.0 OBJ 1\n    MARK      'MARKER'                 'INTORG'\n" +
		"    x         OBJ        1\n    y         OBJ       -3\n" +
		"    MARK      'MARKER'                 'INTEND'\nRHS\n    RHS       _C1        3.000000000000e+00\nBOUNDS\n" +
		" FX BND       c          4.500000000000e+00\n FR BND       d\n BV BND       x\n BV BND       y\nQMATRIX\n" +
		" c c 6\n c x 2\n x c 2\n c d -1\n d c -1\n y y 2\nENDATA\n", func(x []float64) float64 {
		return 2*4.5 - 1.5 + x[0] - 3*x[1] + 3*4.5*4.5 + 2*4.5*x[0] + 4.5*1.5 + x[1]
	}},
	{"MPS of CPLEX", bits, true, "x1 x2", "NAME          qubo.lp\nOBJSENSE\n    MAX\nROWS\n N  obj1\nCOLUMNS\n    " +
		"MARK0000  'MARKER'                 'INTORG'\n    x1        obj1                 2\n    x2        obj1  " +
		"         " +
		"      3\n    MARK0001  'MARKER'                 'INTEND'\nRHS\nBOUNDS\n UP bnd       x1                " +
		"   1\n UP " +
		"bnd       x2                   1\nQMATRIX\n    x1        x1                   4\n    x1        x2      " +
		"        " +
		"     1\n    x2        x1                   1\nENDATA\n",
		func(x []float64) float64 { return 4*x[0] + 3*x[1] + x[0]*x[1] }},
	{"MPS of HiGHS", bits, true, "a b", "NAME        \nOBJSENSE\n  MAX\nROWS\n N  Obj     \nCOLUMNS\n    " +
		"MARK0000  'MARKER'   " +
		"              'INTORG'\n    a         Obj       1\n    b         Obj       -2.5\n    MARK0001  " +
		"'MARKER'          " +
		"       'INTEND'\nRHS\n    RHS_V     Obj       7\nBOUNDS\n BV BOUND     a       \n BV BOUND     b       " +
		"\nQUADOBJ\n" +
		"    a         a         2\n    a         b         -3\nENDATA\n",
		func(x []float64) float64 { return 2*x[0] - 2.5*x[1] - 3*x[0]*x[1] - 7 }},
	{"MPS of MOSEK", bits, false, "x y", "NAME          \nOBJSENSE\n    MINIMIZE\nROWS\n N  obj\nCOLUMNS\n    x " +
		"obj -1.0\n    y " +
		"obj 0\nRANGES\nRHS\n rhs obj 1\nQSECTION      obj\n    x x 2\n    y x -1\nBOUNDS\n BV bound x\n BV " +
		"bound y\nENDATA\n",
		func(x []float64) float64 { return -1 - x[0]*x[1] }},
	{"MPS, bounds without a name, sense behind the rows", bits, true, "x y", "ROWS\n N c\nOBJSENSE MAX\n" +
		"COLUMNS\n M1 " +
		"'MARKER' 'INTORG'\n x c 5\n y c 1e0\n M1 'MARKER' 'INTEND'\nBOUNDS\n UP x 1\n LO x 0\n UI b y 1\nENDATA\n",
		func(x []float64) float64 { return 5*x[0] + x[1] }},

	{"csv, dense", bits, false, "", "1,2,0\n2,-4,7.5\n0,7.5,6\n",
		square([]float64{1, 2, 0}, []float64{2, -4, 7.5}, []float64{0, 7.5, 6})},
	{"csv of pandas", bits, false, "a b", ",a,b\r\na,1.5,2\r\nb,0,-4\r\n",
		square([]float64{1.5, 2}, []float64{0, -4})},
	{"csv of pandas without names", bits, false, "", ",0,1\n0,1,2\n1,0,-4\n",
		square([]float64{1, 2}, []float64{0, -4})},
	{"csv of pandas, names with commas", bits, false, "a, b 1", ",\"a, b\",1\n\"a, b\",1.5,2\n1,0,-4\n",
		square([]float64{1.5, 2}, []float64{0, -4})},
	{"csv with comments", bits, false, "", "# i, j\n1,2,0\n# half\n0,-4,7.5\n0,0,\"6\"\n",
		square([]float64{1, 2, 0}, []float64{0, -4, 7.5}, []float64{0, 0, 6})},
	{"LP with stars", bits, false, "a b", "Minimize\n obj: 2*a - 3.5 * b + [ 4*a * b + 2 * a ^ 2 ] / 2\n" +
		"Binary\n a b\nEnd\n", func(x []float64) float64 { return 3*x[0] - 3.5*x[1] + 2*x[0]*x[1] }},
	{"csv with a heading", bits, false, "a b c d", "\"a\",\"b\",\"c\",\"d\"\n1,2,0,0\n0,1,0,0\n0,0,-3,1\n0,0,0,0.5\n",
		square([]float64{1, 2, 0, 0}, []float64{0, 1, 0, 0}, []float64{0, 0, -3, 1}, []float64{0, 0, 0, 0.5})},
	{"pandas as printed", bits, false, "", "   0  1  2\n0 -1  2  0\n1  0 -1  2\n2  0  0 -1\n",
		square([]float64{-1, 2, 0}, []float64{0, -1, 2}, []float64{0, 0, -1})},
	{"csv of a graph with names", sides, true, "a b c", ",a,b,c\na,0,2,0\nb,2,0,1\nc,0,1,0\n",
		cutOf([3]float64{1, 2, 2}, [3]float64{2, 3, 1})},
	{"csv, upper", bits, false, "", "1, 2, 0\r\n0, -4, 7\r\n0, 0, 6\r\n",
		square([]float64{1, 2, 0}, []float64{0, -4, 7}, []float64{0, 0, 6})},
	{"csv, lower", bits, false, "", "1,0,0\n2,-4,0\n0,-7,6\n",
		square([]float64{1, 0, 0}, []float64{2, -4, 0}, []float64{0, -7, 6})},
	{"csv of numpy.savetxt", bits, false, "", "1.000000000000000000e+00,2.500000000000000000e+00\n" +
		"0.000000000000000000e+00,-1.250000000000000000e-01\n", square([]float64{1, 2.5}, []float64{0, -0.125})},
	{"csv of numpy.savetxt, tenths", bits, false, "", "1.000000000000000056e-01,2.999999999999999889e-01\n" +
		"0.000000000000000000e+00,-7.000000000000000666e-01\n", square([]float64{0.1, 0.3}, []float64{0, -0.7})},
	{"csv of a graph", sides, true, "", "0,1,0\n1,0,-2\n0,-2,0\n", cutOf([3]float64{1, 2, 1}, [3]float64{2, 3, -2})},

	{"npy f8", bits, false, "", npy("<f8", false, 3, 0.1, 2, 0, 2, -4, 7, 0, 7, 6),
		square([]float64{0.1, 2, 0}, []float64{2, -4, 7}, []float64{0, 7, 6})},
	{"npy f4", bits, false, "", npy("<f4", false, 2, 0.1, 2, 0, -4), square([]float64{0.1, 2}, []float64{0, -4})},
	{"npy big-endian", bits, false, "", npy(">f8", false, 2, 0.1, 2, 0, -4),
		square([]float64{0.1, 2}, []float64{0, -4})},
	{"npy i4", bits, false, "", npy("<i4", false, 2, 1, 0, 3, -4), square([]float64{1, 0}, []float64{3, -4})},
	{"npy i8", sides, true, "", npy("<i8", false, 3, 0, 1, 0, 1, 0, -2, 0, -2, 0),
		cutOf([3]float64{1, 2, 1}, [3]float64{2, 3, -2})},
	{"npy in Fortran order", bits, false, "", npy("<f8", true, 3, 1, 0, 0, 2, -4, 0, 3, 7, 6),
		square([]float64{1, 2, 3}, []float64{0, -4, 7}, []float64{0, 0, 6})},
	{"npy in Fortran order, not symmetric", bits, false, "", npy("<f8", true, 2, 1, 5, 2, -4),
		square([]float64{1, 2}, []float64{5, -4})},
	{"npy of random numbers", bits, false, "", npy("<f8", false, 2, 0.0684442185152504816, 1.2345678901234567,
		-0.00012345678901234567, 0.9999999999999999), square([]float64{0.0684442185152504816, 1.2345678901234567},
		[]float64{-0.00012345678901234567, 0.9999999999999999})},
	{"rudy of random numbers", sides, true, "", "3 2\n1 2 0.6123724356957945\n2 3 0.06123724356957945\n",
		cutOf([3]float64{1, 2, 0.6123724356957945}, [3]float64{2, 3, 0.06123724356957945})},
}

// npy returns a square matrix as numpy writes it.
func npy(dtype string, fortran bool, n int, v ...float64) string {
	order := map[bool]string{false: "False", true: "True"}[fortran]
	head := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': (%d, %d), }", dtype, order, n, n)
	head += strings.Repeat(" ", 117-len(head)) + "\n"
	b := append([]byte("\x93NUMPY\x01\x00v\x00"), head...)
	little, big := binary.LittleEndian, binary.BigEndian
	for _, c := range v {
		switch dtype {
		case "<f8":
			b = little.AppendUint64(b, math.Float64bits(c))
		case ">f8":
			b = big.AppendUint64(b, math.Float64bits(c))
		case "<f4":
			b = little.AppendUint32(b, math.Float32bits(float32(c)))
		case "<i4":
			b = little.AppendUint32(b, uint32(int32(c)))
		case "<i8":
			b = little.AppendUint64(b, uint64(int64(c)))
		}
	}
	return string(b)
}

// same compares the exact values of two problems of a few variables at all points.
func same(t *testing.T, what string, a, b *graph.Model) {
	t.Helper()
	if a.N() != b.N() || a.Maximize != b.Maximize || !slices.Equal(a.Names, b.Names) {
		t.Fatalf("%s: %d variables, maximize %v, names %q", what, b.N(), b.Maximize, b.Names)
	}
	x := make([]uint8, a.N())
	for point := range 1 << a.N() {
		for i := range x {
			x[i] = uint8(point >> i & 1)
		}
		if f, g := a.Value(x), b.Value(x); differ(a, f, g) {
			t.Fatalf("%s: %v at %v, want %v", what, g.RatString(), x, f.RatString())
		}
	}
}

// TestRandomNumbers reads a matrix of 60 rows of random float64, whose decimals cannot all be kept, and compares its
// values with sums of float64.
func TestRandomNumbers(t *testing.T) {
	const n = 60
	key := rng.Key{Seed: 5}
	q, rows, text := make([]float64, n*n), make([][]float64, n), ""
	for i := range q {
		word := key.Words(uint32(i), 0, 0, rng.Check)
		q[i] = (float64(word[0])+float64(word[1])/(1<<32))/(1<<32)*20 - 10
		if i%n > 0 {
			text += ","
		}
		text += strconv.FormatFloat(q[i], 'g', -1, 64)
		if rows[i/n] = append(rows[i/n], q[i]); i%n == n-1 {
			text += "\n"
		}
	}
	for name, text := range map[string]string{"q.csv": text, "q.npy": npy("<f8", false, n, q...)} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		m, notes, err := formats.Read(path, graph.Bits, formats.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if notes.Cut != "12 decimals" {
			t.Errorf("%s: cut to %q", name, notes.Cut)
		}
		for point := range uint32(100) {
			x, z := make([]uint8, n), make([]float64, n)
			for i := range x {
				x[i] = uint8(key.Word(uint32(i), point, 1, rng.Check) >> 31)
				z[i] = float64(x[i])
			}
			got, _ := m.Value(x).Float64()
			if want := square(rows...)(z); math.Abs(got-want) > n*n*1e-12 {
				t.Errorf("%s: %v, want %v", name, got, want)
			}
		}

		for _, as := range []string{"rudy", "coo", "bqm", "lp", "mps"} {
			f, _ := format.ByName(as)
			for _, kind := range f.Kinds() {
				to, err := m.To(kind)
				if err != nil {
					t.Fatal(err)
				}
				back, _ := store(t, to, f)
				equal(t, as, m, back)
				home, err := back.To(m.Kind)
				if err != nil {
					t.Fatalf("%s, %s back: %v", name, as, err)
				}
				equal(t, as+" and back", m, home)
			}
		}
	}
}

// TestForeign reads files in the forms that other programs write, compares the values of all points with what the file
// means, and converts each to all formats that hold it and back.
func TestForeign(t *testing.T) {
	for _, c := range foreigners {
		t.Run(c.name, func(t *testing.T) {
			name := "g"
			if strings.HasPrefix(c.name, "csv") {
				name = "g.csv"
			}
			path := filepath.Join(t.TempDir(), name)
			if err := os.WriteFile(path, []byte(c.text), 0o666); err != nil {
				t.Fatal(err)
			}
			m, _, err := formats.Read(path, c.kind, formats.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if names := strings.Join(m.Names, " "); names != c.names || m.Maximize != c.maximize {
				t.Errorf("names %q, maximize %v", names, m.Maximize)
			}
			for point := range 1 << m.N() {
				x, z := make([]uint8, m.N()), make([]float64, m.N())
				for i := range x {
					x[i] = uint8(point >> i & 1)
					z[i] = float64(x[i])
					if c.kind == graph.Spins {
						z[i] = 2*z[i] - 1
					}
				}
				got, _ := m.Value(x).Float64()
				if want := c.value(z); math.Abs(got-want) > 1e-14 {
					t.Fatalf("value %v at %v, want %v", got, x, want)
				}
			}

			for _, as := range format.Names() {
				f, _ := format.ByName(as)
				for _, kind := range f.Kinds() {
					to, err := m.To(kind)
					if err != nil {
						t.Fatalf("%v: %v", f, err)
					}
					if _, err := Model(io.Discard, to, f, false); f == format.NPY && err != nil {
						if !strings.Contains(err.Error(), "is not exact in float64") {
							t.Errorf("%v: %v", f, err)
						}
						continue
					}
					back, _ := store(t, to, f)
					same(t, as, m, back)
				}
			}
		})
	}
}
