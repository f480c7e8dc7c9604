package ranks_test

import (
	"slices"
	"testing"

	"github.com/clopt/clopt/internal/shard/ranks"
)

// TestMessagesOfOne exchanges messages in a run of one process.
func TestMessagesOfOne(t *testing.T) {
	all, err := ranks.Messages(nil, "ready")
	if err != nil || !slices.Equal(all, []string{"ready"}) {
		t.Errorf("%q, %v; want the own message alone", all, err)
	}
	if err := ranks.Announce(nil, "ready"); err != nil {
		t.Error(err)
	}
}
