package cec2013

// milestones are those of the competition.
var milestones = []int64{120_000, 600_000, 3_000_000}
