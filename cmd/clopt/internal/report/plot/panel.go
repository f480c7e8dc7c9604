package plot

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/cmd/clopt/internal/report"
	"github.com/clopt/clopt/solvers/runs"
)

// Panel is one picture of several series with common axes.
type Panel struct {
	Title    string   `json:"title"`
	X        string   `json:"x"` // what the axes show
	Y        string   `json:"y"`
	LogX     bool     `json:"log_x,omitempty"`
	LogY     bool     `json:"log_y,omitempty"`
	WholeX   bool     `json:"whole_x,omitempty"`   // x counts
	OwnX     bool     `json:"own_x,omitempty"`     // the x of other panels of a picture cannot be compared with these
	OwnY     bool     `json:"own_y,omitempty"`     // nor can the y
	FallingX bool     `json:"falling_x,omitempty"` // the smallest x is at the right
	Steps    bool     `json:"steps,omitempty"`     // a value of a result holds until the next x
	Share    bool     `json:"share,omitempty"`     // y is a share, from 0 to 1
	Series   []series `json:"series"`

	methods []string // those of all panels of a figure, in the order of their colours; a Figure sets it
}

// series is a line. Low and High are a band around Y, or nil. Series of one name have one colour.
type series struct {
	Name      string    `json:"name"`
	Runs      string    `json:"runs,omitempty"` // of how many runs it is, in words; "": of one
	X         []float64 `json:"x"`
	Y         []float64 `json:"y"`
	Low       []float64 `json:"low,omitempty"`
	High      []float64 `json:"high,omitempty"`
	Reference bool      `json:"reference,omitempty"` // not a result
	Single    bool      `json:"single,omitempty"`    // one of a few runs
	Marks     []int     `json:"marks,omitempty"`     // numbers of the points with a mark; nil: see Panel.marked
}

// least returns the smallest value of the line and its band.
func (s series) least() float64 { return slices.Min(slices.Concat(s.Low, s.Y)) }

// Lines returns the number of lines, of each panel those with different names.
func (f Figure) Lines() (n int) {
	for _, p := range f.Panels {
		n += len(p.labels())
	}
	return n
}

// label returns what the picture calls a line.
func (s series) label() string {
	if s.Runs == "" {
		return s.Name
	}
	return s.Name + " (" + s.Runs + ")"
}

// labels returns the labels of the lines, each once.
func (p Panel) labels() (labels []string) {
	for _, s := range p.Series {
		if !slices.Contains(labels, s.label()) {
			labels = append(labels, s.label())
		}
	}
	return labels
}

// Spans reports whether a line of the panel has more than one point.
func (p Panel) Spans() bool {
	return slices.ContainsFunc(p.Series, func(s series) bool { return len(s.X) > 1 })
}

// Figure is a picture of panels. Its file has a line of JSON with a figureHead, and one for each panel.
type Figure struct {
	Panels  []Panel
	Methods []string // names of lines in the order of their colours; others follow in the order of the panels
	From    []string // the commands that made the results, with devices and commits
}

// origins returns how results were made, each way once: command, version, commit, and the devices that worked.
func origins(results []report.Record) (all []string) {
	for _, f := range results {
		r := f.Result
		words := []string{"clopt", r.ToolVersion, r.Commit}
		for _, d := range r.Devices {
			if d.Share > 0 {
				words = append(words, d.Name)
			}
		}
		line := r.Command + "  # " + strings.Join(strings.Fields(strings.Join(words, " ")), " ")
		if !slices.Contains(all, line) {
			all = append(all, line)
		}
	}
	return all
}

// figureHead is the first line of the file of a figure.
type figureHead struct {
	Format        string   `json:"format"` // figureFormat
	FormatVersion int      `json:"format_version"`
	From          []string `json:"from"`
}

const figureFormat = "clopt-figure"

// Write writes the figure to a file: numbers if the name ends in .jsonl, otherwise a picture.
func (f Figure) Write(out string) error {
	write := f.picture
	if strings.EqualFold(filepath.Ext(out), ".jsonl") {
		write = f.numbers
	}
	_, err := runs.WriteWhole(out, write)
	return err
}

// numbers writes the figure as numbers.
func (f Figure) numbers(w io.Writer) error {
	lines := json.NewEncoder(w)
	err := lines.Encode(figureHead{figureFormat, 1, f.From})
	for _, p := range f.Panels {
		err = errors.Join(err, lines.Encode(p))
	}
	return err
}

// ReadFigure reads the file of a figure.
func ReadFigure(path string) (f Figure, err error) {
	file, err := os.Open(path)
	if err != nil {
		return f, exit.Usagef("%w", err)
	}
	defer file.Close()
	lines := json.NewDecoder(file)
	var head figureHead
	if err := lines.Decode(&head); err != nil {
		return f, exit.Usagef("%s:1:1: error: %v", path, err)
	}
	if head.Format != figureFormat {
		return f, exit.Usagef("%s:1:1: error: format %.40q is not %s. Give run folders, figures of clopt plot -o "+
			"FILE.jsonl, or with --kind throughput files of clopt bench --json.", path, head.Format, figureFormat)
	}
	f.From = head.From
	for lines.More() {
		var p Panel
		err := lines.Decode(&p)
		if err == nil {
			err = p.check()
		}
		if err != nil {
			return f, exit.Usagef("%s:%d:1: error: %v", path, len(f.Panels)+2, err)
		}
		f.Panels = append(f.Panels, p)
	}
	return f, nil
}

// check returns an error if the panel cannot be drawn.
func (p Panel) check() error {
	if len(p.Series) == 0 {
		return fmt.Errorf("there are no series")
	}
	for _, s := range p.Series {
		n := len(s.X)
		if n == 0 || len(s.Y) != n || len(s.Low) != len(s.High) || s.Low != nil && len(s.Low) != n {
			return fmt.Errorf("series %q has %d x, %d y, %d low and %d high", s.Name, n, len(s.Y), len(s.Low),
				len(s.High))
		}
		for _, i := range s.Marks {
			if i < 0 || i >= n {
				return fmt.Errorf("series %q of %d points has a mark at point %d", s.Name, n, i)
			}
		}
		if p.LogX && slices.Min(s.X) <= 0 || p.LogY && s.least() <= 0 {
			return fmt.Errorf("series %q has values that are not above 0, on a logarithmic axis", s.Name)
		}
	}
	return nil
}
