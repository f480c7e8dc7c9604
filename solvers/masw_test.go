package solvers

import (
	"context"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/clopt/clopt/cl"
	"github.com/clopt/clopt/problems"
	"github.com/clopt/clopt/problems/draw"
	"github.com/clopt/clopt/shard"
)

func open(t *testing.T, sel string) *shard.Group {
	t.Helper()
	infos, err := cl.Discover()
	require.NoError(t, err)
	infos, err = cl.Select(infos, sel)
	require.NoError(t, err)
	var ds []*cl.Device
	for _, i := range infos {
		d, err := cl.Open(i)
		require.NoError(t, err)
		ds = append(ds, d)
	}
	g, err := shard.NewGroup(ds, shard.Options{})
	require.NoError(t, err)
	t.Cleanup(g.Close)
	return g
}

func TestSmoke(t *testing.T) {
	g := open(t, "0")
	for f := 1; f <= 15; f++ {
		p, err := problems.Parse(fmt.Sprintf("cec2013/f%d", f), problems.Options{})
		require.NoError(t, err)
		err = SelfTest(context.Background(), g.Devices()[0], []problems.Problem{p}, func(c string, err error) { t.Log(c, err) })
		require.NoError(t, err)
	}
	p, err := problems.Parse("cec2013/f1", problems.Options{Data: "/work/shared/data"})
	require.NoError(t, err)
	for _, name := range []string{"random", "masw"} {
		for _, sel := range []string{"0", "0*2"} {
			m, err := New(name, nil)
			require.NoError(t, err)
			start := time.Now()
			r, err := Minimize(context.Background(), p, open(t, sel), Settings{Key: draw.Key{Seed: 1}, Budget: Budget{Evaluations: 100000}}, m)
			require.NoError(t, err)
			t.Log(name, sel, r.F, r.HostF, r.Confirmed, r.Evaluations, r.Elapsed, time.Since(start), math.Float64bits(r.F))
		}
	}
}
