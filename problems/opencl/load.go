package opencl

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/clopt/clopt/internal/clc/token"
	"github.com/clopt/clopt/internal/problems/input"
	"github.com/clopt/clopt/internal/problems/opencl/lint"
	"github.com/clopt/clopt/problems"
)

const (
	maxObjective   = 4 << 20 // bytes of the text with everything included
	maxIncludes    = 1000
	maxIncludeDeep = 32
	maxTokens      = 20_000 // that are looked at
)

// inMemory is the path that errors show for a text that is in no file.
const inMemory = "text"

// objectiveLoader reads an objective and the files that it names, and hashes all of them. Those of an objective in a
// file lie in its folder or below.
type objectiveLoader struct {
	path  string // of the main file, as typed; inMemory
	main  string // its name in its folder; "" in memory
	files fs.FS  // its folder; nil: there are no files
	hash  hash.Hash
	names []string // of the files that were read, the main one first
	notes []string // of the tables that were read

	sources  []problems.Source // the text so far, cut where includes begin and end
	raw      []token.Token     // of the text so far, with the lines of the preprocessor
	tokens   []lint.Token      // of the whole text without them, see token.Texts
	code     []byte            // without comments, as a compiler reads it
	size     int
	includes int
	open     []string        // the files being expanded, outermost first
	once     map[string]bool // files with #pragma once
}

func newLoader(path, main string) *objectiveLoader {
	return &objectiveLoader{path: path, main: main, hash: sha256.New(), once: map[string]bool{}}
}

// openMain opens the main file, which must be a regular one.
func openMain(path string) (*os.File, *input.Error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, input.FileError(path, err)
	}
	if !info.Mode().IsRegular() {
		return nil, input.Errorf(path, 0, 0, "is not a regular file. Give a file with an OpenCL C objective.")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, input.FileError(path, err)
	}
	return f, nil
}

// readText reads f, called name relative to the folder, and hashes it.
func (l *objectiveLoader) readText(f io.Reader, name string) ([]byte, *input.Error) {
	raw, err := io.ReadAll(io.LimitReader(f, maxObjective+1))
	if err != nil {
		return nil, input.Errorf(l.shown(name), 0, 0, "cannot be read: %v.", err)
	}
	l.size += len(raw)
	if l.size > maxObjective {
		return nil, input.Errorf(l.shown(name), 0, 0,
			"objective of more than %d bytes. Move constants into a table: //@ data NAME FILE.npy", maxObjective)
	}
	l.hashFile(name, int64(len(raw)))
	l.hash.Write(raw)
	return raw, nil
}

// hashFile begins a file in the hash; its contents follow.
func (l *objectiveLoader) hashFile(name string, size int64) {
	given := name
	if name == l.main {
		name = "" // it may be renamed
	}
	fmt.Fprintf(l.hash, "%q %d\n", name, size)
	if !slices.Contains(l.names, given) {
		l.names = append(l.names, given)
	}
}

func (l *objectiveLoader) contentHash() string { return hex.EncodeToString(l.hash.Sum(nil)) }

// shown is the path of a file of the folder as the user would type it.
func (l *objectiveLoader) shown(name string) string {
	if name == l.main {
		return l.path
	}
	return filepath.Join(filepath.Dir(l.path), filepath.FromSlash(name))
}

// openFile opens name, relative to the folder, and returns its size. The
// text of the error says why it failed and how to mend it.
func (l *objectiveLoader) openFile(name string) (fs.File, int64, error) {
	const inside = "Copy the file into the objective's folder and name it relative to that"
	switch {
	case name == "":
		return nil, 0, errors.New("empty file name. Name a file in the objective's folder")
	case path.IsAbs(name) || filepath.IsAbs(name) || strings.ContainsAny(name, "\\:"):
		return nil, 0, fmt.Errorf("%q is not a relative path with forward slashes. %s", name, inside)
	case slices.Contains(strings.Split(name, "/"), ".."):
		return nil, 0, fmt.Errorf("%q leads out through \"..\". %s", name, inside)
	case l.files == nil:
		return nil, 0, fmt.Errorf("%q cannot be read: the text is in memory and came without files. Give a file system",
			name)
	}
	clean := path.Clean(name) // the form that package fs takes
	info, err := fs.Stat(l.files, clean)
	if err == nil && !info.Mode().IsRegular() {
		return nil, 0, fmt.Errorf("%q is not a regular file. Name a file", name)
	}
	var f fs.File
	if err == nil {
		f, err = l.files.Open(clean)
	}
	if err == nil { // it may be another file now
		if info, err = f.Stat(); err == nil && !info.Mode().IsRegular() {
			err = errors.New("is no longer a regular file")
		}
		if err != nil {
			f.Close()
		}
	}
	if err != nil {
		if e := (*fs.PathError)(nil); errors.As(err, &e) {
			err = e.Err
		}
		// Package os has no exported error for a link that leaves a Root.
		if strings.Contains(err.Error(), "escapes") {
			return nil, 0, fmt.Errorf("%q leads out through a symbolic link. %s", name, inside)
		}
		if l.main == "" {
			return nil, 0, fmt.Errorf("%q cannot be read: %v. Check the name", name, err)
		}
		return nil, 0, fmt.Errorf("%q cannot be read from %s: %v. Check the name", name, filepath.Dir(l.path), err)
	}
	return f, info.Size(), nil
}

var (
	macroName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*`)
	// probe finds __has_include and _Pragma, also in parts that the preprocessor joins.
	probe = regexp.MustCompile(`\b(?:__?|__h\w*|_P\w*)\b`)
	// pragma is the beginning of the pragmas that an objective may have, besides once. Others read files, such as
	// GCC dependency, or change the macros of the text around the objective.
	pragma = regexp.MustCompile(`^(?:OPENCL|STDC|unroll|nounroll|(?:clang|GCC)[ \t]+(?:loop|fp|unroll|diagnostic))\b`)
	// ownNames are names that the text around an objective uses, besides reserved ones.
	ownNames = strings.Fields(`real real2 real4 real8 sum sum_zero sum_add sum_join sum_real point data at component
		component_eight objective R DIM BOX_LO BOX_HI ACCS asm __asm __asm__`)

	includeLine = regexp.MustCompile(`^"[^"]*"$`)
	includeLike = map[string]bool{"include": true, "include_next": true, "import": true, "embed": true}
)

// expand appends the text of s, called name relative to the folder, to the
// sources, with the files that it includes. It follows every #include, even one
// that the preprocessor would skip.
func (l *objectiveLoader) expand(s *scanned, name string) *input.Error {
	l.open = append(l.open, name)
	defer func() { l.open = l.open[:len(l.open)-1] }()
	l.code = append(append(l.code, s.code...), '\n')

	if at := probe.FindIndex(s.code); at != nil {
		atLine, col := lineCol(s.text, at[0])
		return input.Errorf(s.file, atLine, col, "%s: this word, or one that it is a part of, could look for files. "+
			"Use another name, and #pragma for _Pragma.", input.Shown(s.code[at[0]:at[1]]))
	}
	line := 1
	first := 1
	begin := 0 // line: of offset at; first, begin: of the part not yet appended
	for at := 0; at < len(s.code); {
		end := indexFrom(s.code, at, "\n")
		if end < 0 {
			end = len(s.code)
		}
		raw := s.code[at:end]
		lines := 1 + bytes.Count(raw, []byte{spliceEnd})
		if word, rest, ok := hashWord(raw); ok {
			switch {
			case includeLike[word]:
				atLine, col := lineCol(s.text, at+bytes.IndexAny(raw, "#%"))
				file, err := l.include(s, word, rest, raw, at, atLine, col)
				if err != nil {
					return err
				}
				l.add(s, first, begin, at)
				first, begin = line+lines, min(end+1, len(s.text))
				if err := l.expandFile(s, file, atLine, col); err != nil {
					return err
				}
			case word == "define" || word == "undef":
				name := string(macroName.Find(rest))
				if slices.Contains(reserved, name) || slices.Contains(ownNames, name) {
					atLine, col := lineCol(s.text, at+bytes.IndexAny(raw, "#%"))
					return input.Errorf(s.file, atLine, col, "#%s of %s, which the text around the objective uses. "+
						"Use another name.", word, name)
				}
			case word == "pragma" && string(rest) == "once":
				l.once[name] = true
				for i := at; i < end; i++ {
					if s.text[i] != '\n' {
						s.text[i] = ' '
					}
				}
			case word == "pragma" && !pragma.Match(rest):
				atLine, col := lineCol(s.text, at+bytes.IndexAny(raw, "#%"))
				return input.Errorf(s.file, atLine, col, "unsupported #pragma %.60q. Use OPENCL, STDC, unroll, "+
					"nounroll, once, or clang with loop, fp or diagnostic.", rest)
			}
		}
		line += lines
		at = end + 1
	}
	l.add(s, first, begin, len(s.text))
	return nil
}

// hashWord splits a logical line "# word rest" of scanned code.
func hashWord(raw []byte) (word string, rest []byte, ok bool) {
	const blanks = " \t\v\f"
	start := bytes.TrimLeft(raw, blanks+"\x01\x02")
	if len(start) == 0 || start[0] != '#' && start[0] != '%' {
		return "", nil, false
	}
	logical := raw
	if bytes.IndexByte(raw, spliceEnd) >= 0 {
		logical = bytes.Map(func(r rune) rune {
			if r == splice || r == spliceEnd {
				return -1
			}
			return r
		}, raw)
	}
	logical = bytes.Trim(logical, blanks)
	logical, ok = bytes.CutPrefix(logical, []byte("#"))
	if !ok {
		if logical, ok = bytes.CutPrefix(logical, []byte("%:")); !ok {
			return "", nil, false
		}
	}
	logical = bytes.TrimLeft(logical, blanks)
	i := 0
	for i < len(logical) && (isLetter(logical[i]) || isDigit(logical[i])) {
		i++
	}
	return string(logical[:i]), bytes.TrimLeft(logical[i:], blanks), true
}

// add appends the part of s from offset begin to end, which begins at a line.
func (l *objectiveLoader) add(s *scanned, line, begin, end int) {
	if text := s.text[begin:end]; len(bytes.TrimSpace(text)) > 0 {
		l.sources = append(l.sources, problems.Source{File: s.file, Line: line, Text: string(text)})
		l.raw = append(l.raw, token.Scan(s.file, line, string(s.code[begin:end]), maxTokens-len(l.raw))...)
	}
}

// include returns the name, relative to the folder, of the file that the
// logical line raw at offset at of s includes.
func (l *objectiveLoader) include(s *scanned, word string, rest, raw []byte, at, line, col int) (string, *input.Error) {
	if word != "include" || !includeLine.Match(rest) || bytes.IndexByte(raw, spliceEnd) >= 0 {
		return "", input.Errorf(s.file, line, col,
			"unsupported %.60q. Write #include \"file\" on one line; system headers do not exist on a device, and "+
				"functions such as sqrt and exp need none: remove their line.",
			bytes.TrimSpace(s.text[at:at+len(raw)]))
	}
	open := bytes.IndexByte(raw, '"')
	file := string(s.text[at+open+1 : at+bytes.LastIndexByte(raw, '"')])
	if !path.IsAbs(file) && !slices.Contains(strings.Split(file, "/"), "..") {
		file = path.Join(path.Dir(l.open[len(l.open)-1]), file)
	}
	return file, nil
}

// expandFile expands the file that line and col of s include.
func (l *objectiveLoader) expandFile(s *scanned, name string, line, col int) *input.Error {
	if l.once[name] {
		return nil
	}
	fail := func(format string, args ...any) *input.Error {
		return input.Errorf(s.file, line, col, "#include: "+format, args...)
	}
	if slices.Contains(l.open, name) {
		return fail("%q includes itself. Remove one of the lines.", name)
	}
	l.includes++
	if len(l.open) > maxIncludeDeep || l.includes > maxIncludes {
		return fail("more than %d files, or %d deep. Include less.", maxIncludes, maxIncludeDeep)
	}
	f, _, err := l.openFile(name)
	if err != nil {
		return fail("%v.", err)
	}
	defer f.Close()
	raw, e := l.readText(f, name)
	if e != nil {
		return e
	}
	text, e := cleanText(l.shown(name), raw)
	if e != nil {
		return e
	}
	inner, e := scan(l.shown(name), text)
	if e != nil {
		return e
	}
	if len(inner.comments) > 0 {
		c := inner.comments[0]
		return input.Errorf(inner.file, c.line, c.col, "directive in an included file. Move it to %s.", l.path)
	}
	return l.expand(inner, name)
}
