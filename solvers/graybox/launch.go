package graybox

// partsRange is which parts a launch works on: the struct graybox_range of the kernels.
type partsRange struct {
	From  uint32 // first tile, from that of the shard on
	Parts uint32 // of the launch
	First uint32 // part of a tile
	Count uint32 // parts of a tile
	Each  uint32 // parts of a group of work-items
}

// turnOrders is what a launch does with each part: the struct graybox_turn of the kernels.
type turnOrders struct {
	Quota    uint32 // evaluations of the launch, at most
	Most     uint32 // evaluations of the run, at most
	Patience uint32 // episodes that find nothing better after which the part rests
	Given    uint32 // start points
	Pass     uint32 // round of waves
	Begins   uint32 // 1: the first launch of a turn
}
