package child

import (
	"context"
	"encoding/json"
	"io"
	"sync"
	"time"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/internal/shard/trial"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/catalog"
	"github.com/clopt/clopt/shard"
)

// Arguments is the number of arguments of Once.
const Arguments = 5

// Once evaluates a problem once. It is the work of the child process, whose arguments after Command are args. The
// process ends when its standard input does, or after a limit, and says a secret if it survives.
func Once(ctx context.Context, stdin io.Reader, stdout io.Writer, exit func(int), args [Arguments]string) {
	spec := args[0]
	precision := args[1]
	index := args[2]
	limit := args[3]
	secret := args[4]
	EndWithParent(stdin, exit)
	if d, err := time.ParseDuration(limit); err == nil {
		endAfter(d, func() {
			io.WriteString(stdout, late+secret)
			exit(1)
		})
	}
	cl.AfterBuild(func() { io.WriteString(stdout, built) })
	survives := sync.OnceFunc(func() { io.WriteString(stdout, survived+secret) })
	OnDevice(spec, precision, index, func(g *shard.Devices, p problems.Problem, prec problems.Precision) error {
		err := trial.Run(ctx, g, p, prec)
		survives()
		if err != nil {
			return err
		}
		io.WriteString(stdout, clean+secret)
		found, err := trial.See(ctx, g, p, prec)
		if err != nil {
			return err
		}
		io.WriteString(stdout, seen+secret)
		return json.NewEncoder(stdout).Encode(found)
	})
	survives() // the parent finds an error that ended this before, too, and reports it
}

// endAfter calls end when the limit is over and this process has used as much processor time.
func endAfter(limit time.Duration, end func()) {
	go func() {
		for begin := time.Now(); time.Since(begin) < limit || processorTime() < limit; {
			time.Sleep(min(limit, 100*time.Millisecond))
		}
		end()
	}()
}

// OnDevice opens the device of an index for a problem, and closes it after do. All are texts, the arguments of a child
// process.
func OnDevice(spec, precision, index string,
	do func(g *shard.Devices, p problems.Problem, prec problems.Precision) error) error {
	prec, err := problems.ParsePrecision(precision)
	if err != nil {
		return err
	}
	p, err := catalog.Parse(spec, problems.Options{})
	if err != nil {
		return err
	}
	chosen, err := shard.Select(index, prec)
	if err != nil {
		return err
	}
	g, err := shard.Open(chosen, shard.Options{})
	if err != nil {
		return err
	}
	defer g.Close()
	return do(g, p, prec)
}
