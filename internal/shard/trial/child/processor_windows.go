package child

import (
	"math"
	"time"
)

// processorTime does not know for how long processors have worked for this process.
func processorTime() time.Duration { return math.MaxInt64 }
