package job

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"strconv"
	"time"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/cmd/clopt/internal/exit"
	"github.com/clopt/clopt/internal/shard/trial"
	"github.com/clopt/clopt/internal/shard/trial/child"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/shard"
)

// mostTried is the largest number of variables of the points that TryOnce stores.
const mostTried = 1e6

// triedPoints is the number of points that TryOnce evaluates.
const triedPoints = 4

// Tried is what TryOnce finds out.
type Tried struct {
	Device   string       // "": there is none
	Unread   string       // a warning about variables that no component reads; "": none
	Warnings []cl.Message // of its compiler
	Values   []float64    // at some uniform points; none for more than a million variables
}

// TryOnce tries an objective on the first of the chosen devices.
func TryOnce(ctx context.Context, p problems.Problem, devices string, limit time.Duration) (t Tried, err error) {
	g, device, found, err := openTried(ctx, p, problems.FP64, devices, limit)
	t.Device, t.Unread = device, Unread(p, found.Seen)
	if g == nil {
		return t, err
	}
	defer g.Close()
	t.Warnings = warnings(ctx, p, g.Infos()[0], limit)
	if !found.Clean {
		err = trial.Run(ctx, g, p, problems.FP64)
	}
	if err != nil || p.Domain().N > mostTried {
		return t, err
	}
	points := make([][]float64, triedPoints)
	for k := range points {
		points[k] = trial.Point(p.Domain(), k)
	}
	t.Values, err = shard.Evaluate(ctx, g, p, problems.FP64, points)
	for k := range t.Values {
		t.Values[k] *= p.Info().Sign()
	}
	return t, err
}

// WatchBest evaluates the best point of a run of an objective on the first of the chosen devices, with every read
// watched. It returns the device, "" if there is none.
func WatchBest(ctx context.Context, call *Call, p problems.Problem, prec problems.Precision, x []float64,
	devices string, limit time.Duration) (device string, err error) {
	g, device, _, err := openTried(ctx, p, prec, devices, limit)
	if g == nil {
		return device, err
	}
	defer g.Close()
	defer call.OnCrash(p, g.Infos())()
	_, err = trial.At(ctx, g, p, prec, x)
	return device, err
}

// openTried opens the first of the chosen devices, after a trial of an objective on it, whose result it returns, too.
// It returns nil if there is no device.
func openTried(ctx context.Context, p problems.Problem, prec problems.Precision, devices string,
	limit time.Duration) (g *shard.Devices, device string, found child.Found, err error) {
	chosen, err := shard.Select(devices, prec)
	if _, none := errors.AsType[*cl.NoDeviceError](err); none {
		return nil, "", found, nil
	} else if err != nil {
		return nil, "", found, err
	}
	device = chosen[0].String()
	if found, err = Trial(ctx, p, prec, chosen[0], limit); err != nil {
		return nil, device, found, err
	}
	if g, err = shard.Open(chosen[:1], shard.Options{}); err != nil {
		return nil, device, found, exit.With(exit.NoDevice, err)
	}
	return g, device, found, nil
}

// WarningsName is the name of the hidden command that writes the warnings of a compiler. It runs in a child process,
// since a driver may also write to the standard error.
const WarningsName = "__warnings"

// warnings returns the warnings of the compiler of a device about the text of an objective. There are none if the
// compiler has not ended after the limit.
func warnings(ctx context.Context, p problems.Problem, device cl.Info, limit time.Duration) (all []cl.Message) {
	if p.Spec().Family != problems.OpenCL {
		return nil
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var out bytes.Buffer
	self, err := os.Executable()
	if err != nil || child.Process(limited, self, &out, WarningsName, p.Spec().String(), problems.FP64.String(),
		strconv.Itoa(device.Index)) != nil {
		return nil
	}
	if json.Unmarshal(out.Bytes(), &all) != nil {
		return nil
	}
	return all
}

// WriteWarnings writes the warnings of the compiler of a device about the text of a problem. It is the work of the
// child process.
func WriteWarnings(call *Call, spec, precision, index string) error {
	child.EndWithParent(call.Stdin, call.exit)
	return child.OnDevice(spec, precision, index, func(g *shard.Devices, p problems.Problem,
		prec problems.Precision) error {
		all, err := trial.Warnings(g.All()[g.First()], p, prec)
		if err != nil {
			return err
		}
		return json.NewEncoder(call.Stdout).Encode(all)
	})
}
