package command

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// process is a running copy of the program.
type process struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	answers chan answer // closed when the program has closed its output
	errors  *tail
	given   int // values so far
}

// answer is what a program has answered: some values, or a fault of what it has written.
type answer struct {
	values []float64
	err    error
}

// settle is how long a program that has answered for the first time may take to print more than it should.
const settle = 20 * time.Millisecond

// start starts a copy of the program.
func start(words []string, f Format) (*process, error) {
	p := &process{cmd: exec.Command(words[0], words[1:]...), answers: make(chan answer, 64), errors: &tail{}}
	p.cmd.Stderr = p.errors
	p.cmd.Env = append(os.Environ(), "PYTHONUNBUFFERED=1")
	p.cmd.WaitDelay = time.Second // for a child of the program that keeps its output open
	own(p.cmd)
	in, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	p.in = in
	go func() {
		defer close(p.answers)
		r := bufio.NewReaderSize(out, 1<<16)
		for {
			values, err := f.read(r)
			if errors.Is(err, io.EOF) {
				return
			}
			p.answers <- answer{values, err}
			if err != nil {
				io.Copy(io.Discard, r) // so that the program can end
				return
			}
		}
	}()
	return p, nil
}

// errEnded means that a program has ended before it has answered, and errSlow that it has taken too long.
var errEnded, errSlow = errors.New("the program has ended"), errors.New("the program has not answered in time")

// ask returns the values of points. After an error it returns those of the first points that it knows. The error is
// errEnded, errSlow, that of ctx, or a *Fault. limit is the time for each value, 0: none. slow is called if there is no
// answer for long.
func (p *process) ask(ctx context.Context, f Format, points [][]float64, limit time.Duration,
	slow func()) (values []float64, err error) {
	select {
	case a, open := <-p.answers:
		if open {
			return nil, p.tooMuch(a)
		}
		return nil, errEnded
	default:
	}
	go f.write(p.in, points) // a program that has ended is found by what it does not answer
	first := p.given == 0
	for len(values) < len(points) {
		due := limit * time.Duration(f.together(len(points)))
		a, err := p.next(ctx, due, slow)
		if err != nil {
			return values, err
		}
		values = append(values, a.values...)
		if len(values) > len(points) {
			return nil, p.tooMuch(a)
		}
		p.given += len(a.values)
	}
	if first {
		select {
		case a, open := <-p.answers:
			if open {
				return nil, p.tooMuch(a)
			}
		case <-time.After(settle):
		}
	}
	return values, nil
}

// patience is how long a program may take to answer before somebody is told.
const patience = 10 * time.Second

// next waits for an answer.
func (p *process) next(ctx context.Context, limit time.Duration, slow func()) (answer, error) {
	select { // mostly it is there
	case a, open := <-p.answers:
		return p.checked(a, open)
	default:
	}
	var late <-chan time.Time
	if limit > 0 {
		timer := time.NewTimer(limit)
		defer timer.Stop()
		late = timer.C
	}
	long := time.NewTimer(patience)
	defer long.Stop()
	for {
		select {
		case a, open := <-p.answers:
			return p.checked(a, open)
		case <-ctx.Done():
			return answer{}, ctx.Err()
		case <-late:
			return answer{}, errSlow
		case <-long.C:
			slow()
		}
	}
}

func (p *process) checked(a answer, open bool) (answer, error) {
	if !open {
		return a, errEnded
	}
	if a.err != nil {
		time.Sleep(settle) // what it has written to stderr may come later
		return a, &Fault{Msg: a.err.Error(), Stderr: p.errors.text()}
	}
	return a, nil
}

// tooMuch returns the error of a program that has answered what nobody has asked.
func (p *process) tooMuch(a answer) error {
	if a.err != nil {
		return &Fault{Msg: a.err.Error(), Stderr: p.errors.text()}
	}
	return &Fault{Msg: "the program has given more values than it was given points; it must give one for each",
		Stderr: p.errors.text()}
}

// close lets the program end, as it should at the end of its input, and ends it after some time, or at once. It returns
// how many answers were left, and how the program has ended.
func (p *process) close(atOnce bool) (left int, err error) {
	p.in.Close()
	if atOnce {
		kill(p.cmd)
	}
	done := make(chan struct{})
	go func() {
		select {
		case <-done:
		case <-time.After(2 * time.Second):
			kill(p.cmd)
		}
	}()
	for range p.answers { // until it has closed its output
		left++
	}
	err = p.cmd.Wait()
	close(done)
	return left, err
}

// ended says how a program has ended that has not answered.
func ended(err error) string {
	if e, ok := errors.AsType[*exec.ExitError](err); ok {
		return e.String()
	} else if err != nil {
		return err.Error()
	}
	return "exit status 0"
}

// tail keeps the end of what a program has written to stderr.
type tail struct {
	mu   sync.Mutex
	last []byte
}

const tailBytes = 2000

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last = append(t.last, b...)
	if n := len(t.last) - tailBytes; n > 0 {
		t.last = append(t.last[:0], t.last[n:]...)
	}
	return len(b), nil
}

func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(string(t.last))
}

// Fault is an error of the program: it has answered what is no value, or has ended before its first one.
type Fault struct {
	Msg    string
	Stderr string // the end of what it has written there
}

func (f *Fault) Error() string {
	if f.Stderr == "" {
		return f.Msg
	}
	return fmt.Sprintf("%s. It has written to stderr:\n%s", f.Msg, f.Stderr)
}
