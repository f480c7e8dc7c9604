package command

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/clopt/clopt/internal/problems/input"
)

// script writes a shell script and returns a program that runs it.
func script(t *testing.T, text string, opt Options) *Program {
	t.Helper()
	path := filepath.Join(t.TempDir(), "f.sh")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	opt.Words = []string{"sh", path}
	p, err := New(opt)
	require.NoError(t, err)
	t.Cleanup(p.Close)
	return p
}

// sums prints the sum of the whole numbers of each line.
const sums = "while read a b; do echo $((a + b)); done\n"

// some are points of whole numbers, and their sums.
func some(n int) (points [][]float64, want []float64) {
	for i := range n {
		points = append(points, []float64{float64(i), float64(10 * i)})
		want = append(want, float64(11*i))
	}
	return points, want
}

// The values are those of the points, however many copies of the program answer, and whether each of them goes on or
// ends after a value.
func TestValues(t *testing.T) {
	for name, text := range map[string]string{
		"all":           sums,
		"one and ends":  "read a b; echo $((a + b))\n",
		"some and ends": "for i in 1 2 3; do read a b; echo $((a + b)); done\n",
		"slower later":  "while read a b; do sleep 0.00$((9 - a % 9)); echo $((a + b)); done\n",
	} {
		for _, jobs := range []int{1, 3} {
			p := script(t, text, Options{Jobs: jobs})
			for _, n := range []int{1, 2, 20} {
				points, want := some(n)
				got, err := p.Values(t.Context(), points)
				require.NoError(t, err, name)
				require.Equal(t, want, got, name)
			}
			require.Zero(t, p.Ends+p.Kills, name)
		}
	}
}

// A point at which the program ends, or does not answer, has no value; the others have theirs.
func TestPointsWithoutValue(t *testing.T) {
	for name, c := range map[string]struct {
		at3         string // what the program does at the point that begins with 3
		limit       time.Duration
		ends, kills int
		warning     string
	}{
		"crash":  {"echo broken >&2; exit 7", 0, 1, 0, "exit status 7"},
		"killed": {"kill -9 $$", 0, 1, 0, "signal: killed"},
		"hang":   {"sleep 60", 300 * time.Millisecond, 0, 1, "no value in 300ms"},
	} {
		for _, jobs := range []int{1, 2} {
			var said []string
			text := "while read a b; do [ $a = 3 ] && { " + c.at3 + "; }; echo $((a + b)); done\n"
			warn := func(s string) { said = append(said, s) }
			p := script(t, text, Options{Jobs: jobs, Limit: c.limit, Warn: warn})
			points, want := some(6)
			got, err := p.Values(t.Context(), points)
			require.NoError(t, err, name)
			require.True(t, math.IsNaN(got[3]), name)
			got[3], want[3] = 0, 0
			require.Equal(t, want, got, name)
			require.Equal(t, []int{c.ends, c.kills}, []int{p.Ends, p.Kills}, name)
			require.Len(t, said, 1)
			require.Contains(t, said[0], c.warning)
		}
	}
}

// A program that ends now and then, but not because of a point, gives all values.
func TestProgramThatEnds(t *testing.T) {
	p := script(t, "for i in 1 2; do read a b; echo $((a + b)); done; exit 3\n", Options{Jobs: 2})
	points, want := some(9)
	got, err := p.Values(t.Context(), points)
	require.NoError(t, err)
	require.Equal(t, want, got)
	require.Zero(t, p.Ends)
}

// NaN and infinite values, and all ways to write numbers, are read.
func TestNumbers(t *testing.T) {
	for text, want := range map[string]float64{"nan": math.NaN(), "-inf": math.Inf(-1), "Infinity": math.Inf(1),
		" 1.5D+03 ": 1500, "1e400": math.Inf(1), "-7": -7, "0x1p-3": 0.125, "1.5E-3": 0.0015} {
		p := script(t, "while read a; do echo '"+text+"'; done\n", Options{})
		got, err := p.Values(t.Context(), [][]float64{{1}})
		require.NoError(t, err)
		require.Equal(t, fmt.Sprint(want), fmt.Sprint(got[0]), text)
	}
}

// An answer that is no number is an error, which quotes the answer and the stderr of the program.
func TestFaults(t *testing.T) {
	for text, want := range map[string]string{
		"while read a; do echo a b; done":             `a line of 2 words, "a b"`,
		"while read a; do echo; done":                 `a line of 0 words, ""`,
		"while read a; do echo one; done":             `"one", which is no number`,
		"echo reading; while read a; do echo 1; done": `"reading", which is no number`,
		"while read a; do echo 1; echo 2; done":       "more values than it was given points",
		"echo no licence >&2; exit 5": "ends before it is given a point (exit status 5). It has written to " +
			"stderr:\nno licence",
		"read a; echo why >&2; exit 5": "no value for 20 points in a row: it has ended at a point, twice " +
			"(exit status 5). It has written to stderr:\nwhy",
		"while read a; do echo why >&2; echo one; done": "stderr:\nwhy",
	} {
		p := script(t, text, Options{})
		var err error
		for range 7 {
			if _, err = p.Values(t.Context(), [][]float64{{1}, {2}, {3}}); err != nil {
				break
			}
		}
		fault, ok := errors.AsType[*Fault](err)
		require.True(t, ok, "%s: %v", text, err)
		require.Contains(t, fault.Error(), want)
	}
	_, err := New(Options{Words: []string{"no-such-program-anywhere"}})
	require.ErrorContains(t, err, "cannot be started")
	_, err = New(Options{Words: []string{t.TempDir()}})
	require.ErrorContains(t, err, "cannot be started")
}

// After the end of its context Values returns what it knows, soon, and the program works again later.
func TestCancelled(t *testing.T) {
	p := script(t, "while read a b; do [ $a = 2 ] && [ $b = 20 ] && sleep 60; echo $((a + b)); done\n", Options{})
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	points, want := some(4)
	begin := time.Now()
	got, err := p.Values(ctx, points)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.Equal(t, want[:2], got)
	require.Less(t, time.Since(begin), 20*time.Second)
	got, err = p.Values(t.Context(), points[:2])
	require.NoError(t, err)
	require.Equal(t, want[:2], got)
}

// Words are those of a shell, without what else a shell does.
func TestWords(t *testing.T) {
	for line, want := range map[string]string{
		"a":                       "[a]",
		" a  b\tc ":               "[a|b|c]",
		`'a b' "c d" e\ f`:        "[a b|c d|e f]",
		`a'b'"c"`:                 "[abc]",
		`"a\"b\\c\d" 'e\'`:        `[a"b\c\d|e\]`,
		`a "" b`:                  "[a||b]",
		"a; rm -rf $HOME `b` > c": "[a;|rm|-rf|$HOME|`b`|>|c]",
	} {
		words, err := Words(line)
		require.NoError(t, err)
		require.Equal(t, want, "["+strings.Join(words, "|")+"]", line)
	}
	for _, line := range []string{"", "  ", "a 'b", `"`, "''", "a\x00b"} {
		_, err := Words(line)
		require.Error(t, err, line)
	}
}

// TestMain makes this test a program that takes arrays, if the environment says so.
func TestMain(m *testing.M) {
	if os.Getenv("CLOPT_TEST_ARRAYS") == "" {
		os.Exit(m.Run())
	}
	in := bufio.NewReader(os.Stdin)
	for {
		head, err := input.ReadNpyHeader(in, -1, "f8")
		if err != nil {
			return
		}
		m, n := head.Matrix()
		values := make([]float64, m)
		if err := head.Each(in, func(i int, v float64) error {
			if i%n == 0 && v == 3 {
				return errors.New("broken")
			}
			values[i/n] += v
			return nil
		}); err != nil {
			os.Exit(2)
		}
		input.WriteNpy(os.Stdout, values)
	}
}

// Arrays of points and of values pass as .npy.
func TestNpy(t *testing.T) {
	t.Setenv("CLOPT_TEST_ARRAYS", "yes")
	for _, jobs := range []int{1, 2} {
		p, err := New(Options{Words: []string{os.Args[0]}, Jobs: jobs, Format: Npy})
		require.NoError(t, err)
		defer p.Close()
		points, want := some(7)
		got, err := p.Values(t.Context(), points)
		require.NoError(t, err)
		require.True(t, math.IsNaN(got[3]))
		got[3], want[3] = 0, 0
		require.Equal(t, want, got)
		require.Equal(t, 1, p.Ends)
		got, err = p.Values(t.Context(), points[4:6])
		require.NoError(t, err)
		require.Equal(t, want[4:6], got)
	}
	p := script(t, "echo this is no array and long enough to be read as one\n", Options{Format: Npy})
	_, err := p.Values(t.Context(), [][]float64{{1}})
	require.ErrorContains(t, err, "is no .npy array")
}
