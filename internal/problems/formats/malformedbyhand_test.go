package formats

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
)

// malformedByHand are files as people write them by hand, or as other programs might.
var malformedByHand = []malformed{
	{asGraph, "%%MatrixMarket matrix coordinate real symmetric\n-3 -3 1\n2 1 1\n",
		"g:2:1: error: \"-3\" is not a whole number. Write \"rows columns entries\"."},
	{asGraph, "%%MatrixMarket matrix coordinate real symmetric\n0 0 0\n",
		"g:2:1: error: 0 vertices, and a graph has at least 1. Correct the header."},
	{asGraph, "%%MatrixMarket matrix coordinate real symmetric\n3 3 1\n0 2 1\n",
		"g:3:1: error: vertex 0, but vertices count from 1 here. Is the file 0-based? Add 1 to every index."},
	{asGraph, "%%MatrixMarket matrix coordinate real symmetric\n3.5 3 1\n2 1 1\n",
		"g:2:1: error: \"3.5\" is not a whole number. Write \"rows columns entries\"."},
	{asGraph, "%%MatrixMarket matrix coordinate real symmetric\n3 3 1\n2 1 2 3\n",
		"g:3:7: error: \"3\" is one word too many: an entry is \"i j a\". Remove it."},
	{asGraph, "p edge 3 2\ne 1 2\ne 2 2\n",
		"g:3:3: error: an edge from vertex 2 to itself, which no cut counts. If the file is " +
			"a QUBO, whose linear terms look like this, name it as qubo:g. In a graph, remove it, or leave all of " +
			"them out with --drop-loops."},
	{asGraph, "p edge 3 1\np edge 3 1\ne 1 2\n", "g:2:1: error: \"p\" does not begin an edge: an edge is \"e i j w\"."},
	{asGraph, "e 1 2\ne 2 3\n",
		"g:1:1: error: the header has \"e\". Write \"p edge n m\" with the numbers of vertices and edges."},
	{asGraph, "3,1\n1,2,1\n",
		"g:1:1: error: an edge from vertex 0 to itself, which no cut counts. If the file is " +
			"a QUBO, whose linear terms look like this, name it as qubo:g. In a graph, remove it, or leave all of " +
			"them out with --drop-loops."},
	{asGraph, "3 1\n1 2 1 # comment\n",
		"g:2:7: error: \"#\" is one word too many: an edge is \"i j w\". Remove it. If line i after the " +
			"header has the neighbours of vertex i, as METIS writes them, name the file .graph."},
	{asGraph, "3\t1\r\n1\t9\t1\r\n",
		"g:2:3: error: vertex 9 is beyond 3, the last one. Correct it, or the number of vertices in the " +
			"header. (Line 1 is the header \"n m\": if it is an edge, name the file .edges.)"},
	{asGraph, "1e1 1\n1 2 1\n",
		"g:1:1: error: \"1e1\" is not a number of vertices. Begin with a header \"n m\" of two whole numbers."},
	{asQUBO, "p qubo 0 3 2 2\n0 0 1\n1 1 2\n0 1 3\n",
		"g:5:1: error: the file ends after 1 of 2 couplers. Correct the header, or fetch the file again."},
	{asQUBO, "p qubo 0 -3 1 1\n0 0 1\n0 1 3\n",
		"g:1:10: error: \"-3\" is not a whole number. Write \"p qubo 0 N nodes couplers\"."},
	{asQUBO, "# vartype=BINARY\n0 1 5\n1 0 2\n",
		"g:3:1: error: the edge between vertices 0 and 1 is in line 2 already. Remove one, or " +
			"use --merge-edges to add them."},
	{asIsing, "# vartype=SPIN\n0 1\n",
		"g:2:4: error: the line ends after 2 of 3 numbers. Write \"i i a\" or \"i j q\"."},
	{asIsing, "# vartype=SPIN\n0 x 3\n",
		"g:2:3: error: \"x\" is not the index of a spin or a bit. Write whole numbers from 0 on."},
	{asIsing, "# vartype=SPIN\n# clopt: factor=x\n0 1 2\n",
		"g:2:1: error: the factor after \"clopt:\", \"x\", is not a decimal number. Write a number like -0.5."},
	{asQUBO, "[1, 2, 3]\n", "g:1:1: error: \"[1, 2, 3]\" is not an object. Write {…} with keys."},
	{asQUBO, "{}\n",
		"g:1:1: error: there is neither the key \"bqm_schema\" nor \"variable_domain\". What is read of JSON " +
			"is the models " +
			"that to_serializable() of dimod returns, and bqpjson. Write terms of another form as lines \"i j q\"."},
	{asQUBO, "{\"variable_ids\": [3, 4], \"variable_domain\": \"boolean\", \"linear_terms\": []} x",
		"g:1:76: error: is not JSON: invalid character 'x' after top-level value. Correct it."},
	{asQUBO, "{\"variable_ids\": [3, 4], \"variable_domain\": \"ternary\", \"linear_terms\": []}",
		"g:1:45: error: \"ternary\" is not a kind of variables that can be read. Write one of [boolean spin]."},
	{asQUBO, "{\"variable_ids\": [3, -4], \"variable_domain\": \"boolean\"}",
		"g:1:22: error: \"-4\" is not the number of a variable. Write whole numbers from 0 on."},
	{asQUBO, "{\"type\": \"BinaryQuadraticModel\", \"version\": {\"bqm_schema\": \"3.0.0\"}, \"variable_type\": " +
		"\"BINARY\", \"linear_biases\": [NaN]}",
		"g:1:115: error: is not JSON: invalid character 'N' looking for beginning of value. Correct it."},
	{asQUBO, "1\n3 -2\n1 1 4\n", "g:2:3: error: \"-2\" in the header of a problem. Write \"n m\"."},
	{asQUBO, "Minimize\n obj: a\nMaximize\n obj: b\nBinary a b\nEnd\n",
		"g:3:1: error: \"Maximize\" follows a term without a sign. Write + or - between terms, and products as " +
			"[ 2 x1 * x2 ] / 2."},
	{asQUBO, "Minimize\n obj: [ a * b * c ] / 2\nBinary a b c\nEnd\n",
		"g:2:15: error: \"*\" in a bracket. Write terms like 2 x1 * x2 or 3 x1 ^ 2, and close the bracket."},
	{asQUBO, "Minimize\n obj: [ a * b ] / 3\nBinary a b\nEnd\n",
		"g:2:19: error: \"3\" after the bracket that opens in line 2. Write ] / 2: the terms count half. " +
			"If they are meant whole, double their numbers, too."},
	{asQUBO, "NAME p\nROWS\n N obj\nCOLUMNS\n a obj 1 obj 2\nENDATA\n",
		"g:5:2: error: the variable \"a\" is there twice. Remove one."},
	{asQUBO, "NAME p\nROWS\n N obj\nCOLUMNS\n a obj 1\nRANGES\n r obj 3\nENDATA\n",
		"g:7:2: error: \"r obj 3\": a line of RANGES is \"name row value\"."},
	{asQUBO, "NAME p\nROWS\n N obj\nCOLUMNS\n a obj 1\nBOUNDS\n FX bnd a 1\nENDATA\n",
		"g:5:2: error: bounds fix all variables. Leave at least one of them free."},
	{asQUBO, "NAME p\nROWS\n N obj\nCOLUMNS\n a obj 1\n b obj 1\nBOUNDS\n BV bnd a\n BV bnd b\nQUADOBJ\n a a 3\n a " +
		"a 3\nENDATA\n",
		"g:12:2: error: the square of \"a\" is there twice. Remove one."},
	{asQUBO, "a,b\n1,2\n2,4\n",
		"g:1:1: error: is a small table with a heading, whose rows may be edges or those of a matrix, " +
			"which clopt does not read. Call the columns source,target,weight if they are edges, and leave the " +
			"heading out if it is a matrix."},
	{asQUBO, "1,nan\n2,4\n", "g:1:3: error: \"nan\" is not a decimal number. Write weights like 3, -1 or 0.25."},

	// Lists of edges, and what calls itself a list of dimod.
	{asIsing, "# vartype=SPIN\n3 2\n1 2 1\n2 3 1\n",
		"g:2:4: error: the line ends after 2 of 3 numbers. Write \"i i a\" or \"i j q\"."},
	{asGraph, "# vartype=SPIN\n3 1\n1 2 1\n", "g:1:1: error: holds an Ising problem. Name it as ising:g."},
	{asQUBO, "# vartype=BINARY\n1 2\n", "g:2:4: error: the line ends after 2 of 3 numbers. Write \"i i a\" or " +
		"\"i j q\"."},
	{asIsing, "# vartype=real\n0 1 1\n", "g:1:1: error: the vartype \"real\" cannot be read. Write SPIN or BINARY."},
	{asIsing, "# Vartype : real\n0 1 1\n", "g:1:1: error: the vartype \"real\" cannot be read. Write SPIN or BINARY."},
	{asQUBO, "# vartype = SPIN\n0 1 1\n", "g:1:1: error: holds an Ising problem. Name it as ising:g."},
	{asQUBO, "# Vartype: SPIN\n0 1 1\n", "g:1:1: error: holds an Ising problem. Name it as ising:g."},
	{asQUBO, "\ufeff# VARTYPE =spin\n0 1 1\n", "g:1:1: error: holds an Ising problem. Name it as ising:g."},
	{asQUBO, "# \"vartype\": \"SPIN\"\n0 1 1\n", "g:1:1: error: holds an Ising problem. Name it as ising:g."},
	{asQUBO, "# vartype SPIN\n0 1 1\n", "g:1:1: error: holds an Ising problem. Name it as ising:g."},
	{asIsing, "# vartype = BINARY\n0 1 1\n", "g:1:1: error: holds a QUBO. Name it as qubo:g."},
	{asGraph, "# vartype = SPIN\n0 0 1\n0 1 3\n", "g:1:1: error: holds an Ising problem. Name it as ising:g."},
	{asIsing, "# vartype=SPIN\n# vartype=BINARY\n0 1 1\n", "g:1:1: error: holds a QUBO. Name it as qubo:g."},
	{asIsing, "# vartype=SPIN\n-1 2 1\n",
		"g:2:1: error: \"-1\" is not the index of a spin or a bit. Write whole numbers from 0 on."},
	{asIsing, "# vartype=SPIN\n0 1 1e400\n",
		"g:2:5: error: \"1e400\" is beyond 1e280. Scale the numbers down."},

	// Bytes that no text has, or not there.
	{asGraph, "\xef\xbb\xbf3 2\r\n1 2 1\r\n2 3 x\r\n",
		"g:3:5: error: \"x\" is not a decimal number. Write weights like 3, -1 or 0.25."},
	{asIsing, "0 2\r1 2 3\r", carriage},
	{asIsing, "0 1 2\r1 2 3\r", strings.Replace(carriage, "4", "6", 1)},
	{asQUBO, "1,2\r2,3\r", carriage},
	{asGraph, "3\t2\n\t1\t2\t1\n2\t3\t-\n",
		"g:3:5: error: \"-\" is not a decimal number. Write weights like 3, -1 or 0.25."},
	{asGraph, "3 2\n1 2 1\n2 3 1\n\x00\x00", "g:4:1: error: a NUL byte. Give a text file in UTF-8 or ASCII."},
	{asGraph, "3 1\n1 2 −1\n", "g:2:5: error: \"−1\" is not a decimal number. Write weights like 3, -1 or 0.25."},
	{asGraph, "3 1\n1\u00a02 1\n",
		"g:2:1: error: \"1\\u00a02\" is not the index of a vertex. Write whole numbers from 1 to 3."},
	{asGraph, "3 1\n1 2 1\f\n", "g:2:5: error: \"1\\f\" is not a decimal number. Write weights like 3, -1 or 0.25."},
	{asQUBO, "PK\x03\x04\x14\x00",
		"g:1:1: error: is a zip archive. Unpack it, or pack it by gzip, bzip2, xz or zstd."},
	{asGraph, "BZh91AY&SY",
		"g:1: error: cannot be read further: unexpected EOF. The file may be cut off or damaged."},
	{asIsing, "\xfd7zXZ\x00\x00",
		"g: error: damaged xz data: unexpected EOF. Fetch the file again."},
	{asQUBO, "\x28\xb5\x2f\xfd\x04",
		"g:1: error: cannot be read further: unexpected EOF. The file may be cut off or damaged."},
	{asGraph, "<!DOCTYPE html>\n<html>404</html>\n",
		"g:1:1: error: \"<!DOCTYPE\" is not a number of vertices. Begin with a header \"n m\" of two whole numbers."},

	// Matrices.
	{asGraph, "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 1\n",
		"g:4:1: error: the file ends after 1 of 2 entries. Correct the sizes, or fetch the file again."},
	{asQUBO, npyOf("<f8", 0, 1e300), "g:1:1: error: element (0, 1) is 1e+300, which is beyond 1e280. Scale the " +
		"numbers down."},
	{asQUBO, npyOf("<f8", 0, math.NaN()), "g:1:1: error: element (0, 1) is NaN, which is not finite. Correct it."},
	{asQUBO, npyOf("<f8", math.Inf(-1), 1), "g:1:1: error: element (0, 0) is -Inf, which is not finite. Correct it."},
	{asQUBO, npyOf("<f8", 0, 1)[:140], "g:1:1: error: array of shape (2, 2) and dtype f8 is cut off: only 12 bytes " +
		"follow the header. Write it again."},
	{asQUBO, npyOf("<c16", 0, 1),
		"g:1:1: error: array of dtype \"<c16\". Use one of f8, f4, i1, i2, i4, i8, u1, u2, u4, u8, b1."},
}

const carriage = "g:1:4: error: a carriage return without a line feed. Save the text with the line ends of Linux or " +
	"Windows."

// npyOf returns a file of numpy with a matrix of two rows of the given elements.
func npyOf(dtype string, row ...float64) string {
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (2, 2), }", dtype)
	text := fmt.Appendf(nil, "\x93NUMPY\x01\x00v\x00%-117s\n", header)
	for range 2 {
		for _, v := range row {
			text = binary.LittleEndian.AppendUint64(text, math.Float64bits(v))
		}
	}
	return string(text)
}
