package opencl

import (
	"slices"
	"strings"

	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/internal/problems/opencl/lint"
)

// signature is how a function of an objective is declared.
type signature struct {
	name, text string
	result     string   // a word of its type
	params     []string // a word, or a sign, of each parameter; "": any
	instead    string   // of returning a value, where there is none
}

var signatures = []signature{
	{"component", "static void component(uint k, point x, data d, real *acc)", "void", []string{"",
		"point", "data", "*"},
		"acc[0] += VALUE"},
	{"residuals", "static void residuals(uint k, point x, data d, real *r)", "void", []string{"", "point", "data", "*"},
		"r[0] = VALUE"},
	{"component_inner", "static void component_inner(uint k, point x, data d, real *inner)", "void",
		[]string{"", "point", "data", "*"}, "inner[0] += VALUE"},
	{"component_value", "static real component_value(uint k, const real *inner, data d)", "real",
		[]string{"", "*", "data"}, ""},
}

// checkSignatures returns an error if a function of an objective has another type than the text around it expects. What
// macros make is left to the compiler.
func checkSignatures(tokens []lint.Token) *input.Error {
	macros := macrosOf(tokens)
	depth := 0
	for i, t := range tokens {
		switch t.Text {
		case "{", "(":
			depth++
		case "}", ")":
			depth--
		}
		s := slices.IndexFunc(signatures, func(s signature) bool { return s.name == t.Text })
		if depth != 0 || s < 0 || t.Kind != lint.Word || i+1 >= len(tokens) || tokens[i+1].Text != "(" {
			continue
		}
		begin := i
		for begin > 0 && (tokens[begin-1].Kind == lint.Word || tokens[begin-1].Text == "*") {
			begin--
		}
		if begin == i {
			continue
		}
		if err := signatures[s].check(tokens[begin:], i-begin, macros); err != nil {
			return err
		}
	}
	return nil
}

// check compares a declaration with the signature. Its name is a token of it.
func (s signature) check(tokens []lint.Token, name int, macros map[string]bool) *input.Error {
	at := tokens[name]
	words := func(of []lint.Token) (all []string) {
		for _, t := range of {
			all = append(all, t.Text)
		}
		return all
	}
	params, end := [][]string{nil}, name+2
	for depth := 1; end < len(tokens); end++ {
		switch t := tokens[end].Text; {
		case t == "(":
			depth++
		case t == ")":
			depth--
		case t == "," && depth == 1:
			params = append(params, nil)
			continue
		case t == "[":
			t = "*" // real acc[] is real *acc
			fallthrough
		default:
			params[len(params)-1] = append(params[len(params)-1], t)
		}
		if depth == 0 {
			break
		}
	}
	if slices.ContainsFunc(words(tokens[:min(end, len(tokens))]), func(w string) bool { return macros[w] }) {
		return nil
	}
	result := words(tokens[:name])
	if s.instead != "" && !slices.Contains(result, s.result) {
		return input.Errorf(at.File, at.Line, at.Col, "%s returns a value, and adds nothing. Write %s, and %s in "+
			"place of "+
			"return.", s.name, s.text, s.instead)
	}
	if s.instead == "" && slices.Contains(result, "void") {
		return input.Errorf(at.File, at.Line, at.Col, "%s returns nothing. Write %s.", s.name, s.text)
	}
	fits := len(params) == len(s.params)
	for i := 0; fits && i < len(params); i++ {
		fits = s.params[i] == "" || slices.Contains(params[i], s.params[i])
	}
	if !fits {
		var given []string
		for _, p := range params {
			given = append(given, strings.Join(p, " "))
		}
		return input.Errorf(at.File, at.Line, at.Col, "%s has the parameters (%.80s). Write %s.", s.name,
			strings.Join(given, ", "), s.text)
	}
	return nil
}

// macrosOf returns the names of the macros of a text.
func macrosOf(tokens []lint.Token) map[string]bool {
	macros := map[string]bool{}
	for _, t := range tokens {
		if t.Kind == lint.Macro {
			macros[t.Text] = true
		}
	}
	return macros
}

// Functions that ask which work-item computes a component, or wait for others.
var (
	whoAmI = strings.Fields(`get_global_id get_local_id get_group_id get_global_size get_local_size get_num_groups
		get_global_offset get_work_dim get_global_linear_id get_local_linear_id get_enqueued_local_size
		get_sub_group_id get_sub_group_local_id get_sub_group_size get_max_sub_group_size get_num_sub_groups`)
	waits = strings.Fields(`barrier work_group_barrier sub_group_barrier mem_fence read_mem_fence write_mem_fence
		async_work_group_copy async_work_group_strided_copy wait_group_events`)
)

// checkAlone returns an error if a text calls a function that asks which work-item computes a component, or that waits
// for others. Every method computes components in another order, some of them several times.
func checkAlone(tokens []lint.Token) *input.Error {
	own := macrosOf(tokens)
	call := func(i int) bool { return i+1 < len(tokens) && tokens[i+1].Text == "(" && tokens[i].Kind == lint.Word }
	for i, t := range tokens {
		if call(i) && i > 0 && tokens[i-1].Kind == lint.Word &&
			!slices.Contains([]string{"return", "else", "do"}, tokens[i-1].Text) {
			own[t.Text] = true // it is declared
		}
	}
	for i, t := range tokens {
		switch {
		case !call(i) || own[t.Text]:
		case slices.Contains(whoAmI, t.Text):
			return input.Errorf(t.File, t.Line, t.Col, "%s: any work-item may compute a component, and each method "+
				"has other "+
				"ones. The number of the component is k, that of all DIM or COMPS.", t.Text)
		case slices.Contains(waits, t.Text), strings.HasPrefix(t.Text, "work_group_"),
			strings.HasPrefix(t.Text, "sub_group_"):
			return input.Errorf(t.File, t.Line, t.Col, "%s: components are computed each on its own, and do not "+
				"wait for each "+
				"other. Remove it.", t.Text)
		}
	}
	return nil
}
