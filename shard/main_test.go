package shard

import (
	"os"
	"testing"

	"github.com/clopt/clopt/test/devicetest"
)

func TestMain(m *testing.M) {
	devicetest.Keep()
	os.Exit(m.Run())
}
