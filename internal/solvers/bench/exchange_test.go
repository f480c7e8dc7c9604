package bench

import (
	"testing"
	"time"

	"github.com/clopt/clopt/internal/shard/ranks"
	"github.com/clopt/clopt/test/hoststest"
)

// Every kind of exchange is measured at every size, on all ranks.
func TestMeasureExchanges(t *testing.T) {
	if err := hoststest.Run(3, func(h ranks.Hosts) error {
		all, err := MeasureExchanges(h, 2, time.Now)
		if n := 1 + 2*len(exchangeSizes); err == nil && len(all) != n {
			t.Errorf("%d kinds of exchanges, want %d", len(all), n)
		}
		for _, one := range all {
			want := 2
			if one.Bytes < 1<<20 {
				want = 40
			}
			if len(one.Took) != want {
				t.Errorf("%s, %d bytes: %d times, want %d", one.What, one.Bytes, len(one.Took), want)
			}
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
}
