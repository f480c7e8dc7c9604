package formats

// malformedFormats are files of the formats that have no lines of numbers alone, and wrong comments.
var malformedFormats = []malformed{
	{asIsing, "# vartype=SPIN\n# clopt: offset=x\n0 1 2\n",
		"g:2:1: error: the offset after \"clopt:\", \"x\", is not a decimal number. Write a number like -0.5."},
	{asIsing, "# clopt: speed=3\n0 1 2\n",
		"g:1:1: error: \"speed=3\" is not known after \"clopt:\". Write n, sense, offset, factor or root."},
	{asIsing, "# clopt: n=0\n0 1 2\n", "g:1:1: error: \"n=0\" is not a number of variables."},
	{asIsing, "# clopt: name x y\n0 1 2\n",
		"g:1:1: error: \" name x y\" is not the name of a variable. Write \"clopt: name 3 speed\"."},
	{asIsing, "# clopt: name 7 y\n0 1 2\n", "g:1:1: error: the name of variable 7, but there are only 2. Remove it."},
	{asIsing, "# clopt: name 0 a\n# clopt: name 0 b\n0 1 2\n",
		"g:2:1: error: variable 0 has the name \"a\" already. Remove one."},
	{asIsing, "# clopt: name 0 a\n# clopt: name 1 a\n0 1 2\n",
		"g:2:1: error: the name \"a\" of variable 1 is that of variable 0, too. Rename one."},
	{asGraph, "# clopt: name 0 x1\n2 1\n1 2 1\n",
		"g:1:1: error: the name \"x1\" of variable 1 is that of variable 0, too. Rename one."},
	{asIsing, `{"bqm_schema": "3.0.0", "variable_type": "SPIN", "num_variables": 3, "linear_biases": [1]}`,
		"g:1:67: error: num_variables is \"3\", and there are 1 linear_biases. Correct one of them."},
	{asIsing, "# clopt: n=2000000000\n0 1 2\n",
		"g:3:1: error: 2000000000 variables in a file of at most 28 bytes cannot be right. Correct the comment."},
	{asIsing, "# clopt: factor=0\n0 1 2\n", "g:1:1: error: the factor after \"clopt:\" is 0. Write another number."},
	{asIsing, "# clopt: sense=up\n0 1 2\n", "g:1:1: error: the sense after \"clopt:\" is \"up\". Write min or max."},
	{asIsing, "# clopt: root=last\n0 1 2\n",
		"g:1:1: error: root=last after \"clopt:\". Only a graph has a root, root=last."},
	{asGraph, "# clopt: root=first\n2 1\n1 2 1\n",
		"g:1:1: error: root=first after \"clopt:\". Only a graph has a root, root=last."},
	{asGraph, "# clopt: n=7\n2 1\n1 2 1\n",
		"g:1:1: error: the file has 2 variables, and \"clopt:\" says 7. Correct it."},
	{asGraph, "p edge 3\n",
		"g:1:9: error: the header ends after 3 of 4 words. Write \"p edge n m\" with the numbers of vertices and " +
			"edges."},
	{asGraph, "p edge 3 1 1\ne 1 2\n", "g:1:12: error: the header has a fifth word, \"1\". Write \"p edge n m\" with " +
		"the numbers of vertices and edges."},
	{asGraph, "p col 3 x\n", "g:1:9: error: \"x\" is not a whole number. Write \"p edge n m\" with the numbers of " +
		"vertices and edges."},
	{asGraph, "p col 3 99999999999999999999\n",
		"g:1:9: error: 99999999999999999999 is beyond the maximum of 2147483647. Check the header."},
	{asGraph, "p col 3 1000\ne 1 2\n", "g:1:9: error: 1000 edges, for which the file has too few bytes (at most 19). " +
		"Check the header, or fetch the file again."},
	{asGraph, "p edge 3 2\nn 1 4\ne 1 2\n", "g:2:1: error: \"n\" does not begin an edge: an edge is \"e i j w\"."},
	{asGraph, "p edge 3 1\ne 1 4 1\n",
		"g:2:5: error: vertex 4 is beyond 3, the last one. Correct it, or the number of vertices in the header."},
	{asGraph, "p edge 3 1\ne 1       \n", "g:2:11: error: the line ends too early. Write an edge as \"e i j\"."},
	{asGraph, "p edge 3 1\ne         \n", "g:2:11: error: the line ends too early. Write an edge as \"e i j\"."},
	{asGraph, "p edge 3 1\ne 1 2 x\n",
		"g:2:7: error: \"x\" is not a decimal number. Write weights like 3, -1 or 0.25."},
	{asGraph, "p edge 3 1\ne 1 2 3 4\n",
		"g:2:9: error: \"4\" is one word too many: an edge is \"e i j w\". Remove it."},
	{asGraph, "p edge 3 2\ne 1 2\ne 2 1\n", "g:3:3: error: the edge between vertices 1 and 2 is in line 2 already, " +
		"in the other direction. If every edge is in the file in both directions, keep one of the two lines: " +
		"--merge-edges adds them, which counts each edge twice."},
	{asGraph, "p edge 3 1\ne 1 2\ne 2 3\n", "g:3:1: error: the header announces 1 edges, and 2 follow; this is the " +
		"first too many. Correct the header."},
	{asGraph, "p edge 3 2\ne 1 2\n      ", "g:3:7: error: the file ends after 1 of 2 edges. Correct the header, or " +
		"fetch the file again."},
	{asQUBO, "p edge 3 1\ne 1 2\n", "g:1:1: error: holds a graph in DIMACS form. Name it as maxcut:g."},
	{asQUBO, "max: 3 x + 2 y;\nint x;\n",
		"g:1:1: error: an LP file of lp_solve, whose objectives have no products of " +
			"variables. Write it in the LP format of CPLEX, or as MPS."},
	{asQUBO, "/* a */\nmin: x;\n", "g:1:1: error: an LP file of lp_solve, whose objectives have no products of " +
		"variables. Write it in the LP format of CPLEX, or as MPS."},
	{asQUBO, "2\n2 1\n1 1 5\n2 1\n1 2 3\n", "g:1:2: error: holds 2 problems. Name one as g#1 to g#2."},
	{asQUBO, "1\n2 1\n1 3 5\n",
		"g:3:3: error: vertex 3 is beyond 2, the last one. Correct it, or the number of vertices in the header."},
	{asQUBO, "1\n2 2\n1 2 5\n2 1 5\n",
		"g:4:1: error: the edge between vertices 1 and 2 is in line 3 already. Remove one, or " +
			"use --merge-edges to add them."},
	{asQUBO, "1\n2 2\n1 2 5\n",
		"g:2:3: error: 2 edges, for which the file has too few bytes (at most 12). Check the header, or fetch the " +
			"file again."},
	{asQUBO, "1\n2 1\n1 2 5\n1 1 1\n",
		"g:4:1: error: \"1\" after the last of 1 problems. Correct the header of the problem."},
	{asQUBO, "1\n2 1\n1 2\n", "g:3:4: error: the line ends too early. Write an element as \"i j q\"."},
	{asQUBO, "1\n2 x\n1 2\n", "g:2:3: error: \"x\" in the header of a problem. Write \"n m\"."},
	{asQUBO, "2\n2 1\n1 2 3\n", "g:1:2: error: holds 2 problems. Name one as g#1 to g#2."},
	{asQUBO, "1 2\n1 2\n2\n",
		"g:4:1: error: the file ends after 3 of 4 elements. Correct the header, or fetch the file again."},
	{asQUBO, "1 2\n1 2\n2 3 4\n",
		"g:3:5: error: the header announces 4 elements, and this is the first too many. Correct the header."},
	{asQUBO, "1 2\n1 2\n2 x\n", "g:3:3: error: \"x\" is not a decimal number. Write weights like 3, -1 or 0.25."},
	{asQUBO, "1 900000000\n1 2\n2 x\n",
		"g:1:12: error: 900000000 vertices in a file of at most 20 bytes: the header cannot be right. Check it."},
	{asQUBO, "1,2\n3\n", "g:2:1: error: the row ends after 1 of 2 elements. Give a square matrix."},
	{asQUBO, "1,2\n3,4,5\n",
		"g:2:5: error: element 3 of a row of 2: \"5\". Write 2 numbers, all with the same separator."},
	{asQUBO, "1,2\n3,4\n\n5,6\n",
		"g:1:1: error: 3 x 2 elements. Give a square matrix. If the lines are edges, write them with blanks instead, " +
			"after a line \"6 3\", in a file that is not named .csv."},
	{asQUBO, "1,2\n",
		"g:1:1: error: 1 x 2 elements. Give a square matrix. If the lines are edges, write them with blanks instead, " +
			"after a line \"2 1\", in a file that is not named .csv."},
	{asGraph, "0,1,3.5\n2,3,1\n3,1,2\n4,1,1\n",
		"g:1:1: error: 4 x 3 elements. Give a square matrix. If the lines are edges, write them with blanks instead, " +
			"with 1 added to each vertex, after a line \"5 4\", in a file that is not named .csv."},
	{asQUBO, "1,2,3,4\n",
		"g:1:1: error: 1 x 4 elements. Give a square matrix, or a list of edges in a file that is not " +
			"named .csv: \"n m\", then lines \"i j w\" without a heading."},
	{asQUBO, ",a,b\na,1,2\nc,2,3\n", "g:3:1: error: the row \"c\" is where the heading has the column \"b\". " +
		"Write the same names in the same order in the heading and before the rows, or none."},
	{asQUBO, ",a,b\na,1,2\nb,2\n", "g:3:1: error: the row \"b\" has not as many elements as the heading has " +
		"columns, 2. Write the same names in the same order in the heading and before the rows, or none."},
	{asQUBO, ",a,b\na,1,2\n", "g:1:1: error: the heading has columns to \"b\", and no row has this name. Write the " +
		"same names in the same order in the heading and before the rows, or none."},
	{asQUBO, ",a,a\na,1,2\na,2,3\n", "g:1:1: error: the heading names columns with nothing, with one name twice, or " +
		"with numbers that do not count from 0. Write the same names in the same order in the heading and before the " +
		"rows, or none."},
	{asQUBO, "1,2\n3,\n", "g:2:3: error: element 2 of a row of 2: \"\". Write 2 numbers, all with the same separator."},
	{asQUBO, "1,2\n3,x\n", "g:2:3: error: \"x\" is not a decimal number. Write weights like 3, -1 or 0.25."},
	{asQUBO, "1,2\n3,4e400\n",
		"g:2:3: error: \"4e400\" is beyond 2^62, up to which weights are summed exactly. Scale the weights down."},
	{asGraph, "0,2\n3,0\n",
		"g:2:1: error: the entry for (1, 2) differs from that in the other order: the matrix is not symmetric. " +
			"Edges need a symmetric one."},
	{asGraph, "1,2\n2,0\n",
		"g:1:1: error: an edge from vertex 0 to itself, which no cut counts. If the file is " +
			"a QUBO, whose linear terms look like this, name it as qubo:g. In a graph, remove it, or leave all of " +
			"them out with --drop-loops."},
	{asIsing, "0,2\n3,0\n",
		"g:1:1: error: holds a matrix in CSV, which is read as the Q of x'Qx, qubo:g, or as the weights of " +
			"a graph, maxcut:g. Write an Ising problem as lines \"i i h\" and \"i j J\"."},
	{asQUBO, "\x93NUMPY\x01", "g:1:1: error: not a .npy file: its first bytes are not \\x93NUMPY and a version."},
	{asQUBO, "\x93NUMPY\x01\x00F\x00{'descr': '<f8', 'fortran_order': False, 'shape': (1,), }          " +
		"  \n\x00\x00\x00\x00\x00\x00\x00\x00",
		"g:1:1: error: not a square matrix: the last element is (0). Give a matrix of n rows and n columns."},
	{asQUBO, bqmHead, "g:1:69: error: is not JSON: unexpected end of JSON input. Correct it."},
	{asQUBO, bqmHead + "\"variable_type\": \"SPIN\", \"linear_biases\": [1]}",
		"g:1:1: error: holds an Ising problem. Name it as ising:g."},
	{asQUBO, bqmHead + "\"variable_type\": \"TERNARY\"}",
		"g:1:87: error: \"TERNARY\" is not a kind of variables that can be read. Write one of [BINARY SPIN]."},
	{asIsing, `{"version": {"bqm_schema": "1.0.0"}, "variable_type": "SPIN",` + "\n" +
		`"linear_terms": [{"bias": 1, "label": 0}], "quadratic_terms": []}`,
		"g:2:17: error: a model of the schema 1 of dimod 0.7 and before, which dimod no longer reads either. " +
			"Write it with to_serializable() of dimod 0.8 or later."},
	{asQUBO, bqmHead + "\"variable_type\": 3}", "g:1:87: error: \"3\" is not a string."},
	{asQUBO, bqmHead + "\"x\": 1}", "g:1:1: error: there is no key \"variable_type\". Add it."},
	{asQUBO, bqmHead + "\"use_bytes\": true}",
		"g:1:83: error: use_bytes is true: the numbers are packed. Write it with to_serializable(use_bytes=False)."},
	{asQUBO, bqmHead + "\n\"variable_type\": \"BINARY\", \"linear_biases\": [1, \"x\"]}",
		"g:2:49: error: \"\\\"x\\\"\" is not a decimal number. Write weights like 3, -1 or 0.25."},
	{asQUBO, bqmHead + "\n\"variable_type\": \"BINARY\", \"linear_biases\": 3}",
		"g:2:45: error: \"3\" is not an array. Write [ … ]."},
	{asQUBO, bqmHead + "\n\"variable_type\": \"BINARY\", \"linear_biases\": []}",
		"g:2:45: error: no variables. Give at least one."},
	{asQUBO, bqmHead + "\n\"variable_type\": \"BINARY\", \"linear_biases\": [1,2], \"quadratic_head\": " +
		"[0], \"quadratic_tail\": [2], \"quadratic_biases\": [1]}",
		"g:2:94: error: \"2\" is not the index of a variable. Write whole numbers from 0 to 1."},
	{asQUBO, bqmHead + "\n\"variable_type\": \"BINARY\", \"linear_biases\": [1,2], \"quadratic_head\": " +
		"[0], \"quadratic_tail\": [0], \"quadratic_biases\": [1]}",
		"g:2:71: error: a pair of variable 0 with itself. Add its coefficient to the linear terms or the offset."},
	{asQUBO, bqmHead + "\n\"variable_type\": \"BINARY\", \"linear_biases\": [1,2], \"quadratic_head\": " +
		"[0], \"quadratic_tail\": [1,1], \"quadratic_biases\": [1]}",
		"g:2:93: error: 2 elements, but quadratic_head has 1. Correct them."},
	{asQUBO, bqmHead + "\n\"variable_type\": \"BINARY\", \"linear_biases\": [1,2], \"quadratic_head\": " +
		"[0,1],\n \"quadratic_tail\": [1,0], \"quadratic_biases\": [1,2]}",
		"g:2:73: error: the edge between vertices 0 and 1 is in line 2 already. Remove one, or " +
			"use --merge-edges to add them."},
	{asQUBO, bqmHead + "\n\"variable_type\": \"BINARY\", \"linear_biases\": [1,2], \"quadratic_head\": " +
		"[], \"quadratic_tail\": [], \"quadratic_biases\": [], \"offset\": \"a\"}",
		"g:2:130: error: \"a\" is not a decimal number. Write a number like -0.5."},
	{asQUBO, bqmHead + "\n\"variable_type\": \"BINARY\", \"linear_biases\": [1,2], \"quadratic_head\": " +
		"[], \"quadratic_tail\": [], \"quadratic_biases\": [], \"variable_labels\": [\"a\"]}",
		"g:2:139: error: 1 labels for 2 variables. Correct them."},
	{asQUBO, bqmHead + "\n\"variable_type\": \"BINARY\", \"linear_biases\": [1,2], \"quadratic_head\": " +
		"[], \"quadratic_tail\": [], \"quadratic_biases\": [], \"variable_labels\": [\"a\", \"a\"]}",
		"g:2:145: error: the variable \"a\" is there twice. Rename one."},
	{asQUBO, bqmHead + "\n\"variable_type\": \"BINARY\", \"linear_biases\": [1,2], \"quadratic_head\": " +
		"[], \"quadratic_tail\": [], \"quadratic_biases\": [], \"info\": {\"clopt\": {\"sense\": 3}}}",
		"g:2:138: error: \"sense\" has a value of JSON that is not read there (number). Correct it, or remove the " +
			"file."},
	{asQUBO, bqmHead + "\"type\": 3}", "g:1:70: error: the key \"type\" is there twice. Remove one."},
	{asQUBO, bqpHead + "\"scale\": 1}", "g:1:1: error: there is no key \"linear_terms\". Add it."},
	{asQUBO, "{\"variable_ids\": [3, 3], \"variable_domain\": \"boolean\"}",
		"g:1:22: error: the variable 3 is there twice. Remove one."},
	{asQUBO, "{\"variable_ids\": [3, \"a\"], \"variable_domain\": \"boolean\"}",
		"g:1:22: error: \"a\" is not the number of a variable. Write whole numbers from 0 on."},
	{asQUBO, bqpHead + "\"linear_terms\": [{\"id\": 4, \"coeff\": 1}]}",
		"g:1:100: error: variable \"4\" is not in variable_ids. Add it there."},
	{asQUBO, bqpHead + "\"linear_terms\": [{\"id\": 3}]}", "g:1:93: error: the term has no key \"coeff\". Add it."},
	{asQUBO, bqpHead + "\"linear_terms\": [{\"coeff\": 3}]}", "g:1:93: error: the term has no key \"id\". Add it."},
	{asQUBO, bqpHead + "\"linear_terms\": [7]}", "g:1:93: error: \"7\" is not an object. Write {…} with keys."},
	{asQUBO, bqpHead + "\"linear_terms\": [], \"quadratic_terms\": [{\"id_head\": 3, \"id_tail\": 3, " +
		"\"coeff\": 1}]}",
		"g:1:116: error: a pair of variable 0 with itself. Add its coefficient to the linear terms or the offset."},
	{asQUBO, bqpHead + "\"linear_terms\": [], \"quadratic_terms\": [], \"scale\": -1}",
		"g:1:128: error: the scale \"-1\" is not positive. Change the signs of the terms instead."},
	{asQUBO, "Minimize x\nEnd\n",
		"g:1:10: error: the variable \"x\" is not binary. List it in the section Binaries."},
	{asQUBO, "Minimize x + y\nSubject To\n c1: x + y <= 1\nBinaries x y\nEnd\n",
		"g:3:2: error: a constraint. Problems have none; add a penalty to the objective instead."},
	{asQUBO, "Minimize\n obj: 3 x * y\nEnd\n",
		"g:2:11: error: \"*\" where a term should be. Write terms like 3 x1, and [ 2 x1 * x2 ] / 2."},
	{asQUBO, "Minimize\n [ 3 x * y ]\nBinary x y\nEnd\n",
		"g:3:1: error: \"Binary\" after the bracket that opens in line 2. Write ] / 2: the terms count half. " +
			"If they are meant whole, double their numbers, too."},
	{asQUBO, "Minimize\n [ 3 x ] / 2\nBinary x y\nEnd\n",
		"g:2:6: error: a term in a bracket that is not quadratic. Write x1 * x2 or x1 ^ 2."},
	{asQUBO, "Minimize\n [ 3 x ^ 3 ] / 2\nBinary x y\nEnd\n",
		"g:2:6: error: a term in a bracket that is not quadratic. Write x1 * x2 or x1 ^ 2."},
	{asQUBO, "Minimize\n [ 3 x * y",
		"g:2:11: error: \"\" in a bracket. Write terms like 2 x1 * x2 or 3 x1 ^ 2, and close the bracket."},
	{asQUBO, "Minimize\n 2 [ 3 x * y ] / 2\nBinary x y\n",
		"g:2:4: error: a number before the bracket. Multiply the terms in it instead."},
	{asQUBO, "Minimize x\nGenerals x\nEnd\n",
		"g:2:10: error: the variable \"x\" is whole, but not binary. List it in the section Binaries."},
	{asQUBO, "Minimize x\nBounds\n x <= 1\nSemi x\nEnd\n",
		"g:4:1: error: \"semi\" cannot be read. Use a section Binaries, and End."},
	{asQUBO, "Minimize x y\nBinary x y\nEnd\n",
		"g:1:12: error: \"y\" follows a term without a sign. Write + or - between terms, and products as " +
			"[ 2 x1 * x2 ] / 2."},
	{asQUBO, "Minimize 3 4 x\nBinary x y\nEnd\n",
		"g:1:12: error: \"4\" follows a term without a sign. Write + or - between terms, and products as " +
			"[ 2 x1 * x2 ] / 2."},
	{asQUBO, "Minimize [ x * y 2 y * z ] / 2\nBinary x y z\nEnd\n",
		"g:1:18: error: \"2\" follows a term without a sign. Write + or - between terms, and products as " +
			"[ 2 x1 * x2 ] / 2."},
	{asQUBO, "Minimize x\nBounds\n x = 0\nBinary x\nEnd\n",
		"g:1:10: error: bounds fix all variables. Leave at least one of them free."},
	{asQUBO, "Minimize x + y\nBounds\n x = 1\n x <= - 0\nBinary x y\nEnd\n",
		"g:4:7: error: the bound - 0 leaves \"x\" no value, since another bound excludes it. Remove one."},
	{asQUBO, "Minimize x + y\nBounds\n 1 <= x <= 0\nBinary x y\nEnd\n",
		"g:3:12: error: the bound 0 leaves \"x\" no value, since another bound excludes it. Remove one."},
	{asQUBO, "Minimize x + y\nBounds\n x = 0\n x = 1\nBinary x y\nEnd\n",
		"g:4:6: error: the bound 1 leaves \"x\" no value, since another bound excludes it. Remove one."},
	{asQUBO, "Minimize x + y\nBounds\n x = 0.5\nBinary x y\nEnd\n",
		"g:3:6: error: the bounds and constraints of \"x\" leave it no value. Correct them."},
	{asQUBO, "Minimize x + y\nBounds\n x <= 1\nBinary y\nEnd\n",
		"g:1:10: error: the variable \"x\" is not binary. List it in the section Binaries."},
	{asQUBO, "Minimize x + y\nBounds\n x >= 1\nBinary y\nGeneral x\nEnd\n",
		"g:5:9: error: the variable \"x\" is whole, but not binary. List it in the section Binaries."},
	{asQUBO, "Minimize x\nBounds\n x free\nBinary x\nEnd\n",
		"g:3:4: error: the bounds of \"x\" leave more than one value, and others than 0 and 1. Write 0 and 1, " +
			"or fix it."},
	{asQUBO, "Minimize x\nBounds\n -1 <= x <= 1\nBinary x\nEnd\n",
		"g:3:2: error: the bounds of \"x\" leave more than one value, and others than 0 and 1. Write 0 and 1, " +
			"or fix it."},
	{asQUBO, "Minimize x\nBounds\n x >= -inf\nBinary x\nEnd\n",
		"g:3:7: error: the bounds of \"x\" leave more than one value, and others than 0 and 1. Write 0 and 1, " +
			"or fix it."},
	{asQUBO, "Minimize x\nBounds\n 0 <= z <= 1\nBinary x\nEnd\n",
		"g:3:7: error: the variable \"z\" is not binary. List it in the section Binaries."},
	{asQUBO, "Minimize x\nBounds\n 0 <= x <= 1\nEnd\n",
		"g:1:10: error: the variable \"x\" is not binary. List it in the section Binaries."},
	{asQUBO, "NAME\nROWS\n N obj\nCOLUMNS\n x obj 1\n y obj 2\nBOUNDS\n BV bnd x\n BV bnd y\nQMATRIX\n " +
		"x y 1\nENDATA\n",
		"g:11:2: error: there is an entry for (x, y) in one order only: the matrix is not symmetric. Add the other " +
			"one, or name the section QUADOBJ."},
	{asQUBO, "NAME\nROWS\n N obj\nCOLUMNS\n x obj 1\n y obj 2\nBOUNDS\n BV bnd x\n BV bnd y\nQMATRIX\n " +
		"x y 1\n y x 2\nENDATA\n",
		"g:12:2: error: the entry for (x, y) differs from that in the other order: the matrix is not symmetric. " +
			"QMATRIX needs a symmetric one."},
	{asQUBO, "NAME\nROWS\n N obj\nCOLUMNS\n x obj 1\nBOUNDS\n FX bnd x 1\nENDATA\n",
		"g:5:2: error: bounds fix all variables. Leave at least one of them free."},
	{asQUBO, "NAME\nROWS\n N obj\nCOLUMNS\n x obj 1\nBOUNDS\n BV bnd x\n FX bnd x 1\nENDATA\n",
		"g:5:2: error: bounds fix all variables. Leave at least one of them free."},
	{asQUBO, "NAME\nROWS\n N obj\nCOLUMNS\n x obj 1\nBOUNDS\n FX bnd x 2\nENDATA\n",
		"g:5:2: error: bounds fix all variables. Leave at least one of them free."},
	{asQUBO, "NAME\nROWS\n N obj\nCOLUMNS\n x obj 1\nBOUNDS\n SC bnd x 2\nENDATA\n",
		"g:7:2: error: the bound \"SC bnd x 2\". Variables are 0 or 1: write BV."},
	{asQUBO, "NAME\nROWS\n N obj\nCOLUMNS\n x obj 1\nBOUNDS\n BV bnd x\n FX bnd x 2\nENDATA\n",
		"g:8:2: error: the bounds and constraints of \"x\" leave it no value. Correct them."},
	{asQUBO, "NAME\nROWS\n N obj\nCOLUMNS\n x obj 1\nBOUNDS\n LI bnd x 2.5\n UI bnd x 2.5\nENDATA\n",
		"g:8:2: error: the bounds and constraints of \"x\" leave it no value. Correct them."},
	{asQUBO, "NAME\nROWS\n N obj\n E c\nCOLUMNS\n x obj 1\n x c 2\nRHS\n r c -4\nBOUNDS\nENDATA\n",
		"g:6:2: error: the bounds and constraints of \"x\" leave it no value. Correct them."},
	{asQUBO, "NAME\nROWS\n N obj\n E c\nCOLUMNS\n x obj 1 c 2\n y obj 1 c 2\nENDATA\n",
		"g:4:2: error: the row \"c\" is a constraint or a second objective. Problems have one row, N."},
	{asQUBO, "NAME\nROWS\n N obj\n E c\nCOLUMNS\n x obj 1\nRHS\n r c 4\nENDATA\n",
		"g:4:2: error: the row \"c\" is a constraint or a second objective. Problems have one row, N."},
	{asQUBO, "NAME\nROWS\n N obj\n E c\n E d\nCOLUMNS\n x obj 1 c 2\n x d 1\nRHS\n r c 4 d 3\nENDATA\n",
		"g:5:2: error: the bound \"d\" leaves \"x\" no value, since another bound excludes it. Remove one."},
	{asQUBO, "*SENSE:Upwards\nNAME\nENDATA\n", "g:1:1: error: the sense \"Upwards\". Write MIN or MAX."},
	{asQUBO, "Minimize x + c\nSubject To\n k: c = -3\nBinary x\nEnd\n",
		"g:1:14: error: the bounds and constraints of \"c\" leave it no value. Correct them."},
	{asQUBO, "Minimize x + c\nSubject To\n k: 2 c = -3\n 2 c = 4\nBounds\n c free\nBinary x\nEnd\n",
		"g:4:2: error: the constraint leaves \"c\" no value, since another one excludes it. Remove one."},
	{asQUBO, "Minimize x + c\nSubject To\n k: c = 3 + x\nBinary x\nEnd\n",
		"g:3:11: error: a constraint. Problems have none; add a penalty to the objective instead."},
	{asQUBO, "Minimize x + [ 20 c * x ] / 2\nBounds\n c = 4.1e18\nBinary x\nEnd\n",
		"g:1:1: error: with the values of the fixed variables the sum of all |coefficients| is beyond 2^56. " +
			"Scale or round them."},
	{asQUBO, "NAME\nROWS\n N obj\nCOLUMNS\n x obj 1\nBOUNDS\n FX bnd x\nENDATA\n",
		"g:7:2: error: the variable \"bnd\" is not in COLUMNS. Add it there."},
	{asQUBO, "\\ clopt: fixed two z\nMinimize x\nBinary x\nEnd\n",
		"g:1:1: error: \" fixed two z\" does not fix a variable. Write \"clopt: fixed 1 speed\"."},
	{asQUBO, "c clopt: fixed 1 z\nc clopt: fixed 1 z\np qubo 0 1 1 0\n0 0 1\n",
		"g:2:1: error: \"z\" is fixed twice. Remove one."},
	{asQUBO, "c clopt: name 0 z\nc clopt: fixed 1 z\np qubo 0 1 1 0\n0 0 1\n",
		"g:2:1: error: the fixed variable \"z\" has the name of variable 0. Rename one."},
	{asQUBO, "NAME\nROWS\n N obj\nCOLUMNS\n x obj 1\nBOUNDS\n FX bnd x 1\n UP bnd x 0\nENDATA\n",
		"g:8:2: error: the bound \"UP bnd x 0\" leaves \"x\" no value, since another bound excludes it. Remove one."},
	{asQUBO, "NAME\nROWS\n N obj\nCOLUMNS\n x obj 1\nBOUNDS\n MI bnd x\nENDATA\n",
		"g:7:2: error: the bounds of \"x\" leave more than one value, and others than 0 and 1. Write 0 and 1, " +
			"or fix it."},
	{asQUBO, "Minimize x\nBounds\n x <= 5\nBinary x\nEnd\n",
		"g:3:7: error: the bounds of \"x\" leave more than one value, and others than 0 and 1. Write 0 and 1, " +
			"or fix it."},
	{asQUBO, "Minimize x\nBinary x x\nEnd\n", "g:2:10: error: \"x\" is there twice. Remove one."},
	{asQUBO, "Minimize x\nBinary x 3\nEnd\n",
		"g:2:10: error: \"3\" where a section should begin. End the file with End."},
	{asQUBO, "Minimize 1e400 x\nBinary x\nEnd\n",
		"g:1:10: error: \"1e400\" is beyond 2^62, up to which weights are summed exactly. Scale the weights down."},
	{asQUBO, "Minimize 3\nEnd\n", "g:1:1: error: no variables. Give at least one."},
	{asIsing, "Minimize x\nBinary x\nEnd\n", "g:1:1: error: holds an LP file. Name it as qubo:g."},
	{asQUBO, "NAME\nROWS\n N obj\n L c1\nENDATA\n",
		"g:4:2: error: the row \"c1\" is a constraint or a second objective. Problems have one row, N."},
	{asQUBO, "NAME\nROWS\n N obj\nCOLUMNS\n x obj 1\nENDATA\n",
		"g:5:2: error: the variable \"x\" is not binary. Add the bound BV."},
	{asQUBO, "NAME\nROWS\n N obj\nCOLUMNS\n x obj 1\nBOUNDS\n UP bnd x 5\nENDATA\n",
		"g:7:2: error: the bounds of \"x\" leave more than one value, and others than 0 and 1. Write 0 and 1, " +
			"or fix it."},
	{asQUBO, "NAME\nROWS\n N obj\nCOLUMNS\n x obj 1\nBOUNDS\n BV bnd y\nENDATA\n",
		"g:7:2: error: the variable \"y\" is not in COLUMNS. Add it there."},
	{asQUBO, "NAME\nROWS\n N obj\nCOLUMNS\n x obj 1\n x obj 2\nENDATA\n",
		"g:6:2: error: the variable \"x\" is there twice. Remove one."},
	{asQUBO, "NAME\nROWS\n N obj\nCOLUMNS\n x obj y\nENDATA\n",
		"g:5:2: error: \"y\" is not a decimal number. Write weights like 3, -1 or 0.25."},
	{asQUBO, "NAME\nROWS\n N obj\nCOLUMNS\n x c1 1\nENDATA\n",
		"g:5:2: error: \"x c1 1\": a column is \"name objective value\", since there is one row."},
	{asQUBO, "NAME\nROWS\n N obj\nCOLUMNS\n x obj 1\nBOUNDS\n BV bnd x\n",
		"g:8:1: error: the file ends without ENDATA. Fetch the file again."},
	{asQUBO, "NAME\nROWS\n N obj\nCOLUMNS\n x obj 1\nBOUNDS\n BV bnd x\nQUADOBJ\n x y 1\nENDATA\n",
		"g:9:2: error: a variable of \"x y\" is not in COLUMNS. Add it there."},
	{asQUBO, "NAME\nROWS\n N obj\nCOLUMNS\n x obj 1\n y obj 2\nBOUNDS\n BV bnd x\n BV bnd y\nQUADOBJ\n " +
		"x y 1\n y x 2\nENDATA\n",
		"g:12:2: error: the edge between vertices \"x\" and \"y\" is in line 11 already. Remove one, or " +
			"use --merge-edges to add them."},
	{asQUBO, "NAME\nROWS\n N obj\nCOLUMNS\n x obj 1\nSOS\nENDATA\n",
		"g:6:1: error: the section \"SOS\" cannot be read. Problems have an objective and binary variables alone."},
	{asQUBO, "NAME\nOBJSENSE\n UP\nENDATA\n", "g:3:2: error: the sense \"UP\". Write MIN or MAX."},
	{asQUBO, "NAME\nROWS\n N obj\nRHS\n rhs c1 3\nENDATA\n",
		"g:5:2: error: \"rhs c1 3\": a line of RHS is \"name objective value\": minus the constant of the " +
			"objective."},
	{asQUBO, "NAME\nROWS\n N obj\nENDATA\n", "g:4:1: error: no variables. Give at least one."},
	{asGraph, "%%MatrixMarket matrix coordinate integer symmetric\n2 2 1\n2 1 1.5\n",
		"g:3:5: error: 1.5 in a matrix of integers. Write \"real\" in the header, or a whole number."},
}

// The beginnings of JSON files.
const (
	bqmHead = `{"type": "BinaryQuadraticModel", "version": {"bqm_schema": "3.0.0"}, `
	bqpHead = `{"version": "1.0.0", "variable_ids": [3, 5], "variable_domain": "boolean", `
)
