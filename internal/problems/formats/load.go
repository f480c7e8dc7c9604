package formats

import (
	"slices"
	"strconv"
	"strings"

	"github.com/clopt/clopt/internal/problems/formats/foreign"
	"github.com/clopt/clopt/internal/problems/formats/format"
	"github.com/clopt/clopt/internal/problems/formats/meta"
	"github.com/clopt/clopt/internal/problems/formats/readers"
	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/problems/graph"
)

// Read reads a problem of a kind from a file, which may be compressed by gzip. It recognizes the format by the content.
// If there is no file of that name, FILE#2 is the second problem of a file of the OR-Library. A fault is an
// *input.Error. Read compares the sizes in a header with the size of the file before it allocates anything.
func Read(path string, kind graph.Kind, opt Options) (*graph.Model, Notes, error) {
	l := loader{kind: kind, opt: opt}
	name, number := SplitNumber(path)
	l.number = number
	var err error
	l.Source, err = input.FileSource(name)
	if err != nil {
		return nil, Notes{}, err
	}
	return l.model()
}

// SplitNumber splits FILE#2 into FILE and 2, unless there is a file of the whole name. Without #, the number is 0.
func SplitNumber(path string) (file string, number int) {
	i := strings.LastIndexByte(path, '#')
	if i <= 0 || input.IsRegular(path) {
		return path, 0
	}
	number, err := strconv.Atoi(path[i+1:])
	if err != nil || number < 1 {
		return path, 0
	}
	return path[:i], number
}

// loader reads one problem of a file, perhaps twice.
type loader struct {
	input.Source
	kind   graph.Kind
	opt    Options
	number int // of the problem in the file, from 1; 0: the only one
}

// parse opens the text and reads it. If a fault involves two lines, the text is read a second time with watch set.
func (l loader) parse(watch *graph.Pair) (*parser, error) {
	t, err := l.Text()
	if err != nil {
		return nil, err
	}
	defer t.Close()
	p := &parser{Scanner: input.NewScanner(t, l.Name), loader: l, most: t.Most, lookout: lookout{watch: watch}}
	p.Comment = p.comment
	head := p.Head(format.Sniffed)
	p.format = format.Recognize(l.Name, head)
	if p.format == format.Foreign {
		what, cure := foreign.Recognize(head)
		return nil, input.Errorf(l.Name, 1, 1, "is %s, which clopt does not read. %s.", what, cure)
	}
	if p.format == format.Unknown { // the default reader of the kind reports the fault
		p.format = [...]format.Format{graph.Sides: format.Rudy, graph.Bits: format.QUBO,
			graph.Spins: format.List}[p.kind]
	}
	p.kinds = format.KindsOf(l.Name, p.format, head)
	p.convention = format.ConventionOf(l.Name, head)
	p.model = graph.NewModel(p.kind, graph.Quadratic{})
	p.model.Maximize = p.format.Maximizes(p.kind)
	if l.number > 0 && p.format != format.ORLibrary {
		return nil, input.Errorf(l.Name, 0, 0, "has one problem only: it is %s. Leave #%d out.", p.format.Trait().What,
			l.number)
	}
	if err := p.read(); err != nil {
		return nil, err
	}
	if int64(p.n) > freeVertices+p.Size { // now the size of a compressed text is known, too
		return nil, input.Errorf(l.Name, p.head.line, p.head.col,
			"%d vertices in a text of %d bytes: the header cannot be right. Check it.", p.n, p.Size)
	}
	return p, nil
}

// read reads a text of the format.
func (p *parser) read() error {
	if p.opt.Pairs != "" && (p.format != format.Rudy || p.kind != graph.Bits) {
		return input.Errorf(p.File, 1, 1, "holds %s, which says how often the term of a pair counts. Leave out "+
			"pairs=%s.", p.format.Trait().What, p.opt.Pairs)
	}
	p.loops = p.kind != graph.Sides
	p.general = p.format == format.METIS || p.format == format.NPZ
	switch {
	case p.format == format.Rudy:
		return p.headed()
	case p.format == format.List && p.kind == graph.Sides && len(p.kinds) > 1:
		return p.edgeList()
	case !slices.Contains(p.format.Kinds(), p.kind) && !slices.Contains(p.format.Trait().Also, p.kind):
		return p.refuse()
	}
	if read := texts[p.format]; read != nil {
		w, err := p.whole()
		if err != nil {
			return err
		}
		return w.through(read)
	}
	if read := binaries[p.format]; read != nil {
		w, err := p.binary()
		if err != nil {
			return err
		}
		return w.through(read)
	}
	return streams[p.format](p)
}

// The readers of all formats but Rudy: of texts that are in memory as a whole, of files that are no texts, and those
// that have their own ways.
var (
	texts = map[format.Format]readers.Reader{format.METIS: readers.METIS, format.EdgeList: readers.Edges,
		format.GraphML: readers.GraphML, format.GML: readers.GML, format.NodeLink: readers.NodeLink,
		format.QPLIB: readers.QPLIB, format.Formula: readers.Formula, format.Python: readers.Python}
	binaries = map[format.Format]readers.Reader{format.DimodFile: readers.Dimod, format.NPZ: readers.NPZ}
	streams  = map[format.Format]func(*parser) error{
		format.Matrix: (*parser).matrix, format.DIMACS: (*parser).dimacs, format.QUBO: (*parser).qubo,
		format.List: (*parser).list, format.BQM: (*parser).bqm, format.BQPJSON: (*parser).bqpjson,
		format.ORLibrary: (*parser).orLibrary, format.Palubeckis: (*parser).palubeckis, format.LP: (*parser).lp,
		format.MPS: (*parser).mps, format.NPY: (*parser).npy, format.CSV: (*parser).csv}
)

// refuse returns the error for a file that holds another kind of problems.
func (p *parser) refuse() error {
	if p.format == format.Palubeckis && p.kind == graph.Sides {
		return input.Errorf(p.File, 1, 1, "begins with \"1 n\", as a matrix of Palubeckis does. Name it as qubo:%s. "+
			"If it is a list of edges, begin with the numbers of vertices and edges, \"n m\".", p.File)
	}
	switch {
	case p.format == format.Rudy:
		named := "A graph is maxcut:" + p.File + "."
		if format.ConventionOf(p.Source.Name, nil).Name != "" {
			named = "The ending of its name is one of QUBOs: if it is a graph, give the file another one."
		}
		return input.Errorf(p.File, 1, 1, "has a header \"n m\", after which QUBOs are written in several ways. Say "+
			"which it is: --pairs twice --maximize for MQLib, --pairs twice for x'Qx with one triangle of a symmetric "+
			"Q, as of Biq Mac, or --pairs once for the sum of the terms as they are; or name it "+
			"qubo:%[1]s,pairs=once. %[2]s", p.File, named)
	case p.kind == graph.Spins && slices.Contains([]format.Format{format.Matrix, format.NPY, format.CSV, format.NPZ},
		p.format):
		return input.Errorf(p.File, 1, 1, "holds %s, which is read as the Q of x'Qx, qubo:%s, or as the weights of a "+
			"graph, maxcut:%s. Write an Ising problem as lines \"i i h\" and \"i j J\".", p.format.Trait().What, p.File,
			p.File)
	case len(p.kinds) > 1:
		return input.Errorf(p.File, 1, 1, "holds %s. Name it as qubo:%s if its variables are 0 and 1, and as "+
			"ising:%s if "+
			"they are -1 and 1.", p.format.Trait().What, p.File, p.File)
	}
	if p.format == format.List {
		return p.holds(p.kinds[0].String(), p.kinds[0])
	}
	return p.holds(p.format.Trait().What, p.kinds[0])
}

// holds returns the error for a file with problems of another kind than p.kind.
func (p *parser) holds(what string, kind graph.Kind) error {
	family := [...]string{graph.Sides: "maxcut", graph.Bits: "qubo", graph.Spins: "ising"}[kind]
	return input.Errorf(p.File, 1, 1, "holds %s. Name it as %s:%s.", what, family, p.File)
}

// comment reads what a comment says about the problem.
func (p *parser) comment(text []byte) (bool, error) {
	if p.format == format.List {
		switch kind, unknown, said := format.VartypeIn(text); {
		case unknown != nil:
			return false, p.Fail(p.Col, "the vartype %s cannot be read. Write SPIN or BINARY.", input.Shown(unknown))
		case said && kind != p.kind:
			return false, p.holds(kind.String(), kind)
		case said:
			p.labels = true
		}
	}
	p.saysBits = p.saysBits || p.format == format.Rudy && format.SaysQUBO(text)
	ok, err := p.meta.Comment(text)
	if !ok && err == nil {
		err = p.around.Comment(text, p.aroundPart())
	}
	if err != nil {
		return false, p.Fail(p.Col, "%v.", err)
	}
	if ok {
		p.said = position{line: p.Line, col: p.Col}
	}
	return ok, nil
}

// aroundPart returns what is read of comments on the value.
func (p *parser) aroundPart() meta.Part {
	switch {
	case p.format == format.QUBO:
		return meta.Both
	case p.format == format.List, p.format == format.Rudy && p.kind != graph.Sides:
		return meta.Offset
	}
	return meta.None
}

// model reads the problem.
func (l loader) model() (*graph.Model, Notes, error) {
	p, err := l.parse(nil)
	if err != nil {
		return nil, Notes{}, err
	}
	metaAt := l.Source.Name
	if t := p.format.Trait(); t.Comment == "" && !t.Inside {
		metaAt = meta.Path(metaAt)
		m, err := meta.Read(l.Source.Name)
		if err != nil {
			return nil, Notes{}, err
		}
		p.meta = *m
		if m.Kind == "maxcut" && p.kind != graph.Sides {
			return nil, Notes{}, p.holds(graph.Sides.String(), graph.Sides)
		}
		if said := m.Values(); said != "" {
			p.notes.Beside = metaAt + " says: " + said
		}
	}
	if err := p.finish(); err != nil {
		return nil, Notes{}, err
	}
	p.model.Rest.Times(p.model.Scale)
	p.model.Scale.Mul(p.model.Scale, input.Ratio(1, p.extra))
	p.around.Apply(p.model)
	p.notes.Unread = p.around.Unread
	if len(p.fixed) > 0 {
		fixed, rounded := p.model.Fix(p.fixed)
		p.model, p.notes.Near = fixed, p.notes.Near+rounded
	}
	if err := p.meta.Apply(p.model); err != nil {
		return nil, Notes{}, input.Errorf(metaAt, max(p.said.line, 1), max(p.said.col, 1), "%v.", err)
	}
	p.notes.Counts, p.notes.First = p.counts(), p.base
	if p.format == format.LP || p.format == format.MPS {
		p.notes.Merged, p.notes.Form = 0, "" // sums and matrices name pairs twice
	}
	p.notes.Fixed = len(p.model.Fixed)
	if p.notes.Fixed == 0 {
		p.model.Names = meta.Names(p.model.Names)
	}
	return p.model, p.notes, nil
}
