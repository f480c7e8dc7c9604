package record_test

import (
	"os"

	"github.com/clopt/clopt/internal/solvers/runs/record"
)

// A line of trace.jsonl is a record as JSON.
func ExampleEvent() {
	record.WriteLine(os.Stdout, record.Event(1.5, "checkpoint", "000001"))
	// Output: {"type":"event","v":1,"t":1.5,"event":"checkpoint","detail":"000001"}
}
